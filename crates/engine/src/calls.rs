//! Calls that are written as the model's template tells, and with arguments that the tool takes.
//!
//! Words are the model's own. Once it has opened a call, what follows is bound to a grammar of the tools that it was
//! offered, until the call is complete. So a small model cannot misspell a name, forget a bracket, or make up arguments.
//! Where the answer has to be a call, it is bound from its first token on.

use std::fmt::Write as _;
use std::sync::Arc;

use dialect::{ArgumentForm, CallForm, CallSyntax, Pairs, Syntax, Thought};
use llama_cpp_2::sampling::LlamaSampler;
use llama_cpp_2::token::LlamaToken;
use llguidance::Matcher;
use model::{Sampling, ToolChoice, ToolSpec};
use serde_json::{Value, json};

use crate::sampler::SamplerShop;
use crate::vocabulary::{self, Part};

/// What was said last is kept as long as the longest mark could be.
const TAIL: usize = 512;
/// What some write into a call beside its name and arguments.
const MANY_OTHERS: &str = "before: (other \",\" WS?)*\nafter: (\",\" WS? other)*\n";
/// A model that had no wish to call would go on with them for ever.
const FEW_OTHERS: &str = "before: (other \",\" WS?)?\nafter: (\",\" WS? other)?\n";
const OTHER: &str =
    "other: /\"(id|type|index|call_id|tool_call_id)\"/ WS? \":\" WS? /\"[^\"]{0,40}\"|[0-9]{1,9}/ WS?\n";
const ATTRIBUTES: &str = "ATTRIBUTES: /( [a-z_]+=\"[^\"]*\")+/\n";
/// Of a tool with more arguments, the first.
const MOST_KEYS: usize = 64;

/// How calls of one answer are to be written.
pub struct CallRules {
    shop: Arc<SamplerShop>,
    /// The marks that open calls, and what may stand behind each.
    grammars: Vec<(String, String)>,
    /// The grammar of a whole call, its marks included, where the answer has to be one.
    whole: Option<String>,
    thoughts: Vec<Thought>,
    sampling: Sampling,
}

/// A call that is being written.
struct Writing {
    sampler: LlamaSampler,
    /// Reads along, to tell when the call is complete.
    reader: Matcher,
    /// Nothing comes after it.
    is_all: bool,
}

/// Watches an answer for calls, and binds them.
#[derive(Default)]
pub struct Calls {
    rules: Option<Box<CallRules>>,
    writing: Option<Writing>,
    said: Said,
}

/// The end of what was said, and whether it stands within a thought.
#[derive(Default)]
struct Said {
    tail: String,
    is_thinking: bool,
}

impl CallRules {
    /// `tools` are written as the template has it, `shown` as the messages show it. Nothing, where calls have no mark that
    /// opens them, or their form is not known.
    pub fn new(
        syntax: &Syntax,
        (tools, shown): (&[ToolSpec], &[ToolSpec]),
        choice: &ToolChoice,
        sampling: &Sampling,
        control: &[(LlamaToken, String)],
        shop: Arc<SamplerShop>,
    ) -> Option<Self> {
        let examples = in_examples();
        let ways = syntax.calls.iter().zip([tools]).chain([(&examples, shown)]);
        let literal = |text: &str| literal(text, control);
        let (mut grammars, mut whole) = (Vec::new(), None);
        for (calls, tools) in ways {
            let Some(open) = calls.open.last().filter(|open| open.len() > 1) else { continue };
            if let Some(grammar) = grammar(calls, tools, MANY_OTHERS, &literal) {
                grammars.push((open.clone(), grammar.after_its_mark()));
                whole = whole.or_else(|| whole_call(calls, tools, choice, &literal));
            }
        }
        if grammars.is_empty() {
            return None;
        }
        // What was said before is no reason to choose other words in a call.
        let sampling = Sampling { repeat_penalty: 1.0, ..sampling.clone() };
        Some(Self { shop, grammars, whole, thoughts: syntax.thoughts.clone(), sampling })
    }
}

impl Calls {
    /// `opening` is that of a thought, where the prompt ends with one.
    pub fn new(rules: Option<CallRules>, opening: Option<&str>) -> Self {
        let mut calls = Self { rules: rules.map(Box::new), writing: None, said: Said::after(opening) };
        let whole = calls.rules.as_mut().and_then(|rules| rules.whole.take());
        // Whoever thinks first has not come to the call yet.
        if let Some(whole) = whole.filter(|_| opening.is_none()) {
            calls.bind(&whole, true);
        }
        calls
    }

    fn bind(&mut self, grammar: &str, is_all: bool) {
        let Some(rules) = &self.rules else { return };
        match rules.shop.bound(&rules.sampling, grammar) {
            Ok((sampler, reader)) => self.writing = Some(Writing { sampler, reader, is_all }),
            Err(error) => {
                tracing::warn!("calls of this model are not bound: {error}");
                self.rules = None;
            }
        }
    }

    /// The sampler of the call that is being written.
    pub fn sampler(&mut self) -> Option<&mut LlamaSampler> {
        self.writing.as_mut().map(|writing| &mut writing.sampler)
    }

    /// Takes note of a token that was sampled, and of its text, control tokens spelled out. True where it ends the answer.
    pub fn follow(&mut self, token: LlamaToken, text: impl FnOnce() -> Vec<u8>) -> bool {
        let Some(rules) = &self.rules else { return false };
        if let Some(writing) = &mut self.writing {
            let goes_on = writing.reader.consume_token(token.0.cast_unsigned()).is_ok()
                && !writing.reader.is_accepting().unwrap_or(true);
            if goes_on {
                return false;
            }
            if writing.is_all {
                return true;
            }
            self.writing = None;
            self.said.tail.clear();
        }
        self.said.push(&String::from_utf8_lossy(&text()), &rules.thoughts);
        let opened = rules.grammars.iter().find(|(open, _)| self.said.opens(open));
        if let Some((_, grammar)) = opened.cloned() {
            self.bind(&grammar, false);
        }
        false
    }
}

impl Said {
    fn after(opening: Option<&str>) -> Self {
        Self { tail: opening.unwrap_or_default().to_owned(), is_thinking: opening.is_some() }
    }

    fn push(&mut self, text: &str, thoughts: &[Thought]) {
        self.tail.push_str(text);
        let surplus = self.tail.len().saturating_sub(TAIL);
        self.tail.drain(..self.tail.ceil_char_boundary(surplus));
        self.is_thinking = is_thinking(thoughts, &self.tail, self.is_thinking);
    }

    /// Whether it ends with a mark that opens a call. In a thought, nothing is called.
    fn opens(&self, mark: &str) -> bool {
        !self.is_thinking && self.tail.trim_end().ends_with(mark)
    }
}

/// The way of calling that is shown by examples, and that most models were taught.
fn in_examples() -> CallSyntax {
    let form = CallForm::Object {
        name: "name".into(),
        arguments: "arguments".into(),
        is_text: false,
        is_list: false,
    };
    CallSyntax { open: vec!["<tool_call>".into()], close: vec!["</tool_call>".into()], form }
}

/// Whether the end of an answer stands within a thought; as before, where no mark is in sight.
fn is_thinking(thoughts: &[Thought], tail: &str, before: bool) -> bool {
    let last = |mark: &str| if mark.is_empty() { None } else { tail.rfind(mark) };
    let opened = thoughts.iter().filter_map(|thought| last(&thought.open)).max();
    let closed = thoughts.iter().filter_map(|thought| last(&thought.close)).max();
    match (opened, closed) {
        (None, None) => before,
        (opened, closed) => opened > closed,
    }
}

/// A grammar of calls: what stands between their marks, and the rules that it is made of.
struct Grammar {
    between: String,
    rules: String,
}

impl Grammar {
    /// One call, to its last letter, behind the mark that opens it.
    fn after_its_mark(&self) -> String {
        format!("start: WS? {}\n{}", self.between, self.rules)
    }
}

/// A call with its marks, of one of the tools that may be chosen. None where it is for the model to choose whether it
/// calls.
fn whole_call(
    calls: &CallSyntax,
    tools: &[ToolSpec],
    choice: &ToolChoice,
    literal: &dyn Fn(&str) -> String,
) -> Option<String> {
    let chosen: Vec<ToolSpec> = match choice {
        ToolChoice::Auto | ToolChoice::None => return None,
        ToolChoice::Required => tools.to_vec(),
        ToolChoice::Named(name) => tools.iter().filter(|tool| tool.name == *name).cloned().collect(),
    };
    let Grammar { between, rules } = grammar(calls, &chosen, FEW_OTHERS, literal)?;
    // The first mark behind some calls ends what is written in them, and stands there already.
    let first = calls.close.first().map_or("", |mark| mark.trim());
    let is_written = match &calls.form {
        CallForm::Named { arguments: ArgumentForm::Pairs(_), .. } => true,
        CallForm::Named { arguments: ArgumentForm::Tags { function, .. }, .. } => {
            first == format!("</{function}>")
        }
        _ => false,
    };
    let close = calls.close.get(usize::from(is_written)..).unwrap_or_default();
    let marks = |marks: &[String]| marks.iter().map(|mark| some(mark, literal) + "WS? ").collect::<String>();
    let (open, close) = (marks(&calls.open), marks(close));
    Some(format!("start: {open}{between} WS? {close}\n{rules}"))
}

/// What may stand behind the mark that opens a call. `literal` writes a text that may have control tokens in it.
fn grammar(
    calls: &CallSyntax,
    tools: &[ToolSpec],
    others: &str,
    literal: &dyn Fn(&str) -> String,
) -> Option<Grammar> {
    if tools.is_empty() {
        return None;
    }
    let (mut lark, mut shared) = (String::new(), String::new());
    for (place, tool) in tools.iter().enumerate() {
        let (name, arguments) = (&tool.name, format!("a{place}"));
        let rule = match &calls.form {
            CallForm::Object { is_text: true, .. } => return None,
            CallForm::Object { name: key, arguments: under, .. } => {
                shared = others.to_owned() + OTHER;
                format!(
                    "\"{{\" WS? before {} WS? \":\" WS? {} WS? \",\" WS? {} WS? \":\" WS? {arguments} WS? \
                 after \"}}\"",
                    json_text(key),
                    json_text(name),
                    json_text(under),
                )
            }
            CallForm::Keyed { .. } => {
                format!("\"{{\" WS? {} WS? \":\" WS? {arguments} WS? \"}}\"", json_text(name))
            }
            CallForm::Named { prefix, infix, arguments: form } => {
                let (head, infix) = (some(prefix, literal) + &quoted(name), some(infix, literal));
                match form {
                    // Some write the name as a part of an id.
                    ArgumentForm::Json => {
                        format!("\"functions.\"? {head} /:[0-9]+/? WS? {infix}WS? {arguments}")
                    }
                    ArgumentForm::Tags { function, parameter, close } => {
                        shared = value(close, literal) + ATTRIBUTES;
                        tags(function, parameter, tool)
                    }
                    ArgumentForm::Pairs(pairs) => {
                        shared = value(&pairs.value_close, literal);
                        let end = literal(calls.close.first()?);
                        format!("{head} WS? {infix}{} WS? {end}", self::pairs(pairs, tool, literal))
                    }
                    // Where such a value ends cannot be told without reading it.
                    ArgumentForm::Python | ArgumentForm::Braces { .. } => return None,
                }
            }
        };
        let _ = writeln!(lark, "c{place}: {rule}");
        if rule.contains(&format!("WS? {arguments}")) {
            let _ = writeln!(lark, "{arguments}: %json {}", schema(&tool.parameters));
        }
    }
    let is_list =
        matches!(calls.form, CallForm::Object { is_list: true, .. } | CallForm::Keyed { is_list: true });
    let between = if is_list { "\"[\" WS? call (WS? \",\" WS? call)* WS? \"]\"" } else { "call" }.to_owned();
    let names = (0..tools.len()).map(|place| format!("c{place}")).collect::<Vec<_>>().join(" | ");
    Some(Grammar { between, rules: format!("call: {names}\nWS: /[ \\t\\r\\n]+/\n{shared}{lark}") })
}

/// A text in which control tokens are tokens.
fn literal(text: &str, control: &[(LlamaToken, String)]) -> String {
    let parts = vocabulary::parts(text, control).into_iter().map(|part| match part {
        Part::Plain(plain) => quoted(plain),
        Part::Control(token) => format!("<[{}]>", token.0),
    });
    parts.collect::<Vec<_>>().join(" ")
}

/// A text as the grammar writes one.
fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// The same within quotes of its own.
fn json_text(text: &str) -> String {
    quoted(&quoted(text))
}

fn some(text: &str, literal: &dyn Fn(&str) -> String) -> String {
    if text.trim().is_empty() { String::new() } else { format!("{} ", literal(text.trim())) }
}

/// Keywords that the grammar cannot hold are left out: the tool checks its arguments once more.
fn schema(parameters: &Value) -> Value {
    let mut schema = if parameters.is_object() { parameters.clone() } else { json!({"type": "object"}) };
    schema["x-guidance"] = json!({"lenient": true});
    schema
}

fn keys(tool: &ToolSpec) -> Vec<&str> {
    let properties = tool.parameters["properties"].as_object();
    properties.into_iter().flatten().map(|(key, _)| key.as_str()).take(MOST_KEYS).collect()
}

/// `<function=name> <parameter=key> … </parameter> </function>`
fn tags(function: &str, parameter: &str, tool: &ToolSpec) -> String {
    // The name stands behind the word, or in an attribute beside which others may stand.
    let tag = |word: &str, name: &str| {
        let attribute = quoted(&format!("<{word} name=\"{name}\""));
        format!("({} | {attribute} ATTRIBUTES? \">\")", quoted(&format!("<{word}={name}>")))
    };
    let (open, end) = (tag(function, &tool.name), quoted(&format!("</{function}>")));
    let values = keys(tool).into_iter().map(|key| format!("{} value", tag(parameter, key)));
    let values = values.collect::<Vec<_>>().join(" | ");
    let values = if values.is_empty() { values } else { format!("(({values}) WS?)* ") };
    format!("{open} WS? {values}{end}")
}

/// A key between two marks, and a value between two others.
fn pairs(pairs: &Pairs, tool: &ToolSpec, literal: &dyn Fn(&str) -> String) -> String {
    let key = keys(tool).into_iter().map(quoted).collect::<Vec<_>>().join(" | ");
    if key.is_empty() {
        return String::new();
    }
    let [key_open, key_close, value_open] =
        [&pairs.key_open, &pairs.key_close, &pairs.value_open].map(|mark| literal(mark));
    format!("(WS? {key_open} ({key}) {key_close} WS? {value_open} value)+")
}

/// The rule for any text up to a mark, the mark included.
fn value(mark: &str, literal: &dyn Fn(&str) -> String) -> String {
    let written = literal(mark);
    if written != quoted(mark) {
        // No text can be mistaken for a control token.
        return format!("value: /(?s:.*)/ {written}\n");
    }
    let escaped = mark.chars().fold(String::new(), |mut text, letter| {
        if r"\.+*?()|[]{}^$/".contains(letter) {
            text.push('\\');
        }
        text.push(letter);
        text
    });
    format!("value[lazy]: /(?s:.*){escaped}/\n")
}

#[cfg(test)]
#[path = "calls_tests.rs"]
mod tests;
