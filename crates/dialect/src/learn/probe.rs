//! Renders conversations of unique words with a template.

use serde_json::{Value, json};

/// A conversation as input of a template.
#[derive(Debug, Clone, Default)]
pub struct TemplateInput {
    pub messages: Vec<Value>,
    pub tools: Vec<Value>,
    /// True if the prompt ends where an answer begins.
    pub add_generation_prompt: bool,
    /// Enables or disables thinking. `None` leaves it to the template.
    pub enable_thinking: Option<bool>,
}

// Unique words, which no template contains.

pub const QUESTION: &str = "zqquestion";
pub const ANSWER: &str = "zqanswer";
pub const NEXT: &str = "zqnext";
pub const THOUGHT: &str = "zqthought";
pub const NAME: &str = "zqtool";
pub const KEYS: [&str; 2] = ["zqfirst", "zqsecond"];
pub const VALUES: [&str; 2] = ["zqlyon", "zqkiel"];
pub const RESULT: &str = "zqresult";
/// Some templates accept only ids of nine letters and digits.
pub const IDS: [&str; 1] = ["zqid12345"];
/// The maximum length of a prompt for a conversation of three messages.
pub const LONGEST_PROMPT: usize = 1 << 20;

/// The template to learn from.
pub struct Probe<'a> {
    pub render: &'a dyn Fn(&TemplateInput) -> Option<String>,
}

impl Probe<'_> {
    /// Returns the rendered text after the question.
    pub fn tail(
        &self,
        answers: &[Value],
        add_generation_prompt: bool,
        enable_thinking: Option<bool>,
    ) -> Option<String> {
        let question = json!({"role": "user", "content": QUESTION});
        let messages = std::iter::once(question).chain(answers.iter().cloned()).collect();
        let prompt =
            self.prompt(&TemplateInput { messages, tools: tools(), add_generation_prompt, enable_thinking })?;
        let end = prompt.find(QUESTION)? + QUESTION.len();
        // Some templates repeat the question.
        let rest = &prompt[end..];
        let end = rest.find(QUESTION).map_or(0, |place| place + QUESTION.len());
        Some(rest[end..].to_owned())
    }

    /// Returns the rendered prompt. A template may refuse tools, but then renders the conversation without them.
    pub fn prompt(&self, input: &TemplateInput) -> Option<String> {
        let without = || (self.render)(&TemplateInput { tools: Vec::new(), ..input.clone() });
        let prompt = (self.render)(input).or_else(without)?;
        (prompt.len() <= LONGEST_PROMPT).then_some(prompt)
    }
}

/// Returns the tools of the conversations.
pub fn tools() -> Vec<Value> {
    let properties = json!({"zqproperty": {"type": "string", "description": "A city."}});
    let parameters = json!({"type": "object", "properties": properties, "required": ["zqproperty"]});
    let function =
        json!({"name": "zqdefined", "description": "Tells the weather.", "parameters": parameters});
    vec![json!({"type": "function", "function": function})]
}
