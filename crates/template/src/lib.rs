//! Renders chat templates: the Jinja sources in model files that turn a conversation into a prompt.
//!
//! Pure: the time is passed in and no model is needed. A template is untrusted code, so its computation is limited, and
//! a template that fails only yields an error. [`dialect::learn`] derives the model's output format from it.
//!
//! Start with [`Template`].

#![cfg_attr(test, allow(clippy::unwrap_used))]

mod json;
mod list;
mod source;

use std::cell::Cell;
use std::sync::Arc;

use dialect::{LearnedFormat, TemplateInput};
use jiff::Zoned;
use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Serde, Value as JinjaValue};
use minijinja::{Environment, Error, ErrorKind, UndefinedBehavior, context};

/// The fuel for one rendering. Templates are written for Python's Jinja and may loop; a hostile one must not block the
/// caller.
const FUEL: u64 = 5_000_000;
/// The fuel per conversation while learning, which renders many short ones. Templates that need more are not learned
/// from.
const FUEL_TO_LEARN: u64 = 400_000;
/// The maximum length of a template in bytes; no model's template is longer.
const LONGEST: usize = 1 << 20;

/// The template for model files without one: the format that most small chat models understand.
pub const CHATML: &str = "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}";

/// Provides the time to templates that write the date.
pub type Now = Arc<dyn Fn() -> Zoned + Send + Sync>;

/// The reason why a conversation cannot be rendered to a prompt.
#[derive(Debug, thiserror::Error)]
pub enum TemplateError {
    #[error("the chat template cannot be read: {0}")]
    Unreadable(Error),
    #[error("the chat template refuses this conversation: {0}")]
    Refused(Error),
    #[error("the chat template is longer than {LONGEST} bytes")]
    TooLong,
}

impl TemplateError {
    fn is_out_of_fuel(&self) -> bool {
        let error = match self {
            Self::Unreadable(error) | Self::Refused(error) => error,
            Self::TooLong => return false,
        };
        error.kind() == ErrorKind::OutOfFuel
    }
}

/// A compiled chat template that renders conversations to prompts.
pub struct Template {
    environment: Environment<'static>,
    bos: String,
    eos: String,
    uses_tools: bool,
}

impl Template {
    /// Compiles a template. `bos` and `eos` are the texts that begin and end a sequence.
    pub fn new(source: &str, bos: &str, eos: &str, now: Now) -> Result<Self, TemplateError> {
        if source.len() > LONGEST {
            return Err(TemplateError::TooLong);
        }
        let mut environment = Environment::new();
        let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build();
        environment.set_syntax(syntax.map_err(TemplateError::Unreadable)?);
        environment.set_fuel(Some(FUEL));
        environment.set_undefined_behavior(UndefinedBehavior::Chainable);
        environment.set_unknown_method_callback(minijinja_contrib::pycompat::unknown_method_callback);
        environment.add_filter("tojson", json::tojson);
        environment.add_function(list::NAME, list::new);
        environment.add_function("raise_exception", |message: String| -> Result<JinjaValue, Error> {
            Err(Error::new(ErrorKind::InvalidOperation, message))
        });
        environment.add_function("strftime_now", move |format: &str| -> Result<String, Error> {
            jiff::fmt::strtime::format(format, &now())
                .map_err(|error| Error::new(ErrorKind::InvalidOperation, error.to_string()))
        });
        let text = source::preprocess(source);
        environment.add_template_owned("chat", text).map_err(TemplateError::Unreadable)?;
        let (bos, eos, uses_tools) = (bos.to_owned(), eos.to_owned(), source.contains("tools"));
        Ok(Self { environment, bos, eos, uses_tools })
    }

    /// Returns true if the template uses the tools of a request.
    pub fn uses_tools(&self) -> bool {
        self.uses_tools
    }

    pub fn render(&self, input: &TemplateInput) -> Result<String, TemplateError> {
        self.render_with(&self.environment, input)
    }

    fn render_with(
        &self,
        environment: &Environment<'_>,
        input: &TemplateInput,
    ) -> Result<String, TemplateError> {
        let template = environment.get_template("chat").map_err(TemplateError::Unreadable)?;
        let tools = (!input.tools.is_empty()).then_some(&input.tools);
        let thinking = input.enable_thinking.map_or(JinjaValue::UNDEFINED, JinjaValue::from);
        let given = context! {
            messages => JinjaValue::from(Serde(&input.messages)),
            tools => JinjaValue::from(Serde(&tools)),
            add_generation_prompt => input.add_generation_prompt,
            bos_token => self.bos.as_str(),
            eos_token => self.eos.as_str(),
            enable_thinking => thinking.clone(),
            thinking => thinking,
        };
        template.render(given).map_err(TemplateError::Refused)
    }

    /// Learns the format of thoughts and tool calls from the template. Returns the default if it reveals nothing.
    pub fn learn(&self) -> LearnedFormat {
        let mut environment = self.environment.clone();
        environment.set_fuel(Some(FUEL_TO_LEARN));
        // Learning stops at the first conversation that runs out of fuel, which bounds the cost of an endless template.
        let is_endless = Cell::new(false);
        dialect::learn(|input| {
            if is_endless.get() {
                return None;
            }
            let rendered = self.render_with(&environment, input);
            is_endless.set(matches!(&rendered, Err(error) if error.is_out_of_fuel()));
            rendered.ok()
        })
    }
}

#[cfg(test)]
#[path = "template_tests.rs"]
mod tests;
