//! Learns the syntax of calls.

use serde_json::{Deserializer, Value, json};

use super::answer_context::AnswerContext;
use super::probe::{ANSWER, IDS, KEYS, NAME, Probe, RESULT, VALUES};
use crate::markers_and_words::{LONGEST_MARKER, markers_and_words};
use crate::syntax::{ArgumentForm, CallForm, CallSyntax, KeyValueMarkers, ThoughtMarkers};

/// The maximum number of markers before or after a call.
const MOST_MARKERS: usize = 8;

/// The result of learning the call syntax.
pub struct LearnedCalls {
    pub calls: CallSyntax,
    /// True if the template needs the arguments of earlier calls as JSON text.
    pub arguments_are_text: bool,
    /// The marker that begins a result. Some models write it themselves before they stop.
    pub next: Option<String>,
}

/// Learns the call syntax from conversations in several forms, since templates differ in what they accept: arguments as
/// an object or as text, absent or empty content, with or without a result after the call.
pub fn learn(
    probe: &Probe<'_>,
    context: &AnswerContext,
    thoughts: &[ThoughtMarkers],
) -> Option<LearnedCalls> {
    for arguments_are_text in [false, true] {
        for content in [json!(""), Value::Null, json!(ANSWER)] {
            for has_result in [false, true] {
                let mut answers = vec![answer(&content, arguments_are_text)];
                if has_result {
                    answers.push(result());
                }
                let text = probe.tail(&answers, false, None);
                if let Some((calls, after)) = text.and_then(|text| of_text(&text, context, thoughts)) {
                    let next = next(probe, &answer(&content, arguments_are_text), &after);
                    return Some(LearnedCalls { calls, arguments_are_text, next });
                }
            }
        }
    }
    None
}

/// Returns the marker directly after a call that has a result.
fn next(probe: &Probe<'_>, answer: &Value, after: &str) -> Option<String> {
    let text = probe.tail(&[answer.clone(), result()], false, None)?;
    let rest = text.split(VALUES[1]).last()?.split(RESULT).next()?;
    let rest = rest.split_once(after).filter(|_| !after.is_empty())?.1;
    let marker = markers_and_words(rest).into_iter().next()?;
    (marker.starts_with('<') && rest.trim_start().starts_with(&marker)).then_some(marker)
}

fn result() -> Value {
    json!({"role": "tool", "content": RESULT, "name": NAME, "tool_call_id": IDS[0]})
}

fn answer(content: &Value, arguments_are_text: bool) -> Value {
    let arguments = json!({KEYS[0]: VALUES[0], KEYS[1]: VALUES[1]});
    let arguments = if arguments_are_text { json!(arguments.to_string()) } else { arguments };
    let function = json!({"name": NAME, "arguments": arguments});
    json!({
        "role": "assistant", "content": content,
        "tool_calls": [{"id": IDS[0], "type": "function", "function": function}],
    })
}

/// A call found in a text: its form, start and end.
struct FoundCall {
    form: CallForm,
    start: usize,
    end: usize,
}

/// Returns the syntax of the call in a text, and the text after the call.
fn of_text(text: &str, context: &AnswerContext, thoughts: &[ThoughtMarkers]) -> Option<(CallSyntax, String)> {
    let text = context.after_header(text);
    let text = text.split(RESULT).next().unwrap_or(text);
    // If the answer has content, the call follows it.
    let text = text.split(ANSWER).last().unwrap_or(text);
    let core = in_object(text).or_else(|| named(text))?;
    let (before, after) = (&text[..core.start], context.before_end(&text[core.end..]));
    let is_of_thought =
        |marker: &String| thoughts.iter().any(|thought| *marker == thought.open || *marker == thought.close);
    let fits = |marker: &String| marker.len() <= LONGEST_MARKER && !is_of_thought(marker);
    let open: Vec<String> = markers_and_words(before).into_iter().filter(fits).collect();
    let close: Vec<String> = markers_and_words(after)
        .into_iter()
        .filter(fits)
        .take_while(|marker| marker.starts_with(['<', '[', '`']))
        .collect();
    if open.len() > MOST_MARKERS || close.len() > MOST_MARKERS {
        return None;
    }
    let calls = CallSyntax { open, close, form: core.form };
    is_small(&calls.form).then(|| (calls, after.trim().to_owned()))
}

/// Returns true if the texts of a form are short. A template could contain anything there.
fn is_small(form: &CallForm) -> bool {
    let is_short = |text: &String| text.len() <= 2 * LONGEST_MARKER;
    match form {
        CallForm::Object { name, arguments, .. } => is_short(name) && is_short(arguments),
        CallForm::Keyed { .. } => true,
        CallForm::Named { prefix, infix, arguments } => {
            let is_short_form = match arguments {
                ArgumentForm::Json | ArgumentForm::Python => true,
                ArgumentForm::Braces { quote } => is_short(quote),
                ArgumentForm::Pairs(KeyValueMarkers { key_open, key_close, value_open, value_close }) => {
                    [key_open, key_close, value_open, value_close].into_iter().all(is_short)
                }
                ArgumentForm::Tags { function, parameter, close } => {
                    [function, parameter, close].into_iter().all(is_short)
                }
            };
            is_short(prefix) && is_short(infix) && is_short_form
        }
    }
}

/// Finds a JSON value that contains the name and the arguments.
fn in_object(text: &str) -> Option<FoundCall> {
    let name = text.find(NAME)?;
    for (start, _) in text.match_indices(['{', '[']).take_while(|(start, _)| *start < name) {
        let mut values = Deserializer::from_str(&text[start..]).into_iter::<Value>();
        let Some(Ok(value)) = values.next() else { continue };
        let end = start + values.byte_offset();
        let (call, is_list) = match &value {
            Value::Array(calls) => (calls.first()?, true),
            call => (call, false),
        };
        if let Some(form) = object(call, is_list) {
            return Some(FoundCall { form, start, end });
        }
    }
    None
}

fn object(call: &Value, is_list: bool) -> Option<CallForm> {
    let call = call.get("function").filter(|function| function.is_object()).unwrap_or(call).as_object()?;
    if call.contains_key(NAME) {
        return Some(CallForm::Keyed { is_list });
    }
    let (name, _) = call.iter().find(|(_, value)| *value == NAME)?;
    let (arguments, value) = call.iter().find(|(_, value)| match value {
        Value::Object(named) => named.contains_key(KEYS[0]),
        Value::String(text) => text.contains(VALUES[0]),
        _ => false,
    })?;
    let (name, arguments) = (name.clone(), arguments.clone());
    Some(CallForm::Object { name, arguments, is_text: value.is_string(), is_list })
}

/// Finds a name on its own, with arguments after it.
fn named(text: &str) -> Option<FoundCall> {
    // Some templates write only the id, which contains the name.
    let word = [NAME, IDS[0]].into_iter().find(|word| text.contains(word))?;
    let name = text.find(word)?;
    let after = name + word.len();
    let key = after + text[after..].find(KEYS[0])?;
    let tag = unfinished_tag(&text[..name]);
    let start = tag.unwrap_or_else(|| prefix_start(&text[..name]));
    let (arguments, infix, end) = json_arguments(text, after, key)
        .or_else(|| python(text, after))
        .or_else(|| tags(text, tag?, name, key))
        .or_else(|| pairs(text, after, key))
        .or_else(|| braces(text, after, key))?;
    let prefix = if tag.is_some() { String::new() } else { text[start..name].to_owned() };
    Some(FoundCall { form: CallForm::Named { prefix, infix, arguments }, start, end })
}

/// Returns the start of a tag that is still open at the end of a text.
fn unfinished_tag(text: &str) -> Option<usize> {
    let start = text.rfind('<')?;
    let tag = &text[start..];
    (!tag.contains('>') && tag.contains('=')).then_some(start)
}

/// Returns the start of the words right before a name, as in `call:name`, including the markers between them.
fn prefix_start(text: &str) -> usize {
    let mut start = text.len();
    let mut rest = text;
    let mut words = None;
    for part in markers_and_words(text).iter().rev() {
        let Some(place) = rest.rfind(part.as_str()) else { break };
        if !part.starts_with(['<', '[', '`']) {
            words = Some(place);
        }
        rest = &rest[..place];
    }
    if let Some(place) = words {
        start = place;
    }
    start
}

/// The form of the arguments, the text between the name and them, and their end.
type FoundArguments = (ArgumentForm, String, usize);

fn json_arguments(text: &str, after: usize, key: usize) -> Option<FoundArguments> {
    let start = after + text[after..key].find('{')?;
    let mut values = Deserializer::from_str(&text[start..]).into_iter::<Value>();
    let value = values.next()?.ok()?;
    value.get(KEYS[0])?;
    Some((ArgumentForm::Json, text[after..start].to_owned(), start + values.byte_offset()))
}

fn python(text: &str, after: usize) -> Option<FoundArguments> {
    let list = text[after..].strip_prefix('(')?;
    list.strip_prefix(KEYS[0])?.strip_prefix('=')?;
    let end = after + last_value(&text[after..])?;
    let end = end + text[end..].find(')')? + 1;
    Some((ArgumentForm::Python, String::new(), end))
}

/// Recognizes `<parameter=key>value</parameter>` within `<function=name>`.
fn tags(text: &str, tag: usize, name: usize, key: usize) -> Option<FoundArguments> {
    let word = |tag: &str| {
        let end = tag.find(|next: char| next.is_whitespace() || next == '=')?;
        Some(tag[1..end].to_owned())
    };
    let function = word(&text[tag..name])?;
    let parameter = word(&text[unfinished_tag(&text[..key])?..key])?;
    let after = last_value(text)?;
    let close =
        markers_and_words(&text[after..]).into_iter().next().filter(|marker| marker.starts_with("</"))?;
    let end = after + text[after..].find(&close)? + close.len();
    Some((ArgumentForm::Tags { function, parameter, close }, String::new(), end))
}

/// Recognizes keys between two markers and values between two others.
fn pairs(text: &str, after: usize, key: usize) -> Option<FoundArguments> {
    let before = &text[after..key];
    let key_open = markers_and_words(before).pop().filter(|marker| marker.starts_with('<'))?;
    let infix = before[..before.rfind(&key_open)?].trim().to_owned();
    let from = key + KEYS[0].len();
    let value = from + text[from..].find(VALUES[0])?;
    let mut between = markers_and_words(&text[from..value]).into_iter();
    let (key_close, value_open) = (between.next()?, between.next()?);
    let after = last_value(text)?;
    let value_close =
        markers_and_words(&text[after..]).into_iter().next().filter(|marker| marker.starts_with('<'))?;
    let end = after + text[after..].find(&value_close)? + value_close.len();
    let pairs = KeyValueMarkers { key_open, key_close, value_open, value_close };
    Some((ArgumentForm::Pairs(pairs), infix, end))
}

/// Recognizes `name{key:QUOTEvalueQUOTE}`.
fn braces(text: &str, after: usize, key: usize) -> Option<FoundArguments> {
    let infix = text[after..key].strip_suffix('{')?.to_owned();
    let from = key + KEYS[0].len();
    let quote = text[from..].split(VALUES[0]).next()?.strip_prefix(':')?.trim().to_owned();
    if quote.len() > LONGEST_MARKER {
        return None;
    }
    let end = last_value(text)?;
    let end = end + text[end..].find('}')? + 1;
    Some((ArgumentForm::Braces { quote }, infix, end))
}

/// Returns the end of the last value.
fn last_value(text: &str) -> Option<usize> {
    VALUES.iter().filter_map(|value| text.find(value).map(|place| place + value.len())).max()
}
