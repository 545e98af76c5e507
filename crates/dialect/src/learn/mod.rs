//! Learns the thought and call syntax of a model from its chat template.
//!
//! A template renders earlier answers as the text that the model would have written. It is given answers made of unique
//! words, and the positions of these words in the result reveal the syntax. Each part that cannot be learned is left
//! empty: a template may refuse tools, drop old thoughts, or be made to mislead.

mod calls;
mod fences;
mod marks;
mod thoughts;

use serde_json::{Value, json};

pub use self::fences::of_name as fences_of_name;
pub use self::marks::marks;
use crate::syntax::Syntax;

/// A conversation as input of a template.
#[derive(Debug, Clone, Default)]
pub struct Talk {
    pub messages: Vec<Value>,
    pub tools: Vec<Value>,
    /// True if the prompt ends where an answer begins.
    pub asks: bool,
    /// Enables or disables thinking. `None` leaves it to the template.
    pub thinks: Option<bool>,
}

/// The result of learning from a template.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Learned {
    pub syntax: Syntax,
    /// True if the template needs the arguments of earlier calls as JSON text.
    pub takes_text: bool,
}

const QUESTION: &str = "zqquestion";
const ANSWER: &str = "zqanswer";
const NEXT: &str = "zqnext";
const THOUGHT: &str = "zqthought";
const NAME: &str = "zqtool";
const KEYS: [&str; 2] = ["zqfirst", "zqsecond"];
const VALUES: [&str; 2] = ["zqlyon", "zqkiel"];
const RESULT: &str = "zqresult";
/// Some templates accept only ids of nine letters and digits.
const IDS: [&str; 1] = ["zqid12345"];
/// The maximum length of a marker. Longer text is prose.
const LONGEST_MARK: usize = 64;
/// The maximum number of markers around an answer.
const MOST_FRAME: usize = 8;
/// The maximum length of a prompt for a conversation of three messages.
const LONGEST_PROMPT: usize = 1 << 20;

/// Learns from the rendering of several conversations, or from the refusal to render them.
pub fn learn(render: impl Fn(&Talk) -> Option<String>) -> Learned {
    let probe = Probe { render: &render };
    let frame = Frame::of(&probe);
    let mut syntax = Syntax { thoughts: thoughts::learn(&probe, &frame), ..Syntax::default() };
    let found = calls::learn(&probe, &frame, &syntax.thoughts);
    let takes_text = found.as_ref().is_some_and(|found| found.takes_text);
    syntax.frame = frame.marks(&syntax.thoughts);
    syntax.frame.extend(found.as_ref().and_then(|found| found.next.clone()));
    syntax.calls = found.map(|found| found.calls);
    syntax.fences = fences::learn(&probe, syntax.calls.is_some());
    Learned { syntax, takes_text }
}

/// Renders conversations with the template.
struct Probe<'a> {
    render: &'a dyn Fn(&Talk) -> Option<String>,
}

impl Probe<'_> {
    /// Returns the rendered text after the question.
    fn tail(&self, answers: &[Value], asks: bool, thinks: Option<bool>) -> Option<String> {
        let question = json!({"role": "user", "content": QUESTION});
        let messages = std::iter::once(question).chain(answers.iter().cloned()).collect();
        let prompt = self.prompt(&Talk { messages, tools: tools(), asks, thinks })?;
        let end = prompt.find(QUESTION)? + QUESTION.len();
        // Some templates repeat the question.
        let rest = &prompt[end..];
        let end = rest.find(QUESTION).map_or(0, |place| place + QUESTION.len());
        Some(rest[end..].to_owned())
    }

    fn prompt(&self, talk: &Talk) -> Option<String> {
        let without = || (self.render)(&Talk { tools: Vec::new(), ..talk.clone() });
        let prompt = (self.render)(talk).or_else(without)?;
        (prompt.len() <= LONGEST_PROMPT).then_some(prompt)
    }
}

/// The text around an answer of plain words.
#[derive(Debug, Default)]
struct Frame {
    /// The end of a prompt, after the question.
    prompt: String,
    /// The text before the answer; `tail` is the text after it.
    head: String,
    tail: String,
    /// The end of a turn. Some templates leave it out after the last turn.
    end: String,
}

impl Frame {
    fn of(probe: &Probe<'_>) -> Self {
        let prompt = probe.tail(&[], true, None).unwrap_or_default();
        let answer = json!({"role": "assistant", "content": ANSWER});
        let said = probe.tail(std::slice::from_ref(&answer), false, None).unwrap_or_default();
        let (head, tail) = said.split_once(ANSWER).unwrap_or_default();
        let end = if end_marks(tail).is_empty() { end_of_turn(probe, answer) } else { None };
        let end = end.unwrap_or_else(|| tail.to_owned());
        Self { prompt, head: head.to_owned(), tail: tail.to_owned(), end }
    }

    /// Returns the text after the header of an answer.
    fn behind_header<'a>(&self, answer: &'a str) -> &'a str {
        let common = |other: &str| {
            answer.char_indices().zip(other.chars()).take_while(|((_, one), other)| one == other).count()
        };
        let count = common(&self.prompt).max(common(&self.head));
        let place = answer.char_indices().nth(count).map_or(answer.len(), |(place, _)| place);
        &answer[marks::boundary(answer, place)..]
    }

    /// Returns the text before the end of a turn.
    fn before_end<'a>(&self, text: &'a str) -> &'a str {
        let end = self.tail.trim();
        let at_end = if end.is_empty() { None } else { text.find(end) };
        let same = text.chars().rev().zip(self.tail.chars().rev()).take_while(|(one, other)| one == other);
        let bytes: usize = same.map(|(one, _)| one.len_utf8()).sum();
        let common = marks::next_boundary(text, text.len() - bytes);
        &text[..at_end.unwrap_or(common)]
    }

    /// Returns the markers around an answer that belong to neither a header nor a thought.
    fn marks(&self, thoughts: &[crate::Thought]) -> Vec<String> {
        let is_thought = |mark: &String| {
            thoughts.iter().any(|thought| thought.open.contains(mark.as_str()) || thought.close == *mark)
        };
        let same = self.head.char_indices().zip(self.prompt.chars()).find(|((_, one), other)| one != other);
        let from = same.map_or(self.prompt.len().min(self.head.len()), |((place, _), _)| place);
        let from = marks::boundary(&self.head, self.head.floor_char_boundary(from));
        let around = marks(&self.head[from..]).into_iter().chain(end_marks(&self.end));
        let around =
            around.filter(|mark| mark.len() > 2 && mark.starts_with(['<', '[']) && !is_thought(mark));
        around.take(MOST_FRAME).collect()
    }
}

/// Returns the text between an answer and the header of the next question. That header is the same as for the first
/// question.
fn end_of_turn(probe: &Probe<'_>, answer: Value) -> Option<String> {
    let question = |words: &str| json!({"role": "user", "content": words});
    let first = Talk { messages: vec![question(QUESTION)], tools: tools(), ..Talk::default() };
    let prompt = probe.prompt(&first)?;
    let (before, _) = prompt.split_once(QUESTION)?;
    let said = probe.tail(&[answer, question(NEXT)], false, None)?;
    let (between, _) = said.split_once(ANSWER)?.1.split_once(NEXT)?;
    let same = between.chars().rev().zip(before.chars().rev()).take_while(|(one, other)| one == other);
    let header: usize = same.map(|(one, _)| one.len_utf8()).sum();
    let end = marks::next_boundary(between, between.len() - header);
    Some(between[..end].to_owned())
}

/// Returns the markers that end a turn. A short tail in an unknown form counts as a single marker.
fn end_marks(tail: &str) -> Vec<String> {
    let (tail, parts) = (tail.trim(), marks(tail));
    let is_odd = parts.concat() != tail && !tail.contains(char::is_whitespace) && tail.len() <= LONGEST_MARK;
    if is_odd { vec![tail.to_owned()] } else { parts }
}

fn tools() -> Vec<Value> {
    let properties = json!({"zqproperty": {"type": "string", "description": "A city."}});
    let parameters = json!({"type": "object", "properties": properties, "required": ["zqproperty"]});
    let function =
        json!({"name": "zqdefined", "description": "Tells the weather.", "parameters": parameters});
    vec![json!({"type": "function", "function": function})]
}
