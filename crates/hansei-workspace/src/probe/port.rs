//! Ports that the project binds and that somebody already listens on.

use std::collections::{BTreeMap, BTreeSet};

use hansei_core::escalation::Probe;

use super::ground::{Ground, Strength, Suspicion};
use super::hint::has_word;
use super::pattern::Pattern;
use super::source_text::{self, Language};
use super::tree::{base, is_test};

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
/// Code and command lines that listen, whatever the port.
static BINDS: Pattern = Pattern::new(
    r"(?i)\.listen\s*\(|\blisten\s*\(|\bbind\s*\(|listenandserve|net\.listen|httpserver|tcpserver|udpserver|serversocket|uvicorn|gunicorn|hypercorn|http\.server\b|app\.run\s*\(|make_server|\bserve\s*\(|serve_forever|create_?server|start_server|run_app|runserver|flask run|php -s|\bnc -l|tcplistener|udpsocket|websocketserver|spring-boot",
);
/// Words of lines that say where to listen.
static LISTENS: Pattern =
    Pattern::new(r"(?i)port|listen|bind|addr|serv(?:e|er|ing)\b|socket|endpoint|\bhttps?\b|\bweb\b|\bapi\b");
/// An address of this machine before a port.
static LOCAL: Pattern =
    Pattern::new(r#"(?:^|[\s"'=(,])(?:127\.0\.0\.1|0\.0\.0\.0|localhost|\[::1?\]|\*)?:\d{2,5}\b"#);

/// An option of a command line that says where to listen.
static SCRIPT: Pattern =
    Pattern::new(r"(?:--port[= ]|--bind[= ]\S*:|-p |http\.server |runserver (?:\S*:)?|PORT=)(\d{2,5})\b");
/// A port that a composition of containers publishes.
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

/// Files in which a port may be said: sources, settings and scripts.
const ENDINGS: [&str; 31] = [
    ".py", ".js", ".ts", ".mjs", ".cjs", ".tsx", ".go", ".rs", ".java", ".kt", ".rb", ".php", ".c", ".h",
    ".cpp", ".cc", ".sh", ".json", ".yaml", ".yml", ".toml", ".ini", ".cfg", ".conf", ".properties", ".env",
    ".config", ".xml", ".service", ".mk", "Procfile",
];
/// Files that name many numbers and no port of their own.
const NEVER: [&str; 5] = [".lock", "-lock.", "package.json", "tsconfig", ".min."];

/// The ports that the project binds, with the place where that is said.
fn wanted(ground: &Ground<'_>, taken: &BTreeSet<u16>) -> BTreeMap<u16, String> {
    let tree = &ground.tree;
    let mut found = BTreeMap::new();
    let mut binds = None;
    let files = tree.files().iter().filter(|file| tree.is_examined(&file.path));
    for file in files {
        let name = base(&file.path);
        let is_meant = ENDINGS.iter().any(|ending| name.ends_with(ending))
            || name.starts_with(".env")
            || matches!(name, "Makefile" | "justfile" | "Dockerfile");
        let is_example = ["example", "sample", "template"].iter().any(|word| name.contains(word));
        let is_script = name == "package.json";
        if !is_script && (!is_meant || is_example || NEVER.iter().any(|word| name.contains(word))) {
            continue;
        }
        let Some(text) = tree.text(&file.path) else { continue };
        let here: Vec<u16> = taken.iter().copied().filter(|port| text.contains(&port.to_string())).collect();
        // Looking closely is dear: only at files that hold the number of a port that is taken.
        if here.is_empty() || (is_test(&file.path) && !BINDS.is_in(&text)) {
            continue;
        }
        let of_script = is_script || name.ends_with(".sh") || !name.contains('.');
        let patterns: &[&Pattern] = match (of_script, name.contains("compose")) {
            (true, _) => &[&SCRIPT],
            (false, true) => &[&PUBLISHED],
            (false, false) => &[],
        };
        let bound: BTreeSet<u16> = (BOUND.iter().chain(patterns.iter().copied()))
            .flat_map(|pattern| pattern.all(&text))
            .filter_map(|hit| hit.group(1).parse().ok())
            .collect();
        let text = source_text::code(&text, language(name));
        for port in here {
            let is_bound = bound.contains(&port);
            let line = (!is_script).then(|| said_in(ground, &text, port)).flatten();
            let line = line.or_else(|| is_bound.then(|| line_of(&text, port)).flatten());
            let Some(line) = line else { continue };
            if is_bound || *binds.get_or_insert_with(|| something_binds(ground)) {
                found.entry(port).or_insert_with(|| format!("{}:{line}", file.path));
            }
        }
    }
    in_variables(ground, taken, &mut found);
    found
}

/// The first line that names a port.
fn line_of(text: &str, port: u16) -> Option<usize> {
    text.lines().position(|line| has_word(line, &port.to_string())).map(|at| at + 1)
}

/// The line that says that this port is listened on.
fn said_in(ground: &Ground<'_>, text: &str, port: u16) -> Option<usize> {
    let number = port.to_string();
    let lines: Vec<&str> = text.lines().collect();
    let at = (0..lines.len()).find(|at| {
        let line = lines[*at];
        has_word(line, &number)
            && !line.contains("://")
            && !SERVICES.contains(&port)
            && !is_of_service(&lines[..=*at])
            && (LISTENS.is_in(line) || LOCAL.is_in(line))
            && !is_overruled(ground, line)
    });
    at.map(|at| at + 1)
}

/// Whether some source or script of the project listens.
fn something_binds(ground: &Ground<'_>) -> bool {
    let tree = &ground.tree;
    let texts = tree.examined(&ENDINGS).filter_map(|file| tree.text(&file.path));
    let scripts =
        ["package.json", "Makefile", "justfile", "Dockerfile"].iter().flat_map(|name| tree.named(name));
    texts.chain(scripts.filter_map(|file| tree.text(&file.path))).any(|text| BINDS.is_in(&text))
}

/// Ports that variables give which the project names.
fn in_variables(ground: &Ground<'_>, taken: &BTreeSet<u16>, found: &mut BTreeMap<u16, String>) {
    let tree = &ground.tree;
    for (name, value) in &ground.environment {
        let upper = name.to_uppercase();
        let is_place = ["PORT", "ADDR", "LISTEN", "BIND"].iter().any(|word| upper.contains(word));
        if !is_place || value.contains("://") || is_of_service(&[&format!("{name}:")]) {
            continue;
        }
        let port = value.rsplit(':').next().and_then(|end| end.trim().parse::<u16>().ok());
        let Some(port) = port.filter(|port| taken.contains(port) && !SERVICES.contains(port)) else {
            continue;
        };
        let is_named = *name == "PORT"
            || tree
                .examined(&ENDINGS)
                .filter_map(|file| tree.text(&file.path))
                .any(|text| has_word(&text, name));
        if is_named && something_binds(ground) {
            found.entry(port).or_insert_with(|| format!("the variable {name}"));
        }
    }
}

fn language(name: &str) -> Language {
    match name.rsplit('.').next() {
        Some("py") => Language::Python,
        Some("rs") => Language::Rust,
        Some("js" | "ts" | "mjs" | "cjs" | "tsx") => Language::JavaScript,
        Some("go" | "java" | "kt" | "c" | "h" | "cpp" | "cc" | "php") => Language::C,
        _ => Language::Hash,
    }
}

/// Whether a variable that is set takes the place of the default in this line.
fn is_overruled(ground: &Ground<'_>, line: &str) -> bool {
    let reads = ["env", "ENV", "Getenv"].iter().any(|word| line.contains(word));
    reads
        && line
            .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .any(|word| word.len() > 2 && ground.variable(word).is_some())
}

/// Whether the section that the lines end in is about something that is connected to.
fn is_of_service(lines: &[&str]) -> bool {
    let words = [
        "db", "database", "postgres", "mysql", "redis", "mongo", "smtp", "mail", "amqp", "rabbit", "kafka",
        "upstream", "remote", "client", "elastic", "cache", "proxy", "broker", "peer", "target",
        "backend_host", "connect", "mqtt", "ldap", "statsd", "ftp", "syslog", "gateway_host",
    ];
    let is_about = |line: &str| {
        let line = line.to_lowercase();
        words.iter().any(|word| {
            line.split(|c: char| !c.is_ascii_alphanumeric())
                .any(|part| part.starts_with(word) && (word.len() > 3 || part.len() <= word.len() + 1))
        })
    };
    let Some((last, before)) = lines.split_last() else { return false };
    if is_about(last) {
        return true;
    }
    // The section or the table that the line stands in.
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut inner = indent(last);
    for line in before.iter().rev().take(12) {
        let trimmed = line.trim();
        let is_section = trimmed.starts_with('[') && trimmed.ends_with(']');
        let is_parent = (trimmed.ends_with('{') || trimmed.ends_with(':')) && indent(line) < inner;
        if is_section || is_parent {
            if is_about(line) {
                return true;
            }
            if is_section {
                return false;
            }
            inner = indent(line);
        }
        if trimmed.is_empty() && inner == 0 {
            return false;
        }
    }
    false
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
