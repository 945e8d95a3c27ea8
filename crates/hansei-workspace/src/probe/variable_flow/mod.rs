//! Variables that the code demands through several hands: a constant that names one, a function that is handed its name, a list
//! that is run over, an enumeration, a copy of the whole environment.

mod demanded;
mod endings;
mod reads;

use std::collections::{BTreeMap, BTreeSet};

use endings::{
    fails, gathers_missing, gives_up_softly, is_conditional, line_at, lines, may_give_nothing, returns,
};
use reads::whole_environment;

use super::flow::{Function, Hole, Made, Source, Sources, Tongue, parts};
use super::ground::Ground;
use super::tree::is_test;

/// A variable that is demanded somewhere.
#[derive(Debug)]
pub(super) struct Demand {
    pub(super) name: String,
    pub(super) path: String,
    pub(super) line: usize,
    /// Whether that place is only reached under a condition.
    pub(super) is_conditional: bool,
}

/// Words of code that reads variables.
const MARKS: &[&str] = &["environ", "getenv", "process.env", "env::var", "Getenv", "LookupEnv"];
/// The longest function that is taken for one that only fetches a variable, in lines.
const LONGEST: usize = 30;
/// How a function treats the variable whose name it is handed.
#[derive(Debug, Clone)]
struct Getter {
    /// The name that it reads, with what it is handed left open.
    name: Made,
    /// Whether it fails where the variable is absent; else it hands on nothing.
    demands: bool,
    /// The place of what it is handed as a default.
    default: Option<usize>,
}

/// Every variable that the project's own code demands.
pub(super) fn demands(ground: &Ground<'_>) -> Vec<Demand> {
    let reads = ground.tree.files().iter().any(|file| {
        Tongue::of(&file.path).is_some()
            && ground.tree.is_examined(&file.path)
            && ground.tree.text(&file.path).is_some_and(|text| MARKS.iter().any(|mark| text.contains(mark)))
    });
    if !reads {
        return Vec::new();
    }
    demanded_in(&Sources::of(ground, |path| !is_test(path)))
}

fn demanded_in(sources: &Sources) -> Vec<Demand> {
    let mut search =
        Search { sources, getters: BTreeMap::new(), found: Vec::new(), handed_on: handed_on(sources) };
    // A function that is handed a name may hand it on to another one.
    for _ in 0..4 {
        let before = search.getters.len();
        search.find_getters();
        if search.getters.len() == before {
            break;
        }
    }
    search.find_demands();
    search.found
}

/// Languages in which the whole environment is handed to a function somewhere.
fn handed_on(sources: &Sources) -> BTreeSet<Tongue> {
    let is_handed = |source: &&Source| {
        (0..source.tokens.len()).any(|at| {
            let whole = whole_environment(source, at);
            let before = at.checked_sub(if source.tongue == Tongue::JavaScript { 3 } else { 1 });
            let opens = before.is_some_and(|before| {
                let token = &source.tokens[before];
                token.is("(")
                    || token.is(",")
                    || (token.is(".")
                        && before > 1
                        && (source.tokens[before - 2].is("(") || source.tokens[before - 2].is("=")))
            });
            whole && opens
        })
    };
    sources.iter().filter(is_handed).map(|source| source.tongue).collect()
}

struct Search<'s> {
    sources: &'s Sources,
    /// By language, file and name; the file is empty where other files may call it.
    getters: BTreeMap<(Tongue, String), Vec<(String, Getter)>>,
    found: Vec<Demand>,
    handed_on: BTreeSet<Tongue>,
}

impl<'s> Search<'s> {
    fn find_getters(&mut self) {
        let mut new = Vec::new();
        for source in self.sources.iter() {
            for function in &source.functions {
                let (first, last) = lines(source, &function.body);
                if function.parameters.is_empty()
                    || last - first > LONGEST
                    || self.getter(source, &function.name, true).is_some()
                {
                    continue;
                }
                if let Some(getter) = self.as_getter(source, function) {
                    new.push(((source.tongue, function.name.clone()), (source.path.clone(), getter)));
                }
            }
        }
        for (key, getter) in new {
            self.getters.entry(key).or_default().push(getter);
        }
    }

    fn as_getter(&self, source: &'s Source, function: &Function) -> Option<Getter> {
        let reads = self.reads(source, function.body.clone());
        let read = reads
            .into_iter()
            .find(|read| matches!(read.name.hole(), Some(Hole::Given(_) | Hole::EachOf(_))))?;
        let own = source.around(read.range.start)?;
        if own.body != function.body {
            return None;
        }
        let at = match read.name.hole()? {
            Hole::Given(at) | Hole::EachOf(at) => *at,
            Hole::OneOf(_) => return None,
        };
        let default = default_of(source, function, at);
        let ends = fails(source, function.body.clone()) || gathers_missing(source, function);
        let fails = ends && !gives_up_softly(source, function) && !may_give_nothing(source, function);
        let demands = read.is_strict || (fails && (!read.has_default || default.is_some()));
        let gives_back = returns(source, function) || own.body.len() < 24;
        (demands || gives_back).then_some(Getter { name: read.name, demands, default })
    }

    /// The function of that name, in the file itself or else in another one.
    fn getter(&self, source: &Source, name: &str, only_here: bool) -> Option<&Getter> {
        let all = self.getters.get(&(source.tongue, name.to_owned()))?;
        let here = all.iter().find(|(path, _)| *path == source.path);
        if here.is_some() || only_here {
            return here.map(|(_, getter)| getter);
        }
        // A function of the file's own has nothing to do with one elsewhere.
        let is_own = source.functions.iter().any(|function| function.name == name);
        all.first().filter(|_| !is_own).map(|(_, getter)| getter)
    }

    fn find_demands(&mut self) {
        let mut found = Vec::new();
        for source in self.sources.iter() {
            let reads = self.reads(source, 0..source.tokens.len());
            for read in reads {
                if read.has_default || !self.is_demanded(source, &read) {
                    continue;
                }
                for (name, entry) in read.name.each() {
                    if !is_name(&name) || entry.as_ref().is_some_and(|entry| entry.is_lenient) {
                        continue;
                    }
                    let line = source.tokens[read.range.start].line;
                    found.push(Demand {
                        name,
                        path: source.path.clone(),
                        line,
                        is_conditional: is_conditional(source, read.range.start),
                    });
                }
            }
            found.extend(self.taken_apart(source));
        }
        self.found = found;
    }

    /// `const { A, B = 'x' } = process.env`, with what is done to A.
    fn taken_apart(&self, source: &Source) -> Vec<Demand> {
        let tokens = &source.tokens;
        let mut found = Vec::new();
        if source.tongue != Tongue::JavaScript {
            return found;
        }
        for at in (3..tokens.len()).filter(|at| whole_environment(source, *at)) {
            let equals = at - 3;
            if !tokens[equals].is("=") || equals == 0 || !tokens[equals - 1].is("}") {
                continue;
            }
            let Some(open) = (0..equals).rev().find(|at| tokens[*at].is("{")) else { continue };
            for part in parts(tokens, open + 1, equals - 1) {
                let slice = &tokens[part];
                let has_default = slice.iter().any(|token| token.is("="));
                let (Some(first), Some(last)) = (slice.first(), slice.last()) else { continue };
                if has_default || !is_name(&first.text) {
                    continue;
                }
                let own = last.text.as_str();
                let demanded = (at + 1..tokens.len()).filter(|at| tokens[*at].is(own)).any(|at| {
                    let refused = at > 0
                        && tokens[at - 1].is("!")
                        && fails(source, at..line_at(source, tokens[at].line + 4));
                    let used = tokens.get(at + 1).is_some_and(|next| next.is("."))
                        && tokens.get(at + 3).is_some_and(|next| next.is("("));
                    let open = (at.saturating_sub(8)..at).rev().find(|at| tokens[*at].is("("));
                    let handed = open
                        .and_then(|open| tokens.get(open.checked_sub(1)?))
                        .is_some_and(|call| self.checks(source, &call.text));
                    let gathered = tokens[at.saturating_sub(12)..at]
                        .iter()
                        .any(|token| matches!(token.text.as_str(), "entries" | "values"))
                        && fails(source, at..line_at(source, tokens[at].line + 4));
                    refused || used || handed || gathered
                });
                if demanded {
                    found.push(Demand {
                        name: first.text.clone(),
                        path: source.path.clone(),
                        line: first.line,
                        is_conditional: false,
                    });
                }
            }
        }
        found
    }
}

/// Whether this may be the name of a variable.
fn is_name(name: &str) -> bool {
    name.len() > 2
        && name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
}

fn is_default_name(name: &str) -> bool {
    let lower = name.to_lowercase();
    matches!(lower.as_str(), "def" | "d" | "alt" | "other" | "otherwise" | "orelse" | "dflt" | "or_else")
        || ["default", "fallback", "dflt", "otherwise"].iter().any(|part| lower.contains(part))
}

/// The place of the default among what a function is handed.
fn default_of(source: &Source, function: &Function, name_at: usize) -> Option<usize> {
    let tokens = &source.tokens[function.body.clone()];
    function.parameters.iter().enumerate().find_map(|(at, given)| {
        let is_used_so = tokens.windows(2).any(|two| {
            matches!(two[0].text.as_str(), "??" | "||" | "or" | "return" | ":") && two[1].is(given)
        });
        (at != name_at && (is_default_name(given) || is_used_so)).then_some(at)
    })
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::*;

    /// A file, its text, and the variables that it demands.
    const ROWS: &[(&str, &str, &str)] = &[
        (
            "h.js",
            "const REQUIRED = ['DB', 'TOKEN'];\nconst OPTIONAL = { THEME: 'plain', MINUTES: '90' };\nfunction load() {\n  const conf = {};\n  for (const key of REQUIRED) {\n    const value = process.env[`SEAT_${key}`];\n    if (!value) throw new Error('x');\n    conf[key] = value;\n  }\n  for (const [key, fallback] of Object.entries(OPTIONAL)) {\n    conf[key] = process.env[`SEAT_${key}`] || fallback;\n  }\n  return conf;\n}\n",
            "SEAT_DB SEAT_TOKEN",
        ),
        (
            "E.java",
            "enum Key {\n    PORT_URL(null), PORT_TRIES(\"3\");\n    final String fallback;\n    Key(String fallback) { this.fallback = fallback; }\n}\nfinal class Settings {\n    static Settings load() {\n        Settings s = new Settings();\n        for (Key key : Key.values()) {\n            String value = System.getenv(key.name());\n            if (value == null) value = key.fallback;\n            if (value == null) throw new IllegalStateException();\n            s.put(key, value);\n        }\n        return s;\n    }\n}\n",
            "PORT_URL",
        ),
        (
            "g.js",
            "const PREFIX = 'PAW_';\nconst read = (key, fallback) => {\n  const value = process.env[PREFIX + key];\n  return value === undefined || value === '' ? fallback : value;\n};\nfunction need(key) {\n  const value = read(key);\n  if (value === undefined) throw new Error(key);\n  return value;\n}\nexport const settings = { clinic: need('CLINIC'), hours: read('HOURS', '22-7'), sms: { token: need('TOKEN') } };\n",
            "PAW_CLINIC PAW_TOKEN",
        ),
        (
            "a.py",
            "import os\nPREFIX = 'SHOP_'\nREQUIRED = ('URL', 'KEY')\ndef _name(key):\n    return PREFIX + key\ndef load(environ=os.environ):\n    values = {}\n    for key in REQUIRED:\n        try:\n            values[key.lower()] = environ[_name(key)]\n        except KeyError:\n            raise ValueError('x') from None\n    values['c'] = environ.get(_name('CURRENCY'), 'EUR')\n    values['t'] = environ.get(_name('TRACE')) == '1'\n",
            "SHOP_KEY SHOP_URL",
        ),
        (
            "a.go",
            "package cfg\nconst (\n\tenvRegion = \"BED_REGION\"\n\tenvMore = \"BED_MORE\"\n)\nfunc orElse(name, dflt string) string {\n\tif v, ok := os.LookupEnv(name); ok {\n\t\treturn v\n\t}\n\treturn dflt\n}\nfunc Load() (*Config, error) {\n\tregion := os.Getenv(envRegion)\n\tif region == \"\" {\n\t\treturn nil, errors.New(\"x\")\n\t}\n\treturn &Config{Region: region, More: orElse(envMore, \"1\")}, nil\n}\n",
            "BED_REGION",
        ),
        (
            "a.rs",
            "fn var(suffix: &str) -> Result<String, String> {\n    let key = format!(\"GRID_{suffix}\");\n    env::var(key).map_err(|_| \"no\".to_string())\n}\nfn all() -> Result<S, String> {\n    Ok(S { a: var(\"OPERATOR\")?, b: var(\"KW\").ok().unwrap_or(1) })\n}\n",
            "GRID_OPERATOR",
        ),
        (
            "a.ts",
            "const must = (key: string): string => {\n  const value = process.env[key];\n  if (!value) throw new Error(key);\n  return value;\n};\nexport const config = { url: must('API_URL'), port: Number(process.env.PORT ?? 80) };\n",
            "API_URL",
        ),
        (
            "b.js",
            "const { API_TOKEN, API_HOST = 'x', LOG_LEVEL } = process.env;\nif (!API_TOKEN) {\n  throw new Error('no token');\n}\n",
            "API_TOKEN",
        ),
        (
            "c.js",
            "const missing = ['DB_HOST', 'DB_NAME'].filter((name) => !process.env[name]);\nif (missing.length) {\n  console.error(missing);\n  process.exit(1);\n}\n",
            "DB_HOST DB_NAME",
        ),
        (
            "d.js",
            "module.exports = (env) => {\n  if (!env.BOARD_KEY) throw new Error('x');\n  return { key: env.BOARD_KEY, host: env.BOARD_HOST || 'h' };\n};\nmodule.exports.now = () => module.exports(process.env);\n",
            "BOARD_KEY",
        ),
        (
            "e.js",
            "const cfg = {\n  url: process.env.FEED_URL,\n  key: process.env.FEED_KEY,\n};\nfor (const [name, value] of Object.entries(cfg)) {\n  if (!value) throw new Error(name);\n}\n",
            "FEED_KEY FEED_URL",
        ),
        (
            "f.js",
            "const SPEC = [\n  { name: 'SHOP_KEY', required: true },\n  { name: 'SHOP_LANG', required: false },\n];\nfor (const { name, required } of SPEC) {\n  if (required && !process.env[name]) throw new Error(name);\n}\n",
            "SHOP_KEY",
        ),
        (
            "b.py",
            "import os\ndef env(name, default=None):\n    value = os.environ.get(name, default)\n    if value is None:\n        raise RuntimeError(name)\n    return value\nHOST = env('APP_HOST', 'localhost')\nKEY = env('APP_KEY')\nTEMP = env('APP_TEMP', default='/tmp')\n",
            "APP_KEY",
        ),
        (
            "c.py",
            "import os\ndef check():\n    missing = [n for n in ('A_KEY', 'B_KEY') if not os.getenv(n)]\n    if missing:\n        raise SystemExit(missing)\n",
            "A_KEY B_KEY",
        ),
        (
            "d.py",
            "import os\ndef number(name):\n    raw = os.getenv(name)\n    if raw is None:\n        return None\n    try:\n        return int(raw)\n    except ValueError:\n        raise SystemExit('bad')\nX = number('MAYBE_COUNT')\n",
            "",
        ),
        (
            "e.py",
            "import os\ndef main():\n    if os.environ.get('MODE') == 's3':\n        bucket = os.environ['S3_BUCKET']\n",
            "S3_BUCKET",
        ),
        (
            "f.py",
            "import os\nSPEC = {'ORDER_URL': None, 'ORDER_LANG': 'de'}\ndef load():\n    out = {}\n    for name, default in SPEC.items():\n        value = os.environ.get(name, default)\n        if value is None:\n            raise ValueError(name)\n        out[name] = value\n    return out\n",
            "ORDER_URL",
        ),
        (
            "g.py",
            "import os\nclass Settings:\n    prefix = 'MILL_'\n    required = ('url', 'token')\n    defaults = {'lang': 'de'}\n    def __init__(self, env=None):\n        env = os.environ if env is None else env\n        self.values = {}\n        for field in self.required:\n            key = self._key(field)\n            try:\n                self.values[field] = env[key]\n            except KeyError:\n                raise RuntimeError(field) from None\n        for field, fallback in self.defaults.items():\n            self.values[field] = env.get(self._key(field), fallback)\n    def _key(self, field):\n        return self.prefix + field.upper()\n",
            "MILL_TOKEN MILL_URL",
        ),
        (
            "b.go",
            "package main\nvar required = []string{\"HUB_URL\", \"HUB_KEY\"}\nfunc check() error {\n\tfor _, name := range required {\n\t\tif os.Getenv(name) == \"\" {\n\t\t\treturn fmt.Errorf(\"no %s\", name)\n\t\t}\n\t}\n\treturn nil\n}\n",
            "HUB_KEY HUB_URL",
        ),
        (
            "d.go",
            "package main\nfunc load() (S, error) {\n\ts := S{\n\t\tKey:  os.Getenv(\"POST_KEY\"),\n\t\tHost: os.Getenv(\"POST_HOST\"),\n\t}\n\tif s.Key == \"\" {\n\t\treturn s, errors.New(\"no key\")\n\t}\n\treturn s, nil\n}\n",
            "POST_KEY",
        ),
        (
            "c.go",
            "package main\nfunc load() (Config, error) {\n\tvar missing []string\n\tget := func(key string) string {\n\t\tv := os.Getenv(key)\n\t\tif v == \"\" {\n\t\t\tmissing = append(missing, key)\n\t\t}\n\t\treturn v\n\t}\n\tc := Config{A: get(\"MILL_A\"), B: get(\"MILL_B\")}\n\tif len(missing) > 0 {\n\t\treturn c, fmt.Errorf(\"missing %v\", missing)\n\t}\n\treturn c, nil\n}\n",
            "MILL_A MILL_B",
        ),
        (
            "b.rs",
            "const KEYS: &[&str] = &[\"ONE_KEY\", \"TWO_KEY\"];\nfn check() {\n    for key in KEYS {\n        if env::var(key).is_err() {\n            panic!(\"{key}\");\n        }\n    }\n    let level = env::var(\"LOG_LEVEL\").unwrap_or_default();\n}\n",
            "ONE_KEY TWO_KEY",
        ),
        (
            "c.rs",
            "fn load() -> Result<Config, Error> {\n    let url = std::env::var(\"PIER_URL\").map_err(|_| Error::Missing(\"PIER_URL\"))?;\n    let Ok(key) = env::var(\"PIER_KEY\") else {\n        return Err(Error::Missing(\"PIER_KEY\"));\n    };\n    let lang = match env::var(\"PIER_LANG\") {\n        Ok(lang) => lang,\n        Err(_) => \"de\".to_owned(),\n    };\n    Ok(Config { url, key, lang })\n}\n",
            "PIER_KEY PIER_URL",
        ),
        (
            "A.java",
            "enum Key {\n    PUMP_HOST(null), PUMP_LANG(\"en\");\n    private final String dflt;\n    Key(String dflt) { this.dflt = dflt; }\n    String get() {\n        String v = System.getenv(name());\n        if (v == null) v = dflt;\n        if (v == null) throw new IllegalStateException();\n        return v;\n    }\n}\n",
            "PUMP_HOST",
        ),
        (
            "B.java",
            "class B {\n    static String need(String name) {\n        return Optional.ofNullable(System.getenv(name)).orElseThrow(() -> new IllegalStateException(name));\n    }\n    final String url = need(\"WARD_URL\");\n    final String proxy = System.getenv(\"WARD_PROXY\");\n}\n",
            "WARD_URL",
        ),
        (
            "C.java",
            "enum Setting {\n    LEDGER_DIR(null), CURRENCY(\"EUR\");\n    String key() { return \"BOX_\" + name(); }\n    String value() {\n        String v = System.getenv(key());\n        if (v != null) return v;\n        if (fallback == null) throw new IllegalStateException();\n        return fallback;\n    }\n}\n",
            "BOX_LEDGER_DIR",
        ),
        (
            "D.java",
            "class D {\n    private static final Map<String, String> ENV = System.getenv();\n    static final List<String> NEEDED = List.of(\"DOCK_URL\", \"DOCK_KEY\");\n    static void check() {\n        for (String name : NEEDED) {\n            if (!ENV.containsKey(name)) {\n                throw new IllegalStateException(name);\n            }\n        }\n        String lang = ENV.getOrDefault(\"DOCK_LANG\", \"de\");\n    }\n}\n",
            "DOCK_KEY DOCK_URL",
        ),
        (
            "a.c",
            "static const char *need(const char *name)\n{\n    const char *v = getenv(name);\n    if (!v) {\n        exit(2);\n    }\n    return v;\n}\nint main(void)\n{\n    const char *d = need(\"SPOOL_DIR\");\n    const char *l = getenv(\"SPOOL_LANG\");\n    return l ? 0 : use(d);\n}\n",
            "SPOOL_DIR",
        ),
    ];

    fn demanded(files: &[(&str, &str)]) -> String {
        let all =
            files.iter().map(|(path, text)| Rc::new(Source::new(path, text, Tongue::of(path).unwrap())));
        let found = demanded_in(&Sources { all: all.collect() });
        let mut names: Vec<String> = found.into_iter().map(|it| it.name).collect();
        names.sort();
        names.dedup();
        names.join(" ")
    }

    #[test]
    fn a_list_may_be_a_module_of_its_own() {
        let list = ("src/required.js", "module.exports = ['HUB_ID', 'HUB_TOKEN'];\n");
        let index = (
            "src/index.js",
            "const required = require('./required');\nfunction load(source = process.env) {\n  for (const key of required) {\n    const v = source[key];\n    if (!v) throw new Error('x');\n  }\n}\n",
        );
        assert_eq!(demanded(&[list, index]), "HUB_ID HUB_TOKEN");
    }

    #[test]
    fn names_are_followed_through_several_hands() {
        let mut wrong = Vec::new();
        for (path, text, expected) in ROWS {
            let seen = demanded(&[(*path, *text)]);
            if seen != *expected {
                wrong.push(format!("{path}: {seen:?}, not {expected:?}"));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
