//! Replies of a model with learned markers.

use std::sync::Arc;

use dialect::{CallForm, CallSyntax, ReplyPart, ReplySyntax, ReplyVocabulary};

use crate::cut::parse;

fn syntax() -> ReplySyntax {
    let form = CallForm::Object {
        name: "name".into(),
        arguments: "arguments".into(),
        is_text: false,
        is_list: false,
    };
    let (open, close) = (vec!["<tool_call>".into()], vec!["</tool_call>".into(), "<|im_end|>".into()]);
    let turn_markers = vec!["<|im_end|>".into(), "<|endofturn|>".into()];
    ReplySyntax { turn_markers, calls: Some(CallSyntax { open, close, form }), ..ReplySyntax::default() }
}

/// Returns the shown text, with calls and flaws in brackets.
fn told(pieces: &[ReplyPart]) -> String {
    let told = pieces.iter().map(|piece| match piece {
        ReplyPart::Text(text) | ReplyPart::Reasoning(text) => text.clone(),
        ReplyPart::Call(call) => format!("({})", call.name),
        ReplyPart::Flawed { text, .. } => format!("{}(!)", ReplyPart::shown_of_flawed(text)),
    });
    told.collect()
}

#[test]
fn learned_marks_mean_what_they_do_apart_from_sentences() {
    let cases = [
        ("It rains.<|im_end|><|endofturn|>", "It rains."),
        ("It rains.<|im_e", "It rains."),
        ("A turn ends with <|im_end|> there.", "A turn ends with <|im_end|> there."),
        ("get_time()<|endofturn|>", "(get_time)"),
        ("<tool_call>{\"name\": \"get_time\"}<|endofturn|>", "(get_time)"),
        ("Let me look.<tool_call>{\"name\": \"get_time\"}</tool_call> Wait.", "Let me look.(get_time) Wait."),
        (
            "Write <tool_call>{\"name\": \"get_time\"}</tool_call> for it.",
            "Write <tool_call>{\"name\": \"get_time\"}</tool_call> for it.",
        ),
        ("Let me look.<tool_call>{\"name\": \"get_t", "Let me look.(!)"),
        ("Let me look.<tool_call>", "Let me look.(!)"),
        ("Let me look.<tool_c", "Let me look.(!)"),
        ("```\nlet x;\n```<|im_end|>", "```\nlet x;\n```"),
        ("```\nlet x;\n```<|im_", "```\nlet x;\n```"),
        ("```\nlet x;\n```<|im_end|> y", "```\nlet x;\n```<|im_end|> y"),
        (
            "```\nlet x;\n```<tool_call>{\"name\": \"get_time\"}</tool_call>",
            "```\nlet x;\n```<tool_call>{\"name\": \"get_time\"}</tool_call>",
        ),
    ];
    let vocabulary =
        Arc::new(ReplyVocabulary::new(["get_time"], Vec::<String>::new()).with_syntax(&syntax()));
    for (reply, expected) in cases {
        let bytes: Vec<usize> = (0..reply.len()).collect();
        for cuts in [&[] as &[usize], &bytes] {
            assert_eq!(told(&parse(reply, cuts, &vocabulary)), expected, "{reply}");
        }
    }
}
