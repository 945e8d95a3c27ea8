//! Tables of paths and the surfaces they belong to.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;

fn surface(path: &str) -> Surface {
    Floor::default().surface_of(path)
}

/// The floor exactly as it is specified, written down a second time with real regular expressions.
fn specified(path: &str) -> Option<Surface> {
    let table = [
        (Surface::Auth, "auth|login|session|token|permission|rbac|credential|secret"),
        (Surface::Data, r"migration|prisma|schema|\.sql|entity|repository|seed"),
        (Surface::Infra, r"docker|\.woodpecker|compose|traefik|deploy|helm|k8s|terraform"),
        (Surface::Build, r"package.json|tsconfig|turbo.json|pnpm-|\.config\.|eslint|vite"),
        (Surface::Ui, r"\.tsx|\.css|components/|apps/web/"),
        (Surface::Test, r"\.spec\.|\.test\.|__tests__/"),
        (Surface::Docs, r"\.md|docs/"),
    ];
    table
        .into_iter()
        .find(|(_, pattern)| regex::Regex::new(pattern).unwrap().is_match(path))
        .map(|(surface, _)| surface)
}

#[test]
fn every_specified_pattern_places_a_path_on_its_surface() {
    for surface in PRECEDENCE {
        for pattern in floor_patterns::patterns(surface) {
            let path = format!("x/{}y", pattern.replace('?', "."));
            assert_eq!(Some(super::tests::surface(&path)), specified(&path), "{path}");
        }
    }
}

#[test]
fn weights_are_as_specified() {
    let weights = [1.0, 0.9, 0.85, 0.6, 0.4, 0.2, 0.1];
    for (surface, weight) in PRECEDENCE.into_iter().zip(weights) {
        assert!((surface.weight() - weight).abs() < f64::EPSILON, "{surface}");
    }
    assert!(Surface::None.weight().abs() < f64::EPSILON);
}

#[test]
fn first_match_wins_within_a_path_and_the_costliest_surface_among_paths() {
    assert_eq!(surface("docs/auth.md"), Surface::Auth);
    assert_eq!(surface("apps/web/schema.tsx"), Surface::Data);
    let verdict = Floor::default().evaluate(&["README.md", "src/button.tsx", "db/001.sql", "x.bin"]);
    assert_eq!(verdict.surface, Surface::Data);
    assert_eq!(verdict.reason, "data surface: db/001.sql");
    assert!(verdict.needs_review);
}

#[test]
fn reviews_are_asked_for_from_the_threshold_on() {
    for (path, review) in [
        ("src/login.rs", true),
        ("a.sql", true),
        ("docker/x", true),
        ("package.json", true),
        ("a.css", false),
        ("a.test.js", false),
        ("a.md", false),
        ("data.bin", false),
    ] {
        assert_eq!(Floor::default().evaluate(&[path]).needs_review, review, "{path}");
    }
    let at = |threshold: f64, path| {
        let threshold = UnitInterval::try_from(threshold).unwrap();
        Floor::new(threshold, &BTreeMap::new()).unwrap().evaluate(&[path]).needs_review
    };
    assert!(at(0.4, "a.css") && !at(0.41, "a.css"));
    assert!(at(1.0, "auth.rs") && at(0.0, "data.bin"));
}

#[test]
fn an_empty_change_needs_nothing() {
    let verdict =
        Floor::new(UnitInterval::try_from(0.0).unwrap(), &BTreeMap::new()).unwrap().evaluate::<&str>(&[]);
    assert_eq!((verdict.needs_review, verdict.surface), (false, Surface::None));
    assert_eq!(verdict.reason, "no files changed");
}

#[test]
fn a_long_reason_is_cut_and_says_so() {
    let files: Vec<String> = (0..8).map(|n| format!("auth{n}.rs")).collect();
    assert_eq!(
        Floor::default().evaluate(&files).reason,
        "auth surface: auth0.rs, auth1.rs, auth2.rs, auth3.rs, auth4.rs and 3 more"
    );
}

#[test]
#[rustfmt::skip]
fn other_stacks() {
    use Surface::{Auth, Build, Data, Docs, Infra, None, Test, Ui};
    for (path, expected) in [
        ("Cargo.toml", Build), ("crates/x/build.rs", Build), ("src/parse.rs", None), ("tests/cli.rs", Test),
        ("go.mod", Build), ("pkg/parse_test.go", Test), ("internal/jwt/verify.go", Auth), ("api/v1.proto", Data),
        ("pyproject.toml", Build), ("requirements-dev.txt", Build), ("app/models.py", Data), ("tests/test_x.py", Test),
        ("alembic/versions/1.py", Data), ("pom.xml", Build), ("src/main/java/a/AuthService.java", Auth),
        ("src/test/java/a/ParserTest.java", Test), ("src/a/SecurityConfig.java", Auth), ("App.csproj", Build),
        ("Data/AppDbContext.cs", Data), ("Views/Home.cshtml", Ui), ("Gemfile.lock", Build), ("db/migrate/1.rb", Data),
        ("spec/x_spec.rb", Test), ("app/views/x.html.erb", Ui), ("composer.lock", Infra), ("a/x.blade.php", Ui),
        ("ios/App/Info.plist", Build), ("ios/Main.storyboard", Ui), ("android/app/build.gradle.kts", Build),
        ("Dockerfile", Infra), ("Jenkinsfile", Infra), (".github/workflows/ci.yml", Infra), ("main.tf", Infra),
        (".env.production", Auth), ("guide/index.rst", Docs), ("LICENSE", Docs), ("src/lesson.rs", None),
        ("src/jam.rs", None), ("config/SSO.yml", Auth), ("src/SsoClient.go", Auth), ("Makefile", Build),
    ] {
        assert_eq!(surface(path), expected, "{path}");
    }
}

#[test]
fn own_patterns_extend_or_replace_a_surface() {
    let patterns = |replace: Option<&[&str]>, extend: &[&str]| SurfacePatterns {
        replace: replace.map(|all| all.iter().map(ToString::to_string).collect()),
        extend: extend.iter().map(ToString::to_string).collect(),
    };
    let floor = |surface, own| {
        Floor::new(UnitInterval::try_from(0.5).unwrap(), &BTreeMap::from([(surface, own)])).unwrap()
    };
    let billing = floor(Surface::Auth, patterns(None, &["^billing/"]));
    assert_eq!(billing.surface_of("billing/page.tsx"), Surface::Auth);
    assert_eq!(billing.surface_of("src/login.ts"), Surface::Auth);
    let narrow = floor(Surface::Auth, patterns(Some(&["^vault/"]), &[]));
    assert_eq!(narrow.surface_of("vault/x.rs"), Surface::Auth);
    assert_eq!(narrow.surface_of("author.rs"), Surface::None);
    let error = Floor::new(
        UnitInterval::try_from(0.5).unwrap(),
        &BTreeMap::from([(Surface::Data, patterns(None, &["("]))]),
    );
    assert!(error.unwrap_err().to_string().starts_with("risk.surfaces.data: \"(\" is not"));
}

proptest! {
    /// Paths put together from patterns, folders and case changes, so that many patterns meet in one path.
    #[test]
    fn the_extended_floor_never_changes_a_specified_verdict(
        parts in proptest::collection::vec(prop_oneof![
            Just("auth"), Just("Login"), Just("schema"), Just(".sql"), Just("docker"), Just("Dockerfile"), Just("package.json"),
            Just("packageXjson"), Just(".config."), Just(".tsx"), Just("components/"), Just(".spec."), Just("docs/"), Just(".md"),
            Just("/"), Just("tests/"), Just("Cargo.toml"), Just("models.py"), Just("src"), Just("_test.go"), Just(".env"), Just("vite"),
        ], 1..6)
    ) {
        let path: String = parts.concat();
        if let Some(expected) = specified(&path) {
            prop_assert_eq!(surface(&path), expected, "{}", path);
        }
    }
}
