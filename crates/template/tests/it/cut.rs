//! Tests that cut off every reply of every family at every character.

use std::fmt::Write as _;
use std::iter;

use dialect::ReplyPart;

use crate::families::Family;
use crate::reading::Reader;
use crate::replies::replies;

/// The minimum length of the beginning of a mark; shorter ones are ambiguous.
const SHORTEST: usize = 6;

#[test]
fn the_beginning_of_a_reply_shows_no_mark_and_makes_no_wrong_call() {
    let mut wrong = String::new();
    for family in Family::all() {
        let reader = Reader::of(&family);
        let marks: Vec<&str> =
            reader.learned.syntax.markers().filter(|mark| is_shown_by_nobody(mark)).collect();
        for reply in replies(&family) {
            // An unquoted value that contains the end of a call cannot be told from an unclosed one.
            let ends_call = |text: &str| text.contains("</tool_call>") || text.contains("</function>");
            let is_bare = |end: &usize| reply.name.starts_with("hostile") && ends_call(&reply.text[..*end]);
            let ends = reply.text.char_indices().map(|(end, _)| end).filter(|end| !is_bare(end));
            let fault = ends.into_iter().find_map(|end| {
                let pieces = reader.read_pieces(&reply, iter::once(reply.text[..end].to_owned()));
                let shown = shown(&pieces);
                let calls = Reader::result(pieces).calls;
                let is_right = reply.expected.calls.starts_with(&calls);
                // An unclosed fence counts as a fence.
                let is_clean = reply.text.starts_with("```")
                    || reply.expected.text.starts_with(shown.trim())
                    || !has_mark(&shown, &reply.expected.text, &marks);
                (!is_right || !is_clean).then_some((end, shown, calls))
            });
            if let Some((end, shown, calls)) = fault {
                let beginning = &reply.text[..end];
                writeln!(wrong, "{}: {}\n{beginning}\nshown: {shown}\n{calls:?}\n", family.name, reply.name)
                    .unwrap();
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Returns the text that the user sees.
fn shown(pieces: &[ReplyPart]) -> String {
    let texts = pieces.iter().map(|piece| match piece {
        ReplyPart::Text(text) => text.as_str(),
        ReplyPart::Flawed { text, .. } => ReplyPart::shown_of_flawed(text),
        ReplyPart::Reasoning(_) | ReplyPart::Call(_) => "",
    });
    texts.collect()
}

/// Returns true for marks that must never be shown. Marks that open a thought are exempt: an unclosed thought after
/// text is shown together with its mark.
fn is_shown_by_nobody(mark: &str) -> bool {
    let opens_thought = mark.contains("think") && !mark.contains('/');
    mark.len() > 2 && mark.starts_with(['<', '[', '◁']) && !opens_thought
}

/// Returns true if a text contains a mark more often than expected, or ends with more than its first characters.
fn has_mark(text: &str, expected: &str, marks: &[&str]) -> bool {
    marks.iter().any(|mark| {
        let mut beginnings = mark.char_indices().map(|(end, _)| &mark[..end]).skip(SHORTEST);
        text.matches(mark).count() > expected.matches(mark).count()
            || beginnings.any(|beginning| text.ends_with(beginning))
    })
}
