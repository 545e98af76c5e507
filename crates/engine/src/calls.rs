//! Constrained tool calls: they follow the form of the model's template, with arguments that the tool accepts.
//!
//! Plain text is unconstrained. Once the model has opened a call, sampling is restricted to a grammar of the offered
//! tools until the call is complete, so a small model cannot misspell a name, forget a bracket, or invent arguments. If
//! the response has to be a call, the restriction applies from the first token on.

use std::fmt::Write as _;
use std::sync::Arc;

use dialect::{ArgumentForm, CallForm, CallSyntax, KeyValueMarkers, ReplySyntax, ThoughtMarkers};
use llama_cpp_2::sampling::LlamaSampler;
use llama_cpp_2::token::LlamaToken;
use llguidance::Matcher;
use model::{Sampling, ToolChoice, ToolSpec};
use serde_json::{Value, json};

use crate::sampler::SamplerFactory;
use crate::vocabulary::{self, PromptPart};

/// The number of bytes kept from the end of the output, enough for the longest mark.
const TAIL: usize = 512;
/// Additional fields that some models write into a call besides name and arguments.
const EXTRA_FIELDS: &str = "before: (other \",\" WS?)*\nafter: (\",\" WS? other)*\n";
/// The limited form for forced calls, because a model that would rather not call could continue with fields forever.
const ONE_EXTRA_FIELD: &str = "before: (other \",\" WS?)?\nafter: (\",\" WS? other)?\n";
const EXTRA_FIELD: &str =
    "other: /\"(id|type|index|call_id|tool_call_id)\"/ WS? \":\" WS? /\"[^\"]{0,40}\"|[0-9]{1,9}/ WS?\n";
const ATTRIBUTES: &str = "ATTRIBUTES: /( [a-z_]+=\"[^\"]*\")+/\n";
/// The maximum number of arguments in a grammar. Further arguments of a tool are left out.
const MOST_ARGUMENTS: usize = 64;

/// The rules for calls in one response.
pub struct CallRules {
    samplers: Arc<SamplerFactory>,
    /// The marks that open calls, each with the grammar of what may follow it.
    grammars: Vec<(String, String)>,
    /// The grammar of a whole call including its marks, if the response has to be one.
    whole: Option<String>,
    thoughts: Vec<ThoughtMarkers>,
    sampling: Sampling,
}

/// A call in progress.
struct CallInProgress {
    sampler: LlamaSampler,
    /// Parses the same tokens, to detect when the call is complete.
    follower: Matcher,
    /// True if the response ends with this call.
    is_whole_response: bool,
}

/// Detects calls in a response and constrains them.
#[derive(Default)]
pub struct CallDetector {
    rules: Option<Box<CallRules>>,
    in_progress: Option<CallInProgress>,
    said: OutputTail,
}

/// The end of the output, and whether it is within a thought.
#[derive(Default)]
struct OutputTail {
    tail: String,
    is_thinking: bool,
}

impl CallRules {
    /// Creates the rules. `tools` are written in the form of the template, `shown` in the form of the examples in the
    /// messages. Returns `None` if calls have no opening mark or an unknown form.
    pub fn new(
        syntax: &ReplySyntax,
        (tools, shown): (&[ToolSpec], &[ToolSpec]),
        choice: &ToolChoice,
        sampling: &Sampling,
        control: &[(LlamaToken, String)],
        samplers: Arc<SamplerFactory>,
    ) -> Option<Self> {
        let examples = example_syntax();
        let ways = syntax.calls.iter().zip([tools]).chain([(&examples, shown)]);
        let literal = |text: &str| literal(text, control);
        let (mut grammars, mut whole) = (Vec::new(), None);
        for (calls, tools) in ways {
            let Some(open) = calls.open.last().filter(|open| open.len() > 1) else { continue };
            if let Some(grammar) = grammar(calls, tools, EXTRA_FIELDS, &literal) {
                grammars.push((open.clone(), grammar.after_opening_mark()));
                whole = whole.or_else(|| whole_call(calls, tools, choice, &literal));
            }
        }
        if grammars.is_empty() {
            return None;
        }
        // The repeat penalty is off within calls, because repeating earlier text is legitimate there.
        let sampling = Sampling { repeat_penalty: 1.0, ..sampling.clone() };
        Some(Self { samplers, grammars, whole, thoughts: syntax.thoughts.clone(), sampling })
    }
}

impl CallDetector {
    /// `opening` is the opening of a thought, if the prompt ends with one.
    pub fn new(rules: Option<CallRules>, opening: Option<&str>) -> Self {
        let mut calls =
            Self { rules: rules.map(Box::new), in_progress: None, said: OutputTail::after(opening) };
        let whole = calls.rules.as_mut().and_then(|rules| rules.whole.take());
        // A response that begins with a thought does not begin with the call.
        if let Some(whole) = whole.filter(|_| opening.is_none()) {
            calls.constrain(&whole, true);
        }
        calls
    }

    fn constrain(&mut self, grammar: &str, is_whole_response: bool) {
        let Some(rules) = &self.rules else { return };
        match rules.samplers.bound(&rules.sampling, grammar) {
            Ok((sampler, follower)) => {
                self.in_progress = Some(CallInProgress { sampler, follower, is_whole_response });
            }
            Err(error) => {
                tracing::warn!("calls of this model are not constrained: {error}");
                self.rules = None;
            }
        }
    }

    /// Returns the sampler of the call in progress.
    pub fn sampler(&mut self) -> Option<&mut LlamaSampler> {
        self.in_progress.as_mut().map(|in_progress| &mut in_progress.sampler)
    }

    /// Records a sampled token and its text, with control tokens spelled out. Returns true if it ends the response.
    pub fn follow(&mut self, token: LlamaToken, text: impl FnOnce() -> Vec<u8>) -> bool {
        let Some(rules) = &self.rules else { return false };
        if let Some(in_progress) = &mut self.in_progress {
            let continues = in_progress.follower.consume_token(token.0.cast_unsigned()).is_ok()
                && !in_progress.follower.is_accepting().unwrap_or(true);
            if continues {
                return false;
            }
            if in_progress.is_whole_response {
                return true;
            }
            self.in_progress = None;
            self.said.tail.clear();
        }
        self.said.push(&String::from_utf8_lossy(&text()), &rules.thoughts);
        let opened = rules.grammars.iter().find(|(open, _)| self.said.ends_with_mark(open));
        if let Some((_, grammar)) = opened.cloned() {
            self.constrain(&grammar, false);
        }
        false
    }
}

impl OutputTail {
    fn after(opening: Option<&str>) -> Self {
        Self { tail: opening.unwrap_or_default().to_owned(), is_thinking: opening.is_some() }
    }

    fn push(&mut self, text: &str, thoughts: &[ThoughtMarkers]) {
        self.tail.push_str(text);
        let surplus = self.tail.len().saturating_sub(TAIL);
        self.tail.drain(..self.tail.ceil_char_boundary(surplus));
        self.is_thinking = is_thinking(thoughts, &self.tail, self.is_thinking);
    }

    /// Returns true if the output ends with a mark that opens a call and is not within a thought.
    fn ends_with_mark(&self, mark: &str) -> bool {
        !self.is_thinking && self.tail.trim_end().ends_with(mark)
    }
}

/// Returns the call form used in examples, which most models were trained on.
fn example_syntax() -> CallSyntax {
    let form = CallForm::Object {
        name: "name".into(),
        arguments: "arguments".into(),
        is_text: false,
        is_list: false,
    };
    CallSyntax { open: vec!["<tool_call>".into()], close: vec!["</tool_call>".into()], form }
}

/// Returns true if the output ends within a thought. Without a mark in sight, the state stays as before.
fn is_thinking(thoughts: &[ThoughtMarkers], tail: &str, before: bool) -> bool {
    let last = |mark: &str| if mark.is_empty() { None } else { tail.rfind(mark) };
    let opened = thoughts.iter().filter_map(|thought| last(&thought.open)).max();
    let closed = thoughts.iter().filter_map(|thought| last(&thought.close)).max();
    match (opened, closed) {
        (None, None) => before,
        (opened, closed) => opened > closed,
    }
}

/// A grammar of calls: the content between their marks, and the rules that it uses.
struct Grammar {
    between: String,
    rules: String,
}

impl Grammar {
    /// Returns the grammar of the calls after the opening mark.
    fn after_opening_mark(&self) -> String {
        format!("start: WS? {}\n{}", self.between, self.rules)
    }
}

/// Returns the grammar of a call with its marks, for one of the permitted tools. `None` if the model may choose not to
/// call.
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
    let Grammar { between, rules } = grammar(calls, &chosen, ONE_EXTRA_FIELD, literal)?;
    // In some forms the first closing mark is already part of the call's grammar.
    let first = calls.close.first().map_or("", |mark| mark.trim());
    let is_written = match &calls.form {
        CallForm::Named { arguments: ArgumentForm::Pairs(_), .. } => true,
        CallForm::Named { arguments: ArgumentForm::Tags { function, .. }, .. } => {
            first == format!("</{function}>")
        }
        _ => false,
    };
    let close = calls.close.get(usize::from(is_written)..).unwrap_or_default();
    let marks =
        |marks: &[String]| marks.iter().map(|mark| optional(mark, literal) + "WS? ").collect::<String>();
    let (open, close) = (marks(&calls.open), marks(close));
    Some(format!("start: {open}{between} WS? {close}\n{rules}"))
}

/// Builds the grammar of what may follow an opening mark. `literal` formats a text that may contain control tokens.
fn grammar(
    calls: &CallSyntax,
    tools: &[ToolSpec],
    extra_fields: &str,
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
                shared = extra_fields.to_owned() + EXTRA_FIELD;
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
                let (head, infix) = (optional(prefix, literal) + &quoted(name), optional(infix, literal));
                match form {
                    // Some models write the name as part of an ID.
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
                    // The end of such a value cannot be detected without parsing it.
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

/// Formats a text with control tokens written as tokens.
fn literal(text: &str, control: &[(LlamaToken, String)]) -> String {
    let parts = vocabulary::parts(text, control).into_iter().map(|part| match part {
        PromptPart::Plain(plain) => quoted(plain),
        PromptPart::Control(token) => format!("<[{}]>", token.0),
    });
    parts.collect::<Vec<_>>().join(" ")
}

/// Formats a text as a grammar string.
fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// Formats a text as a JSON string within a grammar string.
fn json_text(text: &str) -> String {
    quoted(&quoted(text))
}

fn optional(text: &str, literal: &dyn Fn(&str) -> String) -> String {
    if text.trim().is_empty() { String::new() } else { format!("{} ", literal(text.trim())) }
}

/// Returns the schema for the grammar. Keywords that the grammar cannot express are ignored, because the tool validates
/// its arguments again.
fn schema(parameters: &Value) -> Value {
    let mut schema = if parameters.is_object() { parameters.clone() } else { json!({"type": "object"}) };
    schema["x-guidance"] = json!({"lenient": true});
    schema
}

fn keys(tool: &ToolSpec) -> Vec<&str> {
    let properties = tool.parameters["properties"].as_object();
    properties.into_iter().flatten().map(|(key, _)| key.as_str()).take(MOST_ARGUMENTS).collect()
}

/// Builds the rule for `<function=name> <parameter=key> … </parameter> </function>`.
fn tags(function: &str, parameter: &str, tool: &ToolSpec) -> String {
    // The name follows the word, or is an attribute that others may follow.
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

/// Builds the rule for keys and values, each between its own two marks.
fn pairs(pairs: &KeyValueMarkers, tool: &ToolSpec, literal: &dyn Fn(&str) -> String) -> String {
    let key = keys(tool).into_iter().map(quoted).collect::<Vec<_>>().join(" | ");
    if key.is_empty() {
        return String::new();
    }
    let [key_open, key_close, value_open] =
        [&pairs.key_open, &pairs.key_close, &pairs.value_open].map(|mark| literal(mark));
    format!("(WS? {key_open} ({key}) {key_close} WS? {value_open} value)+")
}

/// Builds the rule for any text up to and including a mark.
fn value(mark: &str, literal: &dyn Fn(&str) -> String) -> String {
    let written = literal(mark);
    if written != quoted(mark) {
        // Plain text cannot be confused with a control token, so no lazy match is needed.
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
