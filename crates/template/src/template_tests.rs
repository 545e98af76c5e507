use std::sync::atomic::{AtomicUsize, Ordering};

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::{Value, json};

use super::*;

fn template(source: &str) -> Template {
    let now = || "2026-03-01T12:00:00Z".parse::<Timestamp>().unwrap().to_zoned(TimeZone::UTC);
    Template::new(source, "<s>", "</s>", Arc::new(now)).unwrap()
}

fn render(source: &str, messages: &[Value]) -> String {
    let input = TemplateInput { messages: messages.to_vec(), ..TemplateInput::default() };
    template(source).render(&input).unwrap()
}

#[test]
fn what_templates_in_the_wild_use_is_rendered() {
    let call = json!({"id": "a", "function": {"name": "go", "arguments": {"b": "é<", "a": [1, 2.5, true]}}});
    let messages = [
        json!({"role": "user", "content": " Hello "}),
        json!({"role": "assistant", "content": null, "reasoning_content": "Hm.", "tool_calls": [call]}),
    ];
    let cases = [
        ("{{ strftime_now('%Y-%m-%d') }}", "2026-03-01"),
        (
            "{{ messages[1].tool_calls[0].function.arguments | tojson }}",
            r#"{"b": "é<", "a": [1, 2.5, true]}"#,
        ),
        (
            "{{ messages[1].tool_calls[0].function.arguments | tojson(ensure_ascii=True, sort_keys=True) }}",
            r#"{"a": [1, 2.5, true], "b": "\u00e9<"}"#,
        ),
        (
            "{{ messages[1].tool_calls[0].function.arguments.a | tojson(separators=(',', ':')) }}",
            "[1,2.5,true]",
        ),
        ("{{ {'a': [1]} | tojson(indent=2) }}", "{\n  \"a\": [\n    1\n  ]\n}"),
        ("{% generation %}x{% endgeneration %}", "x"),
        (
            "{% set ns = namespace(all=[]) %}{% for n in [1, 2] %}{% set _ = ns.all.append(n) %}{% endfor %}{{ ns.all.pop(0) }}{{ ns.all | length }}{{ ns.all | tojson }}",
            "11[2]",
        ),
        (
            "{% set all = [] %}{% for n in [1, 2] %}{% set _ = all.append(n) %}{% endfor %}{{ all + [3] }}",
            "[1, 2, 3]",
        ),
        ("{% for m in messages[::-1] %}{{ m.role }} {% endfor %}", "assistant user "),
        ("{{ messages[0].content.strip()[:-1] ~ '|' ~ messages[0].content.lstrip() }}", "Hell|Hello "),
        ("{% if messages[1].content is none %}none{% endif %}", "none"),
        (
            "{{ messages[1].get('reasoning_content', '') }}{{ messages[0].get('reasoning_content', '-') }}",
            "Hm.-",
        ),
        (
            "{% macro say(word, loud=false) %}{{ word | upper if loud else word }}{% endmacro %}{{ say('a', loud=true) }}",
            "A",
        ),
        ("{% for k, v in messages[1].tool_calls[0].function.arguments.items() %}{{ k }}{% endfor %}", "ba"),
        (
            "{% for k, v in messages[1].tool_calls[0].function.arguments | dictsort %}{{ k }}{% endfor %}",
            "ab",
        ),
        ("{{ (messages | selectattr('role', 'equalto', 'user') | list)[-1].role }}", "user"),
        ("{{ 'a</think>b'.split('</think>')[-1] }}{{ 'x' if enable_thinking is defined }}", "b"),
        ("{{ messages[0].nothing.at.all }}", ""),
        ("{% set x = 'a' if tools is not none else 'b' %}{{ x }}", "b"),
    ];
    for (source, expected) in cases {
        assert_eq!(render(source, &messages), expected, "{source}");
    }
}

#[test]
fn a_template_that_fails_costs_an_error_and_no_more() {
    let input =
        TemplateInput { messages: vec![json!({"role": "user", "content": "a"})], ..TemplateInput::default() };
    for source in [
        "{{ raise_exception('no') }}",
        "{% for a in range(9999) %}{% for b in range(9999) %}{{ a }}{% endfor %}{% endfor %}",
        "{% macro a() %}{{ a() }}{% endmacro %}{{ a() }}",
        "{{ strftime_now('%Q%%%') }}",
        "{% set l = [] %}{% set _ = l.append(l) %}{{ l }}",
    ] {
        let template = template(source);
        assert!(template.render(&input).is_err(), "{source}");
        assert_eq!(template.learn(), LearnedFormat::default(), "{source}");
    }
    let now = || Timestamp::UNIX_EPOCH.to_zoned(TimeZone::UTC);
    assert!(Template::new("{% if %}", "", "", Arc::new(now)).is_err());
    assert!(Template::new(&" ".repeat(LONGEST + 1), "", "", Arc::new(now)).is_err());
}

/// Checks that the learned syntax stays small and that learning ends, whatever a template renders.
#[test]
fn a_hostile_template_teaches_nothing_large() {
    let sources = [
        "{% for m in messages %}{{ m.content }}{% for c in m.tool_calls %}{{ '<' * 5000 }}{{ c.function.name }}{{ c.function.arguments | tojson }}{% endfor %}{% endfor %}",
        "{% for m in messages %}{% for c in m.tool_calls %}{{ c.function.name }}{% endfor %}{{ m.content }}{% endfor %}",
        "{% for m in messages %}{% for c in m.tool_calls %}{{ c.function.arguments }}{% endfor %}{% endfor %}",
        "{{ messages | tojson }}",
        "{{ messages | length }}",
        "zqquestion zqanswer zqtool zqfirst zqlyon {{ messages | tojson }}",
    ];
    for source in sources {
        let learned = template(source).learn();
        let size = serde_json::to_string(&learned.syntax).unwrap().len();
        assert!(size < 4096, "{source}: {learned:?}");
    }
}

#[test]
fn a_template_without_an_end_is_tried_once() {
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&count);
    let now = move || {
        counted.fetch_add(1, Ordering::Relaxed);
        Timestamp::UNIX_EPOCH.to_zoned(TimeZone::UTC)
    };
    let endless = "{{ strftime_now('%Y') }}{% for a in range(9999) %}{% for b in range(9999) %}{{ a }}{% endfor %}{% endfor %}";
    let template = Template::new(endless, "<s>", "</s>", Arc::new(now)).unwrap();
    assert_eq!(template.learn(), LearnedFormat::default());
    assert_eq!(count.load(Ordering::Relaxed), 1);
}
