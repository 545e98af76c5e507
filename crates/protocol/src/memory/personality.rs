//! The companion's personality.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

use crate::{ConversationId, MessageId};

/// A dimension of the companion's personality.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Dimension {
    Mood,
    Energy,
    Formality,
    Humor,
    SupportNeed,
    Verbosity,
    Depth,
    QuestionFrequency,
}

/// The response of `GET /api/personality`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Personality {
    pub traits: Vec<Trait>,
    /// The description of the personality that the model reads.
    pub tone: String,
    /// True if `POST /api/personality/undo` can undo a change.
    pub can_undo: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Trait {
    pub dimension: Dimension,
    /// The current value, from 0.05 to 0.95.
    pub value: f32,
    /// The value to which it returns over time.
    pub rest: f32,
    pub locked: bool,
    /// The changes of the value, oldest first.
    pub moves: Vec<TraitMove>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TraitMove {
    pub at: String,
    pub value: f32,
    /// The cause in a few words: “you laughed”.
    pub why: String,
    pub conversation_id: Option<ConversationId>,
    pub message_id: Option<MessageId>,
}

/// The request body of `PATCH /api/personality`. Traits that are not listed stay as they are.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PersonalityPatch {
    pub traits: Vec<TraitPatch>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
#[ts(optional_fields)]
pub struct TraitPatch {
    pub dimension: Dimension,
    #[serde(default)]
    pub value: Option<f32>,
    #[serde(default)]
    pub locked: Option<bool>,
}
