//! Recall: finds the items that answer a question.
//!
//! Pure, and without a language model: it uses words with their neighbours, vectors if there are any, the person asked
//! about, and dates. Start with [`RecallIndex`].

mod corrections;
mod dates;
mod index;
mod item;
mod item_vectors;
mod question;
mod score;
mod search;

pub use dates::NamedDate;
pub use index::RecallIndex;
pub use item::{ItemPosition, NewItem};
pub use item_vectors::ItemVectors;
pub use question::{ParsedQuestion, QuestionParser, is_mere_question};
pub use score::{ScoreParts, ScoreWeights};
pub use search::{IndexSearch, PreparedQuestion, RankedItems, ScoredItem};
