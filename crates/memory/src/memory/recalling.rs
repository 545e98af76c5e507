//! Recall: the memories that match a message.
//!
//! Facts and everything that was said are ranked on one scale. The words are looked up while the vector of the question
//! is made, so a slow model delays nothing else. What is distant is left out, and items that say the same count once.
//!
//! As long as everything that the user said fits the room that the caller offers, all of it is returned, and no threshold
//! keeps any of it back. `refused` then says that nothing in it claims to answer. While many items have no vector yet, as
//! after an import, words have to do, and nothing is refused.
//!
//! A fact that a later message put in doubt is not stated: the message takes its place. A message that states only what
//! no longer holds is left out, or returned with a note on what has become of it.

use std::collections::HashSet;
use std::sync::Arc;

use jiff::civil::Date;
use protocol::{ConversationId, MemoryItem, MemoryKind, MessageId, UserId};
use store::StoredFact;
use tokio::sync::oneshot;

use super::fact_answers::FactAnswer;
use super::items::own_entries;
use super::outdated_messages::OutdatedFact;
use super::{
    DEFAULT_RECALL_LIMIT, EmbeddingProgress, FitsPrompt, Memory, RecallRequest, RecallResult, Result,
    UserState, read, run_blocking,
};
use crate::access::Recipient;
use crate::recall::is_mere_question;
use crate::secrets::Secrets;
use crate::user_memory::{RecallHit, RecallItem, SearchInput, SearchOutput};

/// Items that share a larger part of their words than this count as duplicates.
const DUPLICATE: (usize, usize) = (4, 5);
/// The number of items, and the fraction of all, that may have no vector before progress is reported: the newest
/// messages never have one yet.
const MOST_WITHOUT_VECTORS: usize = 16;
const WITHOUT_VECTORS_SHARE: usize = 20;

impl Memory {
    /// Returns the memories that match a message, best first.
    pub async fn recall(&self, user: UserId, recall: RecallRequest) -> Result<RecallResult> {
        self.recall_for_prompt(user, recall, &|_| true).await
    }

    /// Like [`Memory::recall`] for a prompt: `fits` decides whether everything that the user said has room in it.
    pub async fn recall_for_prompt(
        &self,
        user: UserId,
        recall: RecallRequest,
        fits: FitsPrompt<'_>,
    ) -> Result<RecallResult> {
        let state = self.user_state(user).await?;
        self.catch_up(&state).await?;
        let question = read(&state.memory).parse_question(&recall.text);
        let (today, limit) = (self.today(), recall.limit);
        let most = limit.unwrap_or(DEFAULT_RECALL_LIMIT);
        let (in_context, recipient) = (recall.in_context.clone(), recall.recipient.clone());
        let asked_terms = text::terms(&recall.text);
        let embedding_progress = self.embedding_progress(&state).await;
        let (embedded, vector) = oneshot::channel();
        let (searched, asked, this) = (Arc::clone(&state), question.clone(), self.clone());
        let searching = run_blocking(move || {
            // The words are looked up while the vector is made, and the memory is not locked meanwhile, since a server
            // that makes vectors may be slow.
            let (prepared, mut facts) = {
                let memory = read(&searched.memory);
                (memory.prepare(asked, &recall.recipient), this.prepare_facts(&memory, &recall))
            };
            let vector: Option<Vec<f32>> = vector.blocking_recv().ok().flatten();
            let memory = read(&searched.memory);
            let prepared = memory.refreshed(prepared, &recall.recipient);
            if facts.version != memory.version {
                facts = this.prepare_facts(&memory, &recall);
            }
            let mut search_output = memory.search(&SearchInput {
                prepared: &prepared,
                vector: vector.as_deref(),
                today,
                in_context: &recall.in_context,
                limit: most,
                room: recall.room_for_everything,
                is_embedding: embedding_progress.is_some(),
            });
            let whole = search_output.everything_said.take();
            let whole =
                whole.and_then(|whole| facts.everything_said(&memory, whole, &recall.in_context, today));
            let secrets = if recall.may_be_private() { Secrets::default() } else { memory.secrets() };
            (facts.best(&memory, vector.as_deref()), search_output, whole, secrets)
        });
        let embedding = async {
            // The send fails if the search has already ended; then the vector is not needed.
            let _ = embedded.send(self.embed_question(&state, &question).await);
        };
        let ((), (facts, searched, whole, secrets)) = tokio::join!(embedding, searching);
        let SearchOutput { hits, is_refused, confidence, .. } = searched;
        let (doubted, facts): (Vec<FactAnswer>, Vec<FactAnswer>) =
            facts.into_iter().partition(|answer| answer.is_in_doubt);
        let (doubts, facts) = self.replace_doubtful(user, doubted, facts, &in_context, &secrets).await?;
        let in_doubt = sources(&doubts);
        let facts: Vec<MemoryItem> =
            facts.into_iter().map(|answer| self.fact_item(answer.fact, answer.score)).collect();
        let certain: Vec<MemoryItem> = doubts.into_iter().chain(facts).collect();
        let hits: Vec<RecallHit> = hits.into_iter().filter(|hit| !hit.is_one_of(&in_doubt)).collect();
        let conversion = Conversion { state: &state, today, recipient: &recipient, secrets: &secrets };
        let recalled = RecallResult {
            items: Vec::new(),
            refused: false,
            whole: false,
            embedding_progress,
            answerable: confidence,
        };
        if let Some((mut whole, beside)) = whole {
            whole.hits.retain(|hit| !hit.is_one_of(&in_doubt));
            let others = hits.iter().filter(|hit| !hit.states_something()).cloned().collect();
            let mut items = self.converted(&conversion, whole.hits, Duplicates::Keep).await?;
            items.extend(self.converted(&conversion, others, Duplicates::Drop).await?);
            let is_new = |fact: &StoredFact| !certain.iter().any(|item| item.id == fact.id.to_string());
            items.extend(beside.into_iter().filter(is_new).map(|fact| self.fact_item(fact, 0.0)));
            items.extend(certain.iter().cloned());
            let items = sorted_everything(items, &certain, &asked_terms);
            if !items.is_empty() && limit.is_none_or(|limit| items.len() <= limit) && fits(&items) {
                // Items that are returned only because everything is claim to answer nothing.
                let refused = is_refused && certain.is_empty();
                return Ok(RecallResult { items, refused, whole: true, ..recalled });
            }
        }
        let mut items = self.converted(&conversion, hits, Duplicates::Drop).await?;
        items.retain(|item| !says_no_more(item, &certain, &asked_terms));
        items.extend(certain);
        items.sort_by(|one, other| other.score.total_cmp(&one.score));
        items.truncate(most);
        let refused = is_refused && items.is_empty();
        Ok(RecallResult { items, refused, ..recalled })
    }

    /// Converts hits to items, without mere questions, and with a note if what they state no longer holds.
    async fn converted(
        &self,
        conversion: &Conversion<'_>,
        hits: Vec<RecallHit>,
        duplicates: Duplicates,
    ) -> Result<Vec<MemoryItem>> {
        let Conversion { state, today, recipient, secrets } = *conversion;
        let (own, may_be_private) = (own_entries(&hits, recipient), recipient.is_person());
        let mut found = self.found(state, hits).await?;
        found.retain(|item| !(is_own(item) && is_mere_question(&item.text)));
        let items = match duplicates {
            Duplicates::Keep => found,
            Duplicates::Drop => without_duplicates(found),
        };
        let memory = Arc::clone(state);
        let (items, near) = run_blocking(move || {
            let near = OutdatedFact::near(&read(&memory.memory), &items, today, may_be_private);
            (items, near)
        })
        .await;
        let mut items = self.without_outdated(state.user.id, items, near).await?;
        for item in &mut items {
            item.title = item.title.take().filter(|title| !secrets.are_in(title));
        }
        // Text from another source, such as a note on what has changed, can reveal a secret just as well.
        items.retain(|item| {
            let added = own.get(&item.id).and_then(|own| item.text.strip_prefix(own.as_str()));
            let told = added.filter(|_| item.kind == MemoryKind::Entry);
            !secrets.are_in(&told.map_or_else(|| format!("{} {}", item.who, item.text), str::to_owned))
        });
        Ok(items)
    }

    /// Returns the progress of embedding if many items still have no vector.
    async fn embedding_progress(&self, state: &Arc<UserState>) -> Option<EmbeddingProgress> {
        let is_here = state.sync.lock().await.embedder.as_ref()?.is_here;
        let counting = Arc::clone(state);
        let (without_vectors, of) = run_blocking(move || {
            let memory = read(&counting.memory);
            (memory.count_without_vectors(is_here), memory.len())
        })
        .await;
        let is_much = without_vectors > MOST_WITHOUT_VECTORS && without_vectors > of / WITHOUT_VECTORS_SHARE;
        is_much.then_some(EmbeddingProgress { done: of - without_vectors.min(of), of })
    }

    /// Returns the conversations that match a question, best first.
    pub async fn conversations_about(&self, user: UserId, text: &str) -> Result<Vec<ConversationId>> {
        let state = self.user_state(user).await?;
        self.catch_up(&state).await?;
        let question = read(&state.memory).parse_question(text);
        let vector = self.embed_question(&state, &question).await;
        let today = self.today();
        let found =
            run_blocking(move || read(&state.memory).conversations(question, vector.as_deref(), today));
        Ok(found.await)
    }
}

/// Returns the messages that items come from.
fn sources(items: &[MemoryItem]) -> HashSet<MessageId> {
    items.iter().filter_map(|item| item.message_id).collect()
}

/// Sorts the items, best first. A message follows after all others if a fact among them says the same in fewer words.
fn sorted_everything(items: Vec<MemoryItem>, facts: &[MemoryItem], asked: &[String]) -> Vec<MemoryItem> {
    let (mut told, mut items): (Vec<MemoryItem>, Vec<MemoryItem>) =
        items.into_iter().partition(|item| says_no_more(item, facts, asked));
    for part in [&mut items, &mut told] {
        part.sort_by(|one, other| other.score.total_cmp(&one.score));
    }
    items.extend(told);
    items
}

/// Returns true if a message says no more about the question than the facts that were extracted from it. *We got a
/// puppy called Biscuit* says more than *Has a dog* if the question is what it is called.
fn says_no_more(item: &MemoryItem, facts: &[MemoryItem], asked: &[String]) -> bool {
    let is_of = |fact: &&MemoryItem| fact.kind == MemoryKind::Fact && fact.message_id == item.message_id;
    let mut read = facts.iter().filter(is_of).peekable();
    if !is_own(item) || read.peek().is_none() {
        return false;
    }
    let told: HashSet<String> =
        read.flat_map(|fact| text::terms(&format!("{} {}", fact.who, fact.text))).collect();
    let says = text::terms(&item.text);
    asked.iter().all(|term| !says.contains(term) || told.contains(term))
}

/// Returns true if it is a message by the user.
fn is_own(item: &MemoryItem) -> bool {
    item.kind == MemoryKind::Message && item.who.is_empty()
}

/// The context for converting hits.
struct Conversion<'a> {
    state: &'a Arc<UserState>,
    today: Date,
    recipient: &'a Recipient,
    secrets: &'a Secrets,
}

/// The treatment of items that say the same as another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Duplicates {
    Drop,
    /// Each is kept, since each has its own day.
    Keep,
}

impl RecallHit {
    fn is_one_of(&self, messages: &HashSet<MessageId>) -> bool {
        matches!(&self.item, RecallItem::Message { id, .. } if messages.contains(id))
    }

    /// Returns true if it is a message in which the user stated something.
    fn states_something(&self) -> bool {
        matches!(self.item, RecallItem::Message { stated_chars: Some(_), .. })
    }
}

/// Keeps the best of items that say the same: repetitions would leave no room for the rest.
fn without_duplicates(items: Vec<MemoryItem>) -> Vec<MemoryItem> {
    let mut kept: Vec<(HashSet<String>, MemoryItem)> = Vec::with_capacity(items.len());
    for item in items {
        let words: HashSet<String> = text::terms(&item.text).into_iter().collect();
        let says_the_same = |(other, known): &(HashSet<String>, MemoryItem)| {
            let shared = words.intersection(other).count();
            let all = words.len() + other.len() - shared;
            known.who == item.who && (known.text == item.text || shared * DUPLICATE.1 > all * DUPLICATE.0)
        };
        if !kept.iter().any(says_the_same) {
            kept.push((words, item));
        }
    }
    kept.into_iter().map(|(_, item)| item).collect()
}
