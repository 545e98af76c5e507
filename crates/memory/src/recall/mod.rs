//! Recall: which of all that was ever said answers a question.
//!
//! Pure, and without a language model: words with their neighbours, vectors where there are some, who is asked about,
//! and when. Start with [`Index`].

mod dates;
mod index;
mod question;
mod words;

pub use dates::Named;
pub use index::{Entry, Features, Index, Place, Weights};
pub use question::{People, Question};
pub(crate) use words::terms;
