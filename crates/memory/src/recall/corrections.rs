//! Ranks a later message by the same speaker that reports a change no lower than the one it corrects: *No solar.
//! Deposit's back.* has fewer words of a question about the panels than *We're getting solar, in June*.

use super::index::RecallIndex;
use super::item::{IndexedItem, ItemPosition};
use super::score::RecallCandidate;

/// The number of best items for which corrections are looked for.
const MOST_CORRECTED: usize = 3;
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

impl RecallIndex {
    /// Raises the corrections of the best items to the score of those. `candidates` is sorted by position.
    pub(super) fn raise_corrections(&self, candidates: &mut [RecallCandidate], terms: &[String]) {
        let mut best: Vec<usize> = (0..candidates.len()).collect();
        let order = |&one: &usize, &other: &usize| candidates[other].score.total_cmp(&candidates[one].score);
        if best.len() > MOST_CORRECTED {
            best.select_nth_unstable_by(MOST_CORRECTED - 1, order);
            best.truncate(MOST_CORRECTED);
        }
        best.sort_by(order);
        let asked = self.term_numbers(terms);
        for old in best {
            let (position, score) = (candidates[old].position, candidates[old].score);
            for newer in self.corrections(position, &asked) {
                if let Ok(at) = candidates.binary_search_by_key(&newer, |one| one.position) {
                    candidates[at].score = candidates[at].score.max(score + BEFORE);
                    candidates[at].corrects = true;
                }
            }
        }
    }

    /// Returns the items that may correct an item.
    fn corrections(&self, position: ItemPosition, asked: &[u32]) -> Vec<ItemPosition> {
        let Some(old) = self.item(position).filter(|old| !old.is_question) else { return Vec::new() };
        let mut near: Vec<ItemPosition> = if self.len() <= SMALL {
            self.positions().map(|(position, _)| position).collect()
        } else {
            let rare =
                old.terms().filter_map(|term| self.postings_of(term)).filter(|all| all.len() <= COMMON);
            rare.flatten().map(|&(position, _)| position).collect()
        };
        near.sort_unstable();
        near.dedup();
        near.retain(|&other| {
            self.item(other).is_some_and(|new| {
                let is_newer = (new.day_number, other) > (old.day_number, position);
                new.reports_change
                    && is_newer
                    && new.speaker == old.speaker
                    && self.is_of_same(old, new, [position, other], asked)
            })
        });
        near
    }

    /// Returns true if two items are about the same thing, judged by words and vectors.
    fn is_of_same(
        &self,
        old: &IndexedItem,
        new: &IndexedItem,
        positions: [ItemPosition; 2],
        asked: &[u32],
    ) -> bool {
        let shared = || old.terms().filter(|term| new.terms().any(|other| other == *term));
        let near = self.item_vectors.similarity(positions[0], positions[1]);
        let is_rare = |term: u32| self.postings_of(term).is_some_and(|positions| positions.len() <= RARE);
        let shares_asked = shared().any(|term| asked.contains(&term) && is_rare(term));
        match near {
            // In a large memory, many similar items are about something else.
            Some(near) => self.len() <= SMALL && near >= NEAR || shares_asked && near >= NEAR_WITH_WORD,
            None => shares_asked,
        }
    }
}
