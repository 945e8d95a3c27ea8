//! A run as a person sees it: its phases, what it does, what is left of the budget, what it costs.

use std::io::{IsTerminal as _, Write as _};

use hansei_core::run::{Ended, Gate, Purpose, Rescued, Run, RunEvent, RunLine};
use hansei_core::verdict::Ending;
use hansei_engine::run::Watcher;
use serde_json::Value;

use super::team_view::{self, Told};
use crate::terminal::{self, visible};

/// The width of what is shown of a text.
pub(super) const WIDTH: usize = 96;

/// Prints a run line by line; what is being done now stands on a line of its own that goes away.
pub struct View {
    run: Run,
    is_terminal: bool,
    /// The model's words since its last line end, where they are shown as they come.
    is_speaking: bool,
    /// A line that goes away is on the terminal.
    is_doing: bool,
}

impl View {
    pub fn of(run: &Run) -> Self {
        let fresh = Run::new(run.started().clone());
        Self { run: fresh, is_terminal: std::io::stderr().is_terminal(), is_speaking: false, is_doing: false }
    }

    fn print(&mut self, text: &str) {
        self.clear();
        terminal::print(&format!("{text}\n"));
    }

    fn clear(&mut self) {
        if self.is_doing {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
            self.is_doing = false;
        }
        if self.is_speaking {
            terminal::print("\n");
            self.is_speaking = false;
        }
    }

    /// How much of a phase's steps is used, such as `think 2/7`.
    fn phase(&self, name: &str) -> String {
        let (used, terms) = (self.run.used(), self.run.started().terms);
        let of = |used: u32, quota: Option<u32>| match quota {
            Some(quota) => format!("{name} {used}/{quota}"),
            None => format!("{name} {}/{}", self.run.used().total(), terms.max_steps),
        };
        match name {
            "verify" => of(used.verify, terms.quotas.map(|quotas| quotas.verify)),
            "reflect" => of(used.reflect, terms.quotas.map(|quotas| quotas.reflect)),
            "think" => of(used.think, terms.quotas.map(|quotas| quotas.think)),
            other => other.to_owned(),
        }
    }

    fn show_second_look(&mut self, rescued: &Rescued) {
        let said = match rescued.answer.diagnosis() {
            Some(found) => format!("{}: {}", rescued.answer.kind().name(), found.new_hypothesis),
            None => rescued.answer.text(),
        };
        self.print(&format!("{:<12} {}", "unblock", visible(&terminal::short(&said, WIDTH))));
        for why in &rescued.refused {
            self.print(&format!("{:<12} ✗ {}", "", visible(&terminal::short(why, WIDTH))));
        }
    }

    fn show_end(&mut self, ended: &Ended) {
        let name = serde_json::to_value(ended.ending).unwrap_or_default();
        let name = name.as_str().unwrap_or_default();
        let used = [self.phase("think"), self.phase("verify"), self.phase("reflect")];
        let used = if self.run.started().terms.quotas.is_some() { used.join(", ") } else { used[0].clone() };
        let cost = terminal::cost(Some(ended.input_tokens + ended.output_tokens), ended.usd);
        if ended.ending == Ending::Complete && !ended.last_words.is_empty() {
            self.print(&format!("\n{}\n", visible(&ended.last_words)));
        }
        if let Some(escalation) = &ended.escalation {
            self.print(&format!("\n{}", visible(&escalation.text())));
        }
        self.print(&format!("{name}: {}\n({used}; {cost})", visible(&ended.why)));
    }

    fn show(&mut self, event: &RunEvent) {
        match event {
            RunEvent::RunStarted(started) => {
                let what = format!("{}  {}  {}", started.run, started.mode.name(), started.model);
                self.print(&format!("{what}\n{}", visible(&terminal::short(&started.task, WIDTH))));
            }
            RunEvent::ModelAsked { purpose } => {
                let what = match purpose {
                    Purpose::Plan => "planning",
                    Purpose::Work => "thinking",
                    Purpose::Reflect => "reflecting",
                };
                self.doing(what);
            }
            RunEvent::ModelAnswered { purpose, turn, .. } => {
                let phase = match purpose {
                    Purpose::Plan => "plan".to_owned(),
                    Purpose::Work => self.phase("think"),
                    Purpose::Reflect => self.phase("reflect"),
                };
                if *purpose != Purpose::Plan || !turn.calls.is_empty() {
                    let words = terminal::short(&turn.text, WIDTH);
                    self.print(&format!("{phase:<12} {}", visible(&words)));
                }
            }
            RunEvent::ModelUnavailable { no_answer, .. } | RunEvent::UnblockerSilent { no_answer, .. } => {
                self.print(&format!("{:<12} {}", "no answer", visible(&format!("{no_answer:?}"))));
            }
            RunEvent::SpecWritten { spec, edited, .. } => {
                let title = if *edited { "plan, edited" } else { "plan" };
                self.print(&format!("{title:<12} {}", visible(&spec.goal)));
                for (number, step) in spec.steps.iter().enumerate() {
                    self.print(&format!("{:>14}. {}", number + 1, visible(&terminal::short(step, WIDTH))));
                }
                for (name, list) in
                    [("files", &spec.files), ("verified by", &spec.verification), ("risks", &spec.risks)]
                {
                    if !list.is_empty() {
                        self.print(&format!(
                            "{name:>12}: {}",
                            visible(&terminal::short(&list.join(" · "), WIDTH))
                        ));
                    }
                }
            }
            RunEvent::SpecReviewReply { decision, feedback, .. } => {
                let words = format!("{decision:?}").to_lowercase();
                self.print(&format!("{:<12} {words} {}", "review", visible(feedback)));
            }
            RunEvent::ToolCalled { tool, input, .. } => {
                let doing = format!("{tool} {}", brief(tool, input));
                self.doing(&doing);
            }
            RunEvent::ToolReturned { call, ok, milliseconds, .. } => {
                let (tool, input) = called(&self.run, call);
                let result = if *ok { "ok" } else { "no" };
                let what = terminal::short(&format!("{tool} {}", brief(&tool, &input)), WIDTH - 20);
                self.print(&format!("{:<12} › {}  {result}  {milliseconds} ms", "", visible(&what)));
            }
            RunEvent::OutcomeUnknown { tool, .. } => {
                self.print(&format!(
                    "{:<12} {tool}: nobody knows what came of it; it is not repeated",
                    "lost"
                ));
            }
            RunEvent::Verified(seen) => {
                let word = match seen.gate {
                    Gate::Green => "green",
                    Gate::NothingRan => "nothing to run",
                    Gate::Red => "RED",
                    Gate::Blocked => "cannot run",
                };
                let phase = self.phase("verify");
                self.print(&format!("{phase:<12} {word}: {}", visible(&seen.summary)));
                for check in &seen.checks {
                    self.print(&format!("{:<12} $ {}  {}", "", visible(&check.command), check.status));
                }
                for name in seen.failing.iter().take(5) {
                    self.print(&format!("{:<12} ✗ {}", "", visible(&terminal::short(name, WIDTH))));
                }
            }
            RunEvent::UnblockStarted { .. } => self.doing("a second look, with a clean context"),
            RunEvent::Unblocked(rescued) => self.show_second_look(rescued),
            RunEvent::RunParked { reason, .. } => self.print(&format!("{:<12} {}", "rests", visible(reason))),
            RunEvent::RunResumed => self.print("resumed"),
            RunEvent::RunEnded(ended) => self.show_end(ended),
            RunEvent::LimitWaitedOut { .. }
            | RunEvent::SpecReviewRequest { .. }
            | RunEvent::VerifyStarted { .. }
            | RunEvent::RunInterrupted
            | RunEvent::AbortAsked => {}
            of_team => match team_view::told(&self.run, of_team) {
                Some(Told::Line(line)) => self.print(&line),
                Some(Told::Doing(what)) => self.doing(&what),
                None => {}
            },
        }
    }
}

/// The call of this id, out of what the model said.
pub(super) fn called(run: &Run, id: &str) -> (String, Value) {
    use hansei_core::run::conversation::Message;
    let calls = run.messages().iter().rev().filter_map(|message| match message {
        Message::Assistant { calls, .. } => Some(calls),
        _ => None,
    });
    let call = calls.flatten().find(|call| call.id == id);
    call.map_or_else(|| ("call".to_owned(), Value::Null), |call| (call.name.clone(), call.input.clone()))
}

impl Watcher for View {
    fn line(&mut self, line: &Value) {
        let kind = line["kind"].as_str().unwrap_or_default();
        if kind == "captured" {
            let sidecar = line["sidecar"].as_str().unwrap_or_default().to_owned();
            self.print(&format!("{:<12} {}", "captured", visible(&sidecar)));
        }
        let Ok(line) = serde_json::from_value::<RunLine>(line.clone()) else { return };
        if !matches!(line.event, RunEvent::RunStarted(_)) {
            self.run.apply(&line.event);
        }
        self.show(&line.event);
    }

    fn words(&mut self, _: &str) {}

    fn doing(&mut self, what: &str) {
        if !self.is_terminal {
            return;
        }
        self.clear();
        let spent = self.run.spent();
        let cost = terminal::cost(Some(spent.input_tokens + spent.output_tokens), spent.usd);
        let line = terminal::short(&terminal::one_line(what), WIDTH - 24);
        let _ = write!(std::io::stderr(), "\r\x1b[K{}  {cost}", visible(&line));
        self.is_doing = true;
    }
}

/// What a call is about, in a few words.
pub(super) fn brief(tool: &str, input: &Value) -> String {
    let text = |name: &str| input[name].as_str().unwrap_or_default();
    let words = match tool {
        "shell" => text("command").to_owned(),
        "str_replace_editor" => format!("{} {}", text("command"), text("path")),
        "search" => text("pattern").to_owned(),
        _ => text("path").to_owned(),
    };
    terminal::one_line(&words)
}
