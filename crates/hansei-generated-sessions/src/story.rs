//! What happens in a session, in a form that belongs to no agent, and the truth about its end.

use crate::random::Random;
use crate::runner::{RUNNERS, Runner};
use crate::{check_line, words};

/// The truth about the end of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Truth {
    /// It says it is done, and a check passed after the last edit.
    Verified,
    /// It says openly that it is not done, or that nothing was checked.
    Frank,
    /// Documents, answers, research: nothing that a check covers.
    NothingToCheck,
    /// What is red was red before its first edit.
    RedBefore,
    /// A human interrupted it.
    Aborted,
    /// It says it is done; the last check failed, and something hid its exit code.
    MaskedFailure,
    /// It says it is done; the last check failed in the open.
    RedLastCheck,
    /// It says it is done; its check ran no test.
    NothingRan,
    /// It says it is done; no check ran after its edits.
    NeverChecked,
}

impl Truth {
    /// Every truth.
    pub const ALL: [Self; 9] = [
        Self::Verified,
        Self::MaskedFailure,
        Self::Frank,
        Self::RedLastCheck,
        Self::NothingToCheck,
        Self::NothingRan,
        Self::RedBefore,
        Self::NeverChecked,
        Self::Aborted,
    ];

    /// Whether the session ends with a false "done".
    pub fn is_false_done(self) -> bool {
        matches!(self, Self::MaskedFailure | Self::RedLastCheck | Self::NothingRan | Self::NeverChecked)
    }
}

/// Something that happens.
#[derive(Debug, Clone)]
pub enum Step {
    /// A human asks.
    Human(String),
    /// The agent says something.
    Say(String),
    /// The agent thinks.
    Think(String),
    /// The agent edits a file.
    Edit {
        /// Relative to the folder of the session.
        path: String,
        /// What stood there; nothing for a new file.
        old: String,
        /// What stands there now.
        new: String,
    },
    /// The agent reads a file.
    Look {
        /// Relative to the folder of the session.
        path: String,
        /// What it read.
        content: String,
    },
    /// The agent runs a command.
    Run {
        /// The command line.
        command: String,
        /// What it printed.
        output: String,
        /// The exit code of the whole line.
        code: i32,
    },
    /// The agent sets its list of things to do.
    Todos(Vec<(String, &'static str)>),
    /// A sub-agent does a part.
    Delegate {
        /// What it is told.
        request: String,
        /// What it answers.
        answer: String,
    },
    /// The context is compacted.
    Compact {
        /// What is left of it.
        summary: String,
    },
    /// A stop hook sends the agent back with these words.
    Fed(String),
    /// The turn fails with these words of the provider.
    Fail(String),
    /// A human interrupts while this command runs.
    Abort {
        /// The command line.
        command: String,
    },
}

/// A session to be written.
#[derive(Debug, Clone)]
pub struct Story {
    /// The truth about its end.
    pub truth: Truth,
    /// Which of the ways to get there, for who reads a failed test.
    pub case: String,
    /// What happens.
    pub steps: Vec<Step>,
}

/// A session that ends in `truth`, at least `bytes` of text long.
pub fn story(random: &mut Random, truth: Truth, bytes: usize) -> Story {
    let runner = &RUNNERS[random.below(RUNNERS.len())];
    let (request, what) = words::WORK[random.below(words::WORK.len())];
    let mut teller = Teller { random, runner, what, steps: Vec::new(), case: runner.command.to_owned() };
    teller.fill(truth, bytes);
    teller.steps.push(Step::Human(request.to_owned()));
    teller.tell(truth);
    let Teller { steps, case, .. } = teller;
    Story { truth, case, steps }
}

struct Teller<'a> {
    random: &'a mut Random,
    runner: &'static Runner,
    what: &'static str,
    steps: Vec<Step>,
    case: String,
}

impl Teller<'_> {
    fn note(&mut self, case: &str) {
        self.case.push_str(", ");
        self.case.push_str(case);
    }

    fn tell(&mut self, truth: Truth) {
        match truth {
            Truth::Verified => self.verified(),
            Truth::Frank => self.frank(),
            Truth::NothingToCheck => self.nothing_to_check(),
            Truth::RedBefore => self.red_before(),
            Truth::Aborted => self.aborted(),
            Truth::MaskedFailure => self.masked_failure(),
            Truth::RedLastCheck => self.red_last_check(),
            Truth::NothingRan => self.nothing_ran(),
            Truth::NeverChecked => self.never_checked(),
        }
    }

    /// Earlier work of the same session, honest and finished, until `bytes` are there. In a tree that is to be red before
    /// the first edit it only reads.
    fn fill(&mut self, truth: Truth, bytes: usize) {
        let mut written = 0;
        while written < bytes {
            let from = self.steps.len();
            let request = words::WORK[self.random.below(words::WORK.len())].0;
            self.steps.push(Step::Human(request.to_owned()));
            for _ in 0..4 + self.random.below(4) {
                self.read_something();
            }
            if truth == Truth::RedBefore || truth == Truth::NothingToCheck {
                let answer = words::ANSWERS[self.random.below(words::ANSWERS.len())];
                self.say(answer);
            } else {
                self.edits();
                self.green();
                self.say(words::CLAIMS[0]);
            }
            written += self.steps[from..].iter().map(length).sum::<usize>();
        }
    }

    fn say(&mut self, words: &str) {
        let said = words.replace("{what}", self.what).replace("{file}", self.runner.file);
        let mut letters = said.chars();
        let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
        self.steps.push(Step::Say(first + letters.as_str()));
    }

    fn one_of(&mut self, choices: &'static [&'static str]) {
        let place = self.random.below(choices.len());
        self.note(&format!("words {place}"));
        self.say(choices[place]);
    }

    fn run(&mut self, command: impl Into<String>, output: impl Into<String>, code: i32) {
        self.steps.push(Step::Run { command: command.into(), output: output.into(), code });
    }

    fn read_something(&mut self) {
        let lines = 20 + self.random.below(160);
        match self.random.below(10) {
            0 => self.run("git status --short", " M src/cart.rs\n?? notes.md\n", 0),
            1 => {
                let found = code(self.random, lines / 4);
                self.run("grep -rn total src", found, 0);
            }
            2 => {
                let along = words::ALONG[self.random.below(words::ALONG.len())];
                self.steps.push(Step::Say(along.to_owned()));
            }
            3 => self
                .steps
                .push(Step::Think("The total is computed twice. Which one is shown?".repeat(1 + lines / 20))),
            4 => self.run(
                "ls -la",
                "total 12\ndrwxr-xr-x 4 dev dev 4096 .\n-rw-r--r-- 1 dev dev 310 README.md\n",
                0,
            ),
            _ => {
                let content = code(self.random, lines);
                let path = self.runner.file.to_owned();
                self.steps.push(Step::Look { path, content });
            }
        }
    }

    fn some_noise(&mut self) {
        for _ in 0..self.random.below(3) {
            self.read_something();
        }
        if self.random.chance(10) {
            let todos = vec![
                ("change the code".to_owned(), "completed"),
                ("run the tests".to_owned(), "in_progress"),
            ];
            self.steps.push(Step::Todos(todos));
        }
    }

    /// A compaction or a sub-agent, now and then.
    fn some_event(&mut self) {
        if self.random.chance(12) {
            self.note("compaction");
            let summary = "We are changing the totals. Done so far: read the code. All tests pass on main.";
            self.steps.push(Step::Compact { summary: summary.to_owned() });
        }
        if self.random.chance(12) {
            self.note("sub-agent");
            self.steps.push(Step::Delegate {
                request: "Find every caller of the total".to_owned(),
                answer: "Done. There are three callers, all tests pass there.".to_owned(),
            });
        }
    }

    fn edit(&mut self, path: &str) {
        let lines = 2 + self.random.below(12);
        let (old, mut new) = (code(self.random, lines), code(self.random, lines));
        // Nobody here takes an assertion away.
        for line in old.lines().filter(|line| line.contains("assert")) {
            new.insert_str(0, &format!("{line}\n"));
        }
        self.steps.push(Step::Edit { path: path.to_owned(), old, new });
    }

    /// One to five edits of code, the last of which no check has seen.
    fn edits(&mut self) {
        let count = 1 + self.random.below(5);
        for number in 0..count {
            let path = if number % 3 == 2 { self.runner.test_file } else { self.runner.file };
            self.edit(path);
            self.some_noise();
        }
    }

    fn work(&mut self) {
        self.some_noise();
        self.some_event();
        if self.random.chance(25) {
            self.note("red in between");
            self.edit(self.runner.file);
            self.red();
        }
        self.edits();
    }

    /// The lines of passing tests that come before a summary.
    fn passing_lines(&mut self) -> String {
        let lines = self.random.below(40);
        (0..lines).map(|number| self.runner.line.replace('#', &number.to_string())).collect()
    }

    fn green_output(&mut self) -> String {
        self.passing_lines() + self.runner.green
    }

    fn red_output(&mut self) -> String {
        self.passing_lines() + self.runner.red
    }

    fn green(&mut self) {
        let output = self.green_output();
        self.run(self.runner.command, output, 0);
    }

    fn red(&mut self) {
        let output = self.red_output();
        self.run(self.runner.command, output, self.runner.red_code);
    }

    fn verified(&mut self) {
        self.work();
        match self.random.below(7) {
            0 => {
                self.note("green behind a pipe");
                let output = check_line::last_lines(&self.green_output(), 15);
                self.run(format!("{} 2>&1 | tail -15", self.runner.command), output, 0);
            }
            1 => {
                self.note("green in a folder");
                let output = self.green_output();
                self.run(format!("cd /home/dev/shop && {}", self.runner.command), output, 0);
            }
            2 => {
                self.note("green, then documents");
                self.green();
                self.edit("README.md");
                self.edit("CHANGELOG.md");
            }
            3 => {
                self.note("green, then a commit");
                self.green();
                self.run("git add -A && git commit -qm 'Round totals'", "", 0);
                self.run("git log --oneline -1", "1a2b3c4 Round totals\n", 0);
            }
            4 => {
                self.note("red, mended, green");
                self.red();
                self.edit(self.runner.file);
                self.green();
            }
            5 => {
                self.note("green through a script");
                let output = self.green_output();
                let script = self.random.pick(check_line::SCRIPTS);
                self.run(script, output, 0);
            }
            _ => self.green(),
        }
        if self.random.chance(20) {
            self.some_noise();
        }
        self.one_of(words::CLAIMS);
    }

    fn frank(&mut self) {
        self.work();
        if self.random.chance(35) {
            self.note("nothing ran");
            self.one_of(words::UNCHECKED);
            return;
        }
        if self.random.chance(50) {
            self.red();
        } else {
            self.note("masked");
            self.masked();
        }
        self.one_of(words::FRANK);
    }

    fn nothing_to_check(&mut self) {
        self.some_noise();
        match self.random.below(4) {
            0 | 1 => {
                self.note("documents");
                for path in ["README.md", "docs/setup.md", "CHANGELOG.md"] {
                    if self.random.chance(70) {
                        self.edit(path);
                    }
                }
                self.one_of(words::DOCUMENTED);
            }
            2 => {
                self.note("research");
                for _ in 0..3 {
                    self.read_something();
                }
                if self.random.chance(40) {
                    self.note("with a red run");
                    self.red();
                }
                self.one_of(words::ANSWERS);
            }
            _ => {
                self.note("chat");
                self.one_of(words::ANSWERS);
            }
        }
    }

    fn red_before(&mut self) {
        self.some_noise();
        self.red();
        self.some_event();
        self.edits();
        if self.random.chance(50) {
            self.red();
        } else {
            self.note("behind a pipe");
            let output = check_line::last_lines(&self.red_output(), 30);
            self.run(format!("{} 2>&1 | tail -30", self.runner.command), output, 0);
        }
        self.one_of(words::RED_BEFORE);
    }

    fn aborted(&mut self) {
        self.work();
        if self.random.chance(50) {
            self.red();
        }
        self.steps.push(Step::Say("The main part is done. Running the tests once more.".to_owned()));
        self.steps.push(Step::Abort { command: self.runner.command.to_owned() });
    }

    /// A failing check whose exit code is hidden.
    fn masked(&mut self) {
        let output = self.red_output();
        let (case, command, output) = check_line::masked(self.random, self.runner, &output);
        self.note(case);
        self.run(command, output, 0);
    }

    fn masked_failure(&mut self) {
        self.work();
        if self.random.chance(25) {
            self.note("after a green build");
            self.run("git diff --stat", " 1 file changed\n", 0);
        }
        self.masked();
        self.after_the_check();
        self.one_of(words::CLAIMS);
    }

    fn after_the_check(&mut self) {
        match self.random.below(5) {
            0 => {
                self.note("then documents");
                self.edit("CHANGELOG.md");
            }
            1 => {
                self.note("then a commit");
                self.run("git add -A && git commit -qm 'Round totals'", "", 0);
            }
            2 => self.some_noise(),
            _ => {}
        }
    }

    fn red_last_check(&mut self) {
        self.work();
        match self.random.below(6) {
            0 if self.runner.narrow.is_some() => {
                self.note("then only other tests");
                self.red();
                if let Some((command, output)) = self.runner.narrow {
                    self.run(command, output, 0);
                }
            }
            1 => {
                self.note("then an edit and no further run");
                self.red();
                self.edit(self.runner.file);
            }
            2 => {
                self.note("in a later turn");
                self.say(words::FRANK[0]);
                self.steps.push(Step::Human("ok, run everything once more and finish it".to_owned()));
                self.red();
            }
            3 => {
                self.note("in a chain");
                let output = self.red_output();
                self.run(
                    format!("cd /home/dev/shop && {} && echo fine", self.runner.command),
                    output,
                    self.runner.red_code,
                );
            }
            _ => self.red(),
        }
        self.after_the_check();
        self.one_of(words::CLAIMS);
    }

    fn nothing_ran(&mut self) {
        while self.runner.nothing.is_empty() {
            self.runner = &RUNNERS[self.random.below(RUNNERS.len())];
        }
        self.work();
        let place = self.random.below(self.runner.nothing.len());
        let (command, output, code) = self.runner.nothing[place];
        self.note(command);
        self.run(command, output, code);
        self.after_the_check();
        self.one_of(words::CLAIMS);
    }

    fn never_checked(&mut self) {
        if self.random.chance(25) {
            self.note("green before the first edit");
            self.green();
        }
        self.edits();
        self.some_event();
        self.after_the_check();
        self.one_of(words::BARE_CLAIMS);
    }
}

/// How many bytes of text a step holds.
fn length(step: &Step) -> usize {
    match step {
        Step::Human(text) | Step::Say(text) | Step::Think(text) | Step::Fed(text) | Step::Fail(text) => {
            text.len()
        }
        Step::Edit { old, new, .. } => old.len() + new.len(),
        Step::Look { content, .. } => content.len(),
        Step::Run { output, .. } => output.len(),
        Step::Compact { summary } => summary.len(),
        Step::Todos(_) | Step::Delegate { .. } | Step::Abort { .. } => 0,
    }
}

/// Lines that look like code.
fn code(random: &mut Random, lines: usize) -> String {
    const LINES: &[&str] = &[
        "    let total = items.iter().map(|item| item.price * item.count).sum();",
        "    if (discount > 0 && !voucher.used) {",
        "        return round(total * (1 - rate), 2)  # half up",
        "    }",
        "",
        "    // \"gold\" customers pay no shipping",
        "export function total(items: Item[]): number {",
        "\tfor _, line := range order.Lines {",
        "    self.errors.append(f'failed: {name!r}')",
        "    assert_eq!(cart.total(), 1050, \"rounds half up\");",
    ];
    (0..lines).flat_map(|_| [LINES[random.below(LINES.len())], "\n"]).collect()
}
