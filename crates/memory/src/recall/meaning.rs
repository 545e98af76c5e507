//! The vectors of what can be recalled, a byte for each number.

use super::index::Place;

/// A vector with one scale for all its numbers. What that loses is far below what tells two sentences apart.
#[derive(Debug, Clone, PartialEq)]
pub struct Packed {
    pub scale: f32,
    pub numbers: Vec<i8>,
}

impl Packed {
    pub fn new(vector: &[f32]) -> Self {
        let largest = vector.iter().fold(0.0_f32, |most, number| most.max(number.abs()));
        if largest == 0.0 || !largest.is_finite() {
            return Self { scale: 0.0, numbers: vec![0; vector.len()] };
        }
        #[allow(clippy::cast_possible_truncation, reason = "at most 127 by construction")]
        let numbers = vector.iter().map(|number| (number / largest * 127.0).round() as i8).collect();
        Self { scale: largest / 127.0, numbers }
    }

    /// As it is kept: the scale, then the numbers.
    pub fn to_bytes(&self) -> Vec<u8> {
        let numbers = self.numbers.iter().map(|number| number.cast_unsigned());
        self.scale.to_le_bytes().into_iter().chain(numbers).collect()
    }

    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (scale, numbers) = bytes.split_first_chunk::<4>()?;
        let numbers = numbers.iter().map(|&byte| byte.cast_signed()).collect();
        Some(Self { scale: f32::from_le_bytes(*scale), numbers })
    }

    pub fn dot(&self, other: &Self) -> f32 {
        dot(&self.numbers, &other.numbers) * self.scale * other.scale
    }
}

/// Rows of numbers, one for each place.
#[derive(Debug, Default)]
struct Rows {
    dimensions: usize,
    numbers: Vec<i8>,
    /// Nought where there is no vector.
    scales: Vec<f32>,
}

impl Rows {
    fn set(&mut self, place: Place, vector: &Packed) {
        let place = place as usize;
        if self.scales.len() <= place {
            self.scales.resize(place + 1, 0.0);
            self.numbers.resize((place + 1) * self.dimensions, 0);
        }
        self.scales[place] = vector.scale;
        self.row_mut(place).copy_from_slice(&vector.numbers);
    }

    fn clear(&mut self, place: Place) {
        if (place as usize) < self.scales.len() {
            self.scales[place as usize] = 0.0;
            self.row_mut(place as usize).fill(0);
        }
    }

    fn row_mut(&mut self, place: usize) -> &mut [i8] {
        &mut self.numbers[place * self.dimensions..(place + 1) * self.dimensions]
    }

    fn get(&self, place: Place) -> Option<(f32, &[i8])> {
        let scale = *self.scales.get(place as usize).filter(|&&scale| scale > 0.0)?;
        let begin = place as usize * self.dimensions;
        Some((scale, &self.numbers[begin..begin + self.dimensions]))
    }

    fn near(&self, place: Place, question: &Packed) -> f32 {
        self.get(place).map_or(0.0, |(scale, row)| dot(row, &question.numbers) * scale * question.scale)
    }
}

/// How much an item's own vector counts, and that of it with its neighbours.
const OWN: f32 = 0.7;
const TOGETHER: f32 = 0.4;

/// The vectors of an index: of each item, and of each item with those beside it.
#[derive(Debug, Default)]
pub struct Meanings {
    own: Rows,
    wide: Rows,
}

impl Meanings {
    pub fn new(dimensions: usize) -> Self {
        let rows = || Rows { dimensions, ..Rows::default() };
        Self { own: rows(), wide: rows() }
    }

    pub fn knows(&self, place: Place) -> bool {
        self.own.get(place).is_some()
    }

    /// The vector of an item. Those around it have to be [`blended`](Self::blend) again.
    pub fn set(&mut self, place: Place, vector: &Packed) -> bool {
        let fits = vector.numbers.len() == self.own.dimensions;
        if fits {
            self.own.set(place, vector);
        }
        fits
    }

    /// Overwrites what is there.
    pub fn clear(&mut self, place: Place) {
        self.own.clear(place);
        self.wide.clear(place);
    }

    /// Mixes an item's vector with those beside it.
    pub fn blend(&mut self, place: Place, beside: impl Iterator<Item = Place>) {
        let Some(own) = self.vector(place) else { return };
        let mut together: Vec<f32> = own.clone();
        for near in beside.filter_map(|near| self.vector(near)) {
            for (sum, number) in together.iter_mut().zip(near) {
                *sum += number;
            }
        }
        let length = together.iter().map(|number| number * number).sum::<f32>().sqrt().max(f32::MIN_POSITIVE);
        let mixed: Vec<f32> = own
            .iter()
            .zip(&together)
            .map(|(own, together)| OWN * own + TOGETHER * together / length)
            .collect();
        self.wide.set(place, &Packed::new(&mixed));
    }

    pub fn packed(&self, place: Place) -> Option<Packed> {
        let (scale, row) = self.own.get(place)?;
        Some(Packed { scale, numbers: row.to_vec() })
    }

    fn vector(&self, place: Place) -> Option<Vec<f32>> {
        let (scale, row) = self.own.get(place)?;
        Some(row.iter().map(|&number| f32::from(number) * scale).collect())
    }

    /// How near an item is to a question, together with what stands beside it.
    pub fn near(&self, place: Place, question: &Packed) -> f32 {
        self.wide.near(place, question)
    }

    /// How near an item alone is to a question.
    pub fn near_alone(&self, place: Place, question: &Packed) -> f32 {
        self.own.near(place, question)
    }
}

/// Wide enough for the machine to work on many at once.
const LANES: usize = 32;

fn dot(one: &[i8], other: &[i8]) -> f32 {
    let (chunks, others) = (one.chunks_exact(LANES), other.chunks_exact(LANES));
    let rest: i32 = chunks
        .remainder()
        .iter()
        .zip(others.remainder())
        .map(|(&one, &other)| i32::from(one) * i32::from(other))
        .sum();
    let mut sum = rest;
    for (one, other) in chunks.zip(others) {
        let mut part = 0_i32;
        for (&one, &other) in one.iter().zip(other) {
            part += i32::from(i16::from(one) * i16::from(other));
        }
        sum += part;
    }
    #[allow(clippy::cast_precision_loss, reason = "far below what a float holds")]
    let sum = sum as f32;
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(one: f32, other: f32) -> bool {
        (one - other).abs() < 0.01
    }

    #[test]
    fn packing_keeps_what_matters() {
        let vector: Vec<f32> = (0_i8..100).map(|n| f32::from(n - 50) / 290.0).collect();
        let packed = Packed::new(&vector);
        assert_eq!(Packed::from_bytes(&packed.to_bytes()).unwrap(), packed);
        let exact: f32 = vector.iter().map(|number| number * number).sum();
        assert!(close(packed.dot(&packed), exact), "{} {exact}", packed.dot(&packed));
        let unpacked = packed.numbers.iter().map(|&number| f32::from(number) * packed.scale);
        assert!(unpacked.zip(&vector).all(|(got, &real)| close(got, real)));
    }

    #[test]
    fn odd_vectors_do_no_harm() {
        for vector in [vec![], vec![0.0; 3], vec![f32::NAN, 1.0], vec![f32::INFINITY, 1.0]] {
            assert_eq!(Packed::new(&vector).dot(&Packed::new(&vector)), 0.0);
        }
        assert_eq!(Packed::from_bytes(&[1, 2, 3]), None);
        assert!(!Meanings::new(3).set(0, &Packed::new(&[1.0, 0.0])));
    }

    #[test]
    fn what_is_cleared_is_gone() {
        let mut meanings = Meanings::new(2);
        let question = Packed::new(&[1.0, 0.0]);
        meanings.set(1, &Packed::new(&[1.0, 0.0]));
        meanings.set(0, &Packed::new(&[0.0, 1.0]));
        meanings.blend(1, [0].into_iter());
        assert!(close(meanings.near_alone(1, &question), 1.0));
        assert!(close(meanings.near(1, &question), OWN + TOGETHER / 2.0_f32.sqrt()));
        meanings.clear(1);
        assert_eq!((meanings.near(1, &question), meanings.near_alone(1, &question)), (0.0, 0.0));
        assert_eq!(meanings.own.numbers[2..], [0, 0]);
    }
}
