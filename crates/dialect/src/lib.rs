//! From the characters of a reply to its parts, as they stream in.
//!
//! Pure: no clock, no network, no knowledge of what tools do. The parts do not depend on where the stream was
//! cut: what cannot be decided yet is held back until it can be. How a model writes calls and thoughts is learned from
//! its template ([`learn`]); what no template tells is understood where its marks cannot be mistaken. Time is linear in
//! the length of the reply, whatever it says.
//!
//! - What stands in code or in quotes is text. So is code in a fence, unless the model is one that writes calls into
//!   fences of that name ([`Vocabulary::with_fences`], [`Syntax::named`]) and nothing but calls stands in it.
//! - What names an unknown tool is text, unless marks around it say that it is a call and there is somebody to answer
//!   that there is no such tool ([`Vocabulary::with_strangers`]).
//! - A thought calls nothing, wherever it begins. Behind words that may have opened one, a call is told as flawed. What
//!   only its end tells to have been a thought is known too late: who knows that the prompt opened it says so
//!   ([`Syntax::opened_by`]).
//! - What was cut off is not made whole: behind a mark, and behind a tool's name in JSON, it is told as flawed; elsewhere
//!   it is text. So is what cannot be read. Only brackets and marks that are missing at an end are put in.
//!
//! Start with [`Parser`]. A [`Call`]'s arguments get their types from the tool's schema by [`Arguments::fit`]. Calls
//! that an API streams beside the words are joined by [`NativeCalls`].

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
