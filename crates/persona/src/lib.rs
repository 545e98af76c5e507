//! The companion's personality and how it changes: eight [`Dimension`](protocol::Dimension)s, moved by the user's
//! messages.
//!
//! Pure: no model, no clock, no network. A message is [`read`] into [`Signals`]; a [`step`] moves the [`State`] a
//! little and gives the reason; [`settle`] pulls it back over time; [`tone`] turns it into text for the prompt. A
//! reason never quotes the message, so it contains nothing that might have to be forgotten.
//!
//! The companion's own text is split into [`sentences`], and the [`feelings`] of each drive the avatar's face and body.
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
