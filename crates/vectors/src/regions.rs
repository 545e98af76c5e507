//! Regions of the vector space, so that a search among very many vectors scans only those near the query.

use super::encoding::{self, VectorQuery};
use super::{VectorError, Vectors};

/// The number of rounds in which each centre is moved to the mean of the vectors nearest to it.
const ROUNDS: usize = 4;
const SAMPLES_FOR_EACH: usize = 24;
const FEWEST: usize = 256;
const MOST: usize = 4096;

/// A sample of the vectors, from which [`Regions`] are built.
#[derive(Debug)]
pub struct RegionSample {
    dimensions: usize,
    centres: usize,
    /// Encoded vectors, concatenated.
    sample: Vec<u8>,
    generation: u16,
    vectors: u64,
}

/// The centres of the regions.
#[derive(Debug)]
pub struct Regions {
    pub(super) generation: u16,
    /// The number of vectors at the time of construction.
    pub(super) made_for: u64,
    centres: Box<Vectors>,
}

impl RegionSample {
    pub(super) fn new(vectors: &Vectors, generation: u16) -> Self {
        let centres = (vectors.len().isqrt() * 3).clamp(FEWEST, MOST);
        let wanted = centres * SAMPLES_FOR_EACH;
        let slots: Vec<u32> = vectors.slots().collect();
        let mut sample = Vec::with_capacity(wanted * encoding::encoded_size(vectors.dimensions()));
        for turn in 0..wanted as u64 {
            sample.extend_from_slice(vectors.rows.bytes(slots[scattered(turn) % slots.len()]));
        }
        Self { dimensions: vectors.dimensions(), centres, sample, generation, vectors: vectors.len() as u64 }
    }

    /// Computes the regions. This takes seconds and belongs on a thread of its own.
    pub fn build(self) -> Result<Regions, VectorError> {
        let rows: Vec<&[u8]> = self.sample.chunks_exact(encoding::encoded_size(self.dimensions)).collect();
        let mut centres = Vectors::new(self.dimensions);
        for (key, row) in (0..).zip(rows.iter().take(self.centres)) {
            centres.restore(key, row, None)?;
        }
        for _ in 0..ROUNDS {
            let mut sums = vec![vec![0_f32; self.dimensions]; centres.len()];
            for row in &rows {
                let vector = encoding::decode(row);
                if let Some(nearest) = nearest(&centres, &vector) {
                    for (sum, number) in sums[nearest as usize].iter_mut().zip(vector) {
                        *sum += number;
                    }
                }
            }
            // A centre to which no vector is nearest stays in place.
            for (key, sum) in (0..).zip(sums).filter(|(_, sum)| sum.iter().any(|&number| number != 0.0)) {
                centres.insert(key, &sum)?;
            }
        }
        Ok(Regions { generation: self.generation, made_for: self.vectors, centres: Box::new(centres) })
    }
}

impl Regions {
    pub(super) fn len(&self) -> usize {
        self.centres.len()
    }

    /// Returns the region that a vector belongs to.
    pub(super) fn nearest(&self, vector: &[f32]) -> u32 {
        nearest(&self.centres, vector).unwrap_or_default()
    }

    /// Returns all regions, each with a number that grows with its nearness.
    pub(super) fn nearness(&self, query: &VectorQuery) -> Vec<(i32, u32)> {
        const FINE: f32 = 1e9;
        #[allow(clippy::cast_possible_truncation)]
        let number = |(key, score): (u64, f32)| ((score * FINE) as i32, index(key));
        self.centres.rough_scores(query).into_iter().map(number).collect()
    }

    pub fn dimensions(&self) -> usize {
        self.centres.dimensions()
    }

    /// Serializes the regions for [`Regions::from_bytes`].
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.generation.to_le_bytes().to_vec();
        bytes.extend(self.made_for.to_le_bytes());
        for key in 0..self.centres.len() as u64 {
            bytes.extend_from_slice(self.centres.encoded(key).unwrap_or_default());
        }
        bytes
    }

    /// Returns `None` if these are not the bytes of regions with this number of dimensions.
    pub fn from_bytes(bytes: &[u8], dimensions: usize) -> Option<Self> {
        let (generation, rest) = bytes.split_first_chunk()?;
        let (made_for, rows) = rest.split_first_chunk()?;
        let stride = encoding::encoded_size(dimensions);
        let mut centres = Vectors::new(dimensions);
        for (key, row) in (0..).zip(rows.chunks(stride)).take(MOST + 1) {
            centres.restore(key, row, None).ok()?;
        }
        (1..=MOST).contains(&centres.len()).then(|| Self {
            generation: u16::from_le_bytes(*generation),
            made_for: u64::from_le_bytes(*made_for),
            centres: Box::new(centres),
        })
    }

    pub(super) fn memory(&self) -> usize {
        self.centres.memory()
    }
}

/// Returns pseudo-random numbers: with regular ones, a pattern in the order of the vectors would bias the sample.
#[allow(clippy::cast_possible_truncation)]
fn scattered(turn: u64) -> usize {
    let mixed = (turn + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (mixed ^ (mixed >> 32)) as usize
}

fn nearest(centres: &Vectors, vector: &[f32]) -> Option<u32> {
    centres.near(vector).map(index)
}

/// The key of a centre is its number.
#[allow(clippy::cast_possible_truncation)]
fn index(key: u64) -> u32 {
    key as u32
}
