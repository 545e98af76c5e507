//! The encoding of a vector: 16 bits per number and one scale, 772 bytes for 384 numbers. The upper bytes are stored
//! first and separately, so that a rough comparison reads only those.

use thiserror::Error;

use super::kernel;

const SCALE: usize = size_of::<f32>();
/// The largest value of an encoded number.
const LARGEST: f32 = 32_767.0;
/// The largest value of a query's number in rough comparisons, so that no sum overflows with up to 4,096 numbers.
const LARGEST_ROUGH: f32 = 4_095.0;

/// Reasons why a list of numbers cannot be encoded as a vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum VectorError {
    #[error("the vector has {came} numbers, where {expected} are expected: it is from another model")]
    Length { expected: usize, came: usize },
    #[error("the vector contains something that is not a number")]
    NotANumber,
}

/// Encodes a vector, scaled to unit length. A zero vector stays zero.
pub fn encode(vector: &[f32]) -> Result<Vec<u8>, VectorError> {
    let unit = unit(vector)?;
    let largest = unit.iter().fold(0_f32, |largest, number| largest.max(number.abs()));
    let factor = if largest > 0.0 { LARGEST / largest } else { 0.0 };
    let mut code = Vec::with_capacity(encoded_size(vector.len()));
    code.extend((largest / LARGEST).to_le_bytes());
    #[allow(clippy::cast_possible_truncation)]
    let parts: Vec<[u8; 2]> =
        unit.iter().map(|number| ((number * factor).round() as i16).to_le_bytes()).collect();
    code.extend(parts.iter().map(|[_, high]| *high));
    code.extend(parts.iter().map(|[low, _]| *low));
    Ok(code)
}

/// Decodes a vector.
pub fn decode(code: &[u8]) -> Vec<f32> {
    let code = EncodedVector::new(code);
    let numbers = code.high.iter().zip(code.low);
    numbers.map(|(&high, &low)| f32::from(i16::from_le_bytes([low, high])) * code.scale).collect()
}

/// Returns the size in bytes of an encoded vector with this number of dimensions.
pub(super) const fn encoded_size(dimensions: usize) -> usize {
    SCALE + 2 * dimensions
}

/// Scales a vector to unit length.
fn unit(vector: &[f32]) -> Result<Vec<f32>, VectorError> {
    if !vector.iter().all(|number| number.is_finite()) {
        return Err(VectorError::NotANumber);
    }
    let length = vector.iter().map(|&number| f64::from(number).powi(2)).sum::<f64>().sqrt();
    if length == 0.0 {
        return Ok(vector.to_vec());
    }
    #[allow(clippy::cast_possible_truncation)]
    Ok(vector.iter().map(|&number| (f64::from(number) / length) as f32).collect())
}

/// A parsed encoded vector.
pub(super) struct EncodedVector<'a> {
    scale: f32,
    high: &'a [u8],
    low: &'a [u8],
}

impl<'a> EncodedVector<'a> {
    #[inline]
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        let (scale, numbers) = bytes.split_first_chunk::<SCALE>().unwrap_or((&[0; SCALE], &[]));
        let (high, low) = numbers.split_at(numbers.len() / 2);
        Self { scale: f32::from_le_bytes(*scale), high, low }
    }

    /// Returns true if these bytes can be a vector with this number of dimensions.
    pub(super) fn is_sound(&self, dimensions: usize) -> bool {
        self.high.len() == dimensions && self.low.len() == dimensions && self.scale.is_finite()
    }

    /// Appends one bit per number: set if it is above zero.
    pub(super) fn sketch(&self, out: &mut Vec<u64>) {
        let (highs, last_high) = self.high.as_chunks::<64>();
        let (lows, last_low) = self.low.as_chunks::<64>();
        let words = highs.iter().map(<[u8; 64]>::as_slice).zip(lows.iter().map(<[u8; 64]>::as_slice));
        let last = (!last_high.is_empty()).then_some((last_high, last_low));
        out.extend(words.chain(last).map(|(high, low)| {
            let bits = high.iter().zip(low).enumerate();
            bits.fold(0, |word, (position, (&high, &low))| {
                word | (u64::from(i16::from_le_bytes([low, high]) > 0) << position)
            })
        }));
    }
}

/// A vector prepared for comparison with others.
pub(super) struct VectorQuery {
    numbers: Vec<f32>,
    rough: Vec<i16>,
    rough_scale: f32,
    pub(super) sketch: Vec<u64>,
}

/// For each position, the contribution of each possible byte of a sketch to its likeness to a query.
pub(super) struct SketchScorer(Vec<[i16; 256]>);

impl SketchScorer {
    /// Returns the likeness of a sketch to the query: the best estimate without the vector itself.
    #[inline]
    pub(super) fn score(&self, sketch: &[u64]) -> i32 {
        let mut sum = 0;
        for (tables, word) in self.0.chunks(8).zip(sketch) {
            for (table, byte) in tables.iter().zip(word.to_le_bytes()) {
                sum += i32::from(table[usize::from(byte)]);
            }
        }
        sum
    }
}

impl VectorQuery {
    pub(super) fn new(vector: &[f32]) -> Result<Self, VectorError> {
        let numbers = unit(vector)?;
        let largest = numbers.iter().fold(0_f32, |largest, number| largest.max(number.abs()));
        let factor = if largest > 0.0 { LARGEST_ROUGH / largest } else { 0.0 };
        #[allow(clippy::cast_possible_truncation)]
        let rough = numbers.iter().map(|number| (number * factor).round() as i16).collect();
        let above = |word: &[f32]| {
            word.iter()
                .enumerate()
                .fold(0, |bits, (position, &number)| bits | (u64::from(number > 0.0) << position))
        };
        let sketch = numbers.chunks(64).map(above).collect();
        Ok(Self { numbers, rough, rough_scale: 256.0 * largest / LARGEST_ROUGH, sketch })
    }

    pub(super) fn sketch_scorer(&self) -> SketchScorer {
        let table = |numbers: &[i16]| {
            let mut table = [0; 256];
            for (bit, &number) in numbers.iter().enumerate() {
                let (without, with) = table.split_at_mut(1 << bit);
                for (with, without) in with.iter_mut().zip(without) {
                    *with = *without + number;
                }
            }
            table
        };
        SketchScorer(self.rough.chunks(8).map(table).collect())
    }

    /// Returns the cosine, with an error of up to about 0.001.
    #[allow(clippy::cast_precision_loss)]
    #[inline]
    pub(super) fn rough_score(&self, code: &EncodedVector<'_>) -> f32 {
        kernel::rough_product(&self.rough, code.high) as f32 * self.rough_scale * code.scale
    }

    /// Returns the cosine.
    #[inline]
    pub(super) fn score(&self, code: &EncodedVector<'_>) -> f32 {
        kernel::product(&self.numbers, code.high, code.low) * code.scale
    }
}
