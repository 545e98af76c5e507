//! Learns the thought and call syntax of a model from its chat template.
//!
//! A template renders earlier answers as the text that the model would have written. It is given answers made of unique
//! words, and the positions of these words in the result reveal the syntax. Each part that cannot be learned is left
//! empty: a template may refuse tools, drop old thoughts, or be made to mislead.

mod answer_context;
mod calls;
mod fences;
mod probe;
mod thoughts;

use self::answer_context::AnswerContext;
use self::probe::Probe;
pub use self::probe::TemplateInput;
use crate::syntax::ReplySyntax;

/// The result of learning from a template.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LearnedFormat {
    pub syntax: ReplySyntax,
    /// True if the template needs the arguments of earlier calls as JSON text.
    pub arguments_are_text: bool,
}

/// Learns from the rendering of several conversations, or from the refusal to render them.
pub fn learn(render: impl Fn(&TemplateInput) -> Option<String>) -> LearnedFormat {
    let probe = Probe { render: &render };
    let context = AnswerContext::of(&probe);
    let mut syntax = ReplySyntax { thoughts: thoughts::learn(&probe, &context), ..ReplySyntax::default() };
    let found = calls::learn(&probe, &context, &syntax.thoughts);
    let arguments_are_text = found.as_ref().is_some_and(|found| found.arguments_are_text);
    syntax.turn_markers = context.markers(&syntax.thoughts);
    syntax.turn_markers.extend(found.as_ref().and_then(|found| found.next.clone()));
    syntax.calls = found.map(|found| found.calls);
    syntax.fences = fences::learn(&probe, syntax.calls.is_some());
    LearnedFormat { syntax, arguments_are_text }
}
