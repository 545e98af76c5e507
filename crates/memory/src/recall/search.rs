//! Which items fit a question, and whether any does.

use std::collections::HashMap;

use jiff::civil::Date;

use super::dates;
use super::index::{Index, Place, Reach};
use super::meaning::{MANY, Nearness};
use super::question::Question;

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
/// Below this, nothing comes near the question; by words alone, much less can be asked for.
const CONTENT: f32 = 0.30;
const CONTENT_BY_WORDS: f32 = 0.02;
/// Of very many items, so many are compared for their words.
const SPOKEN: usize = 4_000;
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
    pub recency: f32,
}

impl Parts {
    pub fn score(&self) -> f32 {
        self.content() + self.person + self.day + self.telling + self.recency
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
}

/// What a search brought.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Ranked {
    /// Best first.
    pub found: Vec<Found>,
    /// What nearest comes near by what it says, of the person asked about.
    pub content: f32,
    /// How near something has to come.
    floor: f32,
    /// How much more the person asked about said of it than others did; nothing where no single person is asked about.
    pub own_words: Option<f32>,
}

impl Ranked {
    /// Whether to say *I don't know that* instead of anything found.
    pub fn is_refused(&self) -> bool {
        self.found.is_empty()
            || self.content < self.floor
            || self.own_words.is_some_and(|own| own < OWN_WORDS)
    }
}

/// What is asked, and of what.
pub struct Search<'a> {
    pub question: &'a Question,
    /// The question's vector, where there is a model for it.
    pub vector: Option<&'a [f32]>,
    pub today: Date,
    pub weights: Weights,
    /// What must not be found.
    pub leaves_out: &'a dyn Fn(Place) -> bool,
}

impl Index {
    /// The best `most` items.
    pub fn search(&self, search: &Search<'_>, most: usize) -> Ranked {
        let (mut found, near) = self.scored(search);
        let subject = search.question.only_person();
        let of_subject = found.iter().filter(|one| subject.is_none_or(|name| self.is_by(one.place, name)));
        let content = of_subject.map(|one| one.parts.content()).fold(0.0, f32::max);
        let own_words = search.question.named_person().map(|name| self.own_words(search, name, &near));
        let order =
            |one: &Found, other: &Found| other.score.total_cmp(&one.score).then(one.place.cmp(&other.place));
        if found.len() > most && most > 0 {
            found.select_nth_unstable_by(most - 1, order);
            found.truncate(most);
        }
        found.sort_by(order);
        let floor = if search.vector.is_some() { CONTENT } else { CONTENT_BY_WORDS };
        Ranked { found, content, floor, own_words }
    }

    /// The threads that fit, best first: each stands by its best items.
    pub fn threads(&self, search: &Search<'_>) -> Vec<(u64, f32)> {
        let mut best: HashMap<u64, Vec<f32>> = HashMap::new();
        for one in self.scored(search).0 {
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

    /// The items that have most of the question's words.
    fn spoken(&self, words: &[f32]) -> impl Iterator<Item = Place> {
        let mut spoken: Vec<(Place, f32)> =
            (0..).zip(words.iter().copied()).filter(|(_, words)| *words > 0.0).collect();
        if self.len() > MANY && spoken.len() > SPOKEN {
            spoken.select_nth_unstable_by(SPOKEN, |one, other| other.1.total_cmp(&one.1));
            spoken.truncate(SPOKEN);
        }
        spoken.into_iter().map(|(place, _)| place)
    }

    fn is_by(&self, place: Place, name: &str) -> bool {
        self.item(place).is_some_and(|item| item.speaker == name)
    }

    fn scored(&self, search: &Search<'_>) -> (Vec<Found>, Nearness) {
        let Search { question, vector, today, weights, leaves_out } = search;
        let words = self.words(&question.terms, Reach::Wide);
        let near =
            vector.map_or_else(Nearness::default, |vector| self.meanings.near(vector, self.spoken(&words)));
        let (subject, weight) = match question.persons.as_slice() {
            [only] => (Some(only), 1.0),
            [first, _, ..] if question.is_about_first => (Some(first), FIRST_OF_SEVERAL),
            _ => (None, 0.0),
        };
        let places = (0..).zip(&self.items).filter_map(|(place, item)| Some((place, item.as_ref()?)));
        // Of very many, those that have nothing of the question are not weighed.
        let weighs_all = self.len() <= MANY || !question.dates.is_empty();
        let today = dates::number(*today);
        let has_something = |place: Place| weighs_all || words[place as usize] > 0.0 || near.of(place) > 0.0;
        let weighed = places.filter(|&(place, _)| has_something(place) && !leaves_out(place));
        let scored = weighed.map(|(place, item)| {
            let date = dates::nearness(&question.dates, item.day);
            let person = if subject.is_some_and(|name| *name == item.speaker) { weight } else { 0.0 };
            #[allow(clippy::cast_precision_loss, reason = "days")]
            let age = today.saturating_sub(item.number).max(0) as f32;
            let parts = Parts {
                words: weights.words * words[place as usize],
                meaning: weights.meaning * near.of(place),
                person: weights.speaker * person,
                day: weights.day * date.day + weights.month * date.month,
                telling: weights.length * (1.0 + item.length).ln() + weights.telling * item.telling,
                recency: weights.recency * (-age * std::f32::consts::LN_2 / FRESH_DAYS).exp(),
            };
            Found { place, parts, score: parts.score() }
        });
        (scored.collect(), near)
    }

    /// Whether the person asked about said it, or somebody else: most wrong memories are somebody else's.
    fn own_words(&self, search: &Search<'_>, name: &str, near: &Nearness) -> f32 {
        let words = self.words(&search.question.terms, Reach::Narrow);
        let many = self.len() > MANY;
        let alone = search.vector.and_then(|vector| self.meanings.alone(vector));
        let (mut own, mut others) = ((Vec::new(), Vec::new()), (Vec::new(), Vec::new()));
        for (place, item) in (0..).zip(&self.items).filter_map(|(place, item)| Some((place, item.as_ref()?)))
        {
            let has_something = !many || words[place as usize] > 0.0 || near.of(place) > 0.0;
            if !has_something || (search.leaves_out)(place) {
                continue;
            }
            let side = if item.speaker == name { &mut own } else { &mut others };
            side.0.push(words[place as usize]);
            if let Some(alone) = &alone {
                let near = |place: Place| alone.with(place.into()).unwrap_or_default();
                let asked =
                    self.step(place, -1).filter(|&before| self.item(before).is_some_and(|it| it.asks));
                let asked = asked.map_or(0.0, |before| 0.3 * near(before));
                side.1.push(near(place) + asked);
            }
        }
        top(&mut own.0) - top(&mut others.0) + 0.5 * (top(&mut own.1) - top(&mut others.1))
    }
}

/// The mean of the largest.
fn top(scores: &mut [f32]) -> f32 {
    scores.sort_unstable_by(|one, other| other.total_cmp(one));
    let best = &scores[..scores.len().min(WITNESSES)];
    #[allow(clippy::cast_precision_loss, reason = "three at most")]
    let count = best.len().max(1) as f32;
    best.iter().sum::<f32>() / count
}
