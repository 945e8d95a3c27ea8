//! Pairs of hypotheses: those that say the same in other words, and those that share nearly every word and do not.

use super::hypothesis::is_the_same;

/// The same cause, said otherwise.
const SAME: &[(&str, &str)] = &[
    ("IMPORT_ROWS is not set", "The environment variable IMPORT_ROWS is missing"),
    ("DATABASE_URL is unset in the shell", "DATABASE_URL does not exist in the environment"),
    ("The module rates.py is absent from the image", "rates.py is missing in the image"),
    ("Port 8080 is already in use", "Something else listens on port 8080"),
    ("The version of protobuf is wrong", "protobuf has an incorrect version"),
    ("The fixture `db` is stale", "`db` is an outdated fixture"),
    ("The lock file is out of date", "The lock file is stale"),
    ("conftest.py cannot be found by pytest", "pytest does not find conftest.py"),
    (
        "The clock of the container runs in another time zone",
        "The container's clock has a different time zone",
    ),
    ("The cache is not cleared between tests", "Between the tests nobody clears the cache"),
    ("The pool in db.py is closed too early", "db.py closes its pool too soon"),
    ("The migration 0012 was never applied", "Migration 0012 has not been applied"),
    (
        "HTTP_PROXY is set, and swallows local requests",
        "Because HTTP_PROXY is defined, local requests are swallowed",
    ),
    ("The mock of `send` replaces the wrong object", "`send` is mocked on an incorrect object"),
    ("src/api.rs expects u32, but ids are texts", "The ids are texts while src/api.rs expects u32"),
    ("Node 16 is installed, 20 is needed", "Node is 16 but must be 20"),
    ("The test runs in the wrong folder", "The working directory of the test is incorrect"),
    ("data.csv has no permission to be read", "data.csv is not readable"),
    ("The setting `timeout` is too low", "The value of `timeout` is too small"),
    ("The build output in dist/ is older than the source", "dist/ is stale: the source is newer"),
];

/// Another cause, in nearly the same words.
const DIFFERENT: &[(&str, &str)] = &[
    ("HTTP_PROXY is not set", "HTTP_PROXY is set"),
    ("The pool in db.py is closed too early", "The pool in db.py is closed too late"),
    (
        "The fixture runs before the migration in conftest.py",
        "The fixture runs after the migration in conftest.py",
    ),
    ("A_URL is not set", "B_URL is not set"),
    ("The lock file pins requests 2.1", "The lock file pins urllib3 1.26"),
    ("python is 3.8 but 3.11 is needed", "python is 3.8 but 3.12 is needed"),
    ("The timeout of the client is too low", "The timeout of the client is too high"),
    ("The cache is read before it is filled", "The cache is filled before it is read"),
    (
        "The file is encoded as UTF-8, Latin-1 is expected",
        "The file is encoded as UTF-16, Latin-1 is expected",
    ),
    ("The mock is installed twice", "The mock is never installed"),
    ("The server listens on IPv6 only", "The server listens on IPv4 only"),
    ("The connection is opened in the parent process", "The connection is opened in the child process"),
    ("The array in parse.rs is longer than expected", "The array in parse.rs is shorter than expected"),
    ("The import path is relative", "The import path is absolute"),
    ("The tests share one database", "The tests share no database"),
    (
        "The schema of the server is newer than that of the client",
        "The schema of the client is newer than that of the server",
    ),
    ("The flag is enabled in staging", "The flag is disabled in staging"),
    ("load.py drops the first row", "load.py drops the last row"),
    ("`total` is rounded up", "`total` is rounded down"),
    ("Permission to write to out/ is missing", "Permission to read out/ is missing"),
];

/// Further ones, written when the rule was there.
const SAME_TOO: &[(&str, &str)] = &[
    ("REDIS_URL isn't defined in CI", "In CI, the variable REDIS_URL is absent"),
    ("The wheel of numpy was built for another Python", "numpy's wheel is for a different Python"),
    ("The migration runs after the fixture", "The fixture runs before the migration"),
    ("`settings.toml` has an invalid value for `rounds`", "The value of `rounds` in settings.toml is wrong"),
    (
        "The server is not started when the test connects",
        "The test connects, but the server was never started",
    ),
    ("Two tests write to the same file out.json", "out.json is written by two tests"),
    ("The lock file is older than package.json", "package.json is newer than the lock file"),
    ("The token has expired", "The token is expired by now"),
    ("tests/conftest.py does not export `client`", "`client` is not exported from conftest.py"),
];
const DIFFERENT_TOO: &[(&str, &str)] = &[
    ("The lock file is older than package.json", "The lock file is newer than package.json"),
    ("REDIS_URL is defined", "REDIS_URL isn't defined"),
    ("The server is started too soon", "The server is started too late"),
    ("The first worker holds the lock", "The last worker holds the lock"),
    ("The token has expired", "The token has no scope"),
    ("The request is sent without a header", "The request is sent with a header twice"),
    ("out.json is written by two tests", "in.json is written by two tests"),
    ("The retry count in the client is off by one", "The retry count in the server is off by one"),
    ("The mock is active in the unit tests", "The mock is inactive in the unit tests"),
    ("The parser ignores comments", "The printer ignores comments"),
];

#[test]
fn one_that_says_much_more_is_another() {
    for (vague, told) in [
        (
            "load.py is wrong",
            "load.py passes the wrong encoding to open, which the writer of data.csv did not use",
        ),
        (
            "The parser drops rows",
            "The parser drops rows because CSV_DIALECT is read from the wrong section of setup.cfg",
        ),
    ] {
        assert!(!is_the_same(vague, told) && !is_the_same(told, vague), "{told}");
    }
}

#[test]
fn further_pairs() {
    let wrong =
        wrong_of(SAME_TOO, true).into_iter().chain(wrong_of(DIFFERENT_TOO, false)).collect::<Vec<_>>();
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        SAME_TOO.len() + DIFFERENT_TOO.len(),
        wrong.join("\n")
    );
}

#[test]
fn the_pairs_that_were_written_first() {
    let wrong = wrong_of(SAME, true).into_iter().chain(wrong_of(DIFFERENT, false)).collect::<Vec<_>>();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), SAME.len() + DIFFERENT.len(), wrong.join("\n"));
}

fn wrong_of(pairs: &[(&str, &str)], same: bool) -> Vec<String> {
    let wrong = pairs
        .iter()
        .filter(|(one, other)| is_the_same(one, other) != same || is_the_same(other, one) != same);
    wrong.map(|(one, other)| format!("same should be {same}: {one} / {other}")).collect()
}
