//! An index of embedding vectors in memory, searched by the angle between them.
//!
//! An inserted vector is found by the next search: no index has to be built. A search compares sketches of one bit per
//! number, and reads the vectors themselves only if a sketch is near. From fifty thousand vectors on, a full scan takes
//! too long, and [`Vectors::sample_for_regions`] offers a sample from which [`Regions`] can be built in the background.
//! Until then, everything is scanned, as are always the vectors that are in no region yet.
//!
//! Pure: nothing here accesses the disk, and it does not know what a vector stands for or which model made it. Storage
//! is up to the caller: [`encode`] returns the bytes to store, and [`Vectors::restore`] takes them back together with
//! the region, so that nothing has to be recomputed at the start.
//!
//! Start with [`Vectors`].

mod encoding;
mod kernel;
mod regions;
mod rows;
mod search;
mod sketch_block;

use std::collections::HashMap;

use encoding::{EncodedVector, VectorQuery};
pub use encoding::{VectorError, decode, encode};
pub use regions::{RegionSample, Regions};
use rows::Rows;
use search::SearchEffort;
use sketch_block::{SketchBlock, SketchPosition};

/// Up to this many vectors, a scan of all sketches takes a quarter of a millisecond.
const FULL_SCAN_LIMIT: usize = 50_000;
/// Regions are rebuilt when there are this many times the vectors that they were built for.
const REBUILD_FACTOR: u64 = 4;
/// The number of the block for vectors that are in no region.
const UNASSIGNED: u32 = 0;

/// An index over vectors of one length, by keys that the caller chooses.
#[derive(Debug)]
pub struct Vectors {
    dimensions: usize,
    rows: Rows,
    slots: HashMap<u64, u32>,
    /// The block for vectors in no region, then one for each region.
    blocks: Vec<SketchBlock>,
    regions: Option<Regions>,
}

/// A query for comparison with individual vectors.
pub struct Comparison<'a> {
    vectors: &'a Vectors,
    query: VectorQuery,
}

impl Comparison<'_> {
    /// Returns the cosine of a vector.
    pub fn cosine(&self, key: u64) -> Option<f32> {
        let slot = self.vectors.slots.get(&key)?;
        Some(self.query.score(&self.vectors.rows.vector(*slot)))
    }
}

/// The region of a vector, to be stored beside its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RegionId(u32);

impl RegionId {
    fn new(generation: u16, block: u32) -> Self {
        Self(u32::from(generation) << 16 | block)
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
            blocks: vec![SketchBlock::default()],
            regions: None,
        }
    }

    /// Creates an index with these regions but without vectors, which [`Vectors::restore`] puts back.
    pub fn with_regions(regions: Regions) -> Self {
        let mut empty = Self::new(regions.dimensions());
        empty.use_regions(regions);
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

    /// Stores a vector that [`encode`] made. Without a region, or with one of different regions, the region is
    /// determined.
    pub fn restore(&mut self, key: u64, bytes: &[u8], region: Option<RegionId>) -> Result<(), VectorError> {
        let code = EncodedVector::new(bytes);
        if bytes.len() != encoding::encoded_size(self.dimensions) {
            let came = bytes.len().saturating_sub(encoding::encoded_size(0)) / 2;
            return Err(VectorError::Length { expected: self.dimensions, came });
        }
        if !code.is_sound(self.dimensions) {
            return Err(VectorError::NotANumber);
        }
        self.remove(key);
        let block = self.block_for(bytes, region);
        let at = u32::try_from(self.blocks[block as usize].len()).unwrap_or(u32::MAX);
        if let Some(slot) = self.rows.add(key, bytes, SketchPosition { block, at }) {
            self.blocks[block as usize].push(slot, &code);
            self.slots.insert(key, slot);
        }
        Ok(())
    }

    /// Removes a vector and overwrites its bytes. Returns false if there is none.
    pub fn remove(&mut self, key: u64) -> bool {
        let Some(slot) = self.slots.remove(&key) else { return false };
        self.take_from_block(slot);
        self.rows.clear(slot);
        true
    }

    /// Returns the keys of the `count` nearest vectors that pass the filter, nearest first, each with the cosine of the
    /// angle. A query that differs in length from the vectors, or contains a NaN or an infinity, finds nothing.
    pub fn search(&self, query: &[f32], count: usize, filter: impl Fn(u64) -> bool) -> Vec<(u64, f32)> {
        match self.query(query) {
            Some(query) if count > 0 => search::find(self, &query, SearchEffort::full(count), &filter),
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
        self.compare(query)?.cosine(key)
    }

    /// Prepares a query once for the cosines of several vectors.
    pub fn compare(&self, query: &[f32]) -> Option<Comparison<'_>> {
        Some(Comparison { vectors: self, query: self.query(query)? })
    }

    /// Returns the bytes of a vector, as [`encode`] made them.
    pub fn encoded(&self, key: u64) -> Option<&[u8]> {
        self.slots.get(&key).map(|&slot| self.rows.bytes(slot))
    }

    /// Returns the region of a vector, for [`Vectors::restore`]. `None` if it is in no region.
    pub fn region(&self, key: u64) -> Option<RegionId> {
        let block = self.rows.position(*self.slots.get(&key)?).block;
        let regions = self.regions.as_ref().filter(|_| block != UNASSIGNED)?;
        Some(RegionId::new(regions.generation, block))
    }

    pub fn regions(&self) -> Option<&Regions> {
        self.regions.as_ref()
    }

    /// Returns a sample for building regions, if there are enough vectors to need them, or four times as many as when
    /// they were built.
    pub fn sample_for_regions(&self) -> Option<RegionSample> {
        let due = match &self.regions {
            None => self.len() > FULL_SCAN_LIMIT,
            Some(regions) => self.len() as u64 / REBUILD_FACTOR > regions.made_for,
        };
        let generation = self.regions.as_ref().map_or(0, |regions| regions.generation.wrapping_add(1));
        due.then(|| RegionSample::new(self, generation))
    }

    /// Takes regions into use. Existing vectors are in none of them until [`Vectors::assign_regions`] has assigned them.
    pub fn use_regions(&mut self, regions: Regions) {
        if regions.dimensions() != self.dimensions {
            return;
        }
        let slots: Vec<u32> = self.slots().collect();
        self.blocks = (0..=regions.len()).map(|_| SketchBlock::default()).collect();
        self.regions = Some(regions);
        for slot in slots {
            self.put(slot, UNASSIGNED);
        }
    }

    /// Assigns at most `most` vectors without a region to theirs, and returns them with it. Empty if all are assigned.
    pub fn assign_regions(&mut self, most: usize) -> Vec<(u64, RegionId)> {
        let Some(generation) = self.regions.as_ref().map(|regions| regions.generation) else {
            return Vec::new();
        };
        let unassigned = self.blocks[UNASSIGNED as usize].slots();
        let slots: Vec<u32> = unassigned.iter().rev().take(most).copied().collect();
        let mut moved = Vec::with_capacity(slots.len());
        for slot in slots {
            let block = self.block_for(self.rows.bytes(slot), None);
            self.take_from_block(slot);
            self.put(slot, block);
            moved.push((self.rows.key(slot), RegionId::new(generation, block)));
        }
        moved
    }

    /// Returns the approximate memory use in bytes.
    pub fn memory(&self) -> usize {
        let blocks: usize = self.blocks.iter().map(SketchBlock::memory).sum();
        // A slot of the hash table, plus its control byte.
        let slots = self.slots.capacity() * (size_of::<(u64, u32)>() + 1);
        self.rows.memory() + blocks + slots + self.regions.as_ref().map_or(0, Regions::memory)
    }

    /// Returns the key of a near vector, without an exhaustive search for the nearest.
    fn near(&self, vector: &[f32]) -> Option<u64> {
        search::find(self, &self.query(vector)?, SearchEffort::ONE, &|_| true).first().map(|&(key, _)| key)
    }

    fn query(&self, vector: &[f32]) -> Option<VectorQuery> {
        (vector.len() == self.dimensions).then(|| VectorQuery::new(vector).ok())?
    }

    fn slots(&self) -> impl Iterator<Item = u32> {
        self.blocks.iter().flat_map(|block| block.slots().iter().copied())
    }

    fn all_scores(&self, query: &VectorQuery) -> Vec<(u64, f32)> {
        self.slots().map(|slot| (self.rows.key(slot), query.score(&self.rows.vector(slot)))).collect()
    }

    fn rough_scores(&self, query: &VectorQuery) -> Vec<(u64, f32)> {
        self.slots().map(|slot| (self.rows.key(slot), query.rough_score(&self.rows.vector(slot)))).collect()
    }

    fn block_for(&self, bytes: &[u8], region: Option<RegionId>) -> u32 {
        let Some(regions) = &self.regions else { return UNASSIGNED };
        match region {
            Some(RegionId(number))
                if number >> 16 == u32::from(regions.generation)
                    && (1..self.blocks.len()).contains(&(number as usize & 0xffff)) =>
            {
                number & 0xffff
            }
            _ => regions.nearest(&decode(bytes)) + 1,
        }
    }

    fn put(&mut self, slot: u32, block: u32) {
        let to = &mut self.blocks[block as usize];
        let at = u32::try_from(to.len()).unwrap_or(u32::MAX);
        to.push(slot, &self.rows.vector(slot));
        self.rows.set_position(slot, SketchPosition { block, at });
    }

    fn take_from_block(&mut self, slot: u32) {
        let position = self.rows.position(slot);
        if let Some(moved) = self.blocks[position.block as usize].take(position.at) {
            self.rows.set_position(moved, position);
        }
    }
}

#[cfg(test)]
#[path = "vectors_tests.rs"]
mod tests;
