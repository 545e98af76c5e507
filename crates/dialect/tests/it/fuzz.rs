//! Fuzz tests with replies made of random fragments: no text is lost and nothing panics.

use std::sync::Arc;
use std::time::{Duration, Instant};

use dialect::{
    ArgumentForm, CallArguments, CallForm, CallSyntax, ParsedCall, ReplyPart, ReplySyntax, ReplyVocabulary,
    ThoughtMarkers,
};
use serde_json::{Map, json};

use crate::cut::{parse, random_cuts};
use crate::random::Random;

const TIME: Duration = Duration::from_secs(1);

const FRAGMENTS: [&str; 137] = [
    "[",
    "]",
    "{",
    "}",
    "(",
    ")",
    "<",
    ">",
    "\"",
    "'",
    "`",
    "```",
    "~~~",
    "\\",
    "\n",
    "\n\n",
    " ",
    "    ",
    "\t",
    ",",
    ":",
    "=",
    ";",
    "|",
    "*",
    "- ",
    "> ",
    "1. ",
    "#",
    "a",
    "moon",
    "é",
    "月",
    "🌙",
    "“",
    "”",
    "\r\n",
    "[WEB_SEARCH:",
    "[WIDGET:{",
    "[WIDGET:",
    "[MAP:{\"lat\":1",
    "[TOOL_CALL:",
    "[TOOL_CALL:{",
    "[TOOL_CALLS]",
    "[TOOL_CALLS][{",
    "[ARGS]",
    "[CALL_ID]",
    "[DANCE:",
    "WEB_SEARCH:x]",
    "}]",
    "\"}]",
    "}}",
    "\"}}",
    "[{",
    "{\"tool\":\"web_search\"",
    "{\"tool\":",
    "{\"name\":\"get_time\",\"arguments\":{",
    "{\"speak\":\"hi\",",
    "\"args\":{",
    "\"query\":\"moon\"",
    "'query': 'it's'",
    "\"tool\":\"get_time\"",
    "\"arguments\":\"{",
    "<tool_call>",
    "</tool_call>",
    "<tool_call>{\"name\":\"get_time\"",
    "<function_calls>",
    "</function_calls>",
    "<function=web_search>",
    "</function>",
    "<function=dance>",
    "<parameter=query>",
    "<parameter name=\"q\">",
    "</parameter>",
    "<invoke name=\"get_time\">",
    "</invoke>",
    "<|python_tag|>",
    "<|eom_id|>",
    "<|eot_id|>",
    "<think>",
    "</think>",
    "</thi",
    "web_search(",
    "get_time()",
    "get_time",
    "web_search(query=\"",
    "\"\"\"",
    "query=",
    "True",
    "count=3",
    ".call(",
    "print(",
    "```tool_code\n",
    "```tool_call\n",
    "\n```\n",
    "```json\n",
    "{\"tool\":\"get_time\"}",
    "[WEB_SEARCH:moon]",
    "<tool_call>get_time\n",
    "<arg_key>query</arg_key>\n<arg_value>",
    "</arg_value>",
    "<|tool_calls_section_begin|>",
    "<|tool_call_begin|>functions.get_time:0",
    "<|tool_call_argument_begin|>{\"query\":\"",
    "<|tool_call_end|>",
    "<|tool_call_start|>[get_time()",
    "<start_function_call>call:web_search{query:<escape>",
    "<escape>",
    "<end_function_call>",
    "<|channel|>analysis",
    "<|channel|>commentary to=functions.get_time",
    "<|start|>assistant",
    "<|message|>",
    "<|end|>",
    "<|call|>",
    "[THINK]",
    "[/THINK]",
    "<answer>",
    "</answer>",
    "</tool_call >",
    "< tool_call >",
    "{{\"name\": \"get_time\", \"arguments\": {",
    "functools[{\"name\"",
    "[get_time(",
    "\n<parameter=kind>\n",
    " <think>",
    ". <thinking>\n",
    "</thinking>",
    "{{",
    "[{{\"name\"",
    "<parameter=query>moon<parameter=kind>",
    "<arg_key>kind</arg_key><arg_value>",
    "<|channel|>analysis to=functions.get_time",
    "◁think▷",
    "◁/think▷",
    "<|do|>get_time<|with|>{",
    "<|over|>",
];

/// Returns a syntax as learned from a template.
fn syntax() -> ReplySyntax {
    let calls = CallSyntax {
        open: vec!["<|do|>".into()],
        close: vec!["<|done|>".into()],
        form: CallForm::Named {
            prefix: String::new(),
            infix: "<|with|>".into(),
            arguments: ArgumentForm::Json,
        },
    };
    let thoughts = vec![ThoughtMarkers { open: "[WHY]".into(), close: "[/WHY]".into() }];
    ReplySyntax {
        thoughts,
        turn_markers: vec!["<|over|>".into()],
        calls: Some(calls),
        fences: vec!["json".into()],
    }
}

fn vocabulary() -> ReplyVocabulary {
    ReplyVocabulary::new(["web_search", "get_time"], ["WEB_SEARCH", "WIDGET", "MAP"])
}

fn anything(random: &mut Random) -> String {
    (0..random.below(40)).map(|_| *random.pick(&FRAGMENTS)).collect()
}

/// Repeats a check with new random numbers for a limited time.
fn repeat(mut check: impl FnMut(&mut Random)) {
    let started = Instant::now();
    let mut random = Random::new(1);
    while started.elapsed() < TIME {
        check(&mut random);
    }
}

/// Returns true if the characters of `found` occur in the text in this order.
fn stands_in(found: &str, text: &str) -> bool {
    let mut rest = text.chars();
    found.chars().all(|wanted| rest.any(|next| next == wanted))
}

#[test]
fn cuts_change_nothing_and_nothing_is_made_up() {
    let known = [
        vocabulary(),
        vocabulary().with_fences(&["tool_code", "tool_call"]),
        vocabulary().with_unknown_tools().with_parameters("web_search", ["query", "kind"]),
        vocabulary().with_unknown_tools().with_syntax(&syntax()),
    ]
    .map(Arc::new);
    repeat(|random| {
        let (reply, vocabulary) = (anything(random), random.pick(&known));
        let whole = parse(&reply, &[], vocabulary);
        for _ in 0..4 {
            let cuts = random_cuts(&reply, random);
            assert_eq!(parse(&reply, &cuts, vocabulary), whole, "{reply:?} cut at {cuts:?}");
        }
        let bytes: Vec<usize> = (0..reply.len()).collect();
        assert_eq!(parse(&reply, &bytes, vocabulary), whole, "{reply:?} byte by byte");
        // Words spoken with a call are moved before it and unescaped.
        if !reply.contains("speak") {
            let shown = whole.iter().filter_map(|piece| match piece {
                ReplyPart::Text(text) | ReplyPart::Reasoning(text) | ReplyPart::Flawed { text, .. } => {
                    Some(text.as_str())
                }
                ReplyPart::Call(_) => None,
            });
            assert!(stands_in(&shown.collect::<String>(), &reply), "{reply:?} became {whole:?}");
        }
    });
}

#[test]
fn no_call_in_a_thought_is_made_wherever_it_begins() {
    let known =
        Arc::new(vocabulary().with_unknown_tools().with_fences(&["tool_code"]).with_syntax(&syntax()));
    let before = [
        "",
        "Let me see. ",
        "Sure: ",
        "I look at ",
        "- ",
        "1. ",
        "**",
        "(",
        "Hm…\n",
        "🌙 ",
        "月",
        "Well.\n\n",
    ];
    let thoughts = [
        ("<think>", "</think>"),
        ("<thinking>", "</thinking>"),
        ("<seed:think>", "</seed:think>"),
        ("[THINK]", "[/THINK]"),
        ("[WHY]", "[/WHY]"),
        ("◁think▷", "◁/think▷"),
        ("<|channel|>analysis<|message|>", "<|end|>"),
        ("<|channel|>analysis to=functions.get_time<|message|>", "<|end|>"),
    ];
    repeat(|random| {
        let (open, close) = *random.pick(&thoughts);
        let ends = |fragment: &&str| fragment.contains(['/', '▷']) || fragment.starts_with("<|");
        let inner: String = (0..random.below(20))
            .map(|_| *random.pick(&FRAGMENTS))
            .filter(|fragment| !ends(fragment))
            .collect();
        let call = random.pick(&["[WEB_SEARCH:moon]", "\nget_time()\n", "\n{\"tool\":\"get_time\"}"]);
        let close = if random.below(2) == 0 { close } else { "" };
        let reply = format!("{}{open}{inner}{call}{close}", random.pick(&before));
        let pieces = parse(&reply, &random_cuts(&reply, random), &known);
        let made = pieces.iter().find(|piece| matches!(piece, ReplyPart::Call(_)));
        assert_eq!(made, None, "{reply:?} became {pieces:?}");
    });
}

#[test]
fn a_reply_that_cannot_act_is_text_as_it_stands() {
    let nothing = Arc::new(ReplyVocabulary::default());
    repeat(|random| {
        // Markers that open or close a thought or begin a message have a meaning with every vocabulary.
        let reply = [
            "<think>",
            "<thinking>",
            "◁think▷",
            "[THINK]",
            "<|channel|>",
            "<|start|>",
            "<answer>",
            "</answer>",
        ]
        .iter()
        .fold(anything(random), |reply, mark| reply.replace(mark, ""));
        let expected = if reply.is_empty() { vec![] } else { vec![ReplyPart::Text(reply.clone())] };
        assert_eq!(parse(&reply, &random_cuts(&reply, random), &nothing), expected, "{reply:?}");
    });
}

#[test]
fn calls_and_words_on_lines_of_their_own_are_all_found() {
    let vocabulary = Arc::new(vocabulary().with_fences(&["tool_code", "tool_call"]));
    let text = |text: &str| ReplyPart::Text(text.to_owned());
    let call = |name: &str, arguments| vec![ReplyPart::Call(ParsedCall { name: name.to_owned(), arguments })];
    let query = || CallArguments::Named(Map::from_iter([("query".to_owned(), json!("a ] } ) b"))]));
    let lines = [
        ("[WEB_SEARCH:moon [1]]", call("WEB_SEARCH", CallArguments::Text("moon [1]".to_owned()))),
        ("[WIDGET:{'query': 'a ] } ) b'}]", call("WIDGET", query())),
        ("{\"tool\": \"web_search\", \"args\": {\"query\": \"a ] } ) b\"}}", call("web_search", query())),
        (
            "[TOOL_CALL:{\"tool\":\"web_search\",\"args\":{\"query\":\"a ] } ) b\",}}]",
            call("web_search", query()),
        ),
        (
            "<tool_call>\n{\"name\":\"web_search\",\"arguments\":{\"query\":\"a ] } ) b\"}\n</tool_call>",
            call("web_search", query()),
        ),
        (
            "<function=web_search>\n<parameter=query>\na ] } ) b\n</parameter>\n</function>",
            call("web_search", query()),
        ),
        ("web_search(query=\"a ] } ) b\")", call("web_search", query())),
        ("[TOOL_CALLS]web_search[ARGS]{\"query\":\"a ] } ) b\"}", call("web_search", query())),
        ("<|python_tag|>web_search.call(query='a ] } ) b')<|eom_id|>", call("web_search", query())),
        ("```\n[WEB_SEARCH:moon]\n```", vec![text("```\n[WEB_SEARCH:moon]\n```")]),
        ("`[WEB_SEARCH:moon]` is *a tag*", vec![text("`[WEB_SEARCH:moon]` is *a tag*")]),
        ("> get_time()", vec![text("> get_time()")]),
        ("[DANCE:salsa] <3 {x} web", vec![text("[DANCE:salsa] <3 {x} web")]),
        ("月は \\[WEB_SEARCH:x] 🌙", vec![text("月は \\[WEB_SEARCH:x] 🌙")]),
    ];
    repeat(|random| {
        let (mut reply, mut expected) = ("Well.".to_owned(), vec![text("Well.")]);
        for _ in 0..random.below(8) {
            let (line, pieces) = random.pick(&lines);
            reply += "\n";
            reply += line;
            for piece in [text("\n")].into_iter().chain(pieces.clone()) {
                match (expected.last_mut(), piece) {
                    (Some(ReplyPart::Text(last)), ReplyPart::Text(text)) => last.push_str(&text),
                    (_, piece) => expected.push(piece),
                }
            }
        }
        assert_eq!(parse(&reply, &random_cuts(&reply, random), &vocabulary), expected, "{reply}");
    });
}
