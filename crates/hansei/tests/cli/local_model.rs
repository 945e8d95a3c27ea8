//! A small real model on this machine, which `scripts/test` installs.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A small real model behind a real server. It ends with its standard input, so also when the test fails.
pub struct LocalModel {
    server: Child,
    pub url: String,
}

impl LocalModel {
    pub fn start(log: &Path) -> Self {
        let packages = std::env::var_os("HANSEI_TEST_LOCAL_MODEL")
            .expect("run ./scripts/test, which installs a small model and sets HANSEI_TEST_LOCAL_MODEL");
        let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/local_model.py");
        let mut server = Command::new("python3")
            .arg(program)
            .arg(packages)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(std::fs::File::create(log).unwrap())
            .spawn()
            .unwrap();
        let mut url = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut url).unwrap();
        Self { server, url: url.trim().to_owned() }
    }

    pub fn stop(mut self) {
        drop(self.server.stdin.take());
        self.server.wait().unwrap();
    }
}
