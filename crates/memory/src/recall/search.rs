//! Ranks items by how well they match a question, and decides whether any does.

use std::collections::HashMap;

use jiff::civil::Date;
use vectors::Comparison;

use super::dates::{self, Named};
use super::index::{Index, Item, Place, Reach, Speaker};
use super::meaning::{self, MANY, Nearness};
use super::question::Question;
use crate::version::Version;

/// The weights of the parts of a score. Each part has a scale of its own that is the same in every memory, so that the
/// parts can be added without regard to the rest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weights {
    pub words: f32,
    /// The similarity of the vectors, blended with an item's neighbours.
    pub meaning: f32,
    pub speaker: f32,
    pub day: f32,
    pub month: f32,
    pub length: f32,
    pub telling: f32,
    /// A time is named, if the question asks for one.
    pub time: f32,
    pub recency: f32,
}

impl Default for Weights {
    fn default() -> Self {
        Self {
            words: 0.8,
            meaning: 1.0,
            speaker: 0.35,
            day: 0.6,
            month: 0.25,
            length: 0.05,
            telling: 0.03,
            time: 0.12,
            recency: 0.05,
        }
    }
}

/// The speaker weight for the first of two people who are not joined by *and*: usually the one who acted.
const FIRST_OF_SEVERAL: f32 = 0.5;
/// The half-life of an item's recency, in days.
const FRESH_DAYS: f32 = 60.0;
/// The sharpness of the soft maximum of a thread's item scores.
const SHARPNESS: f32 = 0.05;
/// Below this, it was another person who said what is asked about.
const OWN_WORDS: f32 = -0.16;
/// The minimum scores for items to count.
struct Floor {
    /// Below this, nothing matches the question.
    content: f32,
    /// Below this, it is uncertain that anything answers, and only the few best are kept.
    unsure: f32,
    /// Below this, an item has nothing to do with the question, whatever else matches.
    item: f32,
    /// Items whose score is below this fraction of the best one's are left out.
    behind: f32,
}

/// The similarity of an item without a vector, as a fraction of the share of the question's words that it has.
const UNREAD: f32 = 0.5;

const BY_MEANING: Floor = Floor { content: 0.4, unsure: 0.6, item: 0.2, behind: 0.55 };
/// With words alone, the thresholds have to be much lower.
const BY_WORDS: Floor = Floor { content: 0.02, unsure: 0.4, item: 0.01, behind: 0.4 };
const FEW: usize = 5;
/// The certainty of an answer if the person asked about said as much of it as others did, and its increase if they said
/// more.
const EVEN: f32 = 0.7;
const OWN_SCALE: f32 = 2.0;
/// With very many items, the number compared by words and the number compared by date.
const SPOKEN: usize = 500;
const DATED: usize = 1_000;
/// The number of items that represent a person.
const WITNESSES: usize = 3;

/// The parts of an item's score.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Parts {
    pub words: f32,
    pub meaning: f32,
    pub person: f32,
    pub day: f32,
    /// The informativeness of the item, regardless of the question.
    pub telling: f32,
    /// It names a time, and the question asks for one.
    pub time: f32,
    pub recency: f32,
}

impl Parts {
    pub fn score(&self) -> f32 {
        self.content() + self.person + self.day + self.telling + self.time + self.recency
    }

    /// Returns the similarity of its content to the question.
    pub fn content(&self) -> f32 {
        self.words + self.meaning
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Found {
    pub place: Place,
    pub parts: Parts,
    pub score: f32,
    /// True if it corrects one of the best items, so that its own words need not match the question.
    pub corrects: bool,
}

/// The result of a search.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Ranked {
    /// The items, best first.
    pub found: Vec<Found>,
    /// The highest content similarity among items by the person asked about.
    pub content: f32,
    /// True if the question's vector and those of the items were available.
    by_meaning: bool,
    /// True if many items have no vector yet: what does not match by words may match by meaning later.
    is_reading: bool,
    /// The amount by which the person asked about said more of it than others did; `None` if no single person is named.
    pub own_words: Option<f32>,
}

impl Ranked {
    /// Returns true if the answer should be *I don't know that* instead of any item found.
    pub fn is_refused(&self) -> bool {
        if self.is_reading {
            return false;
        }
        self.found.is_empty()
            || self.content < self.floor().content && !self.is_dated()
            || self.own_words.is_some_and(|own| own < OWN_WORDS)
    }

    fn floor(&self) -> &'static Floor {
        if self.by_meaning { &BY_MEANING } else { &BY_WORDS }
    }

    /// Removes items that have nothing to do with the question, and keeps only a few if it is uncertain that any
    /// answers.
    #[must_use]
    pub fn without_distant(mut self) -> Self {
        let floor = self.floor();
        // A score by words alone is small, and the speaker or the recency would outweigh it.
        let by_meaning = self.by_meaning;
        let weight = |found: &Found| if by_meaning { found.score } else { found.parts.content() };
        let best = self.found.iter().map(weight).fold(0.0, f32::max);
        self.found.retain(|found| {
            let dated = found.parts.day > 0.0;
            let near = dated || found.corrects || found.parts.content() >= floor.item;
            near && (weight(found) >= floor.behind * best || found.corrects || dated && !by_meaning)
        });
        if self.content < floor.unsure && !self.is_dated() && !self.is_reading {
            self.found.truncate(FEW);
        }
        self
    }

    /// Returns true if the best item is from a day that the question names, in which case its words need not match.
    fn is_dated(&self) -> bool {
        self.found.first().is_some_and(|found| found.parts.day > 0.0)
    }

    /// Returns the certainty that the question can be answered, on one scale: the minimum of the limiting factors.
    pub fn sureness(&self) -> f32 {
        self.own_words.map_or(self.content, |own| self.content.min(EVEN + OWN_SCALE * own))
    }
}

/// A question with the scores of its words at each place.
pub struct Heard {
    question: Question,
    words: Vec<f32>,
    /// With very many items, those with most of its words or from its days; `None` if all are compared.
    few: Option<Vec<Place>>,
    /// Items hidden from the reader, by place: they are not found, and nothing is found through them. Empty if nothing
    /// is hidden.
    hidden: Vec<bool>,
    /// The version of the index at the time of the lookup.
    version: Version,
}

impl Heard {
    pub fn is_of_then(&self) -> bool {
        self.question.is_of_then
    }

    pub fn hides(&self, place: Place) -> bool {
        self.hidden.get(place as usize).is_some_and(|&hidden| hidden)
    }
}

/// A search request.
pub struct Search<'a> {
    /// Up to date with the index: see [`Index::still`].
    pub heard: &'a Heard,
    /// The question's vector, if there is a model for it.
    pub vector: Option<&'a [f32]>,
    pub today: Date,
    pub weights: Weights,
    /// True if many items still have no vector, so that meaning says little about which is nearest.
    pub is_reading: bool,
    /// Excludes places from the result.
    pub leaves_out: &'a dyn Fn(Place) -> bool,
}

impl Index {
    /// Looks up a question's words: everything that can be done before its vector is available.
    pub fn hear(&self, question: Question, hidden: Vec<bool>) -> Heard {
        let words = self.words(&question.terms, Reach::Wide, &hidden);
        let few = (self.len() > MANY).then(|| spoken(&words).chain(self.dated(&question.dates)).collect());
        Heard { question, words, few, hidden, version: self.version }
    }

    /// Returns `heard`, looked up again if items were added or removed since.
    pub fn still(&self, heard: Heard, hidden: Vec<bool>) -> Heard {
        let is_same = heard.version == self.version && heard.hidden == hidden;
        if is_same { heard } else { self.hear(heard.question, hidden) }
    }

    /// Returns the best `most` items.
    pub fn search(&self, search: &Search<'_>, most: usize) -> Ranked {
        let weighing = Weighing::new(self, search);
        let mut weighed = weighing.all();
        let question = &search.heard.question;
        let subject = question.only_person().map(|name| self.speaker(name));
        // Files and summaries have no speaker and may be about any person.
        let nobody = self.speaker("");
        let of_subject = weighed.iter().filter(|one| {
            let speaker = self.item(one.place).map(|item| item.speaker);
            subject.is_none_or(|subject| speaker == subject || speaker == nobody)
        });
        let content = of_subject.map(|one| one.content).fold(0.0, f32::max);
        let own_words = question.named_person().map(|name| self.own_words(&weighing, name));
        // A later correction does not change how things were at the time asked about.
        if !question.is_of_then {
            self.raise_corrections(&mut weighed, &question.terms);
        }
        let order = |one: &Weighed, other: &Weighed| {
            other.score.total_cmp(&one.score).then(one.place.cmp(&other.place))
        };
        if weighed.len() > most && most > 0 {
            weighed.select_nth_unstable_by(most - 1, order);
            weighed.truncate(most);
        }
        weighed.sort_by(order);
        let found = weighed.iter().filter_map(|&Weighed { place, score, corrects, .. }| {
            let item = self.item(place)?;
            let parts = weighing.parts(place, item, &weighing.day(item));
            Some(Found { place, parts, score, corrects })
        });
        let by_meaning = search.vector.is_some() && !search.is_reading;
        Ranked { found: found.collect(), content, by_meaning, is_reading: search.is_reading, own_words }
    }

    /// Returns the matching threads, best first. Each is represented by its best items.
    pub fn threads(&self, search: &Search<'_>) -> Vec<(u64, f32)> {
        let mut best: HashMap<u64, Vec<f32>> = HashMap::new();
        for one in Weighing::new(self, search).all() {
            if let Some(item) = self.item(one.place) {
                best.entry(item.thread).or_default().push(one.score);
            }
        }
        let soft = |scores: Vec<f32>| {
            let top = scores.iter().copied().fold(f32::MIN, f32::max);
            let sum: f32 = scores.iter().map(|score| ((score - top) / SHARPNESS).exp()).sum();
            top + SHARPNESS * sum.ln()
        };
        let mut threads: Vec<(u64, f32)> =
            best.into_iter().map(|(thread, scores)| (thread, soft(scores))).collect();
        threads.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
        threads
    }

    /// Yields the newest items of the days and months that a question names.
    fn dated(&self, named: &[Named]) -> impl Iterator<Item = Place> {
        let is_named = |item: &Item| dates::nearness(named, item.day) != dates::Nearness::default();
        let mut last: Option<(i32, bool)> = None;
        let places = self.places().rev().filter(move |(_, item)| {
            let known = last.filter(|(number, _)| *number == item.number);
            let day = known.unwrap_or_else(|| (item.number, is_named(item)));
            last = Some(day);
            day.1
        });
        let most = if named.is_empty() { 0 } else { DATED };
        places.take(most).map(|(place, _)| place)
    }

    /// Compares how much of it the person asked about said with how much others did: most wrong matches are another
    /// person's words.
    fn own_words(&self, weighing: &Weighing<'_>, name: &str) -> f32 {
        let search = weighing.search;
        let words = self.words(&search.heard.question.terms, Reach::Narrow, &search.heard.hidden);
        let alone = search.vector.and_then(|vector| self.meanings.alone(vector));
        let name = self.speaker(name);
        let (mut own, mut others) = ((Vec::new(), Vec::new()), (Vec::new(), Vec::new()));
        for (place, item) in weighing.looked_at() {
            let side = if Some(item.speaker) == name { &mut own } else { &mut others };
            side.0.push(words[place as usize]);
            if let Some(alone) = &alone {
                let near = |place: Place| alone.cosine(place.into()).unwrap_or_default();
                let asked = self.step(place, -1).filter(|&before| {
                    self.item(before).is_some_and(|it| it.asks) && !search.heard.hides(before)
                });
                let asked = asked.map_or(0.0, |before| 0.3 * near(before));
                side.1.push(near(place) + asked);
            }
        }
        top(&mut own.0) - top(&mut others.0) + 0.5 * (top(&mut own.1) - top(&mut others.1))
    }

    pub(super) fn places(&self) -> impl DoubleEndedIterator<Item = (Place, &Item)> {
        let places = 0..Place::try_from(self.items.len()).unwrap_or(Place::MAX);
        places.zip(&self.items).filter_map(|(place, item)| Some((place, item.as_ref()?)))
    }
}

/// A question with the similarity of each item by words and by meaning.
struct Weighing<'a> {
    index: &'a Index,
    search: &'a Search<'a>,
    near: Nearness,
    /// Similarity without neighbours, for items beside which something is hidden.
    alone: Option<Comparison<'a>>,
    /// With very many items, those that match by words, by date or by meaning.
    few: Option<Vec<Place>>,
    /// The speaker who is asked about, and the weight of that.
    subject: Option<(Speaker, f32)>,
    today: i32,
}

/// Only what the selection of the best needs, since there may be very many.
pub(super) struct Weighed {
    pub(super) place: Place,
    pub(super) score: f32,
    content: f32,
    pub(super) corrects: bool,
}

/// The score parts that all items of one day share.
#[derive(Clone, Copy)]
struct OfDay {
    number: i32,
    day: f32,
    recency: f32,
}

impl<'a> Weighing<'a> {
    fn new(index: &'a Index, search: &'a Search<'a>) -> Self {
        let Heard { question, few, .. } = search.heard;
        let near = |vector| index.meanings.near(vector, few.as_deref());
        let near = search.vector.map_or_else(Nearness::default, near);
        let few = few.as_ref().map(|few| {
            let mut few: Vec<Place> = few.iter().chain(near.nearest()).copied().collect();
            few.sort_unstable();
            few.dedup();
            few
        });
        let subject = match question.persons.as_slice() {
            [only] => Some((only, 1.0)),
            [first, _, ..] if question.is_about_first => Some((first, FIRST_OF_SEVERAL)),
            _ => None,
        };
        let subject = subject.and_then(|(name, weight)| Some((index.speaker(name)?, weight)));
        let hides = !search.heard.hidden.is_empty();
        let alone = search.vector.filter(|_| hides).and_then(|vector| index.meanings.alone(vector));
        Self { index, search, near, alone, few, subject, today: dates::number(search.today) }
    }

    fn all(&self) -> Vec<Weighed> {
        let mut last: Option<OfDay> = None;
        let weighed = self.looked_at().map(|(place, item)| {
            // Consecutive items are mostly from the same day.
            let day = last.filter(|last| last.number == item.number).unwrap_or_else(|| self.day(item));
            last = Some(day);
            let parts = self.parts(place, item, &day);
            Weighed { place, score: parts.score(), content: parts.content(), corrects: false }
        });
        weighed.collect()
    }

    fn looked_at(&self) -> impl Iterator<Item = (Place, &Item)> {
        let all = self.few.is_none().then(|| self.index.places());
        let few = self.few.iter().flatten().filter_map(|&place| Some((place, self.index.item(place)?)));
        let seen = |place| !(self.search.leaves_out)(place) && !self.search.heard.hides(place);
        all.into_iter().flatten().chain(few).filter(move |&(place, _)| seen(place))
    }

    /// Returns the similarity of an item by meaning, as far as it is known.
    fn nearness(&self, place: Place) -> f32 {
        if self.search.vector.is_some() && !self.index.has_vector(place) {
            return UNREAD * self.search.heard.words[place as usize].min(1.0);
        }
        let Some(alone) = &self.alone else { return self.near.of(place) };
        let beside = [-1, 1].into_iter().filter_map(|by| self.index.step(place, by));
        if beside.into_iter().any(|near| self.search.heard.hides(near)) {
            meaning::ALONE * alone.cosine(place.into()).unwrap_or_default()
        } else {
            self.near.of(place)
        }
    }

    fn day(&self, item: &Item) -> OfDay {
        let Search { heard, weights, .. } = self.search;
        let date = dates::nearness(&heard.question.dates, item.day);
        #[allow(clippy::cast_precision_loss, reason = "days")]
        let age = self.today.saturating_sub(item.number).max(0) as f32;
        OfDay {
            number: item.number,
            day: weights.day * date.day + weights.month * date.month,
            recency: weights.recency * (-age * std::f32::consts::LN_2 / FRESH_DAYS).exp(),
        }
    }

    #[inline]
    fn parts(&self, place: Place, item: &Item, of_day: &OfDay) -> Parts {
        let weights = &self.search.weights;
        let person = self.subject.filter(|(who, _)| *who == item.speaker).map_or(0.0, |(_, weight)| weight);
        Parts {
            words: weights.words * self.search.heard.words[place as usize],
            meaning: weights.meaning * self.nearness(place),
            person: weights.speaker * person,
            day: of_day.day,
            telling: weights.length * item.size + weights.telling * item.telling,
            time: if self.search.heard.question.is_of_time && item.names_time { weights.time } else { 0.0 },
            recency: of_day.recency,
        }
    }
}

/// Yields the items that have most of the question's words.
fn spoken(words: &[f32]) -> impl Iterator<Item = Place> {
    let mut spoken: Vec<(Place, f32)> =
        (0..).zip(words.iter().copied()).filter(|(_, words)| *words > 0.0).collect();
    if spoken.len() > SPOKEN {
        spoken.select_nth_unstable_by(SPOKEN, |one, other| other.1.total_cmp(&one.1));
        spoken.truncate(SPOKEN);
    }
    spoken.into_iter().map(|(place, _)| place)
}

/// Returns the mean of the largest scores.
fn top(scores: &mut [f32]) -> f32 {
    scores.sort_unstable_by(|one, other| other.total_cmp(one));
    let best = &scores[..scores.len().min(WITNESSES)];
    #[allow(clippy::cast_precision_loss, reason = "three at most")]
    let count = best.len().max(1) as f32;
    best.iter().sum::<f32>() / count
}
