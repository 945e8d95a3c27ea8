//! Lines and the commands in them, each with the files it writes, its folder, and the checks before it.

use crate::check::commands;

/// The commands of a line as text: `folder: words > written (checks before)`.
fn read(line: &str) -> Vec<String> {
    let shown = |command: crate::check::PlainCommand| {
        let folder = command.folder.map(|folder| format!("{folder}: ")).unwrap_or_default();
        let set = command.assignments.iter().map(|word| format!("{word} ")).collect::<Vec<_>>().concat();
        let writes = command.writes.iter().map(|path| format!(" > {path}")).collect::<Vec<_>>().concat();
        format!("{folder}{set}{}{writes} ({})", command.words.join(" "), command.checks_before)
    };
    commands(line).into_iter().map(shown).collect()
}

#[test]
fn every_command_is_seen() {
    for (line, expected) in [
        ("ls", vec!["ls (0)"]),
        ("cargo test && git push", vec!["cargo test (0)", "git push (1)"]),
        ("sudo -u me timeout 5 rm -rf x", vec!["rm -rf x (0)"]),
        ("A=1 env B=2 git commit", vec!["A=1 B=2 git commit (0)"]),
        ("bash -c 'cargo test; git push'", vec!["cargo test (0)", "git push (1)"]),
        ("echo $(git rev-parse HEAD)", vec!["git rev-parse HEAD (0)", "echo $() (0)"]),
        ("cd web && npm ci", vec!["web: cd web (0)", "web: npm ci (0)"]),
        ("(cd web && ls); ls", vec!["web: cd web (0)", "web: ls (0)", "ls (0)"]),
        ("echo a > b.txt 2>&1", vec!["echo a > b.txt (0)"]),
        ("> b.txt echo a", vec!["echo a > b.txt (0)"]),
        ("x 2>/dev/null >>log &> all", vec!["x > /dev/null > log > all (0)"]),
        ("a < in | tee out", vec!["a (0)", "tee out (0)"]),
        ("if true; then rm x; fi", vec!["true (0)", "rm x (0)"]),
        ("git commit -m 'x; rm -rf /'", vec!["git commit -m x; rm -rf / (0)"]),
        ("# rm x", vec![]),
        ("", vec![]),
    ] {
        assert_eq!(read(line), expected, "{line}");
    }
}
