//! From the characters of a reply to its parts, as they stream in.
//!
//! Pure: no clock, no network, no knowledge of tools. The parts do not depend on where the stream was cut:
//! what cannot be decided yet is held back until it can be.
//!
//! Start with [`Parser`].

mod parser;

pub use parser::{Parser, Piece};
