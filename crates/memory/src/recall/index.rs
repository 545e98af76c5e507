//! The index of everything that can be recalled, for comparison with a question in one pass.
//!
//! Conversations spread content over several turns, such as a question and its answer. A turn's words therefore count
//! for its neighbours too, and a turn that follows a question is read together with it. The full-text search of the
//! store cannot rank like that, so it serves only the search by users.

use std::collections::HashMap;
use std::sync::LazyLock;

use regex::Regex;
use vectors::RegionId;

use super::dates;
use super::item::{IndexedItem, ItemPosition, NewItem, SpeakerNumber};
use super::item_vectors::ItemVectors;
use super::question::{ParsedQuestion, QuestionParser};
use crate::version::StateVersion;

/// Parameters for counting words: how quickly repetitions saturate, how much long texts are penalized, and how much
/// neighbouring items contribute.
struct Counting {
    rate: f32,
    length: f32,
    /// The shares of the two items before, the nearest last, and of the two after. A question contributes more to the
    /// item that follows it.
    before: [f32; 2],
    asked: f32,
    after: [f32; 2],
}

const WIDE: Counting = Counting { rate: 0.9, length: 0.5, before: [0.3, 0.5], asked: 1.0, after: [0.4, 0.2] };
const NARROW: Counting =
    Counting { rate: 0.3, length: 0.3, before: [0.0, 0.0], asked: 1.0, after: [0.0, 0.0] };

/// The range around an item in which words are counted.
#[derive(Debug, Clone, Copy)]
pub(super) enum NeighbourReach {
    /// For finding items: relevant words may be in neighbouring items.
    Wide,
    /// For determining who said something: only the speaker's own words and the question that they answer.
    Narrow,
}

impl NeighbourReach {
    fn counting(self) -> &'static Counting {
        match self {
            NeighbourReach::Wide => &WIDE,
            NeighbourReach::Narrow => &NARROW,
        }
    }
}

impl Counting {
    /// Returns the share of the words `by` positions away that counts here.
    fn share(&self, by: i8, is_question: bool) -> f32 {
        match by {
            0 => 1.0,
            1 => self.after[0],
            2 => self.after[1],
            -1 if is_question => self.asked,
            -1 => self.before[1],
            -2 => self.before[0],
            _ => 0.0,
        }
    }
}

/// Reduces the score of questions with few and common words, which cannot be answered with certainty.
const UNCERTAINTY: f32 = 3.0;

/// The index. Removed items leave no data behind.
#[derive(Debug, Default)]
pub struct RecallIndex {
    question_parser: QuestionParser,
    speakers: Vec<String>,
    pub(super) items: Vec<Option<IndexedItem>>,
    free: Vec<ItemPosition>,
    /// The last item of each thread.
    ends: HashMap<u64, ItemPosition>,
    vocabulary: HashMap<String, u32>,
    postings: Vec<Vec<(ItemPosition, u16)>>,
    weighted_length: [f64; 2],
    pub(super) item_vectors: ItemVectors,
    /// Changes with every addition and removal.
    pub(super) version: StateVersion,
}

static TIME: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let words = "yesterday|today|tonight|tomorrow|last|next|ago|since|days?|weeks?|weekend|months?|years?|(?:19|20)\\d\\d|monday|tuesday|wednesday|\
        thursday|friday|saturday|sunday|january|february|march|april|june|july|august|september|october|november|\
        december|recently|just|soon|morning|evening|summer|winter|spring|fall";
    Regex::new(&format!(r"(?i)\b(?:{words})\b")).ok()
});
static INNER_NAME: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"[a-z,] ([A-Z][a-z]{2,})").ok());

impl RecallIndex {
    pub fn new(question_parser: QuestionParser) -> Self {
        Self { question_parser, ..Self::default() }
    }

    pub fn len(&self) -> usize {
        self.items.len() - self.free.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(super) fn item(&self, position: ItemPosition) -> Option<&IndexedItem> {
        self.items.get(position as usize)?.as_ref()
    }

    /// Adds an item at the end of its thread.
    pub fn add(&mut self, entry: &NewItem<'_>) -> ItemPosition {
        self.version.change();
        let position = self.free.pop().unwrap_or_else(|| {
            self.items.push(None);
            ItemPosition::try_from(self.items.len() - 1).unwrap_or(ItemPosition::MAX)
        });
        let terms = self.count_terms(entry.text);
        for &(term, count) in &terms {
            self.postings[term as usize].push((position, count));
        }
        let length: f32 = terms.iter().map(|&(_, count)| f32::from(count)).sum();
        let asks = entry.text.contains('?');
        let speaker = self.speaker_number(entry.speaker);
        let before = self.ends.insert(entry.thread, position);
        if let Some(before) = before.and_then(|before| self.items[before as usize].as_mut()) {
            before.after = Some(position);
        }
        self.items[position as usize] = Some(IndexedItem {
            thread: entry.thread,
            speaker,
            day: entry.day,
            day_number: dates::day_number(entry.day),
            size: (1.0 + length).ln(),
            length,
            terms,
            is_question: asks,
            reports_change: !asks && facts::reports_change(entry.text),
            informativeness: self.informativeness(entry.text) - if asks { 1.0 } else { 0.0 },
            names_time: !asks && names_time(entry.text),
            before,
            after: None,
            weighted_length: [0.0; 2],
        });
        for near in self.neighbourhood(position) {
            self.update_weighted_length(near);
        }
        position
    }

    /// Returns the number of a known speaker.
    pub(super) fn speaker(&self, name: &str) -> Option<SpeakerNumber> {
        self.speakers
            .iter()
            .position(|known| known == name)
            .and_then(|position| SpeakerNumber::try_from(position).ok())
    }

    fn speaker_number(&mut self, speaker: &str) -> SpeakerNumber {
        self.speaker(speaker).unwrap_or_else(|| {
            self.speakers.push(speaker.to_owned());
            SpeakerNumber::try_from(self.speakers.len() - 1).unwrap_or(SpeakerNumber::MAX)
        })
    }

    /// Removes an item. Its neighbours become adjacent.
    pub fn remove(&mut self, position: ItemPosition) {
        self.version.change();
        let near = self.neighbourhood(position);
        self.item_vectors.remove(position);
        let Some(item) = self.items.get_mut(position as usize).and_then(Option::take) else { return };
        self.free.push(position);
        for (sum, own) in self.weighted_length.iter_mut().zip(item.weighted_length) {
            *sum -= f64::from(own);
        }
        for &(term, _) in &item.terms {
            self.postings[term as usize].retain(|&(other, _)| other != position);
        }
        if let Some(before) = item.before.and_then(|before| self.items[before as usize].as_mut()) {
            before.after = item.after;
        }
        match (item.after.and_then(|after| self.items[after as usize].as_mut()), item.before) {
            (Some(after), before) => after.before = before,
            (None, Some(before)) => drop(self.ends.insert(item.thread, before)),
            (None, None) => drop(self.ends.remove(&item.thread)),
        }
        for near in near.into_iter().filter(|&near| near != position) {
            self.update_weighted_length(near);
            self.blend_around(near);
        }
    }

    /// Yields the items that contain all of these words.
    pub fn containing_all<'a>(&'a self, words: &[String]) -> impl Iterator<Item = ItemPosition> + use<'a> {
        let numbers: Option<Vec<u32>> = words.iter().map(|word| self.vocabulary.get(word).copied()).collect();
        let numbers = numbers.unwrap_or_default();
        let rarest =
            numbers.iter().map(|&number| &self.postings[number as usize]).min_by_key(|list| list.len());
        let positions = rarest.into_iter().flatten().map(|&(position, _)| position);
        positions.filter(move |&position| {
            let has = |number: &u32| {
                self.item(position).is_some_and(|item| item.terms.iter().any(|(term, _)| term == number))
            };
            numbers.iter().all(has)
        })
    }

    /// Returns the numbers of the words that the index knows.
    pub(super) fn term_numbers(&self, words: &[String]) -> Vec<u32> {
        words.iter().filter_map(|word| self.vocabulary.get(word).copied()).collect()
    }

    /// Returns the positions of a word, each with its count.
    pub(super) fn postings_of(&self, term: u32) -> Option<&[(ItemPosition, u16)]> {
        self.postings.get(term as usize).map(Vec::as_slice)
    }

    /// Counts the words of a text, by number.
    fn count_terms(&mut self, text: &str) -> Vec<(u32, u16)> {
        let mut counts: Vec<(u32, u16)> = Vec::new();
        for term in text::terms(text) {
            let next = u32::try_from(self.postings.len()).unwrap_or(u32::MAX);
            let number = *self.vocabulary.entry(term).or_insert(next);
            if number == next {
                self.postings.push(Vec::new());
            }
            match counts.iter_mut().find(|(known, _)| *known == number) {
                Some((_, count)) => *count = count.saturating_add(1),
                None => counts.push((number, 1)),
            }
        }
        counts
    }

    /// Scores words that name a time and names inside a sentence, which indicate that something is stated.
    fn informativeness(&self, text: &str) -> f32 {
        let named = INNER_NAME.as_ref().is_some_and(|names| {
            names.captures_iter(text).any(|found| !self.question_parser.knows(&found[1]))
        });
        f32::from(u8::from(names_time(text))) + f32::from(u8::from(named))
    }

    /// Returns the item and its up to two neighbours on each side.
    fn neighbourhood(&self, position: ItemPosition) -> Vec<ItemPosition> {
        (-2..=2).filter_map(|by| self.neighbour(position, by)).collect()
    }

    pub(super) fn neighbour(&self, position: ItemPosition, by: i8) -> Option<ItemPosition> {
        let item = self.item(position)?;
        match by {
            0 => Some(position),
            1.. => self.neighbour(item.after?, by - 1),
            _ => self.neighbour(item.before?, by + 1),
        }
    }

    fn update_weighted_length(&mut self, position: ItemPosition) {
        let mut around = [0.0_f32; 2];
        for by in -2..=2 {
            let Some(near) = self.neighbour(position, by).and_then(|other| self.item(other)) else {
                continue;
            };
            for (sum, counting) in around.iter_mut().zip([&WIDE, &NARROW]) {
                *sum += counting.share(by, near.is_question) * near.length;
            }
        }
        if let Some(item) = self.items[position as usize].as_mut() {
            for (which, around) in around.into_iter().enumerate() {
                self.weighted_length[which] += f64::from(around) - f64::from(item.weighted_length[which]);
                item.weighted_length[which] = around;
            }
        }
    }

    /// Returns the weight of a word, which is higher the rarer it is.
    fn rarity(&self, with: usize) -> f32 {
        #[allow(clippy::cast_precision_loss)]
        let (all, with) = (self.len() as f32, with as f32);
        (1.0 + (all - with + 0.5) / (with + 0.5)).ln()
    }

    /// Scores how much of the question's words occur in each item and around it. Hidden items count as absent.
    pub(super) fn word_scores(&self, terms: &[String], reach: NeighbourReach, hidden: &[bool]) -> Vec<f32> {
        let (counting, which) = (reach.counting(), reach as usize);
        let mut scores = vec![0.0_f32; self.items.len()];
        #[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss)]
        let usual = ((self.weighted_length[which] / self.len().max(1) as f64) as f32).max(f32::MIN_POSITIVE);
        let mut here = vec![0.0_f32; self.items.len()];
        let mut touched: Vec<ItemPosition> = Vec::new();
        let mut mass = 0.0;
        for term in terms {
            let number = self.vocabulary.get(term);
            let postings = number.map_or(&[][..], |&number| self.postings[number as usize].as_slice());
            let is_open = |&&(position, _): &&(ItemPosition, u16)| {
                hidden.get(position as usize).is_none_or(|hidden| !hidden)
            };
            let open = postings.iter().filter(is_open);
            let count = if hidden.is_empty() { postings.len() } else { open.clone().count() };
            let rarity = self.rarity(count);
            mass += rarity;
            for &(position, count) in open {
                let Some(item) = self.item(position) else { continue };
                let mut add = |at: Option<ItemPosition>, share: f32| {
                    let Some(at) = at.filter(|_| share > 0.0) else { return };
                    let here = &mut here[at as usize];
                    if *here == 0.0 {
                        touched.push(at);
                    }
                    *here += share * f32::from(count);
                };
                // An occurrence here also counts for the neighbours, by the share that they take from this position.
                add(Some(position), 1.0);
                add(item.after, counting.share(-1, item.is_question));
                add(item.before, counting.share(1, item.is_question));
                if matches!(reach, NeighbourReach::Wide) {
                    add(self.neighbour(position, 2), counting.share(-2, item.is_question));
                    add(self.neighbour(position, -2), counting.share(2, item.is_question));
                }
            }
            for at in touched.drain(..) {
                let count = std::mem::take(&mut here[at as usize]);
                let around = self.item(at).map_or(usual, |item| item.weighted_length[which]);
                let damping = counting.rate * (1.0 - counting.length + counting.length * around / usual);
                scores[at as usize] += rarity * count * (counting.rate + 1.0) / (count + damping);
            }
        }
        for score in &mut scores {
            *score /= mass + UNCERTAINTY;
        }
        scores
    }

    pub fn parse_question(&self, question: &str) -> ParsedQuestion {
        self.question_parser.parse(question)
    }

    /// Sets the vector of an item, made from the text that [`RecallIndex::embeddable_text`] returns.
    pub fn set_vector(&mut self, position: ItemPosition, code: &[u8]) {
        if self.item(position).is_some() && self.item_vectors.set(position, code).is_ok() {
            self.blend_around(position);
        }
    }

    /// Returns the encoded vector of an item.
    pub fn vector(&self, position: ItemPosition) -> Option<&[u8]> {
        self.item_vectors.code(position)
    }

    /// Replaces all vectors with these. All are loaded before any is blended with its neighbours.
    pub fn load_vectors<'v>(
        &mut self,
        empty: ItemVectors,
        vectors: impl Iterator<Item = (ItemPosition, &'v [u8], Option<RegionId>)>,
    ) {
        self.item_vectors = empty;
        let mut loaded = Vec::new();
        for (position, code, region) in vectors {
            if self.item(position).is_some() && self.item_vectors.set(position, code).is_ok() {
                loaded.push((position, region));
            }
        }
        for (position, region) in loaded {
            self.blend(position, region);
        }
    }

    pub fn item_vectors(&self) -> &ItemVectors {
        &self.item_vectors
    }

    pub fn item_vectors_mut(&mut self) -> &mut ItemVectors {
        &mut self.item_vectors
    }

    pub fn has_vector(&self, position: ItemPosition) -> bool {
        self.item_vectors.contains(position)
    }

    /// Returns the text to embed: the names of the speakers are removed, since they distort a vector.
    pub fn embeddable_text(&self, text: &str) -> String {
        let plain = self.question_parser.without_names(text);
        if plain.is_empty() { " ".to_owned() } else { plain }
    }

    fn blend_around(&mut self, position: ItemPosition) {
        for by in -1..=1 {
            if let Some(near) = self.neighbour(position, by) {
                self.blend(near, None);
            }
        }
    }

    fn blend(&mut self, position: ItemPosition, region: Option<RegionId>) {
        let (before, after) = (self.neighbour(position, -1), self.neighbour(position, 1));
        self.item_vectors.blend(position, [before, after].into_iter().flatten(), region);
    }
}

#[cfg(test)]
#[path = "index_tests.rs"]
mod tests;

fn names_time(text: &str) -> bool {
    TIME.as_ref().is_some_and(|time| time.is_match(text))
}
