//! The review of a Spec: at the terminal, or by `hansei approve` and `hansei reject` from another one.

use std::io::{BufRead as _, Write as _};
use std::process::Command;

use hansei_core::run::Decision;
use hansei_core::run::spec::{self, Spec};
use hansei_engine::run::{Reviewed, Reviewer};
use hansei_workspace::program::{self, Workspace};

/// Whoever sits at the terminal.
pub struct AtTerminal;

impl Reviewer for AtTerminal {
    fn review(&mut self, spec: &Spec) -> Option<Reviewed> {
        let mut spec = spec.clone();
        let mut edited = None;
        loop {
            anstream::eprint!("\nCarry this plan out? [y]es, [n]o with what is wrong, [e]dit, [q]uit: ");
            let _ = std::io::stderr().flush();
            let Some(answer) = line() else {
                return Some(Reviewed::plain(Decision::Cancel));
            };
            let (word, rest) = answer.split_once(char::is_whitespace).unwrap_or((&answer, ""));
            match word.to_ascii_lowercase().as_str() {
                "y" | "yes" => {
                    return Some(Reviewed {
                        decision: Decision::Confirm,
                        feedback: rest.trim().to_owned(),
                        edited,
                        abort: false,
                    });
                }
                "n" | "no" => {
                    let mut feedback = rest.trim().to_owned();
                    if feedback.is_empty() {
                        anstream::eprint!("What is wrong with it? ");
                        let _ = std::io::stderr().flush();
                        feedback = line().unwrap_or_default();
                    }
                    return Some(Reviewed {
                        decision: Decision::Reject,
                        feedback,
                        edited: None,
                        abort: false,
                    });
                }
                "e" | "edit" => match edit(&spec) {
                    Ok(changed) => {
                        anstream::eprint!("\n{}", changed.yaml());
                        spec = changed.clone();
                        edited = Some(changed);
                    }
                    Err(problem) => anstream::eprintln!("The plan stays as it was: {problem}"),
                },
                "q" | "quit" => {
                    return Some(Reviewed { abort: true, ..Reviewed::plain(Decision::Cancel) });
                }
                _ => {}
            }
        }
    }
}

fn line() -> Option<String> {
    let mut text = String::new();
    match std::io::stdin().lock().read_line(&mut text) {
        Ok(1..) => Some(text.trim().to_owned()),
        _ => None,
    }
}

/// Lets the user change the plan in their editor.
fn edit(spec: &Spec) -> Result<Spec, String> {
    let editor = ["VISUAL", "EDITOR"].iter().find_map(|name| std::env::var(name).ok());
    let editor = editor.filter(|editor| !editor.trim().is_empty()).unwrap_or_else(|| "vi".to_owned());
    let file = tempfile::Builder::new()
        .prefix("hansei-spec-")
        .suffix(".yaml")
        .tempfile()
        .and_then(|mut file| file.write_all(spec.yaml().as_bytes()).map(|()| file))
        .map_err(|error| error.to_string())?;
    let words: Vec<&str> = editor.split_whitespace().collect();
    let program = program::find(words[0], Workspace::Here).map_err(|error| error.to_string())?;
    let status = Command::new(program).args(&words[1..]).arg(file.path()).status();
    match status {
        Ok(status) if status.success() => {}
        Ok(status) => return Err(format!("{editor} ended with {status}")),
        Err(error) => return Err(format!("{editor}: {error}")),
    }
    let text = std::fs::read_to_string(file.path()).map_err(|error| error.to_string())?;
    spec::of_yaml(&text).map_err(|problem| problem.to_string())
}

/// Nobody is here: the answer comes from elsewhere.
pub struct Nobody {
    pub run: String,
    pub json: bool,
}

impl Reviewer for Nobody {
    fn review(&mut self, _: &Spec) -> Option<Reviewed> {
        if !self.json {
            anstream::eprintln!(
                "The plan waits for its review: hansei approve {run}, or hansei reject {run} --feedback TEXT",
                run = self.run
            );
        }
        None
    }
}
