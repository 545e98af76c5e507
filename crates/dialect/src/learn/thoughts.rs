//! Learns the markers of thoughts.

use serde_json::{Value, json};

use super::answer_context::AnswerContext;
use super::probe::{ANSWER, IDS, KEYS, NAME, Probe, THOUGHT, VALUES};
use crate::known_markers::{END_OF_HEADER, THOUGHTS};
use crate::markers_and_words::{LONGEST_MARKER, boundary, markers_and_words};
use crate::syntax::ThoughtMarkers;

/// Learns the markers from an answer with a thought, from prompts with and without thinking, and from the opening at
/// the end of a prompt.
pub fn learn(probe: &Probe<'_>, context: &AnswerContext) -> Vec<ThoughtMarkers> {
    let mut thoughts: Vec<ThoughtMarkers> = Vec::new();
    let found = [answer(false), answer(true)].into_iter().filter_map(|answer| {
        let text = probe.tail(&[answer], false, Some(true)).filter(|text| text.contains(THOUGHT));
        let text = text.or_else(|| probe.tail(&[self::answer(false)], false, None))?;
        of_answer(&text, context)
    });
    for thought in found.chain(of_prompts(probe)).chain(of_opening(context)) {
        // The end of a header occurs in every message, not only in thoughts.
        let is_own = thought.open != END_OF_HEADER;
        let is_short = thought.open.len() <= LONGEST_MARKER && thought.close.len() <= LONGEST_MARKER;
        if is_own && is_short && !thoughts.iter().any(|known| known.close == thought.close) {
            thoughts.push(thought);
        }
    }
    thoughts
}

/// Returns an answer with a thought under every key that templates use.
fn answer(calls: bool) -> Value {
    let mut answer = json!({
        "role": "assistant", "content": ANSWER,
        "reasoning_content": THOUGHT, "reasoning": THOUGHT, "thinking": THOUGHT,
    });
    if calls {
        let arguments = json!({KEYS[0]: VALUES[0]});
        let call =
            json!({"id": IDS[0], "type": "function", "function": {"name": NAME, "arguments": arguments}});
        answer["tool_calls"] = json!([call]);
        answer["content"] = json!("");
    }
    answer
}

/// Learns from an answer with a thought.
fn of_answer(text: &str, context: &AnswerContext) -> Option<ThoughtMarkers> {
    let (before, after) = text.split_once(THOUGHT)?;
    let after = after.split(THOUGHT).next().unwrap_or_default();
    let after = after.split(ANSWER).next().unwrap_or_default();
    let close = first_marker(after)?;
    // Find the opening of the thought, not the header of the answer.
    let own = context.after_header(before);
    let open = last_marker(own)
        .or_else(|| last_marker(before).filter(|open| are_pair(open, &close)))
        .or_else(|| words_of_prompt(context))
        .unwrap_or_default();
    // A marker that also follows a plain answer does not close a thought.
    (!context.tail.contains(&close)).then_some(ThoughtMarkers { open, close })
}

/// Learns from prompts: one that disables thinking often contains an empty thought, and one that enables it opens a
/// thought.
fn of_prompts(probe: &Probe<'_>) -> Option<ThoughtMarkers> {
    let variants =
        [Some(false), None].map(|enable_thinking| probe.tail(&[], true, enable_thinking).unwrap_or_default());
    let thinking = probe.tail(&[], true, Some(true)).unwrap_or_default();
    variants.iter().find_map(|prompt| {
        let common = prompt.char_indices().zip(thinking.chars()).find(|((_, one), other)| one != other);
        let from = common.map_or(prompt.len().min(thinking.len()), |((place, _), _)| place);
        let from = boundary(prompt, prompt.floor_char_boundary(from));
        let parts = markers_and_words(prompt.get(from..)?);
        let [open @ .., close] = parts.as_slice() else { return None };
        let pair = open.first().filter(|first| are_pair(first, close))?;
        let words: String = open.iter().skip(1).map(String::as_str).collect();
        let open = format!("{pair}{words}");
        (open != *close).then(|| ThoughtMarkers { open, close: close.clone() })
    })
}

/// Learns from a prompt that ends with a known opening, even if the template drops old thoughts.
fn of_opening(context: &AnswerContext) -> Option<ThoughtMarkers> {
    let prompt = context.prompt.trim_end();
    let (open, close) = THOUGHTS.iter().find(|(open, _)| prompt.ends_with(open))?;
    Some(ThoughtMarkers { open: (*open).to_owned(), close: (*close).to_owned() })
}

/// Returns the words that begin a thought in a prompt, which follow the header of an answer.
fn words_of_prompt(context: &AnswerContext) -> Option<String> {
    let words = context.prompt.trim_end().strip_prefix(context.head.trim_end())?.trim();
    let is_line = !words.is_empty() && words.len() <= LONGEST_MARKER && !words.contains('\n');
    is_line.then(|| words.to_owned())
}

fn first_marker(text: &str) -> Option<String> {
    markers_and_words(text).into_iter().find(|marker| is_marker(marker))
}

/// Returns the last marker, with one word after it if there is one.
fn last_marker(text: &str) -> Option<String> {
    let mut parts = markers_and_words(text);
    let last = parts.pop()?;
    if is_marker(&last) {
        return Some(last);
    }
    let marker = parts.pop().filter(|marker| is_marker(marker))?;
    Some(format!("{marker}{last}"))
}

fn is_marker(text: &str) -> bool {
    text.len() > 2 && text.starts_with(['<', '[', '◁'])
}

/// Returns true if two markers differ only in the words for opening and closing.
fn are_pair(open: &str, close: &str) -> bool {
    let core = |marker: &str| {
        let mut core = marker.to_lowercase();
        for word in ["start", "begin", "open", "prefix", "end", "close", "suffix"] {
            core = core.replace(word, "");
        }
        core.retain(char::is_alphanumeric);
        core
    };
    open != close && core(open) == core(close)
}
