//! Recall: which of all that was ever said answers a question.
//!
//! Pure, and without a language model: words with their neighbours, vectors where there are some, who is asked about,
//! and when. Start with [`Index`].

mod correcting;
mod dates;
mod index;
mod meaning;
mod question;
mod search;

pub use dates::Named;
pub use index::{Entry, Index, Place};
pub use meaning::Meanings;
pub use question::{People, Question, is_mere_question};
pub use search::{Found, Heard, Parts, Ranked, Search, Weights};
