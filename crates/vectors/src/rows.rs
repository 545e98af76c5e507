//! Encoded vectors by slot. They are stored in blocks, so that growing moves nothing.

use super::encoding::{self, EncodedVector};
use super::sketch_block::SketchPosition;

/// The number of vectors in a block; with 384 numbers each, a block is under a megabyte.
const CHUNK: usize = 1024;

#[derive(Debug)]
pub(super) struct Rows {
    stride: usize,
    chunks: Vec<Box<[u8]>>,
    keys: Vec<u64>,
    positions: Vec<SketchPosition>,
    free: Vec<u32>,
}

impl Rows {
    pub(super) fn new(dimensions: usize) -> Self {
        let stride = encoding::encoded_size(dimensions);
        Self { stride, chunks: Vec::new(), keys: Vec::new(), positions: Vec::new(), free: Vec::new() }
    }

    /// Stores a vector and returns its slot. `None` if all four billion slots are in use.
    pub(super) fn add(&mut self, key: u64, bytes: &[u8], position: SketchPosition) -> Option<u32> {
        let slot = match self.free.pop() {
            Some(slot) => slot,
            None => u32::try_from(self.keys.len()).ok()?,
        };
        let at = slot as usize;
        if at == self.keys.len() {
            if at.is_multiple_of(CHUNK) {
                self.chunks.push(vec![0; CHUNK * self.stride].into_boxed_slice());
            }
            self.keys.push(key);
            self.positions.push(position);
        } else {
            self.keys[at] = key;
            self.positions[at] = position;
        }
        self.row(slot).copy_from_slice(bytes);
        Some(slot)
    }

    /// Frees a slot and overwrites its content.
    pub(super) fn clear(&mut self, slot: u32) {
        self.row(slot).fill(0);
        self.keys[slot as usize] = 0;
        self.free.push(slot);
    }

    #[inline]
    pub(super) fn bytes(&self, slot: u32) -> &[u8] {
        let (chunk, start) = self.offset(slot);
        &self.chunks[chunk][start..start + self.stride]
    }

    #[inline]
    pub(super) fn vector(&self, slot: u32) -> EncodedVector<'_> {
        EncodedVector::new(self.bytes(slot))
    }

    #[inline]
    pub(super) fn key(&self, slot: u32) -> u64 {
        self.keys[slot as usize]
    }

    pub(super) fn position(&self, slot: u32) -> SketchPosition {
        self.positions[slot as usize]
    }

    pub(super) fn set_position(&mut self, slot: u32, position: SketchPosition) {
        self.positions[slot as usize] = position;
    }

    pub(super) fn memory(&self) -> usize {
        let each = size_of::<u64>() + size_of::<SketchPosition>();
        self.chunks.len() * CHUNK * self.stride
            + self.keys.capacity() * each
            + self.free.capacity() * size_of::<u32>()
    }

    fn row(&mut self, slot: u32) -> &mut [u8] {
        let (chunk, start) = self.offset(slot);
        &mut self.chunks[chunk][start..start + self.stride]
    }

    #[inline]
    fn offset(&self, slot: u32) -> (usize, usize) {
        let slot = slot as usize;
        (slot / CHUNK, slot % CHUNK * self.stride)
    }
}
