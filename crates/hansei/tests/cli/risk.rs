//! `hansei risk` in all its forms.

use hansei_core::surface::Surface;
use serde_json::{Value, json};

use crate::support::{Ran, World};

#[test]
fn acceptance_3_every_surface_has_its_verdict() {
    let world = World::new();
    for (path, surface, score, review) in [
        ("src/login.ts", "auth", 1.0, true),
        ("db/migrations/1.txt", "data", 0.9, true),
        ("docker/x", "infra", 0.85, true),
        ("package.json", "build", 0.6, true),
        ("src/button.css", "ui", 0.4, false),
        ("src/a.test.js", "test", 0.2, false),
        ("guide.md", "docs", 0.1, false),
        ("blob", "none", 0.0, false),
    ] {
        let ran = Ran::of(world.hansei().args(["risk", "--json", "--files", "-"]), path.as_bytes());
        assert_eq!(ran.code, i32::from(review), "{path}");
        let consequence = &ran.json()["consequence"];
        assert_eq!(consequence["surface"], surface);
        assert!((consequence["score"].as_f64().unwrap() - score).abs() < f64::EPSILON);
        assert_eq!(consequence["needs_review"], review);
        assert!(consequence["reason"].as_str().unwrap().contains(path), "{consequence}");
        assert!(Surface::from_name(surface).is_some());
    }
    let empty = Ran::of(world.hansei().args(["risk", "--json", "--files", "-"]), b"");
    let expected = json!({
        "commit": null,
        "consequence": { "needs_review": false, "score": 0.0, "surface": "none", "reason": "no files changed" },
        "rank": 0.0,
        "files": [],
    });
    let mut report = empty.json();
    assert!(report.as_object_mut().unwrap().remove("likelihood").is_some());
    assert_eq!((empty.code, report), (0, expected));
}

#[test]
fn each_form_looks_at_its_own_change() {
    let world = World::new();
    let base = world.git(&["rev-parse", "HEAD"]).trim().to_owned();
    world.git(&["checkout", "--quiet", "-b", "feature"]);
    world.write("login.rs", "x");
    world.commit("Feature");
    let feature = world.git(&["rev-parse", "HEAD"]).trim().to_owned();
    world.git(&["checkout", "--quiet", "main"]);
    world.write("elsewhere.sql", "x");
    world.commit("Main moved on");
    world.git(&["checkout", "--quiet", "feature"]);
    world.write("staged.css", "x");
    world.git(&["add", "."]);
    world.write("untracked.md", "x");

    let ask = |form: &[&str]| -> (Value, Value) {
        let report = world.run(&[&["risk", "--json"], form].concat()).json();
        (report["commit"].clone(), report["files"].clone())
    };
    assert_eq!(ask(&[]), (Value::Null, json!(["staged.css", "untracked.md"])));
    assert_eq!(ask(&["--staged"]), (Value::Null, json!(["staged.css"])));
    assert_eq!(ask(&["--base", &base]), (Value::Null, json!(["login.rs", "staged.css", "untracked.md"])));
    assert_eq!(
        ask(&["--base", "main", "--head", "feature"]),
        (json!(feature), json!(["login.rs"])),
        "not what main did"
    );
    assert_eq!(ask(&["--commit", "HEAD"]), (json!(feature), json!(["login.rs"])));
    assert_eq!(
        ask(&["--commit", &base]),
        (json!(base), json!(["README.md"])),
        "a first commit adds everything"
    );
    // A merge is looked at against its first parent.
    world.git(&["stash", "--quiet", "--include-untracked"]);
    world.git(&["merge", "--quiet", "--no-edit", "main"]);
    let merge = world.git(&["rev-parse", "HEAD"]).trim().to_owned();
    assert_eq!(ask(&["--commit", "HEAD"]), (json!(merge), json!(["elsewhere.sql"])));
}

#[test]
fn a_bare_repository_can_be_asked_about_commits() {
    let world = World::new();
    world.write("hansei.toml", "[risk]\nthreshold = 0.05\n");
    world.commit("Strict settings");
    world.write("guide.md", "x");
    world.commit("Docs");
    let bare = world.outside().join("hub.git");
    world.git(&["clone", "--quiet", "--bare", ".", bare.to_str().unwrap()]);
    let bare = bare.to_str().unwrap();
    let ran = world.run(&["risk", "--repo", bare, "--commit", "main", "--json"]);
    assert_eq!(
        (ran.code, ran.json()["files"].clone()),
        (1, json!(["guide.md"])),
        "with the settings of its parent"
    );
    let ran = world.run(&["risk", "--repo", bare, "--base", "HEAD~1", "--head", "HEAD"]);
    assert_eq!(ran.code, 1);
    let ran = world.run(&["risk", "--repo", bare]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.stderr.contains("a bare repository has no work tree") && ran.stderr.contains("hint: "),
        "{}",
        ran.stderr
    );
}

#[test]
fn lists_are_separated_by_lines_or_nuls() {
    let world = World::without_repository();
    let files = |list: &[u8]| {
        Ran::of(world.hansei().args(["risk", "--json", "--files", "-"]), list).json()["files"].clone()
    };
    assert_eq!(files(b"a\nb c\r\n\nd"), json!(["a", "b c", "d"]));
    assert_eq!(files(b"a\nb\0c\xff\0"), json!(["a\nb", r"c\xFF"]));
    world.write("list.txt", "src/auth.rs\n");
    assert_eq!(world.run(&["risk", "--files", "list.txt"]).code, 1);
}

#[test]
fn the_threshold_and_the_patterns_can_be_set() {
    let world = World::new();
    world.write("notes.md", "x");
    assert_eq!(world.run(&["risk"]).code, 0);
    assert_eq!(world.run(&["risk", "--threshold", "0.1"]).code, 1);
    world.write("hansei.toml", "[risk]\nthreshold = 0.1\n");
    assert_eq!(world.run(&["risk"]).code, 0, "settings that are part of the change do not count yet");
    world.commit("Settings");
    world.write("more.md", "x");
    assert_eq!(world.run(&["risk"]).code, 1);
    assert_eq!(world.run(&["risk", "--threshold", "0.2"]).code, 0, "a flag wins");
    // The user's own file wins over the repository's.
    let config = world.outside().join("home/.config/hansei");
    std::fs::create_dir_all(&config).unwrap();
    std::fs::write(
        config.join("config.toml"),
        "[risk]\nthreshold = 0.9\n[risk.surfaces.data]\nextend = ['more']\n",
    )
    .unwrap();
    let ran = world.run(&["risk", "--json"]);
    assert_eq!((ran.code, ran.json()["consequence"]["surface"].clone()), (1, json!("data")));
    let shown = world.run(&["config"]).stdout;
    assert!(shown.contains("risk.threshold = 0.9  (") && shown.contains("config.toml)"), "{shown}");
    let shown = world.run(&["config", "--json"]).json();
    assert_eq!(shown[1]["key"], "risk.surfaces.data");
}

#[test]
fn wrong_use_is_explained() {
    let world = World::new();
    for (arguments, message) in [
        (vec!["--threshold", "7"], "--threshold: 7 is not a number from 0 to 1"),
        (vec!["--threshold", "-1"], "--threshold: -1 is not"),
        (vec!["--commit", "nonsense"], "\"nonsense\" names no commit"),
        (vec!["--commit", "--output=/tmp/x"], "--output"),
        (vec!["--base", "HEAD", "--staged"], "cannot be used with"),
        (vec!["--head", "HEAD"], "--base"),
        (vec!["--format", "xml"], "xml"),
        (vec!["--repo", "/no/such"], "/no/such is not a folder"),
        (vec!["--files", "/no/such"], "--files /no/such"),
    ] {
        let ran = world.run(&[vec!["risk"], arguments.clone()].concat());
        assert_eq!(ran.code, 2, "{arguments:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(message), "{arguments:?}: {}", ran.stderr);
    }
    let outside = World::without_repository();
    let ran = outside.run(&["risk"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("is not in a git repository"), "{}", ran.stderr);
    world.write("hansei.toml", "[risk]\nthreshhold = 1\n");
    world.commit("A typing error");
    let ran = world.run(&["risk"]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.stderr.contains("hansei.toml: TOML parse error at line 2") && ran.stderr.contains("threshhold"),
        "{}",
        ran.stderr
    );
}

#[test]
fn github_annotations_are_escaped_and_bounded() {
    let world = World::without_repository();
    let list = b"src/auth,100%:\n.rs\0docs.md\0".as_slice();
    let ran = Ran::of(world.hansei().args(["risk", "--format", "github", "--files", "-"]), list);
    assert_eq!(ran.code, 1);
    assert_eq!(
        ran.stdout,
        "::warning file=src/auth%2C100%25%3A%0A.rs,title=Review needed%3A auth::auth surface: src/auth,100%25:%0A.rs (score 1.00, likelihood 0.07, rank 0.07)\n\
         ::notice title=Likelihood of a mistake::0.07, rank 0.07 (judged by paths alone: neither lines nor history are known)\n"
    );
    let many: String = (0..30).map(|number| format!("auth{number}")).collect::<Vec<_>>().join("\n");
    let ran = Ran::of(world.hansei().args(["risk", "--format", "github", "--files", "-"]), many.as_bytes());
    assert_eq!(ran.stdout.lines().filter(|line| line.starts_with("::warning")).count(), 10);
    assert!(ran.stdout.contains("\n::warning title=Review needed::and 21 more files\n"), "{}", ran.stdout);
    let calm = Ran::of(world.hansei().args(["risk", "--format", "github", "--files", "-"]), b"a.md");
    assert_eq!((calm.code, calm.stdout.lines().count()), (0, 2));
    assert!(calm.stdout.starts_with("::notice title=No review needed::docs surface: a.md\n::notice title=L"));
}

#[test]
fn sarif_is_valid_against_its_published_schema() {
    let world = World::without_repository();
    let validator = jsonschema::validator_for(&sarif_schema()).unwrap();
    for list in [b"".as_slice(), b"a.md", b"src/auth.rs\0with space/login%.rs\0caf\xe9-token\0"] {
        let ran = Ran::of(world.hansei().args(["risk", "--format", "sarif", "--files", "-"]), list);
        let log = ran.json();
        let errors: Vec<String> = validator.iter_errors(&log).map(|error| error.to_string()).collect();
        assert_eq!(errors, Vec::<String>::new());
        assert_eq!(
            log["runs"][0]["results"].as_array().unwrap().len(),
            if list.contains(&0) { 3 } else { 0 }
        );
    }
    let ran =
        Ran::of(world.hansei().args(["risk", "--format", "sarif", "--files", "-"]), b"a b/caf\xe9-token");
    let location =
        &ran.json()["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
    assert_eq!(location, "a%20b/caf%E9-token");
    let mut broken = ran.json();
    broken["runs"][0]["results"][0]["level"] = json!("loud");
    assert!(!validator.is_valid(&broken), "the schema does refuse");
}

/// The schema comes with a crate that is fetched but never built.
fn sarif_schema() -> Value {
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    let output = std::process::Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--locked", "--manifest-path", manifest])
        .output()
        .unwrap();
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let package = packages.iter().find(|package| package["name"] == "serde-sarif").unwrap();
    let folder = std::path::Path::new(package["manifest_path"].as_str().unwrap()).parent().unwrap();
    let schema = std::fs::read_to_string(folder.join("src/schema.json")).unwrap();
    // The published pattern for a language has a stray bracket, which only JavaScript reads as itself.
    serde_json::from_str(&schema.replace("[a-zA-Z]{2}]?$", r"[a-zA-Z]{2}\\]?$")).unwrap()
}
