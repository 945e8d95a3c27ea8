//! An agent's tools through `hansei tool`: what each does, and how each says no.

use serde_json::{Value, json};

use crate::support::{Ran, World};

const EDITOR: &str = "str_replace_editor";

/// A folder, and tools that work in it.
struct Bench(World);

impl Bench {
    fn new() -> Self {
        Self(World::without_repository())
    }

    fn with(name: &str, content: impl AsRef<[u8]>) -> Self {
        let bench = Self::new();
        bench.0.write(name, content);
        bench
    }

    /// Calls a tool and gives what it printed, after checking its form and that the exit code agrees.
    fn call(&self, tool: &str, input: &Value) -> Value {
        let ran = self.run(tool, &input.to_string());
        let answer = ran.json();
        assert_eq!(ran.stdout.lines().count(), 1, "{}", ran.stdout);
        assert_eq!(ran.code, i32::from(answer["ok"] != true), "{answer} {}", ran.stderr);
        answer
    }

    fn run(&self, tool: &str, input: &str) -> Ran {
        let mut command = self.0.hansei();
        command.args(["tool", tool, "--input", "-", "--workspace"]).arg(&self.0.repo);
        Ran::of(&mut command, input.as_bytes())
    }

    fn ok(&self, tool: &str, input: &Value) -> String {
        let answer = self.call(tool, input);
        assert_eq!(answer["ok"], true, "{input}: {answer}");
        answer["output"].as_str().unwrap().to_owned()
    }

    /// The code and the message of an error.
    fn error(&self, tool: &str, input: &Value) -> (String, String) {
        let answer = self.call(tool, input);
        assert_eq!(answer["ok"], false, "{input}: {answer}");
        let text = |field: &str| answer["error"][field].as_str().unwrap().to_owned();
        (text("code"), text("message"))
    }

    fn code(&self, tool: &str, input: &Value) -> String {
        self.error(tool, input).0
    }

    fn content(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.0.path(name)).unwrap()
    }
}

fn view(path: &str) -> Value {
    json!({ "command": "view", "path": path })
}

fn create(path: &str, text: &str) -> Value {
    json!({ "command": "create", "path": path, "file_text": text })
}

fn replace(path: &str, old: &str, new: &str) -> Value {
    json!({ "command": "str_replace", "path": path, "old_str": old, "new_str": new })
}

fn insert(path: &str, line: i64, new: &str) -> Value {
    json!({ "command": "insert_at_line", "path": path, "insert_line": line, "new_str": new })
}

#[test]
fn create_writes_a_new_file() {
    let bench = Bench::new();
    bench.ok(EDITOR, &create("src/deep/new.txt", "one\ntwo\n"));
    assert_eq!(bench.content("src/deep/new.txt"), b"one\ntwo\n");
    // Never over one that is there.
    let (code, message) = bench.error(EDITOR, &create("src/deep/new.txt", "other"));
    assert_eq!(code, "already_exists");
    assert!(message.contains("str_replace"), "{message}");
    assert_eq!(bench.content("src/deep/new.txt"), b"one\ntwo\n");
    assert_eq!(bench.code(EDITOR, &create("src", "other")), "already_exists");
    assert_eq!(bench.code(EDITOR, &create("new/", "other")), "is_a_folder");
    assert_eq!(bench.code(EDITOR, &create("src/deep/new.txt/below", "other")), "not_a_folder");
    let left: Vec<_> = std::fs::read_dir(bench.0.path("src/deep")).unwrap().collect();
    assert_eq!(left.len(), 1, "no temporary file is left: {left:?}");
}

#[test]
fn an_empty_file_can_be_created_and_viewed() {
    let bench = Bench::new();
    bench.ok(EDITOR, &create("empty", ""));
    assert_eq!(bench.content("empty"), b"");
    assert!(bench.ok(EDITOR, &view("empty")).contains("empty"));
    assert_eq!(bench.ok("read_file", &json!({ "path": "empty" })), "");
}

#[test]
fn view_returns_content_with_line_numbers() {
    let bench = Bench::with("a.txt", "one\ntwo\nthree\n");
    assert_eq!(bench.ok(EDITOR, &view("a.txt")), "     1\tone\n     2\ttwo\n     3\tthree\n");
    assert_eq!(bench.ok(EDITOR, &view("./a.txt")), bench.ok(EDITOR, &view("a.txt")));
    assert_eq!(bench.code(EDITOR, &view("b.txt")), "not_found");
    assert_eq!(bench.code(EDITOR, &view("a.txt/")), "not_a_folder");
    assert!(bench.ok(EDITOR, &view(".")).contains("a.txt"));
}

#[test]
fn view_with_a_line_range() {
    let bench = Bench::with("a.txt", "one\ntwo\nthree\n");
    let ranged = |range: Value| json!({ "command": "view", "path": "a.txt", "view_range": range });
    assert_eq!(bench.ok(EDITOR, &ranged(json!([2, 2]))), "     2\ttwo\n");
    assert_eq!(bench.ok(EDITOR, &ranged(json!([2, -1]))), "     2\ttwo\n     3\tthree\n");
    let bad = [
        (json!([0, 1]), "bad_input"),
        (json!([-1, 1]), "bad_input"),
        (json!([3, 2]), "bad_input"),
        (json!([1, -2]), "bad_input"),
        (json!([1]), "bad_input"),
        (json!([1, 2, 3]), "bad_input"),
        (json!(["1", 2]), "bad_input"),
        (json!([1.5, 2]), "bad_input"),
        (json!([4, -1]), "beyond_end"),
        (json!([1, 4]), "beyond_end"),
        (json!([i64::MAX, -1]), "beyond_end"),
        (json!([1, i64::MAX]), "beyond_end"),
    ];
    for (range, code) in bad {
        assert_eq!(bench.code(EDITOR, &ranged(range.clone())), code, "{range}");
    }
}

#[test]
fn str_replace_replaces_an_exact_anchor() {
    let bench = Bench::with("a.txt", "one\ntwo\nthree\n");
    let shown = bench.ok(EDITOR, &replace("a.txt", "two\n", "2\n2b\n"));
    assert!(shown.contains("     2\t2\n     3\t2b\n"), "{shown}");
    assert_eq!(bench.content("a.txt"), b"one\n2\n2b\nthree\n");
    bench.ok(EDITOR, &replace("a.txt", "2b\n", ""));
    assert_eq!(bench.content("a.txt"), b"one\n2\nthree\n");
}

#[test]
fn str_replace_with_multiple_matches_is_refused() {
    let bench = Bench::with("a.txt", "one\ntwo\none\n");
    let (code, message) = bench.error(EDITOR, &replace("a.txt", "one", "1"));
    assert_eq!(code, "not_unique");
    assert!(message.contains("2 times") && message.contains("lines 1, 3"), "{message}");
    assert_eq!(bench.content("a.txt"), b"one\ntwo\none\n");
}

#[test]
fn str_replace_without_a_match_says_what_comes_nearest() {
    let bench = Bench::with("a.py", "def f():\n    return total\n");
    let (code, message) = bench.error(EDITOR, &replace("a.py", "\treturn total", "x"));
    assert_eq!(code, "no_match");
    assert!(message.contains("line 2") && message.contains("spaces or tabs"), "{message}");
    let (code, message) = bench.error(EDITOR, &replace("a.py", "    return totals[0]", "x"));
    assert_eq!(code, "no_match");
    assert!(message.contains("line 2") && message.contains("return total\""), "{message}");
    assert_eq!(bench.code(EDITOR, &replace("a.py", "", "x")), "bad_input");
    assert_eq!(bench.code(EDITOR, &replace("a.py", "def", "def")), "no_change");
    assert_eq!(bench.content("a.py"), b"def f():\n    return total\n");
}

#[test]
fn insert_at_line_inserts_after_the_line() {
    let bench = Bench::with("a.txt", "one\ntwo\n");
    bench.ok(EDITOR, &insert("a.txt", 1, "1b"));
    assert_eq!(bench.content("a.txt"), b"one\n1b\ntwo\n");
    let short = json!({ "command": "insert", "path": "a.txt", "insert_line": 3, "new_str": "end\n" });
    bench.ok(EDITOR, &short);
    assert_eq!(bench.content("a.txt"), b"one\n1b\ntwo\nend\n");
}

#[test]
fn insert_at_line_0_is_before_the_first() {
    let bench = Bench::with("a.txt", "one\n");
    bench.ok(EDITOR, &insert("a.txt", 0, "zero\n"));
    assert_eq!(bench.content("a.txt"), b"zero\none\n");
}

#[test]
fn insert_at_line_beyond_the_end_is_refused() {
    let bench = Bench::with("a.txt", "one\n");
    let (code, message) = bench.error(EDITOR, &insert("a.txt", 2, "x"));
    assert_eq!(code, "beyond_end");
    assert!(message.contains("has 1 line"), "{message}");
    assert_eq!(bench.code(EDITOR, &insert("a.txt", -1, "x")), "bad_input");
    assert_eq!(bench.content("a.txt"), b"one\n");
}

#[test]
fn path_traversal_is_rejected_even_where_it_stays_inside() {
    let bench = Bench::with("sub/a.txt", "one\n");
    for path in ["../../etc/passwd", "..", "sub/../sub/a.txt", "sub/..", "..\\..\\etc\\passwd", "sub\\..\\a"]
    {
        for input in [view(path), create(path, "x"), replace(path, "one", "x"), insert(path, 0, "x")] {
            assert_eq!(bench.code(EDITOR, &input), "parent_in_path", "{input}");
        }
        for tool in ["read_file", "list_files"] {
            assert_eq!(bench.code(tool, &json!({ "path": path })), "parent_in_path", "{tool} {path}");
        }
        assert_eq!(bench.code("search", &json!({ "pattern": "x", "path": path })), "parent_in_path");
    }
}

#[test]
fn an_absolute_path_is_rejected_even_inside() {
    let bench = Bench::with("a.txt", "one\n");
    let inside = bench.0.path("a.txt");
    for path in ["/etc/passwd", inside.to_str().unwrap(), "C:\\Windows\\x", "\\\\server\\x", "~/.bashrc"] {
        assert_eq!(bench.code(EDITOR, &view(path)), "absolute_path", "{path}");
        assert_eq!(bench.code(EDITOR, &create(path, "x")), "absolute_path", "{path}");
    }
}

#[test]
fn a_symlink_out_is_rejected_and_one_that_stays_inside_is_not() {
    use std::os::unix::fs::symlink;
    let bench = Bench::with("sub/a.txt", "one\n");
    symlink("/etc", bench.0.path("etc")).unwrap();
    assert_eq!(bench.code(EDITOR, &view("etc/passwd")), "outside_workspace");
    symlink("sub/a.txt", bench.0.path("relative")).unwrap();
    symlink(bench.0.path("sub/a.txt"), bench.0.path("absolute")).unwrap();
    symlink("sub", bench.0.path("folder")).unwrap();
    for path in ["relative", "absolute", "folder/a.txt"] {
        assert_eq!(bench.ok(EDITOR, &view(path)), "     1\tone\n", "{path}");
    }
    // An edit goes to the file, and the link stays one.
    bench.ok(EDITOR, &replace("relative", "one", "two"));
    assert_eq!(bench.content("sub/a.txt"), b"two\n");
    assert!(bench.0.path("relative").is_symlink());
    bench.ok(EDITOR, &create("folder/new.txt", ""));
    assert!(bench.0.path("sub/new.txt").exists());
}

#[test]
fn a_file_outside_the_root_is_rejected() {
    let bench = Bench::new();
    std::fs::write(bench.0.outside().join("outside.txt"), "out\n").unwrap();
    // A sibling whose name begins like the root's.
    let evil = bench.0.outside().join("project_evil");
    std::fs::create_dir(&evil).unwrap();
    std::fs::write(evil.join("x"), "out\n").unwrap();
    std::os::unix::fs::symlink(evil.join("x"), bench.0.path("link")).unwrap();
    assert_eq!(bench.code(EDITOR, &view("../outside.txt")), "parent_in_path");
    assert_eq!(bench.code(EDITOR, &view("../project_evil/x")), "parent_in_path");
    assert_eq!(bench.code(EDITOR, &view(evil.join("x").to_str().unwrap())), "absolute_path");
    assert_eq!(bench.code(EDITOR, &view("link")), "outside_workspace");
}

#[test]
fn the_tools_are_listed_with_their_schemas_and_write_file_is_nowhere() {
    let bench = Bench::new();
    let listed = bench.0.run(&["tool", "--list", "--json"]).json();
    let tools = listed.as_array().unwrap();
    let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert!(names.contains(&EDITOR) && names.contains(&"shell"), "{names:?}");
    assert!(!listed.to_string().contains("write_file"));
    for tool in tools {
        assert!(tool["description"].as_str().unwrap().len() > 40);
        let schema = &tool["input_schema"];
        assert!(jsonschema::meta::is_valid(schema), "{schema}");
        let properties = schema["properties"].as_object().unwrap();
        for required in schema["required"].as_array().unwrap() {
            assert!(properties.contains_key(required.as_str().unwrap()));
        }
        let words = bench.0.run(&["tool", "--list"]).stdout;
        assert!(words.contains(tool["name"].as_str().unwrap()));
        assert!(properties.keys().all(|name| words.contains(name.as_str())));
    }
    let (code, message) = bench.error("write_file", &json!({ "path": "a", "content": "b" }));
    assert_eq!(code, "unknown_tool");
    assert!(names.iter().all(|name| message.contains(name)), "{message}");
    assert!(!bench.0.path("a").exists());
}

#[test]
fn wrong_input_is_named() {
    let bench = Bench::with("a.txt", "one\n");
    let cases = [
        (EDITOR, json!({}), "command"),
        (EDITOR, json!({ "command": "view" }), "path"),
        (EDITOR, json!({ "command": "delete", "path": "a.txt" }), "delete"),
        (EDITOR, json!({ "command": "view", "path": 1 }), "path"),
        (EDITOR, json!({ "command": "view", "path": null }), "path"),
        (EDITOR, json!({ "command": "view", "path": "a.txt", "colour": 1 }), "colour"),
        (EDITOR, json!({ "command": "view", "path": "a.txt", "old_str": "x" }), "old_str"),
        (EDITOR, json!({ "command": "create", "path": "b" }), "file_text"),
        (EDITOR, json!({ "command": "create", "path": "b", "file_text": 1 }), "file_text"),
        (EDITOR, json!({ "command": "str_replace", "path": "a.txt", "new_str": "x" }), "old_str"),
        (EDITOR, json!({ "command": "str_replace", "path": "a.txt", "old_str": "x" }), "new_str"),
        (EDITOR, json!({ "command": "insert", "path": "a.txt", "new_str": "x" }), "insert_line"),
        (
            EDITOR,
            json!({ "command": "insert", "path": "a.txt", "insert_line": "1", "new_str": "x" }),
            "insert_line",
        ),
        ("read_file", json!({ "path": "a.txt", "offset": 0 }), "offset"),
        ("read_file", json!({ "path": "a.txt", "limit": 0 }), "limit"),
        ("read_file", json!({ "path": "a.txt", "limit": 1.5 }), "limit"),
        ("read_file", json!([]), "array"),
        ("list_files", json!({ "depth": 0 }), "depth"),
        ("list_files", json!({ "glob": "[" }), "glob"),
        ("search", json!({ "pattern": "(" }), "pattern"),
        ("search", json!({ "pattern": "" }), "pattern"),
        ("search", json!({ "pattern": "a{1000}{1000}{1000}" }), "pattern"),
        ("shell", json!({ "command": "" }), "command"),
        ("shell", json!({ "command": ["ls"] }), "command"),
        ("shell", json!({ "command": "true", "timeout_seconds": 100_000 }), "timeout_seconds"),
        ("shell", json!({ "command": "true", "timeout_seconds": 0 }), "timeout_seconds"),
    ];
    for (tool, input, named) in cases {
        let (code, message) = bench.error(tool, &input);
        assert_eq!(code, "bad_input", "{tool} {input}");
        assert!(message.contains(named), "{tool} {input}: {message}");
    }
    // A null is how some models leave a field out.
    bench.ok(EDITOR, &json!({ "command": "view", "path": "a.txt", "view_range": null, "old_str": null }));
    for path in ["", "a\0b", &"a/".repeat(5000), &"a".repeat(300)] {
        assert_eq!(bench.code(EDITOR, &view(path)), "bad_path", "{:?}", path.get(..9));
    }
}

#[test]
fn input_that_is_no_json_is_wrong_use() {
    let bench = Bench::new();
    for input in ["", "{", "view", "{} {}", &"[".repeat(100_000)] {
        let ran = bench.run(EDITOR, input);
        assert_eq!((ran.code, ran.json()["error"]["code"].as_str()), (2, Some("bad_input")), "{input:.20}");
    }
    assert_eq!(bench.0.run(&["tool"]).code, 2);
    assert_eq!(bench.0.run(&["tool", EDITOR, "--workspace", "nowhere"]).code, 2);
    // The input may stand on the command line, and the folder is the one that we stand in.
    let ran = bench.0.run(&["tool", EDITOR, "--input", &create("here", "").to_string()]);
    assert_eq!((ran.code, ran.json()["ok"].as_bool()), (0, Some(true)));
    assert!(bench.0.path("here").exists());
}

#[test]
fn crlf_and_a_byte_order_mark_are_kept() {
    let bench = Bench::with("a.txt", "\u{feff}one\r\ntwo\r\nthree\r\n");
    bench.ok(EDITOR, &replace("a.txt", "one\ntwo\n", "1\n2\n"));
    assert_eq!(bench.content("a.txt"), "\u{feff}1\r\n2\r\nthree\r\n".as_bytes());
    bench.ok(EDITOR, &insert("a.txt", 0, "zero\nnext"));
    assert_eq!(bench.content("a.txt"), "\u{feff}zero\r\nnext\r\n1\r\n2\r\nthree\r\n".as_bytes());
    let shown = bench.ok(EDITOR, &view("a.txt"));
    assert!(shown.starts_with("     1\tzero\n") && !shown.contains(['\r', '\u{feff}']), "{shown:?}");
    let found = bench.ok("search", &json!({ "pattern": "^zero$" }));
    assert_eq!(found, "a.txt:1: zero\n");
}

#[test]
fn what_is_no_utf_8_text_is_refused_by_name_and_left_alone() {
    let wide: Vec<u8> = "hello\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let cases: [(&[u8], &str, &str); 4] = [
        (b"a\0b", "binary", "binary"),
        (b"one\ncaf\xe9\n", "encoding", "Latin-1"),
        (&wide, "encoding", "UTF-16"),
        (b"\xff\xfeh\0i\0", "encoding", "UTF-16"),
    ];
    for (content, code, said) in cases {
        let bench = Bench::with("f", content);
        let inputs = [
            (EDITOR, view("f")),
            (EDITOR, replace("f", "o", "x")),
            (EDITOR, insert("f", 0, "x")),
            ("read_file", json!({ "path": "f" })),
        ];
        for (tool, input) in inputs {
            let (got, message) = bench.error(tool, &input);
            assert_eq!(got, code, "{content:?} {input}");
            assert!(message.contains(said), "{message}");
        }
        assert_eq!(bench.content("f"), content);
    }
}

#[test]
fn a_huge_file_is_read_in_parts_and_not_edited() {
    let line = "x".repeat(99) + "\n";
    let bench = Bench::with("big.txt", line.repeat(120_000) + "last\n");
    assert_eq!(bench.code(EDITOR, &replace("big.txt", "last", "x")), "too_large");
    assert_eq!(bench.code(EDITOR, &insert("big.txt", 0, "x")), "too_large");
    let end = bench.ok("read_file", &json!({ "path": "big.txt", "offset": 120_001, "limit": 5 }));
    assert_eq!(end, "last\n");
    let shown = bench.ok(EDITOR, &view("big.txt"));
    assert!(shown.ends_with("[lines 1 to 2000 of 120001; see others with view_range]\n"));
    let start = bench.ok("read_file", &json!({ "path": "big.txt", "limit": 1 }));
    assert!(start.ends_with("[lines 1 to 1 of 120001; go on with offset 2]\n"), "{start}");
    let found = bench.ok("search", &json!({ "pattern": "last" }));
    assert!(found.contains("1 files larger than 10 MiB"), "{found}");
    let long = Bench::with("one-line.txt", "y".repeat(3 << 20));
    let shown = long.ok(EDITOR, &view("one-line.txt"));
    assert!(shown.len() < 10_000 && shown.contains("more bytes in this line"));
    let too_much = "z".repeat((10 << 20) + 1);
    assert_eq!(long.code(EDITOR, &create("new.txt", &too_much)), "too_large");
    assert!(!long.0.path("new.txt").exists());
}

#[test]
fn what_lists_and_searches_is_bounded_and_says_what_it_left_out() {
    let bench = Bench(World::new());
    bench.0.write(".gitignore", "target/\n*.log\n!keep.log\n");
    bench.0.write("src/main.rs", "fn main() { needle(); }\n");
    bench.0.write("src/notes.md", "Needle\n");
    bench.0.write("src/.gitignore", "secret.md\n");
    bench.0.write("src/secret.md", "needle\n");
    bench.0.write("target/out.rs", "needle\n");
    bench.0.write("a.log", "needle\n");
    bench.0.write("keep.log", "needle\n");
    bench.0.write("image.bin", b"needle\0\0");
    let listed = bench.ok("list_files", &json!({}));
    let lines: Vec<&str> = listed.lines().collect();
    assert_eq!(
        lines[..lines.len() - 1],
        [
            ".gitignore", "README.md", "image.bin", "keep.log", "src/", "src/.gitignore", "src/main.rs",
            "src/notes.md"
        ]
    );
    assert!(listed.contains("3 ignored by .gitignore") && listed.contains("(.git)"), "{listed}");
    let rust = bench.ok("list_files", &json!({ "glob": "**/*.rs", "include_ignored": true }));
    assert!(rust.starts_with("src/main.rs\ntarget/out.rs\n"), "{rust}");
    assert_eq!(
        bench.ok("list_files", &json!({ "path": "src", "glob": "*.md" })),
        "src/notes.md\n[left out: 1 ignored by .gitignore (include_ignored shows them)]\n"
    );
    assert!(bench.ok("list_files", &json!({ "depth": 1 })).contains("1 folders not gone into"));
    let found = bench.ok("search", &json!({ "pattern": r"needle\(|^n" }));
    assert!(found.starts_with("keep.log:1: needle\nsrc/main.rs:1: fn main() { needle(); }\n["), "{found}");
    assert!(found.contains("1 binary files") && found.contains("3 ignored"), "{found}");
    let literal = json!({ "pattern": "MAIN() {", "literal": true, "ignore_case": true, "glob": "*.rs" });
    assert!(bench.ok("search", &literal).starts_with("src/main.rs:1: "));
    assert!(
        bench
            .ok("search", &json!({ "pattern": "needle", "path": "src/main.rs" }))
            .starts_with("src/main.rs:1")
    );
    assert!(bench.ok("search", &json!({ "pattern": "nowhere" })).starts_with("[no line matches]\n"));
    assert_eq!(bench.code("search", &json!({ "pattern": "x", "path": "gone" })), "not_found");
    for number in 0..1200 {
        bench.0.write(&format!("many/{number}"), "needle\n");
    }
    assert!(bench.ok("list_files", &json!({})).contains("all after the first 1000"));
    assert!(bench.ok("search", &json!({ "pattern": "needle" })).contains("all after the first 200 lines"));
}

#[test]
fn a_read_only_file_is_not_edited_and_rights_are_kept() {
    use std::os::unix::fs::PermissionsExt as _;
    let bench = Bench::with("run.sh", "#!/bin/sh\necho one\n");
    let path = bench.0.path("run.sh");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    bench.ok(EDITOR, &replace("run.sh", "one", "two"));
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o755);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o444)).unwrap();
    assert_eq!(bench.code(EDITOR, &replace("run.sh", "two", "three")), "read_only");
    assert_eq!(bench.content("run.sh"), b"#!/bin/sh\necho two\n");
}

#[test]
fn the_shell_says_how_a_command_ended() {
    let bench = Bench::new();
    let ran = |input: &Value| bench.call("shell", input);
    let answer = ran(&json!({ "command": "echo out; echo err >&2; echo x > made; exit 3" }));
    assert_eq!(answer["ok"], true);
    assert_eq!(answer["output"], json!({ "exit_code": 3, "text": "out\nerr\n", "left_out_bytes": 0 }));
    assert_eq!(bench.content("made"), b"x\n");
    assert_eq!(
        ran(&json!({ "command": "[[ 1 == 1 ]] && pwd" }))["output"]["text"],
        format!("{}\n", bench.0.repo.display())
    );
    let (code, message) =
        bench.error("shell", &json!({ "command": "echo before; sleep 60", "timeout_seconds": 1 }));
    assert_eq!(code, "timed_out");
    assert!(message.contains("before"), "{message}");
    let long = ran(&json!({ "command": "seq 100000; echo end" }));
    let text = long["output"]["text"].as_str().unwrap();
    assert!(text.starts_with("1\n2\n") && text.ends_with("end\n") && text.len() < 40_000);
    assert!(long["output"]["left_out_bytes"].as_u64().unwrap() > 100_000);
    let (code, message) = bench.error("shell", &json!({ "command": "curl -sS http://example.invalid/" }));
    assert_eq!(code, "network_blocked", "{message}");
    assert!(message.contains("no network"), "{message}");
}

#[test]
fn without_a_sandbox_the_shell_refuses_unless_a_human_said_so() {
    let bench = Bench::new();
    // A search path with a shell and no bubblewrap.
    let programs = bench.0.outside().join("bin");
    std::fs::create_dir(&programs).unwrap();
    for name in ["bash", "sh"] {
        std::os::unix::fs::symlink(format!("/bin/{name}"), programs.join(name)).unwrap();
    }
    let input = json!({ "command": "echo ran" }).to_string();
    let mut command = bench.0.hansei();
    command.env("PATH", &programs).args(["tool", "shell", "--input", &input]);
    let refused = Ran::of(&mut command, b"");
    assert_eq!(
        (refused.code, refused.json()["error"]["code"].as_str()),
        (3, Some("no_sandbox")),
        "{}",
        refused.stdout
    );
    let bare = Ran::of(command.arg("--no-sandbox"), b"");
    assert_eq!((bare.code, bare.json()["output"]["text"].as_str()), (0, Some("ran\n")), "{}", bare.stdout);
}

#[test]
fn run_tests_says_what_the_projects_own_checks_say() {
    let bench = Bench(World::new());
    let nothing = bench.call("run_tests", &json!({}));
    assert_eq!(
        (&nothing["ok"], &nothing["output"]["status"]),
        (&json!(true), &json!("nothing_to_run")),
        "{nothing}"
    );
    bench.0.write(
        "package.json",
        r#"{ "name": "x", "version": "1.0.0", "scripts": { "test": "node --test" } }"#,
    );
    bench.0.write("sum.js", "exports.sum = (a, b) => a + b;\n");
    bench.0.write(
        "sum.test.js",
        "require('node:test')('adds', () => require('node:assert').equal(require('./sum').sum(1, 2), 3));\n",
    );
    bench.0.commit("A project");
    let green = bench.call("run_tests", &json!({}));
    assert_eq!(green["output"]["status"], "passed", "{green}");
    let broken =
        json!({ "command": "str_replace", "path": "sum.js", "old_str": "a + b", "new_str": "a - b" });
    bench.ok(EDITOR, &broken);
    let red = bench.call("run_tests", &json!({}));
    assert_eq!((&red["ok"], &red["output"]["status"]), (&json!(true), &json!("failed")), "{red}");
    assert!(red["output"].to_string().contains("adds"), "{red}");
    assert_eq!(bench.code("run_tests", &json!({ "only": "x" })), "bad_input");
}
