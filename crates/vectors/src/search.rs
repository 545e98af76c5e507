//! One search, from coarse to fine: the sketches of the regions near the query by the number of differing bits, the
//! best of those by the weight of each bit, the best of those by the upper bytes, and the last few at full precision.

use std::collections::BinaryHeap;

use super::encoding::VectorQuery;
use super::sketch_block::SketchPosition;
use super::{Vectors, kernel};

/// The minimum number of vectors to scan; more regions are scanned until it is reached.
const FEWEST_SCANNED: usize = 6_000;
/// One in this many of all vectors is scanned.
const SCANNED_SHARE: usize = 160;
/// One in this many sketches is examined more closely.
const NEAR_SHARE: usize = 64;

/// The number of vectors that are examined at each stage.
#[derive(Debug, Clone, Copy)]
pub(super) struct SearchEffort {
    wanted: usize,
    compared: usize,
    exact: usize,
}

impl SearchEffort {
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
    query: &VectorQuery,
    effort: SearchEffort,
    filter: &dyn Fn(u64) -> bool,
) -> Vec<(u64, f32)> {
    let rows = &vectors.rows;
    let mut near = near(vectors, query, effort.compared, filter);
    // With few candidates, examining all of them is just as fast.
    if near.len() / 2 > effort.compared {
        let scorer = query.sketch_scorer();
        let sketch = |position: SketchPosition| vectors.blocks[position.block as usize].sketch(position.at);
        let mut like: Vec<_> =
            near.into_iter().map(|position| (scorer.score(sketch(position)), position)).collect();
        like.select_nth_unstable_by(effort.compared, |a, b| b.0.cmp(&a.0));
        like.truncate(effort.compared);
        near = like.into_iter().map(|(_, position)| position).collect();
    }
    let slot =
        |position: SketchPosition| vectors.blocks[position.block as usize].slots()[position.at as usize];
    let mut rough: Vec<(u32, f32)> =
        near.into_iter().map(slot).map(|slot| (slot, query.rough_score(&rows.vector(slot)))).collect();
    if rough.len() > effort.exact {
        rough.select_nth_unstable_by(effort.exact, |a, b| b.1.total_cmp(&a.1));
        rough.truncate(effort.exact);
    }
    let exact = rough.into_iter().map(|(slot, _)| (rows.key(slot), query.score(&rows.vector(slot))));
    let mut best: Vec<(u64, f32)> = exact.collect();
    best.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    best.truncate(effort.wanted);
    best
}

/// Returns the positions of the sketches nearest to the query's. More regions are scanned until `enough` pass the
/// filter.
fn near(
    vectors: &Vectors,
    query: &VectorQuery,
    enough: usize,
    filter: &dyn Fn(u64) -> bool,
) -> Vec<SketchPosition> {
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
    query: &'a VectorQuery,
    /// Blocks that have not been scanned yet. A heap, since few of them ever are and sorting all would be wasted.
    ahead: BinaryHeap<(i32, u32)>,
    scanned: Vec<u32>,
    /// The distances of the blocks in `scanned`, one after the other.
    distances: Vec<u16>,
    /// The number of vectors to scan next.
    width: usize,
}

impl<'a> Scan<'a> {
    fn new(vectors: &'a Vectors, query: &'a VectorQuery) -> Self {
        let regions = vectors.regions.as_ref().map(|regions| regions.nearness(query)).unwrap_or_default();
        let width = (vectors.len() / SCANNED_SHARE).max(FEWEST_SCANNED);
        Self { vectors, query, ahead: regions.into(), scanned: Vec::new(), distances: Vec::new(), width }
    }

    /// Scans the next blocks; the block of vectors without a region comes first. Returns false if there are no more.
    fn widen(&mut self) -> bool {
        if self.scanned.is_empty() {
            self.scan_block(0);
        } else if self.ahead.is_empty() {
            return false;
        }
        let until = self.distances.len() + self.width;
        while self.distances.len() < until
            && let Some((_, region)) = self.ahead.pop()
        {
            self.scan_block(region + 1);
        }
        self.width *= 2;
        true
    }

    fn scan_block(&mut self, block: u32) {
        self.scanned.push(block);
        self.vectors.blocks[block as usize].distances(&self.query.sketch, &mut self.distances);
    }

    /// Returns the nearest sketches that pass the filter: at least `wanted`, if there are that many.
    fn candidates(&self, wanted: usize, filter: &dyn Fn(u64) -> bool) -> Vec<SketchPosition> {
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

    fn gather(
        &self,
        nearest: usize,
        farthest: usize,
        filter: &dyn Fn(u64) -> bool,
        found: &mut Vec<SketchPosition>,
    ) {
        // Distances are at most the number of dimensions, which fits.
        let narrow = |distance: usize| u16::try_from(distance).unwrap_or(u16::MAX);
        let (nearest, farthest) = (narrow(nearest), narrow(farthest));
        let rows = &self.vectors.rows;
        let mut rest = self.distances.as_slice();
        let mut positions = Vec::new();
        for &block in &self.scanned {
            let slots = self.vectors.blocks[block as usize].slots();
            let (own, others) = rest.split_at(slots.len());
            rest = others;
            positions.clear();
            kernel::within(own, nearest, farthest, &mut positions);
            let passing = positions.iter().filter(|&&at| filter(rows.key(slots[at as usize])));
            found.extend(passing.map(|&at| SketchPosition { block, at }));
        }
    }
}
