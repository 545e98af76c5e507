use std::path::Path;
use std::sync::Arc;

use dialect::{LearnedFormat, TemplateInput};
use jiff::Zoned;
use llguidance::ParserFactory;
use llguidance::api::TopLevelGrammar;
use llguidance::toktrie::ApproximateTokEnv;
use serde_json::json;
use template::Template;

use super::*;

fn tools() -> Vec<ToolSpec> {
    let weather = json!({
        "type": "object", "required": ["city"],
        "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
    });
    let time = json!({"type": "object", "properties": {}});
    let spec =
        |name: &str, parameters| ToolSpec { name: name.into(), description: String::new(), parameters };
    vec![spec("weather", weather), spec("weather_now", time)]
}

/// Returns true if a grammar accepts the text byte by byte and is complete at its end, but not before.
fn takes(grammar: &str, text: &str) -> bool {
    let factory = ParserFactory::new_simple(&ApproximateTokEnv::single_byte_env()).unwrap();
    let parser = factory.create_parser(TopLevelGrammar::from_lark(grammar.to_owned()));
    let mut matcher = Matcher::new(parser);
    assert!(!matcher.is_error(), "{}\n{grammar}", matcher.get_error().unwrap_or_default());
    let letters: Vec<u32> = text.trim_end().bytes().map(u32::from).collect();
    let Some((last, before)) = letters.split_last() else { return false };
    for letter in before {
        if matcher.consume_token(*letter).is_err() || matcher.is_accepting().unwrap() {
            return false;
        }
    }
    matcher.consume_token(*last).is_ok() && matcher.is_accepting().unwrap()
}

fn object(is_list: bool) -> CallSyntax {
    CallSyntax {
        open: vec!["<tool_call>".into()],
        close: vec!["</tool_call>".into()],
        form: CallForm::Object {
            name: "name".into(),
            arguments: "arguments".into(),
            is_text: false,
            is_list,
        },
    }
}

#[test]
fn a_call_has_a_known_name_and_arguments_that_fit() {
    let grammar = grammar(&object(false), &tools(), EXTRA_FIELDS, &quoted).unwrap().after_opening_mark();
    for (text, fits) in [
        ("{\"name\": \"weather\", \"arguments\": {\"city\": \"Lyon\"}}", true),
        ("\n{\"name\":\"weather\",\"arguments\":{\"city\":\"Lyon\",\"days\":3}}", true),
        ("{\"name\": \"weather_now\", \"arguments\": {}}", true),
        ("{\"name\": \"wether\", \"arguments\": {\"city\": \"Lyon\"}}", false),
        ("{\"name\": \"weather\", \"arguments\": {}}", false),
        ("{\"name\": \"weather\", \"arguments\": {\"city\": 7}}", false),
        ("{\"name\": \"weather\", \"arguments\": {\"city\": \"Lyon\"}", false),
        ("{{\"name\": \"weather\", \"arguments\": {\"city\": \"Lyon\"}}}", false),
        ("{\"arguments\": {}}", false),
        ("", false),
    ] {
        assert_eq!(takes(&grammar, text), fits, "{text}");
    }
}

#[test]
fn several_calls_stand_in_a_list() {
    let grammar = grammar(&object(true), &tools(), EXTRA_FIELDS, &quoted).unwrap().after_opening_mark();
    let one = "{\"name\": \"weather\", \"arguments\": {\"city\": \"Lyon\"}}";
    for (text, fits) in [(format!("[{one}]"), true), (format!("[{one}, {one}]"), true), ("[]".into(), false)]
    {
        assert_eq!(takes(&grammar, &text), fits, "{text}");
    }
}

#[test]
fn a_call_that_has_to_come_stands_between_its_marks() {
    let whole = |choice: &ToolChoice| whole_call(&object(false), &tools(), choice, &quoted);
    assert_eq!((whole(&ToolChoice::Auto), whole(&ToolChoice::None)), (None, None));
    assert_eq!(whole(&ToolChoice::Named("gone".into())), None);
    let (any, named) = (ToolChoice::Required, ToolChoice::Named("weather_now".into()));
    let (any, named) = (whole(&any).unwrap(), whole(&named).unwrap());
    let lyon = "{\"name\": \"weather\", \"arguments\": {\"city\": \"Lyon\"}}";
    let now = "{\"name\": \"weather_now\", \"arguments\": {}}";
    for (call, is_any, is_named) in [
        (format!("<tool_call>\n{lyon}\n</tool_call>"), true, false),
        (format!("<tool_call>{now}</tool_call>"), true, true),
        (format!("<tool_call>{now}"), false, false),
        (format!("Well: <tool_call>{now}</tool_call>"), false, false),
        (lyon.to_owned(), false, false),
    ] {
        assert_eq!((takes(&any, &call), takes(&named, &call)), (is_any, is_named), "{call}");
    }
}

#[test]
fn without_tools_or_a_mark_nothing_is_bound() {
    assert!(grammar(&object(false), &[], EXTRA_FIELDS, &quoted).is_none());
    let python =
        CallForm::Named { prefix: String::new(), infix: String::new(), arguments: ArgumentForm::Python };
    assert!(
        grammar(&CallSyntax { form: python, ..object(false) }, &tools(), EXTRA_FIELDS, &quoted).is_none()
    );
}

#[test]
fn a_schema_that_is_unusual_costs_no_binding() {
    for parameters in [
        json!({"type": "object", "properties": {"of": {"$ref": "#/$defs/of"}}, "$defs": {"of": {"enum": ["a"]}}}),
        json!({"type": "object", "properties": {"at": {"type": "string", "format": "made-up"}}}),
        json!({"type": "object", "properties": {"x": {"not": {"type": "null"}}}}),
        json!(true),
    ] {
        let tools =
            [ToolSpec { name: "odd".into(), description: String::new(), parameters: parameters.clone() }];
        let grammar = grammar(&object(false), &tools, EXTRA_FIELDS, &quoted).unwrap().after_opening_mark();
        assert!(takes(&grammar, "{\"name\": \"odd\", \"arguments\": {}}"), "{parameters}");
    }
}

/// Checks that each grammar accepts a call as the template of that model family writes it.
#[test]
fn the_grammar_takes_what_a_models_own_template_writes() {
    let families =
        Path::new(&std::env::var("CARGO_MANIFEST_DIR").unwrap()).join("../template/tests/families");
    let mut bound = Vec::new();
    for entry in std::fs::read_dir(families).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let source = std::fs::read_to_string(&path).unwrap();
        let now: template::Now = Arc::new(|| "2026-11-15T22:04:00Z[UTC]".parse::<Zoned>().unwrap());
        let template = Template::new(&source, "", "", now).unwrap();
        let LearnedFormat { syntax, arguments_are_text } = template.learn();
        let Some(calls) = &syntax.calls else { continue };
        let Some(open) = calls.open.last() else { continue };
        let Some(grammar) = grammar(calls, &tools(), EXTRA_FIELDS, &quoted) else { continue };
        let grammar = grammar.after_opening_mark();
        let arguments = json!({"city": "Lyon", "days": 3});
        let arguments = if arguments_are_text { json!(arguments.to_string()) } else { arguments };
        let written = ["functions.weather:0", "call12345"].into_iter().find_map(|id| {
            let function = json!({"name": "weather", "arguments": arguments});
            let call = json!({"id": id, "type": "function", "function": function});
            let messages = vec![
                json!({"role": "user", "content": "How is it there?"}),
                json!({"role": "assistant", "content": "", "tool_calls": [call]}),
                json!({"role": "tool", "content": "Sunny.", "name": "weather", "tool_call_id": id}),
            ];
            template
                .render(&TemplateInput {
                    messages,
                    tools: Vec::new(),
                    add_generation_prompt: false,
                    enable_thinking: None,
                })
                .ok()
        });
        let Some(written) = written else { continue };
        let said = written.rsplit_once("How is it there?").map_or("", |(_, said)| said);
        let Some((_, rest)) = said.split_once(open.as_str()) else { continue };
        let is_taken = |end: usize| takes(&grammar, &rest[..end]);
        let ends = rest.char_indices().map(|(place, letter)| place + letter.len_utf8());
        let taken = ends.take_while(|end| *end <= 400).find(|end| is_taken(*end));
        assert!(taken.is_some(), "{name}: {rest}\n{grammar}");
        let whole = whole_call(calls, &tools(), &ToolChoice::Required, &quoted).unwrap();
        let began = said.find(calls.open[0].trim()).unwrap();
        let mut ends = said[began..].char_indices().map(|(place, letter)| began + place + letter.len_utf8());
        assert!(ends.any(|end| takes(&whole, &said[began..end])), "{name}: {said}\n{whole}");
        bound.push(name);
    }
    assert!(bound.len() >= 12, "{bound:?}");
}

#[test]
fn nothing_is_bound_within_a_thought() {
    let thoughts = [ThoughtMarkers { open: "<think>".into(), close: "</think>".into() }];
    // Many templates end the prompt with the opening of a thought, so the response does not contain it.
    for (opening, pieces, opens) in [
        (None, &["<tool_call>"][..], true),
        (None, &["<think>I could <tool_call>"], false),
        (None, &["<thi", "nk>I could ", "<tool_call>"], false),
        (None, &["<think>No.</think>", "<tool_call>\n"], true),
        (Some("<think>"), &["I could ", "<tool_call>"], false),
        (Some("<think>"), &["No.</think>\n", "<tool_call>"], true),
        (Some("<think>"), &["", "<tool_call>"], false),
    ] {
        let mut said = OutputTail::after(opening);
        for piece in pieces {
            said.push(piece, &thoughts);
        }
        assert_eq!(said.ends_with_mark("<tool_call>"), opens, "{opening:?} {pieces:?}");
    }
    let mut long = OutputTail::after(Some("<think>"));
    long.push(&"hm ".repeat(TAIL), &thoughts);
    long.push("<tool_call>", &thoughts);
    assert!(!long.ends_with_mark("<tool_call>"), "a thought has no end because it is long");
}
