//! Word lists: what marks a placeholder, what qualifies a name.

use super::segment::Class;

/// Bytes of a token or key.
pub const TOKEN: Class = Class::of("0-9a-zA-Z+/=_.~:%!@#$^&*|-");

/// Whether the sorted or unsorted list holds `word`, of any case.
pub fn has(list: &[&str], word: &[u8]) -> bool {
    list.iter().any(|w| w.as_bytes().eq_ignore_ascii_case(word))
}

/// Whether `hay` holds `needle`. Both are short: a searcher would cost more.
pub fn contains(hay: &[u8], needle: &[u8]) -> bool {
    super::work::visit(hay.len());
    let Some((&first, rest)) = needle.split_first() else { return true };
    let mut from = 0;
    while let Some(i) = memchr::memchr(first, &hay[from..]) {
        from += i + 1;
        if hay[from..].starts_with(rest) {
            return true;
        }
    }
    false
}

/// Ends of file names.
#[rustfmt::skip]
pub const EXTENSIONS: &[&str] = &[
    "pem", "key", "txt", "json", "yml", "yaml", "crt", "cer", "env", "pub", "p12", "pfx", "jks",
    "toml", "ini", "conf", "cfg", "xml", "py", "js", "ts", "tsx", "rs", "go", "java", "rb", "php",
    "sh", "md", "html", "css", "png", "svg", "jpg", "sql", "db", "log", "der", "asc", "gpg", "bin",
];

/// Parts that mark a whole value as made up.
#[rustfmt::skip]
pub const MARKS: &[&str] = &[
    "your", "example", "changeme", "change_me", "change-me", "change_this", "change-this",
    "changethis", "placeholder", "replace", "redacted", "dummy", "todo", "fixme", "insert",
    "_here", "-here", "sample", "notreal", "not-real", "not-a-", "fake", "xxxx", "****", "<secret", "my-secret",
    "mysecret", "my_secret", "mypassword", "my-token", "my_token", "mytoken", "put-", "put_",
    "enter-", "enter_", "foobar", "undefined", "-goes-", "_goes_", "hidden",
    "masked", "censored", "********", "no-secret", "process.env", "os.environ", "getenv",
];

/// Words that, alone or together, make no secret.
#[rustfmt::skip]
pub const FILLERS: &[&str] = &[
    "a", "an", "the", "my", "some", "this", "that", "is", "of", "for", "to", "in", "or", "and", "not", "no",
    "api", "key", "keys", "token", "tokens", "secret", "secrets", "password", "passwords", "passwd",
    "pass", "pwd", "pw", "passphrase", "user", "username", "name", "login", "value", "values", "test", "tests", "testing",
    "foo", "bar", "baz", "qux", "string", "str", "text", "none", "null", "nil", "true", "false",
    "default", "empty", "required", "optional", "auth", "access", "client", "private", "public",
    "credential", "credentials", "bearer", "basic", "oauth", "jwt", "db", "database", "new", "old", "current", "confirm",
    "id", "hash", "abc", "xyz", "todo", "demo", "mock", "stub", "temp", "tmp", "local",
    "localhost", "dev", "prod", "production", "staging", "app", "service", "server", "session", "env", "var", "config", "input", "output",
    "field", "label", "type", "number", "any", "unknown", "self", "data", "file", "path", "url",
    "invalid", "valid", "wrong", "bad", "good", "missing", "expired", "refresh", "signing", "encryption", "random", "here",
    "enter", "set", "get", "x", "me", "it", "int", "bool", "boolean", "object", "bytes", "buffer", "char", "varchar",
    "on", "off", "yes", "enabled", "disabled", "hidden", "inherit", "ask", "prompt", "stdin", "github", "google", "aws", "openai",
    "stripe", "slack", "azure", "master", "root", "hashed", "plain", "plaintext", "base", "hex", "utf", "function", "undefined",
];

/// Passwords of letters alone that are real all the same.
#[rustfmt::skip]
pub const WEAK: &[&str] = &[
    "letmein", "swordfish", "qwerty", "qwertyuiop", "iloveyou", "opensesame", "trustno", "superman",
    "sunshine", "princess", "football", "baseball", "batman", "hunter", "correcthorsebatterystaple",
    "welcome", "asdfgh", "asdfghjkl", "zxcvbn", "zxcvbnm", "starwars", "shadow", "dragon", "monkey",
];

/// Words before `key` that make it a secret.
#[rustfmt::skip]
pub const KEY_GOOD: &[&str] = &[
    "api", "secret", "access", "private", "priv", "auth", "authentication", "authorization",
    "encryption", "encrypt", "enc", "decrypt", "decryption", "signing", "sign", "signature",
    "master", "ssh", "account", "subscription", "shared", "preshared", "psk", "app", "application",
    "client", "consumer", "service", "server", "hmac", "aes", "rsa", "crypt", "crypto", "cipher",
    "jwt", "cookie", "session", "webhook", "deploy", "admin", "root", "integration", "ingest",
    "ingestion", "write", "live", "bot", "rest", "personal", "developer", "dev", "prod", "token",
    "license", "licence", "host", "functions", "function", "gpg", "pgp", "tls", "ssl", "x", "apikey", "cert",
    "certificate", "wallet", "security", "sharedaccess", "storage", "pass", "password", "credential",
    "recovery", "unseal", "transit", "kms", "sas", "rpc", "provider", "gateway", "management", "vault", "backup",
];

/// Words before `key` (or `token`) that make it harmless.
#[rustfmt::skip]
pub const KEY_BAD: &[&str] = &[
    "public", "pub", "primary", "foreign", "sort", "partition", "cache", "object", "row", "hash",
    "range", "map", "dict", "json", "i18n", "translation", "locale", "index", "group", "data",
    "item", "registry", "config", "setting", "unique", "natural", "composite", "surrogate", "hot",
    "arrow", "shortcut", "react", "query", "routing", "state", "feature", "metric", "label",
    "tag", "header", "param", "field", "column", "property", "attribute", "lookup", "sorting",
    "order", "idempotency", "bucket", "s3", "redis", "etag", "checksum", "node", "edge", "parent",
    "enter", "escape", "shift", "modifier", "reg", "site", "publishable", "anon", "press", "event",
];

/// Words before `token` that make it harmless.
#[rustfmt::skip]
pub const TOKEN_BAD: &[&str] = &[
    "next", "page", "lock", "change", "forward", "backward", "idempotency", "cursor", "sync", "continuation", "pagination", "resume", "eos", "bos", "pad",
    "unk", "sep", "cls", "mask", "special", "stop", "start", "end", "design", "max", "min", "num",
    "total", "cancellation", "cancel", "lexer", "parser", "prev", "previous", "current", "first", "last", "public", "no", "is", "has",
];

/// Words after the secret word that change nothing.
#[rustfmt::skip]
pub const SUFFIX_GOOD: &[&str] = &[
    "value", "prod", "production", "dev", "development", "test", "staging", "stage", "live",
    "sandbox", "base64", "b64", "base", "hex", "raw", "plain", "plaintext", "text", "string", "str", "old", "new",
    "current", "main", "default", "primary", "secondary", "backup", "v1", "v2", "v3", "a", "b", "confirm", "confirmation", "again",
    "s", "id_rsa", "private", "real", "actual", "clear", "in", "here", "local", "qa", "uat", "ci", "read", "write", "admin", "root", "user", "override", "json", "pem", "data", "literal", "const", "auth",
];

/// Words after the secret word that make the name mean something else.
#[rustfmt::skip]
pub const SUFFIX_BAD: &[&str] = &[
    "id", "ids", "name", "names", "address", "contract", "file", "path", "dir", "url", "uri", "endpoint", "host", "count",
    "length", "len", "size", "limit", "limits", "max", "min", "type", "types", "kind", "field", "fields", "label",
    "hint", "prompt", "placeholder", "input", "error", "errors", "message", "msg", "regex",
    "pattern", "policy", "policies", "expiry", "expires", "expiration", "expire", "ttl", "age", "timeout",
    "version", "format", "prefix", "suffix", "ref", "reference", "arn", "hash", "hashed", "digest", "salt", "sha",
    "fingerprint", "algorithm", "alg", "status", "state", "enabled", "required", "valid", "is", "manager",
    "provider", "service", "store", "storage", "handler", "factory", "generator", "validator", "encoder", "reset",
    "column", "index", "map", "set", "list", "array", "env", "var", "variable", "parameter", "param", "header", "budget", "usage",
    "rotation", "created", "updated", "date", "time", "at", "scope", "scopes", "issuer", "audience", "metadata", "info", "description", "desc",
    "class", "request", "response", "form", "page", "view", "button", "link", "title", "text_color", "strength", "rules", "rule", "mode", "source",
    "server", "client", "pair", "usage", "code_verifier", "exists", "checker", "check", "verify", "callback", "func", "fn", "function", "method", "module", "package", "command", "cmd", "flag", "option", "options", "config", "settings", "spec", "schema", "ring", "chain", "stream", "event", "events", "key_id", "down", "up", "press", "board", "word", "words", "code", "frame", "space", "entry", "selector", "iterator", "position", "start", "end", "offset", "cost", "price", "rate", "per", "helper", "util", "utils", "bucket", "cache", "table",
];

/// Whether two letters often stand together in words.
pub const fn common_pair(a: u8, b: u8) -> bool {
    let (a, b) = (a | 0x20, b | 0x20);
    PAIRS[(a - b'a') as usize & 31] >> (b - b'a') & 1 == 1
}

const PAIRS: [u32; 32] = pairs();

const fn pairs() -> [u32; 32] {
    let s = PAIR_LIST.as_bytes();
    let mut out = [0u32; 32];
    let mut i = 0;
    while i + 1 < s.len() {
        out[(s[i] - b'a') as usize] |= 1 << (s[i + 1] - b'a');
        i += 3;
    }
    out
}

const PAIR_LIST: &str = "th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le ve co me de hi ri ro ic ne ea ra ce li ch ll be ma si om ur ca el ta la ns di fo ho pe ec pr no ct us ac ot il tr ly nc et ut ss so rs un lo wa ge ie wh ee wi em ad ol rt po we na ul ni ts mo ow pa im mi ai sh ir su id os iv ia am fi ci vi pl ig tu ev ld ry mp fe bl ab gh ty op wo sa ay ex ke fr oo av ag if ap gr od bo sp rd do uc bu ei ov by rm ep tt oc fa ef cu rn sc gi da yo cr cl du ga qu ue ff ba ey ls va um pp ua up lu go ht ru ug ds lt pi rc rr eg au ck ew mu br bi pt ak pu ui rg ib ki rk ys ob mm fu ph og ms ud mb ip ub oi gu dr ft wn nu af hu nn eo vo rv nf xp gn fl iz ok aw ju ok sy ps jo je nk kn gs ze ks xt sk xi";
