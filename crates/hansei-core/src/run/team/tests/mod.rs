//! Teams told as tables: which template is one, who begins when, and how a team ends.

mod courses;
mod templates;
