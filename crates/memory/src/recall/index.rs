//! The index of everything that can be recalled, for comparison with a question in one pass.
//!
//! Conversations spread content over several turns, such as a question and its answer. A turn's words therefore count
//! for its neighbours too, and a turn that follows a question is read together with it.

use std::collections::HashMap;
use std::sync::LazyLock;

use jiff::civil::Date;
use regex::Regex;
use vectors::RegionId;

use super::dates;
use super::meaning::Meanings;
use super::question::{People, Question};
use crate::version::Version;

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
pub(super) enum Reach {
    /// For finding items: relevant words may be in neighbouring items.
    Wide,
    /// For determining who said something: only the speaker's own words and the question that they answer.
    Narrow,
}

impl Reach {
    fn counting(self) -> &'static Counting {
        match self {
            Reach::Wide => &WIDE,
            Reach::Narrow => &NARROW,
        }
    }
}

impl Counting {
    /// Returns the share of the words `by` places away that counts here.
    fn share(&self, by: i8, asks: bool) -> f32 {
        match by {
            0 => 1.0,
            1 => self.after[0],
            2 => self.after[1],
            -1 if asks => self.asked,
            -1 => self.before[1],
            -2 => self.before[0],
            _ => 0.0,
        }
    }
}

/// Reduces the score of questions with few and common words, which cannot be answered with certainty.
const DOUBT: f32 = 3.0;

/// An item to add to the index: a turn of a conversation, or a standalone text.
#[derive(Debug, Clone)]
pub struct Entry<'a> {
    /// The thread in which neighbours are looked for.
    pub thread: u64,
    pub speaker: &'a str,
    pub day: Date,
    pub text: &'a str,
}

/// The position of an item in the index, stable for as long as the item exists.
pub type Place = u32;

/// The speaker as a number, since a question is compared with every item.
pub(super) type Speaker = u16;

#[derive(Debug, Clone)]
pub(super) struct Item {
    pub(super) thread: u64,
    pub(super) speaker: Speaker,
    pub(super) day: Date,
    /// The day as a number, for arithmetic.
    pub(super) number: i32,
    /// The significant words, by number, each with its count.
    terms: Vec<(u32, u16)>,
    length: f32,
    /// The amount of content, on a scale that grows more slowly than the length.
    pub(super) size: f32,
    pub(super) asks: bool,
    pub(super) telling: f32,
    /// True if it names a time, so that it can answer *when*.
    pub(super) names_time: bool,
    /// True if it speaks of a change.
    pub(super) turns: bool,
    before: Option<Place>,
    after: Option<Place>,
    /// The weighted length of the item and its neighbours, for the wide and the narrow reach.
    around: [f32; 2],
}

impl Item {
    /// Yields the significant words, by number.
    pub(super) fn terms(&self) -> impl Iterator<Item = u32> + '_ {
        self.terms.iter().map(|&(term, _)| term)
    }
}

/// The index. Removed items leave no data behind.
#[derive(Debug, Default)]
pub struct Index {
    people: People,
    speakers: Vec<String>,
    pub(super) items: Vec<Option<Item>>,
    free: Vec<Place>,
    /// The last item of each thread.
    ends: HashMap<u64, Place>,
    vocabulary: HashMap<String, u32>,
    postings: Vec<Vec<(Place, u16)>>,
    around: [f64; 2],
    pub(super) meanings: Meanings,
    /// Changes with every addition and removal.
    pub(super) version: Version,
}

static TIME: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let words = "yesterday|today|tonight|tomorrow|last|next|ago|since|days?|weeks?|weekend|months?|years?|(?:19|20)\\d\\d|monday|tuesday|wednesday|\
        thursday|friday|saturday|sunday|january|february|march|april|june|july|august|september|october|november|\
        december|recently|just|soon|morning|evening|summer|winter|spring|fall";
    Regex::new(&format!(r"(?i)\b(?:{words})\b")).ok()
});
static INNER_NAME: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"[a-z,] ([A-Z][a-z]{2,})").ok());

impl Index {
    pub fn new(people: People) -> Self {
        Self { people, ..Self::default() }
    }

    pub fn len(&self) -> usize {
        self.items.len() - self.free.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(super) fn item(&self, place: Place) -> Option<&Item> {
        self.items.get(place as usize)?.as_ref()
    }

    /// Adds an item at the end of its thread.
    pub fn add(&mut self, entry: &Entry<'_>) -> Place {
        self.version.change();
        let place = self.free.pop().unwrap_or_else(|| {
            self.items.push(None);
            Place::try_from(self.items.len() - 1).unwrap_or(Place::MAX)
        });
        let terms = self.count(entry.text);
        for &(term, count) in &terms {
            self.postings[term as usize].push((place, count));
        }
        let length: f32 = terms.iter().map(|&(_, count)| f32::from(count)).sum();
        let asks = entry.text.contains('?');
        let speaker = self.number_of(entry.speaker);
        let before = self.ends.insert(entry.thread, place);
        if let Some(before) = before.and_then(|before| self.items[before as usize].as_mut()) {
            before.after = Some(place);
        }
        self.items[place as usize] = Some(Item {
            thread: entry.thread,
            speaker,
            day: entry.day,
            number: dates::number(entry.day),
            size: (1.0 + length).ln(),
            length,
            terms,
            asks,
            turns: !asks && facts::tells_change(entry.text),
            telling: self.telling(entry.text) - if asks { 1.0 } else { 0.0 },
            names_time: !asks && names_time(entry.text),
            before,
            after: None,
            around: [0.0; 2],
        });
        for near in self.neighbourhood(place) {
            self.measure(near);
        }
        place
    }

    /// Returns the number of a known speaker.
    pub(super) fn speaker(&self, name: &str) -> Option<Speaker> {
        self.speakers.iter().position(|known| known == name).and_then(|place| Speaker::try_from(place).ok())
    }

    fn number_of(&mut self, speaker: &str) -> Speaker {
        self.speaker(speaker).unwrap_or_else(|| {
            self.speakers.push(speaker.to_owned());
            Speaker::try_from(self.speakers.len() - 1).unwrap_or(Speaker::MAX)
        })
    }

    /// Removes an item. Its neighbours become adjacent.
    pub fn remove(&mut self, place: Place) {
        self.version.change();
        let near = self.neighbourhood(place);
        self.meanings.clear(place);
        let Some(item) = self.items.get_mut(place as usize).and_then(Option::take) else { return };
        self.free.push(place);
        for (sum, own) in self.around.iter_mut().zip(item.around) {
            *sum -= f64::from(own);
        }
        for &(term, _) in &item.terms {
            self.postings[term as usize].retain(|&(other, _)| other != place);
        }
        if let Some(before) = item.before.and_then(|before| self.items[before as usize].as_mut()) {
            before.after = item.after;
        }
        match (item.after.and_then(|after| self.items[after as usize].as_mut()), item.before) {
            (Some(after), before) => after.before = before,
            (None, Some(before)) => drop(self.ends.insert(item.thread, before)),
            (None, None) => drop(self.ends.remove(&item.thread)),
        }
        for near in near.into_iter().filter(|&near| near != place) {
            self.measure(near);
            self.blend_around(near);
        }
    }

    /// Yields the items that contain all of these words.
    pub fn with_all<'a>(&'a self, words: &[String]) -> impl Iterator<Item = Place> + use<'a> {
        let numbers: Option<Vec<u32>> = words.iter().map(|word| self.vocabulary.get(word).copied()).collect();
        let numbers = numbers.unwrap_or_default();
        let rarest =
            numbers.iter().map(|&number| &self.postings[number as usize]).min_by_key(|list| list.len());
        let places = rarest.into_iter().flatten().map(|&(place, _)| place);
        places.filter(move |&place| {
            let has = |number: &u32| {
                self.item(place).is_some_and(|item| item.terms.iter().any(|(term, _)| term == number))
            };
            numbers.iter().all(has)
        })
    }

    /// Returns the numbers of the words that the index knows.
    pub(super) fn numbers(&self, words: &[String]) -> Vec<u32> {
        words.iter().filter_map(|word| self.vocabulary.get(word).copied()).collect()
    }

    /// Returns the places of a word, each with its count.
    pub(super) fn postings_of(&self, term: u32) -> Option<&[(Place, u16)]> {
        self.postings.get(term as usize).map(Vec::as_slice)
    }

    /// Counts the words of a text, by number.
    fn count(&mut self, text: &str) -> Vec<(u32, u16)> {
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
    fn telling(&self, text: &str) -> f32 {
        let named = INNER_NAME
            .as_ref()
            .is_some_and(|names| names.captures_iter(text).any(|found| !self.people.knows(&found[1])));
        f32::from(u8::from(names_time(text))) + f32::from(u8::from(named))
    }

    /// Returns the item and its up to two neighbours on each side.
    fn neighbourhood(&self, place: Place) -> Vec<Place> {
        (-2..=2).filter_map(|by| self.step(place, by)).collect()
    }

    pub(super) fn step(&self, place: Place, by: i8) -> Option<Place> {
        let item = self.item(place)?;
        match by {
            0 => Some(place),
            1.. => self.step(item.after?, by - 1),
            _ => self.step(item.before?, by + 1),
        }
    }

    fn measure(&mut self, place: Place) {
        let mut around = [0.0_f32; 2];
        for by in -2..=2 {
            let Some(near) = self.step(place, by).and_then(|other| self.item(other)) else { continue };
            for (sum, counting) in around.iter_mut().zip([&WIDE, &NARROW]) {
                *sum += counting.share(by, near.asks) * near.length;
            }
        }
        if let Some(item) = self.items[place as usize].as_mut() {
            for (which, around) in around.into_iter().enumerate() {
                self.around[which] += f64::from(around) - f64::from(item.around[which]);
                item.around[which] = around;
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
    pub(super) fn words(&self, terms: &[String], reach: Reach, hidden: &[bool]) -> Vec<f32> {
        let (counting, which) = (reach.counting(), reach as usize);
        let mut scores = vec![0.0_f32; self.items.len()];
        #[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss)]
        let usual = ((self.around[which] / self.len().max(1) as f64) as f32).max(f32::MIN_POSITIVE);
        let mut here = vec![0.0_f32; self.items.len()];
        let mut touched: Vec<Place> = Vec::new();
        let mut mass = 0.0;
        for term in terms {
            let number = self.vocabulary.get(term);
            let postings = number.map_or(&[][..], |&number| self.postings[number as usize].as_slice());
            let is_open =
                |&&(place, _): &&(Place, u16)| hidden.get(place as usize).is_none_or(|hidden| !hidden);
            let open = postings.iter().filter(is_open);
            let count = if hidden.is_empty() { postings.len() } else { open.clone().count() };
            let rarity = self.rarity(count);
            mass += rarity;
            for &(place, count) in open {
                let Some(item) = self.item(place) else { continue };
                let mut add = |at: Option<Place>, share: f32| {
                    let Some(at) = at.filter(|_| share > 0.0) else { return };
                    let here = &mut here[at as usize];
                    if *here == 0.0 {
                        touched.push(at);
                    }
                    *here += share * f32::from(count);
                };
                // An occurrence here also counts for the neighbours, by the share that they take from this place.
                add(Some(place), 1.0);
                add(item.after, counting.share(-1, item.asks));
                add(item.before, counting.share(1, item.asks));
                if matches!(reach, Reach::Wide) {
                    add(self.step(place, 2), counting.share(-2, item.asks));
                    add(self.step(place, -2), counting.share(2, item.asks));
                }
            }
            for at in touched.drain(..) {
                let count = std::mem::take(&mut here[at as usize]);
                let around = self.item(at).map_or(usual, |item| item.around[which]);
                let damping = counting.rate * (1.0 - counting.length + counting.length * around / usual);
                scores[at as usize] += rarity * count * (counting.rate + 1.0) / (count + damping);
            }
        }
        for score in &mut scores {
            *score /= mass + DOUBT;
        }
        scores
    }

    pub fn read(&self, question: &str) -> Question {
        self.people.read(question)
    }

    pub fn people(&self) -> &People {
        &self.people
    }

    /// Sets the vector of an item, made from the text that [`Index::embeddable`] returns.
    pub fn set_vector(&mut self, place: Place, code: &[u8]) {
        if self.item(place).is_some() && self.meanings.set(place, code).is_ok() {
            self.blend_around(place);
        }
    }

    /// Returns the encoded vector of an item.
    pub fn vector(&self, place: Place) -> Option<&[u8]> {
        self.meanings.code(place)
    }

    /// Replaces all vectors with these. All are loaded before any is blended with its neighbours.
    pub fn load_vectors<'v>(
        &mut self,
        empty: Meanings,
        vectors: impl Iterator<Item = (Place, &'v [u8], Option<RegionId>)>,
    ) {
        self.meanings = empty;
        let mut loaded = Vec::new();
        for (place, code, region) in vectors {
            if self.item(place).is_some() && self.meanings.set(place, code).is_ok() {
                loaded.push((place, region));
            }
        }
        for (place, region) in loaded {
            self.blend(place, region);
        }
    }

    pub fn meanings(&self) -> &Meanings {
        &self.meanings
    }

    pub fn meanings_mut(&mut self) -> &mut Meanings {
        &mut self.meanings
    }

    pub fn has_vector(&self, place: Place) -> bool {
        self.meanings.knows(place)
    }

    /// Returns the text to embed: the names of the speakers are removed, since they distort a vector.
    pub fn embeddable(&self, text: &str) -> String {
        let plain = self.people.without_names(text);
        if plain.is_empty() { " ".to_owned() } else { plain }
    }

    fn blend_around(&mut self, place: Place) {
        for by in -1..=1 {
            if let Some(near) = self.step(place, by) {
                self.blend(near, None);
            }
        }
    }

    fn blend(&mut self, place: Place, region: Option<RegionId>) {
        let (before, after) = (self.step(place, -1), self.step(place, 1));
        self.meanings.blend(place, [before, after].into_iter().flatten(), region);
    }
}

#[cfg(test)]
#[path = "index_tests.rs"]
mod tests;

fn names_time(text: &str) -> bool {
    TIME.as_ref().is_some_and(|time| time.is_match(text))
}
