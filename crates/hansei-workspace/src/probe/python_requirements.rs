//! What a Python project declares: requirements files, `pyproject.toml`, `setup.cfg`, `setup.py`, `Pipfile`, `environment.yml`.

use super::pattern::Pattern;
use super::tree::{Tree, base};

static REQUIREMENT: Pattern = Pattern::new(
    r"^\s*([A-Za-z0-9][A-Za-z0-9._-]*)\s*(\[[^\]]*\])?\s*\(?([<>=!~^*\d][^;#()]*)?\)?\s*(;[^#]*)?(#.*)?$",
);
static QUOTED: Pattern =
    Pattern::new(r#"['"]([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[[^\]]*\])?\s*([<>=!~][^'";]*)?(;[^'"]*)?['"]"#);

/// A package that is asked for.
#[derive(Debug, Clone)]
pub(super) struct Requirement {
    /// Its name, in lower case and with `-`.
    pub(super) name: String,
    pub(super) range: String,
    /// The file and line.
    pub(super) place: String,
    pub(super) file: String,
    /// Only for some systems or versions, or one of several extras.
    pub(super) is_optional: bool,
    /// Read from a text in which it may mean something else.
    pub(super) is_vague: bool,
}

/// A distribution's name as all tools compare it.
pub(super) fn normal(name: &str) -> String {
    name.to_ascii_lowercase().replace(['_', '.'], "-")
}

/// All that the project declares.
pub(super) fn declared(tree: &Tree) -> Vec<Requirement> {
    let mut all = Vec::new();
    for file in tree.files() {
        let name = base(&file.path);
        let in_folder = file.path.contains("requirements/") && name.ends_with(".txt");
        let is_list = (name.starts_with("requirements") || name.starts_with("constraints") || in_folder)
            && (name.ends_with(".txt") || name.ends_with(".in"));
        let known = is_list
            || matches!(
                name,
                "pyproject.toml" | "setup.cfg" | "setup.py" | "Pipfile" | "tox.ini" | "noxfile.py"
            )
            || name.starts_with("environment.y");
        let ours = file.path.starts_with(tree.scope()) || !file.path.contains('/');
        if !known || !ours {
            continue;
        }
        let Some(text) = tree.text(&file.path) else { continue };
        match name {
            "pyproject.toml" => pyproject(&file.path, &text, &mut all),
            "Pipfile" => pipfile(&file.path, &text, &mut all),
            "setup.py" | "noxfile.py" => quoted(&file.path, &text, &mut all),
            "setup.cfg" | "tox.ini" => lines(&file.path, &text, true, &mut all),
            _ if is_list => lines(&file.path, &text, false, &mut all),
            _ => lines(&file.path, &text.replace("- ", " "), true, &mut all),
        }
    }
    all
}

fn lines(path: &str, text: &str, is_vague: bool, all: &mut Vec<Requirement>) {
    for (at, line) in text.lines().enumerate() {
        let line = line.split(" --").next().unwrap_or_default().trim_end_matches(['\\', ' ']);
        let Some(hit) = REQUIREMENT.first(line).filter(|_| !line.trim_start().starts_with(['#', '-'])) else {
            continue;
        };
        all.push(Requirement {
            name: normal(hit.group(1)),
            range: hit.group(3).trim().to_owned(),
            place: format!("{path}:{}", at + 1),
            file: path.to_owned(),
            is_optional: !hit.group(4).is_empty(),
            is_vague,
        });
    }
}

fn quoted(path: &str, text: &str, all: &mut Vec<Requirement>) {
    for hit in QUOTED.all(text) {
        all.push(Requirement {
            name: normal(hit.group(1)),
            range: hit.group(2).trim().to_owned(),
            place: format!("{path}:{}", hit.line()),
            file: path.to_owned(),
            is_optional: true,
            is_vague: true,
        });
    }
}

fn one(path: &str, text: &str, written: &str, is_optional: bool) -> Option<Requirement> {
    let hit = REQUIREMENT.first(written)?;
    let at = text.lines().position(|line| line.contains(written)).map_or(1, |at| at + 1);
    Some(Requirement {
        name: normal(hit.group(1)),
        range: hit.group(3).trim().to_owned(),
        place: format!("{path}:{at}"),
        file: path.to_owned(),
        is_optional: is_optional || !hit.group(4).is_empty(),
        is_vague: false,
    })
}

fn pyproject(path: &str, text: &str, all: &mut Vec<Requirement>) {
    let Ok(table) = text.parse::<toml::Table>() else { return };
    let strings = |value: Option<&toml::Value>| -> Vec<String> {
        let list = value.and_then(toml::Value::as_array).into_iter().flatten();
        list.filter_map(toml::Value::as_str).map(str::to_owned).collect()
    };
    let project = table.get("project").and_then(toml::Value::as_table);
    for written in strings(project.and_then(|project| project.get("dependencies"))) {
        all.extend(one(path, text, &written, false));
    }
    let groups = [
        project.and_then(|project| project.get("optional-dependencies")),
        table.get("dependency-groups"),
        table.get("tool").and_then(|tool| tool.get("pdm")).and_then(|pdm| pdm.get("dev-dependencies")),
    ];
    for group in groups.into_iter().flatten().filter_map(toml::Value::as_table) {
        for written in group.values().flat_map(|list| strings(Some(list))) {
            all.extend(one(path, text, &written, true));
        }
    }
    for written in strings(table.get("build-system").and_then(|build| build.get("requires"))) {
        all.extend(one(path, text, &written, true));
    }
    let poetry = table.get("tool").and_then(|tool| tool.get("poetry"));
    let main = poetry.and_then(|poetry| poetry.get("dependencies")).and_then(toml::Value::as_table);
    tables(path, text, main, false, all);
    let dev = poetry.and_then(|poetry| poetry.get("dev-dependencies")).and_then(toml::Value::as_table);
    tables(path, text, dev, true, all);
    let groups = poetry.and_then(|poetry| poetry.get("group")).and_then(toml::Value::as_table);
    for group in groups.into_iter().flat_map(toml::Table::values) {
        tables(path, text, group.get("dependencies").and_then(toml::Value::as_table), true, all);
    }
}

fn pipfile(path: &str, text: &str, all: &mut Vec<Requirement>) {
    let Ok(table) = text.parse::<toml::Table>() else { return };
    tables(path, text, table.get("packages").and_then(toml::Value::as_table), false, all);
    tables(path, text, table.get("dev-packages").and_then(toml::Value::as_table), true, all);
}

/// Tables of names and ranges, as Poetry and Pipenv write them.
fn tables(
    path: &str,
    text: &str,
    table: Option<&toml::Table>,
    is_optional: bool,
    all: &mut Vec<Requirement>,
) {
    for (name, value) in table.into_iter().flatten().filter(|(name, _)| *name != "python") {
        let range = value.as_str().or_else(|| value.get("version").and_then(toml::Value::as_str));
        let at = text.lines().position(|line| line.trim_start().starts_with(name.as_str()));
        let elsewhere = value.as_table().is_some_and(|table| {
            ["path", "git", "url", "markers", "python", "platform"].iter().any(|key| table.contains_key(*key))
        });
        let optional = value.get("optional").and_then(toml::Value::as_bool).unwrap_or(false);
        all.push(Requirement {
            name: normal(name),
            range: range.unwrap_or_default().to_owned(),
            place: format!("{path}:{}", at.map_or(1, |at| at + 1)),
            file: path.to_owned(),
            is_optional: is_optional || optional || elsewhere,
            is_vague: false,
        });
    }
}

/// Names under which distributions are imported, where they differ.
const IMPORTED_AS: &[(&str, &[&str])] = &[
    ("yaml", &["pyyaml", "ruamel-yaml"]),
    ("ruamel", &["ruamel-yaml"]),
    ("cv2", &["opencv-python", "opencv-python-headless", "opencv-contrib-python"]),
    ("PIL", &["pillow"]),
    ("sklearn", &["scikit-learn"]),
    ("skimage", &["scikit-image"]),
    ("bs4", &["beautifulsoup4"]),
    ("dotenv", &["python-dotenv"]),
    ("dateutil", &["python-dateutil"]),
    ("jwt", &["pyjwt"]),
    ("jose", &["python-jose"]),
    ("attr", &["attrs"]),
    ("Crypto", &["pycryptodome", "pycrypto"]),
    ("Cryptodome", &["pycryptodomex"]),
    ("serial", &["pyserial"]),
    ("usb", &["pyusb"]),
    ("git", &["gitpython"]),
    ("magic", &["python-magic"]),
    ("OpenSSL", &["pyopenssl"]),
    ("zmq", &["pyzmq"]),
    ("docx", &["python-docx"]),
    ("pptx", &["python-pptx"]),
    ("psycopg2", &["psycopg2-binary"]),
    ("psycopg", &["psycopg-binary"]),
    ("MySQLdb", &["mysqlclient"]),
    ("pymysql", &["pymysql"]),
    ("pkg_resources", &["setuptools"]),
    ("nacl", &["pynacl"]),
    ("multipart", &["python-multipart"]),
    ("rest_framework", &["djangorestframework"]),
    ("corsheaders", &["django-cors-headers"]),
    ("environ", &["django-environ", "environ-config"]),
    ("decouple", &["python-decouple"]),
    ("fitz", &["pymupdf"]),
    ("ldap", &["python-ldap"]),
    ("slugify", &["python-slugify"]),
    ("telegram", &["python-telegram-bot"]),
    ("discord", &["discord-py"]),
    ("grpc", &["grpcio"]),
    ("grpc_tools", &["grpcio-tools"]),
    ("google", &["protobuf", "google-cloud", "google-api-python-client", "google-auth"]),
    ("win32api", &["pywin32"]),
    ("gi", &["pygobject"]),
    ("wx", &["wxpython"]),
    ("socketio", &["python-socketio"]),
    ("engineio", &["python-engineio"]),
    ("levenshtein", &["levenshtein", "python-levenshtein"]),
    ("Levenshtein", &["levenshtein", "python-levenshtein"]),
    ("memcache", &["python-memcached"]),
    ("past", &["future"]),
    ("mpl_toolkits", &["matplotlib"]),
    ("_pytest", &["pytest"]),
    ("typing_extensions", &["typing-extensions"]),
    ("kafka", &["kafka-python"]),
    ("snowflake", &["snowflake-connector-python"]),
    ("pythonjsonlogger", &["python-json-logger"]),
    ("markdown_it", &["markdown-it-py"]),
    ("freezegun", &["freezegun"]),
    ("hydra", &["hydra-core"]),
    ("pydantic_settings", &["pydantic-settings"]),
    ("sentry_sdk", &["sentry-sdk"]),
    ("pip", &["pip"]),
];

/// What comes along with a package that is declared, and is often imported all the same.
const COMES_WITH: &[(&str, &[&str])] = &[
    (
        "numpy",
        &["pandas", "scipy", "scikit-learn", "matplotlib", "torch", "tensorflow", "xarray", "opencv-python"],
    ),
    ("urllib3", &["requests", "boto3", "botocore"]),
    ("certifi", &["requests", "httpx", "urllib3"]),
    ("idna", &["requests", "httpx"]),
    ("werkzeug", &["flask"]),
    ("jinja2", &["flask", "ansible", "sphinx"]),
    ("click", &["flask", "typer", "uvicorn", "black"]),
    ("markupsafe", &["flask", "jinja2"]),
    ("itsdangerous", &["flask"]),
    ("starlette", &["fastapi"]),
    ("pydantic", &["fastapi", "pydantic-settings", "sqlmodel"]),
    ("anyio", &["fastapi", "httpx", "starlette"]),
    ("sqlalchemy", &["flask-sqlalchemy", "sqlmodel", "alembic"]),
    ("botocore", &["boto3", "aiobotocore"]),
    ("packaging", &["pytest", "black"]),
    ("pluggy", &["pytest"]),
    ("typing-extensions", &["pydantic", "fastapi", "sqlalchemy"]),
    ("python-dateutil", &["pandas", "botocore"]),
    ("pytz", &["pandas", "django", "celery"]),
    ("six", &["python-dateutil"]),
    ("attrs", &["jsonschema", "aiohttp"]),
    ("rich", &["typer"]),
    ("yarl", &["aiohttp"]),
    ("multidict", &["aiohttp"]),
    ("asgiref", &["django"]),
    ("pip", &["pip-tools"]),
];

/// The distributions that may bring a module.
pub(super) fn distributions(module: &str) -> Vec<String> {
    let mut all = vec![normal(module)];
    let known = IMPORTED_AS.iter().find(|(name, _)| *name == module);
    all.extend(known.into_iter().flat_map(|(_, list)| list.iter().map(|name| (*name).to_owned())));
    all
}

/// The name to install for a module.
pub(super) fn installable(module: &str) -> String {
    let known = IMPORTED_AS.iter().find(|(name, _)| *name == module);
    known.map_or_else(|| normal(module), |(_, list)| list[0].to_owned())
}

/// Whether one of the declared names brings the module, itself or along with it.
pub(super) fn brings(declared: &str, module: &str) -> bool {
    let names = distributions(module);
    names.iter().any(|name| {
        name == declared
            || declared.strip_prefix("python-") == Some(name)
            || declared.strip_prefix("py") == Some(name)
            || (declared.len() > name.len() && declared.starts_with(&format!("{name}-")))
            || COMES_WITH.iter().any(|(comes, with)| comes == name && with.contains(&declared))
    })
}
