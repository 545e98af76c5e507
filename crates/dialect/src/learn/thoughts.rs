//! Learns the markers of thoughts.

use serde_json::{Value, json};

use super::{ANSWER, Frame, IDS, KEYS, LONGEST_MARK, NAME, Probe, THOUGHT, VALUES, marks};
use crate::known::{END_OF_HEADER, THOUGHTS};
use crate::syntax::Thought;

pub fn learn(probe: &Probe<'_>, frame: &Frame) -> Vec<Thought> {
    let mut thoughts: Vec<Thought> = Vec::new();
    let found = [answer(false), answer(true)].into_iter().filter_map(|answer| {
        let said = probe.tail(&[answer], false, Some(true)).filter(|said| said.contains(THOUGHT));
        let said = said.or_else(|| probe.tail(&[self::answer(false)], false, None))?;
        of_answer(&said, frame)
    });
    for thought in found.chain(of_prompts(probe)).chain(of_opening(frame)) {
        // The end of a header occurs in every message, not only in thoughts.
        let is_own = thought.open != END_OF_HEADER;
        let is_short = thought.open.len() <= LONGEST_MARK && thought.close.len() <= LONGEST_MARK;
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

fn of_answer(said: &str, frame: &Frame) -> Option<Thought> {
    let (before, after) = said.split_once(THOUGHT)?;
    let behind = after.split(THOUGHT).next().unwrap_or_default();
    let behind = behind.split(ANSWER).next().unwrap_or_default();
    let close = first_mark(behind)?;
    // Find the opening of the thought, not the header of the answer.
    let own = frame.behind_header(before);
    let open = last_mark(own)
        .or_else(|| last_mark(before).filter(|open| are_pair(open, &close)))
        .or_else(|| words_of_prompt(frame))
        .unwrap_or_default();
    // A marker that also follows a plain answer does not close a thought.
    (!frame.tail.contains(&close)).then_some(Thought { open, close })
}

/// Learns from prompts: one that disables thinking often contains an empty thought, and one that enables it opens a
/// thought.
fn of_prompts(probe: &Probe<'_>) -> Option<Thought> {
    let variants = [Some(false), None].map(|thinks| probe.tail(&[], true, thinks).unwrap_or_default());
    let thinking = probe.tail(&[], true, Some(true)).unwrap_or_default();
    variants.iter().find_map(|prompt| {
        let common = prompt.char_indices().zip(thinking.chars()).find(|((_, one), other)| one != other);
        let from = common.map_or(prompt.len().min(thinking.len()), |((place, _), _)| place);
        let from = marks::boundary(prompt, prompt.floor_char_boundary(from));
        let parts = marks(prompt.get(from..)?);
        let [open @ .., close] = parts.as_slice() else { return None };
        let pair = open.first().filter(|first| are_pair(first, close))?;
        let words: String = open.iter().skip(1).map(String::as_str).collect();
        let open = format!("{pair}{words}");
        (open != *close).then(|| Thought { open, close: close.clone() })
    })
}

/// Learns from a prompt that ends with a known opening, even if the template drops old thoughts.
fn of_opening(frame: &Frame) -> Option<Thought> {
    let prompt = frame.prompt.trim_end();
    let (open, close) = THOUGHTS.iter().find(|(open, _)| prompt.ends_with(open))?;
    Some(Thought { open: (*open).to_owned(), close: (*close).to_owned() })
}

/// Returns the words that begin a thought in a prompt, which follow the header of an answer.
fn words_of_prompt(frame: &Frame) -> Option<String> {
    let words = frame.prompt.trim_end().strip_prefix(frame.head.trim_end())?.trim();
    let is_line = !words.is_empty() && words.len() <= LONGEST_MARK && !words.contains('\n');
    is_line.then(|| words.to_owned())
}

fn first_mark(text: &str) -> Option<String> {
    marks(text).into_iter().find(|mark| is_mark(mark))
}

/// Returns the last marker, with one word after it if there is one.
fn last_mark(text: &str) -> Option<String> {
    let mut parts = marks(text);
    let last = parts.pop()?;
    if is_mark(&last) {
        return Some(last);
    }
    let mark = parts.pop().filter(|mark| is_mark(mark))?;
    Some(format!("{mark}{last}"))
}

fn is_mark(text: &str) -> bool {
    text.len() > 2 && text.starts_with(['<', '[', '◁'])
}

/// Returns true if two markers differ only in the words for opening and closing.
fn are_pair(open: &str, close: &str) -> bool {
    let core = |mark: &str| {
        let mut core = mark.to_lowercase();
        for word in ["start", "begin", "open", "prefix", "end", "close", "suffix"] {
            core = core.replace(word, "");
        }
        core.retain(char::is_alphanumeric);
        core
    };
    open != close && core(open) == core(close)
}
