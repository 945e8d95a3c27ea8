//! Changes and plans against decisions, both sides: what is a violation, and what only looks like one.

use super::base_uses::BaseUses;
use super::change::{Change, ChangedLine, FileChange, LineSide};
use super::check::{check_change, check_plan, rejected_by};
use super::decision::{DecisionKind, Memory, SourceFile, Standing, ViolationKind};
use super::revision::{NoEvidence, revise};

type Files<'a> = &'a [(&'a str, &'a str)];

/// A case: what stood in the repository, what stands there now, and what is found, in the order of files and lines. Files
/// of the base that the second list leaves out stay as they are; an empty text deletes one.
type Case<'a> = (&'a str, Files<'a>, Files<'a>, &'a [(ViolationKind, &'a str)]);

use ViolationKind::{Contradicted, Reintroduced, TagRemoved};

fn lines_between(old: &str, new: &str) -> Vec<ChangedLine> {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let mut common = vec![vec![0_u32; new.len() + 1]; old.len() + 1];
    for (at, one) in old.iter().enumerate().rev() {
        for (to, other) in new.iter().enumerate().rev() {
            common[at][to] = if one == other {
                common[at + 1][to + 1] + 1
            } else {
                common[at + 1][to].max(common[at][to + 1])
            };
        }
    }
    let (mut at, mut to) = (0, 0);
    let mut lines = Vec::new();
    while at < old.len() || to < new.len() {
        let same = at < old.len() && to < new.len() && old[at] == new[to];
        let side = if same {
            LineSide::Kept
        } else if to >= new.len() || (at < old.len() && common[at + 1][to] >= common[at][to + 1]) {
            LineSide::Removed
        } else {
            LineSide::Added
        };
        let text = if side == LineSide::Added { new[to] } else { old[at] };
        let number = |at: usize| u32::try_from(at + 1).unwrap();
        lines.push(ChangedLine { side, old: number(at), new: number(to), text: text.to_owned() });
        at += usize::from(side != LineSide::Added);
        to += usize::from(side != LineSide::Removed);
    }
    lines
}

fn change(base: Files<'_>, head: Files<'_>) -> Change {
    let text_in = |files: Files<'_>, path: &str| {
        files.iter().find(|(known, _)| *known == path).map(|(_, text)| (*text).to_owned())
    };
    let files = head.iter().map(|(path, text)| {
        // `new <- old` is a rename, as git sees it.
        let (new, old) = path.split_once(" <- ").unwrap_or((path, path));
        let before = text_in(base, old);
        FileChange {
            old_path: before.is_some().then(|| old.to_owned()),
            new_path: (!text.is_empty()).then(|| new.to_owned()),
            lines: lines_between(&before.unwrap_or_default(), text),
        }
    });
    Change { files: files.collect() }
}

fn check(cases: &[Case<'_>]) {
    let mut wrong = Vec::new();
    for (name, base, head, expected) in cases {
        let files = || base.iter().map(|(path, text)| SourceFile { path, text });
        let memory = Memory::of(files());
        let found = check_change(&memory, &change(base, head), &BaseUses::of(&memory, files()));
        let told: Vec<(ViolationKind, &str)> =
            found.iter().map(|one| (one.kind, one.decision.as_str())).collect();
        if told != *expected {
            wrong.push(format!("{name}: expected {expected:?}, found {found:#?}\nof {memory:#?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n\n"));
}

const TAG: (&str, &str) = (
    "src/cache.py",
    "# @RATIONALE: one process less\n# @REJECTED: `redis` because of another process\ndef cache(): ...\n",
);
const ADR: (&str, &str) = (
    "docs/adr/0003-dates.md",
    "# 3. Dates\n\nDate: 2026-01-01\n\n## Status\n\nAccepted\n\n## Context\n\nWe need dates.\n\n## Decision\n\nWe use `Intl`. We will not use `moment`.\n\n## Consequences\n\nNone.\n",
);
const MADR: (&str, &str) = (
    "docs/decisions/0007-store.md",
    "---\nstatus: accepted\n---\n# Where orders are kept\n\n## Considered Options\n\n* PostgreSQL\n* MongoDB\n* `dynamodb` of Amazon\n\n## Decision Outcome\n\nChosen option: \"PostgreSQL\", because we know it.\n",
);
const DEF: (&str, &str) = (
    "src/lib.rs",
    "// [DEF:no-unsafe-time:ADR] How time is read\n// @RATIONALE: tests must be repeatable\n// @REJECTED: `std::time::SystemTime`, `chrono`\n// [/DEF:no-unsafe-time]\npub fn now() {}\n",
);
const PATHS: (&str, &str) = ("NOTES.md", "@REJECTED: `src/legacy/` and `tools/sync.py`\n");
const CALLS: (&str, &str) = (
    "app/safe.py",
    "# [DEF:no-eval:ADR]\n# @REJECTED: `eval()`, `os.system`, `--no-verify`\n# [/DEF:no-eval]\n",
);

#[test]
#[allow(clippy::too_many_lines, reason = "a table")]
fn what_was_rejected_comes_back() {
    let tag = (Reintroduced, "src/cache.py:1");
    let adr = (Reintroduced, "ADR-0003");
    let madr = (Reintroduced, "ADR-0007");
    let def = (Reintroduced, "no-unsafe-time");
    let calls = (Reintroduced, "no-eval");
    check(&[
        ("an import", &[TAG], &[("src/a.py", "import redis\n")], &[tag]),
        ("an import from", &[TAG], &[("src/a.py", "from redis.asyncio import Redis\n")], &[tag]),
        ("requirements", &[TAG], &[("requirements.txt", "flask\nredis==5.0\n")], &[tag]),
        ("requirements with extras", &[TAG], &[("requirements/dev.txt", "redis[hiredis]>=4\n")], &[tag]),
        (
            "pyproject",
            &[TAG],
            &[("pyproject.toml", "[project]\ndependencies = [\n  \"redis>=5\",\n]\n")],
            &[tag],
        ),
        ("poetry", &[TAG], &[("pyproject.toml", "[tool.poetry.dependencies]\nredis = \"^5\"\n")], &[tag]),
        ("compose", &[TAG], &[("compose.yaml", "services:\n  cache:\n    image: redis:7\n")], &[tag]),
        (
            "an image of somebody",
            &[TAG],
            &[("compose.yaml", "services:\n  cache:\n    image: bitnami/redis:7\n")],
            &[tag],
        ),
        ("a build", &[TAG], &[("Dockerfile", "FROM redis:7-alpine\n")], &[tag]),
        ("an address", &[TAG], &[("app.py", "URL = \"redis://localhost\"\n")], &[tag]),
        (
            "settings",
            &[TAG],
            &[("settings.py", "CACHES = {\"default\": {\"BACKEND\": \"redis\"}}\n")],
            &[tag],
        ),
        ("a dynamic import", &[TAG], &[("app.py", "m = importlib.import_module(\"redis\")\n")], &[tag]),
        ("javascript", &[ADR], &[("web/a.js", "import moment from 'moment';\n")], &[adr]),
        ("require", &[ADR], &[("web/a.js", "const m = require('moment');\n")], &[adr]),
        ("a part of it", &[ADR], &[("web/a.ts", "import 'moment/locale/de';\n")], &[adr]),
        ("over several lines", &[ADR], &[("web/a.ts", "import {\n  utc,\n} from \"moment\";\n")], &[adr]),
        (
            "package.json",
            &[ADR],
            &[("web/package.json", "{\n  \"dependencies\": {\n    \"moment\": \"^2\"\n  }\n}\n")],
            &[adr],
        ),
        ("in a page", &[ADR], &[("web/a.vue", "<script>\nimport moment from 'moment'\n</script>\n")], &[adr]),
        ("an option that was not chosen", &[MADR], &[("src/db.py", "import mongodb\n")], &[madr]),
        ("its image", &[MADR], &[("compose.yaml", "services:\n  db:\n    image: mongodb:7\n")], &[madr]),
        (
            "one in back quotes",
            &[MADR],
            &[("src/db.go", "package db\n\nimport \"github.com/aws/aws-sdk-go-v2/service/dynamodb\"\n")],
            &[madr],
        ),
        ("cargo", &[DEF], &[("Cargo.toml", "[dependencies]\nchrono = \"0.4\"\n")], &[def]),
        ("a table of cargo", &[DEF], &[("Cargo.toml", "[dependencies.chrono]\nversion = \"0.4\"\n")], &[def]),
        ("use", &[DEF], &[("src/a.rs", "use chrono::Utc;\n")], &[def]),
        ("a group", &[DEF], &[("src/a.rs", "use std::time::{Duration, SystemTime};\n")], &[def]),
        (
            "its whole name",
            &[DEF],
            &[("src/a.rs", "fn f() { let t = std::time::SystemTime::now(); }\n")],
            &[def],
        ),
        ("a call", &[CALLS], &[("app/a.py", "x = eval(text)\n")], &[calls]),
        ("a call of a module", &[CALLS], &[("app/a.py", "os.system('ls')\n")], &[calls]),
        ("its import", &[CALLS], &[("app/a.py", "from os import path, system\n")], &[calls]),
        ("a flag", &[CALLS], &[("ci.sh", "git commit --no-verify -m x\n")], &[calls]),
        ("a flag in a text", &[CALLS], &[("app/a.py", "run(\"git commit --no-verify\")\n")], &[calls]),
        ("a file", &[PATHS], &[("tools/sync.py", "print(1)\n")], &[(Reintroduced, "NOTES.md:1")]),
        ("a folder", &[PATHS], &[("src/legacy/new.py", "x = 1\n")], &[(Reintroduced, "NOTES.md:1")]),
        (
            "a relative import",
            &[PATHS],
            &[("src/web/a.js", "import x from '../legacy/parse';\n")],
            &[(Reintroduced, "NOTES.md:1")],
        ),
        ("twice in a file", &[TAG], &[("src/a.py", "import redis\nr = redis.Redis()\n")], &[tag, tag]),
        ("behind a comment", &[TAG], &[("src/a.py", "# why not\nimport redis  # fast\n")], &[tag]),
        (
            "gradle",
            &[("a.java", "// @REJECTED: `log4j:log4j`\n")],
            &[("build.gradle", "implementation 'log4j:log4j:1.2'\n")],
            &[(Reintroduced, "a.java:1")],
        ),
        (
            "maven",
            &[("a.java", "// @REJECTED: `log4j`\n")],
            &[(
                "pom.xml",
                "<dependency>\n  <groupId>org.x</groupId>\n  <artifactId>log4j</artifactId>\n</dependency>\n",
            )],
            &[(Reintroduced, "a.java:1")],
        ),
        (
            "go.mod",
            &[("a.go", "// @REJECTED: `github.com/pkg/errors`\n")],
            &[("go.mod", "module x\n\nrequire github.com/pkg/errors v0.9.1\n")],
            &[(Reintroduced, "a.go:1")],
        ),
        (
            "a go import",
            &[("a.go", "// @REJECTED: `github.com/pkg/errors`\n")],
            &[("b.go", "package x\n\nimport (\n\t\"fmt\"\n\t\"github.com/pkg/errors\"\n)\n")],
            &[(Reintroduced, "a.go:1")],
        ),
        (
            "a class of one's own",
            &[("a.ts", "// @REJECTED: `LegacyStore`\n")],
            &[("b.ts", "const s = new LegacyStore();\n")],
            &[(Reintroduced, "a.ts:1")],
        ),
        (
            "a method of one's own",
            &[("a.rb", "# @REJECTED: `force_unlock`\n")],
            &[("b.rb", "lock.force_unlock\n")],
            &[(Reintroduced, "a.rb:1")],
        ),
        (
            "a distribution of another name",
            &[("a.py", "# @REJECTED: `PyYAML`\n")],
            &[("b.py", "import yaml\n")],
            &[(Reintroduced, "a.py:1")],
        ),
        (
            "a hyphen",
            &[("a.py", "# @REJECTED: `flask-login`\n")],
            &[("b.py", "from flask_login import current_user\n")],
            &[(Reintroduced, "a.py:1")],
        ),
        (
            "a version",
            &[("a.py", "# @REJECTED: `django==1.11`\n")],
            &[("requirements.txt", "Django==1.11.3\n")],
            &[(Reintroduced, "a.py:1")],
        ),
        (
            "a statement",
            &[("a.sql", "-- @REJECTED: `SELECT *`\n")],
            &[("b.py", "db.run(\"SELECT * FROM users\")\n")],
            &[(Reintroduced, "a.sql:1")],
        ),
        (
            "into a file that did not have it",
            &[TAG, ("src/a.py", "import os\n")],
            &[("src/a.py", "import os\nimport redis\n")],
            &[tag],
        ),
        (
            "although the tag went too",
            &[TAG],
            &[("src/cache.py", "import redis\ndef cache(): ...\n")],
            &[tag, (TagRemoved, "src/cache.py:1"), (TagRemoved, "src/cache.py:1")],
        ),
        (
            "an include",
            &[("a.c", "// @REJECTED: `regex.h`\n")],
            &[("b.c", "#include <regex.h>\n")],
            &[(Reintroduced, "a.c:1")],
        ),
        ("silenced by a comment", &[TAG], &[("src/a.py", "import redis  # noqa: banned-api\n")], &[tag]),
        ("in a test of bans", &[TAG], &[("src/a.py", "def test_banned():\n    import redis\n")], &[tag]),
        (
            "sql in any case",
            &[("a.sql", "-- @REJECTED: `TRUNCATE`\n")],
            &[("b.sql", "truncate table x;\n")],
            &[(Reintroduced, "a.sql:1")],
        ),
        (
            "an adr that was rejected",
            &[("doc/adr/0002-use-graphql.md", "# 2. Use `graphql`\n\n## Status\n\nRejected\n")],
            &[("package.json", "{\"dependencies\": {\"graphql\": \"16\"}}\n")],
            &[(Reintroduced, "ADR-0002")],
        ),
        (
            "a section of what was rejected",
            &[(
                "docs/adr/0004-x.md",
                "# 4. X\n\nStatus: accepted\n\n## Rejected alternatives\n\n- `celery`: heavy\n- Kafka, too much\n",
            )],
            &[("a.py", "import celery\nimport kafka\n")],
            &[(Reintroduced, "ADR-0004"), (Reintroduced, "ADR-0004")],
        ),
    ]);
}

#[test]
#[allow(clippy::too_many_lines, reason = "a table")]
fn what_only_looks_like_it() {
    check(&[
        ("a comment", &[TAG], &[("src/a.py", "# we do not use redis\nx = 1\n")], &[]),
        (
            "a doc string",
            &[TAG],
            &[("src/a.py", "def f():\n    \"\"\"Like redis,\n    but without redis.\n    \"\"\"\n")],
            &[],
        ),
        ("prose", &[TAG], &[("README.md", "We used `redis` once.\n```\nimport redis\n```\n")], &[]),
        ("the changelog", &[TAG], &[("CHANGELOG.md", "- removed redis\n")], &[]),
        ("a message", &[TAG], &[("src/a.py", "raise Error(\"redis is not supported\")\n")], &[]),
        ("another word", &[TAG], &[("src/a.py", "redis_url = None\npredis = 1\n")], &[]),
        ("another package", &[TAG], &[("requirements.txt", "fakeredis==2\nredis-py-cluster==1\n")], &[]),
        (
            "another scope",
            &[ADR],
            &[(
                "package.json",
                "{\"dependencies\": {\"@types/moment\": \"1\", \"moment-timezone\": \"1\"}}\n",
            )],
            &[],
        ),
        ("a lock file", &[ADR], &[("package-lock.json", "{\"moment\": {}}\n")], &[]),
        (
            "a module of one's own",
            &[TAG],
            &[("src/a.py", "from .redis import x\nfrom app.redis import y\n")],
            &[],
        ),
        ("one's own in javascript", &[ADR], &[("web/a.js", "import m from './moment';\n")], &[]),
        ("one's own in rust", &[DEF], &[("src/a.rs", "use crate::chrono::x;\n")], &[]),
        ("another part of a module", &[DEF], &[("src/a.rs", "use std::time::{Duration, Instant};\n")], &[]),
        ("a method of that name", &[CALLS], &[("app/a.py", "model.eval()\n")], &[]),
        ("a longer flag", &[CALLS], &[("ci.sh", "git push --no-verify-ssl\n")], &[]),
        (
            "a file of a like name",
            &[PATHS],
            &[("tools/sync.py.md", "x\n"), ("src/legacy_new.py", "x = 1\n")],
            &[],
        ),
        ("removal", &[TAG, ("src/a.py", "import redis\nx = 1\n")], &[("src/a.py", "x = 1\n")], &[]),
        (
            "a rename",
            &[TAG, ("src/a.py", "import redis\nx = 1\n")],
            &[("src/b.py <- src/a.py", "import redis\nx = 1\n")],
            &[],
        ),
        (
            "a move without git's word",
            &[TAG, ("src/a.py", "import redis\nx = 1\n")],
            &[("src/a.py", ""), ("src/b.py", "import redis\nx = 1\n")],
            &[],
        ),
        (
            "a change of a line that had it",
            &[TAG, ("requirements.txt", "redis==4\n")],
            &[("requirements.txt", "redis==5\n")],
            &[],
        ),
        (
            "more in a file that has it",
            &[TAG, ("src/a.py", "import redis\n")],
            &[("src/a.py", "import redis\nr = redis.Redis()\n")],
            &[],
        ),
        (
            "a list of what is banned",
            &[ADR],
            &[(
                ".eslintrc.json",
                "{\n  \"no-restricted-imports\": [\n    \"error\",\n    \"moment\"\n  ]\n}\n",
            )],
            &[],
        ),
        ("denied crates", &[DEF], &[("deny.toml", "[bans]\ndeny = [\n  { name = \"chrono\" },\n]\n")], &[]),
        ("a test that it is gone", &[TAG], &[("test_a.py", "assert \"redis\" not in sys.modules\n")], &[]),
        (
            "an exclusion",
            &[("a.java", "// @REJECTED: `log4j`\n")],
            &[(
                "pom.xml",
                "<exclusions>\n  <exclusion>\n    <artifactId>log4j</artifactId>\n  </exclusion>\n</exclusions>\n",
            )],
            &[],
        ),
        (
            "an artefact of a longer name",
            &[("a.java", "// @REJECTED: `log4j`\n")],
            &[("pom.xml", "<artifactId>log4j-over-slf4j</artifactId>\n")],
            &[],
        ),
        (
            "the preferred one",
            &[("a.py", "# @REJECTED: `requests` in favour of `httpx`\n")],
            &[("b.py", "import httpx\n")],
            &[],
        ),
        (
            "one of the reasons",
            &[("a.py", "# @REJECTED: `requests` because `asyncio` blocks\n")],
            &[("b.py", "import asyncio\n")],
            &[],
        ),
        ("the option that was chosen", &[MADR], &[("requirements.txt", "postgresql==1\n")], &[]),
        ("a plain option in code", &[MADR], &[("src/a.py", "mongodb = None\n")], &[]),
        (
            "superseded",
            &[(
                "docs/adr/0003-dates.md",
                "# 3. Dates\n\n## Status\n\nSuperseded by [4. Dates](0004-dates.md)\n\n## Decision\n\nWe will not use `moment`.\n",
            )],
            &[("a.js", "import moment from 'moment';\n")],
            &[],
        ),
        (
            "superseded by what the other says",
            &[
                ADR,
                (
                    "docs/adr/0004-dates.md",
                    "# 4. Dates\n\n## Status\n\nAccepted\n\nSupercedes [3. Dates](0003-dates.md)\n\n## Decision\n\nWe use `moment`.\n",
                ),
            ],
            &[("a.js", "import moment from 'moment';\n")],
            &[],
        ),
        (
            "deprecated",
            &[(
                "docs/adr/0003-dates.md",
                "---\nstatus: deprecated\n---\n# Dates\n\n## Decision\n\nWe will not use `moment`.\n",
            )],
            &[("a.js", "import moment from 'moment';\n")],
            &[],
        ),
        (
            "proposed",
            &[(
                "docs/adr/0003-dates.md",
                "# Dates\n\nStatus: proposed\n\n## Decision\n\nWe will not use `moment`.\n",
            )],
            &[("a.js", "import moment from 'moment';\n")],
            &[],
        ),
        (
            "a name that others use, far from the tag",
            &[("src/parse.py", "# @REJECTED: `re`\n"), ("src/a.py", "import re\n")],
            &[("src/b.py", "import re\n")],
            &[],
        ),
        (
            "indirect",
            &[("a.go", "// @REJECTED: `github.com/pkg/errors`\n")],
            &[("go.mod", "module x\n\nrequire github.com/pkg/errors v0.9.1 // indirect\n")],
            &[],
        ),
        (
            "keywords of a package",
            &[ADR],
            &[("package.json", "{\n  \"keywords\": [\"moment\"],\n  \"description\": \"a moment\"\n}\n")],
            &[],
        ),
        (
            "the name of a step",
            &[TAG],
            &[(".github/workflows/a.yml", "jobs:\n  a:\n    steps:\n      - name: no redis here\n")],
            &[],
        ),
        (
            "another version",
            &[("a.py", "# @REJECTED: `django==1.11`\n")],
            &[("requirements.txt", "Django==4.2\n")],
            &[],
        ),
        ("somebody else's code", &[ADR], &[("node_modules/x/a.js", "require('moment')\n")], &[]),
        (
            "a new tag of that kind",
            &[TAG],
            &[("src/b.py", "# @REJECTED: `redis` here as well\nx = 1\n")],
            &[],
        ),
        ("a text in a text", &[TAG], &[("src/a.js", "const help = `\nuse redis\n`;\n")], &[]),
        (
            "nothing but spaces",
            &[TAG],
            &[(
                "src/cache.py",
                "# @RATIONALE: one process less\n# @REJECTED: `redis` because of another process\n\ndef cache(): ...\n",
            )],
            &[],
        ),
    ]);
}

#[test]
fn tags_and_documents_do_not_go_away() {
    let gone = |id| [(TagRemoved, id)];
    check(&[
        (
            "a tag",
            &[TAG],
            &[("src/cache.py", "# @RATIONALE: one process less\ndef cache(): ...\n")],
            &gone("src/cache.py:1"),
        ),
        (
            "a reason",
            &[TAG],
            &[("src/cache.py", "# @REJECTED: `redis` because of another process\ndef cache(): ...\n")],
            &gone("src/cache.py:1"),
        ),
        (
            "with its file",
            &[TAG],
            &[("src/cache.py", "")],
            &[(TagRemoved, "src/cache.py:1"), (TagRemoved, "src/cache.py:1")],
        ),
        ("a name", &[DEF], &[("src/lib.rs", &DEF.1.replace(", `chrono`", ""))], &gone("no-unsafe-time")),
        ("a block", &[DEF], &[("src/lib.rs", "pub fn now() {}\n")], &gone("no-unsafe-time")),
        ("a document", &[ADR], &[(ADR.0, "")], &gone("ADR-0003")),
        (
            "what a document says",
            &[ADR],
            &[(ADR.0, &ADR.1.replace(" We will not use `moment`.", ""))],
            &gone("ADR-0003"),
        ),
        ("an option", &[MADR], &[(MADR.0, &MADR.1.replace("* MongoDB\n", ""))], &gone("ADR-0007")),
        (
            "an exception",
            &[TAG],
            &[("src/cache.py", &TAG.1.replace("because", "(ok in tests) because"))],
            &gone("src/cache.py:1"),
        ),
        (
            "weaker words",
            &[TAG],
            &[("src/cache.py", &TAG.1.replace("because of another process", "is allowed for now"))],
            &gone("src/cache.py:1"),
        ),
        (
            "a status without a successor",
            &[ADR],
            &[(ADR.0, &ADR.1.replace("Accepted", "Deprecated"))],
            &gone("ADR-0003"),
        ),
        (
            "a successor that is not there",
            &[ADR],
            &[(ADR.0, &ADR.1.replace("Accepted", "Superseded by ADR-0009"))],
            &gone("ADR-0003"),
        ),
        (
            "superseded without evidence",
            &[ADR],
            &[
                (
                    "docs/adr/0004-dates.md",
                    "# 4. Dates\n\n## Status\n\nAccepted\n\nSupersedes ADR-0003\n\n## Decision\n\nWe like it.\n",
                ),
                (ADR.0, ""),
            ],
            &gone("ADR-0003"),
        ),
    ]);
}

#[test]
fn moving_and_rewording_is_no_removal() {
    check(&[
        ("to another file", &[TAG], &[("src/cache.py", ""), ("src/store.py", TAG.1)], &[]),
        ("with a rename", &[TAG], &[("src/store.py <- src/cache.py", TAG.1)], &[]),
        (
            "within the file",
            &[TAG],
            &[(
                "src/cache.py",
                "import os\n# @RATIONALE: one process less\n# @REJECTED: `redis` because of another process\ndef cache(): ...\n",
            )],
            &[],
        ),
        (
            "another reason",
            &[TAG],
            &[("src/cache.py", &TAG.1.replace("another process", "its licence"))],
            &[],
        ),
        ("a name more", &[TAG], &[("src/cache.py", &TAG.1.replace("`redis`", "`redis`, `memcached`"))], &[]),
        (
            "another comment style",
            &[TAG],
            &[(
                "src/cache.py",
                "\"\"\"\n@RATIONALE: one process less\n@REJECTED: `redis` because of another process\n\"\"\"\ndef cache(): ...\n",
            )],
            &[],
        ),
        ("a document renamed", &[ADR], &[("docs/adr/0003-times.md <- docs/adr/0003-dates.md", ADR.1)], &[]),
        (
            "a document reworded",
            &[ADR],
            &[(ADR.0, &ADR.1.replace("We need dates.", "We need dates in many places."))],
            &[],
        ),
        ("the code below", &[TAG], &[("src/cache.py", &TAG.1.replace("...", "pass"))], &[]),
        (
            "a decision that did not bind",
            &[(
                "docs/adr/0001-x.md",
                "# X\n\nStatus: superseded by 2\n\n## Decision\n\nWe will not use `x1`.\n",
            )],
            &[("docs/adr/0001-x.md", "")],
            &[],
        ),
        (
            "a formal revision",
            &[ADR],
            &[
                (
                    "docs/adr/0004-dates.md",
                    "# 4. Dates again\n\n## Status\n\nAccepted\n\nSupersedes [3. Dates](0003-dates.md)\n\n## Context\n\nA benchmark showed that `Intl` is too slow.\n\n## Decision\n\nWe use `moment`.\n",
                ),
                (ADR.0, &ADR.1.replace("Accepted", "Superseded by [4. Dates again](0004-dates.md)")),
                ("a.js", "import moment from 'moment';\n"),
            ],
            &[],
        ),
        (
            "a formal revision of a tag",
            &[TAG],
            &[
                (
                    "docs/adr/0001-cache.md",
                    "# 1. Cache\n\nStatus: accepted\n\n## Context\n\nNew evidence: two processes now share it. Supersedes the tag on `redis` in src/cache.py.\n\n## Decision\n\nUse `redis`.\n",
                ),
                ("src/cache.py", "import redis\ndef cache(): ...\n"),
            ],
            &[],
        ),
    ]);
}

#[test]
fn nobody_decides_for_it_without_a_revision() {
    let against = |id| [(Contradicted, id)];
    let document = |decision: &str, status: &str| {
        format!("# 9. Cache\n\n## Status\n\n{status}\n\n## Decision\n\n{decision}\n")
    };
    let new = "docs/adr/0009-cache.md";
    check(&[
        (
            "a document",
            &[TAG],
            &[(new, &document("We will use Redis for sessions.", "Accepted"))],
            &against("src/cache.py:1"),
        ),
        ("its title", &[TAG], &[(new, "# Use redis\n\nStatus: accepted\n")], &against("src/cache.py:1")),
        (
            "its choice",
            &[ADR],
            &[(
                new,
                "# Dates\n\n## Considered Options\n\n* moment\n* Intl\n\n## Decision Outcome\n\nChosen option: \"moment\", because it is known.\n",
            )],
            &against("ADR-0003"),
        ),
        (
            "a reason",
            &[TAG],
            &[("src/b.py", "# @RATIONALE: we use redis because it is fast\nx = 1\n")],
            &against("src/cache.py:1"),
        ),
        (
            "a block",
            &[TAG],
            &[("src/b.py", "# [DEF:fast:ADR] Use redis for sessions\n# [/DEF:fast]\n")],
            &against("src/cache.py:1"),
        ),
        (
            "one that was rejected itself",
            &[TAG],
            &[(new, &document("We will use Redis for sessions.", "Rejected"))],
            &[],
        ),
        ("a proposal", &[TAG], &[(new, &document("We will use Redis for sessions.", "Proposed"))], &[]),
        ("one that says no again", &[TAG], &[(new, &document("We will not use Redis.", "Accepted"))], &[]),
        (
            "one about something else",
            &[TAG],
            &[(new, &document("We will use sqlite rather than redis.", "Accepted"))],
            &[],
        ),
        (
            "a reason that says no",
            &[TAG],
            &[("src/b.py", "# @RATIONALE: sqlite is enough, no redis needed\nx = 1\n")],
            &[],
        ),
    ]);
}

#[test]
fn a_plan_is_held_against_decisions_too() {
    let files =
        [TAG, ADR, MADR, DEF, PATHS, CALLS, ("a.py", "# @REJECTED: storing passwords as plain text\n")];
    let memory = Memory::of(files.iter().map(|(path, text)| SourceFile { path, text }));
    for (plan, decision) in [
        ("1. Use redis for the sessions", Some("src/cache.py:1")),
        ("- Add `moment` to package.json", Some("ADR-0003")),
        ("steps:\n  - switch the store to MongoDB\n", Some("ADR-0007")),
        ("files:\n  - tools/sync.py\n", Some("NOTES.md:1")),
        ("Bring back `src/legacy/`", Some("NOTES.md:1")),
        ("Read the clock with `std::time::SystemTime`", Some("no-unsafe-time")),
        ("Commit with --no-verify to save time", Some("no-eval")),
        ("Store the passwords as plain text first", Some("a.py:1")),
        ("Remove the @REJECTED tag in src/cache.py, it is old", Some("src/cache.py:1")),
        ("Do not remove the @REJECTED tag in src/cache.py", None),
        ("Delete ADR-0003, it is in the way", Some("ADR-0003")),
        ("Read ADR-0003 first", None),
        ("Delete no-unsafe-time and go on", Some("no-unsafe-time")),
        ("Cache in memory instead of redis", None),
        ("Do not add moment", None),
        ("Remove moment from package.json", None),
        ("Keep PostgreSQL; MongoDB stays rejected", None),
        ("Evaluate whether adding redis would help", None),
        ("Write tests for the redis removal", None),
        ("Write a test that eval is never called", None),
        ("Hash passwords; never store them as plain text", None),
        ("Wait a moment before the next try", None),
        ("", None),
    ] {
        let found = check_plan(&memory, "plan.md", plan);
        assert_eq!(found.first().map(|one| one.decision.as_str()), decision, "{plan}: {found:?}");
        assert_eq!(
            rejected_by(&memory, plan).is_some(),
            decision.is_some() && !plan.starts_with("files"),
            "{plan}"
        );
    }
}

#[test]
fn documents_are_read_as_people_write_them() {
    for (text, standing, names) in [
        (ADR.1, Standing::Accepted, &["moment"][..]),
        (MADR.1, Standing::Accepted, &["MongoDB", "dynamodb"]),
        (
            "# X\n\n* Status: accepted\n\n## Considered Options\n\n* [Redis]\n* [Memory] - small\n\n## Decision Outcome\n\nChosen option: **Memory**.\n",
            Standing::Accepted,
            &["Redis"],
        ),
        (
            "# X\n\nStatus: Accepted\n\n## Alternatives considered\n\n1. `redis` (rejected: heavy)\n2. `sqlite` (chosen)\n",
            Standing::Accepted,
            &["redis"],
        ),
        (
            "# X\n\n## Status\n\nAccepted\n\nSuperceded by [2. Y](0002-y.md)\n\n## Decision\n\nDo not use `a1`.\n",
            Standing::Superseded,
            &["a1"],
        ),
        ("# Use `graphql` for it\n\n## Status\n\nRejected\n", Standing::Rejected, &["graphql"]),
        ("# X\n\n@REJECTED: `redis`\n", Standing::Accepted, &["redis"]),
        ("# X\n\n## Decision\n\nUse `a1`.\n", Standing::Accepted, &[]),
        ("# X\n\n**Rejected**: `a1`, too slow\n", Standing::Accepted, &["a1"]),
        (
            "# X\n\n## Options considered\n\n- `a1`\n- `b1`\n\n## Decision\n\nWe will use `b1`.\n\n## Consequences\n\nDo not use `c1` again.\n",
            Standing::Accepted,
            &["a1", "c1"],
        ),
    ] {
        let memory = Memory::of([SourceFile { path: "doc/adr/0001-x.md", text }]);
        let decision = &memory.decisions[0];
        let found: Vec<&str> = decision
            .rejected
            .iter()
            .flat_map(|one| one.names.iter().map(|name| name.text.as_str()))
            .collect();
        assert_eq!((decision.standing, found.as_slice()), (standing, names), "{text}");
        assert_eq!((decision.kind, decision.id.as_str()), (DecisionKind::AdrFile, "ADR-0001"));
        assert!(
            ["ADR-1", "adr-0001", "1", "0001-x", "doc/adr/0001-x.md"]
                .iter()
                .all(|name| memory.called(name).is_some())
        );
    }
}

#[test]
fn a_revision_needs_evidence_and_names_what_would_change() {
    let memory = Memory::of([SourceFile { path: TAG.0, text: TAG.1 }]);
    let decision = &memory.decisions[0];
    assert_eq!(revise(decision, &[]), Err(NoEvidence));
    assert_eq!(revise(decision, &["because".to_owned()]), Err(NoEvidence));
    let packet = revise(decision, &["p99 fell from 80 ms to 9 ms with it".to_owned()]).unwrap();
    assert_eq!(packet.would_change, ["`redis` could be used again"]);
    let text = packet.text();
    for part in
        ["src/cache.py:1", "`redis` because of another process", "one process less", "p99 fell", "proposed"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    let long = vec!["evidence of some size ".repeat(1_000); 100];
    assert!(revise(decision, &long).unwrap().text().len() < 10_000);
}

proptest::proptest! {
    #[test]
    fn no_text_breaks_it(path in "(a.py|docs/adr/1-x.md|a.rs|package.json|b.html|x|a.pl|a.clj|a.tex|a.config|a.ipynb|.gitmodules|Dockerfile|a.yml|a.php)", before in "(?s)((# |// |/\\*|\"\"\"|<!--)?(@REJECTED: `|\\[DEF:a:ADR\\]|@RATIONALE: )?.{0,40}\n?){0,5}", after in "(?s).{0,120}") {
        let memory = Memory::of([SourceFile { path: &path, text: &before }]);
        let change = change(&[(&path, &before)], &[(&path, &after), ("new.py", &after)]);
        let _ = check_change(&memory, &change, &BaseUses::of(&memory, [SourceFile { path: &path, text: &before }]));
        let _ = check_plan(&memory, "p", &after);
    }
}
