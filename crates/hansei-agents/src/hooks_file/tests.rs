//! Whatever a settings file looks like, what is put in goes again to the byte.

use proptest::prelude::*;

use super::*;
use crate::settings_edit::json::insert_member;

const EVENTS: [&str; 3] = ["SessionStart", "Stop", "SessionEnd"];
const MARK: &str = "\"MARK\"";

fn wanted(mode: &str) -> Vec<Wanted> {
    EVENTS
        .map(|event| {
            let command = format!("'/a \"b\"/hansei' hook codex {event} --mode {mode}");
            let literal = serde_json::Value::from(command.as_str());
            let handler = format!(r#"{{ "type": "command", "command": {literal} }}"#);
            Wanted { event, command, handler, seconds: 60 }
        })
        .to_vec()
}

fn installed(text: &str) -> Edited {
    install(text, "codex", &wanted("solo")).unwrap_or_else(|error| panic!("{error} in {text:?}"))
}

/// A value without its places, to compare texts by what they say.
fn said(text: &str) -> String {
    fn walk(node: &Node, text: &str) -> String {
        let parts: Vec<String> = match &node.kind {
            Kind::Object(members) => members
                .iter()
                .map(|member| format!("({}{})", member.key, walk(&member.value, text)))
                .collect(),
            Kind::Array(elements) => {
                elements.iter().map(|element| format!("[{}]", walk(element, text))).collect()
            }
            Kind::Text(text) => vec![format!("{text:?}")],
            Kind::Other => vec![text[node.range.clone()].to_owned()],
        };
        parts.concat()
    }
    Document::parse(text).unwrap().root().map(|root| walk(root, text)).unwrap_or_default()
}

fn white() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => Just(String::new()),
        3 => Just(" ".to_owned()),
        3 => "\r?\n[ \t]{0,5}",
        1 => Just("\t".to_owned()),
        1 => Just("/* , ] } */".to_owned()),
        1 => Just(" // \"hooks\": {, \r\n".to_owned()),
        1 => Just(" /* one\n two */ ".to_owned()),
        1 => Just("// x\n\n  ".to_owned()),
    ]
}

/// A list or object of `items` with white space and comments everywhere, and sometimes a trailing comma.
fn container(open: char, close: char, items: Vec<String>, whites: &[String], trailing: bool) -> String {
    let mut whites = whites.iter().cycle();
    let mut white = || whites.next().map_or("", String::as_str);
    let mut text = format!("{open}{}", white());
    let count = items.len();
    for (place, item) in items.into_iter().enumerate() {
        text += &item;
        text += white();
        if place + 1 < count || trailing {
            text.push(',');
            text += white();
        }
    }
    text.push(close);
    text
}

fn scalar() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("null".to_owned()),
        Just("-1.5e3".to_owned()),
        Just(r#""// no \" comment ""#.to_owned()),
        Just(r#""日本 \u00e9 ]}""#.to_owned()),
    ]
}

fn value() -> impl Strategy<Value = String> {
    scalar().prop_recursive(3, 12, 3, |inner| {
        let whites = proptest::collection::vec(white(), 1..7);
        (proptest::collection::vec(inner, 0..4), whites, any::<bool>(), any::<bool>()).prop_map(
            |(items, whites, trailing, list)| {
                if list {
                    container('[', ']', items, &whites, trailing)
                } else {
                    let key = |(place, item): (usize, String)| format!("\"k{place}\"{}:{item}", whites[0]);
                    let members = items.into_iter().enumerate().map(key).collect();
                    container('{', '}', members, &whites, trailing)
                }
            },
        )
    })
}

fn groups() -> impl Strategy<Value = String> {
    let theirs = "{\"matcher\":\"*\", \"hooks\" : [ { \"type\":\"command\",\"command\":\"theirs.sh\" } ] }";
    (0_usize..3, proptest::collection::vec(white(), 1..6), any::<bool>()).prop_map(
        |(count, whites, trailing)| {
            container('[', ']', vec![theirs.to_owned(); count], &whites, trailing && count > 0)
        },
    )
}

fn hooks() -> impl Strategy<Value = Option<String>> {
    let whites = proptest::collection::vec(white(), 1..6);
    let events = proptest::collection::vec((0_usize..4, groups()), 0..4);
    proptest::option::of((events, whites, any::<bool>()).prop_map(|(events, whites, trailing)| {
        let name = |place: usize| ["SessionStart", "Stop", "PreToolUse", "SessionEnd"][place];
        let mut taken = Vec::new();
        let members: Vec<String> = events
            .into_iter()
            .filter(|(place, _)| {
                let new = !taken.contains(place);
                taken.push(*place);
                new
            })
            .map(|(place, groups)| format!("\"{}\":{groups}", name(place)))
            .collect();
        let trailing = trailing && !members.is_empty();
        format!("\"hooks\" :{}", container('{', '}', members, &whites, trailing))
    }))
}

fn settings() -> impl Strategy<Value = String> {
    let others = || proptest::collection::vec(value(), 0..3);
    let whites = proptest::collection::vec(white(), 1..9);
    (others(), hooks(), others(), whites, any::<bool>(), any::<bool>(), white(), any::<bool>()).prop_map(
        |(before, hooks, after, whites, trailing, mark, end, bom)| {
            let named = |prefix: &'static str| {
                move |(place, value): (usize, String)| format!("\"{prefix}{place}\": {value}")
            };
            let mut members: Vec<String> = before.into_iter().enumerate().map(named("a")).collect();
            members.extend(mark.then(|| format!("\"mark\": {MARK}")));
            members.extend(hooks);
            members.extend(after.into_iter().enumerate().map(named("b")));
            let trailing = trailing && !members.is_empty();
            let root = container('{', '}', members, &whites, trailing);
            format!("{}{}{root}{end}", if bom { "\u{feff}" } else { "" }, whites[0])
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1500) })]

    #[test]
    fn install_and_uninstall_leave_every_byte(text in settings()) {
        let first = installed(&text);
        let ours = found(&first.text, "codex").unwrap();
        prop_assert_eq!(ours.len(), EVENTS.len());
        for hook in &ours {
            let path = [HOOKS.to_owned(), hook.event.clone()];
            let document = Document::parse(&first.text).unwrap();
            prop_assert_eq!(document.get(&path).unwrap().elements().len(), hook.group + 1, "appended");
        }
        prop_assert_eq!(&installed(&first.text).text, &first.text, "a second time changes nothing");
        let other = install(&first.text, "codex", &wanted("orchestrated")).unwrap();
        prop_assert!(other.insertions.is_empty());
        for edited in [&first.text, &other.text] {
            prop_assert_eq!(&uninstall(edited, "codex", &first.insertions).unwrap(), &text);
        }
    }

    #[test]
    fn what_others_edit_in_between_stays(text in settings()) {
        let first = installed(&text);
        let edit = |text: &str| format!("// theirs\n{}", text.replace(MARK, "[1, // new\n 2], \"added\": {}"))
            .replace("theirs.sh", "theirs-2.sh");
        let bom_free = |text: &str| text.trim_start_matches('\u{feff}').to_owned();
        let (before, after) = (edit(&bom_free(&text)), edit(&bom_free(&first.text)));
        prop_assert_eq!(uninstall(&after, "codex", &first.insertions).unwrap(), before);
    }

    #[test]
    fn what_others_put_beside_ours_stays(text in settings()) {
        let first = installed(&text);
        let stop = [HOOKS.to_owned(), "Stop".to_owned()];
        let beside = |text: &str| {
            let (text, _) = append_element(text, &stop, r#"{"hooks": [{"command": "late"}]}"#).unwrap();
            insert_member(&text, &[], "late", "true").unwrap().0
        };
        let left = uninstall(&beside(&first.text), "codex", &first.insertions).unwrap();
        prop_assert!(found(&left, "codex").unwrap().is_empty());
        if Document::parse(&text).unwrap().get(&stop).is_some() {
            prop_assert_eq!(said(&left), said(&beside(&text)));
        } else {
            prop_assert!(said(&left).contains("late"));
        }
    }

    #[test]
    fn without_a_record_nothing_else_is_lost(text in settings()) {
        let left = uninstall(&installed(&text).text, "codex", &[]).unwrap();
        prop_assert!(found(&left, "codex").unwrap().is_empty());
        let emptied = |text: &str| ["(hooks)", "(SessionStart)", "(Stop)", "(SessionEnd)"]
            .iter().rev().fold(said(text), |said, empty| said.replace(empty, ""));
        prop_assert_eq!(emptied(&left), emptied(&text));
    }
}

#[test]
fn files_that_are_not_quite_there() {
    for text in [
        "",
        "\n",
        "{}",
        "{ }",
        "{\n}\n",
        "// nothing yet",
        "\u{feff}",
        "{\"hooks\":{}}",
        "{\"hooks\":{\"Stop\":[]}}\n",
    ] {
        let edited = installed(text);
        assert_eq!(found(&edited.text, "codex").unwrap().len(), EVENTS.len(), "{text:?}");
        assert_eq!(uninstall(&edited.text, "codex", &edited.insertions).unwrap(), text);
    }
    assert_eq!(
        install("{}", "codex", &wanted("solo")[1..2]).unwrap().text.replace(r#"'/a \"b\"/hansei'"#, "hansei"),
        "{\n  \"hooks\": {\n    \"Stop\": [\n      { \"hooks\": [{ \"type\": \"command\", \"command\": \"hansei hook codex Stop --mode solo\" }] }\n    ]\n  }\n}"
    );
}

#[test]
fn what_cannot_be_edited_is_named_with_its_place() {
    for (text, line, column, part) in [
        ("{\n  \"a\": 1,,\n}", 2, 10, ""),
        ("{\n\t\"hooks\": []\n}", 2, 11, "not an object"),
        ("{\"hooks\": {\"Stop\": {}}}", 1, 20, "not a list"),
        ("[]", 1, 1, "does not hold an object"),
        ("{\n\n'a': 1}", 3, 1, ""),
    ] {
        let error = install(text, "codex", &wanted("solo")).unwrap_err();
        assert_eq!((error.line, error.column), (line, column), "{text:?}: {error}");
        assert!(error.message.contains(part), "{error}");
    }
}

#[test]
fn a_handler_beside_ours_in_our_group_stays() {
    let edited = installed("{}");
    let text =
        edited.text.replace(r#"Stop --mode solo" }]"#, r#"Stop --mode solo" }, { "command": "late" }]"#);
    let left = uninstall(&text, "codex", &edited.insertions).unwrap();
    assert_eq!(said(&left), r#"(hooks(Stop[(hooks[(command"late")])]))"#);
}
