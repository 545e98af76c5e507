//! Replies of a model with learned markers.

use std::sync::Arc;

use dialect::{CallForm, CallSyntax, Piece, Syntax, Vocabulary};

use crate::cut::parse;

fn syntax() -> Syntax {
    let form = CallForm::Object {
        name: "name".into(),
        arguments: "arguments".into(),
        is_text: false,
        is_list: false,
    };
    let (open, close) = (vec!["<tool_call>".into()], vec!["</tool_call>".into(), "<|im_end|>".into()]);
    let frame = vec!["<|im_end|>".into(), "<|endofturn|>".into()];
    Syntax { frame, calls: Some(CallSyntax { open, close, form }), ..Syntax::default() }
}

/// Returns the shown text, with calls and flaws in brackets.
fn told(pieces: &[Piece]) -> String {
    let told = pieces.iter().map(|piece| match piece {
        Piece::Text(text) | Piece::Reasoning(text) => text.clone(),
        Piece::Call(call) => format!("({})", call.name),
        Piece::Flawed { text, .. } => format!("{}(!)", Piece::shown_of_flawed(text)),
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
    let vocabulary = Arc::new(Vocabulary::new(["get_time"], Vec::<String>::new()).with_syntax(&syntax()));
    for (reply, expected) in cases {
        let bytes: Vec<usize> = (0..reply.len()).collect();
        for cuts in [&[] as &[usize], &bytes] {
            assert_eq!(told(&parse(reply, cuts, &vocabulary)), expected, "{reply}");
        }
    }
}
