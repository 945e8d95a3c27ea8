//! What commands write, read from their words.

use super::stream_edits::{How, printed, writes};
use crate::check::commands;

fn read(line: &str) -> Vec<(String, String, String)> {
    let mut piped = String::new();
    let mut found = Vec::new();
    for command in commands(line) {
        found.extend(writes(&command, line, &piped));
        piped = printed(&command);
    }
    let squeezed = |text: &str| text.trim().replace('\n', "|");
    found.iter().map(|write| (write.path.clone(), squeezed(&write.removed), squeezed(&write.added))).collect()
}

#[test]
fn texts_that_commands_take_out_and_put_in() {
    for (line, path, removed, added) in [
        ("sed -i 's/assert .*/pass/' tests/t.py", "tests/t.py", "assert .*", "pass"),
        ("sed -i '' -e 's|a|b|g' -e '/skip/d' x.py", "x.py", "a|skip", "b"),
        (r"sed -i 's/#\[test\]/#[test] #[ignore]/' src/l.rs", "src/l.rs", "#[test]", "#[test] #[ignore]"),
        (r"perl -0pi -e 's/def test_a/\@x\ndef test_a/' t.py", "t.py", "def test_a", "@x|def test_a"),
        ("perl -pi -e 's{a}{b}' t.py", "t.py", "a", "b"),
        ("sed -i 's/^def test/@skip\\n&/' t.py", "t.py", "def test", "@skip|def test"),
        ("sed -i '1i /* off */' a.js", "a.js", "", "/* off */"),
        ("sed -i '/def test_a/,/^$/d' t.py", "t.py", "def test_a", ""),
        ("ed -s t.py <<'EOF'\n/assert x/d\nw\nq\nEOF", "t.py", "assert x", ""),
        ("printf '/assert x/d\\nw\\n' | ed -s t.py", "t.py", "assert x", ""),
        ("printf '[pytest]\\naddopts = -k x\\n' > pytest.ini", "pytest.ini", "", "[pytest]|addopts = -k x"),
        ("echo '--deselect a' >> pytest.ini", "pytest.ini", "", "--deselect a"),
        ("cat > c.py <<'EOF'\nx = 1\nEOF", "c.py", "", "x = 1"),
        ("echo hi | tee -a c.py", "c.py", "", "hi"),
        ("tee c.py <<'EOF'\nx\nEOF", "c.py", "", "x"),
        (
            "python3 -c \"p='t.py';s=open(p).read();open(p,'w').write(s.replace('== 3','== 4'))\"",
            "t.py",
            "== 3",
            "== 4",
        ),
        (
            "python3 - <<'EOF'\nimport re\np = 't.py'\nt = open(p).read()\nt = re.sub(r'assert (.*)', 'pass', t)\nopen(p, 'w').write(t)\nEOF",
            "t.py",
            "assert (.*)",
            "pass",
        ),
        (
            "python3 - <<'EOF'\nfrom pathlib import Path\nold = \"\"\"assert a\nassert b\"\"\"\nnew = \"assert a\"\np = Path('t.py')\np.write_text(p.read_text().replace(old, new))\nEOF",
            "t.py",
            "assert a|assert b",
            "assert a",
        ),
        ("python -c \"open('t.py','w').write('x = 1')\"", "t.py", "", "x = 1"),
        ("node -e \"fs.writeFileSync('a.js', 'x')\"", "a.js", "", "x"),
        (
            "git apply <<'EOF'\n--- a/t.py\n+++ b/t.py\n@@ -1,2 +1,1 @@\n-assert x\n y\nEOF",
            "t.py",
            "assert x|y",
            "y",
        ),
    ] {
        let found = read(line);
        assert!(
            found.contains(&(path.to_owned(), removed.to_owned(), added.to_owned())),
            "{line}: {found:?}"
        );
    }
}

#[test]
fn files_that_commands_remove_move_and_put_back() {
    let how = |line: &str| {
        let command = commands(line).pop().unwrap();
        writes(&command, line, "").into_iter().map(|write| (write.path, write.how)).collect::<Vec<_>>()
    };
    let path = |path: &str, how: How| vec![(path.to_owned(), how)];
    assert_eq!(how("git rm -q tests/a.py"), path("tests/a.py", How::Removes));
    assert_eq!(how("git rm --cached tests/a.py"), []);
    assert_eq!(how("python -c \"import os; os.remove('a.py')\""), path("a.py", How::Removes));
    assert_eq!(how("mv tests/a.py old/"), path("tests/a.py", How::Moves("old/a.py".into())));
    assert_eq!(how("git mv a.py b.py"), path("a.py", How::Moves("b.py".into())));
    assert_eq!(how("git checkout -- a.py"), path("a.py", How::Restores(None)));
    assert_eq!(how("git checkout HEAD~3 -- a.py"), path("a.py", How::Restores(Some("HEAD~3".into()))));
    assert_eq!(how("git restore --source=v1 a.py"), path("a.py", How::Restores(Some("v1".into()))));
    assert_eq!(how("git checkout main"), []);
    assert_eq!(how("python -c \"print(open('a.py').read())\""), []);
}
