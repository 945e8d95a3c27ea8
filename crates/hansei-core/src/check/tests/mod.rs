//! Tables of command lines and of outputs, and properties that hold for any text.

mod command_lines;
mod outputs;
mod properties;
