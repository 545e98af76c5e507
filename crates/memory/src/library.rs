//! Everything of one user that can be recalled, in memory and ready to be searched.

mod over;
mod pieces;
mod shelved;
mod whole;
mod withheld;

use std::collections::{BTreeMap, HashMap, HashSet};

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use protocol::{ConversationId, FactId, MemoryKind, MessageId, Role};
use store::{Drawn, KeptVector, SaidMessage, SaidSummary, SavedEntry, StoredFact};
use vectors::{Regions, Comparison, RegionId, RegionSample, Vectors};

use self::pieces::pieces;
pub(crate) use self::shelved::{Key, Shelved};
use self::shelved::{file_key, summary_key};
pub(crate) use self::whole::Whole;
use self::whole::letters_told;
use crate::files::FileText;
use crate::memory::Names;
use crate::reader::Reader;
use crate::recall::{Entry, Found, Heard, Index, Meanings, Parts, People, Place, Question, Search, Weights};
use crate::version::Version;

/// The minimum similarity of an item that shares no word with the question.
const NEAR_ENOUGH: f32 = 0.3;
/// The first thread number for items that belong to no conversation; conversation ids are below it.
const OTHER_THREADS: u64 = 1 << 63;

/// A search hit with the parts of its score.
#[derive(Debug, Clone)]
pub(crate) struct Hit {
    pub shelved: Shelved,
    pub parts: Parts,
    pub score: f32,
}

/// A question with everything that the answer depends on.
pub(crate) struct Asked<'a> {
    pub heard: &'a Heard,
    pub vector: Option<&'a [f32]>,
    pub today: Date,
    /// Messages that are in the model's context already.
    pub known: &'a HashSet<MessageId>,
    pub most: usize,
    /// The number of characters up to which everything that the user said is returned.
    pub room: usize,
    /// True if many items still have no vector.
    pub is_reading: bool,
}

/// The result of a search.
pub(crate) struct Searched {
    /// Hits that are close enough, best first.
    pub hits: Vec<Hit>,
    /// True if nothing is close enough to answer.
    pub is_refused: bool,
    /// Everything that the user said, relevant or not, if it is little enough.
    pub whole: Option<Whole>,
    pub sureness: f32,
}

pub(crate) struct Library {
    index: Index,
    zone: TimeZone,
    user: String,
    companion: String,
    /// Indexed by place, since it is looked up for every item of every question.
    shelf: Vec<Option<Shelved>>,
    places: HashMap<Key, Vec<Place>>,
    /// The last message of each conversation; later messages are appended after it.
    ends: HashMap<ConversationId, MessageId>,
    /// The memories that each of the companion's answers was given with, in the order of the answers.
    drawn: BTreeMap<MessageId, Vec<Drawn>>,
    /// Places that contain text private by its kind, with the words that reveal it.
    secret: HashMap<Place, Vec<String>>,
    pub facts: BTreeMap<FactId, StoredFact>,
    /// The version of the facts.
    pub version: Version,
    fact_vectors: Vectors,
}

impl Library {
    pub fn new(names: &Names, zone: TimeZone) -> Self {
        let Names { user, companion } = names;
        Self {
            index: Index::new(People::new([user.clone(), companion.clone()])),
            zone,
            user: user.clone(),
            companion: companion.clone(),
            shelf: Vec::new(),
            places: HashMap::new(),
            ends: HashMap::new(),
            drawn: BTreeMap::new(),
            secret: HashMap::new(),
            facts: BTreeMap::new(),
            version: Version::default(),
            fact_vectors: Vectors::new(0),
        }
    }

    pub fn read(&self, question: &str) -> Question {
        self.index.read(question)
    }

    /// Looks up a question's words, before its vector is available.
    pub fn hear(&self, question: Question, reader: &Reader) -> Heard {
        self.index.hear(question, self.hidden(reader))
    }

    /// Returns `heard`, looked up again if items were added or removed since.
    pub fn still(&self, heard: Heard, reader: &Reader) -> Heard {
        let hidden = self.hidden(reader);
        self.index.still(heard, hidden)
    }

    fn day(&self, at: Timestamp) -> Date {
        at.to_zoned(self.zone.clone()).date()
    }

    fn put(&mut self, key: Key, thread: u64, speaker: &str, at: Timestamp, text: &str, shelved: Shelved) {
        let place = self.index.add(&Entry { thread, speaker, day: self.day(at), text });
        let at = place as usize;
        if self.shelf.len() <= at {
            self.shelf.resize_with(at + 1, || None);
        }
        self.shelf[at] = Some(shelved);
        if facts::has_secret(text) {
            self.secret.insert(place, facts::secret_words(text).map(str::to_owned).collect());
        }
        self.places.entry(key).or_default().push(place);
    }

    pub fn remove(&mut self, key: Key) {
        if key.kind == MemoryKind::Message {
            self.drawn.remove(&MessageId::new(key.item));
        }
        for place in self.places.remove(&key).unwrap_or_default() {
            self.index.remove(place);
            self.secret.remove(&place);
            self.shelf[place as usize] = None;
        }
    }

    /// Returns true if a message can be appended to its conversation without moving others.
    pub fn is_next(&self, message: &SaidMessage) -> bool {
        self.ends.get(&message.conversation).is_none_or(|&end| end < message.id)
    }

    pub fn add_message(&mut self, message: &SaidMessage) {
        let speaker = match message.role {
            Role::User => self.user.clone(),
            Role::Assistant => self.companion.clone(),
        };
        let SaidMessage { id, conversation, role, at, content, drawn, .. } = message;
        let told = letters_told(message);
        let shelved = Shelved::Message { id: *id, conversation: *conversation, role: *role, told };
        if !drawn.is_empty() {
            self.drawn.insert(*id, drawn.clone());
        }
        self.put(Key::message(*id), conversation.get().cast_unsigned(), &speaker, *at, content, shelved);
        self.ends.insert(*conversation, *id);
    }

    pub fn drop_conversation(&mut self, conversation: ConversationId) {
        let of = |shelved: &Shelved| match shelved {
            Shelved::Message { id, conversation: own, .. } if *own == conversation => Some(Key::message(*id)),
            Shelved::Summary { conversation: own, .. } if *own == conversation => Some(summary_key(*own)),
            _ => None,
        };
        let keys: Vec<Key> = self.shelf.iter().flatten().filter_map(of).collect();
        for key in keys {
            self.remove(key);
        }
        self.ends.remove(&conversation);
    }

    pub fn add_summary(&mut self, summary: SaidSummary) {
        let SaidSummary { conversation, up_to, at, text, origins, .. } = summary;
        let key = summary_key(conversation);
        self.remove(key);
        let thread = OTHER_THREADS | conversation.get().cast_unsigned();
        let shelved = Shelved::Summary { conversation, up_to, at, text: text.clone(), origins };
        self.put(key, thread, "", at, &text, shelved);
    }

    pub fn drop_summary(&mut self, conversation: ConversationId) {
        self.remove(summary_key(conversation));
    }

    pub fn add_entry(&mut self, saved: SavedEntry) {
        let key = Key { kind: MemoryKind::Entry, item: saved.row };
        self.remove(key);
        let at = saved.entry.updated_at.parse().unwrap_or(Timestamp::UNIX_EPOCH);
        let thread = OTHER_THREADS | saved.row.cast_unsigned();
        let text = saved.entry.content.clone();
        self.put(key, thread, "", at, &text, Shelved::Entry(saved));
    }

    fn places_of(&self, key: Key) -> impl Iterator<Item = Place> {
        self.places.get(&key).into_iter().flatten().copied()
    }

    fn shelved(&self, place: Place) -> Option<&Shelved> {
        self.shelf.get(place as usize)?.as_ref()
    }

    /// Sets the current files. Unchanged ones stay in place.
    pub fn set_files(&mut self, files: &[FileText]) {
        let pieces: Vec<(Key, &FileText, &str)> = files
            .iter()
            .flat_map(|file| pieces(&file.text).map(move |piece| (file_key(&file.name, piece), file, piece)))
            .collect();
        let wanted: HashSet<Key> = pieces.iter().map(|(key, ..)| *key).collect();
        let gone: Vec<Key> = self
            .places
            .keys()
            .filter(|key| key.kind == MemoryKind::File && !wanted.contains(key))
            .copied()
            .collect();
        for key in gone {
            self.remove(key);
        }
        for (key, file, piece) in pieces {
            if self.places.contains_key(&key) {
                continue;
            }
            let thread = OTHER_THREADS | file_key(&file.name, "").item.cast_unsigned();
            let FileText { name, at, origins, .. } = file;
            let shelved = Shelved::File {
                name: name.clone(),
                item: key.item,
                at: *at,
                text: piece.to_owned(),
                origins: origins.clone(),
            };
            self.put(key, thread, "", *at, piece, shelved);
        }
    }

    /// Yields the ids of the file pieces, under which their vectors are stored.
    pub fn file_items(&self) -> impl Iterator<Item = i64> {
        self.places.keys().filter(|key| key.kind == MemoryKind::File).map(|key| key.item)
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
    pub fn load_vectors(&mut self, dimensions: usize, regions: Option<Regions>, kept: &[KeptVector]) {
        self.fact_vectors = Vectors::new(dimensions);
        for KeptVector { item, vector, .. } in kept.iter().filter(|kept| kept.kind == MemoryKind::Fact) {
            self.set_vector(Key::fact(FactId::new(*item)), vector);
        }
        let empty = regions.map_or_else(|| Meanings::new(dimensions), Meanings::with_regions);
        let Self { index, places, .. } = self;
        let placed = kept.iter().flat_map(|KeptVector { kind, item, vector, region }| {
            let places = places.get(&Key { kind: *kind, item: *item }).into_iter().flatten();
            places.map(|&place| (place, vector.as_slice(), region.map(RegionId::from_number)))
        });
        index.load_vectors(empty, placed);
    }

    /// Returns the data for building regions, if that is due.
    pub fn sample_for_regions(&self) -> Option<RegionSample> {
        self.index.meanings().sample_for_regions()
    }

    pub fn use_regions(&mut self, regions: Regions) {
        self.index.meanings_mut().use_regions(regions);
    }

    /// Assigns at most `most` vectors to their regions, and returns the items whose region has changed since the last
    /// call.
    pub fn assign_regions(&mut self, most: usize) -> Vec<(Key, RegionId)> {
        let meanings = self.index.meanings_mut();
        meanings.assign_regions(most);
        let moved = meanings.take_moved().into_iter();
        moved.filter_map(|(place, region)| Some((self.shelved(place)?.key(), region))).collect()
    }

    /// Sets an encoded vector. One of another model is ignored.
    pub fn set_vector(&mut self, key: Key, code: &[u8]) {
        if key.kind == MemoryKind::Fact {
            if self.facts.contains_key(&FactId::new(key.item)) {
                let _ = self.fact_vectors.restore(key.item.cast_unsigned(), code, None);
            }
            return;
        }
        for place in self.places.get(&key).cloned().unwrap_or_default() {
            self.index.set_vector(place, code);
        }
    }

    /// Returns the vector of an item, so that it can be set again when the item is moved.
    pub fn vector(&self, key: Key) -> Option<Vec<u8>> {
        self.index.vector(*self.places.get(&key)?.first()?).map(<[u8]>::to_vec)
    }

    /// Prepares the comparison of facts with a question.
    pub fn compare_facts(&self, question: &[f32]) -> Option<Comparison<'_>> {
        self.fact_vectors.compare(question)
    }

    /// Returns items without a vector, newest first, at most `most`; messages by id only, since their text is in the
    /// store. Items that reveal something private are left out unless the model `is_here`.
    pub fn without_vectors(
        &self,
        most: usize,
        wanted: fn(MemoryKind) -> bool,
        is_here: bool,
    ) -> Vec<(Key, Option<String>)> {
        let withheld = self.hidden(of_model(is_here));
        let is_withheld = |place: Place| withheld.get(place as usize).is_some_and(|&withheld| withheld);
        let facts = self
            .facts
            .values()
            .filter(|fact| wanted(MemoryKind::Fact) && (is_here || !fact.said.private))
            .filter(|fact| !self.fact_vectors.contains(fact.id.get().cast_unsigned()))
            .map(|fact| (Key::fact(fact.id), Some(fact.said.content.clone())));
        // Newest first, and lazily, only as many as are wanted.
        let places = (0..self.shelf.len()).rev().filter_map(|place| Place::try_from(place).ok());
        let bare = places.filter(|&place| !self.index.has_vector(place) && !is_withheld(place));
        let shelved = bare.filter_map(|place| self.shelved(place));
        let shelved = shelved.filter(|shelved| wanted(shelved.key().kind));
        facts.chain(shelved.map(|shelved| (shelved.key(), shelved.text()))).take(most).collect()
    }

    /// Returns the part of a text that is embedded.
    pub fn embeddable(&self, text: &str) -> String {
        self.index.embeddable(text)
    }

    pub fn search(&self, asked: &Asked<'_>) -> Searched {
        let left_out = self.left_out(asked);
        let leaves_out = |place: Place| left_out[place as usize];
        let told = self.told(asked);
        let search = Search {
            heard: asked.heard,
            vector: asked.vector,
            today: asked.today,
            weights: Weights::default(),
            is_reading: asked.is_reading,
            leaves_out: &leaves_out,
        };
        let most = if told.is_some() { usize::MAX } else { asked.most };
        let mut all = self.index.search(&search, most);
        let (is_refused, sureness) = (all.is_refused(), all.sureness());
        let whole = told.map(|told| self.whole(told, &all.found, asked.heard.is_of_then()));
        all.found.truncate(asked.most);
        let near = if is_refused { Vec::new() } else { all.without_distant().found };
        Searched { hits: self.hits(&near), is_refused, whole, sureness }
    }

    fn hits<'a>(&self, found: impl IntoIterator<Item = &'a Found>) -> Vec<Hit> {
        let hit = |found: &Found| {
            let shelved = self.shelved(found.place)?.clone();
            Some(Hit { shelved, parts: found.parts, score: found.score })
        };
        found.into_iter().filter_map(hit).collect()
    }

    /// Returns the number of items without a vector that a model here or elsewhere may read.
    pub fn unread(&self, is_here: bool) -> usize {
        let withheld = self.hidden(of_model(is_here));
        let is_withheld = |place: Place| withheld.get(place as usize).is_some_and(|&withheld| withheld);
        let places = (0..).zip(&self.shelf).filter(|(_, shelved)| shelved.is_some()).map(|(place, _)| place);
        places.filter(|&place| !self.index.has_vector(place) && !is_withheld(place)).count()
    }

    /// Returns the number of items, not counting facts.
    pub fn len(&self) -> usize {
        self.index.len()
    }

    /// Returns, by place, the items that must not be found: it is looked up for every item of every question.
    fn left_out(&self, asked: &Asked<'_>) -> Vec<bool> {
        let Asked { known, today, .. } = *asked;
        let stale = self.stale(today);
        let messages = known.iter().chain(&stale).map(|&id| Key::message(id));
        let mut left_out = vec![false; self.shelf.len()];
        for place in messages.flat_map(|key| self.places_of(key)) {
            left_out[place as usize] = true;
            // A summary of messages that are in the model's context already adds nothing.
            let Some(Shelved::Message { conversation, .. }) = self.shelved(place) else { continue };
            for place in self.places_of(summary_key(*conversation)) {
                if matches!(self.shelved(place), Some(Shelved::Summary { up_to, .. }) if known.contains(up_to))
                {
                    left_out[place as usize] = true;
                }
            }
        }
        left_out
    }

    /// Returns the entries of the vector store that match a question, best first.
    pub fn search_entries(
        &self,
        question: Question,
        vector: Option<&[f32]>,
        today: Date,
        most: usize,
        reader: &Reader,
    ) -> Vec<Hit> {
        let hidden = self.hidden(reader);
        let leaves_out = |place: Place| {
            let is_entry = matches!(self.shelved(place), Some(Shelved::Entry(_)));
            !is_entry || hidden.get(place as usize).is_some_and(|&hidden| hidden)
        };
        let heard = self.hear(question, reader);
        let search = Search {
            heard: &heard,
            vector,
            today,
            weights: Weights::default(),
            is_reading: false,
            leaves_out: &leaves_out,
        };
        let near = self.index.search(&search, most).found.into_iter();
        let near = near.filter(|found| found.parts.words > 0.0 || found.parts.meaning >= NEAR_ENOUGH);
        self.hits(&near.collect::<Vec<_>>())
    }

    /// Returns the conversations that match a question, best first.
    pub fn conversations(
        &self,
        question: Question,
        vector: Option<&[f32]>,
        today: Date,
    ) -> Vec<ConversationId> {
        let heard = self.hear(question, &Reader::Person);
        let search = Search {
            heard: &heard,
            vector,
            today,
            weights: Weights::default(),
            is_reading: false,
            leaves_out: &|_| false,
        };
        let threads = self.index.threads(&search).into_iter();
        let own = threads.filter(|(thread, _)| thread & OTHER_THREADS == 0);
        own.map(|(thread, _)| ConversationId::new(thread.cast_signed())).collect()
    }
}

/// Returns the reader that stands for a model on this machine or elsewhere.
fn of_model(is_here: bool) -> &'static Reader {
    if is_here { &Reader::Person } else { &Reader::Other }
}
