use std::sync::Arc;

use dialect::{Learned, Syntax, Talk};
use model::{Content, Message, ModelError, Role, ToolSpec};
use serde_json::{Value, json};
use template::{CHATML, Now, Template, TemplateError};

/// Stands for words that are not known yet; no template writes it.
const YET_TO_COME: &str = "\u{1}";

/// The chat template that a model file carries, ready to turn messages into a prompt.
pub struct ChatTemplate {
    template: Template,
    syntax: Arc<Syntax>,
    /// Earlier calls are given to the template with their arguments as a text.
    takes_text: bool,
    system: SystemPlace,
    /// Texts that would become control tokens, longest first.
    control: Vec<String>,
}

/// Where a system message goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SystemPlace {
    OwnMessage,
    /// The template refuses or drops system messages, so the words stand before those of the first question.
    FirstQuestion,
}

/// Whether the prompt ends with the opening of the model's answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
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
        let Learned { syntax, takes_text } = template.learn();
        control.retain(|text| text.chars().count() > 1);
        control.sort_by_key(|text| std::cmp::Reverse(text.len()));
        let (syntax, system) = (Arc::new(syntax), SystemPlace::OwnMessage);
        let mut template = Self { template, syntax, takes_text, system, control };
        template.system = template.place_of_system();
        Ok(template)
    }

    /// Found out once for a template and not by each conversation, so that the beginning of a prompt never changes.
    fn place_of_system(&self) -> SystemPlace {
        const WORDS: &str = "kindness";
        let talk = [Message::text(Role::System, WORDS), Message::text(Role::User, "hello")];
        let shows = |messages: &[Message]| {
            self.fill_in(messages, &[], Ending::AnswerFollows).is_ok_and(|prompt| prompt.contains(WORDS))
        };
        if !shows(&talk) && shows(&with_folded_system(&talk)) {
            SystemPlace::FirstQuestion
        } else {
            SystemPlace::OwnMessage
        }
    }

    pub fn knows_tools(&self) -> bool {
        self.template.knows_tools()
    }

    /// How the model writes thoughts and calls.
    pub fn syntax(&self) -> &Arc<Syntax> {
        &self.syntax
    }

    /// A system message alone gives what every prompt with it and a question begins with.
    pub fn render(
        &self,
        messages: &[Message],
        tools: &[ToolSpec],
        ending: Ending,
    ) -> Result<String, ModelError> {
        match (self.system, messages) {
            (SystemPlace::FirstQuestion, [system]) if system.role == Role::System => {
                let asked = [system.clone(), Message::text(Role::User, YET_TO_COME)];
                let mut prompt = self.fill_in(&with_folded_system(&asked), tools, ending)?;
                prompt.truncate(prompt.find(YET_TO_COME).unwrap_or(prompt.len()));
                Ok(prompt)
            }
            (SystemPlace::FirstQuestion, _) => self.fill_in(&with_folded_system(messages), tools, ending),
            (SystemPlace::OwnMessage, _) => self.fill_in(messages, tools, ending),
        }
    }

    fn fill_in(
        &self,
        messages: &[Message],
        tools: &[ToolSpec],
        ending: Ending,
    ) -> Result<String, ModelError> {
        let messages = messages.iter().map(|message| self.message(message)).collect();
        let tools = tools.iter().map(|tool| {
            json!({"type": "function", "function": {
                "name": tool.name, "description": tool.description, "parameters": tool.parameters,
            }})
        });
        let asks = ending == Ending::AnswerFollows;
        let talk = Talk { messages, tools: tools.collect(), asks, thinks: None };
        self.template.render(&talk).map_err(failed)
    }

    fn message(&self, message: &Message) -> Value {
        let role = match message.role {
            Role::System => "system",
            Role::User => "user",
            Role::Assistant => "assistant",
            Role::Tool => "tool",
        };
        // What the model wrote itself has the marks of its calls, and keeps them.
        let own =
            |text: &String| message.role == Role::Assistant && self.syntax.marks().any(|mark| mark == text);
        let mut value = json!({"role": role, "content": self.disarm(&message.content.as_text(), own)});
        if !message.tool_calls.is_empty() {
            value["tool_calls"] = message
                .tool_calls
                .iter()
                .map(|call| {
                    let arguments =
                        serde_json::from_str::<Value>(&call.arguments).unwrap_or_else(|_| json!({}));
                    let arguments = if self.takes_text { json!(arguments.to_string()) } else { arguments };
                    json!({"id": call.id, "type": "function",
                           "function": {"name": call.name, "arguments": arguments}})
                })
                .collect();
        }
        if let Some(id) = &message.tool_call_id {
            value["tool_call_id"] = json!(id);
        }
        value
    }

    /// Words that people or web pages write must never act as control tokens, so such a text is broken up
    /// with a zero-width space: the model reads the same words, and no role begins or ends.
    fn disarm(&self, text: &str, own: impl Fn(&String) -> bool) -> String {
        let mut safe = text.to_owned();
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

/// The same conversation without a system message: its words come first in the question that follows it. Where
/// something else follows, they are a question of their own, because a conversation begins with one.
fn with_folded_system(messages: &[Message]) -> Vec<Message> {
    let mut folded = messages.to_vec();
    match folded.as_mut_slice() {
        [system, question, ..] if system.role == Role::System && question.role == Role::User => {
            let words = format!("{}\n\n{}", system.content.as_text(), question.content.as_text());
            question.content = Content::Text(words);
            folded.remove(0);
        }
        [system, ..] if system.role == Role::System => system.role = Role::User,
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
