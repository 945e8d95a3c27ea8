//! Ruby and PHP: files that are required, folders that are loaded from, and locks that lag behind.

use std::collections::BTreeSet;

use hansei_core::escalation::Probe;
use serde_json::Value;

use super::ground::{Ground, Strength, Suspicion};
use super::pattern::Pattern;
use super::source_text::{Language, code};
use super::tree::{Presence, base, join, parent, under};

static RELATIVE: Pattern = Pattern::new(r#"^\s*require_relative\s*\(?\s*['"]([^'"\n]+)['"]"#);
static GEM: Pattern = Pattern::new(r#"^\s*gem\s+['"]([\w.-]+)['"]([^\n]*)"#);
static LOCKED: Pattern = Pattern::new(r"^    ([\w.-]+) \(");
static REQUIRED: Pattern = Pattern::new(
    r#"\b(?:require|require_once|include|include_once)\s*\(?\s*(?:(__DIR__|dirname\(__FILE__\))\s*\.\s*)?['"]([^'"$\n]+\.php)['"]"#,
);

pub(super) fn probe(ground: &Ground<'_>) {
    for file in ground.tree.examined(&[".rb", "Rakefile"]) {
        let Some(text) = ground.tree.text(&file.path) else { continue };
        for hit in RELATIVE.all(&code(&text, Language::Hash)) {
            let Some(target) = join(parent(&file.path), hit.group(1)) else { continue };
            let target = if target.ends_with(".rb") { target } else { format!("{target}.rb") };
            absent(ground, &target, hit.group(1), &format!("{}:{}", file.path, hit.line()));
        }
    }
    for file in ground.tree.examined(&[".php"]) {
        let Some(text) = ground.tree.text(&file.path) else { continue };
        for hit in REQUIRED.all(&code(&text, Language::C)) {
            let named = hit.group(2);
            if named.contains("vendor/") {
                continue;
            }
            let from_here = join(parent(&file.path), named.trim_start_matches('/'));
            let from_root = join("", named.trim_start_matches('/')).filter(|_| hit.group(1).is_empty());
            let found =
                [&from_here, &from_root].into_iter().flatten().any(|it| ground.tree.presence(it).may_be());
            if let Some(target) = from_here.filter(|_| !found) {
                absent(ground, &target, named, &format!("{}:{}", file.path, hit.line()));
            }
        }
    }
    gems(ground);
    composer(ground);
}

fn absent(ground: &Ground<'_>, target: &str, named: &str, place: &str) {
    match ground.tree.presence(target) {
        Presence::OtherCase(real) => ground.suspect(
            Suspicion::new(
                Probe::FileCase,
                format!("{named:?} differs from the file {real} only in case"),
                place.to_owned(),
                format!("write it as {real} is called"),
            )
            .strength(Strength::Certain)
            .naming([named.to_owned()]),
        ),
        Presence::Absent => ground.suspect(
            Suspicion::new(
                Probe::Imports,
                format!("{named:?} leads to no file: there is no {target}"),
                format!("{place} asks for it"),
                ground
                    .restored(target)
                    .unwrap_or_else(|| format!("create {target}, or correct the path in {place}")),
            )
            .strength(Strength::Certain)
            .naming([named.to_owned(), base(target).to_owned()]),
        ),
        _ => {}
    }
}

fn gems(ground: &Ground<'_>) {
    for file in ground.tree.named("Gemfile") {
        let lock = under(parent(&file.path), "Gemfile.lock");
        let (Some(text), Some(locked)) = (ground.tree.text(&file.path), ground.tree.text(&lock)) else {
            continue;
        };
        let fixed: BTreeSet<String> = LOCKED.all(&locked).iter().map(|hit| hit.group(1).to_owned()).collect();
        for hit in GEM.all(&code(&text, Language::Hash)) {
            if !fixed.contains(hit.group(1))
                && !hit.group(2).contains("path:")
                && !hit.group(2).contains("platform")
            {
                ground.suspect(
                    Suspicion::new(
                        Probe::Dependencies,
                        format!("{lock} lacks {:?}, which {} declares", hit.group(1), file.path),
                        format!("{}:{}", file.path, hit.line()),
                        "bundle install".to_owned(),
                    )
                    .naming([hit.group(1).to_owned(), "Gemfile.lock".to_owned()]),
                );
            }
        }
    }
}

fn composer(ground: &Ground<'_>) {
    for file in ground.tree.named("composer.json") {
        let Some(manifest) =
            ground.tree.text(&file.path).and_then(|text| serde_json::from_str::<Value>(&text).ok())
        else {
            continue;
        };
        let folder = parent(&file.path);
        for key in ["/autoload/psr-4", "/autoload-dev/psr-4"] {
            for (prefix, path) in manifest.pointer(key).and_then(Value::as_object).into_iter().flatten() {
                let Some(target) = path.as_str().and_then(|it| join(folder, it)) else { continue };
                if !ground.tree.presence(&target).may_be() {
                    ground.suspect(
                        Suspicion::new(
                            Probe::Imports,
                            format!("{} loads {prefix:?} from {target}/, which does not exist", file.path),
                            file.path.clone(),
                            format!("correct autoload in {}, then composer dump-autoload", file.path),
                        )
                        .strength(Strength::Certain)
                        .naming([target.clone()]),
                    );
                }
            }
        }
        let lock = under(folder, "composer.lock");
        let Some(locked) = ground.tree.text(&lock).and_then(|text| serde_json::from_str::<Value>(&text).ok())
        else {
            continue;
        };
        let fixed: BTreeSet<String> = ["packages", "packages-dev"]
            .iter()
            .filter_map(|key| locked.get(key)?.as_array())
            .flatten()
            .filter_map(|it| Some(it.get("name")?.as_str()?.to_lowercase()))
            .collect();
        for key in ["require", "require-dev"] {
            for name in manifest.get(key).and_then(Value::as_object).into_iter().flat_map(|it| it.keys()) {
                if name.contains('/') && !fixed.contains(&name.to_lowercase()) {
                    ground.suspect(
                        Suspicion::new(
                            Probe::Dependencies,
                            format!("{lock} lacks {name:?}, which {} declares", file.path),
                            file.path.clone(),
                            format!("composer update {name}"),
                        )
                        .naming([name.clone(), "composer.lock".to_owned()]),
                    );
                }
            }
        }
    }
}
