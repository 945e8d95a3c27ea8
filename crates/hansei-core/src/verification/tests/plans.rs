//! Workspaces, told as their files, and the commands that are run in them.

use std::collections::BTreeMap;

use crate::verification::{
    Asked, Contents, Ecosystem, Plan, Task, Texts, Todo, built_in, definitions, plan, with_own,
};
use crate::verification::{CheckRow, Reach, Reads};

/// A workspace: each file with its text now and at the base, where it has one.
#[derive(Default)]
struct World {
    base: BTreeMap<String, String>,
    now: BTreeMap<String, String>,
    committed: bool,
}

impl World {
    /// Files that were there before and are still.
    fn of(files: &[(&str, &str)]) -> Self {
        let base: BTreeMap<String, String> =
            files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
        Self { now: base.clone(), base, committed: true }
    }

    fn fresh(files: &[(&str, &str)]) -> Self {
        Self { base: BTreeMap::new(), committed: false, ..Self::of(files) }
    }

    fn write(mut self, path: &str, text: &str) -> Self {
        self.now.insert(path.to_owned(), text.to_owned());
        self
    }

    fn delete(mut self, path: &str) -> Self {
        self.now.remove(path);
        self
    }

    fn contents(&self, ecosystems: &[Ecosystem]) -> Contents {
        let all = || self.now.keys().chain(self.base.keys());
        let mut contents = Contents {
            now: self.now.keys().cloned().collect(),
            base: self.committed.then(|| self.base.keys().cloned().collect()),
            texts: BTreeMap::new(),
            changed: Some(
                all().filter(|path| self.now.get(*path) != self.base.get(*path)).cloned().collect(),
            ),
        };
        for path in definitions::wanted(&contents, ecosystems) {
            let texts = Texts { now: self.now.get(&path).cloned(), base: self.base.get(&path).cloned() };
            contents.texts.insert(path, texts);
        }
        contents
    }

    fn plan(&self, spec: &[&str]) -> Plan {
        self.plan_with(built_in(), spec)
    }

    fn plan_with(&self, ecosystems: Vec<Ecosystem>, spec: &[&str]) -> Plan {
        let spec = spec.iter().map(|line| (*line).to_owned()).collect();
        let contents = self.contents(&ecosystems);
        plan(&contents, &Asked { ecosystems, spec, own: None, root: "/project".to_owned() })
    }
}

/// `folder: command`, one a check.
fn lines(plan: &Plan) -> Vec<String> {
    let line = |check: &crate::verification::PlannedCheck| {
        let folder = if check.folder.is_empty() { "." } else { &check.folder };
        match &check.todo {
            Todo::Run => format!("{folder}: {}", check.line),
            Todo::Nothing(why) => format!("{folder}: nothing ({why})"),
            Todo::Reject(why) => format!("{folder}: rejected ({why})"),
        }
    };
    plan.checks.iter().map(line).collect()
}

const NPM: &str = r#"{"name":"a","scripts":{"test":"node --test"}}"#;

#[test]
fn what_is_run_where() {
    for (name, world, expected) in [
        ("nothing", World::of(&[]), &[][..]),
        ("prose", World::of(&[("README.md", ""), ("notes.txt", "")]), &[]),
        ("python", World::of(&[("pyproject.toml", "")]), &[".: pytest -x -q", ".: ruff check"]),
        ("python without a manifest", World::of(&[("a.py", "")]), &[".: pytest -x -q", ".: ruff check"]),
        (
            "a script beside go",
            World::of(&[("go.mod", "module a"), ("x.py", "")]),
            &[".: go test ./...", ".: go vet ./..."],
        ),
        ("rust", World::of(&[("Cargo.toml", "[package]\nname = 'a'")]), &[".: cargo test"]),
        ("node", World::of(&[("package.json", NPM)]), &[".: npm test"]),
        ("pnpm", World::of(&[("package.json", NPM), ("pnpm-lock.yaml", "")]), &[".: pnpm test"]),
        ("yarn", World::of(&[("package.json", NPM), ("yarn.lock", "")]), &[".: yarn test"]),
        ("bun", World::of(&[("package.json", NPM), ("bun.lock", "")]), &[".: bun run test"]),
        (
            "manager by name",
            World::of(&[("package.json", r#"{"packageManager":"yarn@4.1.0","scripts":{"test":"jest"}}"#)]),
            &[".: yarn test"],
        ),
        ("lock above", World::of(&[("web/package.json", NPM), ("pnpm-lock.yaml", "")]), &["web: pnpm test"]),
        (
            "npm's placeholder",
            World::of(&[(
                "package.json",
                r#"{"scripts":{"test":"echo \"Error: no test specified\" && exit 1"}}"#,
            )]),
            &[".: nothing (package.json has no test script)"],
        ),
        (
            "no scripts",
            World::of(&[("package.json", "{}")]),
            &[".: nothing (package.json has no test script)"],
        ),
        ("maven", World::of(&[("pom.xml", "<project/>")]), &[".: mvn -B test"]),
        ("maven's wrapper", World::of(&[("pom.xml", "<project/>"), ("mvnw", "")]), &[".: ./mvnw -B test"]),
        (
            "gradle's wrapper above",
            World::of(&[("app/build.gradle", ""), ("gradlew", "")]),
            &["app: ../gradlew --console=plain test"],
        ),
        (
            "cmake, with parts",
            World::of(&[("CMakeLists.txt", ""), ("lib/CMakeLists.txt", "")]),
            &[
                ".: cmake -S . -B \"$HANSEI_BUILD\" && cmake --build \"$HANSEI_BUILD\" && ctest --test-dir \"$HANSEI_BUILD\" --output-on-failure",
            ],
        ),
        ("make", World::of(&[("Makefile", "all:\n\tcc x\ntest: all\n\t./x")]), &[".: make test"]),
        ("make check", World::of(&[("Makefile", "check:\n\t./x")]), &[".: make check"]),
        ("make without tests", World::of(&[("Makefile", "all:\n\tcc x\n\ntestx := 1")]), &[]),
        (
            "make beside rust",
            World::of(&[("Makefile", "test:\n\tx"), ("Cargo.toml", "[package]")]),
            &[".: cargo test"],
        ),
        ("dotnet", World::of(&[("a.sln", ""), ("a/a.csproj", "")]), &[".: dotnet test"]),
        (
            "others' packages",
            World::of(&[
                ("go.mod", "module a"),
                ("vendor/x/Cargo.toml", ""),
                ("tests/fixtures/package.json", NPM),
            ]),
            &[".: go test ./...", ".: go vet ./..."],
        ),
        (
            "two worlds",
            World::of(&[("go.mod", "module a"), ("web/package.json", NPM)]),
            &[".: go test ./...", ".: go vet ./...", "web: npm test"],
        ),
    ] {
        assert_eq!(lines(&world.plan(&[])), expected, "{name}");
    }
}

#[test]
fn of_many_packages_those_that_changed() {
    let cargo = || {
        World::of(&[
            ("Cargo.toml", "[workspace]\nmembers = ['a', 'b', 'c']"),
            ("a/Cargo.toml", "[package]\nname = 'a'"),
            ("a/src/lib.rs", ""),
            (
                "b/Cargo.toml",
                "[package]\nname = 'b'\n[dependencies]\nalias = { package = 'a', path = '../a' }",
            ),
            (
                "c/Cargo.toml",
                "[package]\nname = 'c'\n[target.'cfg(unix)'.dev-dependencies]\nb = { path = '../b' }",
            ),
            ("d/Cargo.toml", "[package]\nname = 'd'"),
            ("README.md", ""),
        ])
    };
    let node = || {
        World::of(&[
            ("package.json", r#"{"name":"root","workspaces":["packages/*"],"scripts":{"test":"x"}}"#),
            ("packages/a/package.json", r#"{"name":"@x/a","scripts":{"test":"x"}}"#),
            (
                "packages/b/package.json",
                r#"{"name":"@x/b","scripts":{"test":"x"},"dependencies":{"@x/a":"*"}}"#,
            ),
            ("packages/c/package.json", r#"{"name":"@x/c","scripts":{"test":"x"}}"#),
        ])
    };
    let maven = || {
        World::of(&[
            ("pom.xml", "<modules><module>a</module><module>b</module></modules>"),
            ("a/pom.xml", ""),
            ("b/pom.xml", ""),
        ])
    };
    let all = &["a: cargo test", "b: cargo test", "c: cargo test", "d: cargo test"][..];
    for (name, world, expected) in [
        ("nothing changed", cargo(), all),
        ("one", cargo().write("d/src/lib.rs", "x"), &["d: cargo test"]),
        (
            "one and its users",
            cargo().write("a/src/lib.rs", "x"),
            &["a: cargo test", "b: cargo test", "c: cargo test"],
        ),
        ("two", cargo().write("c/x.rs", "").write("d/x.rs", ""), &["c: cargo test", "d: cargo test"]),
        ("what holds them together", cargo().write("Cargo.toml", "[workspace]\nmembers = ['a']"), all),
        ("the lock", cargo().write("Cargo.lock", "x"), all),
        ("something outside", cargo().write("data.json", "{}"), all),
        (
            "prose outside, code inside",
            cargo().write("README.md", "x").write("d/x.rs", ""),
            &["d: cargo test"],
        ),
        ("prose alone", cargo().write("README.md", "x"), all),
        ("node, one", node().write("packages/c/x.js", ""), &["packages/c: npm test"]),
        (
            "node, one and its users",
            node().write("packages/a/x.js", ""),
            &["packages/a: npm test", "packages/b: npm test"],
        ),
        ("node, the root", node().write("x.js", ""), &[".: npm test"]),
        ("maven, one", maven().write("a/src/A.java", ""), &[".: mvn -B -pl a -am -amd test"]),
        (
            "maven, both",
            maven().write("a/A.java", "").write("b/B.java", ""),
            &[".: mvn -B -pl a,b -am -amd test"],
        ),
        (
            "maven, the root",
            maven().write("pom.xml", "<modules><module>a</module></modules>"),
            &[".: mvn -B test"],
        ),
    ] {
        assert_eq!(lines(&world.plan(&[])), expected, "{name}");
    }
    let go = World::of(&[
        ("a/go.mod", "module x/a\n"),
        ("b/go.mod", "module x/b\n\nrequire (\n\tx/a v0.0.0 // here\n)\n"),
        ("c/go.mod", "module x/c\n"),
    ]);
    let changed = go.write("a/a.go", "package a");
    assert_eq!(
        lines(&changed.plan(&[])),
        ["a: go test ./...", "a: go vet ./...", "b: go test ./...", "b: go vet ./..."]
    );
}

#[test]
fn what_a_spec_adds() {
    let python = || World::of(&[("pyproject.toml", ""), ("README.md", "")]);
    let prose = || World::of(&[("README.md", "")]);
    for (name, world, task, expected) in [
        (
            "code: added, never in place",
            python().write("a.py", ""),
            Task::Coding,
            &[".: pytest -x -q", ".: ruff check", ".: test -f x"][..],
        ),
        ("no code: alone", prose(), Task::NotCoding, &[".: test -f x"]),
        ("no code was touched: alone", python().write("README.md", "x"), Task::NotCoding, &[".: test -f x"]),
        (
            "nothing changed yet",
            python(),
            Task::Coding,
            &[".: pytest -x -q", ".: ruff check", ".: test -f x"],
        ),
    ] {
        let plan = world.plan(&["test -f x"]);
        assert_eq!(
            (plan.task, lines(&plan)),
            (task, expected.iter().map(|line| (*line).to_owned()).collect()),
            "{name}"
        );
    }
    // Without a Spec nothing is left out.
    assert_eq!(lines(&python().write("README.md", "x").plan(&[])), [".: pytest -x -q", ".: ruff check"]);
    let rejected = prose().plan(&["cat ../../etc/passwd"]);
    assert_eq!(lines(&rejected), [".: rejected (\"../../etc/passwd\" leads out of the workspace)"]);
}

#[test]
fn a_users_own_rows() {
    let row = Ecosystem {
        name: "Zig".to_owned(),
        files: vec!["build.zig".to_owned()],
        reach: Reach::Each,
        reads: Reads::Nothing,
        checks: vec![CheckRow {
            line: "zig build test".to_owned(),
            thorough: None,
            tool: "zig".to_owned(),
            wrapper: None,
            install: "get zig".to_owned(),
            speaks: false,
        }],
    };
    let world = World::of(&[("build.zig", ""), ("Cargo.toml", "[package]")]);
    let plan = world.plan_with(with_own(vec![row.clone()]), &[]);
    assert_eq!(lines(&plan), [".: cargo test", ".: zig build test"]);
    let instead =
        with_own(vec![Ecosystem { name: "Rust".to_owned(), files: vec!["Cargo.toml".to_owned()], ..row }]);
    assert_eq!(lines(&world.plan_with(instead, &[])), [".: zig build test"]);
}

fn package(scripts: &str) -> String {
    format!(r#"{{"name":"a","scripts":{scripts}}}"#)
}

#[test]
fn definitions_are_put_back() {
    let node = |scripts: &str| World::of(&[("package.json", &package(scripts))]);
    let python =
        |toml: &str| World::of(&[("pyproject.toml", toml), ("tests/test_a.py", "def test_a(): pass")]);
    let ini = |lines: &str| format!("[tool.pytest.ini_options]\n{lines}\n");
    for (name, world, restored, part) in [
        (
            "the test script",
            node(r#"{"test":"node --test"}"#).write("package.json", &package(r#"{"test":"true"}"#)),
            Some("package.json"),
            "node --test",
        ),
        (
            "a script that the test calls",
            node(r#"{"test":"npm run u","u":"jest"}"#)
                .write("package.json", &package(r#"{"test":"npm run u","u":"true"}"#)),
            Some("package.json"),
            "jest",
        ),
        (
            "the whole file",
            node(r#"{"test":"jest"}"#).delete("package.json").write("a.js", ""),
            Some("package.json"),
            "jest",
        ),
        (
            "a new script",
            node(r#"{"test":"jest"}"#).write("package.json", &package(r#"{"test":"jest","x":"y"}"#)),
            None,
            "",
        ),
        (
            "the first real test",
            node(r#"{"test":"echo \"Error: no test specified\" && exit 1"}"#)
                .write("package.json", &package(r#"{"test":"jest"}"#)),
            None,
            "",
        ),
        (
            "a test left out",
            python("").write("pyproject.toml", &ini("addopts = '--deselect tests/test_a.py::test_a'")),
            Some("pytest.ini"),
            "[pytest]\n",
        ),
        (
            "another folder",
            python(&ini("testpaths = ['tests']\npythonpath = ['src']"))
                .write("pyproject.toml", &ini("testpaths = ['none']\npythonpath = ['src']")),
            Some("pytest.ini"),
            "pythonpath = src\ntestpaths = tests\n",
        ),
        (
            "a file that is asked first",
            python(&ini("testpaths = ['tests']")).write("pytest.ini", "[pytest]\naddopts = -k nothing\n"),
            Some("pytest.ini"),
            "testpaths = tests",
        ),
        ("harmless options", python("").write("pyproject.toml", &ini("addopts = '-ra'")), None, ""),
        ("a path", python("").write("pyproject.toml", &ini("pythonpath = ['src']")), None, ""),
        (
            "a rule of make",
            World::of(&[("Makefile", "test:\n\t./run")]).write("Makefile", "test:\n\ttrue"),
            Some("Makefile"),
            "./run",
        ),
        (
            "another rule of make",
            World::of(&[("Makefile", "all:\n\tcc a\ntest:\n\t./run")])
                .write("Makefile", "all:\n\tcc a b\ntest:\n\t./run"),
            None,
            "",
        ),
        ("a fresh project", World::fresh(&[("package.json", &package(r#"{"test":"true"}"#))]), None, ""),
    ] {
        let plan = world.plan(&[]);
        let found = plan.restored.first();
        assert_eq!(found.map(|file| file.path.as_str()), restored, "{name}: {:?}", plan.restored);
        if let Some(file) = found {
            assert!(file.text.contains(part), "{name}: {}", file.text);
            assert!(!plan.weakened.is_empty(), "{name}");
        } else {
            assert_eq!(plan.weakened, [], "{name}");
        }
    }
}

#[test]
fn what_was_taken_away_is_named() {
    let python = || {
        World::of(&[
            ("pyproject.toml", "[tool.coverage.report]\nfail_under = 90\n"),
            ("tests/test_a.py", "def test_a():\n    assert f() == 1\ndef test_b():\n    assert g() == 2\n"),
            ("a.py", ""),
        ])
    };
    for (name, world, path, part) in [
        (
            "a test",
            python().write("tests/test_a.py", "def test_a():\n    assert f() == 1\n"),
            "tests/test_a.py",
            "test_b",
        ),
        ("a file", python().delete("tests/test_a.py"), "tests/test_a.py", "deleted"),
        (
            "a skip",
            python().write(
                "tests/test_a.py",
                "def test_a():\n    assert f() == 1\n@pytest.mark.skip\ndef test_b():\n    assert g() == 2\n",
            ),
            "tests/test_a.py",
            "switched off",
        ),
        ("a manifest", python().delete("pyproject.toml"), "pyproject.toml", "deleted"),
        (
            "a threshold",
            python().write("pyproject.toml", "[tool.coverage.report]\nfail_under = 10\n"),
            "pyproject.toml",
            "lowered",
        ),
        (
            "conftest",
            python().write("conftest.py", "collect_ignore = ['tests']"),
            "conftest.py",
            "collect_ignore",
        ),
        (
            "ruff",
            python().write(
                "pyproject.toml",
                "[tool.coverage.report]\nfail_under = 90\n[tool.ruff.lint]\nignore = ['F']",
            ),
            "pyproject.toml",
            "ignore",
        ),
        (
            "ctest",
            World::of(&[("CMakeLists.txt", "enable_testing()\nadd_test(NAME a COMMAND a)")])
                .write("CMakeLists.txt", "enable_testing()"),
            "CMakeLists.txt",
            "add_test",
        ),
        (
            "maven",
            World::of(&[("pom.xml", "<project/>")]).write("pom.xml", "<skipTests>true</skipTests>"),
            "pom.xml",
            "skipTests",
        ),
        (
            "rust",
            World::of(&[("Cargo.toml", "[package]"), ("src/lib.rs", "#[test]\nfn adds() {}")])
                .write("src/lib.rs", "#[test]\n#[ignore]\nfn adds() {}"),
            "src/lib.rs",
            "switched off",
        ),
    ] {
        let weakened = world.plan(&[]).weakened;
        let found = weakened.iter().any(|entry| entry.path == path && entry.what.contains(part));
        assert!(found, "{name}: {weakened:?}");
    }
    let moved = python()
        .write("tests/test_a.py", "def test_a():\n    assert f() == 1\n")
        .write("tests/test_b.py", "def test_b():\n    assert g() == 2\n");
    assert_eq!(moved.plan(&[]).weakened, []);
    let package_gone =
        World::of(&[("a/pyproject.toml", ""), ("b/pyproject.toml", "")]).delete("a/pyproject.toml");
    assert_eq!(lines(&package_gone.plan(&[]))[0], "b: pytest -x -q");
}
