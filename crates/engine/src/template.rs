use std::collections::HashSet;
use std::sync::Arc;

use dialect::{LearnedFormat, ReplySyntax, TemplateInput};
use model::{MessageContent, ModelError, ModelMessage, ModelRole, ToolSpec};
use serde_json::{Value, json};
use template::{CHATML, Now, Template, TemplateError};

/// A placeholder for text that is not known yet; no template writes it.
const PLACEHOLDER: &str = "\u{1}";

/// Control texts that delimit messages in models that write a header before each one. They are never part of a message,
/// even if a file has the template of another model.
const AROUND_MESSAGES: [&str; 6] =
    ["<|start|>", "<|channel|>", "<|message|>", "<|end|>", "<|call|>", "<|return|>"];

/// The chat template of a model file, which turns messages into a prompt.
pub struct ChatTemplate {
    template: Template,
    syntax: Arc<ReplySyntax>,
    /// True if the template expects the arguments of earlier calls as text.
    arguments_are_text: bool,
    system: SystemPlacement,
    /// Texts that would become control tokens, longest first.
    control: Vec<String>,
    /// The first characters of these texts.
    first_characters: Vec<char>,
    /// Control texts that the model itself writes around its calls and thoughts.
    own: HashSet<String>,
}

/// The place of a system message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SystemPlacement {
    OwnMessage,
    /// The template rejects or drops system messages, so their text precedes that of the first question.
    FirstQuestion,
}

/// The end of a rendered prompt: with or without the opening of the model's response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PromptEnding {
    AnswerFollows,
    AsItIs,
}

impl ChatTemplate {
    pub fn new(
        source: Option<&str>,
        bos: &str,
        eos: &str,
        mut control: Vec<String>,
        now: Now,
    ) -> Result<Self, ModelError> {
        let template = Template::new(source.unwrap_or(CHATML), bos, eos, now).map_err(failed)?;
        let LearnedFormat { syntax, arguments_are_text } = template.learn();
        control.retain(|text| text.chars().count() > 1);
        control.sort_by_key(|text| std::cmp::Reverse(text.len()));
        let mut first_characters: Vec<char> = control.iter().filter_map(|text| text.chars().next()).collect();
        first_characters.sort_unstable();
        first_characters.dedup();
        let (syntax, system, own) = (Arc::new(syntax), SystemPlacement::OwnMessage, HashSet::new());
        let mut template =
            Self { template, syntax, arguments_are_text, system, control, first_characters, own };
        template.system = template.system_placement();
        template.own = template.own_marks();
        Ok(template)
    }

    /// Determines the place once per template instead of per conversation, so that the beginning of a prompt never
    /// changes.
    fn system_placement(&self) -> SystemPlacement {
        const WORDS: &str = "kindness";
        let talk =
            [ModelMessage::text(ModelRole::System, WORDS), ModelMessage::text(ModelRole::User, "hello")];
        let shows = |messages: &[ModelMessage]| {
            self.render_messages(messages, &[], PromptEnding::AnswerFollows)
                .is_ok_and(|prompt| prompt.contains(WORDS))
        };
        if !shows(&talk) && shows(&with_folded_system(&talk)) {
            SystemPlacement::FirstQuestion
        } else {
            SystemPlacement::OwnMessage
        }
    }

    /// Returns the control texts that stay intact in earlier model output: those around calls and thoughts, unless they
    /// also delimit messages. A delimiter that is quoted from a page or sent by a program would end the companion's
    /// message and begin one of another role.
    fn own_marks(&self) -> HashSet<String> {
        let plain = self.plain_conversations();
        let is_around_messages = |text: &str| {
            plain.is_empty()
                || plain.contains(text)
                || AROUND_MESSAGES.contains(&text)
                || self.ends_turns(text)
        };
        let within = ReplySyntax { turn_markers: Vec::new(), ..ReplySyntax::clone(&self.syntax) };
        let is_mark = |text: &str| within.markers().any(|mark| mark.contains(text));
        let own = self.control.iter().filter(|text| is_mark(text) && !is_around_messages(text));
        own.cloned().collect()
    }

    fn ends_turns(&self, text: &str) -> bool {
        self.syntax.turn_markers.iter().any(|mark| mark.contains(text))
    }

    /// Renders conversations of plain words: every control text in them delimits messages.
    fn plain_conversations(&self) -> String {
        let talk =
            [ModelRole::System, ModelRole::User, ModelRole::Assistant, ModelRole::User, ModelRole::Assistant];
        let talk = talk.map(|role| ModelMessage::text(role, "kindness"));
        let mut prompts = String::new();
        for begins in 0..2 {
            for ends in 2..=talk.len() {
                for ending in [PromptEnding::AnswerFollows, PromptEnding::AsItIs] {
                    prompts.push_str(&self.render(&talk[begins..ends], &[], ending).unwrap_or_default());
                }
            }
        }
        prompts
    }

    pub fn uses_tools(&self) -> bool {
        self.template.uses_tools()
    }

    /// Returns the syntax in which the model writes thoughts and calls.
    pub fn syntax(&self) -> &Arc<ReplySyntax> {
        &self.syntax
    }

    /// Renders a prompt. A system message alone yields the common beginning of every prompt with it and a question.
    pub fn render(
        &self,
        messages: &[ModelMessage],
        tools: &[ToolSpec],
        ending: PromptEnding,
    ) -> Result<String, ModelError> {
        match (self.system, messages) {
            (SystemPlacement::FirstQuestion, [system]) if system.role == ModelRole::System => {
                let asked = [system.clone(), ModelMessage::text(ModelRole::User, PLACEHOLDER)];
                let mut prompt = self.render_messages(&with_folded_system(&asked), tools, ending)?;
                prompt.truncate(prompt.find(PLACEHOLDER).unwrap_or(prompt.len()));
                Ok(prompt)
            }
            (SystemPlacement::FirstQuestion, _) => {
                self.render_messages(&with_folded_system(messages), tools, ending)
            }
            (SystemPlacement::OwnMessage, _) => self.render_messages(messages, tools, ending),
        }
    }

    fn render_messages(
        &self,
        messages: &[ModelMessage],
        tools: &[ToolSpec],
        ending: PromptEnding,
    ) -> Result<String, ModelError> {
        let messages = messages.iter().map(|message| self.message(message)).collect();
        let tools = tools.iter().map(|tool| {
            self.defused(json!({"type": "function", "function": {
                "name": tool.name, "description": tool.description, "parameters": tool.parameters,
            }}))
        });
        let add_generation_prompt = ending == PromptEnding::AnswerFollows;
        let input =
            TemplateInput { messages, tools: tools.collect(), add_generation_prompt, enable_thinking: None };
        self.template.render(&input).map_err(failed)
    }

    fn message(&self, message: &ModelMessage) -> Value {
        let role = match message.role {
            ModelRole::System => "system",
            ModelRole::User => "user",
            ModelRole::Assistant => "assistant",
            ModelRole::Tool => "tool",
        };
        // The model's own output contains the marks of its calls, and keeps them.
        let own = |text: &String| message.role == ModelRole::Assistant && self.own.contains(text);
        let mut value = json!({"role": role, "content": self.defuse(&message.content.as_text(), own)});
        if !message.tool_calls.is_empty() {
            value["tool_calls"] = message
                .tool_calls
                .iter()
                .map(|call| {
                    let arguments = serde_json::from_str(&call.arguments).unwrap_or_else(|_| json!({}));
                    let arguments = self.defused(arguments);
                    let arguments =
                        if self.arguments_are_text { json!(arguments.to_string()) } else { arguments };
                    let (id, name) = (self.defused(json!(call.id)), self.defused(json!(call.name)));
                    json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments}})
                })
                .collect();
        }
        if let Some(id) = &message.tool_call_id {
            value["tool_call_id"] = self.defused(json!(id));
        }
        value
    }

    /// Defuses the strings in calls and tool descriptions, which servers and programs write.
    fn defused(&self, value: Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.defuse(&text, |_| false)),
            Value::Array(values) => values.into_iter().map(|value| self.defused(value)).collect(),
            Value::Object(fields) => {
                let defused =
                    |(name, field): (String, Value)| (self.defuse(&name, |_| false), self.defused(field));
                fields.into_iter().map(defused).collect()
            }
            other => other,
        }
    }

    /// Breaks up control texts with a zero-width space, because text from users or web pages must never act as control
    /// tokens. The model reads the same words, but no role begins or ends.
    fn defuse(&self, text: &str, own: impl Fn(&String) -> bool) -> String {
        let mut safe = text.to_owned();
        if !text.contains(self.first_characters.as_slice()) {
            return safe;
        }
        for control in self.control.iter().filter(|control| text.contains(control.as_str())) {
            if !own(control) && safe.contains(control.as_str()) {
                let first = control.chars().next().map_or(0, char::len_utf8);
                let broken = format!("{}\u{200b}{}", &control[..first], &control[first..]);
                safe = safe.replace(control.as_str(), &broken);
            }
        }
        safe
    }
}

/// Merges the system message into the beginning of the question that follows it. If another message follows, the system
/// message becomes a question itself, because a conversation has to begin with one.
fn with_folded_system(messages: &[ModelMessage]) -> Vec<ModelMessage> {
    let mut folded = messages.to_vec();
    match folded.as_mut_slice() {
        [system, question, ..] if system.role == ModelRole::System && question.role == ModelRole::User => {
            let words = format!("{}\n\n{}", system.content.as_text(), question.content.as_text());
            question.content = MessageContent::Text(words);
            folded.remove(0);
        }
        [system, ..] if system.role == ModelRole::System => system.role = ModelRole::User,
        _ => {}
    }
    folded
}

fn failed(error: TemplateError) -> ModelError {
    ModelError::Failed(match error {
        TemplateError::Refused(error) => {
            format!("the model's chat template refuses this conversation: {error}")
        }
        error => format!("the model file cannot be used: {error}"),
    })
}

#[cfg(test)]
#[path = "template_tests.rs"]
mod tests;
