//! The text that a template writes around an answer.

use serde_json::{Value, json};

use super::probe::{ANSWER, NEXT, Probe, QUESTION, TemplateInput, tools};
use crate::markers_and_words::{LONGEST_MARKER, boundary, markers_and_words, next_boundary};
use crate::syntax::ThoughtMarkers;

/// The maximum number of markers around an answer.
const MOST_TURN_MARKERS: usize = 8;

/// The text around an answer of plain words.
#[derive(Debug, Default)]
pub struct AnswerContext {
    /// The end of a prompt, after the question.
    pub prompt: String,
    /// The text before the answer; `tail` is the text after it.
    pub head: String,
    pub tail: String,
    /// The end of a turn. Some templates leave it out after the last turn.
    end: String,
}

impl AnswerContext {
    /// Renders a conversation with an answer of plain words.
    pub fn of(probe: &Probe<'_>) -> Self {
        let prompt = probe.tail(&[], true, None).unwrap_or_default();
        let answer = json!({"role": "assistant", "content": ANSWER});
        let text = probe.tail(std::slice::from_ref(&answer), false, None).unwrap_or_default();
        let (head, tail) = text.split_once(ANSWER).unwrap_or_default();
        let end = if end_markers(tail).is_empty() { end_of_turn(probe, answer) } else { None };
        let end = end.unwrap_or_else(|| tail.to_owned());
        Self { prompt, head: head.to_owned(), tail: tail.to_owned(), end }
    }

    /// Returns the text after the header of an answer.
    pub fn after_header<'a>(&self, answer: &'a str) -> &'a str {
        let common = |other: &str| {
            answer.char_indices().zip(other.chars()).take_while(|((_, one), other)| one == other).count()
        };
        let count = common(&self.prompt).max(common(&self.head));
        let place = answer.char_indices().nth(count).map_or(answer.len(), |(place, _)| place);
        &answer[boundary(answer, place)..]
    }

    /// Returns the text before the end of a turn.
    pub fn before_end<'a>(&self, text: &'a str) -> &'a str {
        let end = self.tail.trim();
        let at_end = if end.is_empty() { None } else { text.find(end) };
        let same = text.chars().rev().zip(self.tail.chars().rev()).take_while(|(one, other)| one == other);
        let bytes: usize = same.map(|(one, _)| one.len_utf8()).sum();
        let common = next_boundary(text, text.len() - bytes);
        &text[..at_end.unwrap_or(common)]
    }

    /// Returns the markers around an answer that belong to neither a header nor a thought.
    pub fn markers(&self, thoughts: &[ThoughtMarkers]) -> Vec<String> {
        let is_thought = |marker: &String| {
            thoughts.iter().any(|thought| thought.open.contains(marker.as_str()) || thought.close == *marker)
        };
        let same = self.head.char_indices().zip(self.prompt.chars()).find(|((_, one), other)| one != other);
        let from = same.map_or(self.prompt.len().min(self.head.len()), |((place, _), _)| place);
        let from = boundary(&self.head, self.head.floor_char_boundary(from));
        let around = markers_and_words(&self.head[from..]).into_iter().chain(end_markers(&self.end));
        let around =
            around.filter(|marker| marker.len() > 2 && marker.starts_with(['<', '[']) && !is_thought(marker));
        around.take(MOST_TURN_MARKERS).collect()
    }
}

/// Returns the text between an answer and the header of the next question. That header is the same as for the first
/// question.
fn end_of_turn(probe: &Probe<'_>, answer: Value) -> Option<String> {
    let question = |words: &str| json!({"role": "user", "content": words});
    let first =
        TemplateInput { messages: vec![question(QUESTION)], tools: tools(), ..TemplateInput::default() };
    let prompt = probe.prompt(&first)?;
    let (before, _) = prompt.split_once(QUESTION)?;
    let text = probe.tail(&[answer, question(NEXT)], false, None)?;
    let (between, _) = text.split_once(ANSWER)?.1.split_once(NEXT)?;
    let same = between.chars().rev().zip(before.chars().rev()).take_while(|(one, other)| one == other);
    let header: usize = same.map(|(one, _)| one.len_utf8()).sum();
    let end = next_boundary(between, between.len() - header);
    Some(between[..end].to_owned())
}

/// Returns the markers that end a turn. A short tail in an unknown form counts as a single marker.
fn end_markers(tail: &str) -> Vec<String> {
    let (tail, parts) = (tail.trim(), markers_and_words(tail));
    let is_odd =
        parts.concat() != tail && !tail.contains(char::is_whitespace) && tail.len() <= LONGEST_MARKER;
    if is_odd { vec![tail.to_owned()] } else { parts }
}
