//! Parses the streamed characters of a model reply into text, thoughts and tool calls.
//!
//! The crate is pure: no clock, no network, no knowledge of the effects of tools. The result does not depend on how the
//! stream is split: undecided text is held back. The syntax of calls and thoughts of a model is learned from its
//! template ([`learn`]); other syntax is recognized if its markers are unambiguous. One state machine reads all of them
//! (`candidate/section`), because small models mix the syntaxes that they were trained on. Parsing takes linear time in
//! the length of any reply.
//!
//! - Code and quotations are text. So is code in a fence, unless the model writes calls into fences with that name
//!   ([`Vocabulary::with_fences`], [`Syntax::named`]) and the fence contains only calls.
//! - A call of an unknown tool is text, unless markers identify it as a call and the caller can answer that there is no
//!   such tool ([`Vocabulary::with_strangers`]).
//! - A thought makes no calls, wherever it begins. A call after text that may have opened a thought is reported as
//!   flawed. A thought that is recognized only by its end is recognized too late: a caller that knows that the prompt
//!   opened a thought passes that on ([`Syntax::opened_by`]).
//! - Truncated calls are not completed: after a marker, or after the name of a tool in JSON, they are reported as
//!   flawed; elsewhere they are text. The same applies to unreadable calls. Only brackets and markers missing at the
//!   end are added.
//!
//! Start with [`Parser`]. [`Arguments::fit`] converts the arguments of a [`Call`] to the types in the schema of the
//! tool. [`NativeCalls`] joins calls that an API streams separately from the text.

mod arguments;
mod call;
mod candidate;
mod ending;
mod json;
mod known;
mod learn;
mod line;
mod native;
mod openings;
mod output;
mod parser;
mod reading;
mod repair;
mod schema;
mod syntax;
mod vocabulary;

pub use arguments::Arguments;
pub use call::{Call, Piece};
pub use learn::{Learned, Talk, learn};
pub use native::{NativeCall, NativeCalls};
pub use parser::Parser;
pub use syntax::{ArgumentForm, CallForm, CallSyntax, Pairs, Syntax, Thought};
pub use vocabulary::Vocabulary;
