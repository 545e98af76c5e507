//! How she is, and how that changes: eight [`Dimension`](protocol::Dimension)s, moved by what the user writes.
//!
//! Pure: no model, no clock, no network. A message is [`read`] into [`Signals`]; a [`step`] moves the [`State`] a
//! little and says why; [`settle`] pulls it back with time; [`tone`] puts it into the words that the model reads.
//! A reason never repeats what was written, so there is nothing in it to forget.
//!
//! What she says herself is cut into [`sentences`], and each one's [`feelings`] move her face and body.
//!
//! Start with [`State`].

mod emotion;
mod reading;
mod settle;
mod state;
mod step;
mod tone;

#[cfg(test)]
mod walk_tests;

pub use emotion::{Emotion, Feelings, SentenceReader, Vector, feelings, gesture, sentences};
pub use reading::{Cue, Direction, Signals, Wish, read};
pub use settle::settle;
pub use state::{DIMENSIONS, HIGHEST, LOWEST, Leaning, Move, REST, State};
pub use step::{Context, MOST_A_DAY, MOST_A_DAY_WISHED, MOST_A_MESSAGE, MOST_A_WISH, Reaction, step};
pub use tone::{HYSTERESIS, Level, Tone, tone};
