//! What is a template, and what is wrong with what is none.

use crate::run::team::{BUILT_IN, DEFAULT, Template};

#[test]
fn those_that_come_with_the_program_can_be_used() {
    for (name, text) in BUILT_IN {
        let template = Template::of_yaml(text).unwrap();
        assert_eq!(template.name, *name);
        assert!(!template.description.is_empty(), "{name}");
    }
    let (_, text) = BUILT_IN.iter().find(|(name, _)| *name == DEFAULT).unwrap();
    assert_eq!(Template::of_yaml(text).unwrap().roles.len(), 3);
}

#[test]
fn what_is_wrong_with_a_template_is_said() {
    let role = "name: t\nroles:\n  - { name: a, prompt: do it";
    for (text, part) in [
        ("", "a mapping"),
        ("[", "not YAML"),
        ("- a", "a mapping"),
        ("roles: [{ name: a, prompt: x }]", "has no name"),
        ("name: ../t\nroles: [{ name: a, prompt: x }]", "is no name"),
        ("name: t", "no roles"),
        ("name: t\nroles: []", "no roles"),
        ("name: t\nroles: many", "roles is no list"),
        ("name: t\nroles: [a]", "a role is a mapping"),
        ("name: t\nroles: [{ prompt: x }]", "a role has no name"),
        ("name: t\nroles: [{ name: a b, prompt: x }]", "is no name"),
        ("name: t\nroles: [{ name: a, prompt: ' ' }]", "the role a has no prompt"),
        ("name: t\nroles: [{ name: a, prompt: [x] }]", "prompt is no text"),
        ("name: t\nroles: [{ name: a, prompt: x }, { name: a, prompt: y }]", "two roles called a"),
        (&format!("{role}, depends_on: [b] }}"), "depends on \"b\", which is no role"),
        (&format!("{role}, depends_on: [a] }}"), "depends on itself"),
        (&format!("{role}, depends_on: {{ b: c }} }}"), "no list of names"),
        (
            "name: t\nroles:\n  - { name: a, prompt: x, depends_on: [c] }\n  - { name: b, prompt: x }\n  - { name: c, prompt: x, depends_on: [a, b] }\n",
            "wait for each other: a, c",
        ),
        (&format!("{role}, command: rm }}"), "has no key \"command\""),
        (&format!("{role}, base_url: 'http://example.invalid' }}"), "has no key \"base_url\""),
        (&format!("{role}, agent: 'acp:rm -rf' }}"), "by a command"),
        ("name: t\nhost: x\nroles: []", "has no key \"host\""),
        (
            &format!(
                "name: t\nroles: [{}]",
                (0..17).map(|at| format!("{{ name: r{at}, prompt: x }}")).collect::<Vec<_>>().join(", ")
            ),
            "17 roles; 16 are the most",
        ),
    ] {
        let problem = Template::of_yaml(text).unwrap_err().to_string();
        assert!(problem.contains(part), "{text}: {problem}");
    }
}

#[test]
fn nobody_comes_before_those_it_depends_on() {
    for (roles, expected) in [
        ("{ name: a, prompt: x }, { name: b, prompt: x }", "a b"),
        ("{ name: a, prompt: x, depends_on: b }, { name: b, prompt: x }", "b a"),
        (
            "{ name: d, prompt: x, depends_on: [b, c] }, { name: c, prompt: x, depends_on: [a] }, { name: b, prompt: x, depends_on: [a] }, { name: a, prompt: x }",
            "a c b d",
        ),
    ] {
        let template = Template::of_yaml(&format!("name: t\nroles: [{roles}]")).unwrap();
        let names: Vec<&str> =
            template.order().unwrap().into_iter().map(|at| template.roles[at].name.as_str()).collect();
        assert_eq!(names.join(" "), expected);
    }
}
