//! Honest work in the sandbox: the tests of small real projects end inside exactly as they do outside.

use std::process::Command;

use crate::support::{Ran, World};
use crate::verify_support::{NODE, PYTHON, search_path, write};

type Files = &'static [(&'static str, &'static str)];

const RUST: Files = &[
    ("Cargo.toml", "[package]\nname = \"demo\"\nversion = \"1.0.0\"\nedition = \"2021\"\n\n[workspace]\n"),
    ("Cargo.lock", "version = 3\n\n[[package]]\nname = \"demo\"\nversion = \"1.0.0\"\n"),
    (
        "src/lib.rs",
        "/// Adds.\n///\n/// ```\n/// assert_eq!(demo::add(1, 2), 3);\n/// ```\npub fn add(a: i32, b: i32) -> i32 {\n    \
         a + b\n}\n",
    ),
    ("tests/adding.rs", "#[test]\nfn adds() {\n    assert_eq!(demo::add(1, 2), 3);\n}\n"),
    (
        "tests/world.rs",
        "use std::io::{Read, Write};\n#[test]\nfn talks_to_itself() {\n    let listener = \
         std::net::TcpListener::bind(\"127.0.0.1:0\").unwrap();\n    let address = listener.local_addr().unwrap();\n    \
         let client = std::thread::spawn(move || std::net::TcpStream::connect(address).unwrap().write_all(b\"hi\").unwrap());\n    \
         let mut heard = String::new();\n    listener.accept().unwrap().0.read_to_string(&mut heard).unwrap();\n    \
         client.join().unwrap();\n    assert_eq!(heard, \"hi\");\n    let file = std::env::temp_dir().join(\"demo\");\n    \
         std::fs::write(&file, heard).unwrap();\n    assert!(std::process::Command::new(\"true\").status().unwrap().success());\n}\n",
    ),
];

const GO: Files = &[
    ("go.mod", "module demo\n\ngo 1.19\n"),
    ("add.go", "package demo\n\nfunc Add(a, b int) int { return a + b }\n"),
    (
        "add_test.go",
        "package demo\n\nimport \"testing\"\n\nfunc TestAdds(t *testing.T) {\n\tif Add(1, 2) != 3 {\n\t\tt.Fatal(\"wrong\")\n\t}\n}\n",
    ),
];

/// Its files, its command, a file that makes a test of it fail, and what must be in the output either way.
type Project = (Files, &'static [&'static str], (&'static str, &'static str), [&'static str; 2]);

const PROJECTS: &[Project] = &[
    (
        RUST,
        &["cargo", "test"],
        ("tests/adding.rs", "#[test]\nfn adds() {\n    assert_eq!(demo::add(1, 2), 4);\n}\n"),
        ["Doc-tests demo", "test adds ... FAILED"],
    ),
    (
        PYTHON,
        &["pytest", "-q"],
        ("demo.py", "def add(a, b):\n    return a - b\n"),
        ["1 passed", "FAILED tests/test_demo.py::test_adds"],
    ),
    (NODE, &["npm", "test"], ("add.js", "exports.add = (a, b) => a - b;\n"), ["pass 1", "fail 1"]),
    (
        GO,
        &["go", "test", "./..."],
        ("add.go", "package demo\n\nfunc Add(a, b int) int { return a - b }\n"),
        ["ok", "--- FAIL: TestAdds"],
    ),
];

fn run(world: &World, command: &mut Command) -> (i32, String) {
    let ran = Ran::of(command.env("PATH", search_path()).env("CARGO_TERM_COLOR", "never"), b"");
    for built in ["target", "__pycache__", "tests/__pycache__", ".pytest_cache"] {
        let _ = std::fs::remove_dir_all(world.path(built));
    }
    (ran.code, ran.stdout + &ran.stderr)
}

#[test]
fn tests_of_projects_end_inside_as_they_do_outside() {
    for (files, command, (file, mistake), said) in PROJECTS {
        let world = World::without_commit();
        write(&world, "", files);
        world.commit("Start");
        for (is_red, said) in [false, true].into_iter().zip(said) {
            if is_red {
                world.write(file, mistake);
            }
            let outside = run(&world, world.command(command[0]).args(&command[1..]));
            let inside = run(&world, world.hansei().args(["sandbox", "--"]).args(*command));
            assert_eq!(outside.0 != 0, is_red, "{command:?}: {}", outside.1);
            assert_eq!(inside.0, outside.0, "{command:?}\noutside: {}\ninside: {}", outside.1, inside.1);
            for (place, ended) in [("outside", &outside), ("inside", &inside)] {
                assert!(ended.1.contains(said), "{command:?} {place}: {}", ended.1);
            }
        }
    }
}
