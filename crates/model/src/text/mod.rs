//! Pure helpers for streamed text: stop strings, split characters, and token counts.

mod stop;
mod tokens;
mod utf8;

pub use stop::{FilteredText, StopFilter};
pub use tokens::TokenEstimator;
pub(crate) use tokens::{request_weight, weight};
pub use utf8::Utf8Joiner;
