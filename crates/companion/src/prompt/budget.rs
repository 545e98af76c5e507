use model::ModelInfo;

use crate::model_size::ModelSize;

/// The tags of this program that a small model might imitate; they end its answer.
const OWN_TAGS: [&str; 2] = ["<context>", "<summary>"];
const SMALL_SYSTEM: u32 = 600;
const SMALL_ROUNDS: u32 = 3;
/// The time in seconds in which the machine must be able to read the fixed beginning of a prompt.
const BEGINNING_SECONDS: u32 = 5;
/// The least budget of the fixed beginning in tokens, so that the soul fits.
const LEAST_SYSTEM: u32 = 300;

/// The division of the model's context, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TokenBudget {
    pub system: u32,
    /// The system prompt, the history and the new message together.
    pub prompt: u32,
    /// The context and the attachments of one message.
    pub context: u32,
}

impl TokenBudget {
    /// Divides the context of a model. `reply` is the greatest length of the answer, which gets at most half.
    pub fn new(info: &ModelInfo, reply: u32) -> Self {
        let (context, scale) = (info.context, ModelSize::of(info.parameters));
        let readable = |pace: u32| pace.saturating_mul(BEGINNING_SECONDS).max(LEAST_SYSTEM);
        let most = if scale.is_small() { SMALL_SYSTEM } else { u32::MAX };
        let system = info.reading_pace.map_or(u32::MAX, readable).min(most).min(context / 4);
        Self { system, prompt: context - reply.min(context / 2), context: context / 4 }
    }
}

/// Returns the number of rounds that an answer may have. A small model rarely learns anything from a third result and
/// repeats itself.
pub fn most_rounds(parameters: Option<u64>, wished: u32) -> u32 {
    if ModelSize::of(parameters).is_small() { wished.min(SMALL_ROUNDS) } else { wished }
}

/// Returns the strings that end the answer of a small model, in addition to the configured ones.
pub fn stop_texts(parameters: Option<u64>) -> impl Iterator<Item = String> {
    OWN_TAGS.into_iter().filter(move |_| ModelSize::of(parameters).is_small()).map(ToOwned::to_owned)
}
