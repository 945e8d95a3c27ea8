//! What a tool call does, whatever the tool is called: by the words of its name and by the shape of what it is given.
//!
//! Trajectories come from many agents, and anybody's server may offer a shell or an editor. What is not recognised is
//! `Other`: a wrong guess would make evidence out of nothing.

mod batch;
mod calls;
pub(crate) mod given;
mod name;

use hansei_core::session::Action;
use serde_json::Value;

pub(crate) use calls::Calls;
use given::Given;
use name::{Class, Name};

use crate::patch::patched;

/// What a call of `tool` does.
pub(crate) fn action(tool: &str, input: &Value) -> Action {
    use Class::{Edit, Elsewhere, Fill, HandIn, Handed, Look, Todo};
    let mut name = Name::read(tool);
    let given = Given(input);
    if let Some(run) = run(&name, &given) {
        return run;
    }
    if let Some(verb) = given.verb().filter(|verb| Name::read(verb).has(&[Edit, Look, Class::Run])) {
        name = name.doing(verb);
        if let Some(run) = run(&name, &given).filter(|_| name.has(&[Class::Run])) {
            return run;
        }
    }
    if name.word(&["plan"]) && name.word(&["exit", "present", "propose", "submit"]) {
        return Action::Plan;
    }
    if name.has(&[Todo])
        && let Some(todos) = given.todos()
    {
        return Action::SetTodos { todos };
    }
    let handed = !name.served || name.has(&[Handed]);
    if name.has(&[HandIn]) && name.only(&[HandIn, Handed]) && handed && given.only_words() {
        return Action::HandIn;
    }
    if let Some(question) = asked(&name, &given) {
        return Action::Ask { question };
    }
    if name.has(&[Class::Delegate])
        && !name.has(&[Class::Manages])
        && let Some(request) = given.request()
    {
        return Action::Delegate { request: request.to_owned() };
    }
    if name.says(Elsewhere) {
        return Action::Other;
    }
    let paths = given.paths();
    let bare = || name.only(&[Edit, Fill]) && (given.is_change() || given.has_content());
    let edits = if name.tells(&[Edit]) {
        // A tool that replaces may be named for its search too.
        let writes = !name.has(&[Look]) || given.is_change() || given.has_content();
        let folder = name.word(&["directory", "dir", "folder"]) && !given.has_content();
        let patches = || name.word(&["patch"]);
        writes && !folder && (!paths.is_empty() || given.is_change() || bare() || patches())
    } else {
        !paths.is_empty()
            && !name.has(&[Look])
            && (given.is_change()
                || given.has_content() && name.only(&[Fill])
                || given.has_long_text()
                    && !name.has(&[Class::Run, Class::Checks, Class::Ask, Class::Delegate]))
    };
    if edits {
        return Action::Edit { paths };
    }
    if name.tells(&[Look]) && !name.tells(&[Edit]) { Action::Look } else { Action::Other }
}

/// A command line, given to what runs such lines. A program of another kind has commands too.
fn run(name: &Name, given: &Given<'_>) -> Option<Action> {
    if let Some(command) = versions(name, given) {
        return Some(Action::Run { command, background: false });
    }
    // What looks after a process is given its name, and no line.
    let shell = (name.tells(&[Class::Shell]) || name.has(&[Class::Run]) && name.says(Class::Shell))
        && !name.has(&[Class::Look, Class::Edit]);
    if name.says(Class::Elsewhere) || !name.tells(&[Class::Shell, Class::Run]) {
        return None;
    }
    let command = given.command(shell)?;
    // A patch given to the shell is an edit.
    if command.contains("*** Begin Patch") && command.contains("apply_patch") {
        return Some(Action::Edit { paths: patched(&command) });
    }
    Some(Action::Run { command, background: given.background() })
}

/// What a tool for version control does, as the command line that does the same: the operation stands in its name or is given.
fn versions(name: &Name, given: &Given<'_>) -> Option<String> {
    const DOES: &[&str] =
        &["commit", "push", "add", "checkout", "reset", "merge", "rebase", "tag", "stash", "pull"];
    let named = || DOES.iter().find(|does| name.word(&[does])).copied();
    let does = given.verb().filter(|verb| DOES.contains(verb)).or_else(named)?;
    let words = given.words_given();
    name.is_of(&["git", "vcs"]).then(|| given::joined(&[&["git", does], words.as_slice()].concat()))
}

/// What the human is asked. A tool that answers questions itself is asked too, but about something.
fn asked(name: &Name, given: &Given<'_>) -> Option<String> {
    let human = name.has(&[Class::Human]);
    if !name.has(&[Class::Ask]) || name.served && !human {
        return None;
    }
    let question = given.question().filter(|_| human || given.only_asks());
    question.or_else(|| Some(given.words().filter(|_| human)?.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hansei_core::session::{Todo, TodoStatus};
    use serde_json::json;

    fn run(command: &str) -> Action {
        Action::Run { command: command.into(), background: false }
    }

    fn edit(paths: &[&str]) -> Action {
        Action::Edit { paths: paths.iter().map(|path| (*path).into()).collect() }
    }

    #[test]
    fn what_runs_a_command_line() {
        for (tool, input, line) in [
            ("Bash", json!({ "command": "ls" }), "ls"),
            ("terminal.execute", json!({ "commandLine": "ls" }), "ls"),
            ("mcp__shell__run", json!({ "script": "ls" }), "ls"),
            ("Run-Command", json!({ "cmd": "ls" }), "ls"),
            ("workspace/exec", json!({ "argv": ["cargo", "test", "a b"] }), "cargo test 'a b'"),
            ("executePwsh", json!({ "command": "dir" }), "dir"),
            ("RunInTerminal", json!({ "command": "ls", "explanation": "x" }), "ls"),
            ("execute_bash", json!({ "command": "ls" }), "ls"),
            ("bash_command", json!({ "keystrokes": "ls\n" }), "ls\n"),
            ("container.exec", json!({ "cmd": ["bash", "-lc", "a; b"] }), "a; b"),
            ("shell", json!({ "command": ["powershell.exe", "-NoProfile", "-Command", "a; b"] }), "a; b"),
            ("start_process", json!({ "command": "cargo", "args": ["test"] }), "cargo test"),
            ("terminal", json!({ "input": "ls" }), "ls"),
            ("run_commands", json!({ "commands": ["a", { "command": "b" }] }), "a\nb"),
            ("execute_command", json!({ "command": "pwd", "path": "/w" }), "pwd"),
            ("background_process", json!({ "action": "start", "command": "ls" }), "ls"),
            ("shell", json!("ls"), "ls"),
            ("konsole", json!({ "befehl": "ls" }), "ls"),
            ("shell.run", json!({ "line": "ls" }), "ls"),
            ("ejecutar_comando", json!({ "orden": "ls -a", "carpeta": "/app" }), "ls -a"),
            ("コマンド実行", json!({ "行": "ls -a" }), "ls -a"),
            ("oshell", json!({ "words": ["dune", "build"] }), "dune build"),
            ("tool_runner", json!({ "bin": "tf", "params": ["plan"], "chdir": "/iac" }), "tf plan"),
            ("proc.start", json!({ "exe": "deno", "argv": ["task", "x"], "wait": true }), "deno task x"),
            ("posix_run", json!({ "sh": "a && b" }), "a && b"),
            ("tty_send", json!({ "keys": "ls\n" }), "ls\n"),
            ("taskbox", json!({ "do": "exec", "cmdline": "ls" }), "ls"),
            ("lancer", json!({ "commande": "ls" }), "ls"),
            ("execute", json!({ "target": "shell", "input": "ls" }), "ls"),
            ("vcs.run", json!({ "op": "push", "argv": ["origin", "a"] }), "git push origin a"),
            ("mcp__git__git_commit", json!({ "repo_path": "/r", "message": "x" }), "git commit"),
        ] {
            assert_eq!(action(tool, &input), run(line), "{tool} {input}");
        }
        let left = Action::Run { command: "ls".into(), background: true };
        assert_eq!(action("Bash", &json!({ "command": "ls", "run_in_background": true })), left);
        for (tool, input) in [
            ("Bash", json!({ "restart": true })),
            ("execute_sql", json!({ "command": "select 1" })),
            ("mcp__redis__execute", json!({ "command": "FLUSHALL" })),
            ("browser.execute", json!({ "script": "window.close()" })),
            ("run_python", json!({ "script": "print(1)" })),
            ("run_workflow", json!({ "command": "deploy" })),
            ("execute", json!({ "target": "staging", "input": "ls" })),
            ("editor", json!({ "command": "ls -la" })),
            ("SlashCommand", json!({ "command": "/review" })),
            ("ide.runConfiguration", json!({ "name": "All Tests" })),
            ("notebook.run_cell", json!({ "nb": "a.ipynb", "index": 2 })),
            ("search_replace", json!({ "path": "a", "query": "x" })),
            ("mcp__Claude_Browser__javascript_tool", json!({ "action": "exec", "text": "1" })),
        ] {
            assert_eq!(action(tool, &input), Action::Other, "{tool} {input}");
        }
    }

    #[test]
    fn what_edits_files() {
        let patch = "*** Begin Patch\n*** Update File: a\n*** End Patch";
        let diff = "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+y\n";
        for (tool, input, paths) in [
            ("fs.write", json!({ "path": "a", "content": "" }), &["a"][..]),
            ("strReplace", json!({ "path": "a", "oldStr": "x", "newStr": "y" }), &["a"]),
            ("multi_edit", json!({ "edits": [{ "filePath": "a", "old": "x", "new": "y" }] }), &["a"]),
            ("mcp__acp__Write", json!({ "file_path": "a" }), &["a"]),
            ("NotebookEdit", json!({ "notebook_path": "a.ipynb", "new_source": "x" }), &["a.ipynb"]),
            ("str_replace_editor", json!({ "command": "create", "path": "a" }), &["a"]),
            ("fs", json!({ "action": "write", "path": "a", "content": "x" }), &["a"]),
            ("file", json!({ "path": "a", "content": "x" }), &["a"]),
            ("search_and_replace", json!({ "path": "a", "search": "x", "replace": "y" }), &["a"]),
            ("rename_file", json!({ "source": "a", "destination": "b" }), &["a", "b"]),
            ("delete_file", json!({ "target_file": "a" }), &["a"]),
            ("create", json!({ "path": "a", "content": "x" }), &["a"]),
            ("apply_patch", json!(patch), &["a"]),
            ("apply_patch", json!({ "patchText": patch }), &["a"]),
            ("applyDiff", json!({ "diff": diff }), &["a"]),
            (
                "shell",
                json!({ "command": ["bash", "-lc", format!("apply_patch <<'E'\n{patch}\nE")] }),
                &["a"],
            ),
            ("edit", json!({ "start": 1, "new_string": "x" }), &[]),
            ("multi_edit", json!({ "target": "a.go", "edits": [{ "old": "x", "new": "y" }] }), &["a.go"]),
            ("file_sub", json!({ "target": "a\\b.cpp", "old": "x", "new": "y" }), &["a\\b.cpp"]),
            ("datei_schreiben", json!({ "target": "n/mail.py", "body": "x" }), &["n/mail.py"]),
            ("ecrire", json!({ "cible": "a.ts", "contenu": "x" }), &["a.ts"]),
            ("file.rewrite", json!({ "path": "a", "was": "x", "is": "y" }), &["a"]),
            ("text_ersetzen", json!({ "pfad": "a.yml", "alt": "x", "neu": "y" }), &["a.yml"]),
            ("oedit", json!({ "path": "a.ml", "s": [["x", "y"]] }), &["a.ml"]),
            ("fs.sub", json!({ "p": "a.ts", "from": "x", "to": "y" }), &["a.ts"]),
            ("change_source", json!({ "file": "a", "hunks": [{ "minus": "x", "plus": "y" }] }), &["a"]),
            ("ファイルを編集", json!({ "パス": "a.rb", "置換": [{ "旧": "x", "新": "y" }] }), &["a.rb"]),
            ("box", json!({ "do": "replace", "file": "a", "a": "x", "b": "y" }), &["a"]),
            ("hcl_edit", json!({ "file": "a.tf", "append": "x" }), &["a.tf"]),
            ("sandbox/edit", json!({ "file": "a.go", "unified": "@@ -1 +1 @@\n-x\n+y\n" }), &["a.go"]),
            ("file.make", json!({ "path": "a.h", "text": "x\ny\n" }), &["a.h"]),
        ] {
            assert_eq!(action(tool, &input), edit(paths), "{tool} {input}");
        }
        for (tool, input) in [
            ("mcp__linear-server__update_document", json!({ "id": "1", "content": "x" })),
            ("mcp__github__create_or_update_file", json!({ "owner": "o", "path": "a", "content": "x" })),
            ("memory", json!({ "command": "create", "path": "/memories/a", "file_text": "x" })),
            ("create_issue", json!({ "title": "a", "body": "x" })),
            ("create_directory", json!({ "path": "a" })),
            ("write_stdin", json!({ "session_id": 1, "chars": "y" })),
            ("Artifact", json!({ "file_path": "a", "description": "x" })),
            ("upload", json!({ "path": "a", "content": "x" })),
            ("LSP", json!({ "filePath": "a", "operation": "hover", "line": 1 })),
        ] {
            assert_eq!(action(tool, &input), Action::Other, "{tool} {input}");
        }
    }

    #[test]
    fn what_looks() {
        for (tool, input) in [
            ("Read", json!({ "file_path": "a" })),
            ("fs.read", json!({ "path": "a" })),
            ("codebase_search", json!({ "query": "a" })),
            ("listFiles", json!({ "path": "." })),
            ("str_replace_editor", json!({ "command": "view", "path": "a" })),
            ("search", json!({ "command": "search_dir x" })),
            ("open", json!({ "command": "open", "path": "a" })),
            ("WebFetch", json!({ "prompt": "a", "url": "b" })),
            ("BashOutput", json!({ "bash_id": "1" })),
            ("read_background_output", json!({ "pid": 1 })),
            ("tty_wait", json!({ "until": "rc=", "max_s": 60 })),
            ("ファイルを読む", json!({ "パス": "a.rb" })),
            ("search_files", json!({ "path": "a", "from": "x", "to": "y" })),
        ] {
            assert_eq!(action(tool, &input), Action::Look, "{tool} {input}");
        }
        for (tool, input) in [
            ("mcp__github__get_issue", json!({})),
            ("mcp__linear-server__list_issues", json!({ "query": "a" })),
            ("TaskUpdate", json!({ "taskId": "1", "status": "completed" })),
            ("Skill", json!({ "skill": "a" })),
        ] {
            assert_eq!(action(tool, &input), Action::Other, "{tool} {input}");
        }
    }

    #[test]
    fn what_lists_asks_delegates_and_hands_in() {
        let todo = |text: &str, status| Action::SetTodos { todos: vec![Todo { text: text.into(), status }] };
        let ask = |question: &str| Action::Ask { question: question.into() };
        let delegate = Action::Delegate { request: "go".into() };
        for (tool, input, does) in [
            (
                "update_plan",
                json!({ "plan": [{ "step": "a", "status": "in_progress" }] }),
                todo("a", TodoStatus::Doing),
            ),
            (
                "TodoWrite",
                json!({ "todos": [{ "content": "a", "status": "completed" }] }),
                todo("a", TodoStatus::Done),
            ),
            ("update_todo_list", json!({ "todos": "[x] a" }), todo("a", TodoStatus::Done)),
            ("TaskCreate", json!({ "subject": "a", "description": "b" }), Action::Other),
            ("question", json!({ "questions": [{ "question": "a?" }] }), ask("a?")),
            ("ask_followup_question", json!({ "question": "a?", "follow_up": [] }), ask("a?")),
            ("message_ask_user", json!({ "text": "a?" }), ask("a?")),
            ("ask_question", json!({ "question": "a?", "repoName": "b" }), Action::Other),
            ("mcp__wiki__ask_question", json!({ "question": "a?" }), Action::Other),
            ("Task", json!({ "prompt": "go", "description": "x" }), delegate.clone()),
            ("delegate_to_agent", json!({ "objective": "go" }), delegate.clone()),
            ("new_task", json!({ "mode": "code", "message": "go" }), delegate.clone()),
            ("delegate", json!({ "agent": "coder", "input": "go" }), delegate.clone()),
            ("dispatchAgent", json!({ "task": "go" }), delegate),
            ("TaskOutput", json!({ "task_id": "1", "prompt": "x" }), Action::Look),
            ("SendMessage", json!({ "to": "a", "message": "go" }), Action::Other),
            ("ExitPlanMode", json!({ "plan": "a" }), Action::Plan),
            ("plan_exit", json!({}), Action::Plan),
            ("submit", json!({}), Action::HandIn),
            ("attempt_completion", json!({ "result": "a" }), Action::HandIn),
            ("finish", json!({ "message": "a", "task_completed": "true" }), Action::HandIn),
            ("TaskComplete", json!({ "summary": "a" }), Action::HandIn),
            ("mcp__harness__final_answer", json!({ "answer": "a" }), Action::HandIn),
            ("mcp__form__submit", json!({}), Action::Other),
            ("complete_task", json!({ "task_id": "3" }), Action::Other),
            ("submit_review", json!({ "body": "a" }), Action::Other),
            ("complete", json!({ "prompt": "a" }), Action::Other),
            ("exit_worktree", json!({}), Action::Other),
        ] {
            assert_eq!(action(tool, &input), does, "{tool} {input}");
        }
    }
}
