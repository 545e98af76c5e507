//! One search, from coarse to fine: the sketches of the regions near the query by the number of differing bits, the
//! best of those by the weight of each bit, the best of those by the upper bytes, and the last few at full precision.

use std::collections::BinaryHeap;

use super::code::Query;
use super::pile::Place;
use super::{Vectors, kernel};

/// The minimum number of vectors to scan; more regions are scanned until it is reached.
const FEWEST_SCANNED: usize = 6_000;
/// One in this many of all vectors is scanned.
const SCANNED_SHARE: usize = 160;
/// One in this many sketches is examined more closely.
const NEAR_SHARE: usize = 64;

/// The number of vectors that are examined at each stage.
#[derive(Debug, Clone, Copy)]
pub(super) struct Care {
    wanted: usize,
    compared: usize,
    exact: usize,
}

impl Care {
    /// The setting with which almost none of the nearest vectors are missed.
    pub(super) fn full(wanted: usize) -> Self {
        let times = |factor| wanted.saturating_mul(factor);
        Self { wanted, compared: times(8).saturating_add(320), exact: times(4).max(64) }
    }

    /// The setting for one near vector that is about as good as the nearest.
    pub(super) const ONE: Self = Self { wanted: 1, compared: 64, exact: 8 };
}

pub(super) fn find(
    vectors: &Vectors,
    query: &Query,
    care: Care,
    filter: &dyn Fn(u64) -> bool,
) -> Vec<(u64, f32)> {
    let rows = &vectors.rows;
    let mut near = near(vectors, query, care.compared, filter);
    // With few candidates, examining all of them is just as fast.
    if near.len() / 2 > care.compared {
        let likeness = query.likeness();
        let sketch = |place: Place| vectors.piles[place.pile as usize].sketch(place.at);
        let mut like: Vec<_> = near.into_iter().map(|place| (likeness.of(sketch(place)), place)).collect();
        like.select_nth_unstable_by(care.compared, |a, b| b.0.cmp(&a.0));
        like.truncate(care.compared);
        near = like.into_iter().map(|(_, place)| place).collect();
    }
    let slot = |place: Place| vectors.piles[place.pile as usize].slots()[place.at as usize];
    let mut rough: Vec<(u32, f32)> =
        near.into_iter().map(slot).map(|slot| (slot, query.rough_score(&rows.code(slot)))).collect();
    if rough.len() > care.exact {
        rough.select_nth_unstable_by(care.exact, |a, b| b.1.total_cmp(&a.1));
        rough.truncate(care.exact);
    }
    let exact = rough.into_iter().map(|(slot, _)| (rows.key(slot), query.score(&rows.code(slot))));
    let mut best: Vec<(u64, f32)> = exact.collect();
    best.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    best.truncate(care.wanted);
    best
}

/// Returns the positions of the sketches nearest to the query's. More regions are scanned until `enough` pass the
/// filter.
fn near(vectors: &Vectors, query: &Query, enough: usize, filter: &dyn Fn(u64) -> bool) -> Vec<Place> {
    let mut scan = Scan::new(vectors, query);
    let mut found = Vec::new();
    while scan.widen() && found.len() < enough {
        // A sketch that was too far at one width may be among the nearest at the next.
        found = scan.candidates(enough, filter);
    }
    found
}

struct Scan<'a> {
    vectors: &'a Vectors,
    query: &'a Query,
    /// Blocks that have not been scanned yet. A heap, since few of them ever are and sorting all would be wasted.
    ahead: BinaryHeap<(i32, u32)>,
    scanned: Vec<u32>,
    /// The distances of the blocks in `scanned`, one after the other.
    distances: Vec<u16>,
    /// The number of vectors to scan next.
    width: usize,
}

impl<'a> Scan<'a> {
    fn new(vectors: &'a Vectors, query: &'a Query) -> Self {
        let cells = vectors.cells.as_ref().map(|cells| cells.nearness(query)).unwrap_or_default();
        let width = (vectors.len() / SCANNED_SHARE).max(FEWEST_SCANNED);
        Self { vectors, query, ahead: cells.into(), scanned: Vec::new(), distances: Vec::new(), width }
    }

    /// Scans the next blocks; the block of vectors without a region comes first. Returns false if there are no more.
    fn widen(&mut self) -> bool {
        if self.scanned.is_empty() {
            self.look_through(0);
        } else if self.ahead.is_empty() {
            return false;
        }
        let until = self.distances.len() + self.width;
        while self.distances.len() < until
            && let Some((_, cell)) = self.ahead.pop()
        {
            self.look_through(cell + 1);
        }
        self.width *= 2;
        true
    }

    fn look_through(&mut self, pile: u32) {
        self.scanned.push(pile);
        self.vectors.piles[pile as usize].distances(&self.query.sketch, &mut self.distances);
    }

    /// Returns the nearest sketches that pass the filter: at least `wanted`, if there are that many.
    fn candidates(&self, wanted: usize, filter: &dyn Fn(u64) -> bool) -> Vec<Place> {
        let counts = kernel::histogram(&self.distances, self.vectors.dimensions());
        let mut found = Vec::new();
        let mut nearest = 0;
        let mut enough = wanted.max(self.distances.len() / NEAR_SHARE);
        let mut passed = 0;
        while nearest < counts.len() {
            let mut farthest = nearest;
            passed += counts[nearest];
            while passed < enough && farthest + 1 < counts.len() {
                farthest += 1;
                passed += counts[farthest];
            }
            self.gather(nearest, farthest, filter, &mut found);
            if found.len() >= wanted {
                break;
            }
            enough = passed.saturating_mul(2).saturating_add(wanted);
            nearest = farthest + 1;
        }
        found
    }

    fn gather(&self, nearest: usize, farthest: usize, filter: &dyn Fn(u64) -> bool, found: &mut Vec<Place>) {
        // Distances are at most the number of dimensions, which fits.
        let narrow = |distance: usize| u16::try_from(distance).unwrap_or(u16::MAX);
        let (nearest, farthest) = (narrow(nearest), narrow(farthest));
        let rows = &self.vectors.rows;
        let mut rest = self.distances.as_slice();
        let mut places = Vec::new();
        for &pile in &self.scanned {
            let slots = self.vectors.piles[pile as usize].slots();
            let (own, others) = rest.split_at(slots.len());
            rest = others;
            places.clear();
            kernel::within(own, nearest, farthest, &mut places);
            let passing = places.iter().filter(|&&at| filter(rows.key(slots[at as usize])));
            found.extend(passing.map(|&at| Place { pile, at }));
        }
    }
}
