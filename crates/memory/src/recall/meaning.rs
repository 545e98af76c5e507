//! The vectors of items: of each one alone, and of each one blended with its neighbours.

use vectors::{Regions, Comparison, RegionId, RegionSample, VectorError, Vectors};

use super::index::Place;

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
pub struct Meanings {
    own: Vectors,
    wide: Vectors,
    /// The lengths of the blended vectors: vectors are stored at unit length, which a blend does not have.
    lengths: Vec<f32>,
    /// Items whose region has changed since [`Meanings::take_moved`] was last called.
    moved: Vec<Place>,
}

impl Default for Meanings {
    fn default() -> Self {
        Self::new(0)
    }
}

/// The similarity of items to a question.
#[derive(Debug, Clone, Default)]
pub struct Nearness {
    /// The scores by place; zero if unknown.
    scores: Vec<f32>,
    /// The nearest items, if there are very many.
    nearest: Vec<Place>,
}

impl Nearness {
    pub fn of(&self, place: Place) -> f32 {
        self.scores.get(place as usize).copied().unwrap_or_default()
    }

    pub fn nearest(&self) -> &[Place] {
        &self.nearest
    }
}

impl Meanings {
    pub fn new(dimensions: usize) -> Self {
        Self {
            own: Vectors::new(dimensions),
            wide: Vectors::new(dimensions),
            lengths: Vec::new(),
            moved: Vec::new(),
        }
    }

    /// Creates an instance without vectors, with the regions that they were in.
    pub fn with_regions(regions: Regions) -> Self {
        Self { own: Vectors::new(regions.dimensions()), wide: Vectors::with_regions(regions), ..Self::default() }
    }

    pub fn knows(&self, place: Place) -> bool {
        self.own.contains(place.into())
    }

    /// Sets the encoded vector of an item. Its neighbours have to be [`blended`](Self::blend) again.
    pub fn set(&mut self, place: Place, code: &[u8]) -> Result<(), VectorError> {
        self.own.restore(place.into(), code, None)
    }

    pub fn code(&self, place: Place) -> Option<&[u8]> {
        self.own.encoded(place.into())
    }

    /// Removes the vector of an item and overwrites its bytes.
    pub fn clear(&mut self, place: Place) {
        self.own.remove(place.into());
        self.wide.remove(place.into());
    }

    /// Blends an item's vector with those of its neighbours. Without a known region, the region is determined.
    pub fn blend(&mut self, place: Place, beside: impl Iterator<Item = Place>, region: Option<RegionId>) {
        let Some(own) = self.vector(place) else { return };
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
        if self.wide.restore(place.into(), &code, region).is_ok() {
            if self.lengths.len() <= place as usize {
                self.lengths.resize(place as usize + 1, 0.0);
            }
            self.lengths[place as usize] = length(&mixed);
            if self.wide.region(place.into()).is_some_and(|found| Some(found) != region) {
                self.moved.push(place);
            }
        }
    }

    /// Returns the data for building regions, if that is due.
    pub fn sample_for_regions(&self) -> Option<RegionSample> {
        self.wide.sample_for_regions()
    }

    pub fn use_regions(&mut self, regions: Regions) {
        self.wide.use_regions(regions);
    }

    /// Assigns at most `most` vectors to their regions.
    pub fn assign_regions(&mut self, most: usize) {
        let tidied = self.wide.assign_regions(most).into_iter();
        self.moved.extend(tidied.filter_map(|(key, _)| Place::try_from(key).ok()));
    }

    /// Returns the items whose region has changed since the last call, each with its region.
    pub fn take_moved(&mut self) -> Vec<(Place, RegionId)> {
        let moved = std::mem::take(&mut self.moved).into_iter();
        moved.filter_map(|place| Some((place, self.wide.region(place.into())?))).collect()
    }

    fn vector(&self, place: Place) -> Option<Vec<f32>> {
        self.own.encoded(place.into()).map(vectors::decode)
    }

    /// Computes the similarity of items, blended with their neighbours, to a question: for all, or for `few` and the
    /// nearest.
    pub fn near(&self, question: &[f32], few: Option<&[Place]>) -> Nearness {
        let mut scores = vec![0.0; self.lengths.len()];
        let Some(few) = few else {
            self.fill(&mut scores, self.wide.scores(question));
            return Nearness { scores, nearest: Vec::new() };
        };
        let comparison = self.wide.compare(question);
        let alone = few.iter().filter_map(|&place| {
            let key = u64::from(place);
            Some((key, comparison.as_ref()?.cosine(key)?))
        });
        self.fill(&mut scores, alone.collect());
        let nearest = self.wide.search(question, NEAR, |_| true);
        let places = nearest.iter().filter_map(|&(key, _)| Place::try_from(key).ok()).collect();
        self.fill(&mut scores, nearest);
        Nearness { scores, nearest: places }
    }

    fn fill(&self, scores: &mut [f32], found: Vec<(u64, f32)>) {
        for (key, cosine) in found {
            if let Ok(place) = usize::try_from(key) {
                scores[place] = cosine * self.lengths[place];
            }
        }
    }

    /// Returns the similarity of two items.
    pub fn between(&self, one: Place, other: Place) -> Option<f32> {
        let (one, other) = (self.vector(one)?, self.vector(other)?);
        Some(one.iter().zip(&other).map(|(one, other)| one * other).sum())
    }

    /// Prepares the comparison of items, without their neighbours, with a question.
    pub fn alone(&self, question: &[f32]) -> Option<Comparison<'_>> {
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
        let mut meanings = Meanings::new(2);
        let question = [1.0, 0.0];
        meanings.set(1, &encode(&[1.0, 0.0]).unwrap()).unwrap();
        meanings.set(0, &encode(&[0.0, 1.0]).unwrap()).unwrap();
        meanings.blend(1, [0].into_iter(), None);
        assert!(close(meanings.alone(&question).unwrap().cosine(1).unwrap(), 1.0));
        let near = meanings.near(&question, None);
        assert!(close(near.of(1), OWN + TOGETHER / 2.0_f32.sqrt()), "{}", near.of(1));
        assert!(meanings.knows(1) && !meanings.knows(7));
        meanings.clear(1);
        assert!(!meanings.knows(1));
        let near = meanings.near(&question, None);
        assert_eq!((near.of(1), near.of(99)), (0.0, 0.0));
        assert_eq!(meanings.alone(&question).unwrap().cosine(1), None);
        assert!(meanings.set(0, &encode(&[1.0]).unwrap()).is_err(), "of another model");
    }
}
