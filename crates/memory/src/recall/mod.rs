//! Recall: finds the items that answer a question.
//!
//! Pure, and without a language model: it uses words with their neighbours, vectors if there are any, the person asked
//! about, and dates. Start with [`Index`].

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
