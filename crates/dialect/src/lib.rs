//! From the characters of a reply to its parts, as they stream in.
//!
//! Pure: no clock, no network, no knowledge of what tools do. The parts do not depend on where the stream was
//! cut: what cannot be decided yet is held back until it can be. Every syntax in which models call tools is
//! understood; what stands in code or in quotes, is unfinished or has an unknown name is text. Time is linear
//! in the length of the reply, whatever it says.
//!
//! Start with [`Parser`]. A [`Call`]'s arguments get their types from the tool's schema by [`Arguments::fit`]. Calls
//! that an API streams beside the words are joined by [`NativeCalls`].

mod arguments;
mod call;
mod candidate;
mod ending;
mod json;
mod line;
mod native;
mod openings;
mod output;
mod parser;
mod reading;
mod repair;
mod schema;
mod vocabulary;

pub use arguments::Arguments;
pub use call::{Call, Piece};
pub use native::{NativeCall, NativeCalls};
pub use parser::Parser;
pub use vocabulary::Vocabulary;
