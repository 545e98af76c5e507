use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Serde, Value as JinjaValue};
use minijinja::{Environment, Error, ErrorKind, context};
use model::{Content, Message, ModelError, Role, ToolSpec};
use serde_json::{Value, json};

/// Templates are written for Python's Jinja and may loop; a hostile file must not hang the engine.
const FUEL: u64 = 5_000_000;

/// For files that carry no template: the form that most small chat models understand.
const CHATML: &str = "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}";

/// Stands for words that are not known yet; no template writes it.
const YET_TO_COME: &str = "\u{1}";

/// The chat template that a model file carries, ready to turn messages into a prompt.
pub struct ChatTemplate {
    environment: Environment<'static>,
    bos: String,
    eos: String,
    knows_tools: bool,
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
        source: Option<String>,
        bos: String,
        eos: String,
        mut control: Vec<String>,
    ) -> Result<Self, ModelError> {
        let source = source.unwrap_or_else(|| CHATML.to_owned());
        let knows_tools = source.contains("tools");
        let mut environment = Environment::new();
        let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build();
        environment.set_syntax(syntax.map_err(|error| failed(&error))?);
        environment.set_fuel(Some(FUEL));
        environment.set_unknown_method_callback(minijinja_contrib::pycompat::unknown_method_callback);
        environment.add_function("raise_exception", |message: String| -> Result<JinjaValue, Error> {
            Err(Error::new(ErrorKind::InvalidOperation, message))
        });
        environment.add_template_owned("chat", source).map_err(|error| {
            ModelError::Failed(format!("the model file's chat template cannot be read: {error}"))
        })?;
        control.retain(|text| text.chars().count() > 1);
        control.sort_by_key(|text| std::cmp::Reverse(text.len()));
        let mut template =
            Self { environment, bos, eos, knows_tools, system: SystemPlace::OwnMessage, control };
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
        self.knows_tools
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
        let messages: Vec<Value> = messages.iter().map(|message| self.message(message)).collect();
        let tools = (!tools.is_empty()).then(|| {
            tools
                .iter()
                .map(|tool| {
                    json!({"type": "function", "function": {
                        "name": tool.name, "description": tool.description, "parameters": tool.parameters,
                    }})
                })
                .collect::<Vec<_>>()
        });
        let template = self.environment.get_template("chat").map_err(|error| failed(&error))?;
        template
            .render(context! {
                messages => JinjaValue::from(Serde(&messages)),
                tools => JinjaValue::from(Serde(&tools)),
                add_generation_prompt => ending == Ending::AnswerFollows,
                bos_token => self.bos.as_str(),
                eos_token => self.eos.as_str(),
            })
            .map_err(|error| failed(&error))
    }

    fn message(&self, message: &Message) -> Value {
        let role = match message.role {
            Role::System => "system",
            Role::User => "user",
            Role::Assistant => "assistant",
            Role::Tool => "tool",
        };
        let mut value = json!({"role": role, "content": self.disarm(&message.content.as_text())});
        if !message.tool_calls.is_empty() {
            value["tool_calls"] = message
                .tool_calls
                .iter()
                .map(|call| {
                    let arguments =
                        serde_json::from_str::<Value>(&call.arguments).unwrap_or_else(|_| json!({}));
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
    fn disarm(&self, text: &str) -> String {
        if !self.control.iter().any(|control| text.contains(control.as_str())) {
            return text.to_owned();
        }
        let mut safe = text.to_owned();
        for control in &self.control {
            if safe.contains(control.as_str()) {
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

fn failed(error: &Error) -> ModelError {
    ModelError::Failed(format!("the model's chat template refuses this conversation: {error}"))
}

#[cfg(test)]
#[path = "template_tests.rs"]
mod tests;
