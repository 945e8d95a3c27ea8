//! Python's own modules, and the versions in which some came or went.

/// Modules that some Python 3 has.
const OWN: &[&str] = &[
    "__future__", "__main__", "_collections_abc", "_thread", "_typeshed", "abc", "aifc", "annotationlib",
    "antigravity", "argparse", "array", "ast", "asynchat", "asyncio", "asyncore", "atexit", "audioop",
    "base64", "bdb", "binascii", "binhex", "bisect", "builtins", "bz2", "cProfile", "calendar", "cgi",
    "cgitb", "chunk", "cmath", "cmd", "code", "codecs", "codeop", "collections", "colorsys", "compileall",
    "compression", "concurrent", "configparser", "contextlib", "contextvars", "copy", "copyreg", "crypt",
    "csv", "ctypes", "curses", "dataclasses", "datetime", "dbm", "decimal", "difflib", "dis", "distutils",
    "doctest", "dummy_threading", "email", "encodings", "ensurepip", "enum", "errno", "faulthandler",
    "fcntl", "filecmp", "fileinput", "fnmatch", "formatter", "fractions", "ftplib", "functools", "gc",
    "genericpath", "getopt", "getpass", "gettext", "glob", "graphlib", "grp", "gzip", "hashlib", "heapq",
    "hmac", "html", "http", "idlelib", "imaplib", "imghdr", "imp", "importlib", "inspect", "io", "ipaddress",
    "itertools", "json", "keyword", "lib2to3", "linecache", "locale", "logging", "lzma", "macpath",
    "mailbox", "mailcap", "marshal", "math", "mimetypes", "mmap", "modulefinder", "msilib", "msvcrt",
    "multiprocessing", "netrc", "nis", "nntplib", "nt", "ntpath", "nturl2path", "numbers", "opcode",
    "operator", "optparse", "os", "ossaudiodev", "parser", "pathlib", "pdb", "pickle", "pickletools",
    "pipes", "pkgutil", "platform", "plistlib", "poplib", "posix", "posixpath", "pprint", "profile",
    "pstats", "pty", "pwd", "py_compile", "pyclbr", "pydoc", "pydoc_data", "pyexpat", "queue", "quopri",
    "random", "re", "readline", "reprlib", "resource", "rlcompleter", "runpy", "sched", "secrets", "select",
    "selectors", "shelve", "shlex", "shutil", "signal", "site", "smtpd", "smtplib", "sndhdr", "socket",
    "socketserver", "spwd", "sqlite3", "sre_compile", "sre_constants", "sre_parse", "ssl", "stat",
    "statistics", "string", "stringprep", "struct", "subprocess", "sunau", "symbol", "symtable", "sys",
    "sysconfig", "syslog", "tabnanny", "tarfile", "telnetlib", "tempfile", "termios", "textwrap", "this",
    "threading", "time", "timeit", "tkinter", "token", "tokenize", "tomllib", "trace", "traceback",
    "tracemalloc", "tty", "turtle", "turtledemo", "types", "typing", "unicodedata", "unittest", "urllib",
    "uu", "uuid", "venv", "warnings", "wave", "weakref", "webbrowser", "winreg", "winsound", "wsgiref",
    "xdrlib", "xml", "xmlrpc", "zipapp", "zipfile", "zipimport", "zlib", "zoneinfo",
];

/// Modules that are gone since a minor version of Python 3, and what people use instead.
const GONE: &[(&str, u64)] = &[
    ("_dummy_threading", 9),
    ("aifc", 13),
    ("asynchat", 12),
    ("asyncore", 12),
    ("audioop", 13),
    ("binhex", 11),
    ("cgi", 13),
    ("cgitb", 13),
    ("chunk", 13),
    ("crypt", 13),
    ("distutils", 12),
    ("dummy_threading", 9),
    ("formatter", 10),
    ("imghdr", 13),
    ("imp", 12),
    ("lib2to3", 13),
    ("macpath", 8),
    ("mailcap", 13),
    ("msilib", 13),
    ("nis", 13),
    ("nntplib", 13),
    ("ossaudiodev", 13),
    ("parser", 10),
    ("pipes", 13),
    ("smtpd", 12),
    ("sndhdr", 13),
    ("spwd", 13),
    ("sunau", 13),
    ("symbol", 10),
    ("telnetlib", 13),
    ("uu", 13),
    ("xdrlib", 13),
];

/// Modules that came with a minor version of Python 3.
const CAME: &[(&str, u64)] = &[
    ("annotationlib", 14),
    ("compression", 14),
    ("contextvars", 7),
    ("dataclasses", 7),
    ("graphlib", 9),
    ("tomllib", 11),
    ("zoneinfo", 9),
];

/// What is known of a module by its first name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Own {
    /// It is not one of Python's.
    No,
    /// Every Python 3 that is in use has it.
    Always,
    /// It is gone since 3.N.
    GoneSince(u64),
    /// It came with 3.N.
    CameWith(u64),
}

/// Whether a module is Python's own.
pub(super) fn own(module: &str) -> Own {
    let dated = |list: &[(&str, u64)]| list.iter().find(|(name, _)| *name == module).map(|(_, minor)| *minor);
    if let Some(minor) = dated(GONE) {
        return Own::GoneSince(minor);
    }
    if let Some(minor) = dated(CAME) {
        return Own::CameWith(minor);
    }
    if OWN.contains(&module) || module.starts_with('_') { Own::Always } else { Own::No }
}
