//! Patterns for the stacks that the specified ones do not know: Rust, Go, Python, Java, C#, Ruby, PHP, mobile and
//! common tooling. They are asked only about paths that no specified pattern matches, and ignore case.

use super::floor_patterns;
use crate::surface::Surface;
use Pattern::{Contains, Folder, Name, Stem, Suffix, Word};

/// What a pattern looks at. All are written in lower case.
enum Pattern {
    /// Anywhere in the path.
    Contains(&'static str),
    /// One of the folders on the way.
    Folder(&'static str),
    /// The whole file name.
    Name(&'static str),
    /// The beginning of the file name.
    Stem(&'static str),
    /// The end of the file name.
    Suffix(&'static str),
    /// A word of the path, where `-`, `_`, `.`, `/` and a capital after a small letter part words.
    Word(&'static str),
}

/// A path prepared for matching.
pub(super) struct Subject {
    lower: String,
    words: Vec<String>,
}

impl Subject {
    pub(super) fn new(path: &str) -> Self {
        let mut words = vec![String::new()];
        let mut after_small = false;
        for c in path.chars() {
            if !c.is_alphanumeric() || (c.is_uppercase() && after_small) {
                words.push(String::new());
            }
            if c.is_alphanumeric()
                && let Some(word) = words.last_mut()
            {
                word.extend(c.to_lowercase());
            }
            after_small = c.is_lowercase() || c.is_numeric();
        }
        Self { lower: path.to_lowercase(), words }
    }

    fn name(&self) -> &str {
        self.lower.trim_end_matches('/').rsplit('/').next().unwrap_or(&self.lower)
    }

    fn has(&self, pattern: &Pattern) -> bool {
        match *pattern {
            Contains(text) => self.lower.contains(text),
            Folder(folder) => {
                let mut parts = self.lower.split('/').rev();
                parts.next();
                parts.any(|part| part == folder)
            }
            Name(name) => self.name() == name,
            Stem(stem) => self.name().starts_with(stem),
            Suffix(suffix) => self.name().ends_with(suffix),
            Word(word) => self.words.iter().any(|w| w == word),
        }
    }
}

/// Whether a pattern of `surface`, or a specified one in another case, matches.
pub(super) fn matches(surface: Surface, path: &Subject) -> bool {
    patterns(surface).iter().any(|pattern| path.has(pattern)) || floor_patterns::matches(surface, &path.lower)
}

const fn patterns(surface: Surface) -> &'static [Pattern] {
    match surface {
        Surface::Auth => AUTH,
        Surface::Data => DATA,
        Surface::Infra => INFRA,
        Surface::Build => BUILD,
        Surface::Ui => UI,
        Surface::Test => TEST,
        Surface::Docs => DOCS,
        Surface::None => &[],
    }
}

#[rustfmt::skip]
const AUTH: &[Pattern] = &[
    Contains("password"), Contains("passwd"), Contains("signin"), Contains("signup"), Contains("logout"),
    Contains("jwt"), Contains("saml"), Contains("oidc"), Contains("keystore"), Contains("keychain"), Contains("sudoers"),
    Contains("security"), Contains("crypto"), Contains("csrf"),
    Word("sso"), Word("acl"), Word("iam"), Word("mfa"), Word("2fa"), Word("totp"), Word("cors"), Word("vault"),
    Stem(".env"), Suffix(".pem"), Suffix(".key"), Suffix(".p12"), Suffix(".pfx"), Suffix(".jks"),
    Suffix(".entitlements"), Suffix(".mobileprovision"), Name("codeowners"), Name(".htaccess"),
];

#[rustfmt::skip]
const DATA: &[Pattern] = &[
    Word("migrate"), Word("dao"), Word("ddl"), Word("database"), Word("databases"), Word("orm"), Contains("alembic"),
    Contains("flyway"), Contains("liquibase"), Contains("hibernate"), Contains("sequelize"), Contains("typeorm"),
    Contains("dbcontext"), Contains("xcdatamodel"), Contains("app/models/"), Folder("db"), Folder("entities"),
    Name("models.py"), Name("models.go"), Name("models.rs"), Name("diesel.toml"), Suffix(".proto"), Suffix(".avsc"),
    Suffix(".graphql"), Suffix(".gql"), Suffix(".thrift"), Suffix(".fbs"), Suffix(".xsd"), Suffix(".sqlite"),
    Suffix(".sqlite3"), Suffix(".db"), Suffix(".edmx"), Suffix(".hbm.xml"), Suffix("entity.java"),
    Suffix("repository.java"), Suffix("repository.cs"), Suffix("repository.kt"),
];

#[rustfmt::skip]
const INFRA: &[Pattern] = &[
    Contains(".github/workflows/"), Contains(".github/actions/"), Contains(".circleci/"), Contains(".buildkite/"),
    Stem(".gitlab-ci"), Stem("jenkinsfile"), Stem(".travis."), Stem("azure-pipelines"), Stem(".drone."),
    Stem("bitbucket-pipelines"), Stem("cloudbuild."), Stem("codemagic."), Stem("bitrise."), Stem("appspec."),
    Stem("buildspec."), Word("ansible"), Word("playbook"), Word("playbooks"), Word("puppet"), Word("vagrantfile"),
    Word("packer"), Word("nomad"), Word("kubernetes"), Word("kustomization"), Word("pulumi"), Word("cloudformation"),
    Word("serverless"), Word("nginx"), Word("haproxy"), Word("caddyfile"), Word("systemd"), Word("skaffold"),
    Word("argocd"), Word("istio"), Word("prometheus"), Word("fastlane"), Word("containerfile"), Suffix(".tf"),
    Suffix(".tfvars"), Suffix(".hcl"), Suffix(".service"), Suffix(".timer"), Name("procfile"), Name("fly.toml"),
    Name("render.yaml"), Name("vercel.json"), Name("netlify.toml"), Name("cdk.json"), Name("app.yaml"),
    Name("wrangler.toml"), Folder("infra"), Folder("infrastructure"), Folder("ops"), Name("crontab"),
];

#[rustfmt::skip]
const BUILD: &[Pattern] = &[
    Name("cargo.toml"), Name("cargo.lock"), Name("build.rs"), Stem("rust-toolchain"), Folder(".cargo"), Name("deny.toml"),
    Name("clippy.toml"), Name("go.mod"), Name("go.sum"), Name("go.work"), Stem(".golangci"), Name("pyproject.toml"),
    Name("setup.py"), Name("setup.cfg"), Stem("requirements"), Name("pipfile"), Name("pipfile.lock"), Name("poetry.lock"),
    Name("uv.lock"), Name("tox.ini"), Name("noxfile.py"), Name("environment.yml"), Name("mypy.ini"), Name("ruff.toml"),
    Name(".flake8"), Stem(".pre-commit"), Name("manifest.in"), Name("pom.xml"), Suffix(".gradle"), Suffix(".gradle.kts"),
    Name("gradle.properties"), Stem("gradlew"), Name("libs.versions.toml"), Name("mvnw"), Suffix(".sbt"), Stem("checkstyle"),
    Suffix(".csproj"), Suffix(".fsproj"), Suffix(".vbproj"), Suffix(".sln"), Suffix(".props"), Suffix(".targets"),
    Name("nuget.config"), Name("global.json"), Name("gemfile"), Name("gemfile.lock"), Suffix(".gemspec"), Name("rakefile"),
    Stem(".rubocop"), Name("composer.json"), Name("composer.lock"), Stem("phpstan"), Stem("makefile"), Suffix(".mk"),
    Name("gnumakefile"), Name("cmakelists.txt"), Suffix(".cmake"), Stem("meson."), Stem("build.bazel"), Name("build"),
    Name("workspace"), Name("module.bazel"), Suffix(".bzl"), Name("justfile"), Stem("taskfile."), Name("package-lock.json"),
    Name("npm-shrinkwrap.json"), Name("yarn.lock"), Stem("bun.lock"), Stem("deno.json"), Stem("deno.lock"), Word("webpack"),
    Word("rollup"), Word("babel"), Name("lerna.json"), Name("nx.json"), Stem(".npmrc"), Stem(".nvmrc"), Name(".tool-versions"),
    Name("podfile"), Name("podfile.lock"), Name("package.swift"), Name("package.resolved"), Name("cartfile"),
    Suffix(".podspec"), Suffix(".pbxproj"), Suffix(".xcconfig"), Suffix(".xcscheme"), Name("info.plist"),
    Name("androidmanifest.xml"), Stem("proguard"), Name("pubspec.yaml"), Name("pubspec.lock"), Name("mix.exs"),
    Name("mix.lock"), Suffix(".nix"), Name("flake.lock"), Name("configure.ac"), Name(".gitmodules"), Name("conanfile.txt"),
    Name("vcpkg.json"), Name(".gitattributes"),
];

#[rustfmt::skip]
const UI: &[Pattern] = &[
    Suffix(".jsx"), Suffix(".vue"), Suffix(".svelte"), Suffix(".astro"), Suffix(".scss"), Suffix(".sass"), Suffix(".less"),
    Suffix(".styl"), Suffix(".html"), Suffix(".htm"), Suffix(".erb"), Suffix(".haml"), Suffix(".slim"), Suffix(".jinja"),
    Suffix(".jinja2"), Suffix(".j2"), Suffix(".ejs"), Suffix(".hbs"), Suffix(".mustache"), Suffix(".twig"),
    Suffix(".blade.php"), Suffix(".phtml"), Suffix(".cshtml"), Suffix(".razor"), Suffix(".xaml"), Suffix(".axaml"),
    Suffix(".storyboard"), Suffix(".xib"), Suffix(".qml"), Suffix(".jsp"), Suffix(".ftl"), Suffix(".heex"), Suffix(".leex"),
    Suffix("view.swift"), Suffix("viewcontroller.swift"), Suffix("activity.kt"), Suffix("activity.java"),
    Suffix("fragment.kt"), Suffix("fragment.java"), Suffix("screen.kt"), Suffix("_screen.dart"), Suffix("_page.dart"),
    Contains("res/layout"), Contains("res/drawable"), Folder("widgets"), Folder("screens"), Folder("views"),
    Folder("layouts"), Folder("pages"),
];

#[rustfmt::skip]
const TEST: &[Pattern] = &[
    Suffix("_test.go"), Suffix("_test.rs"), Suffix("_tests.rs"), Suffix("_test.py"), Suffix("_test.cc"), Suffix("_test.cpp"),
    Suffix("_test.dart"), Suffix("_test.exs"), Suffix("_spec.rb"), Suffix("_test.rb"), Suffix("test.java"),
    Suffix("tests.java"), Suffix("it.java"), Suffix("test.kt"), Suffix("test.cs"), Suffix("tests.cs"), Suffix("test.php"),
    Suffix("tests.swift"), Suffix("test.scala"), Suffix("spec.scala"), Suffix(".snap"), Suffix(".feature"), Stem("test_"),
    Name("conftest.py"), Name("pytest.ini"), Name("tests.py"), Name("tests.rs"), Stem("phpunit."), Folder("test"),
    Folder("tests"), Folder("spec"), Folder("specs"), Folder("testdata"), Folder("fixtures"), Folder("__snapshots__"),
    Folder("e2e"), Folder("cypress"), Folder("benches"), Folder("androidtest"), Folder("uitests"),
];

#[rustfmt::skip]
const DOCS: &[Pattern] = &[
    Suffix(".rst"), Suffix(".adoc"), Suffix(".asciidoc"), Suffix(".txt"), Suffix(".tex"), Suffix(".org"), Suffix(".pod"),
    Stem("readme"), Stem("license"), Stem("licence"), Stem("copying"), Stem("notice"), Stem("authors"), Stem("changelog"),
    Stem("changes"), Stem("contributing"), Stem("history."), Folder("doc"), Folder("man"),
];
