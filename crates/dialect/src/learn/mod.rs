//! How a model writes thoughts and calls, learned from the template that it comes with.
//!
//! A template turns earlier answers into the very text that the model would have written. So it is given answers made of
//! words that stand nowhere else, and where those words land tells the rest. What cannot be learned is left open, part
//! by part: a template may refuse tools, drop old thoughts, or be made to mislead.

mod calls;
mod fences;
mod marks;
mod thoughts;

use serde_json::{Value, json};

pub use self::fences::of_name as fences_of_name;
pub use self::marks::marks;
use crate::syntax::Syntax;

/// A conversation as a template is given it.
#[derive(Debug, Clone, Default)]
pub struct Talk {
    pub messages: Vec<Value>,
    pub tools: Vec<Value>,
    /// The prompt ends where an answer begins.
    pub asks: bool,
    /// Nothing, where the template decides.
    pub thinks: Option<bool>,
}

/// What a template tells of its model.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Learned {
    pub syntax: Syntax,
    /// Earlier calls have to be given to the template with their arguments as a JSON text.
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
/// Some templates take nothing but nine letters and digits.
const IDS: [&str; 1] = ["zqid12345"];
/// A mark is short; what is longer is prose.
const LONGEST_MARK: usize = 64;
/// No answer stands between more marks.
const MOST_FRAME: usize = 8;
/// No template writes more for a conversation of three lines.
const LONGEST_PROMPT: usize = 1 << 20;

/// Learns from what a template makes of some conversations, or from its refusal.
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

struct Probe<'a> {
    render: &'a dyn Fn(&Talk) -> Option<String>,
}

impl Probe<'_> {
    /// What a template writes behind the question.
    fn tail(&self, answers: &[Value], asks: bool, thinks: Option<bool>) -> Option<String> {
        let question = json!({"role": "user", "content": QUESTION});
        let messages = std::iter::once(question).chain(answers.iter().cloned()).collect();
        let prompt = self.prompt(&Talk { messages, tools: tools(), asks, thinks })?;
        let end = prompt.find(QUESTION)? + QUESTION.len();
        // Some repeat the question.
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

/// What stands around an answer of plain words.
#[derive(Debug, Default)]
struct Frame {
    /// What a prompt ends with, behind the question.
    prompt: String,
    /// What stands before the words and behind them.
    head: String,
    tail: String,
    /// What ends a turn. Some templates leave that out behind the last one.
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

    /// What follows the header of an answer.
    fn behind_header<'a>(&self, answer: &'a str) -> &'a str {
        let common = |other: &str| {
            answer.char_indices().zip(other.chars()).take_while(|((_, one), other)| one == other).count()
        };
        let count = common(&self.prompt).max(common(&self.head));
        let place = answer.char_indices().nth(count).map_or(answer.len(), |(place, _)| place);
        &answer[marks::boundary(answer, place)..]
    }

    /// What stands before the end of a turn.
    fn before_end<'a>(&self, text: &'a str) -> &'a str {
        let end = self.tail.trim();
        let at_end = if end.is_empty() { None } else { text.find(end) };
        let same = text.chars().rev().zip(self.tail.chars().rev()).take_while(|(one, other)| one == other);
        let bytes: usize = same.map(|(one, _)| one.len_utf8()).sum();
        let common = marks::next_boundary(text, text.len() - bytes);
        &text[..at_end.unwrap_or(common)]
    }

    /// Marks around the words that are no part of a header or a thought.
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

/// What stands between an answer and the header of the next question, which is that of the first.
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

/// The marks of a text that ends a turn. What is none of the usual ones is one as a whole.
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
