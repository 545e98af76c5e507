//! Everything that can be recalled, ready to be compared with a question in one pass.
//!
//! What people say is spread over turns: a question here, its answer there. So a turn's words count for its
//! neighbours too, and a turn that follows a question is read together with it.

use std::collections::HashMap;
use std::sync::LazyLock;

use jiff::civil::Date;
use regex::Regex;

use super::dates;
use super::question::{People, Question};
use super::words;

/// What something weighs in a score. All parts are on scales of their own that mean the same in every memory, so that
/// they can be added without looking at the rest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weights {
    pub words: f32,
    /// The vector of the turn, and of the turn with its neighbours.
    pub vector: f32,
    pub window: f32,
    pub speaker: f32,
    pub day: f32,
    pub month: f32,
    pub length: f32,
    pub telling: f32,
}

impl Default for Weights {
    fn default() -> Self {
        Self {
            words: 0.8,
            vector: 0.7,
            window: 0.4,
            speaker: 0.35,
            day: 0.6,
            month: 0.25,
            length: 0.05,
            telling: 0.03,
        }
    }
}

/// How fast more of the same word stops counting, and how much long texts lose.
struct Saturation {
    rate: f32,
    length: f32,
}

const SATURATION: Saturation = Saturation { rate: 0.9, length: 0.5 };
/// A question of few and common words cannot be answered with certainty.
const DOUBT: f32 = 3.0;
/// Of two people who are not joined by *and*, the first is mostly the one who did it.
const FIRST_OF_SEVERAL: f32 = 0.5;

/// What is added to the index: a turn of a conversation, or something that stands alone.
#[derive(Debug, Clone)]
pub struct Entry<'a> {
    /// What belongs together; neighbours are looked for there.
    pub thread: u64,
    pub speaker: &'a str,
    pub day: Date,
    pub text: &'a str,
}

/// Where an item stands in the index. It stays the same for as long as the item is there.
pub type Place = u32;

#[derive(Debug, Clone)]
struct Item {
    thread: u64,
    speaker: String,
    day: Date,
    /// The words that tell something, by number, and how often each.
    terms: Vec<(u32, u16)>,
    length: f32,
    asks: bool,
    telling: f32,
    before: Option<Place>,
    after: Option<Place>,
    /// The length of it and of its neighbours, each as far as it counts here.
    around: f32,
}

/// The index. What is removed leaves nothing behind.
#[derive(Debug, Default)]
pub struct Index {
    people: People,
    items: Vec<Option<Item>>,
    free: Vec<Place>,
    /// The last item of each thread.
    ends: HashMap<u64, Place>,
    vocabulary: HashMap<String, u32>,
    postings: Vec<Vec<(Place, u16)>>,
    around: f64,
}

/// What an item has of a question.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Features {
    pub words: f32,
    pub speaker: f32,
    pub day: f32,
    pub month: f32,
    pub length: f32,
    pub telling: f32,
}

static TIME: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let words = "yesterday|today|tonight|tomorrow|last|next|ago|since|week|weekend|month|year|monday|tuesday|wednesday|\
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

    fn item(&self, place: Place) -> Option<&Item> {
        self.items.get(place as usize)?.as_ref()
    }

    /// Adds something behind the rest of its thread.
    pub fn add(&mut self, entry: &Entry<'_>) -> Place {
        let place = self.free.pop().unwrap_or_else(|| {
            self.items.push(None);
            Place::try_from(self.items.len() - 1).unwrap_or(Place::MAX)
        });
        let terms = self.count(entry.text);
        for &(term, count) in &terms {
            self.postings[term as usize].push((place, count));
        }
        let asks = entry.text.contains('?');
        let before = self.ends.insert(entry.thread, place);
        if let Some(before) = before.and_then(|before| self.items[before as usize].as_mut()) {
            before.after = Some(place);
        }
        self.items[place as usize] = Some(Item {
            thread: entry.thread,
            speaker: entry.speaker.to_owned(),
            day: entry.day,
            length: terms.iter().map(|&(_, count)| f32::from(count)).sum(),
            terms,
            asks,
            telling: self.telling(entry.text) - if asks { 1.0 } else { 0.0 },
            before,
            after: None,
            around: 0.0,
        });
        for near in self.neighbourhood(place) {
            self.measure(near);
        }
        place
    }

    /// Takes something out. Those around it close the gap.
    pub fn remove(&mut self, place: Place) {
        let near = self.neighbourhood(place);
        let Some(item) = self.items.get_mut(place as usize).and_then(Option::take) else { return };
        self.free.push(place);
        self.around -= f64::from(item.around);
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
        }
    }

    /// The words of a text by number, and how often each stands there.
    fn count(&mut self, text: &str) -> Vec<(u32, u16)> {
        let mut counts: Vec<(u32, u16)> = Vec::new();
        for term in words::terms(text) {
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

    /// Time words and names inside of a sentence: something is told.
    fn telling(&self, text: &str) -> f32 {
        let time = TIME.as_ref().is_some_and(|time| time.is_match(text));
        let named = INNER_NAME
            .as_ref()
            .is_some_and(|names| names.captures_iter(text).any(|found| !self.people.knows(&found[1])));
        f32::from(u8::from(time)) + f32::from(u8::from(named))
    }

    /// The item and those at most two before and after it.
    fn neighbourhood(&self, place: Place) -> Vec<Place> {
        (-2..=2).filter_map(|by| self.step(place, by)).collect()
    }

    fn step(&self, place: Place, by: i8) -> Option<Place> {
        let item = self.item(place)?;
        match by {
            0 => Some(place),
            1.. => self.step(item.after?, by - 1),
            _ => self.step(item.before?, by + 1),
        }
    }

    /// How much of the words `by` places away counts here.
    fn share(&self, other: Place, by: i8) -> f32 {
        match by {
            0 => 1.0,
            1 => 0.4,
            2 => 0.2,
            -1 if self.item(other).is_some_and(|item| item.asks) => 1.0,
            -1 => 0.5,
            -2 => 0.3,
            _ => 0.0,
        }
    }

    fn measure(&mut self, place: Place) {
        let near = (-2..=2).filter_map(|by| Some((self.step(place, by)?, by)));
        let around: f32 = near
            .map(|(other, by)| self.share(other, by) * self.item(other).map_or(0.0, |item| item.length))
            .sum();
        if let Some(item) = self.items[place as usize].as_mut() {
            self.around += f64::from(around) - f64::from(item.around);
            item.around = around;
        }
    }

    /// How much a word tells: the rarer the more.
    fn rarity(&self, with: usize) -> f32 {
        #[allow(clippy::cast_precision_loss)]
        let (all, with) = (self.len() as f32, with as f32);
        (1.0 + (all - with + 0.5) / (with + 0.5)).ln()
    }

    /// How much of the question's words stands at each item and around it.
    fn words(&self, terms: &[String]) -> Vec<f32> {
        let mut scores = vec![0.0_f32; self.items.len()];
        #[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss)]
        let usual = ((self.around / self.len().max(1) as f64) as f32).max(f32::MIN_POSITIVE);
        let mut here = vec![0.0_f32; self.items.len()];
        let mut touched: Vec<Place> = Vec::new();
        let mut mass = 0.0;
        for term in terms {
            let number = self.vocabulary.get(term);
            let postings = number.map_or(&[][..], |&number| self.postings[number as usize].as_slice());
            let rarity = self.rarity(postings.len());
            mass += rarity;
            for &(place, count) in postings {
                // What stands here counts for those around, as much as they count it.
                for by in -2..=2 {
                    let Some(at) = self.step(place, -by) else { continue };
                    if here[at as usize] == 0.0 {
                        touched.push(at);
                    }
                    here[at as usize] += self.share(place, by) * f32::from(count);
                }
            }
            for at in touched.drain(..) {
                let count = std::mem::take(&mut here[at as usize]);
                let around = self.item(at).map_or(usual, |item| item.around);
                let Saturation { rate, length } = SATURATION;
                let damping = rate * (1.0 - length + length * around / usual);
                scores[at as usize] += rarity * count * (rate + 1.0) / (count + damping);
            }
        }
        for score in &mut scores {
            *score /= mass + DOUBT;
        }
        scores
    }

    /// What each item has of a question, vectors aside.
    pub fn features(&self, question: &Question) -> Vec<Option<Features>> {
        let words = self.words(&question.terms);
        let (subject, weight) = match question.persons.as_slice() {
            [only] => (Some(only), 1.0),
            [first, _, ..] if question.is_about_first => (Some(first), FIRST_OF_SEVERAL),
            _ => (None, 0.0),
        };
        let items = self.items.iter().zip(words);
        items
            .map(|(item, words)| {
                let item = item.as_ref()?;
                let near = dates::nearness(&question.dates, item.day);
                Some(Features {
                    words,
                    speaker: if subject.is_some_and(|name| *name == item.speaker) { weight } else { 0.0 },
                    day: near.day,
                    month: near.month,
                    length: (1.0 + item.length).ln(),
                    telling: item.telling,
                })
            })
            .collect()
    }

    pub fn read(&self, question: &str) -> Question {
        self.people.read(question)
    }

    /// The items that fit a question, best first, with their scores. `near` says how near an item's vector is to the
    /// question's: of itself, and with its neighbours.
    pub fn ranked(
        &self,
        question: &Question,
        near: impl Fn(Place) -> (f32, f32),
        weights: &Weights,
    ) -> Vec<(Place, f32)> {
        let features = self.features(question);
        let mut scores: Vec<(Place, f32)> = (0..)
            .zip(&features)
            .filter_map(|(place, has)| {
                let has = (*has)?;
                let (vector, window) = near(place);
                let score = weights.words * has.words
                    + weights.vector * vector
                    + weights.window * window
                    + weights.speaker * has.speaker
                    + weights.day * has.day
                    + weights.month * has.month
                    + weights.length * has.length
                    + weights.telling * has.telling;
                Some((place, score))
            })
            .collect();
        scores.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        scores
    }
}

#[cfg(test)]
#[path = "index_tests.rs"]
mod tests;
