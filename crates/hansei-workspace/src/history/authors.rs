//! Numbers for authors: the same person under one address is one author, however the name is written.

use std::collections::HashMap;

/// The authors that were met, in the order in which they were met.
#[derive(Debug, Default)]
pub struct Authors {
    known: HashMap<String, u32>,
}

impl Authors {
    /// The number of who has this address, or this name where there is no address.
    pub fn id(&mut self, name: &str, email: &str) -> u32 {
        let email = email.trim().to_lowercase();
        let key = if email.is_empty() { format!(" {}", name.trim().to_lowercase()) } else { email };
        let next = u32::try_from(self.known.len()).unwrap_or(u32::MAX);
        *self.known.entry(key).or_insert(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_an_author() {
        let mut authors = Authors::default();
        for (name, email, id) in [
            ("Ann", "ann@example.org", 0),
            ("Ann B.", "Ann@Example.org", 0),
            ("Bob", "bob@example.org", 1),
            ("Ann", "", 2),
            ("ann ", " ", 2),
            ("", "", 3),
        ] {
            assert_eq!(authors.id(name, email), id, "{name} <{email}>");
        }
    }
}
