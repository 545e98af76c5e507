use std::time::Instant;

use model::CacheKey;

use crate::job::RunningJob;
use crate::transcript::Transcript;

/// One sequence of the context and the conversation that it holds.
pub struct Slot {
    pub sequence: i32,
    pub key: Option<CacheKey>,
    /// The evaluated tokens. While a job runs, its own transcript applies instead.
    pub transcript: Transcript,
    pub running: Option<RunningJob>,
    pub used: Instant,
    /// True if the disk holds the same state.
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

    /// Returns the number of cells that are, or may become, occupied.
    pub fn cells(&self) -> usize {
        self.running.as_ref().map_or(self.transcript.len(), RunningJob::need)
    }

    /// Chooses the slot for a job with this key: the one that holds its conversation, else an empty one, else the one
    /// that has been idle longest. `None` while all slots are running, or while the conversation itself is.
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
