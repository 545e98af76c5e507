//! Ranks a later message by the same speaker that reports a change no lower than the one it corrects: *No solar.
//! Deposit's back.* has fewer words of a question about the panels than *We're getting solar, in June*.

use super::index::{Index, Item, Place};
use super::search::Weighed;

/// The number of best items for which corrections are looked for.
const LOOKED_AT: usize = 3;
/// A word that occurs in more items than this says little about what two of them have in common.
const COMMON: usize = 64;
/// A word of the question that occurs in more items than this does not link a correction, since many of those items
/// correct nothing.
const RARE: usize = 4;
/// Up to this many items, all are compared; with more, only those that share a word.
const SMALL: usize = 400;
/// The similarity from which two messages are about the same thing, and the lower one if they also share a word of the
/// question.
const NEAR: f32 = 0.5;
const NEAR_WITH_WORD: f32 = 0.25;
/// The amount by which a correction scores above what it corrects.
const BEFORE: f32 = 0.001;

impl Index {
    /// Raises the corrections of the best items to the score of those. `weighed` is sorted by place.
    pub(super) fn raise_corrections(&self, weighed: &mut [Weighed], terms: &[String]) {
        let mut best: Vec<usize> = (0..weighed.len()).collect();
        let order = |&one: &usize, &other: &usize| weighed[other].score.total_cmp(&weighed[one].score);
        if best.len() > LOOKED_AT {
            best.select_nth_unstable_by(LOOKED_AT - 1, order);
            best.truncate(LOOKED_AT);
        }
        best.sort_by(order);
        let asked = self.numbers(terms);
        for old in best {
            let (place, score) = (weighed[old].place, weighed[old].score);
            for newer in self.corrections(place, &asked) {
                if let Ok(at) = weighed.binary_search_by_key(&newer, |one| one.place) {
                    weighed[at].score = weighed[at].score.max(score + BEFORE);
                    weighed[at].corrects = true;
                }
            }
        }
    }

    /// Returns the items that may correct an item.
    fn corrections(&self, place: Place, asked: &[u32]) -> Vec<Place> {
        let Some(old) = self.item(place).filter(|old| !old.asks) else { return Vec::new() };
        let mut near: Vec<Place> = if self.len() <= SMALL {
            self.places().map(|(place, _)| place).collect()
        } else {
            let rare =
                old.terms().filter_map(|term| self.postings_of(term)).filter(|all| all.len() <= COMMON);
            rare.flatten().map(|&(place, _)| place).collect()
        };
        near.sort_unstable();
        near.dedup();
        near.retain(|&other| {
            self.item(other).is_some_and(|new| {
                let is_newer = (new.number, other) > (old.number, place);
                new.turns
                    && is_newer
                    && new.speaker == old.speaker
                    && self.is_of_same(old, new, [place, other], asked)
            })
        });
        near
    }

    /// Returns true if two items are about the same thing, judged by words and vectors.
    fn is_of_same(&self, old: &Item, new: &Item, places: [Place; 2], asked: &[u32]) -> bool {
        let shared = || old.terms().filter(|term| new.terms().any(|other| other == *term));
        let near = self.meanings.between(places[0], places[1]);
        let is_rare = |term: u32| self.postings_of(term).is_some_and(|places| places.len() <= RARE);
        let shares_asked = shared().any(|term| asked.contains(&term) && is_rare(term));
        match near {
            // In a large memory, many similar items are about something else.
            Some(near) => self.len() <= SMALL && near >= NEAR || shares_asked && near >= NEAR_WITH_WORD,
            None => shares_asked,
        }
    }
}
