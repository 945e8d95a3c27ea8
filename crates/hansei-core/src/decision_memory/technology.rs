//! A technology that people name in words (`MongoDB`, `GraphQL`): what it is called where packages and images are named, and
//! which files it brings along.

use super::command_line::runs;
use super::file_kind::{FileKind, base_name, holds, lists_packages};
use super::import::is_import;
use super::keeping_out::keeps_out;
use super::names::Name;
use super::place::Place;
use super::syntax::Stretch;

/// Names of packages and images that do not hold the name of what they are for.
const KNOWN_AS: &[(&str, &str)] = &[
    ("postgresql", "postgres pg psycopg psycopg2 asyncpg pgx npgsql"),
    ("mongodb", "mongo mongoose pymongo motor mgo"),
    ("rabbitmq", "amqp amqplib pika lapin rabbit"),
    ("memcached", "memcache pymemcache pylibmc memjs dalli"),
    ("mysql", "mysql2 pymysql mysqlclient"),
    ("kafka", "kafkajs sarama rdkafka"),
    ("redis", "ioredis jedis lettuce redix predis"),
    ("sqlite", "sqlite3 rusqlite"),
    ("graphql", "apollo mercurius graphene juniper gqlgen gql"),
    ("grpc", "grpcio tonic"),
    ("protobuf", "prost protoc"),
    ("websocket", "ws websockets"),
    ("websockets", "ws websocket"),
    ("elasticsearch", "elastic"),
    ("kubernetes", "k8s"),
    ("jquery", "jquery"),
];

/// Files that only such a technology has.
const FILES: &[(&str, &str)] = &[
    ("graphql", ".graphql .gql"),
    ("grpc", ".proto"),
    ("protobuf", ".proto"),
    ("protocol-buffers", ".proto"),
    ("thrift", ".thrift"),
    ("avro", ".avsc"),
    ("soap", ".wsdl"),
    ("coffeescript", ".coffee"),
    ("sass", ".sass .scss"),
    ("less", ".less"),
    ("terraform", ".tf"),
    ("jenkins", "jenkinsfile"),
    ("docker", "dockerfile"),
    ("travis", ".travis.yml"),
    ("travis-ci", ".travis.yml"),
    ("circleci", ".circleci/"),
    ("github-actions", ".github/workflows/"),
    ("gitlab-ci", ".gitlab-ci.yml"),
    ("bazel", "build.bazel module.bazel"),
    ("gradle", "build.gradle build.gradle.kts"),
    ("maven", "pom.xml"),
    ("pipenv", "pipfile"),
    ("poetry", "poetry.lock"),
    ("yarn", "yarn.lock"),
    ("npm", "package-lock.json"),
    ("pnpm", "pnpm-lock.yaml"),
    ("prisma", ".prisma"),
    ("ansible", "ansible.cfg"),
];

/// Programs that fetch packages.
const FETCHING: &[&str] = &[
    "pip install", "pip3 install", "poetry add", "uv add", "uv pip install", "npm install", "npm i ",
    "yarn add", "pnpm add", "bun add", "cargo add", "cargo install", "go get", "go install",
    "apt-get install", "apt install", "apk add", "dnf install", "yum install", "brew install", "gem install",
    "composer require", "dotnet add", "helm install", "docker run", "docker pull",
];

/// All ways to write the name of a technology, in lower case.
pub(super) fn called(name: &str) -> Vec<String> {
    let lower = name.to_lowercase().replace(' ', "-");
    let mut all = vec![lower.clone()];
    if let Some(bare) = lower.strip_suffix(".js").or_else(|| lower.strip_suffix(".io")) {
        all.push(bare.to_owned());
    }
    // `Vert.x` is `vertx` where no dot may stand.
    if lower.len() >= 5 && lower.contains('.') {
        all.push(lower.replace('.', ""));
    }
    let known = KNOWN_AS.iter().filter(|(technology, _)| *technology == lower);
    all.extend(known.flat_map(|(_, names)| names.split_whitespace()).map(str::to_owned));
    all
}

/// Whether a name of a package or an image is one for a technology: it is called so, or a part of its name is.
fn is_for(package: &str, wanted: &[String]) -> bool {
    let package = package.to_lowercase();
    let mut parts = package.split(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '_' | '.')));
    parts.any(|part| {
        wanted.iter().any(|name| {
            let part = part.trim_matches(['.', '-', '_']);
            let bare = |text: &str| text == name || text.trim_end_matches(char::is_numeric) == name;
            part == name
                || part.split(['-', '_', '.']).any(|piece| {
                    let stripped = ["js", "py", "rs", "sharp", "client", "go"]
                        .iter()
                        .filter_map(|end| piece.strip_suffix(end))
                        .chain(
                            ["py", "node", "io", "go"].iter().filter_map(|start| piece.strip_prefix(start)),
                        )
                        .any(|rest| rest == name && name.len() >= 4);
                    bare(piece) || stripped
                })
                || (name.contains('-') && part.replace('_', "-").contains(name.as_str()))
        })
    })
}

/// Whether a line uses a technology: imports something for it, depends on it, runs its image, names its address or chooses it
/// as a setting.
pub(super) fn uses_technology(place: &Place<'_>, name: &Name) -> bool {
    let wanted = called(&name.text);
    let read = place.read();
    let line = read.without_comment();
    let lower = line.to_lowercase();
    if wanted
        .iter()
        .any(|name| lower.contains(&format!("{name}://")) || lower.contains(&format!("{name}+srv://")))
    {
        return true;
    }
    match place.kind {
        FileKind::Manifest => {
            let code = read.code();
            let code = code.trim();
            let asked = code.strip_prefix("require ").unwrap_or(code);
            let is_named =
                |text: &str| text.split_whitespace().count() <= 4 && is_for(first_of(text), &wanted);
            super::manifest::depends(place, &wanted[0])
                || !super::manifest::is_for_people(place)
                    && (read.of(Stretch::Text).take(2).any(is_named)
                        || in_element(&lower, &wanted)
                        || (!line.contains('"') && is_named(asked.trim())))
        }
        FileKind::Words => {
            let trimmed = lower.trim().trim_start_matches("- ");
            let image = ["image:", "from ", "uses:", "repository:", "chart:"]
                .iter()
                .any(|start| trimmed.starts_with(start));
            let fetched = FETCHING.iter().any(|command| trimmed.contains(command));
            let value = trimmed
                .split_once([':', '='])
                .map(|(_, value)| value.trim().trim_matches(['"', '\'', ',', ' ']));
            let chosen = value.is_some_and(|value| wanted.iter().any(|name| value == name));
            ((image || fetched)
                && trimmed
                    .split_whitespace()
                    .skip(1)
                    .any(|word| is_for(word.trim_matches(['"', '\'']), &wanted)))
                || (chosen && !super::uses::is_label(trimmed))
                || runs(place, &wanted[0])
        }
        _ if lists_packages(place.path) => {
            read.of(Stretch::Text).any(|text| !text.contains(' ') && is_for(text, &wanted))
                && !keeps_out(place)
        }
        _ => is_import(read, place.kind) && imports(place, &wanted),
    }
}

/// The part of a text in front of a version.
fn first_of(text: &str) -> &str {
    text.split(['=', '<', '>', '~', '^', ' ', ';']).next().unwrap_or(text)
}

fn in_element(line: &str, wanted: &[String]) -> bool {
    let Some((_, behind)) = line.split_once("<artifactid>").or_else(|| line.split_once("include=\"")) else {
        return false;
    };
    is_for(behind.split(['<', '"']).next().unwrap_or_default(), wanted)
}

fn imports(place: &Place<'_>, wanted: &[String]) -> bool {
    let read = place.read();
    let is_foreign = |text: &str| {
        !text.starts_with(['.', '/', '~', '#']) && !text.starts_with("@/") && !text.contains(' ')
    };
    if read.of(Stretch::Text).any(|text| is_foreign(text.trim()) && is_for(text, wanted)) {
        return true;
    }
    let code = read.code();
    let mut words = code.split([' ', ';', '<', '>', '(', '"', '{', ',']).filter(|word| !word.is_empty());
    let module = words.find(|word| {
        !holds(
            "import from use pub static using include #include require extern crate open alias global",
            word,
        )
    });
    let Some(module) = module.filter(|module| is_foreign(module)) else { return false };
    let parts: Vec<&str> = module.split(['.', ':', '\\', '/']).filter(|part| !part.is_empty()).collect();
    let Some(first) = parts.first() else { return false };
    // `akka.http` is the module of `Akka HTTP`.
    let joined = parts.join("-").to_lowercase();
    let begins = |name: &String| {
        name.contains('-')
            && joined.strip_prefix(name.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    };
    if is_for(first, wanted) || wanted.iter().any(begins) {
        return true;
    }
    // `org.apache.kafka` is somebody's; the company's own is where the file stands.
    let hosted = holds("com org io net dev edu javax jakarta de fr uk", first) && parts.len() >= 3;
    let own = parts.len() >= 2 && place.path.contains(&format!("{first}/{}", parts[1]));
    hosted && !own && parts.iter().take(4).any(|part| is_for(part, wanted))
}

/// Whether a file is one that such a technology brings: a schema, a pipeline, its settings.
pub(super) fn brings_file(name: &str, path: &str) -> bool {
    let lower = name.to_lowercase().replace(' ', "-");
    let file = base_name(path);
    let is_settings = lower.len() >= 3
        && (file.starts_with(&format!("{lower}.config."))
            || file == format!(".{lower}rc")
            || file.starts_with(&format!(".{lower}rc.")));
    let patterns = FILES.iter().filter(|(technology, _)| *technology == lower);
    is_settings
        || patterns.flat_map(|(_, patterns)| patterns.split_whitespace()).any(|pattern| {
            if let Some(folder) = pattern.strip_suffix('/') {
                return path.starts_with(&format!("{folder}/"));
            }
            file == pattern || (pattern.starts_with('.') && file.ends_with(pattern))
        })
}
