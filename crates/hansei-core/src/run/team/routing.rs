//! A task that asks for a team by how it begins: `@team`, or `@team:NAME`.

/// What a task says about who is to do it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Routed<'a> {
    /// The template, where one is named.
    pub template: Option<&'a str>,
    /// The task without that.
    pub task: &'a str,
}

/// The task without `@team` at its beginning; none where it does not begin with that.
pub fn routed(task: &str) -> Option<Routed<'_>> {
    let rest = task.trim_start().strip_prefix("@team")?;
    let (head, tail) = rest.split_at(rest.find(char::is_whitespace).unwrap_or(rest.len()));
    let template = match head.strip_prefix(':') {
        Some(name) => Some(name),
        None if head.is_empty() => None,
        // A longer word, such as a package called `@team/tools`.
        None => return None,
    };
    Some(Routed { template, task: tail.trim() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_task_that_begins_with_it_asks_for_a_team() {
        for (task, expected) in [
            ("@team mend it", Some((None, "mend it"))),
            ("  @team\n\nmend it\n", Some((None, "mend it"))),
            ("@team:pair mend it", Some((Some("pair"), "mend it"))),
            ("@team: mend it", Some((Some(""), "mend it"))),
            ("@team", Some((None, ""))),
            ("@teams mend it", None),
            ("@team/tools is broken", None),
            ("ask the @team to mend it", None),
            ("mend it", None),
        ] {
            let expected = expected.map(|(template, task)| Routed { template, task });
            assert_eq!(routed(task), expected, "{task:?}");
        }
    }
}
