//! What somebody said later of the same thing, in words of a change, comes no later than what it corrects: *No solar.
//! Deposit's back.* has less of a question about the panels than *We're getting solar, in June*.

use super::index::{Index, Item, Place};
use super::search::Weighed;

/// So many of the best are looked at for what corrects them.
const LOOKED_AT: usize = 3;
/// A word that stands in more items says little of what they have in common.
const COMMON: usize = 64;
/// Of a word of the question that stands in more items, many speak who correct nothing.
const RARE: usize = 4;
/// Up to so many items, all are compared; beyond, those that share a word.
const SMALL: usize = 400;
/// Messages that come so near to each other are about the same thing, and those that share a word of the question when
/// they come so near.
const NEAR: f32 = 0.5;
const NEAR_WITH_WORD: f32 = 0.25;
/// What corrects stands before what it corrects.
const BEFORE: f32 = 0.001;

impl Index {
    /// Raises what corrects one of the best to where that stands. They come by their places.
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

    /// What may correct an item.
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

    /// Whether two items are about the same thing, as far as words and vectors tell.
    fn is_of_same(&self, old: &Item, new: &Item, places: [Place; 2], asked: &[u32]) -> bool {
        let shared = || old.terms().filter(|term| new.terms().any(|other| other == *term));
        let near = self.meanings.between(places[0], places[1]);
        let is_rare = |term: u32| self.postings_of(term).is_some_and(|places| places.len() <= RARE);
        let shares_asked = shared().any(|term| asked.contains(&term) && is_rare(term));
        match near {
            // In a long life, much comes near that is about something else.
            Some(near) => self.len() <= SMALL && near >= NEAR || shares_asked && near >= NEAR_WITH_WORD,
            None => shares_asked,
        }
    }
}
