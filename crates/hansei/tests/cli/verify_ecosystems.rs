//! `hansei verify` on real small projects of six ecosystems. What every one of them must stand is listed once.

use serde_json::Value;

use crate::support::World;
use crate::verify_support::{NODE, PYTHON, answer, bare_path, command, names, statuses, verify, write};

/// A project of one ecosystem.
struct Project {
    /// Everything, and its only test passes.
    green: &'static [(&'static str, &'static str)],
    /// A mistake in the code.
    mistake: (&'static str, &'static str),
    /// The test that finds it.
    found_by: &'static str,
    /// A further test, which fails on its own.
    another: (&'static str, &'static str),
    another_name: &'static str,
    /// A file that can be added without harm.
    harmless: (&'static str, &'static str),
    /// The files that its tests are; without them there is nothing to run.
    tests: &'static [&'static str],
    /// What says so in place of them, if something must.
    without_tests: Option<(&'static str, &'static str)>,
    /// What is run.
    commands: &'static [&'static str],
    /// The command of its tests with its exit code hidden.
    masked: &'static str,
    /// A part of what is said when its tool is missing.
    install: &'static str,
}

const PYTHON_PROJECT: Project = Project {
    green: PYTHON,
    mistake: ("demo.py", "def add(a, b):\n    return a - b\n"),
    found_by: "tests/test_demo.py::test_adds",
    another: ("tests/test_more.py", "def test_more():\n    assert sum([1]) == 2\n"),
    another_name: "tests/test_more.py::test_more",
    harmless: ("more.py", "MORE = 1\n"),
    tests: &["tests/test_demo.py"],
    without_tests: None,
    commands: &["pytest -x -q", "ruff check"],
    masked: "pytest -q | tail -n 40",
    install: "pip install pytest",
};

const RUST_PROJECT: Project = Project {
    green: &[
        (
            "Cargo.toml",
            "[package]\nname = \"demo\"\nversion = \"1.0.0\"\nedition = \"2021\"\n\n[workspace]\n",
        ),
        ("Cargo.lock", "version = 3\n\n[[package]]\nname = \"demo\"\nversion = \"1.0.0\"\n"),
        (".gitignore", "target\n"),
        ("src/lib.rs", "pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n"),
        ("tests/adding.rs", "#[test]\nfn adds() {\n    assert_eq!(demo::add(1, 2), 3);\n}\n"),
    ],
    mistake: ("src/lib.rs", "pub fn add(a: i32, b: i32) -> i32 {\n    a - b\n}\n"),
    found_by: "adds",
    another: ("tests/more.rs", "#[test]\nfn more() {\n    assert_eq!(1, 2);\n}\n"),
    another_name: "more",
    harmless: ("src/more.rs", "// Nobody uses this.\n"),
    tests: &["tests/adding.rs"],
    without_tests: None,
    commands: &["cargo test"],
    masked: "cargo test 2>&1 | tail -n 60",
    install: "rustup",
};

const NODE_PROJECT: Project = Project {
    green: NODE,
    mistake: ("add.js", "exports.add = (a, b) => a - b;\n"),
    found_by: "adds",
    another: ("more.test.js", "require('node:test')('more', () => { throw new Error('no'); });\n"),
    another_name: "more",
    harmless: ("more.js", "exports.more = 1;\n"),
    tests: &["add.test.js"],
    without_tests: Some((
        "package.json",
        "{\"name\":\"demo\",\"scripts\":{\"test\":\"echo \\\"Error: no test specified\\\" && exit 1\"}}\n",
    )),
    commands: &["npm test"],
    masked: "node --test || true",
    install: "npm",
};

const GO_PROJECT: Project = Project {
    green: &[
        ("go.mod", "module example.invalid/demo\n\ngo 1.19\n"),
        ("add.go", "package demo\n\n// Add adds.\nfunc Add(a, b int) int { return a + b }\n"),
        (
            "add_test.go",
            "package demo\n\nimport \"testing\"\n\nfunc TestAdds(t *testing.T) {\n\tif Add(1, 2) != 3 {\n\t\tt.Fatal(\"wrong\")\n\t}\n}\n",
        ),
    ],
    mistake: ("add.go", "package demo\n\n// Add adds.\nfunc Add(a, b int) int { return a - b }\n"),
    found_by: "TestAdds",
    another: (
        "more_test.go",
        "package demo\n\nimport \"testing\"\n\nfunc TestMore(t *testing.T) { t.Fatal(\"no\") }\n",
    ),
    another_name: "TestMore",
    harmless: ("more.go", "package demo\n"),
    tests: &["add_test.go"],
    without_tests: None,
    commands: &["go test ./...", "go vet ./..."],
    masked: "go test ./... | cat",
    install: "golang",
};

/// Debian's repository of Maven's plugins is used as it is: nothing is fetched.
const POM: &str = "<project xmlns=\"http://maven.apache.org/POM/4.0.0\">\n  <modelVersion>4.0.0</modelVersion>\n  \
    <groupId>demo</groupId>\n  <artifactId>demo</artifactId>\n  <version>1</version>\n  <properties>\n    \
    <maven.compiler.source>11</maven.compiler.source>\n    <maven.compiler.target>11</maven.compiler.target>\n    \
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>\n  </properties>\n  <dependencies>\n    \
    <dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.13.2</version><scope>test</scope></dependency>\n  \
    </dependencies>\n</project>\n";

const JAVA_PROJECT: Project = Project {
    green: &[
        ("pom.xml", POM),
        (".mvn/maven.config", "-o\n-Dmaven.repo.local=/usr/share/maven-repo\n-DforkCount=0\n"),
        (".gitignore", "target\n"),
        (
            "src/main/java/demo/Add.java",
            "package demo;\n\npublic class Add {\n    public static int of(int a, int b) { return a + b; }\n}\n",
        ),
        (
            "src/test/java/demo/AddTest.java",
            "package demo;\n\nimport org.junit.Assert;\nimport org.junit.Test;\n\npublic class AddTest {\n    \
             @Test\n    public void adds() { Assert.assertEquals(3, Add.of(1, 2)); }\n}\n",
        ),
    ],
    mistake: (
        "src/main/java/demo/Add.java",
        "package demo;\n\npublic class Add {\n    public static int of(int a, int b) { return a - b; }\n}\n",
    ),
    found_by: "AddTest.adds",
    another: (
        "src/test/java/demo/MoreTest.java",
        "package demo;\n\nimport org.junit.Assert;\nimport org.junit.Test;\n\npublic class MoreTest {\n    \
         @Test\n    public void more() { Assert.fail(\"no\"); }\n}\n",
    ),
    another_name: "MoreTest.more",
    harmless: ("src/main/java/demo/More.java", "package demo;\n\nclass More {}\n"),
    tests: &["src/test/java/demo/AddTest.java"],
    without_tests: None,
    commands: &["mvn -B test"],
    masked: "mvn -B test | cat",
    install: "maven",
};

const CMAKE: &str = "cmake_minimum_required(VERSION 3.20)\nproject(demo C)\nenable_testing()\n\
    add_executable(adds adds.c add.c)\nadd_test(NAME adds COMMAND adds)\n";
const CMAKE_LINE: &str = "cmake -S . -B \"$HANSEI_BUILD\" && cmake --build \"$HANSEI_BUILD\" && ctest --test-dir \"$HANSEI_BUILD\" --output-on-failure";

const C_PROJECT: Project = Project {
    green: &[
        ("CMakeLists.txt", CMAKE),
        ("add.c", "int add(int a, int b) { return a + b; }\n"),
        ("adds.c", "int add(int a, int b);\nint main(void) { return add(1, 2) == 3 ? 0 : 1; }\n"),
    ],
    mistake: ("add.c", "int add(int a, int b) { return a - b; }\n"),
    found_by: "adds",
    another: (
        "CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.20)\nproject(demo C)\nenable_testing()\n\
         add_executable(adds adds.c add.c)\nadd_test(NAME adds COMMAND adds)\nadd_test(NAME more COMMAND false)\n",
    ),
    another_name: "more",
    harmless: ("more.c", "int more = 1;\n"),
    tests: &["adds.c"],
    without_tests: Some((
        "CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.20)\nproject(demo C)\nadd_library(demo add.c)\n",
    )),
    commands: &[CMAKE_LINE],
    masked: "cmake -S . -B \"$HANSEI_BUILD\" && cmake --build \"$HANSEI_BUILD\" && ctest --test-dir \"$HANSEI_BUILD\" | cat",
    install: "cmake",
};

impl Project {
    /// A world in which it is committed.
    fn committed(&self) -> World {
        let world = World::without_commit();
        write(&world, "", self.green);
        world.commit("Start");
        world
    }
}

fn has(names: &[String], part: &str) -> bool {
    names.iter().any(|name| name.contains(part))
}

fn green(project: &Project) {
    let world = project.committed();
    let (code, report) = verify(&world, &[]);
    let expected: Vec<String> = project.commands.iter().map(|line| format!("passed {line}")).collect();
    assert_eq!(
        (code, report["status"].as_str().unwrap(), statuses(&report)),
        (0, "passed", expected),
        "{report:#}"
    );
    assert_eq!(world.git(&["status", "--porcelain"]), "", "nothing is left behind");
}

fn red(project: &Project) {
    let world = project.committed();
    write(&world, "", &[project.mistake]);
    let (code, report) = verify(&world, &[]);
    assert_eq!((code, report["status"].as_str().unwrap()), (1, "failed"), "{report:#}");
    let failing = names(&report, "failing_tests");
    assert!(failing.len() == 1 && has(&failing, project.found_by), "{failing:?}");
    assert!(names(&report, "inherited").is_empty());
    let output = report["checks"][0]["output"].as_str().unwrap();
    assert!(!output.is_empty() && output.chars().count() <= 4000, "{output}");
}

fn nothing_to_run(project: &Project) {
    let world = World::without_commit();
    write(&world, "", project.green);
    for test in project.tests {
        std::fs::remove_file(world.path(test)).unwrap();
    }
    write(&world, "", project.without_tests.as_slice());
    world.commit("Start");
    let (code, report) = verify(&world, &[]);
    assert_eq!((code, &report["checks"][0]["status"]), (0, &Value::from("nothing_to_run")), "{report:#}");
}

fn missing_tool(project: &Project) {
    let world = project.committed();
    let mut without = command(&world, &["--json"]);
    let (code, report) = answer(without.env("PATH", bare_path(&world)));
    assert_eq!((code, report["status"].as_str().unwrap()), (3, "missing_tool"), "{report:#}");
    assert!(report["checks"][0]["install"].as_str().unwrap().contains(project.install), "{report:#}");
}

fn inherited_failure(project: &Project) {
    let world = project.committed();
    write(&world, "", &[project.mistake]);
    world.commit("A mistake");
    write(&world, "", &[project.harmless]);
    let (code, report) = verify(&world, &[]);
    assert_eq!((code, report["status"].as_str().unwrap()), (0, "passed"), "{report:#}");
    assert!(has(&names(&report, "inherited"), project.found_by), "{report:#}");
    assert!(names(&report, "failing_tests").is_empty());
    // A new failure beside it is named, and the old one is not held against anybody.
    write(&world, "", &[project.another]);
    let (code, report) = verify(&world, &[]);
    assert_eq!((code, report["status"].as_str().unwrap()), (1, "failed"), "{report:#}");
    let (new, inherited) = (names(&report, "failing_tests"), names(&report, "inherited"));
    assert!(new.len() == 1 && has(&new, project.another_name), "{report:#}");
    assert!(inherited.len() == 1 && has(&inherited, project.found_by), "{report:#}");
}

/// The user's own settings put a command in the place of the detected ones that hides its exit code.
fn masked_check(project: &Project) {
    let world = project.committed();
    let settings = |line: &str| {
        let file = world.outside().join("home/.config/hansei/config.toml");
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, format!("[checks]\ncommands = ['''{line}''']\n")).unwrap();
    };
    settings(project.masked);
    let (code, report) = verify(&world, &[]);
    assert_eq!((code, statuses(&report)), (0, vec![format!("passed {}", project.masked)]), "{report:#}");
    write(&world, "", &[project.mistake]);
    world.commit("A mistake that is there before");
    write(&world, "", &[project.another]);
    let (code, report) = verify(&world, &[]);
    assert_eq!(code, 1, "{report:#}");
    assert!(has(&names(&report, "failing_tests"), project.another_name), "{report:#}");
    settings(&format!("{{ {}; }} > /dev/null 2>&1 || true", project.masked));
    let (code, report) = verify(&world, &[]);
    assert_eq!((code, report["status"].as_str().unwrap()), (1, "unknown"), "{report:#}");
}

fn monorepo(project: &Project) {
    let world = World::without_commit();
    for folder in ["a", "b"] {
        write(&world, folder, project.green);
    }
    write(&world, "a", &[project.mistake]);
    world.commit("Start");
    write(&world, "b", &[project.harmless]);
    let (code, report) = verify(&world, &[]);
    assert_eq!((code, report["status"].as_str().unwrap()), (0, "passed"), "{report:#}");
    let folders: Vec<&str> =
        report["checks"].as_array().unwrap().iter().map(|check| check["folder"].as_str().unwrap()).collect();
    assert_eq!(folders, vec!["b"; project.commands.len()], "only what changed");
}

macro_rules! stands {
    ($($name:ident: $project:ident),* $(,)?) => {
        $(mod $name {
            use super::*;

            #[test]
            fn green() { super::green(&$project); }
            #[test]
            fn red() { super::red(&$project); }
            #[test]
            fn nothing_to_run() { super::nothing_to_run(&$project); }
            #[test]
            fn missing_tool() { super::missing_tool(&$project); }
            #[test]
            fn inherited_failure() { super::inherited_failure(&$project); }
            #[test]
            fn masked_check() { super::masked_check(&$project); }
            #[test]
            fn monorepo() { super::monorepo(&$project); }
        })*
    };
}

stands! {
    python: PYTHON_PROJECT,
    rust: RUST_PROJECT,
    node: NODE_PROJECT,
    go: GO_PROJECT,
    java: JAVA_PROJECT,
    c: C_PROJECT,
}
