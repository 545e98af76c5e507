//! Facts that the patterns cannot read, found by the model: after the answer, while nobody waits.

use memory::Proposed;
use model::{ChatModel, ChatRequest, Constraint, Message, Priority, Role, Sampling};
use protocol::{FactCategory, Push};
use serde::Deserialize;
use serde_json::json;
use store::SaidMessage;

use crate::companion::Inner;
use crate::error::CompanionError;
use crate::reply;
use crate::scale::Scale;

/// Messages that one run reads: the next one goes on.
const SOME: u32 = 8;
/// A shorter message says nothing that the patterns do not read.
const LEAST_WORDS: usize = 4;
/// Of a longer one, the rest is most often pasted.
const LONGEST: usize = 2_000;
const MOST_FACTS: usize = 4;
/// What a model reads between the lines is less sure than what the patterns read in them.
const CONFIDENCE: f32 = 0.6;

const TASK: &str = "Somebody wrote the message below to a friend. List what it tells of the writer's own life, or of \
    people they know, that will still matter in a month: where they live and work, family, pets, tastes, health, plans, \
    habits. Each with the very words of the message that say so. A question, a joke, an if, a quotation, a request and \
    what holds only today are not such facts. Most messages have none: then the list is empty.";

/// What a model has done.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Insight {
    /// Messages.
    pub read: usize,
    /// Facts in them.
    pub found: usize,
}

#[derive(Deserialize)]
struct Found {
    facts: Vec<FoundFact>,
}

#[derive(Deserialize)]
struct FoundFact {
    about: String,
    kind: FactCategory,
    fact: String,
    quote: String,
}

impl Inner {
    /// Lets the model read what only the patterns have read so far, some of it: the next run goes on.
    pub(crate) async fn learn_by_model(&self) -> Result<Insight, CompanionError> {
        let mut insight = Insight::default();
        if !self.settings().learn_by_model || !self.turns.all().is_empty() {
            return Ok(insight);
        }
        let unread = self.store.unread_by_model(SOME).await?;
        if unread.is_empty() {
            return Ok(insight);
        }
        let Ok(model) = self.models.current().await else { return Ok(insight) };
        if Scale::of(model.info().parameters).is_small() {
            return Ok(insight);
        }
        for message in unread {
            // Whoever speaks comes first; the next run goes on from here.
            if self.is_closing() || !self.turns.all().is_empty() {
                break;
            }
            let Some(proposed) = read(model.as_ref(), &message).await else { break };
            let new = self.memory.propose(&message, proposed).await?;
            self.store.read_by_model(message.id).await?;
            insight.read += 1;
            if !new.is_empty() {
                insight.found += new.len();
                self.feed.tell(message.user, Push::MemoryChanged);
            }
        }
        Ok(insight)
    }
}

/// What the model finds in a message. None where it did not answer.
async fn read(model: &dyn ChatModel, message: &SaidMessage) -> Option<Vec<Proposed>> {
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
    let request = ChatRequest {
        messages: vec![Message::text(Role::System, TASK), Message::text(Role::User, &message.content)],
        sampling: Sampling { max_tokens: 400, temperature: 0.0, ..Sampling::default() },
        constraint: Some(Constraint::JsonSchema(schema)),
        priority: Priority::Background,
        ..ChatRequest::default()
    };
    let written = reply::words(model, request).await?;
    let found: Found = serde_json::from_str(written.trim()).unwrap_or(Found { facts: Vec::new() });
    Some(found.facts.iter().filter_map(|fact| proposed(fact, message)).collect())
}

/// A fact, if it says what its quote says. A model that makes something up does not find it in the message.
fn proposed(found: &FoundFact, message: &SaidMessage) -> Option<Proposed> {
    let (fact, quote) = (found.fact.trim().trim_end_matches('.'), found.quote.trim());
    let (said, heard) = (facts::words::terms(fact), facts::words::terms(quote));
    let shared = said.iter().filter(|term| heard.contains(term)).count();
    let asks = quote.ends_with('?');
    if fact.is_empty() || asks || shared == 0 || shared * 2 < said.len() {
        return None;
    }
    let own = ["me", "i", "user", "the user", "writer", "the writer", "myself"];
    let about = found.about.trim();
    let subject = if own.contains(&about.to_lowercase().as_str()) { String::new() } else { about.to_owned() };
    Some(Proposed {
        category: found.kind,
        subject,
        content: fact.to_owned(),
        quote: quote.to_owned(),
        confidence: CONFIDENCE,
        // The words of a page may have spoken out of it.
        is_doubtful: !message.origins.is_empty(),
    })
}
