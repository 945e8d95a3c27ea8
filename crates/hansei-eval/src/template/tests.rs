//! Templates and what they make; expectations were checked against nunjucks 3 in Node.

use serde_json::{Map, Value, json};

use super::{check, render, render_prompt, resolve};

fn vars() -> Map<String, Value> {
    let Value::Object(vars) = json!({
        "name": "Ada", "empty": "", "none": null, "list": ["a", "b"], "no_items": [], "object": { "k": { "d": 1 } },
        "n": 3, "half": 1.5, "whole": 2.0, "yes": true, "json": "{\"a\": [1, 2]}", "umlaut": "äö",
    }) else {
        unreachable!()
    };
    vars
}

#[test]
fn templates_say_what_nunjucks_makes_of_them() {
    for (template, expected) in [
        ("plain\n", "plain\n"),
        ("Hello {{ name }}!\n", "Hello Ada!\n"),
        ("[{{ missing }}][{{ missing.deep.er }}][{{ none }}]", "[][][]"),
        ("{{ list }} {{ object }} {{ half }} {{ whole }} {{ yes }}", "a,b [object Object] 1.5 2 true"),
        ("{{ list[1] }}{{ object.k.d }}{{ object['k'] }}", "b1[object Object]"),
        ("{% if no_items %}there{% else %}none{% endif %}", "there"),
        ("{% if empty %}there{% elif n > 2 %}more{% endif %}", "more"),
        (
            "{% for x in list %}{{ loop.index }}:{{ x }}{% if not loop.last %}, {% endif %}{% endfor %}",
            "1:a, 2:b",
        ),
        ("{% for x in list %}{{ loop.length }}{% endfor %}", "22"),
        ("{% set x = name %}{{ x | upper }}", "ADA"),
        (
            "{{ name | lower }} {{ ' x ' | trim }} {{ 'hello wORLD' | capitalize }} {{ 'hello wORLD' | title }}",
            "ada x Hello world Hello World",
        ),
        (
            "{{ list | join('-') }} {{ list | first }} {{ list | last }} {{ list | length }} {{ list | reverse }}",
            "a-b a b 2 b,a",
        ),
        ("{{ missing | default('d') }} {{ empty | default('d') }} {{ empty | default('d', true) }}", "d  d"),
        ("{{ object | dump }} {{ name | replace('A', 'O') }}", "{\"k\":{\"d\":1}} Oda"),
        ("{{ (json | load).a | last }}", "2"),
        ("{{ name.length }} {{ list.length }} {{ umlaut.length }}", "3 2 2"),
        ("{% if list.length > 1 and name.length === 3 %}both{% endif %}", "both"),
        (
            "{{ name.toUpperCase() }} {{ name.slice(0, 2) }} {{ name.includes('da') }} {{ list.join(' + ') }}",
            "ADA Ad true a + b",
        ),
        (
            "{{ name.split('').join('.') }} {{ name.replace('A', 'I') }} {{ list.includes('b') }} {{ half.toFixed(2) }}",
            "A.d.a Ida true 1.50",
        ),
        (
            "{{ name.substring(2, 0) }} {{ name.indexOf('a') }} {{ name.charAt(1) }} {{ list.slice(-1) }}",
            "Ad 2 d b",
        ),
        ("{{ 'yes' if n == 3 else 'no' }}{{ 'x' if n == 4 }}", "yes"),
        ("{{ n + 1 }} {{ n % 2 }} {{ 'a' + 'b' }}", "4 1 ab"),
        ("{% raw %}{{ name }}{% endraw %}{# note #}", "{{ name }}"),
        ("{{ name is defined }} {{ missing is defined }}", "true false"),
        ("a\n  {%- if yes %} b {% endif -%}\n c", "a b c"),
    ] {
        assert_eq!(render(template, &vars()).as_deref(), Ok(expected), "{template}");
    }
}

#[test]
fn what_is_not_known_is_named() {
    for (template, part) in [
        ("{{ name | frobnicate }}", "frobnicate"),
        ("{% if name is frobnicated %}{% endif %}", "frobnicated"),
        ("{% frobnicate %}", "frobnicate"),
        ("{{ name.frobnicate() }}", "frobnicate"),
        ("{% include 'x.txt' %}", "x.txt"),
        ("{% for k, v in object %}{% endfor %}", "iter"),
        ("{{ name ~ name }}", "~"),
        ("{{ frobnicate(1) }}", "frobnicate"),
        ("line\n{{ name", "line 2"),
    ] {
        let error = render(template, &vars()).unwrap_err().to_string();
        assert!(error.contains(part), "{template}: {error}");
    }
    assert!(check("{{ a | frobnicate }}").is_err() && check("{{ a | upper }}").is_ok());
}

#[test]
fn hostile_templates_end() {
    let nested = "{% for a in list %}".repeat(40) + "x" + &"{% endfor %}".repeat(40);
    let doubled = "{% set x = x + x %}".repeat(40);
    for template in [
        nested.as_str(),
        doubled.as_str(),
        "{{ name.repeat(1000000000) }}",
        "{{ 'a'.repeat(1000000) | replace('a', name.repeat(100000)) }}",
        "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
    ] {
        assert!(render(template, &vars()).is_err(), "{}", &template[..30]);
    }
}

#[test]
fn prompts_take_vars_that_refer_to_vars_and_json_stays_json() {
    let Value::Object(vars) = json!({
        "who": "Ada\n", "greeting": "Hi {{ who }}", "twice": "{{greeting}}!", "shout": "{{ who | upper }}",
        "open": "a {{ stays", "unknown": "{{ nobody }}", "quote": "say \"hi\"\nnow",
    }) else {
        unreachable!()
    };
    let vars = resolve(&vars);
    assert_eq!(vars["greeting"], "Hi Ada");
    for (prompt, expected) in [
        ("{{ twice }} {{ shout }}", "Hi Ada! ADA"),
        ("{{ open }} {{ unknown }}", "a {{ stays {{ nobody }}"),
        (
            r#"[{"role":"user","content":"{{quote}}"}]"#,
            "[\n  {\n    \"role\": \"user\",\n    \"content\": \"say \\\"hi\\\"\\nnow\"\n  }\n]",
        ),
        ("a {{ b", "a {{ b"),
    ] {
        assert_eq!(render_prompt(prompt, &vars).as_deref(), Ok(expected), "{prompt}");
    }
}
