//! The turn from a message to its answer, as a stream of events, and the background work beside it.
//!
//! A turn is stored before it is acknowledged and outlives the connection that began it. The prompt only grows at its
//! end, so that the model's cache stays valid. This crate knows no HTTP and no SQL; it takes the store, a source of
//! models, the soul files and a clock, and returns logs of events.
//!
//! Start with [`Companion`]; the steps of a turn are in `turn.rs`.

mod acting;
mod api;
mod asked;
mod assembly;
pub mod backup;
mod bare;
mod bearing;
mod brief;
mod code;
mod compaction;
mod companion;
mod confirmations;
mod error;
mod fastpath;
mod feed;
mod few;
mod finding;
mod forget_tool;
mod forgetting;
mod hands;
mod housekeeping;
mod insight;
mod kit;
mod known_answers;
mod mind;
mod offer;
mod personality;
mod plan;
mod processes;
mod prompt;
mod remembering;
mod reply;
mod rounds;
mod scale;
mod settings;
mod settle;
mod soul;
mod tally;
mod tending;
mod title;
mod turn;
mod turns;

pub use api::{ApiRequest, BareAnswer};
pub use companion::{
    Companion, LARGEST_ATTACHMENT, LONGEST_MESSAGE, MOST_ATTACHMENTS, ModelSource, Parts, Said,
};
pub use error::CompanionError;
pub use feed::{Feed, FeedReader, Numbered};
pub use forget_tool::{Forgetter, tools};
pub use forgetting::{GRACE, Places};
pub use hands::{Hands, is_for};
pub use housekeeping::{Housekeeping, Prewarming};
pub use mind::OwnWords;
pub use processes::{Process, Supervisor};
pub use settings::Settings;
pub use soul::{Soul, SoulFile};
pub use tally::Tallies;
pub use tending::Maintenance;
pub use turns::TurnLog;
