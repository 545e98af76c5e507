//! The companion's personality and how it changes: eight [`Dimension`](protocol::Dimension)s, moved by the user's
//! messages.
//!
//! Pure: no model, no clock, no network. A message is [`read`] into [`Signals`]; [`apply_message`] moves the
//! [`PersonalityState`] a little and gives the reasons; [`decay`] returns it to its rest values over time; [`tone`]
//! turns it into text for the prompt. A reason never quotes the message, so it contains nothing that might have to be
//! forgotten.
//!
//! The companion's own text is split into [`sentences`], and the [`feelings`] of each drive the avatar's face and body.
//! This crate neither stores the state nor writes the prompt; `companion` does.
//!
//! Start with [`PersonalityState`].

mod decay;
mod emotion;
mod message_effect;
mod reading;
mod state;
mod tone;
mod tone_level;

#[cfg(test)]
mod walk_tests;

pub use decay::decay;
pub use emotion::{Emotion, Feelings, SentenceReader, Vector, feelings, gesture, sentences};
pub use message_effect::{
    MOST_A_DAY, MOST_A_DAY_WISHED, MOST_A_MESSAGE, MOST_A_WISH, MessageContext, Reaction, apply_message,
};
pub use reading::{Cue, Direction, Signals, Wish, read};
pub use state::{DIMENSIONS, DimensionState, HIGHEST, LOWEST, PersonalityChange, PersonalityState, REST};
pub use tone::tone;
pub use tone_level::{HYSTERESIS, Tone, ToneLevel};
