//! Encoded vectors by slot. They are stored in blocks, so that growing moves nothing.

use super::code::{self, Code};
use super::pile::Place;

/// The number of vectors in a block; with 384 numbers each, a block is under a megabyte.
const BLOCK: usize = 1024;

#[derive(Debug)]
pub(super) struct Rows {
    stride: usize,
    blocks: Vec<Box<[u8]>>,
    keys: Vec<u64>,
    places: Vec<Place>,
    free: Vec<u32>,
}

impl Rows {
    pub(super) fn new(dimensions: usize) -> Self {
        let stride = code::bytes(dimensions);
        Self { stride, blocks: Vec::new(), keys: Vec::new(), places: Vec::new(), free: Vec::new() }
    }

    /// Stores a vector and returns its slot. `None` if all four billion slots are in use.
    pub(super) fn add(&mut self, key: u64, bytes: &[u8], place: Place) -> Option<u32> {
        let slot = match self.free.pop() {
            Some(slot) => slot,
            None => u32::try_from(self.keys.len()).ok()?,
        };
        let at = slot as usize;
        if at == self.keys.len() {
            if at.is_multiple_of(BLOCK) {
                self.blocks.push(vec![0; BLOCK * self.stride].into_boxed_slice());
            }
            self.keys.push(key);
            self.places.push(place);
        } else {
            self.keys[at] = key;
            self.places[at] = place;
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
        let (block, start) = self.position(slot);
        &self.blocks[block][start..start + self.stride]
    }

    #[inline]
    pub(super) fn code(&self, slot: u32) -> Code<'_> {
        Code::new(self.bytes(slot))
    }

    #[inline]
    pub(super) fn key(&self, slot: u32) -> u64 {
        self.keys[slot as usize]
    }

    pub(super) fn place(&self, slot: u32) -> Place {
        self.places[slot as usize]
    }

    pub(super) fn set_place(&mut self, slot: u32, place: Place) {
        self.places[slot as usize] = place;
    }

    pub(super) fn memory(&self) -> usize {
        let each = size_of::<u64>() + size_of::<Place>();
        self.blocks.len() * BLOCK * self.stride
            + self.keys.capacity() * each
            + self.free.capacity() * size_of::<u32>()
    }

    fn row(&mut self, slot: u32) -> &mut [u8] {
        let (block, start) = self.position(slot);
        &mut self.blocks[block][start..start + self.stride]
    }

    #[inline]
    fn position(&self, slot: u32) -> (usize, usize) {
        let slot = slot as usize;
        (slot / BLOCK, slot % BLOCK * self.stride)
    }
}
