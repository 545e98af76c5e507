//! Items that must not leave this machine, because they state something private or because something private was in the
//! companion's context when they were written.
//!
//! Private content is recognized by its words, so that neither its message, nor a summary, nor another text that repeats
//! it reaches a model elsewhere. With something private in context, the companion can say it in any words. So each answer
//! is stored with the memories that it was given with, and answers that drew on something private are withheld, and so
//! are the companion's later messages in that conversation. Passwords, codes and card numbers are private by their kind,
//! whether or not a fact was learned from them.
//!
//! A withheld item counts for nothing in the ranking: neither its words, nor its vector, nor how rare it makes a word. So
//! a recipient cannot learn from the other results whether a guess was right.

use std::collections::{HashMap, HashSet};

use protocol::{ConversationId, FactId, MemoryKind, MessageId, Origin, Role};
use store::RecalledMemory;

use super::{ItemKey, RecallItem, UserMemory};
use crate::access::{PrivacyFilter, Recipient};
use crate::recall::ItemPosition;
use crate::secrets::{Secrets, is_public};

impl UserMemory {
    pub fn secrets(&self) -> Secrets {
        let mut secrets = Secrets::of(self.facts.values(), &[&self.user, &self.companion]);
        for (position, words) in self.secret_positions() {
            secrets.add_words(words.iter());
            if let Some(RecallItem::Message { id, .. }) = self.item(position) {
                secrets.add_message(*id);
            }
        }
        let mut conversations: HashSet<ConversationId> = self.private_since(&secrets).into_keys().collect();
        // An answer is always newer than the memories it was given with, so one pass also finds answers that build on
        // each other.
        for (&answer, drawn) in &self.drawn_from {
            if drawn.iter().any(|drawn| self.is_private(drawn, &secrets, &conversations)) {
                secrets.answers.insert(answer);
                conversations.extend(self.conversation_of(answer));
            }
        }
        secrets
    }

    /// Yields the positions of text that is private by its kind, except messages whose fact the user has made public.
    fn secret_positions(&self) -> impl Iterator<Item = (ItemPosition, &Vec<String>)> {
        let opened = self.facts.values().filter(|fact| is_public(fact));
        let opened = opened.filter(|fact| facts::has_secret(&fact.said.content));
        let opened: HashSet<ItemKey> =
            opened.filter_map(|fact| fact.said.message).map(ItemKey::message).collect();
        let is_opened = move |position| self.item(position).is_some_and(|it| opened.contains(&it.key()));
        self.secret_words
            .iter()
            .map(|(&position, words)| (position, words))
            .filter(move |&(position, _)| !is_opened(position))
    }

    fn is_private(
        &self,
        RecalledMemory { kind, id }: &RecalledMemory,
        secrets: &Secrets,
        conversations: &HashSet<ConversationId>,
    ) -> bool {
        let is_told = |id: MessageId| secrets.sources.contains(&id) || secrets.answers.contains(&id);
        match kind {
            MemoryKind::Fact => {
                let fact = id.parse::<FactId>().ok().and_then(|id| self.facts.get(&id));
                fact.is_some_and(|fact| fact.said.private)
            }
            MemoryKind::Message => id.parse().is_ok_and(is_told),
            MemoryKind::Summary => id.parse().is_ok_and(|id| conversations.contains(&id)),
            MemoryKind::File | MemoryKind::Entry => false,
        }
    }

    fn conversation_of(&self, message: MessageId) -> Option<ConversationId> {
        let position = self.positions_of(ItemKey::message(message)).next()?;
        match self.item(position)? {
            RecallItem::Message { conversation, .. } => Some(*conversation),
            _ => None,
        }
    }

    /// Returns the positions where something private is stated or may be: an answer given after it was in context can
    /// repeat it in other words.
    fn private_positions(&self) -> HashSet<ItemPosition> {
        let secrets = self.secrets();
        let revealing = secrets.revealing.iter().flat_map(|words| self.index.containing_all(words));
        let mut positions: HashSet<ItemPosition> =
            revealing.chain(self.secret_positions().map(|(position, _)| position)).collect();
        let since = self.private_since(&secrets);
        for (position, item) in (0..).zip(&self.items) {
            let is_private = match item {
                Some(RecallItem::Message { id, conversation, role, .. }) => {
                    let is_after = since.get(conversation).is_some_and(|since| since <= id);
                    secrets.sources.contains(id) || *role == Role::Assistant && is_after
                }
                Some(RecallItem::Summary { conversation, up_to, .. }) => {
                    since.get(conversation).is_some_and(|since| since <= up_to)
                }
                Some(RecallItem::File { .. } | RecallItem::Entry(_)) | None => false,
            };
            if is_private {
                positions.insert(position);
            }
        }
        positions
    }

    /// Returns, by position, what a recipient may not find, since it is looked up for every item of every question. Empty if
    /// everything may be read.
    pub(super) fn hidden(&self, recipient: &Recipient) -> Vec<bool> {
        if recipient.is_person() {
            return Vec::new();
        }
        let mut hidden = vec![false; self.items.len()];
        for position in self.private_positions() {
            hidden[position as usize] = true;
        }
        let Some(program) = recipient.program() else {
            return hidden;
        };
        // A program must not learn whether its own text contains something private.
        for (hidden, item) in hidden.iter_mut().zip(&self.items) {
            match item {
                Some(RecallItem::Entry(saved)) if saved.author.as_deref() == Some(program) => *hidden = false,
                // Which lines of a file the program wrote is determined where the file is read, not here.
                Some(RecallItem::File { origins, .. }) => {
                    *hidden |=
                        origins.iter().any(|origin| matches!(origin, Origin::Mcp(name) if name == program));
                }
                _ => {}
            }
        }
        hidden
    }

    /// Returns what a recipient may see.
    pub fn privacy_filter(&self, recipient: &Recipient) -> PrivacyFilter {
        if recipient.is_person() {
            PrivacyFilter::unrestricted()
        } else {
            PrivacyFilter::hiding(self.secrets(), recipient)
        }
    }

    /// Returns, for each conversation, the first message at which something private was in context.
    fn private_since(&self, secrets: &Secrets) -> HashMap<ConversationId, MessageId> {
        let mut since: HashMap<ConversationId, MessageId> = HashMap::new();
        for &id in secrets.sources.iter().chain(&secrets.answers) {
            if let Some(conversation) = self.conversation_of(id) {
                since.entry(conversation).and_modify(|first| *first = id.min(*first)).or_insert(id);
            }
        }
        since
    }
}
