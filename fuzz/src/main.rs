//! What `scripts/fuzz` needs of the targets, and a way to try one by hand.
#![allow(clippy::expect_used, reason = "a tool for who works on the targets")]

use std::path::Path;
use std::process::ExitCode;

use hansei_fuzz::{TARGETS, corpus, target_named};

const USAGE: &str = "usage: hansei-fuzz list | seeds TARGET FOLDER | run TARGET FILE…";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["list"] => TARGETS.iter().for_each(|target| println!("{}", target.name)),
        ["seeds", name, folder] => {
            let Some(target) = target_named(name) else { return unknown(name) };
            for (number, (_, bytes)) in corpus::inputs(target).into_iter().enumerate() {
                let file = Path::new(folder).join(format!("seed-{number}"));
                std::fs::write(file, bytes).expect("the folder can be written");
            }
        }
        ["run", name, files @ ..] => {
            let Some(target) = target_named(name) else { return unknown(name) };
            for file in files {
                (target.run)(&std::fs::read(file).expect("the file can be read"));
                println!("{file}: nothing found");
            }
        }
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

fn unknown(name: &str) -> ExitCode {
    eprintln!("there is no target {name:?}; `hansei-fuzz list` names them");
    ExitCode::from(2)
}
