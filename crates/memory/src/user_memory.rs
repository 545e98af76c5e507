//! Everything of one user that can be recalled, in memory and ready to be searched.

mod everything_said;
mod file_pieces;
mod item;
mod outdated;
mod private_items;
mod search;

use std::collections::{BTreeMap, HashMap, HashSet};

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use protocol::{ConversationId, FactId, MemoryKind, MessageId, Role};
use store::{RecallableMessage, RecallableSummary, RecalledMemory, SavedEntry, StoredFact, StoredVector};
use vectors::{Comparison, RegionId, RegionSample, Regions, Vectors};

use self::file_pieces::pieces;
pub(crate) use self::item::{ItemKey, RecallItem};
use self::item::{file_key, stated_chars, summary_key};
pub(crate) use self::search::{EverythingSaid, RecallHit, SearchInput, SearchOutput};
use crate::access::Recipient;
use crate::files::FileText;
use crate::recall::{
    ItemPosition, ItemVectors, NewItem, ParsedQuestion, PreparedQuestion, QuestionParser, RecallIndex,
};
use crate::speaker_names::SpeakerNames;
use crate::version::StateVersion;

/// The first thread number for items that belong to no conversation; conversation ids are below it.
const OTHER_THREADS: u64 = 1 << 63;

pub(crate) struct UserMemory {
    index: RecallIndex,
    zone: TimeZone,
    user: String,
    companion: String,
    /// Indexed by position, since it is looked up for every item of every question.
    items: Vec<Option<RecallItem>>,
    positions: HashMap<ItemKey, Vec<ItemPosition>>,
    /// The last message of each conversation; later messages are appended after it.
    last_messages: HashMap<ConversationId, MessageId>,
    /// The memories that each of the companion's answers was given with, in the order of the answers.
    drawn_from: BTreeMap<MessageId, Vec<RecalledMemory>>,
    /// Places that contain text private by its kind, with the words that reveal it.
    secret_words: HashMap<ItemPosition, Vec<String>>,
    pub facts: BTreeMap<FactId, StoredFact>,
    /// The version of the facts.
    pub version: StateVersion,
    fact_vectors: Vectors,
}

impl UserMemory {
    pub fn new(names: &SpeakerNames, zone: TimeZone) -> Self {
        let SpeakerNames { user, companion } = names;
        Self {
            index: RecallIndex::new(QuestionParser::new([user.clone(), companion.clone()])),
            zone,
            user: user.clone(),
            companion: companion.clone(),
            items: Vec::new(),
            positions: HashMap::new(),
            last_messages: HashMap::new(),
            drawn_from: BTreeMap::new(),
            secret_words: HashMap::new(),
            facts: BTreeMap::new(),
            version: StateVersion::default(),
            fact_vectors: Vectors::new(0),
        }
    }

    pub fn parse_question(&self, question: &str) -> ParsedQuestion {
        self.index.parse_question(question)
    }

    /// Looks up a question's words, before its vector is available.
    pub fn prepare(&self, question: ParsedQuestion, recipient: &Recipient) -> PreparedQuestion {
        self.index.prepare(question, self.hidden(recipient))
    }

    /// Returns `prepared`, looked up again if items were added or removed since.
    pub fn refreshed(&self, prepared: PreparedQuestion, recipient: &Recipient) -> PreparedQuestion {
        let hidden = self.hidden(recipient);
        self.index.refreshed(prepared, hidden)
    }

    fn day(&self, at: Timestamp) -> Date {
        at.to_zoned(self.zone.clone()).date()
    }

    fn insert(
        &mut self,
        key: ItemKey,
        thread: u64,
        speaker: &str,
        at: Timestamp,
        text: &str,
        item: RecallItem,
    ) {
        let position = self.index.add(&NewItem { thread, speaker, day: self.day(at), text });
        let at = position as usize;
        if self.items.len() <= at {
            self.items.resize_with(at + 1, || None);
        }
        self.items[at] = Some(item);
        if facts::has_secret(text) {
            self.secret_words.insert(position, facts::secret_words(text).map(str::to_owned).collect());
        }
        self.positions.entry(key).or_default().push(position);
    }

    pub fn remove(&mut self, key: ItemKey) {
        if key.kind == MemoryKind::Message {
            self.drawn_from.remove(&MessageId::new(key.item));
        }
        for position in self.positions.remove(&key).unwrap_or_default() {
            self.index.remove(position);
            self.secret_words.remove(&position);
            self.items[position as usize] = None;
        }
    }

    /// Returns true if a message can be appended to its conversation without moving others.
    pub fn is_next(&self, message: &RecallableMessage) -> bool {
        self.last_messages.get(&message.conversation).is_none_or(|&end| end < message.id)
    }

    pub fn add_message(&mut self, message: &RecallableMessage) {
        let speaker = match message.role {
            Role::User => self.user.clone(),
            Role::Assistant => self.companion.clone(),
        };
        let RecallableMessage { id, conversation, role, at, content, drawn, .. } = message;
        let stated_chars = stated_chars(message);
        let item = RecallItem::Message { id: *id, conversation: *conversation, role: *role, stated_chars };
        if !drawn.is_empty() {
            self.drawn_from.insert(*id, drawn.clone());
        }
        self.insert(ItemKey::message(*id), conversation.get().cast_unsigned(), &speaker, *at, content, item);
        self.last_messages.insert(*conversation, *id);
    }

    pub fn drop_conversation(&mut self, conversation: ConversationId) {
        let of = |item: &RecallItem| match item {
            RecallItem::Message { id, conversation: own, .. } if *own == conversation => {
                Some(ItemKey::message(*id))
            }
            RecallItem::Summary { conversation: own, .. } if *own == conversation => Some(summary_key(*own)),
            _ => None,
        };
        let keys: Vec<ItemKey> = self.items.iter().flatten().filter_map(of).collect();
        for key in keys {
            self.remove(key);
        }
        self.last_messages.remove(&conversation);
    }

    pub fn add_summary(&mut self, summary: RecallableSummary) {
        let RecallableSummary { conversation, up_to, at, text, origins, .. } = summary;
        let key = summary_key(conversation);
        self.remove(key);
        let thread = OTHER_THREADS | conversation.get().cast_unsigned();
        let item = RecallItem::Summary { conversation, up_to, at, text: text.clone(), origins };
        self.insert(key, thread, "", at, &text, item);
    }

    pub fn drop_summary(&mut self, conversation: ConversationId) {
        self.remove(summary_key(conversation));
    }

    pub fn add_entry(&mut self, saved: SavedEntry) {
        let key = ItemKey { kind: MemoryKind::Entry, item: saved.row };
        self.remove(key);
        let at = saved.entry.updated_at.parse().unwrap_or(Timestamp::UNIX_EPOCH);
        let thread = OTHER_THREADS | saved.row.cast_unsigned();
        let text = saved.entry.content.clone();
        self.insert(key, thread, "", at, &text, RecallItem::Entry(saved));
    }

    fn positions_of(&self, key: ItemKey) -> impl Iterator<Item = ItemPosition> {
        self.positions.get(&key).into_iter().flatten().copied()
    }

    fn item(&self, position: ItemPosition) -> Option<&RecallItem> {
        self.items.get(position as usize)?.as_ref()
    }

    /// Sets the current files. Unchanged ones stay in place.
    pub fn set_files(&mut self, files: &[FileText]) {
        let pieces: Vec<(ItemKey, &FileText, &str)> = files
            .iter()
            .flat_map(|file| pieces(&file.text).map(move |piece| (file_key(&file.name, piece), file, piece)))
            .collect();
        let wanted: HashSet<ItemKey> = pieces.iter().map(|(key, ..)| *key).collect();
        let gone: Vec<ItemKey> = self
            .positions
            .keys()
            .filter(|key| key.kind == MemoryKind::File && !wanted.contains(key))
            .copied()
            .collect();
        for key in gone {
            self.remove(key);
        }
        for (key, file, piece) in pieces {
            if self.positions.contains_key(&key) {
                continue;
            }
            let thread = OTHER_THREADS | file_key(&file.name, "").item.cast_unsigned();
            let FileText { name, at, origins, .. } = file;
            let item = RecallItem::File {
                name: name.clone(),
                item: key.item,
                at: *at,
                text: piece.to_owned(),
                origins: origins.clone(),
            };
            self.insert(key, thread, "", *at, piece, item);
        }
    }

    /// Yields the ids of the file pieces, under which their vectors are stored.
    pub fn file_items(&self) -> impl Iterator<Item = i64> {
        self.positions.keys().filter(|key| key.kind == MemoryKind::File).map(|key| key.item)
    }

    pub fn set_fact(&mut self, fact: StoredFact) {
        let reworded = self.facts.get(&fact.id).is_some_and(|known| known.said.content != fact.said.content);
        if reworded {
            self.fact_vectors.remove(fact.id.get().cast_unsigned());
        }
        self.version.change();
        self.facts.insert(fact.id, fact);
    }

    pub fn drop_fact(&mut self, id: FactId) {
        self.version.change();
        self.facts.remove(&id);
        self.fact_vectors.remove(id.get().cast_unsigned());
    }

    /// Replaces all vectors with these, with the regions that they were in.
    pub fn load_vectors(&mut self, dimensions: usize, regions: Option<Regions>, kept: &[StoredVector]) {
        self.fact_vectors = Vectors::new(dimensions);
        for StoredVector { item, vector, .. } in kept.iter().filter(|kept| kept.kind == MemoryKind::Fact) {
            self.set_vector(ItemKey::fact(FactId::new(*item)), vector);
        }
        let empty = regions.map_or_else(|| ItemVectors::new(dimensions), ItemVectors::with_regions);
        let Self { index, positions, .. } = self;
        let placed = kept.iter().flat_map(|StoredVector { kind, item, vector, region }| {
            let positions = positions.get(&ItemKey { kind: *kind, item: *item }).into_iter().flatten();
            positions.map(|&position| (position, vector.as_slice(), region.map(RegionId::from_number)))
        });
        index.load_vectors(empty, placed);
    }

    /// Returns the data for building regions, if that is due.
    pub fn sample_for_regions(&self) -> Option<RegionSample> {
        self.index.item_vectors().sample_for_regions()
    }

    pub fn use_regions(&mut self, regions: Regions) {
        self.index.item_vectors_mut().use_regions(regions);
    }

    /// Assigns at most `most` vectors to their regions, and returns the items whose region has changed since the last
    /// call.
    pub fn assign_regions(&mut self, limit: usize) -> Vec<(ItemKey, RegionId)> {
        let item_vectors = self.index.item_vectors_mut();
        item_vectors.assign_regions(limit);
        let moved = item_vectors.take_moved().into_iter();
        moved.filter_map(|(position, region)| Some((self.item(position)?.key(), region))).collect()
    }

    /// Sets an encoded vector. One of another model is ignored.
    pub fn set_vector(&mut self, key: ItemKey, code: &[u8]) {
        if key.kind == MemoryKind::Fact {
            if self.facts.contains_key(&FactId::new(key.item)) {
                let _ = self.fact_vectors.restore(key.item.cast_unsigned(), code, None);
            }
            return;
        }
        for position in self.positions.get(&key).cloned().unwrap_or_default() {
            self.index.set_vector(position, code);
        }
    }

    /// Returns the vector of an item, so that it can be set again when the item is moved.
    pub fn vector(&self, key: ItemKey) -> Option<Vec<u8>> {
        self.index.vector(*self.positions.get(&key)?.first()?).map(<[u8]>::to_vec)
    }

    /// Prepares the comparison of facts with a question.
    pub fn compare_facts(&self, question: &[f32]) -> Option<Comparison<'_>> {
        self.fact_vectors.compare(question)
    }

    /// Returns items without a vector, newest first, at most `most`; messages by id only, since their text is in the
    /// store. Items that reveal something private are left out unless the model `is_here`.
    pub fn without_vectors(
        &self,
        limit: usize,
        wanted: fn(MemoryKind) -> bool,
        is_here: bool,
    ) -> Vec<(ItemKey, Option<String>)> {
        let withheld = self.hidden(recipient_for_model(is_here));
        let is_withheld =
            |position: ItemPosition| withheld.get(position as usize).is_some_and(|&withheld| withheld);
        let facts = self
            .facts
            .values()
            .filter(|fact| wanted(MemoryKind::Fact) && (is_here || !fact.said.private))
            .filter(|fact| !self.fact_vectors.contains(fact.id.get().cast_unsigned()))
            .map(|fact| (ItemKey::fact(fact.id), Some(fact.said.content.clone())));
        // Newest first, and lazily, only as many as are wanted.
        let positions =
            (0..self.items.len()).rev().filter_map(|position| ItemPosition::try_from(position).ok());
        let bare = positions.filter(|&position| !self.index.has_vector(position) && !is_withheld(position));
        let items = bare.filter_map(|position| self.item(position));
        let items = items.filter(|item| wanted(item.key().kind));
        facts.chain(items.map(|item| (item.key(), item.text()))).take(limit).collect()
    }

    /// Returns the part of a text that is embedded.
    pub fn embeddable_text(&self, text: &str) -> String {
        self.index.embeddable_text(text)
    }

    /// Returns the number of items without a vector that a model here or elsewhere may read.
    pub fn count_without_vectors(&self, is_here: bool) -> usize {
        let withheld = self.hidden(recipient_for_model(is_here));
        let is_withheld =
            |position: ItemPosition| withheld.get(position as usize).is_some_and(|&withheld| withheld);
        let positions =
            (0..).zip(&self.items).filter(|(_, item)| item.is_some()).map(|(position, _)| position);
        positions.filter(|&position| !self.index.has_vector(position) && !is_withheld(position)).count()
    }

    /// Returns the number of items, not counting facts.
    pub fn len(&self) -> usize {
        self.index.len()
    }
}

/// Returns the recipient that stands for a model on this machine or elsewhere.
fn recipient_for_model(is_here: bool) -> &'static Recipient {
    if is_here { &Recipient::Person } else { &Recipient::Other }
}
