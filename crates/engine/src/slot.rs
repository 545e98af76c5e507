use std::time::Instant;

use model::CacheKey;

use crate::job::Running;
use crate::transcript::Transcript;

/// One sequence of the context, and the conversation that it holds.
pub struct Slot {
    pub sequence: i32,
    pub key: Option<CacheKey>,
    /// What is evaluated. While a job runs, it is the job that knows.
    pub transcript: Transcript,
    pub running: Option<Running>,
    pub used: Instant,
    /// Whether the disk holds the same.
    pub saved: bool,
}

impl Slot {
    pub fn new(sequence: i32) -> Self {
        Self {
            sequence,
            key: None,
            transcript: Transcript::default(),
            running: None,
            used: Instant::now(),
            saved: false,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.running.is_none() && self.transcript.len() == 0
    }

    /// Cells of the context that are, or may come to be, occupied.
    pub fn cells(&self) -> usize {
        self.running.as_ref().map_or(self.transcript.len(), Running::need)
    }

    /// The slot for a job with this key: the one that holds its conversation, else an empty one, else the
    /// one that rests the longest. None while all of them run, or while the conversation itself does.
    pub fn choose(slots: &[Slot], key: Option<&CacheKey>) -> Option<usize> {
        if key.is_some()
            && let Some(index) = slots.iter().position(|slot| slot.key.as_ref() == key)
        {
            return slots[index].running.is_none().then_some(index);
        }
        (0..slots.len())
            .filter(|&index| slots[index].running.is_none())
            .min_by_key(|&index| (!slots[index].is_empty(), slots[index].used))
    }
}
