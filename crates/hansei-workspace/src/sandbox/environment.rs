//! The variables that a sandboxed command sees: those that are known to be harmless, never all but the known secrets.

use std::ffi::{OsStr, OsString};
use std::path::Path;

/// Variables that are passed on as they are.
const PASSED_ON: &[&str] = &[
    "PATH",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "LANGUAGE",
    "TZ",
    "TERM",
    "COLORTERM",
    "NO_COLOR",
    "FORCE_COLOR",
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "COLUMNS",
    "LINES",
    "CI",
    "SOURCE_DATE_EPOCH",
    "CARGO_HOME",
    "CARGO_BUILD_JOBS",
    "CARGO_INCREMENTAL",
    "RUSTUP_HOME",
    "RUSTUP_TOOLCHAIN",
    "RUST_BACKTRACE",
    "RUSTFLAGS",
    "GOPATH",
    "GOROOT",
    "GOFLAGS",
    "GOMODCACHE",
    "GOMAXPROCS",
    "GOARCH",
    "GOOS",
    "CGO_ENABLED",
    "JAVA_HOME",
    "JDK_HOME",
    "MAVEN_HOME",
    "M2_HOME",
    "GRADLE_HOME",
    "PYENV_ROOT",
    "PYENV_VERSION",
    "VIRTUAL_ENV",
    "CONDA_PREFIX",
    "PYTHONDONTWRITEBYTECODE",
    "PYTHONUNBUFFERED",
    "PYTHONHASHSEED",
    "PYTHONUTF8",
    "NVM_DIR",
    "NVM_BIN",
    "VOLTA_HOME",
    "FNM_DIR",
    "NODE_ENV",
    "BUN_INSTALL",
    "DENO_DIR",
    "RBENV_ROOT",
    "GEM_HOME",
    "GEM_PATH",
    "DOTNET_ROOT",
    "SDKMAN_DIR",
    "ASDF_DIR",
    "CC",
    "CXX",
    "CPP",
    "AR",
    "LD",
    "CFLAGS",
    "CXXFLAGS",
    "CPPFLAGS",
    "LDFLAGS",
    "MAKEFLAGS",
    "CMAKE_GENERATOR",
    "CTEST_OUTPUT_ON_FAILURE",
    "PKG_CONFIG_PATH",
]; // no LD_PRELOAD, BASH_ENV, NODE_OPTIONS, GIT_*: they make programs run others

/// Parts of a locale, behind `LC_`.
const LOCALE: &[&str] = &[
    "ALL", "ADDRESS", "COLLATE", "CTYPE", "IDENTIFICATION", "MEASUREMENT", "MESSAGES", "MONETARY", "NAME",
    "NUMERIC", "PAPER", "TELEPHONE", "TIME",
];

/// What every sandboxed command is told: there is no network, so do not try.
const SET: &[(&str, &str)] = &[
    ("HANSEI_SANDBOX", "1"),
    ("TMPDIR", "/tmp"),
    ("CARGO_NET_OFFLINE", "true"),
    ("GOPROXY", "off"),
    ("GOTOOLCHAIN", "local"),
    ("PIP_DISABLE_PIP_VERSION_CHECK", "1"),
    ("npm_config_update_notifier", "false"),
    ("npm_config_audit", "false"),
    ("npm_config_fund", "false"),
];

/// The variables of a command: of `ours` those on the list and those that the user `named`, then what is set for all.
pub(super) fn variables(
    ours: impl Iterator<Item = (OsString, OsString)>,
    named: &[String],
    home: &Path,
) -> Vec<(OsString, OsString)> {
    let passed = |name: &OsStr, value: &OsStr| {
        let Some(name) = name.to_str() else { return false };
        named.iter().any(|one| one == name)
            || ((PASSED_ON.contains(&name)
                || name.strip_prefix("LC_").is_some_and(|rest| LOCALE.contains(&rest)))
                && !carries_login(value))
    };
    let mut variables: Vec<_> = ours.filter(|(name, value)| passed(name, value)).collect();
    variables.extend(SET.iter().map(|(name, value)| (OsString::from(name), OsString::from(value))));
    variables.push(("HOME".into(), home.into()));
    variables
}

/// Whether a value holds an address with a login in it: `https://name:word@host`.
fn carries_login(value: &OsStr) -> bool {
    let text = value.to_string_lossy();
    text.split("://").skip(1).any(|rest| {
        let host = rest.split(['/', '?', '#', ' ']).next().unwrap_or_default();
        host.contains('@')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_known_to_be_harmless_is_passed_on() {
        let ours = [
            ("PATH", "/bin"),
            ("LC_ALL", "C"),
            ("LC_TOKEN", "visibly-fake"),
            ("AWS_SECRET_ACCESS_KEY", "visibly-fake"),
            ("MY_PW", "visibly-fake"),
            ("LD_PRELOAD", "/x.so"),
            ("BASH_ENV", "/x"),
            ("GOFLAGS", "-x=https://me:visibly-fake@host/x"),
            ("HOME", "/home/somebody"),
            ("ASKED_FOR", "1"),
        ];
        let ours = ours.iter().map(|(name, value)| (OsString::from(name), OsString::from(value)));
        let got = variables(ours, &["ASKED_FOR".to_owned()], Path::new("/home/me"));
        let value = |name: &str| {
            got.iter().rev().find(|(known, _)| known == name).map(|(_, value)| value.to_str().unwrap())
        };
        assert_eq!(value("PATH"), Some("/bin"));
        assert_eq!(value("LC_ALL"), Some("C"));
        assert_eq!(value("ASKED_FOR"), Some("1"));
        assert_eq!(value("HOME"), Some("/home/me"));
        for gone in ["AWS_SECRET_ACCESS_KEY", "LC_TOKEN", "MY_PW", "LD_PRELOAD", "BASH_ENV", "GOFLAGS"] {
            assert_eq!(value(gone), None, "{gone}");
        }
    }
}
