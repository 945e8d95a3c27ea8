//! Input made to be read again and again must not cost more per byte.

use crate::redact::{scan, work};

#[test]
fn hostile_input_is_linear() {
    let parts: &[&str] = &[
        "key=",
        "password=",
        "password=\"",
        "token='",
        "sk-",
        "eyJ",
        "eyJaaaaaaaaaaaaaaaa.",
        "-----BEGIN PRIVATE KEY-----\n",
        "://a:",
        "a@",
        "curl ",
        "mysql -p",
        "kind: Secret\n",
        "\"kty\"",
        "<rsakeyvalue>",
        "mnemonic ",
        "cookie: a=",
        "cookie:a=b;",
        "Authorization: ",
        "Bearer ",
        "glpat-",
        "ya29.",
        "login ",
        "password ",
        "{\"kty\"",
        "PuTTY-User-Key-File-",
        "api_key:\n",
        "token is ",
        "AKIA",
        ":_auth=",
        "secret_",
        "_secret_",
        "identified by ",
        "\\",
        "'",
        "(",
        "pass:",
        "a",
        ".atlasv1.",
        "echo chpasswd",
        " login ",
        " -p a1",
        "auth(\"a\", ",
        "password:\n  ",
        "password for ",
        "secret set ",
        "\"name\": \"token\", ",
        "{\"password\":",
        "?code=",
        "hook/",
        "exp -stdin | ",
    ];
    for part in parts {
        let visited = |bytes: usize| {
            let text = part.repeat(bytes / part.len());
            work::reset();
            let _ = scan(text.as_bytes());
            work::visited()
        };
        let (short, long) = (visited(25_000), visited(100_000));
        println!("{part:?} {short} {long}");
        // Four times the bytes: a square would visit sixteen times as many.
        assert!(long <= short * 6 + 200_000, "{part:?}: {short}, then {long}");
    }
}
