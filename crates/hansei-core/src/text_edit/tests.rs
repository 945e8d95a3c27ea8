//! Edits as tables: what was there, what was asked, what is there now.

use super::*;

fn text(bytes: &[u8]) -> Text {
    Text::decode(bytes).unwrap()
}

#[test]
fn an_anchor_that_occurs_once_is_replaced_and_nothing_else() {
    let cases: &[(&str, &str, &str, &str)] = &[
        ("a\nb\nc\n", "b", "B", "a\nB\nc\n"),
        ("a\r\nb\r\nc\r\n", "a\nb", "x\ny", "x\r\ny\r\nc\r\n"),
        ("a\r\nb\r\nc\r\n", "b\n", "", "a\r\nc\r\n"),
        ("a\r\nb\r\nc", "b", "x\ny", "a\r\nx\r\ny\r\nc"),
        ("a\r\nb\r\n", "a\r\nb", "x\r\ny", "x\r\ny\r\n"),
        ("a\nb\n", "a\r\nb", "x\r\ny", "x\ny\n"),
        // A mixture: what is replaced keeps its own endings, and the rest stays a mixture.
        ("a\nb\nc\r\nd\r\ne\r\n", "a\nb\n", "x\ny\n", "x\ny\nc\r\nd\r\ne\r\n"),
        ("a\nb\r\nc\r\nd\r\n", "c\nd", "C\nD", "a\nb\r\nC\r\nD\r\n"),
        ("\u{feff}a\nb\n", "a", "A", "\u{feff}A\nb\n"),
        ("abc", "b", "1\r\n2", "a1\r\n2c"),
        ("é\nü\n", "ü", "u", "é\nu\n"),
        ("a\n\nb\n", "\n\n", "\n", "a\nb\n"),
    ];
    for (before, old, new, after) in cases {
        let changed = text(before.as_bytes()).replace(old, new).unwrap();
        assert_eq!(changed.text.encode(), after.as_bytes(), "{before:?} {old:?} {new:?}");
    }
}

#[test]
fn a_line_is_inserted_after_the_line_named() {
    let cases: &[(&str, usize, &str, &str)] = &[
        ("a\nb\n", 0, "x", "x\na\nb\n"),
        ("a\nb\n", 1, "x", "a\nx\nb\n"),
        ("a\nb\n", 2, "x\n", "a\nb\nx\n"),
        ("a\nb", 2, "x", "a\nb\nx"),
        ("a\nb", 2, "x\n", "a\nb\nx"),
        ("a\nb", 1, "x", "a\nx\nb"),
        ("a", 1, "\n", "a\n\n"),
        ("a", 1, "x\n\n", "a\nx\n\n"),
        ("", 0, "x", "x\n"),
        ("a\r\nb\r\n", 1, "x\ny", "a\r\nx\r\ny\r\nb\r\n"),
        ("\u{feff}a\n", 0, "x", "\u{feff}x\na\n"),
        ("a\n", 1, "\n", "a\n\n"),
    ];
    for (before, line, new, after) in cases {
        let changed = text(before.as_bytes()).insert_after(*line, new).unwrap();
        assert_eq!(changed.text.encode(), after.as_bytes(), "{before:?} {line} {new:?}");
    }
    assert_eq!(text(b"a\nb\n").insert_after(3, "x"), Err(Miss::BeyondEnd { lines: 2 }));
    assert_eq!(text(b"").insert_after(1, "x"), Err(Miss::BeyondEnd { lines: 0 }));
}

#[test]
fn which_lines_are_new_is_said() {
    let changed = text(b"a\nb\nc\n").replace("b", "x\ny").unwrap();
    assert_eq!((changed.first_line, changed.last_line), (2, 3));
    let changed = text(b"a\nb\nc\n").insert_after(3, "x\ny\n").unwrap();
    assert_eq!((changed.first_line, changed.last_line), (4, 5));
}

#[test]
fn an_anchor_that_is_not_unique_is_named_with_its_places() {
    let miss = text(b"a\nb\na\r\nab\n").replace("a", "x");
    assert_eq!(miss, Err(Miss::NotUnique { times: 3, lines: vec![1, 3, 4] }));
    assert_eq!(text(b"aaa").replace("aa", "b"), Err(Miss::NotUnique { times: 2, lines: vec![1, 1] }));
    assert_eq!(text(b"abc").replace("", "b"), Err(Miss::EmptyAnchor));
    assert_eq!(text(b"abc\r\n").replace("abc\n", "abc\n"), Err(Miss::NoChange));
}

#[test]
fn an_anchor_that_is_not_there_is_answered_with_what_comes_nearest() {
    let file = "fn main() {\n    let total = count(1);\n    print(total);\n}\n";
    let cases: &[(&str, Option<(usize, Difference)>)] = &[
        ("        let total = count(1);", Some((2, Difference::Whitespace))),
        ("\tlet total = count(1);\n\tprint(total);", Some((2, Difference::Whitespace))),
        ("    let Total = count(1);", Some((2, Difference::Case))),
        ("    let total = count(2);", Some((2, Difference::Words))),
        ("    let total = count(1);\n    print(sum);", Some((3, Difference::Words))),
        ("    print(total);\n}\nfn other() {}", Some((5, Difference::Words))),
        ("class Something extends Other", None),
        ("\n\n", None),
    ];
    for (anchor, expected) in cases {
        let Err(Miss::NoMatch { nearest }) = text(file.as_bytes()).replace(anchor, "x") else {
            panic!("{anchor:?} was found");
        };
        assert_eq!(nearest.map(|near| (near.line, near.difference)), *expected, "{anchor:?}");
    }
    let curly = text("say \u{201c}hello\u{201d}\n".as_bytes()).replace("say \"hello\"", "x");
    let Err(Miss::NoMatch { nearest: Some(near) }) = curly else { panic!("{curly:?}") };
    assert_eq!((near.line, near.difference), (1, Difference::Typography));
}

#[test]
fn what_is_not_utf_8_is_named() {
    let wide = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let cases: Vec<(Vec<u8>, &str)> = vec![
        (b"ab\0c".to_vec(), "binary"),
        (b"caf\xe9\n".to_vec(), "Latin-1"),
        (b"\x93quoted\x94".to_vec(), "Windows-1252"),
        (wide("hello\n"), "UTF-16, little-endian"),
        (wide("\u{feff}hi"), "UTF-16, little-endian"),
        (b"\xfe\xff\0h\0i".to_vec(), "UTF-16, big-endian"),
        (b"\xff\xfe\0\0h\0\0\0".to_vec(), "UTF-32, little-endian"),
        (b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3e\0".to_vec(), "binary"),
    ];
    for (bytes, expected) in cases {
        let error = Text::decode(&bytes).unwrap_err().to_string();
        assert!(error.contains(expected), "{bytes:?}: {error}");
    }
    let error = Text::decode(b"a\nb\ncaf\xe9\n").unwrap_err();
    assert_eq!(error, Undecodable::Encoding { seems: "Latin-1 (ISO 8859-1)", line: 3 });
}
