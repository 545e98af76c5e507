//! Vectors in memory, searched by the angle between them.
//!
//! An inserted vector is found by the next search: no index has to be built. A search compares sketches of one bit per
//! number, and reads the vectors themselves only if a sketch is near. From fifty thousand vectors on, a full scan takes
//! too long, and [`Vectors::survey`] offers to build regions ([`Cells`]) in the background; until then, everything is
//! scanned, as are always the vectors that are in no region yet.
//!
//! Storage is up to the caller: [`encode`] returns the bytes to store, and [`Vectors::restore`] takes them back
//! together with the region, so that nothing has to be recomputed at the start. Nothing here accesses the disk.

mod cells;
mod code;
mod kernel;
mod pile;
mod rows;
mod search;

use std::collections::HashMap;

pub use cells::{Cells, Survey};
use code::{Code, Query};
pub use code::{VectorError, decode, encode};
use pile::{Pile, Place};
use rows::Rows;
use search::Care;

/// Up to this many vectors, a scan of all sketches takes a quarter of a millisecond.
const FLAT: usize = 50_000;
/// Regions are rebuilt when there are this many times the vectors that they were built for.
const OUTGROWN: u64 = 4;
/// The number of the block for vectors that are in no region.
const LOOSE: u32 = 0;

/// An index over vectors of one length, by keys that the caller chooses.
#[derive(Debug)]
pub struct Vectors {
    dimensions: usize,
    rows: Rows,
    slots: HashMap<u64, u32>,
    /// The block for vectors in no region, then one for each cell.
    piles: Vec<Pile>,
    cells: Option<Cells>,
}

/// A query for comparison with individual vectors.
pub struct Comparison<'a> {
    vectors: &'a Vectors,
    query: Query,
}

impl Comparison<'_> {
    /// Returns the cosine of a vector.
    pub fn with(&self, key: u64) -> Option<f32> {
        let slot = self.vectors.slots.get(&key)?;
        Some(self.query.score(&self.vectors.rows.code(*slot)))
    }
}

/// The region of a vector, to be stored beside its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Region(u32);

impl Region {
    fn new(generation: u16, pile: u32) -> Self {
        Self(u32::from(generation) << 16 | pile)
    }

    pub fn number(self) -> u32 {
        self.0
    }

    pub fn from_number(number: u32) -> Self {
        Self(number)
    }
}

impl Vectors {
    pub fn new(dimensions: usize) -> Self {
        Self {
            dimensions,
            rows: Rows::new(dimensions),
            slots: HashMap::new(),
            piles: vec![Pile::default()],
            cells: None,
        }
    }

    /// Creates an index with these cells but without vectors, which [`Vectors::restore`] puts back.
    pub fn with_cells(cells: Cells) -> Self {
        let mut empty = Self::new(cells.dimensions());
        empty.adopt(cells);
        empty
    }

    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    pub fn len(&self) -> usize {
        self.slots.len()
    }

    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    pub fn contains(&self, key: u64) -> bool {
        self.slots.contains_key(&key)
    }

    /// Stores a vector under a key, replacing an existing one.
    pub fn insert(&mut self, key: u64, vector: &[f32]) -> Result<(), VectorError> {
        self.restore(key, &encode(vector)?, None)
    }

    /// Stores a vector that [`encode`] made. Without a region, or with one of different cells, the region is
    /// determined.
    pub fn restore(&mut self, key: u64, bytes: &[u8], region: Option<Region>) -> Result<(), VectorError> {
        let code = Code::new(bytes);
        if bytes.len() != code::bytes(self.dimensions) {
            let came = bytes.len().saturating_sub(code::bytes(0)) / 2;
            return Err(VectorError::Length { expected: self.dimensions, came });
        }
        if !code.is_sound(self.dimensions) {
            return Err(VectorError::NotANumber);
        }
        self.remove(key);
        let pile = self.pile_for(bytes, region);
        let at = u32::try_from(self.piles[pile as usize].len()).unwrap_or(u32::MAX);
        if let Some(slot) = self.rows.add(key, bytes, Place { pile, at }) {
            self.piles[pile as usize].push(slot, &code);
            self.slots.insert(key, slot);
        }
        Ok(())
    }

    /// Removes a vector and overwrites its bytes. Returns false if there is none.
    pub fn remove(&mut self, key: u64) -> bool {
        let Some(slot) = self.slots.remove(&key) else { return false };
        self.take_from_pile(slot);
        self.rows.clear(slot);
        true
    }

    /// Returns the keys of the `count` nearest vectors that pass the filter, nearest first, each with the cosine of the
    /// angle. A query that differs in length from the vectors, or contains a NaN or an infinity, finds nothing.
    pub fn search(&self, query: &[f32], count: usize, filter: impl Fn(u64) -> bool) -> Vec<(u64, f32)> {
        match self.query(query) {
            Some(query) if count > 0 => search::find(self, &query, Care::full(count), &filter),
            _ => Vec::new(),
        }
    }

    /// Returns every key with its cosine, in no particular order. Meant for few vectors: a hundred thousand take some
    /// milliseconds.
    pub fn scores(&self, query: &[f32]) -> Vec<(u64, f32)> {
        self.query(query).map(|query| self.all_scores(&query)).unwrap_or_default()
    }

    /// Returns the cosine of one vector.
    pub fn score(&self, query: &[f32], key: u64) -> Option<f32> {
        self.compare(query)?.with(key)
    }

    /// Prepares a query once for the cosines of several vectors.
    pub fn compare(&self, query: &[f32]) -> Option<Comparison<'_>> {
        Some(Comparison { vectors: self, query: self.query(query)? })
    }

    /// Returns the bytes of a vector, as [`encode`] made them.
    pub fn code(&self, key: u64) -> Option<&[u8]> {
        self.slots.get(&key).map(|&slot| self.rows.bytes(slot))
    }

    /// Returns the region of a vector, for [`Vectors::restore`]. `None` if it is in no region.
    pub fn region(&self, key: u64) -> Option<Region> {
        let pile = self.rows.place(*self.slots.get(&key)?).pile;
        let cells = self.cells.as_ref().filter(|_| pile != LOOSE)?;
        Some(Region::new(cells.generation, pile))
    }

    pub fn cells(&self) -> Option<&Cells> {
        self.cells.as_ref()
    }

    /// Returns a sample for building regions, if there are enough vectors to need them, or four times as many as when
    /// they were built.
    pub fn survey(&self) -> Option<Survey> {
        let due = match &self.cells {
            None => self.len() > FLAT,
            Some(cells) => self.len() as u64 / OUTGROWN > cells.made_for,
        };
        let generation = self.cells.as_ref().map_or(0, |cells| cells.generation.wrapping_add(1));
        due.then(|| Survey::new(self, generation))
    }

    /// Takes regions into use. Existing vectors are in none of them until [`Vectors::tidy`] has assigned them.
    pub fn adopt(&mut self, cells: Cells) {
        if cells.dimensions() != self.dimensions {
            return;
        }
        let slots: Vec<u32> = self.slots().collect();
        self.piles = (0..=cells.len()).map(|_| Pile::default()).collect();
        self.cells = Some(cells);
        for slot in slots {
            self.put(slot, LOOSE);
        }
    }

    /// Assigns at most `most` vectors without a region to theirs, and returns them with it. Empty if all are assigned.
    pub fn tidy(&mut self, most: usize) -> Vec<(u64, Region)> {
        let Some(generation) = self.cells.as_ref().map(|cells| cells.generation) else { return Vec::new() };
        let loose = self.piles[LOOSE as usize].slots();
        let slots: Vec<u32> = loose.iter().rev().take(most).copied().collect();
        let mut moved = Vec::with_capacity(slots.len());
        for slot in slots {
            let pile = self.pile_for(self.rows.bytes(slot), None);
            self.take_from_pile(slot);
            self.put(slot, pile);
            moved.push((self.rows.key(slot), Region::new(generation, pile)));
        }
        moved
    }

    /// Returns the approximate memory use in bytes.
    pub fn memory(&self) -> usize {
        let piles: usize = self.piles.iter().map(Pile::memory).sum();
        // A slot of the hash table, plus its control byte.
        let slots = self.slots.capacity() * (size_of::<(u64, u32)>() + 1);
        self.rows.memory() + piles + slots + self.cells.as_ref().map_or(0, Cells::memory)
    }

    /// Returns the key of a near vector, without an exhaustive search for the nearest.
    fn near(&self, vector: &[f32]) -> Option<u64> {
        search::find(self, &self.query(vector)?, Care::ONE, &|_| true).first().map(|&(key, _)| key)
    }

    fn query(&self, vector: &[f32]) -> Option<Query> {
        (vector.len() == self.dimensions).then(|| Query::new(vector).ok())?
    }

    fn slots(&self) -> impl Iterator<Item = u32> {
        self.piles.iter().flat_map(|pile| pile.slots().iter().copied())
    }

    fn all_scores(&self, query: &Query) -> Vec<(u64, f32)> {
        self.slots().map(|slot| (self.rows.key(slot), query.score(&self.rows.code(slot)))).collect()
    }

    fn rough_scores(&self, query: &Query) -> Vec<(u64, f32)> {
        self.slots().map(|slot| (self.rows.key(slot), query.rough_score(&self.rows.code(slot)))).collect()
    }

    fn pile_for(&self, bytes: &[u8], region: Option<Region>) -> u32 {
        let Some(cells) = &self.cells else { return LOOSE };
        match region {
            Some(Region(number))
                if number >> 16 == u32::from(cells.generation)
                    && (1..self.piles.len()).contains(&(number as usize & 0xffff)) =>
            {
                number & 0xffff
            }
            _ => cells.nearest(&decode(bytes)) + 1,
        }
    }

    fn put(&mut self, slot: u32, pile: u32) {
        let to = &mut self.piles[pile as usize];
        let at = u32::try_from(to.len()).unwrap_or(u32::MAX);
        to.push(slot, &self.rows.code(slot));
        self.rows.set_place(slot, Place { pile, at });
    }

    fn take_from_pile(&mut self, slot: u32) {
        let place = self.rows.place(slot);
        if let Some(moved) = self.piles[place.pile as usize].take(place.at) {
            self.rows.set_place(moved, place);
        }
    }
}

#[cfg(test)]
#[path = "vectors_tests.rs"]
mod tests;
