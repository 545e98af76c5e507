//! Byte-pair tokenizer of Llama 2.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use serde::Deserialize;

/// Replaces spaces and is put before every text.
const SPACE: char = '▁';
/// Longer texts are cut: the mean of their vectors barely changes beyond this.
const MOST_CHARACTERS: usize = 16 << 10;

/// The vocabulary of the tokenizer.
#[derive(Debug)]
pub(crate) struct BytePairs {
    vocab: HashMap<Box<str>, u32>,
    /// Maps a pair of tokens to the rank of their merge and the merged token.
    joins: HashMap<(u32, u32), (u32, u32)>,
    unknown: u32,
}

#[derive(Deserialize)]
struct File {
    model: Model,
}

#[derive(Deserialize)]
struct Model {
    vocab: HashMap<Box<str>, u32>,
    merges: Vec<Box<str>>,
}

/// A token in a doubly linked list; `before` and `after` are indices into that list.
#[derive(Clone, Copy)]
struct Link {
    id: u32,
    before: usize,
    after: usize,
}

const NONE: usize = usize::MAX;

impl BytePairs {
    /// Reads a `tokenizer.json`.
    pub(crate) fn parse(file: &[u8]) -> Option<Self> {
        let Model { vocab, merges } = serde_json::from_slice::<File>(file).ok()?.model;
        let mut joins = HashMap::with_capacity(merges.len());
        for (rank, merge) in (0..).zip(&merges) {
            let (left, right) = merge.split_once(' ')?;
            let joined = vocab.get(format!("{left}{right}").as_str())?;
            joins.insert((*vocab.get(left)?, *vocab.get(right)?), (rank, *joined));
        }
        Some(Self { unknown: *vocab.get("<unk>")?, vocab, joins })
    }

    /// Returns the token ids of a text, without a begin token.
    pub(crate) fn ids(&self, text: &str) -> Vec<u32> {
        if text.is_empty() {
            return Vec::new();
        }
        let mut links = self.letters(text);
        let mut candidates: BinaryHeap<Reverse<(u32, usize, u32, u32)>> = BinaryHeap::new();
        let add_candidate = |links: &[Link], at: usize, candidates: &mut BinaryHeap<_>| {
            let Some(after) = links.get(at).and_then(|link| links.get(link.after)) else { return };
            if let Some(&(rank, _)) = self.joins.get(&(links[at].id, after.id)) {
                candidates.push(Reverse((rank, at, links[at].id, after.id)));
            }
        };
        for at in 0..links.len() {
            add_candidate(&links, at, &mut candidates);
        }
        while let Some(Reverse((_, at, left, right))) = candidates.pop() {
            let after = links[at].after;
            // An earlier merge may have consumed either token.
            if links[at].id != left || links.get(after).is_none_or(|link| link.id != right) {
                continue;
            }
            let Some(&(_, joined)) = self.joins.get(&(left, right)) else { continue };
            links[at].id = joined;
            links[at].after = links[after].after;
            links[after].id = MERGED;
            let next = links[at].after;
            if let Some(next) = links.get_mut(next) {
                next.before = at;
            }
            add_candidate(&links, at, &mut candidates);
            add_candidate(&links, links[at].before, &mut candidates);
        }
        links.iter().map(|link| link.id).filter(|&id| id != MERGED).collect()
    }

    /// Returns one token per character, or one per byte where the character is not in the vocabulary.
    fn letters(&self, text: &str) -> Vec<Link> {
        let letters = std::iter::once(SPACE).chain(
            text.chars().take(MOST_CHARACTERS).map(|letter| if letter == ' ' { SPACE } else { letter }),
        );
        let mut ids = Vec::with_capacity(text.len() + 1);
        let mut buffer = [0; 4];
        for letter in letters {
            let letter = &*letter.encode_utf8(&mut buffer);
            match self.vocab.get(letter) {
                Some(&id) => ids.push(id),
                None => ids.extend(letter.bytes().map(|byte| {
                    self.vocab.get(format!("<0x{byte:02X}>").as_str()).copied().unwrap_or(self.unknown)
                })),
            }
        }
        let last = ids.len() - 1;
        let link = |(at, id): (usize, u32)| Link {
            id,
            before: if at == 0 { NONE } else { at - 1 },
            after: if at == last { NONE } else { at + 1 },
        };
        ids.into_iter().enumerate().map(link).collect()
    }
}

/// Marks a list entry whose token was merged into another.
const MERGED: u32 = u32::MAX;

#[cfg(test)]
#[path = "bpe_real.rs"]
mod real;
