//! From the characters of a reply to its parts, as they stream in.
//!
//! Pure: no clock, no network, no knowledge of what tools do. The parts do not depend on where the stream was
//! cut: what cannot be decided yet is held back until it can be. How a model writes calls and thoughts is learned from
//! its template ([`learn`]); what no template tells is understood where its marks cannot be mistaken. What stands in
//! code or in quotes, or has an unknown name, is text, and a call that was cut off is told as one. Time is linear in
//! the length of the reply, whatever it says.
//!
//! Start with [`Parser`]. A [`Call`]'s arguments get their types from the tool's schema by [`Arguments::fit`]. Calls
//! that an API streams beside the words are joined by [`NativeCalls`].

mod arguments;
mod call;
mod candidate;
mod ending;
mod json;
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
