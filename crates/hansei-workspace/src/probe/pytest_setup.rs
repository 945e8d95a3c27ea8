//! What pytest needs around a test: fixtures that somebody defines, plugins that bring options and fixtures, markers that are
//! registered, names of test files that do not collide; and targets of `mock.patch` that exist.

use std::collections::{BTreeMap, BTreeSet};

use hansei_core::escalation::Probe;

use super::ground::{Ground, Strength, Suspicion};
use super::hint::has_word;
use super::mock_targets;
use super::pattern::Pattern;
use super::pytest_decorators::{decorated, fixtures as fixtures_of};
use super::python_source::{imports, lines};
use super::python_world::World;
use super::tree::{base, parent, under, upwards};

static FIXTURE: Pattern = Pattern::new(
    r#"@(?:pytest\.|pytest_asyncio\.)?fixture\b(?:\s*\([^)]*?name\s*=\s*['"](\w+)['"][^)]*\)|\s*\([^)]*\))?\s*\n(?:\s*@[^\n]*\n)*\s*(?:async\s+)?def\s+(\w+)"#,
);
static MARK: Pattern = Pattern::new(r"@pytest\.mark\.(\w+)");
static TEST: Pattern = Pattern::new(r"^\s*(async\s+)?def\s+(test\w*)\s*\(([^)]*)\)");

/// Fixtures that pytest has itself.
const OWN: &[&str] = &[
    "cache",
    "capfd",
    "capfdbinary",
    "caplog",
    "capsys",
    "capsysbinary",
    "doctest_namespace",
    "monkeypatch",
    "pytestconfig",
    "record_property",
    "record_testsuite_property",
    "record_xml_attribute",
    "recwarn",
    "request",
    "tmp_path",
    "tmp_path_factory",
    "tmpdir",
    "tmpdir_factory",
    "testdir",
    "pytester",
    "self",
    "cls",
    "capteesys",
    "subtests",
];
/// Fixtures and options that well-known plugins bring.
const PLUGINS: &[(&str, &[&str])] = &[
    ("pytest-mock", &["mocker", "class_mocker", "module_mocker", "session_mocker"]),
    ("pytest-asyncio", &["event_loop", "unused_tcp_port"]),
    (
        "pytest-django",
        &[
            "db", "client", "admin_client", "rf", "settings", "django_user_model", "transactional_db",
            "live_server", "django_db_setup", "admin_user", "mailoutbox",
        ],
    ),
    ("pytest-flask", &["client", "live_server", "accept_json"]),
    ("pytest-httpx", &["httpx_mock"]),
    ("pytest-httpserver", &["httpserver"]),
    ("pytest-benchmark", &["benchmark"]),
    ("requests-mock", &["requests_mock"]),
    ("pytest-responses", &["responses"]),
    ("pyfakefs", &["fs"]),
    ("syrupy", &["snapshot"]),
    ("pytest-freezer", &["freezer"]),
    ("pytest-aiohttp", &["aiohttp_client", "aiohttp_server"]),
    ("pytest-datadir", &["datadir", "shared_datadir"]),
    ("pytest-regressions", &["data_regression", "file_regression", "num_regression"]),
    ("pytest-postgresql", &["postgresql"]),
    ("pytest-qt", &["qtbot"]),
    ("pytest-playwright", &["page", "browser", "context"]),
    ("faker", &["faker"]),
    ("pytest-subprocess", &["fp"]),
    ("pytest-xdist", &["worker_id", "testrun_uid"]),
    ("pytest-cov", &["cov", "no_cover"]),
];
/// Options in `addopts`, and the plugin that understands them.
const OPTIONS: &[(&str, &str)] = &[
    ("--cov", "pytest-cov"),
    ("--numprocesses", "pytest-xdist"),
    ("-n ", "pytest-xdist"),
    ("--timeout", "pytest-timeout"),
    ("--reruns", "pytest-rerunfailures"),
    ("--benchmark", "pytest-benchmark"),
    ("--html", "pytest-html"),
    ("--random-order", "pytest-random-order"),
    ("--mypy", "pytest-mypy"),
    ("--asyncio-mode", "pytest-asyncio"),
    ("--ds=", "pytest-django"),
    ("--snapshot", "syrupy"),
];
const OWN_MARKS: &[&str] = &[
    "parametrize", "skip", "skipif", "xfail", "usefixtures", "filterwarnings", "tryfirst", "trylast",
    "asyncio", "anyio", "django_db", "timeout", "flaky", "benchmark", "vcr", "freeze_time", "xdist_group",
    "order", "trio", "httpx_mock", "urls", "slow_",
];

pub(super) fn probe(ground: &Ground<'_>) {
    let tests: Vec<&str> = ground
        .tree
        .examined(&[".py"])
        .map(|file| file.path.as_str())
        .filter(|path| base(path).starts_with("test_") || base(path).ends_with("_test.py"))
        .collect();
    if tests.is_empty() {
        return;
    }
    let world = ground.python();
    mock_targets::probe(ground, world);
    let uses_pytest =
        ground.tree.examined(&[".py"]).any(|file| {
            base(&file.path) == "conftest.py"
                || ground
                    .tree
                    .text(&file.path)
                    .is_some_and(|text| text.contains("import pytest") || text.contains("from pytest"))
        }) || tests.iter().any(|path| ground.tree.text(path).is_some_and(|text| text.contains("\ndef test")));
    if !uses_pytest {
        return;
    }
    let setup = Setup::of(ground, world);
    for path in &tests {
        let Some(text) = ground.tree.text(path) else { continue };
        setup.names(ground, path, &text);
    }
    setup.options(ground);
    setup.marks(ground, &tests);
    collisions(ground, &tests);
}

struct Setup<'a> {
    world: &'a World,
    /// Fixtures by the file that defines them.
    fixtures: BTreeMap<String, BTreeSet<String>>,
    settings: String,
    place: String,
    /// Plugins that we know nothing of are declared or installed, or plugins are named by hand.
    has_unknown_plugins: bool,
}

impl<'a> Setup<'a> {
    fn of(ground: &Ground<'_>, world: &'a World) -> Self {
        let tree = &ground.tree;
        let mut fixtures: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let mut by_hand = false;
        for file in tree.files().iter().filter(|file| file.path.ends_with(".py")) {
            let Some(text) = tree.text(&file.path) else { continue };
            by_hand |= text.contains("pytest_plugins")
                || text.contains("pytest_generate_tests")
                || text.contains("pytest_collect_file")
                || text.contains("pytest_bdd")
                || text.contains("register_fixture");
            let defined = fixtures_of(&text);
            if !defined.is_empty() {
                fixtures.entry(file.path.clone()).or_default().extend(defined);
            }
            for hit in FIXTURE.all(&text) {
                fixtures.entry(file.path.clone()).or_default().insert(hit.first_from(1).to_owned());
            }
        }
        let mut settings = String::new();
        let mut place = String::new();
        for name in ["pytest.ini", "pyproject.toml", "setup.cfg", "tox.ini"] {
            let path = under(tree.scope().trim_end_matches('/'), name);
            if let Some(text) = tree.text(&path).filter(|text| text.contains("pytest")) {
                settings.push_str(&text);
                place = path;
                break;
            }
        }
        let known = |name: &str| {
            PLUGINS.iter().any(|(plugin, _)| *plugin == name)
                || OPTIONS.iter().any(|(_, plugin)| *plugin == name)
                || name == "pytest"
        };
        let declared = world.declared.iter().filter(|it| !it.is_vague).map(|it| it.name.as_str());
        let installed = world
            .installed
            .iter()
            .filter(|it| it.is_own)
            .flat_map(|it| it.packages.keys())
            .map(String::as_str);
        let unknown = declared.chain(installed).any(|name| name.starts_with("pytest-") && !known(name));
        Self { world, fixtures, settings, place, has_unknown_plugins: by_hand || unknown }
    }

    fn has_plugin(&self, name: &str) -> bool {
        self.world.declared.iter().any(|it| it.name == name)
            || self.world.installed.as_ref().is_some_and(|it| it.packages.contains_key(name))
    }

    /// The parameters of test functions.
    fn names(&self, ground: &Ground<'_>, path: &str, text: &str) {
        let lines = lines(text);
        let decorated = decorated(text);
        for line in &lines {
            let Some(hit) = TEST.first(&line.bare) else { continue };
            let (is_async, function) = (!hit.group(1).is_empty(), hit.group(2));
            let class = line.around.class.as_deref().unwrap_or_default();
            if line.around.in_function || class.contains("TestCase") || class.contains("Case)") {
                continue;
            }
            let place = format!("{path}:{}", line.number);
            if is_async {
                self.asynchronous(ground, text, &place);
            }
            let above = decorated.get(&line.number).cloned().unwrap_or_default();
            if above.is_unknown {
                continue;
            }
            for parameter in hit.group(3).split(',') {
                let name = parameter.split([':', '=']).next().unwrap_or_default().trim();
                let skipped = name.is_empty()
                    || name.starts_with('*')
                    || name == "/"
                    || parameter.contains('=')
                    || OWN.contains(&name);
                if skipped || above.names.contains(name) {
                    continue;
                }
                self.parameter(ground, path, text, name, function, &place);
            }
        }
    }

    fn asynchronous(&self, ground: &Ground<'_>, text: &str, place: &str) {
        let plugins = [
            "pytest-asyncio", "anyio", "pytest-aiohttp", "pytest-trio", "pytest-twisted", "pytest-tornasync",
        ];
        let installed = self.world.installed.as_ref();
        if plugins.iter().any(|plugin| self.has_plugin(plugin))
            || self.has_unknown_plugins
            || text.contains("IsolatedAsyncioTestCase")
        {
            return;
        }
        let nothing_known =
            self.world.declared.is_empty() && installed.is_none_or(|it| !it.modules.contains("pytest"));
        ground.suspect(
            Suspicion::new(
                Probe::Fixtures,
                "async tests are there, and no plugin that runs them (pytest-asyncio) is declared or installed".to_owned(),
                place.to_owned(),
                "pip install pytest-asyncio, and declare it".to_owned(),
            )
            .strength(if nothing_known { Strength::Hinted } else { Strength::Likely })
            .naming(["async def functions are not natively supported", "asyncio"]),
        );
    }

    fn parameter(
        &self,
        ground: &Ground<'_>,
        path: &str,
        text: &str,
        name: &str,
        function: &str,
        place: &str,
    ) {
        let reaches = |file: &str| {
            file == path
                || (base(file) == "conftest.py" && upwards(parent(path)).any(|folder| folder == parent(file)))
        };
        if self.fixtures.iter().any(|(file, names)| names.contains(name) && reaches(file)) {
            return;
        }
        // Fixtures that are imported, by name or all of them.
        let imported = |text: &str| {
            text.contains("import *")
                || has_word(text, name)
                    && imports(&lines(text)).iter().any(|import| import.names.iter().any(|one| one == name))
                || has_word(text, &format!("{name} = pytest.fixture"))
        };
        let conftests =
            upwards(parent(path)).filter_map(|folder| ground.tree.text(&under(folder, "conftest.py")));
        if imported(text) || conftests.into_iter().any(|text| imported(&text)) {
            return;
        }
        if let Some((plugin, _)) =
            PLUGINS.iter().find(|(plugin, names)| names.contains(&name) && !self.has_plugin(plugin))
        {
            let any_other =
                PLUGINS.iter().any(|(plugin, names)| names.contains(&name) && self.has_plugin(plugin));
            if any_other || self.has_unknown_plugins {
                return;
            }
            ground.suspect(
                Suspicion::new(
                    Probe::Fixtures,
                    format!(
                        "the fixture {name:?} comes with {plugin}, which is neither declared nor installed"
                    ),
                    format!("{place}: {function} takes it"),
                    format!("pip install {plugin}, and declare it"),
                )
                .naming([name.to_owned(), plugin.to_string()]),
            );
            return;
        }
        if PLUGINS.iter().any(|(_, names)| names.contains(&name))
            || self.has_unknown_plugins && self.fixtures.values().all(|names| !names.contains(name))
        {
            return;
        }
        let elsewhere = self.fixtures.iter().find(|(_, names)| names.contains(name)).map(|(file, _)| file);
        let (what, fix) = match elsewhere {
            Some(file) => (
                format!("the fixture {name:?} is defined in {file}, where {path} does not see it"),
                format!("move it into {}", under(common(parent(file), parent(path)), "conftest.py")),
            ),
            None => (
                format!("the fixture {name:?} is defined nowhere"),
                format!("define {name} with @pytest.fixture in {}", under(parent(path), "conftest.py")),
            ),
        };
        ground.suspect(
            Suspicion::new(Probe::Fixtures, what, format!("{place}: {function} takes it"), fix)
                .strength(Strength::Certain)
                .naming([name.to_owned()]),
        );
    }

    /// Options of plugins that are not there.
    fn options(&self, ground: &Ground<'_>) {
        let Some(at) = self.settings.find("addopts") else { return };
        let value: String = self.settings[at..]
            .lines()
            .take_while(|line| {
                line.starts_with("addopts") || line.starts_with([' ', '\t']) || line.starts_with('"')
            })
            .collect::<Vec<_>>()
            .join(" ");
        for (option, plugin) in
            OPTIONS.iter().filter(|(option, plugin)| value.contains(option) && !self.has_plugin(plugin))
        {
            let line = self.settings[..at].lines().count().max(1);
            ground.suspect(
                Suspicion::new(
                    Probe::Fixtures,
                    format!("pytest is given {}, which {plugin} understands, and that is neither declared nor installed", option.trim()),
                    format!("{}:{line} (addopts)", self.place),
                    format!("pip install {plugin}, and declare it"),
                )
                .naming([option.trim().to_owned(), "unrecognized arguments".to_owned()]),
            );
        }
    }

    /// Markers under `--strict-markers`.
    fn marks(&self, ground: &Ground<'_>, tests: &[&str]) {
        if !self.settings.contains("--strict-markers") && !self.settings.contains("strict_markers") {
            return;
        }
        let in_code = ground
            .tree
            .examined(&[".py"])
            .filter_map(|file| ground.tree.text(&file.path))
            .any(|text| text.contains("addinivalue_line"));
        for path in tests.iter().filter(|_| !in_code) {
            let Some(text) = ground.tree.text(path) else { continue };
            for hit in MARK
                .all(&text)
                .iter()
                .filter(|hit| !OWN_MARKS.contains(&hit.group(1)) && !has_word(&self.settings, hit.group(1)))
            {
                ground.suspect(
                    Suspicion::new(
                        Probe::Fixtures,
                        format!(
                            "the marker {:?} is not registered, and --strict-markers refuses it",
                            hit.group(1)
                        ),
                        format!("{path}:{}", hit.line()),
                        format!("add {} to markers in {}", hit.group(1), self.place),
                    )
                    .naming([hit.group(1).to_owned()]),
                );
            }
        }
    }
}

fn common<'a>(one: &'a str, other: &str) -> &'a str {
    upwards(one)
        .find(|folder| folder.is_empty() || other == *folder || other.starts_with(&format!("{folder}/")))
        .unwrap_or("")
}

/// Test files of one name in folders that are no packages: pytest takes them for the same module.
fn collisions(ground: &Ground<'_>, tests: &[&str]) {
    let settings: Vec<_> = ["pyproject.toml", "pytest.ini", "setup.cfg", "tox.ini"]
        .iter()
        .filter_map(|name| ground.tree.text(&under(ground.tree.scope().trim_end_matches('/'), name)))
        .collect();
    if settings.iter().any(|text| text.contains("importlib")) {
        return;
    }
    let mut seen: BTreeMap<&str, &str> = BTreeMap::new();
    for path in tests.iter().filter(|path| !ground.tree.has(&under(parent(path), "__init__.py"))) {
        let Some(other) = seen.insert(base(path), path) else { continue };
        // Two projects are two runs.
        let project = |path: &str| {
            upwards(parent(path))
                .find(|folder| {
                    ["pyproject.toml", "setup.py", "setup.cfg", "requirements.txt"]
                        .iter()
                        .any(|name| ground.tree.has(&under(folder, name)))
                })
                .map(str::to_owned)
        };
        if project(path) != project(other) {
            continue;
        }
        ground.suspect(
            Suspicion::new(
                Probe::Fixtures,
                format!("{other} and {path} have one name, and their folders are no packages: pytest takes them for the same module"),
                format!("no __init__.py in {} and {}", parent(other), parent(path)),
                format!("touch {} {}, or rename one of them", under(parent(other), "__init__.py"), under(parent(path), "__init__.py")),
            )
            .naming(["import file mismatch"]),
        );
    }
}
