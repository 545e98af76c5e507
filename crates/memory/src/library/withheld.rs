//! Items that must not leave this machine, because they state something private or because something private was in the
//! companion's context when they were written.

use std::collections::{HashMap, HashSet};

use protocol::{ConversationId, FactId, MemoryKind, MessageId, Origin, Role};
use store::Drawn;

use super::{Key, Library, Shelved};
use crate::reader::{Reader, Sight};
use crate::recall::Place;
use crate::secrets::{Secrets, is_told_openly};

impl Library {
    pub fn secrets(&self) -> Secrets {
        let mut secrets = Secrets::of(self.facts.values(), &[&self.user, &self.companion]);
        for (place, words) in self.secret_places() {
            secrets.add_words(words.iter());
            if let Some(Shelved::Message { id, .. }) = self.shelved(place) {
                secrets.add_message(*id);
            }
        }
        let mut conversations: HashSet<ConversationId> = self.since(&secrets).into_keys().collect();
        // An answer is always newer than the memories it was given with, so one pass also finds answers that build on
        // each other.
        for (&answer, drawn) in &self.drawn {
            if drawn.iter().any(|drawn| self.is_private(drawn, &secrets, &conversations)) {
                secrets.answers.insert(answer);
                conversations.extend(self.conversation_of(answer));
            }
        }
        secrets
    }

    /// Yields the places of text that is private by its kind, except messages whose fact the user has made public.
    fn secret_places(&self) -> impl Iterator<Item = (Place, &Vec<String>)> {
        let opened = self.facts.values().filter(|fact| is_told_openly(fact));
        let opened = opened.filter(|fact| facts::has_secret(&fact.said.content));
        let opened: HashSet<Key> = opened.filter_map(|fact| fact.said.message).map(Key::message).collect();
        let is_opened = move |place| self.shelved(place).is_some_and(|it| opened.contains(&it.key()));
        self.secret.iter().map(|(&place, words)| (place, words)).filter(move |&(place, _)| !is_opened(place))
    }

    fn is_private(
        &self,
        Drawn { kind, id }: &Drawn,
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
        let place = self.places_of(Key::message(message)).next()?;
        match self.shelved(place)? {
            Shelved::Message { conversation, .. } => Some(*conversation),
            _ => None,
        }
    }

    /// Returns the places where something private is stated or may be: an answer given after it was in context can
    /// repeat it in other words.
    fn private_places(&self) -> HashSet<Place> {
        let secrets = self.secrets();
        let telling = secrets.telling.iter().flat_map(|words| self.index.with_all(words));
        let mut places: HashSet<Place> =
            telling.chain(self.secret_places().map(|(place, _)| place)).collect();
        let since = self.since(&secrets);
        for (place, shelved) in (0..).zip(&self.shelf) {
            let is_private = match shelved {
                Some(Shelved::Message { id, conversation, role, .. }) => {
                    let is_after = since.get(conversation).is_some_and(|since| since <= id);
                    secrets.sources.contains(id) || *role == Role::Assistant && is_after
                }
                Some(Shelved::Summary { conversation, up_to, .. }) => {
                    since.get(conversation).is_some_and(|since| since <= up_to)
                }
                Some(Shelved::File { .. } | Shelved::Entry(_)) | None => false,
            };
            if is_private {
                places.insert(place);
            }
        }
        places
    }

    /// Returns, by place, what a reader may not find, since it is looked up for every item of every question. Empty if
    /// everything may be read.
    pub(super) fn hidden(&self, reader: &Reader) -> Vec<bool> {
        if reader.is_person() {
            return Vec::new();
        }
        let mut hidden = vec![false; self.shelf.len()];
        for place in self.private_places() {
            hidden[place as usize] = true;
        }
        let Some(program) = reader.program() else {
            return hidden;
        };
        // A program must not learn whether its own text contains something private.
        for (hidden, shelved) in hidden.iter_mut().zip(&self.shelf) {
            match shelved {
                Some(Shelved::Entry(saved)) if saved.author.as_deref() == Some(program) => *hidden = false,
                // Which lines of a file the program wrote is determined where the file is read, not here.
                Some(Shelved::File { origins, .. }) => {
                    *hidden |=
                        origins.iter().any(|origin| matches!(origin, Origin::Mcp(name) if name == program));
                }
                _ => {}
            }
        }
        hidden
    }

    /// Returns the part of the library that a reader may see.
    pub fn sight(&self, reader: &Reader) -> Sight {
        if reader.is_person() { Sight::of_all() } else { Sight::without(self.secrets(), reader) }
    }

    /// Returns, for each conversation, the first message at which something private was in context.
    fn since(&self, secrets: &Secrets) -> HashMap<ConversationId, MessageId> {
        let mut since: HashMap<ConversationId, MessageId> = HashMap::new();
        for &id in secrets.sources.iter().chain(&secrets.answers) {
            if let Some(conversation) = self.conversation_of(id) {
                since.entry(conversation).and_modify(|first| *first = id.min(*first)).or_insert(id);
            }
        }
        since
    }
}
