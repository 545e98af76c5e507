//! Blocks of sketches that are scanned together: one bit per number of a vector.

use super::encoding::EncodedVector;
use super::kernel;

/// The position of a vector's sketch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SketchPosition {
    pub(super) block: u32,
    pub(super) at: u32,
}

#[derive(Debug, Default)]
pub(super) struct SketchBlock {
    slots: Vec<u32>,
    sketches: Vec<u64>,
}

impl SketchBlock {
    pub(super) fn len(&self) -> usize {
        self.slots.len()
    }

    #[inline]
    pub(super) fn slots(&self) -> &[u32] {
        &self.slots
    }

    pub(super) fn push(&mut self, slot: u32, code: &EncodedVector<'_>) {
        self.slots.push(slot);
        code.sketch(&mut self.sketches);
    }

    /// Removes a sketch and overwrites it. Returns the slot of the vector whose sketch takes its position, if any.
    pub(super) fn take(&mut self, at: u32) -> Option<u32> {
        let words = self.sketches.len() / self.slots.len().max(1);
        let (at, last) = (at as usize, self.slots.len() - 1);
        self.sketches.copy_within(last * words.., at * words);
        self.sketches[last * words..].fill(0);
        self.sketches.truncate(last * words);
        self.slots.swap_remove(at);
        self.slots.get(at).copied()
    }

    #[inline]
    pub(super) fn sketch(&self, at: u32) -> &[u64] {
        let words = self.sketches.len() / self.slots.len().max(1);
        &self.sketches[at as usize * words..][..words]
    }

    pub(super) fn distances(&self, sketch: &[u64], out: &mut Vec<u16>) {
        kernel::distances(sketch, &self.sketches, out);
    }

    pub(super) fn memory(&self) -> usize {
        self.slots.capacity() * size_of::<u32>() + self.sketches.capacity() * size_of::<u64>()
    }
}
