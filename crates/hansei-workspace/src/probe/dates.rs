//! Dates that decide: certificates and licences that have run out, and files older than what an archive can hold.

use hansei_core::escalation::Probe;

use super::ground::{Ground, Strength, Suspicion};
use super::hint::has_word;
use super::pattern::Pattern;
use super::tree::{File, base, is_test, stem};

/// The first second that a zip archive can hold.
const FIRST_OF_ZIP: i64 = 315_532_800;

static ZIPS: Pattern = Pattern::new(
    r"\bzipfile\.ZipFile\(|\bZipFile\(|make_archive\([^)]*['\x22]zip['\x22]|\bbdist_wheel\b|\bwriteallpy\b",
);
static NOW: Pattern = Pattern::new(
    r"\bnow\(|\btoday\(|\bDate\.now\b|new Date\(\)|\btime\.Now\(|\btime\.time\(|\bInstant\.now|\bLocalDate\.now|\butcnow\(|SystemTime::now|\bdate\s+\+|\btime\(NULL\)|\btime\(0\)|currentTimeMillis",
);
static ENDS: Pattern = Pattern::new(
    r"\braise\b|\bthrow\b|\bpanic|\bexit\b|\bErr\(|\bErrorf\(|errors\.New|[Ff]atal|\bdie\b|\babort|\bassert|\bbail!|\breturn\s+(?:1|-1|false)\b",
);
static UNTIL: Pattern = Pattern::new(
    r#"["']?\b((?:\w*[_.-])?(?:expir(?:es|y|ation)?|expires_(?:at|on)|valid_(?:until|to|thru)|validUntil|validTo|not_?after|notAfter|expiresAt|expiryDate|expiry_date|valid-until|until))["']?\s*[=:]\s*["']?(\d{4})-(\d{2})-(\d{2})"#,
);

/// Trusts certificates, or asks for their times.
static TRUSTS: Pattern = Pattern::new(
    r"create_default_context|load_verify_locations|load_cert_chain|cafile|verify\s*=|\btls\.|\bhttps\b|NewCertPool|AppendCertsFromPEM|LoadX509KeyPair|SSLContext|CertificateFactory|X509Cert\w*|checkValidity|[vV]alid_?(?:To|From|to|from)\b|[nN]ot_?[aA]fter|not_valid_after|createSecure\w*|\bca:|openssl\s+(?:verify|x509)|--cacert|rustls|\bcert\w*\s*[=:]|checkend",
);

const CODE: &[&str] =
    &[".py", ".js", ".mjs", ".cjs", ".ts", ".go", ".rs", ".java", ".rb", ".php", ".sh", ".c", ".kt"];

pub(super) fn probe(ground: &Ground<'_>) {
    too_old(ground);
    run_out(ground);
    certificates(ground);
}

/// Files from before 1980, where Python puts files into a zip archive.
fn too_old(ground: &Ground<'_>) {
    let tree = &ground.tree;
    let user = tree.examined(&[".py", "setup.cfg", "pyproject.toml"]).find_map(|file| {
        let text = tree.text(&file.path).filter(|text| !text.contains("strict_timestamps"))?;
        let hit = ZIPS.first(&text)?;
        Some(format!("{}:{}", file.path, hit.line()))
    });
    let Some(place) = user else { return };
    let old = tree.files().iter().find(|file| {
        file.modified < FIRST_OF_ZIP
            && file.path.starts_with(tree.scope())
            && file.mode & 0o170_000 == 0o100_000
    });
    if let Some(old) = old {
        ground.suspect(
            Suspicion::new(
                Probe::ClockLocale,
                format!(
                    "{} is dated before 1980, and {} puts files into a zip archive, which cannot hold that",
                    old.path,
                    place.split(':').next().unwrap_or("the code")
                ),
                format!("{place}; it was written {} seconds after 1970", old.modified),
                format!("touch {}", old.path),
            )
            .naming([
                "1980".to_owned(),
                "timestamps before 1980".to_owned(),
                base(&old.path).to_owned(),
            ]),
        );
    }
    let epoch = ground.variable("SOURCE_DATE_EPOCH").and_then(|it| it.parse::<i64>().ok());
    if epoch.is_some_and(|it| it < FIRST_OF_ZIP) {
        ground.suspect(
            Suspicion::new(
                Probe::ClockLocale,
                "the variable SOURCE_DATE_EPOCH lies before 1980, which a zip archive cannot hold",
                format!("{place}, SOURCE_DATE_EPOCH in the environment"),
                "export SOURCE_DATE_EPOCH=315532800",
            )
            .naming(["1980", "SOURCE_DATE_EPOCH"]),
        );
    }
}

/// Days since 1970 of a date.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year - era * 400;
    let of_year = (153 * (month + if month > 2 { -3 } else { 9 }) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// Settings and licences with a last day, where the code holds it against the clock.
fn run_out(ground: &Ground<'_>) {
    let tree = &ground.tree;
    let judges: Vec<_> = tree
        .examined(CODE)
        .filter(|file| !is_test(&file.path))
        .filter_map(|file| Some((file, tree.text(&file.path)?)))
        .filter(|(_, text)| NOW.is_in(text) && ENDS.is_in(text))
        .collect();
    if judges.is_empty() {
        return;
    }
    let endings = [
        ".json", ".toml", ".ini", ".yaml", ".yml", ".properties", ".conf", ".cfg", ".lic", ".txt", ".env",
        ".license",
    ];
    for file in tree
        .files()
        .iter()
        .filter(|file| endings.iter().any(|it| file.path.ends_with(it)) && file.size < 64 << 10)
    {
        if !tree.is_examined(&file.path) || is_test(&file.path) {
            continue;
        }
        let Some(text) = tree.text(&file.path) else { continue };
        numbered(ground, file, &text, &judges);
        let hits = UNTIL.all(&text);
        // A list of such days is data.
        let [hit] = hits.as_slice() else { continue };
        let number = |at: usize| hit.group(at).parse::<i64>().unwrap_or(0);
        let last = days(number(2), number(3), number(4)) * 86_400 + 86_400;
        let key = hit.group(1).rsplit(['.', '-']).next().unwrap_or_default();
        let judge = judges.iter().find(|(_, text)| ends_near(text, key));
        if let Some((judge, _)) = judge.filter(|_| last < ground.now) {
            ground.suspect(
                Suspicion::new(
                    Probe::ClockLocale,
                    format!(
                        "{} has run out: {} is {}-{}-{}",
                        file.path,
                        hit.group(1),
                        hit.group(2),
                        hit.group(3),
                        hit.group(4)
                    ),
                    format!("{}:{}, {} holds it against the clock", file.path, hit.line(), judge.path),
                    format!("renew {}", file.path),
                )
                .naming([
                    file.path.clone(),
                    base(&file.path).to_owned(),
                    "expired".to_owned(),
                    hit.group(1).to_owned(),
                ]),
            );
        }
    }
}

/// Whether a text ends the program near the place that names the key.
fn ends_near(text: &str, key: &str) -> bool {
    let lines: Vec<&str> = text.lines().collect();
    let named = lines.iter().enumerate().filter(|(_, line)| has_word(line, key));
    named.into_iter().any(|(at, _)| ENDS.is_in(&lines[at..(at + 12).min(lines.len())].join("\n")))
}

/// The same where the last moment is a number of seconds or milliseconds.
fn numbered(ground: &Ground<'_>, file: &File, text: &str, judges: &[(&File, std::rc::Rc<str>)]) {
    static UNTIL: Pattern = Pattern::new(
        r#"["']?\b(exp|expires|expires_at|expiresAt|expiry|valid_until|validUntil|not_after|notAfter)["']?\s*[=:]\s*["']?(\d{10})(\d{3})?\b"#,
    );
    let hits = UNTIL.all(text);
    let [hit] = hits.as_slice() else { return };
    let last = hit.group(2).parse::<i64>().unwrap_or(i64::MAX);
    let judge = judges.iter().find(|(_, text)| ends_near(text, hit.group(1)));
    if let Some((judge, _)) = judge.filter(|_| last < ground.now) {
        ground.suspect(
            Suspicion::new(
                Probe::ClockLocale,
                format!(
                    "{} has run out: {} lies {} days back",
                    file.path,
                    hit.group(1),
                    (ground.now - last) / 86_400
                ),
                format!("{}:{}, {} holds it against the clock", file.path, hit.line(), judge.path),
                format!("renew {}", file.path),
            )
            .naming([file.path.clone(), base(&file.path).to_owned(), "expired".to_owned()]),
        );
    }
}

/// Certificates in the project that are not valid now.
fn certificates(ground: &Ground<'_>) {
    let tree = &ground.tree;
    if ground.is_published {
        return;
    }
    let endings = [".pem", ".crt", ".cer", ".cert"];
    for file in tree
        .files()
        .iter()
        .filter(|file| endings.iter().any(|it| file.path.ends_with(it)) && file.size < 64 << 10)
    {
        let Some(text) = tree.text(&file.path).filter(|_| file.path.starts_with(tree.scope())) else {
            continue;
        };
        let lower = file.path.to_lowercase();
        if ["expired", "invalid", "bad", "revoked", "old"].iter().any(|it| lower.contains(it)) {
            continue;
        }
        let Some((from, to)) = valid(&text) else { continue };
        let what = if to < ground.now {
            "has expired"
        } else if from > ground.now {
            "is not valid yet"
        } else {
            continue;
        };
        let name = base(&file.path);
        let user = tree
            .files()
            .iter()
            .filter(|it| it.path != file.path && tree.is_examined(&it.path) && !it.path.ends_with(".md"))
            .find(|it| {
                let code = CODE.iter().chain(&[
                    ".toml", ".ini", ".yaml", ".yml", ".json", ".conf", ".cfg", ".properties", "Makefile",
                ]);
                code.into_iter().any(|ending| it.path.ends_with(ending))
                    && tree.text(&it.path).filter(|text| TRUSTS.is_in(text)).is_some_and(|text| {
                        has_word(&text, name) || has_word(&text, stem(name)) && stem(name).len() > 3
                    })
            });
        let strength = if user.is_some() { Strength::Likely } else { Strength::Hinted };
        let by = user.map_or_else(|| file.path.clone(), |it| format!("{} names it", it.path));
        ground.suspect(
            Suspicion::new(
                Probe::ClockLocale,
                format!("the certificate {} {what}", file.path),
                format!(
                    "{by}; it is valid from {from} to {to} (seconds since 1970), and now is {}",
                    ground.now
                ),
                format!("issue {} again, or look at the machine's clock", file.path),
            )
            .strength(strength)
            .naming([
                name.to_owned(),
                "certificate".to_owned(),
                "expired".to_owned(),
                "CERTIFICATE_VERIFY_FAILED".to_owned(),
            ]),
        );
    }
}

/// From when to when the first certificate of a text is valid, in seconds since 1970.
fn valid(text: &str) -> Option<(i64, i64)> {
    let body = text.split("-----BEGIN CERTIFICATE-----").nth(1)?.split("-----END").next()?;
    let bytes = decoded(body);
    // The times stand as two texts, one behind the other.
    for at in 0..bytes.len().saturating_sub(4) {
        if let Some((from, after)) = time_at(&bytes, at)
            && let Some((to, _)) = time_at(&bytes, after)
        {
            return Some((from, to));
        }
    }
    None
}

/// A time in the encoding of certificates, and where it ends.
fn time_at(bytes: &[u8], at: usize) -> Option<(i64, usize)> {
    let (kind, length) = (*bytes.get(at)?, usize::from(*bytes.get(at + 1)?));
    let digits = match (kind, length) {
        (0x17, 13) => 12,
        (0x18, 15) => 14,
        _ => return None,
    };
    let text = std::str::from_utf8(bytes.get(at + 2..at + 2 + length)?).ok()?;
    (text.ends_with('Z') && text[..digits].bytes().all(|byte| byte.is_ascii_digit())).then_some(())?;
    let (year, rest) = text.split_at(digits - 10);
    let year: i64 = year.parse().ok()?;
    let year = match digits {
        12 if year < 50 => 2000 + year,
        12 => 1900 + year,
        _ => year,
    };
    let part = |at: usize| rest[at..at + 2].parse::<i64>().ok();
    let seconds = part(4)? * 3600 + part(6)? * 60 + part(8)?;
    Some((days(year, part(0)?, part(2)?) * 86_400 + seconds, at + 2 + length))
}

/// The bytes of a text in base 64.
fn decoded(text: &str) -> Vec<u8> {
    let value = |byte: u8| match byte {
        b'A'..=b'Z' => Some(u32::from(byte - b'A')),
        b'a'..=b'z' => Some(u32::from(byte - b'a') + 26),
        b'0'..=b'9' => Some(u32::from(byte - b'0') + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let (mut bytes, mut held, mut bits) = (Vec::new(), 0_u32, 0);
    for six in text.bytes().filter_map(value) {
        held = held << 6 | six;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push(u8::try_from(held >> bits & 0xFF).unwrap_or(0));
        }
    }
    bytes
}
