//! Which items fit a question, and whether any does.

use std::collections::HashMap;

use jiff::civil::Date;

use super::dates::{self, Named};
use super::index::{Index, Item, Place, Reach, Speaker};
use super::meaning::{self, MANY, Nearness};
use super::question::Question;
use crate::vectors::Comparison;
use crate::version::Version;

/// What something weighs in a score. All parts are on scales of their own that mean the same in every memory, so that
/// they can be added without looking at the rest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weights {
    pub words: f32,
    /// How near the vectors are, with what stands beside an item.
    pub meaning: f32,
    pub speaker: f32,
    pub day: f32,
    pub month: f32,
    pub length: f32,
    pub telling: f32,
    /// That a time is named, where one is asked for.
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

/// Of two people who are not joined by *and*, the first is mostly the one who did it.
const FIRST_OF_SEVERAL: f32 = 0.5;
/// The days after which half of an item's freshness is gone.
const FRESH_DAYS: f32 = 60.0;
/// How sharply the best items stand for their thread.
const SHARPNESS: f32 = 0.05;
/// Below this, what is asked about somebody was said by somebody else.
const OWN_WORDS: f32 = -0.16;
/// How near something has to come to count.
struct Floor {
    /// Below this, nothing comes near the question.
    content: f32,
    /// Below this, it is not sure that anything answers, and the few best must do.
    unsure: f32,
    /// Below this, an item has nothing to do with the question, whatever else does.
    item: f32,
    /// What falls so far behind the best is left out.
    behind: f32,
}

/// What the nearness of an item counts whose vector is yet to be made, for as much of the question as its words have.
const UNREAD: f32 = 0.5;

const BY_MEANING: Floor = Floor { content: 0.4, unsure: 0.6, item: 0.2, behind: 0.55 };
/// By words alone, much less can be asked for.
const BY_WORDS: Floor = Floor { content: 0.02, unsure: 0.4, item: 0.01, behind: 0.4 };
const FEW: usize = 5;
/// How surely a question can be answered where the person asked about said as much of it as others did, and how much
/// more surely where they said more.
const EVEN: f32 = 0.7;
const OWN_SCALE: f32 = 2.0;
/// Of very many items, so many are compared for their words, and so many for their day.
const SPOKEN: usize = 500;
const DATED: usize = 1_000;
/// So many items speak for a person.
const WITNESSES: usize = 3;

/// What an item's score is made of.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Parts {
    pub words: f32,
    pub meaning: f32,
    pub person: f32,
    pub day: f32,
    /// How much it tells, whatever is asked.
    pub telling: f32,
    /// It names a time, and one is asked for.
    pub time: f32,
    pub recency: f32,
}

impl Parts {
    pub fn score(&self) -> f32 {
        self.content() + self.person + self.day + self.telling + self.time + self.recency
    }

    /// How near it is by what it says.
    pub fn content(&self) -> f32 {
        self.words + self.meaning
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Found {
    pub place: Place,
    pub parts: Parts,
    pub score: f32,
    /// It corrects one of the best, and need not come near the question by its own words.
    pub corrects: bool,
}

/// What a search brought.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Ranked {
    /// Best first.
    pub found: Vec<Found>,
    /// What nearest comes near by what it says, of the person asked about.
    pub content: f32,
    /// Whether the question's vector was known, and those of what it was compared with.
    by_meaning: bool,
    /// Whether vectors are yet to be made: what does not come near by its words may come near by what it means.
    is_reading: bool,
    /// How much more the person asked about said of it than others did; nothing where no single person is asked about.
    pub own_words: Option<f32>,
}

impl Ranked {
    /// Whether to say *I don't know that* instead of anything found.
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

    /// Without what has nothing to do with the question; where it is not sure that anything answers, with few.
    #[must_use]
    pub fn without_distant(mut self) -> Self {
        let floor = self.floor();
        // Words alone are few, and who said it or how fresh it is would outweigh them.
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

    /// Whether the best was said on a day that is asked about, and need not come near by its words.
    fn is_dated(&self) -> bool {
        self.found.first().is_some_and(|found| found.parts.day > 0.0)
    }

    /// How surely the question can be answered, on one scale: by what holds it back most.
    pub fn sureness(&self) -> f32 {
        self.own_words.map_or(self.content, |own| self.content.min(EVEN + OWN_SCALE * own))
    }
}

/// A question, and how much of its words stands where.
pub struct Heard {
    question: Question,
    words: Vec<f32>,
    /// Of very many items, those that have most of its words or are of its days; of fewer, all are looked at.
    few: Option<Vec<Place>>,
    /// What is not for whoever asks, by place: it is not found, and nothing is found by it. Empty where all is.
    hidden: Vec<bool>,
    /// Of the index when it was asked.
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

/// What is asked, and of what.
pub struct Search<'a> {
    /// Of the index as it is: see [`Index::still`].
    pub heard: &'a Heard,
    /// The question's vector, where there is a model for it.
    pub vector: Option<&'a [f32]>,
    pub today: Date,
    pub weights: Weights,
    /// Whether many items are yet to get their vector, so that meaning tells little of which is nearest.
    pub is_reading: bool,
    /// What must not be found.
    pub leaves_out: &'a dyn Fn(Place) -> bool,
}

impl Index {
    /// Looks for a question's words: all that can be done before its vector is there.
    pub fn hear(&self, question: Question, hidden: Vec<bool>) -> Heard {
        let words = self.words(&question.terms, Reach::Wide, &hidden);
        let few = (self.len() > MANY).then(|| spoken(&words).chain(self.dated(&question.dates)).collect());
        Heard { question, words, few, hidden, version: self.version }
    }

    /// The same, looked for anew if something has come or gone since.
    pub fn still(&self, heard: Heard, hidden: Vec<bool>) -> Heard {
        let is_same = heard.version == self.version && heard.hidden == hidden;
        if is_same { heard } else { self.hear(heard.question, hidden) }
    }

    /// The best `most` items.
    pub fn search(&self, search: &Search<'_>, most: usize) -> Ranked {
        let weighing = Weighing::new(self, search);
        let mut weighed = weighing.all();
        let question = &search.heard.question;
        let subject = question.only_person().map(|name| self.speaker(name));
        // What stands in a file or a summary is nobody's words, and may be about anybody.
        let nobody = self.speaker("");
        let of_subject = weighed.iter().filter(|one| {
            let speaker = self.item(one.place).map(|item| item.speaker);
            subject.is_none_or(|subject| speaker == subject || speaker == nobody)
        });
        let content = of_subject.map(|one| one.content).fold(0.0, f32::max);
        let own_words = question.named_person().map(|name| self.own_words(&weighing, name));
        // What was corrected since is no less how it was then.
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

    /// The threads that fit, best first: each stands by its best items.
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

    /// The newest items of the days and months that a question names.
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

    /// Whether the person asked about said it, or somebody else: most wrong memories are somebody else's.
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
                let near = |place: Place| alone.with(place.into()).unwrap_or_default();
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

/// A question, and how near each item is to it by words and by meaning.
struct Weighing<'a> {
    index: &'a Index,
    search: &'a Search<'a>,
    near: Nearness,
    /// The same without what stands beside an item, for those beside which something is hidden.
    alone: Option<Comparison<'a>>,
    /// Of very many items, those that come near by words, by day or by meaning.
    few: Option<Vec<Place>>,
    /// Whose words are asked for, and how much that counts.
    subject: Option<(Speaker, f32)>,
    today: i32,
}

/// No more than what the best are chosen by: there may be very many.
pub(super) struct Weighed {
    pub(super) place: Place,
    pub(super) score: f32,
    content: f32,
    pub(super) corrects: bool,
}

/// What all that was said on one day has in common.
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
            // Neighbours were mostly said on the same day.
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

    /// How near an item is by what it means, as far as that is known.
    fn nearness(&self, place: Place) -> f32 {
        if self.search.vector.is_some() && !self.index.has_vector(place) {
            return UNREAD * self.search.heard.words[place as usize].min(1.0);
        }
        let Some(alone) = &self.alone else { return self.near.of(place) };
        let beside = [-1, 1].into_iter().filter_map(|by| self.index.step(place, by));
        if beside.into_iter().any(|near| self.search.heard.hides(near)) {
            meaning::ALONE * alone.with(place.into()).unwrap_or_default()
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

/// The items that have most of the question's words.
fn spoken(words: &[f32]) -> impl Iterator<Item = Place> {
    let mut spoken: Vec<(Place, f32)> =
        (0..).zip(words.iter().copied()).filter(|(_, words)| *words > 0.0).collect();
    if spoken.len() > SPOKEN {
        spoken.select_nth_unstable_by(SPOKEN, |one, other| other.1.total_cmp(&one.1));
        spoken.truncate(SPOKEN);
    }
    spoken.into_iter().map(|(place, _)| place)
}

/// The mean of the largest.
fn top(scores: &mut [f32]) -> f32 {
    scores.sort_unstable_by(|one, other| other.total_cmp(one));
    let best = &scores[..scores.len().min(WITNESSES)];
    #[allow(clippy::cast_precision_loss, reason = "three at most")]
    let count = best.len().max(1) as f32;
    best.iter().sum::<f32>() / count
}
