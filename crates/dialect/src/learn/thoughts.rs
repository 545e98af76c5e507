//! How a thought opens and ends.

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
        // Every message has a header's end, and not only thoughts.
        let is_own = thought.open != END_OF_HEADER;
        let is_short = thought.open.len() <= LONGEST_MARK && thought.close.len() <= LONGEST_MARK;
        if is_own && is_short && !thoughts.iter().any(|known| known.close == thought.close) {
            thoughts.push(thought);
        }
    }
    thoughts
}

/// An answer with a thought, under every key that templates look for it.
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
    // What the thought's own opening is, and not the header of the answer.
    let own = frame.behind_header(before);
    let open = last_mark(own)
        .or_else(|| last_mark(before).filter(|open| are_pair(open, &close)))
        .or_else(|| words_of_prompt(frame))
        .unwrap_or_default();
    // The words of an answer have no marks of a thought.
    (!frame.tail.contains(&close)).then_some(Thought { open, close })
}

/// A prompt that forbids thinking often closes an empty thought, and one that asks for it opens one.
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

/// A template that drops old thoughts may open one all the same.
fn of_opening(frame: &Frame) -> Option<Thought> {
    let prompt = frame.prompt.trim_end();
    let (open, close) = THOUGHTS.iter().find(|(open, _)| prompt.ends_with(open))?;
    Some(Thought { open: (*open).to_owned(), close: (*close).to_owned() })
}

/// A prompt that begins the thought with words has more than the header of an answer.
fn words_of_prompt(frame: &Frame) -> Option<String> {
    let words = frame.prompt.trim_end().strip_prefix(frame.head.trim_end())?.trim();
    let is_line = !words.is_empty() && words.len() <= LONGEST_MARK && !words.contains('\n');
    is_line.then(|| words.to_owned())
}

fn first_mark(text: &str) -> Option<String> {
    marks(text).into_iter().find(|mark| is_mark(mark))
}

/// The last mark, and a word behind it.
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

/// Whether two marks differ in no more than what says that one opens and the other closes.
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
