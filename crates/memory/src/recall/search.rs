//! Ranks items by how well they match a question, and decides whether any does.

use std::collections::HashMap;

use jiff::civil::Date;
use vectors::Comparison;

use super::dates::{self, NamedDate};
use super::index::{NeighbourReach, RecallIndex};
use super::item::{IndexedItem, ItemPosition, SpeakerNumber};
use super::item_vectors::{self, MANY, Similarities};
use super::question::ParsedQuestion;
use super::score::{RecallCandidate, ScoreParts, ScoreWeights};
use crate::version::StateVersion;

/// The speaker weight for the first of two people who are not joined by *and*: usually the one who acted.
const FIRST_OF_SEVERAL: f32 = 0.5;
/// The half-life of an item's recency, in days.
const FRESH_DAYS: f32 = 60.0;
/// The sharpness of the soft maximum of a thread's item scores.
const SHARPNESS: f32 = 0.05;
/// Below this, it was another person who said what is asked about.
const MIN_OWN_WORDS: f32 = -0.16;
/// The minimum scores for items to count.
struct Thresholds {
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
const WITHOUT_VECTOR: f32 = 0.5;

const BY_MEANING: Thresholds = Thresholds { content: 0.4, unsure: 0.6, item: 0.2, behind: 0.55 };
/// With words alone, the thresholds have to be much lower.
const BY_WORDS: Thresholds = Thresholds { content: 0.02, unsure: 0.4, item: 0.01, behind: 0.4 };
const FEW: usize = 5;
/// The certainty of an answer if the person asked about said as much of it as others did, and its increase if they said
/// more.
const BASE_CONFIDENCE: f32 = 0.7;
const OWN_WORDS_SCALE: f32 = 2.0;
/// With very many items, the number compared by words and the number compared by date.
const MOST_BY_WORDS: usize = 500;
const MOST_BY_DATE: usize = 1_000;
/// The number of items that represent a person.
const BEST_OF_SPEAKER: usize = 3;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScoredItem {
    pub position: ItemPosition,
    pub parts: ScoreParts,
    pub score: f32,
    /// True if it corrects one of the best items, so that its own words need not match the question.
    pub corrects: bool,
}

/// The result of a search.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RankedItems {
    /// The items, best first.
    pub found: Vec<ScoredItem>,
    /// The highest content similarity among items by the person asked about.
    pub content: f32,
    /// True if the question's vector and those of the items were available.
    by_meaning: bool,
    /// True if many items have no vector yet: what does not match by words may match by meaning later.
    is_embedding: bool,
    /// The amount by which the person asked about said more of it than others did; `None` if no single person is named.
    pub own_words: Option<f32>,
}

impl RankedItems {
    /// Returns true if the answer should be *I don't know that* instead of any item found.
    pub fn is_refused(&self) -> bool {
        if self.is_embedding {
            return false;
        }
        self.found.is_empty()
            || self.content < self.thresholds().content && !self.is_dated()
            || self.own_words.is_some_and(|own| own < MIN_OWN_WORDS)
    }

    fn thresholds(&self) -> &'static Thresholds {
        if self.by_meaning { &BY_MEANING } else { &BY_WORDS }
    }

    /// Removes items that have nothing to do with the question, and keeps only a few if it is uncertain that any
    /// answers.
    #[must_use]
    pub fn without_distant(mut self) -> Self {
        let thresholds = self.thresholds();
        // A score by words alone is small, and the speaker or the recency would outweigh it.
        let by_meaning = self.by_meaning;
        let weight = |found: &ScoredItem| if by_meaning { found.score } else { found.parts.content() };
        let best = self.found.iter().map(weight).fold(0.0, f32::max);
        self.found.retain(|found| {
            let dated = found.parts.day > 0.0;
            let near = dated || found.corrects || found.parts.content() >= thresholds.item;
            near && (weight(found) >= thresholds.behind * best || found.corrects || dated && !by_meaning)
        });
        if self.content < thresholds.unsure && !self.is_dated() && !self.is_embedding {
            self.found.truncate(FEW);
        }
        self
    }

    /// Returns true if the best item is from a day that the question names, in which case its words need not match.
    fn is_dated(&self) -> bool {
        self.found.first().is_some_and(|found| found.parts.day > 0.0)
    }

    /// Returns the certainty that the question can be answered, on one scale: the minimum of the limiting factors.
    pub fn confidence(&self) -> f32 {
        self.own_words.map_or(self.content, |own| self.content.min(BASE_CONFIDENCE + OWN_WORDS_SCALE * own))
    }
}

/// A question with the scores of its words at each position.
pub struct PreparedQuestion {
    question: ParsedQuestion,
    words: Vec<f32>,
    /// With very many items, those with most of its words or from its days; `None` if all are compared.
    few: Option<Vec<ItemPosition>>,
    /// Items hidden from the recipient, by position: they are not found, and nothing is found through them. Empty if nothing
    /// is hidden.
    hidden: Vec<bool>,
    /// The version of the index at the time of the lookup.
    version: StateVersion,
}

impl PreparedQuestion {
    pub fn is_about_past(&self) -> bool {
        self.question.is_about_past
    }

    pub fn hides(&self, position: ItemPosition) -> bool {
        self.hidden.get(position as usize).is_some_and(|&hidden| hidden)
    }
}

/// A search request.
pub struct IndexSearch<'a> {
    /// Up to date with the index: see [`RecallIndex::refreshed`].
    pub prepared: &'a PreparedQuestion,
    /// The question's vector, if there is a model for it.
    pub vector: Option<&'a [f32]>,
    pub today: Date,
    pub weights: ScoreWeights,
    /// True if many items still have no vector, so that meaning says little about which is nearest.
    pub is_embedding: bool,
    /// Excludes positions from the result.
    pub leaves_out: &'a dyn Fn(ItemPosition) -> bool,
}

impl RecallIndex {
    /// Looks up a question's words: everything that can be done before its vector is available.
    pub fn prepare(&self, question: ParsedQuestion, hidden: Vec<bool>) -> PreparedQuestion {
        let words = self.word_scores(&question.terms, NeighbourReach::Wide, &hidden);
        let few = (self.len() > MANY)
            .then(|| best_by_words(&words).chain(self.newest_on_dates(&question.dates)).collect());
        PreparedQuestion { question, words, few, hidden, version: self.version }
    }

    /// Returns `prepared`, looked up again if items were added or removed since.
    pub fn refreshed(&self, prepared: PreparedQuestion, hidden: Vec<bool>) -> PreparedQuestion {
        let is_same = prepared.version == self.version && prepared.hidden == hidden;
        if is_same { prepared } else { self.prepare(prepared.question, hidden) }
    }

    /// Returns the best `most` items.
    pub fn search(&self, search: &IndexSearch<'_>, most: usize) -> RankedItems {
        let scoring = Scoring::new(self, search);
        let mut candidates = scoring.all();
        let question = &search.prepared.question;
        let subject = question.only_person().map(|name| self.speaker(name));
        // Files and summaries have no speaker and may be about any person.
        let nobody = self.speaker("");
        let of_subject = candidates.iter().filter(|one| {
            let speaker = self.item(one.position).map(|item| item.speaker);
            subject.is_none_or(|subject| speaker == subject || speaker == nobody)
        });
        let content = of_subject.map(|one| one.content).fold(0.0, f32::max);
        let own_words = question.named_person().map(|name| self.own_words(&scoring, name));
        // A later correction does not change how things were at the time asked about.
        if !question.is_about_past {
            self.raise_corrections(&mut candidates, &question.terms);
        }
        let order = |one: &RecallCandidate, other: &RecallCandidate| {
            other.score.total_cmp(&one.score).then(one.position.cmp(&other.position))
        };
        if candidates.len() > most && most > 0 {
            candidates.select_nth_unstable_by(most - 1, order);
            candidates.truncate(most);
        }
        candidates.sort_by(order);
        let found = candidates.iter().filter_map(|&RecallCandidate { position, score, corrects, .. }| {
            let item = self.item(position)?;
            let parts = scoring.parts(position, item, &scoring.day(item));
            Some(ScoredItem { position, parts, score, corrects })
        });
        let by_meaning = search.vector.is_some() && !search.is_embedding;
        RankedItems {
            found: found.collect(),
            content,
            by_meaning,
            is_embedding: search.is_embedding,
            own_words,
        }
    }

    /// Returns the matching threads, best first. Each is represented by its best items.
    pub fn threads(&self, search: &IndexSearch<'_>) -> Vec<(u64, f32)> {
        let mut best: HashMap<u64, Vec<f32>> = HashMap::new();
        for one in Scoring::new(self, search).all() {
            if let Some(item) = self.item(one.position) {
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
    fn newest_on_dates(&self, named: &[NamedDate]) -> impl Iterator<Item = ItemPosition> {
        let is_named =
            |item: &IndexedItem| dates::closeness(named, item.day) != dates::DateCloseness::default();
        let mut last: Option<(i32, bool)> = None;
        let positions = self.positions().rev().filter(move |(_, item)| {
            let known = last.filter(|(number, _)| *number == item.day_number);
            let day = known.unwrap_or_else(|| (item.day_number, is_named(item)));
            last = Some(day);
            day.1
        });
        let most = if named.is_empty() { 0 } else { MOST_BY_DATE };
        positions.take(most).map(|(position, _)| position)
    }

    /// Compares how much of it the person asked about said with how much others did: most wrong matches are another
    /// person's words.
    fn own_words(&self, scoring: &Scoring<'_>, name: &str) -> f32 {
        let search = scoring.search;
        let words = self.word_scores(
            &search.prepared.question.terms,
            NeighbourReach::Narrow,
            &search.prepared.hidden,
        );
        let alone = search.vector.and_then(|vector| self.item_vectors.compare_alone(vector));
        let name = self.speaker(name);
        let (mut own, mut others) = ((Vec::new(), Vec::new()), (Vec::new(), Vec::new()));
        for (position, item) in scoring.candidates() {
            let side = if Some(item.speaker) == name { &mut own } else { &mut others };
            side.0.push(words[position as usize]);
            if let Some(alone) = &alone {
                let near = |position: ItemPosition| alone.cosine(position.into()).unwrap_or_default();
                let asked = self.neighbour(position, -1).filter(|&before| {
                    self.item(before).is_some_and(|it| it.is_question) && !search.prepared.hides(before)
                });
                let asked = asked.map_or(0.0, |before| 0.3 * near(before));
                side.1.push(near(position) + asked);
            }
        }
        mean_of_best(&mut own.0) - mean_of_best(&mut others.0)
            + 0.5 * (mean_of_best(&mut own.1) - mean_of_best(&mut others.1))
    }

    pub(super) fn positions(&self) -> impl DoubleEndedIterator<Item = (ItemPosition, &IndexedItem)> {
        let positions = 0..ItemPosition::try_from(self.items.len()).unwrap_or(ItemPosition::MAX);
        positions.zip(&self.items).filter_map(|(position, item)| Some((position, item.as_ref()?)))
    }
}

/// A question with the similarity of each item by words and by meaning.
struct Scoring<'a> {
    index: &'a RecallIndex,
    search: &'a IndexSearch<'a>,
    near: Similarities,
    /// Similarity without neighbours, for items beside which something is hidden.
    alone: Option<Comparison<'a>>,
    /// With very many items, those that match by words, by date or by meaning.
    few: Option<Vec<ItemPosition>>,
    /// The speaker who is asked about, and the weight of that.
    subject: Option<(SpeakerNumber, f32)>,
    today: i32,
}

/// The score parts that all items of one day share.
#[derive(Clone, Copy)]
struct DayScore {
    day_number: i32,
    day: f32,
    recency: f32,
}

impl<'a> Scoring<'a> {
    fn new(index: &'a RecallIndex, search: &'a IndexSearch<'a>) -> Self {
        let PreparedQuestion { question, few, .. } = search.prepared;
        let near = |vector| index.item_vectors.similarities(vector, few.as_deref());
        let near = search.vector.map_or_else(Similarities::default, near);
        let few = few.as_ref().map(|few| {
            let mut few: Vec<ItemPosition> = few.iter().chain(near.nearest()).copied().collect();
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
        let hides = !search.prepared.hidden.is_empty();
        let alone =
            search.vector.filter(|_| hides).and_then(|vector| index.item_vectors.compare_alone(vector));
        Self { index, search, near, alone, few, subject, today: dates::day_number(search.today) }
    }

    fn all(&self) -> Vec<RecallCandidate> {
        let mut last: Option<DayScore> = None;
        let candidates = self.candidates().map(|(position, item)| {
            // Consecutive items are mostly from the same day.
            let day =
                last.filter(|last| last.day_number == item.day_number).unwrap_or_else(|| self.day(item));
            last = Some(day);
            let parts = self.parts(position, item, &day);
            RecallCandidate { position, score: parts.score(), content: parts.content(), corrects: false }
        });
        candidates.collect()
    }

    fn candidates(&self) -> impl Iterator<Item = (ItemPosition, &IndexedItem)> {
        let all = self.few.is_none().then(|| self.index.positions());
        let few =
            self.few.iter().flatten().filter_map(|&position| Some((position, self.index.item(position)?)));
        let seen = |position| !(self.search.leaves_out)(position) && !self.search.prepared.hides(position);
        all.into_iter().flatten().chain(few).filter(move |&(position, _)| seen(position))
    }

    /// Returns the similarity of an item by meaning, as far as it is known.
    fn nearness(&self, position: ItemPosition) -> f32 {
        if self.search.vector.is_some() && !self.index.has_vector(position) {
            return WITHOUT_VECTOR * self.search.prepared.words[position as usize].min(1.0);
        }
        let Some(alone) = &self.alone else { return self.near.of(position) };
        let beside = [-1, 1].into_iter().filter_map(|by| self.index.neighbour(position, by));
        if beside.into_iter().any(|near| self.search.prepared.hides(near)) {
            item_vectors::ALONE * alone.cosine(position.into()).unwrap_or_default()
        } else {
            self.near.of(position)
        }
    }

    fn day(&self, item: &IndexedItem) -> DayScore {
        let IndexSearch { prepared, weights, .. } = self.search;
        let date = dates::closeness(&prepared.question.dates, item.day);
        #[allow(clippy::cast_precision_loss, reason = "days")]
        let age = self.today.saturating_sub(item.day_number).max(0) as f32;
        DayScore {
            day_number: item.day_number,
            day: weights.day * date.day + weights.month * date.month,
            recency: weights.recency * (-age * std::f32::consts::LN_2 / FRESH_DAYS).exp(),
        }
    }

    #[inline]
    fn parts(&self, position: ItemPosition, item: &IndexedItem, day_score: &DayScore) -> ScoreParts {
        let weights = &self.search.weights;
        let person = self.subject.filter(|(who, _)| *who == item.speaker).map_or(0.0, |(_, weight)| weight);
        ScoreParts {
            words: weights.words * self.search.prepared.words[position as usize],
            meaning: weights.meaning * self.nearness(position),
            person: weights.speaker * person,
            day: day_score.day,
            informativeness: weights.length * item.size + weights.informativeness * item.informativeness,
            time: if self.search.prepared.question.asks_for_time && item.names_time {
                weights.time
            } else {
                0.0
            },
            recency: day_score.recency,
        }
    }
}

/// Yields the items that have most of the question's words.
fn best_by_words(words: &[f32]) -> impl Iterator<Item = ItemPosition> {
    let mut spoken: Vec<(ItemPosition, f32)> =
        (0..).zip(words.iter().copied()).filter(|(_, words)| *words > 0.0).collect();
    if spoken.len() > MOST_BY_WORDS {
        spoken.select_nth_unstable_by(MOST_BY_WORDS, |one, other| other.1.total_cmp(&one.1));
        spoken.truncate(MOST_BY_WORDS);
    }
    spoken.into_iter().map(|(position, _)| position)
}

/// Returns the mean of the largest scores.
fn mean_of_best(scores: &mut [f32]) -> f32 {
    scores.sort_unstable_by(|one, other| other.total_cmp(one));
    let best = &scores[..scores.len().min(BEST_OF_SPEAKER)];
    #[allow(clippy::cast_precision_loss, reason = "three at most")]
    let count = best.len().max(1) as f32;
    best.iter().sum::<f32>() / count
}
