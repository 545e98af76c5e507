//! Learns facts with the model that the patterns cannot recognise. Runs in the background after the answer.

use memory::ProposedFact;
use model::{ChatModel, Constraint, ModelMessage, ModelRequest, ModelRole, Priority, Sampling};
use protocol::{FactCategory, Push};
use serde::Deserialize;
use serde_json::json;
use store::RecallableMessage;

use super::MemoryUpdates;
use crate::error::CompanionError;
use crate::model_size::ModelSize;
use crate::model_text::complete;

/// The number of messages that one run reads.
const SOME: u32 = 8;
/// The least number of words of a message that is read; the patterns cover shorter ones.
const LEAST_WORDS: usize = 4;
/// The greatest length in bytes of a message that is read; longer ones mostly contain pasted text.
const LONGEST: usize = 2_000;
const MOST_FACTS: usize = 4;
/// The confidence of a fact found by the model, which is less reliable than one found by a pattern.
const CONFIDENCE: f32 = 0.6;

const TASK: &str = "Somebody wrote the message below to a friend. List what it tells of the writer's own life, or of \
    people they know, that will still matter in a month: where they live and work, family, pets, tastes, health, plans, \
    habits. Each with the very words of the message that say so. A question, a joke, an if, a quotation, a request and \
    what holds only today are not such facts. Most messages have none: then the list is empty.";

/// The result of a run.
#[derive(Debug, Clone, Copy, Default)]
pub struct ModelFactsRun {
    /// The number of messages read.
    pub read: usize,
    /// The number of facts found in them.
    pub found: usize,
}

#[derive(Deserialize)]
struct FactsAnswer {
    facts: Vec<FoundFact>,
}

#[derive(Deserialize)]
struct FoundFact {
    about: String,
    kind: FactCategory,
    fact: String,
    quote: String,
}

impl MemoryUpdates {
    /// Lets the model read some of the messages that only the patterns have read. The next run continues.
    pub async fn learn_by_model(&self) -> Result<ModelFactsRun, CompanionError> {
        let mut run = ModelFactsRun::default();
        if !self.services.settings().learn_by_model || !self.turns.is_empty() {
            return Ok(run);
        }
        let unread = self.services.store.unread_by_model(SOME).await?;
        if unread.is_empty() {
            return Ok(run);
        }
        let Ok(model) = self.services.models.current().await else { return Ok(run) };
        if ModelSize::of(model.info().parameters).is_small() {
            return Ok(run);
        }
        for message in unread {
            // Turns have priority; the next run continues from here.
            if self.turns.is_closing() || !self.turns.is_empty() {
                break;
            }
            let Some(proposed) = read(model.as_ref(), &message).await else { break };
            let new = self.services.memory.propose(&message, proposed).await?;
            self.services.store.read_by_model(message.id).await?;
            run.read += 1;
            if !new.is_empty() {
                run.found += new.len();
                self.services.feed.tell(message.user, Push::MemoryChanged);
            }
        }
        Ok(run)
    }
}

/// Returns the facts that the model finds in a message. `None` if it did not answer.
async fn read(model: &dyn ChatModel, message: &RecallableMessage) -> Option<Vec<ProposedFact>> {
    let words = message.content.split_whitespace().count();
    if words < LEAST_WORDS || message.content.len() > LONGEST {
        return Some(Vec::new());
    }
    let kinds = ["personal", "preference", "relationship", "event", "goal", "health", "context", "behaviour"];
    let text = |about: &str| json!({"type": "string", "description": about});
    let schema = json!({
        "type": "object",
        "properties": {"facts": {"type": "array", "maxItems": MOST_FACTS, "items": {
            "type": "object",
            "properties": {
                "quote": text("the words of the message that say it"),
                "about": text("\"me\" for the writer, or the person's name"),
                "kind": {"type": "string", "enum": kinds},
                "fact": text("a short sentence without a subject, such as: Plays the cello"),
            },
            "required": ["quote", "about", "kind", "fact"],
            "additionalProperties": false,
        }}},
        "required": ["facts"],
        "additionalProperties": false,
    });
    let request = ModelRequest {
        messages: vec![
            ModelMessage::text(ModelRole::System, TASK),
            ModelMessage::text(ModelRole::User, &message.content),
        ],
        sampling: Sampling { max_tokens: 400, temperature: 0.0, ..Sampling::default() },
        constraint: Some(Constraint::JsonSchema(schema)),
        priority: Priority::Background,
        ..ModelRequest::default()
    };
    let written = complete(model, request).await?;
    let found: FactsAnswer =
        serde_json::from_str(written.trim()).unwrap_or(FactsAnswer { facts: Vec::new() });
    Some(found.facts.iter().filter_map(|fact| proposed(fact, message)).collect())
}

/// Returns a fact if at least half of its terms occur in its quote. This filters out facts that the model invented.
fn proposed(found: &FoundFact, message: &RecallableMessage) -> Option<ProposedFact> {
    let (fact, quote) = (found.fact.trim().trim_end_matches('.'), found.quote.trim());
    let (said, heard) = (text::terms(fact), text::terms(quote));
    let shared = said.iter().filter(|term| heard.contains(term)).count();
    let asks = quote.ends_with('?');
    if fact.is_empty() || asks || shared == 0 || shared * 2 < said.len() {
        return None;
    }
    let own = ["me", "i", "user", "the user", "writer", "the writer", "myself"];
    let about = found.about.trim();
    let subject = if own.contains(&about.to_lowercase().as_str()) { String::new() } else { about.to_owned() };
    Some(ProposedFact {
        category: found.kind,
        subject,
        content: fact.to_owned(),
        quote: quote.to_owned(),
        confidence: CONFIDENCE,
        // The message may repeat untrusted content that the user had read.
        is_doubtful: !message.origins.is_empty(),
    })
}
