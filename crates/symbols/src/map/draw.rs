//! Draws the map as text: the most important definitions that fit the budget.

use std::fmt::Write as _;

use super::rank::Ranks;
use super::{Focus, Graph, NONE, RepoMap};

/// The maximum length of a line in characters; the rest of a longer one is not worth its tokens.
const MOST_LINE: usize = 140;
/// The weight of a file without definitions, relative to its rank.
const BARE: f64 = 0.02;
/// The initial estimate of the tokens per definition.
const GUESSED: usize = 24;

/// A line of the map: a definition, or a file without any.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Item {
    file: u32,
    /// The definition, or [`NONE`] for the file alone.
    definition: u32,
}

impl Graph {
    /// Draws a map of at most `budget` tokens. `count` returns the number of tokens of a text.
    pub fn map(&self, focus: &Focus, budget: usize, count: &dyn Fn(&str) -> usize) -> RepoMap {
        let ranks = self.rank(focus);
        let items = self.items(focus, &ranks, budget);
        let order = self.order(&ranks.files);
        let mut position = vec![0; order.len()];
        order.iter().enumerate().for_each(|(place, file)| position[*file] = place);
        let draw = |many: usize| {
            let (text, files) = self.draw(&items[..many], &position);
            let tokens = count(&text);
            (tokens <= budget).then_some((text, files, tokens))
        };
        let mut best = (String::new(), Vec::new(), count(""));
        // Doubles the number of items while they fit, then bisects, so that no text far over the budget is counted.
        let (mut fits, mut too_many) = (0, items.len() + 1);
        let mut next = (budget / GUESSED).clamp(1, items.len().max(1));
        while fits + 1 < too_many {
            match draw(next) {
                Some(drawn) => (best, fits) = (drawn, next),
                None => too_many = next,
            }
            let is_open = too_many > items.len();
            next = if is_open { (next * 2).min(items.len()) } else { usize::midpoint(fits, too_many) };
            if next <= fits {
                next = fits + 1;
            }
        }
        let (text, files, tokens) = best;
        let files =
            files.into_iter().map(|file| (self.files[file].path.to_string(), ranks.files[file])).collect();
        RepoMap { text, files, tokens }
    }

    /// Returns the items that may be drawn, the most important first. Each counts at least one token, so no more than
    /// `budget` are needed.
    fn items(&self, focus: &Focus, ranks: &Ranks, budget: usize) -> Vec<Item> {
        let mut known = vec![false; self.files.len()];
        focus.known.iter().filter_map(|path| self.file(path)).for_each(|file| known[file] = true);
        let places = (0_u32..).zip(&self.definitions).zip(&ranks.definitions);
        let places = places.filter(|((_, place), rank)| **rank > 0.0 && !known[place.file as usize]);
        let mut items: Vec<(f64, Item)> = places
            .map(|((definition, place), rank)| (*rank, Item { file: place.file, definition }))
            .collect();
        let bare = (0_u32..)
            .zip(known)
            .filter(|(file, known)| !known && self.definitions_of(*file as usize).is_empty());
        items.extend(
            bare.map(|(file, _)| (BARE * ranks.files[file as usize], Item { file, definition: NONE })),
        );
        let order =
            |one: &(f64, Item), other: &(f64, Item)| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1));
        if budget < items.len() {
            items.select_nth_unstable_by(budget, order);
            items.truncate(budget);
        }
        items.sort_unstable_by(order);
        items.into_iter().map(|(_, item)| item).collect()
    }

    /// Returns the text of some items and the files in it. The definitions around an item are drawn with it.
    fn draw(&self, items: &[Item], position: &[usize]) -> (String, Vec<usize>) {
        let mut drawn: Vec<(usize, Item)> = Vec::with_capacity(items.len() * 2);
        for item in items {
            let mut item = *item;
            let place = position[item.file as usize];
            drawn.push((place, item));
            while let Some(parent) = self.definitions.get(item.definition as usize).map(|one| one.parent) {
                item.definition = parent;
                if parent != NONE {
                    drawn.push((place, item));
                }
            }
        }
        drawn.sort_unstable();
        drawn.dedup();
        let (mut text, mut files) = (String::new(), Vec::new());
        for group in drawn.chunk_by(|(one, _), (other, _)| one == other) {
            let file = group[0].1.file as usize;
            files.push(file);
            self.draw_file(file, group.iter().map(|(_, item)| item.definition as usize), &mut text);
        }
        (text, files)
    }

    fn draw_file(&self, file: usize, shown: impl Iterator<Item = usize>, text: &mut String) {
        let path = self.files[file].path.chars().map(|c| if c.is_control() { '?' } else { c });
        text.extend(path);
        text.push_str(":\n");
        let places = self.definitions_of(file);
        let mut expected = places.start;
        for definition in shown {
            let Some(place) = self.definitions.get(definition) else { continue };
            // A gap before the first definition needs no mark: its line number shows it.
            if definition > expected && expected > places.start {
                text.push_str("⋮\n");
            }
            expected = definition + 1;
            let signature = &self.signatures[place.signature.0 as usize..place.signature.1 as usize];
            let depth = std::iter::successors(self.definitions.get(place.parent as usize), |outer| {
                self.definitions.get(outer.parent as usize)
            });
            let indent = "  ".repeat(depth.count());
            let end = signature.char_indices().nth(MOST_LINE).map_or(signature.len(), |(end, _)| end);
            let more = if end < signature.len() { "…" } else { "" };
            let _ = writeln!(text, "{}: {indent}{}{more}", place.line, &signature[..end]);
        }
        if expected < places.end && expected > places.start {
            text.push_str("⋮\n");
        }
    }
}
