//! Turns hits into items for the caller.

use std::collections::HashMap;

use protocol::{MemoryItem, MemoryKind, Role, ScorePart};
use store::{RecallableMessage, SavedEntry};

use super::{Memory, Result, UserState};
use crate::access::Recipient;
use crate::recall::ScoreParts;
use crate::user_memory::{RecallHit, RecallItem};

impl Memory {
    /// Converts hits to items, without those that have been deleted meanwhile.
    pub(super) async fn found(&self, state: &UserState, hits: Vec<RecallHit>) -> Result<Vec<MemoryItem>> {
        let user = state.user.id;
        let messages = hits.iter().filter_map(|hit| match hit.item {
            RecallItem::Message { id, .. } => Some(id),
            _ => None,
        });
        let mut said = self.inner.store.shown(user, messages.collect()).await?;
        let mut items = Vec::with_capacity(hits.len());
        for RecallHit { item, parts, score } in hits {
            let empty = MemoryItem {
                kind: item.key().kind,
                id: String::new(),
                text: String::new(),
                who: String::new(),
                at: None,
                score,
                parts: score_parts(&parts),
                conversation_id: None,
                message_id: None,
                title: None,
                origins: Vec::new(),
            };
            items.push(match item {
                RecallItem::Message { id, .. } => {
                    let Some(said) = said.remove(&id) else { continue };
                    let is_users = said.role == Role::User;
                    let who = if is_users { String::new() } else { state.names.companion.clone() };
                    MemoryItem { parts: empty.parts, ..message_item(said, score, who) }
                }
                RecallItem::Summary { conversation, up_to, at, text, origins } => MemoryItem {
                    id: conversation.to_string(),
                    text,
                    at: Some(at.to_string()),
                    conversation_id: Some(conversation),
                    message_id: Some(up_to),
                    title: self.inner.store.summary(user, conversation).await.ok().map(|chat| chat.title),
                    origins,
                    ..empty
                },
                RecallItem::File { name, at, text, origins, .. } => {
                    MemoryItem { id: name, text, at: Some(at.to_string()), origins, ..empty }
                }
                RecallItem::Entry(SavedEntry { entry, .. }) => MemoryItem {
                    id: entry.id,
                    text: entry.content,
                    at: Some(entry.updated_at),
                    origins: entry.origins,
                    ..empty
                },
            });
        }
        Ok(items)
    }
}

/// Returns the content of the entries that the reading program saved, by id.
pub(super) fn own_entries(hits: &[RecallHit], recipient: &Recipient) -> HashMap<String, String> {
    let own = hits.iter().filter_map(|hit| match &hit.item {
        RecallItem::Entry(SavedEntry { entry, author: Some(author), .. })
            if recipient.program() == Some(author.as_str()) =>
        {
            Some((entry.id.clone(), entry.content.clone()))
        }
        _ => None,
    });
    own.collect()
}

pub(super) fn message_item(said: RecallableMessage, score: f32, who: String) -> MemoryItem {
    let RecallableMessage { id, conversation, role, at, content, origins, title, is_foreign, .. } = said;
    // Origins of other content that was sent along with the user's own text do not apply to the text alone.
    let origins = if role == Role::User && !is_foreign { Vec::new() } else { origins };
    MemoryItem {
        kind: MemoryKind::Message,
        id: id.to_string(),
        text: content,
        who,
        at: Some(at.to_string()),
        score,
        parts: vec![ScorePart { name: "fact".to_owned(), value: score }],
        conversation_id: Some(conversation),
        message_id: Some(id),
        title: Some(title),
        origins,
    }
}

fn score_parts(parts: &ScoreParts) -> Vec<ScorePart> {
    let named = [
        ("words", parts.words),
        ("meaning", parts.meaning),
        ("person", parts.person),
        ("day", parts.day),
        ("telling", parts.informativeness),
        ("time", parts.time),
        ("recency", parts.recency),
    ];
    let mut list: Vec<ScorePart> = named
        .into_iter()
        .filter(|(_, value)| value.abs() >= 0.005)
        .map(|(name, value)| ScorePart { name: name.to_owned(), value })
        .collect();
    list.sort_by(|one, other| other.value.total_cmp(&one.value));
    list
}
