//! Inputs of tools: the name of one, and on the lines after it any JSON. Nothing leaves the workspace.

use hansei_core::verification::Report;
use hansei_engine::tool::{self, Code, ToolError, Workplace};
use hansei_workspace::sandbox::Request;

use crate::{Target, corpus, scratch};

pub(crate) const TARGET: Target = Target { name: "tool_input", run: check, samples: corpus::none };

fn no_checks() -> Result<Report, ToolError> {
    Err(ToolError::new(Code::NoSandbox, "no check is run here"))
}

const SECRET: &str = "what nobody inside may see";

fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (name, input) = text.split_once('\n').unwrap_or((&text, "{}"));
    // Commands are the sandbox's business.
    let Some(input) = serde_json::from_str(input)
        .ok()
        .filter(|_| matches!(name, "str_replace_editor" | "read_file" | "list_files" | "search"))
    else {
        return;
    };
    let folder = scratch::folder("tool_input");
    let root = folder.join("workspace");
    let _ = std::fs::remove_dir_all(&root);
    scratch::write(&folder.join("outside/secret"), SECRET.as_bytes());
    scratch::write(&root.join("sub/a"), b"one\r\ntwo\r\n");
    #[cfg(unix)]
    for (target, name) in [("../outside", "out"), ("sub/a", "in"), ("../outside/new", "new"), (".git", "git")]
    {
        std::os::unix::fs::symlink(target, root.join(name)).expect("a link can be made");
    }
    let workplace =
        Workplace::open(Request::new(root, Vec::new()), Box::new(no_checks)).expect("it can be opened");
    let told = tool::told(&tool::call(name, &input, &workplace)).to_string();
    assert!(!told.contains(SECRET), "{told}");
    let outside: Vec<_> = std::fs::read_dir(folder.join("outside")).expect("it is there").flatten().collect();
    assert_eq!(outside.len(), 1, "{outside:?}");
    let secret = std::fs::read_to_string(folder.join("outside/secret")).expect("it is there");
    assert_eq!(secret, SECRET);
}
