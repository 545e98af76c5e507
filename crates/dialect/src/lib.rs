//! Parses the streamed characters of a model reply into text, thoughts and tool calls.
//!
//! The crate has no clock and no network, runs no tool and does not validate arguments: it takes text and returns
//! parts. The result does not depend on how the stream is split, since undecided text is held back, and parsing takes
//! linear time for any reply.
//!
//! Start with [`ReplyParser`], which yields [`ReplyPart`]s. It recognizes what its [`ReplyVocabulary`] contains: the
//! names of tools, the markers known for all models, and the [`ReplySyntax`] that [`learn`] derives from the chat
//! template of one model. [`CallArguments::fit`] converts the arguments of a [`ParsedCall`] to the types in the schema
//! of its tool. [`NativeCalls`] joins calls that an API streams separately from the text.
//!
//! # What is a call
//!
//! - Code and quotations are text. So is code in a fence, unless the model writes calls into fences with that name
//!   ([`ReplyVocabulary::with_fences`], [`ReplySyntax::for_model`]) and the fence contains only calls.
//! - A call of an unknown tool is text, unless markers identify it as a call and the caller can answer that there is no
//!   such tool ([`ReplyVocabulary::with_unknown_tools`]).
//! - A thought makes no calls, wherever it begins. A call after text that may have opened a thought is reported as
//!   flawed. A thought without an opening marker would be recognized too late, at its end. A caller that knows that the
//!   prompt has already opened a thought therefore passes the opening to the parser first
//!   ([`ReplySyntax::thought_opened_by`]).
//! - A truncated or unreadable call is never guessed. It is reported as flawed after a marker, or after the name of a
//!   tool in JSON; elsewhere it is text. Only brackets and markers missing at the end are added.

mod arguments;
mod call_keys;
mod candidate;
mod ending;
mod interpretation;
mod json;
mod known_fences;
mod known_markers;
mod learn;
mod markdown_line;
mod markers_and_words;
mod native;
mod openings;
mod parser;
mod part_collector;
mod repair;
mod reply_part;
mod schema;
mod syntax;
mod vocabulary;

pub use arguments::CallArguments;
pub use learn::{LearnedFormat, TemplateInput, learn};
pub use native::{NativeCall, NativeCalls};
pub use parser::ReplyParser;
pub use reply_part::{ParsedCall, ReplyPart};
pub use syntax::{ArgumentForm, CallForm, CallSyntax, KeyValueMarkers, ReplySyntax, ThoughtMarkers};
pub use vocabulary::ReplyVocabulary;
