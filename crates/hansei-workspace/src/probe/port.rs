//! Ports that the project binds and that somebody already listens on.

use std::collections::{BTreeMap, BTreeSet};

use hansei_core::escalation::Probe;

use super::ground::{Ground, Strength, Suspicion};
use super::pattern::Pattern;
use super::tree::{Tree, base, is_test};

/// Calls that bind, in the languages that matter.
static BOUND: [Pattern; 13] = [
    Pattern::new(r"\.listen\s*\(\s*(\d{2,5})\b"),
    Pattern::new(r"\.listen\s*\(\s*\{[^}]*\bport\s*:\s*(\d{2,5})\b"),
    Pattern::new(r#"\.bind\s*\(\s*\(\s*['"][^'"]*['"]\s*,\s*(\d{2,5})\s*\)"#),
    Pattern::new(
        r#"(?:HTTPServer|TCPServer|ThreadingHTTPServer|ThreadingTCPServer|UDPServer|make_server|WSGIServer)\s*\(\s*\(?\s*['"][^'"]*['"]\s*,\s*(\d{2,5})\b"#,
    ),
    Pattern::new(
        r"(?:\.run|uvicorn\.run|serve|run_app|start_server|create_server)\s*\([^)\n]*\bport\s*=\s*(\d{2,5})\b",
    ),
    Pattern::new(
        r#"(?:ListenAndServe(?:TLS)?|Listen|ListenPacket)\s*\(\s*(?:['"]tcp[46]?['"]\s*,\s*)?['"][^'":]*:(\d{2,5})['"]"#,
    ),
    Pattern::new(r#"Addr:\s*['"][^'":]*:(\d{2,5})['"]"#),
    Pattern::new(
        r#"(?:TcpListener|UdpSocket|Server|HttpServer::new\([^)]*\))(?:::|\.)bind\s*\(\s*\(?\s*&?['"][^'":]*(?::|['"]\s*,\s*)(\d{2,5})"#,
    ),
    Pattern::new(r#"\.bind\s*\(\s*['"][^'":]*:(\d{2,5})['"]"#),
    Pattern::new(r"SocketAddr::from\s*\(\s*\(\s*\[[\d,\s]+\]\s*,\s*(\d{2,5})"),
    Pattern::new(r"new\s+ServerSocket\s*\(\s*(\d{2,5})\b"),
    Pattern::new(r"InetSocketAddress\s*\(\s*(\d{2,5})\s*\)"),
    Pattern::new(r"htons\s*\(\s*(\d{2,5})\s*\)"),
];
/// A name for a port, which a call that binds uses.
static NAMED: Pattern = Pattern::new(
    r"\b(?:const|let|var|static|final|int|auto)?\s*([A-Za-z_]*(?:PORT|[Pp]ort))\b\s*(?::\s*[\w<>]+)?\s*(?::=|=)\s*[^\n;]{0,80}?\b(\d{4,5})\b",
);
static BINDS: Pattern = Pattern::new(
    r"\.listen\s*\(|\.bind\s*\(|::bind\s*\(|ListenAndServe|net\.Listen|HTTPServer\s*\(|TCPServer\s*\(|ServerSocket\s*\(|uvicorn\.run|app\.run\s*\(|make_server\s*\(|serve\s*\(|create_server\s*\(|run_app\s*\(",
);
/// A name for an address, which a call that binds uses.
static ADDRESS: Pattern = Pattern::new(
    r#"\b(\w*(?:addr|Addr|ADDR|listen|LISTEN|bind|BIND|endpoint))\w*\s*(?::\s*[&\w]+\s*)?(?::=|=)\s*[^\n]{0,40}?["'][\w.\[\]]*:(\d{4,5})["']"#,
);
static SCRIPT: Pattern =
    Pattern::new(r"(?:--port[= ]|--bind[= ]\S*:|-p |http\.server |runserver (?:\S*:)?|PORT=)(\d{2,5})\b");
/// A key of a settings file that says where to listen, with a port or an address that ends in one.
static SETTING: Pattern = Pattern::new(
    r#"(?:^|[{,])[ \t]*['"]?(?:export[ \t]+)?((?:(?:server|http|https|app|web|api|service|listen|bind|metrics|admin|grpc|ws|own|my)[_.-]?)?(?:port|PORT|Port)|[A-Z_]*(?:SERVER|HTTP|APP|WEB|API|SERVICE|LISTEN|BIND)_PORT|(?:server[_.-]?|http[_.-]?)?(?:listen|bind)(?:[_-]?(?:addr|address|on|to))?|LISTEN(?:_ADDR(?:ESS)?)?|BIND(?:_ADDR(?:ESS)?)?)['"]?[ \t]*[:=][ \t]*['"]?(?:[\w.*\[\]-]*:)?(\d{2,5})['"]?[ \t]*(?:$|[,}#;\r])"#,
);
/// An option of a command line with its default.
static OPTION: Pattern = Pattern::new(
    r#"['"]-{0,2}(?:port|listen|bind|addr|http)['"]\s*,[^\n]{0,60}?(?:default\s*=\s*)?['"]?(?:[\w.]*:)?\b(\d{4,5})\b|default_value(?:_t)?\s*=\s*"?(?:[\w.]*:)?(\d{4,5})\b"#,
);
static PUBLISHED: Pattern = Pattern::new(r#"^\s*-\s*['"]?(?:[\d.]+:)?(\d{2,5}):\d{2,5}(?:/tcp)?['"]?\s*$"#);

/// Ports of services that a project connects to.
const SERVICES: &[u16] = &[
    25, 53, 389, 465, 587, 1433, 1521, 2181, 3306, 4222, 5432, 5672, 6379, 6380, 8086, 9042, 9092, 9200,
    11211, 15672, 27017,
];

pub(super) fn probe(ground: &Ground<'_>) {
    let Some(taken) = listened() else { return };
    if taken.is_empty() {
        return;
    }
    for (port, place) in wanted(ground, &taken) {
        if !taken.contains(&port) {
            continue;
        }
        ground.suspect(
            Suspicion::new(
                Probe::Port,
                format!("port {port} is already in use"),
                format!("{place} binds it, and something listens on it now"),
                format!(
                    "end what listens (ss -ltnp 'sport = :{port}'), or choose another port in {}",
                    place.split(':').next().unwrap_or(&place)
                ),
            )
            .strength(Strength::Certain)
            .naming([
                port.to_string(),
                "EADDRINUSE".to_owned(),
                "Address already in use".to_owned(),
                "address already in use".to_owned(),
            ]),
        );
    }
}

/// Sources that may bind a port.
const ENDINGS: [&str; 14] =
    [".py", ".js", ".ts", ".mjs", ".cjs", ".go", ".rs", ".java", ".kt", ".rb", ".php", ".c", ".cpp", ".cc"];

/// The ports that the project binds, with the place where that is said.
fn wanted(ground: &Ground<'_>, taken: &BTreeSet<u16>) -> BTreeMap<u16, String> {
    let mut found = BTreeMap::new();
    let mut add = |text: &str, place: String| {
        if let Ok(port) = text.parse::<u16>()
            && port > 0
        {
            found.entry(port).or_insert(place);
        }
    };
    let binding = binding_lines(ground, &ENDINGS);
    in_sources(ground, taken, &binding, &mut add);
    in_settings(ground, taken, !binding.is_empty(), &mut add);
    if let Some(port) = ground.variable("PORT") {
        add(port, "the variable PORT".to_owned());
    }
    found
}

/// Ports that sources bind, by a number or a name.
fn in_sources(
    ground: &Ground<'_>,
    taken: &BTreeSet<u16>,
    binding: &[(String, String)],
    add: &mut dyn FnMut(&str, String),
) {
    let tree = &ground.tree;
    let numbers: Vec<String> = taken.iter().map(u16::to_string).collect();
    for file in tree.examined(&ENDINGS).filter(|file| !is_test(&file.path)) {
        let Some(text) = tree.text(&file.path) else { continue };
        // Looking closely is dear: only at files that hold the number of a port that is taken.
        if !numbers.iter().any(|number| text.contains(number.as_str())) {
            continue;
        }
        let binds = BINDS.is_in(&text) || text.contains("Addr:") || text.contains("htons");
        if !binds {
            // A constant that another file binds.
            for hit in NAMED.all(&text).into_iter().chain(ADDRESS.all(&text)) {
                let name = hit.group(1);
                let is_used = binding.iter().any(|(path, lines)| {
                    path.rsplit('.').next() == file.path.rsplit('.').next()
                        && super::hint::has_word(lines, name)
                });
                if is_used && !is_overruled(ground, &text, hit.line()) {
                    add(hit.group(2), format!("{}:{}", file.path, hit.line()));
                }
            }
            continue;
        }
        for hit in OPTION.all(&text) {
            let line = text.lines().nth(hit.line() - 1).unwrap_or_default().to_lowercase();
            if ["port", "listen", "bind", "addr"].iter().any(|word| line.contains(word))
                && !is_of_service(&[&line])
            {
                add(hit.first_from(1), format!("{}:{}", file.path, hit.line()));
            }
        }
        for pattern in &BOUND {
            for hit in pattern.all(&text) {
                add(hit.group(1), format!("{}:{}", file.path, hit.line()));
            }
        }
        for hit in NAMED.all(&text).into_iter().chain(ADDRESS.all(&text)) {
            // A name that is bound somewhere in the file, not one that is only connected to.
            let name = hit.group(1);
            let uses =
                binding.iter().any(|(path, lines)| *path == file.path && super::hint::has_word(lines, name));
            if uses && !is_overruled(ground, &text, hit.line()) {
                add(hit.group(2), format!("{}:{}", file.path, hit.line()));
            }
        }
    }
}

/// Ports that scripts and settings name.
fn in_settings(
    ground: &Ground<'_>,
    taken: &BTreeSet<u16>,
    something_binds: bool,
    add: &mut dyn FnMut(&str, String),
) {
    let tree = &ground.tree;
    for file in tree.files().iter().filter(|file| tree.is_examined(&file.path)) {
        let name = base(&file.path);
        let is_script =
            matches!(name, "package.json" | "Procfile" | "Makefile" | "justfile") || name.ends_with(".sh");
        let is_setting = name == ".env"
            || (["json", "yaml", "yml", "toml", "ini", "cfg", "properties"]
                .iter()
                .any(|ending| name.ends_with(&format!(".{ending}")))
                && (["config", "settings", "application", "server", "app."]
                    .iter()
                    .any(|part| file.path.contains(part))
                    || (something_binds
                        && names_one(tree, &file.path, taken)
                        && is_read(ground, name, &ENDINGS)))
                && !name.contains("lock")
                && name != "package.json");
        let is_compose = name.contains("compose") && (name.ends_with(".yml") || name.ends_with(".yaml"));
        if !is_script && !is_setting && !is_compose {
            continue;
        }
        let Some(text) = tree.text(&file.path) else { continue };
        if is_script {
            for hit in SCRIPT.all(&text) {
                add(hit.group(1), format!("{}:{}", file.path, hit.line()));
            }
        }
        if is_compose {
            for hit in PUBLISHED.all(&text) {
                add(hit.group(1), format!("{}:{}", file.path, hit.line()));
            }
        }
        if is_setting {
            for hit in SETTING.all(&text) {
                // The match may begin with the end of the line before.
                let line = hit.line() + usize::from(hit.group(0).starts_with('\n'));
                let before: Vec<&str> = text.lines().take(line - 1).collect();
                let service =
                    hit.group(2).parse().is_ok_and(|port| SERVICES.contains(&port)) || is_of_service(&before);
                if !service {
                    add(hit.group(2), format!("{}:{line}", file.path));
                }
            }
        }
    }
}

/// The lines that bind, with what follows of the same call.
fn binding_lines(ground: &Ground<'_>, endings: &[&str]) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for file in ground.tree.examined(endings).filter(|file| !is_test(&file.path)) {
        let Some(text) = ground.tree.text(&file.path) else { continue };
        if !BINDS.is_in(&text) && !text.contains("Addr:") {
            continue;
        }
        let lines: Vec<&str> = text.lines().collect();
        for at in 0..lines.len() {
            if BINDS.is_in(lines[at]) || lines[at].contains("Addr:") {
                let is_open = lines[at].trim_end().ends_with(['(', ',', '{']);
                let end = (at + if is_open { 4 } else { 1 }).min(lines.len());
                all.push((file.path.clone(), lines[at..end].join("\n")));
            }
        }
    }
    all
}

/// Whether a settings file names one of these ports: only then is it worth asking who reads the file.
fn names_one(tree: &Tree, path: &str, taken: &BTreeSet<u16>) -> bool {
    let Some(text) = tree.text(path) else { return false };
    SETTING.all(&text).iter().any(|hit| hit.group(2).parse().is_ok_and(|port| taken.contains(&port)))
}

/// Whether some source names this file.
fn is_read(ground: &Ground<'_>, name: &str, endings: &[&str]) -> bool {
    let tree = &ground.tree;
    tree.examined(endings)
        .filter(|file| !is_test(&file.path))
        .filter_map(|file| tree.text(&file.path))
        .any(|text| super::hint::has_word(&text, name))
}

/// Whether a variable that is set takes the place of the default in this line.
fn is_overruled(ground: &Ground<'_>, text: &str, line: usize) -> bool {
    let line = text.lines().nth(line - 1).unwrap_or_default();
    let reads = ["env", "ENV", "Getenv"].iter().any(|word| line.contains(word));
    reads
        && line
            .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .any(|word| word.len() > 2 && ground.variable(word).is_some())
}

/// Whether the section that the lines end in is about something that is connected to.
fn is_of_service(before: &[&str]) -> bool {
    let words = [
        "db", "database", "postgres", "mysql", "redis", "mongo", "smtp", "mail", "amqp", "rabbit", "kafka",
        "upstream", "remote", "client", "elastic", "cache", "proxy",
    ];
    before.iter().rev().take(6).any(|line| {
        let line = line.to_lowercase();
        (line.trim_end().ends_with(['{', ':', ']']) || line.contains("host"))
            && words.iter().any(|word| line.contains(word))
    })
}

/// The ports that are listened on, as the kernel lists them.
fn listened() -> Option<BTreeSet<u16>> {
    let mut found = BTreeSet::new();
    let mut any = false;
    for file in ["/proc/net/tcp", "/proc/net/tcp6"] {
        let Ok(text) = std::fs::read_to_string(file) else { continue };
        any = true;
        found.extend(listening(&text));
    }
    any.then_some(found)
}

/// The ports of a table of the kernel's whose state is "listening".
fn listening(table: &str) -> Vec<u16> {
    let port = |line: &str| {
        let mut fields = line.split_whitespace();
        let local = fields.nth(1)?;
        let state = fields.nth(1)?;
        (state == "0A").then(|| u16::from_str_radix(local.rsplit(':').next()?, 16).ok())?
    };
    table.lines().skip(1).filter_map(port).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernels_table_is_read() {
        let table = "  sl  local_address rem_address   st tx_queue\n   0: 0100007F:1F90 00000000:0000 0A 0:0\n   1: \
                     0100007F:0050 0100007F:1234 01 0:0\n";
        assert_eq!(listening(table), [8080]);
    }
}
