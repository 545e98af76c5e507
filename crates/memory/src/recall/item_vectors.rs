//! The vectors of items: of each one alone, and of each one blended with its neighbours.

use vectors::{Comparison, RegionId, RegionSample, Regions, VectorError, Vectors};

use super::item::ItemPosition;

/// The weight of an item's own vector, and that of the sum with its neighbours.
const OWN: f32 = 0.7;
const TOGETHER: f32 = 0.4;
/// The weight of an item's own vector if it has no neighbours.
pub(super) const ALONE: f32 = OWN + TOGETHER;
/// Up to this many items, all are compared with a question; with more, only the nearest.
pub(super) const MANY: usize = 40_000;
/// The number of nearest items that are compared then.
const NEAR: usize = 120;

#[derive(Debug)]
pub struct ItemVectors {
    own: Vectors,
    blended: Vectors,
    /// The lengths of the blended vectors: vectors are stored at unit length, which a blend does not have.
    lengths: Vec<f32>,
    /// Items whose region has changed since [`ItemVectors::take_moved`] was last called.
    moved: Vec<ItemPosition>,
}

impl Default for ItemVectors {
    fn default() -> Self {
        Self::new(0)
    }
}

/// The similarity of items to a question.
#[derive(Debug, Clone, Default)]
pub struct Similarities {
    /// The scores by position; zero if unknown.
    scores: Vec<f32>,
    /// The nearest items, if there are very many.
    nearest: Vec<ItemPosition>,
}

impl Similarities {
    pub fn of(&self, position: ItemPosition) -> f32 {
        self.scores.get(position as usize).copied().unwrap_or_default()
    }

    pub fn nearest(&self) -> &[ItemPosition] {
        &self.nearest
    }
}

impl ItemVectors {
    pub fn new(dimensions: usize) -> Self {
        Self {
            own: Vectors::new(dimensions),
            blended: Vectors::new(dimensions),
            lengths: Vec::new(),
            moved: Vec::new(),
        }
    }

    /// Creates an instance without vectors, with the regions that they were in.
    pub fn with_regions(regions: Regions) -> Self {
        Self {
            own: Vectors::new(regions.dimensions()),
            blended: Vectors::with_regions(regions),
            ..Self::default()
        }
    }

    pub fn contains(&self, position: ItemPosition) -> bool {
        self.own.contains(position.into())
    }

    /// Sets the encoded vector of an item. Its neighbours have to be [`blended`](Self::blend) again.
    pub fn set(&mut self, position: ItemPosition, code: &[u8]) -> Result<(), VectorError> {
        self.own.restore(position.into(), code, None)
    }

    pub fn code(&self, position: ItemPosition) -> Option<&[u8]> {
        self.own.encoded(position.into())
    }

    /// Removes the vector of an item and overwrites its bytes.
    pub fn remove(&mut self, position: ItemPosition) {
        self.own.remove(position.into());
        self.blended.remove(position.into());
    }

    /// Blends an item's vector with those of its neighbours. Without a known region, the region is determined.
    pub fn blend(
        &mut self,
        position: ItemPosition,
        beside: impl Iterator<Item = ItemPosition>,
        region: Option<RegionId>,
    ) {
        let Some(own) = self.vector(position) else { return };
        let mut together: Vec<f32> = own.clone();
        for near in beside.filter_map(|near| self.vector(near)) {
            for (sum, number) in together.iter_mut().zip(near) {
                *sum += number;
            }
        }
        let whole = length(&together).max(f32::MIN_POSITIVE);
        let mixed: Vec<f32> = own
            .iter()
            .zip(&together)
            .map(|(own, together)| OWN * own + TOGETHER * together / whole)
            .collect();
        let Ok(code) = vectors::encode(&mixed) else { return };
        if self.blended.restore(position.into(), &code, region).is_ok() {
            if self.lengths.len() <= position as usize {
                self.lengths.resize(position as usize + 1, 0.0);
            }
            self.lengths[position as usize] = length(&mixed);
            if self.blended.region(position.into()).is_some_and(|found| Some(found) != region) {
                self.moved.push(position);
            }
        }
    }

    /// Returns the data for building regions, if that is due.
    pub fn sample_for_regions(&self) -> Option<RegionSample> {
        self.blended.sample_for_regions()
    }

    pub fn use_regions(&mut self, regions: Regions) {
        self.blended.use_regions(regions);
    }

    /// Assigns at most `most` vectors to their regions.
    pub fn assign_regions(&mut self, most: usize) {
        let tidied = self.blended.assign_regions(most).into_iter();
        self.moved.extend(tidied.filter_map(|(key, _)| ItemPosition::try_from(key).ok()));
    }

    /// Returns the items whose region has changed since the last call, each with its region.
    pub fn take_moved(&mut self) -> Vec<(ItemPosition, RegionId)> {
        let moved = std::mem::take(&mut self.moved).into_iter();
        moved.filter_map(|position| Some((position, self.blended.region(position.into())?))).collect()
    }

    fn vector(&self, position: ItemPosition) -> Option<Vec<f32>> {
        self.own.encoded(position.into()).map(vectors::decode)
    }

    /// Computes the similarity of items, blended with their neighbours, to a question: for all, or for `few` and the
    /// nearest.
    pub fn similarities(&self, question: &[f32], few: Option<&[ItemPosition]>) -> Similarities {
        let mut scores = vec![0.0; self.lengths.len()];
        let Some(few) = few else {
            self.fill(&mut scores, self.blended.scores(question));
            return Similarities { scores, nearest: Vec::new() };
        };
        let comparison = self.blended.compare(question);
        let alone = few.iter().filter_map(|&position| {
            let key = u64::from(position);
            Some((key, comparison.as_ref()?.cosine(key)?))
        });
        self.fill(&mut scores, alone.collect());
        let nearest = self.blended.search(question, NEAR, |_| true);
        let positions = nearest.iter().filter_map(|&(key, _)| ItemPosition::try_from(key).ok()).collect();
        self.fill(&mut scores, nearest);
        Similarities { scores, nearest: positions }
    }

    fn fill(&self, scores: &mut [f32], found: Vec<(u64, f32)>) {
        for (key, cosine) in found {
            if let Ok(position) = usize::try_from(key) {
                scores[position] = cosine * self.lengths[position];
            }
        }
    }

    /// Returns the similarity of two items.
    pub fn similarity(&self, one: ItemPosition, other: ItemPosition) -> Option<f32> {
        let (one, other) = (self.vector(one)?, self.vector(other)?);
        Some(one.iter().zip(&other).map(|(one, other)| one * other).sum())
    }

    /// Prepares the comparison of items, without their neighbours, with a question.
    pub fn compare_alone(&self, question: &[f32]) -> Option<Comparison<'_>> {
        self.own.compare(question)
    }
}

fn length(vector: &[f32]) -> f32 {
    vector.iter().map(|number| number * number).sum::<f32>().sqrt()
}

#[cfg(test)]
mod tests {
    use vectors::encode;

    use super::*;

    fn close(one: f32, other: f32) -> bool {
        (one - other).abs() < 0.01
    }

    #[test]
    fn what_is_cleared_is_gone() {
        let mut item_vectors = ItemVectors::new(2);
        let question = [1.0, 0.0];
        item_vectors.set(1, &encode(&[1.0, 0.0]).unwrap()).unwrap();
        item_vectors.set(0, &encode(&[0.0, 1.0]).unwrap()).unwrap();
        item_vectors.blend(1, [0].into_iter(), None);
        assert!(close(item_vectors.compare_alone(&question).unwrap().cosine(1).unwrap(), 1.0));
        let near = item_vectors.similarities(&question, None);
        assert!(close(near.of(1), OWN + TOGETHER / 2.0_f32.sqrt()), "{}", near.of(1));
        assert!(item_vectors.contains(1) && !item_vectors.contains(7));
        item_vectors.remove(1);
        assert!(!item_vectors.contains(1));
        let near = item_vectors.similarities(&question, None);
        assert_eq!((near.of(1), near.of(99)), (0.0, 0.0));
        assert_eq!(item_vectors.compare_alone(&question).unwrap().cosine(1), None);
        assert!(item_vectors.set(0, &encode(&[1.0]).unwrap()).is_err(), "of another model");
    }
}
