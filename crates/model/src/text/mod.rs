//! Pure helpers for streamed text: stop strings, characters cut in two, and how many tokens a text has.

mod stop;
mod tokens;
mod utf8;

pub use stop::{Passed, StopFilter};
pub use tokens::TokenEstimator;
pub(crate) use tokens::{request_weight, weight};
pub use utf8::Utf8Joiner;
