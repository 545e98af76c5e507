//! Answers messages: the turn from a message to its answer, as a stream of events, and the background work beside it.
//!
//! A turn is stored before it is acknowledged and outlives the connection that began it. The prompt only grows at its
//! end, so that the model's cache stays valid. This crate knows no HTTP and no SQL; it takes the store, a source of
//! models, the soul files and a clock, and returns logs of events.
//!
//! [`Companion`] is a façade over components that take the services that they use: `turn` runs turns, `prompt` composes
//! what the model reads, `tool_executor` executes calls, `memory_recall` and `memory_updates` connect turns with the
//! memory, `forgetting` removes what the user asks to forget, `code` adds workspaces. `services` is at the bottom and
//! knows none of them. Start with [`Companion`]; the steps of a turn are in `turn`.

mod active_work;
mod api;
mod avatar_state;
mod background;
mod code;
mod companion;
mod confirmations;
mod conversation_upkeep;
mod error;
mod fast_path;
mod feed;
mod forgetting;
mod live_turns;
mod memory_recall;
mod memory_updates;
mod metrics;
mod model_size;
mod model_source;
mod model_text;
mod personality;
mod plan;
mod prompt;
mod reply;
mod requested_call;
mod services;
mod settings;
mod soul;
mod tiny_model;
mod tool_access;
mod tool_executor;
mod tool_search;
mod tool_set;
mod turn;
mod turn_log;
mod unstored_turns;
mod user_message;

pub use api::{ApiRequest, BareAnswer};
pub use background::{Housekeeping, MemoryMaintenance, Prewarming, Process, Supervisor};
pub use companion::{Companion, CompanionParts};
pub use error::CompanionError;
pub use feed::{Feed, FeedReader, NumberedPush};
pub use forgetting::{ForgetParts, ForgetService, GRACE, SearchedPlaces, tools};
pub use metrics::TurnTotals;
pub use model_source::ModelSource;
pub use model_text::ModelAccess;
pub use settings::Settings;
pub use soul::{Soul, SoulFile};
pub use tool_access::{ToolAccess, may_use};
pub use turn_log::TurnLog;
pub use user_message::UserMessage;
