//! The context's cells, and who has them: what is evaluated stays until somebody else needs the room, and then
//! goes to memory and to disk.

use std::time::Duration;

use llama_cpp_2::context::LlamaContext;
use model::CacheKey;

use crate::disk::{DiskCache, Subject};
use crate::job::Job;
use crate::shelf::Shelf;
use crate::slot::Slot;
use crate::state::{self, StateBytes};
use crate::transcript::Transcript;
use crate::vocabulary::Vocabulary;

/// The sequence that holds the system prefix alone; conversations that begin with it share its cells.
const PREFIX_SEQUENCE: i32 = 0;
/// Shorter prompts are evaluated again sooner than they are read from disk.
const WORTH_SAVING: usize = 128;

/// llama.cpp has two ways to look back at what is known. The one for fewer tokens than this at once takes several
/// times longer for each of them.
const TILE: usize = 64;
/// Looking back is what costs from here on.
const DEEP: usize = 2048;
/// Fewer tokens than this are done sooner than a whole tile.
const NEARLY_A_TILE: usize = 36;

fn short_of_a_tile(known: usize, new: usize) -> usize {
    if known >= DEEP && (NEARLY_A_TILE..TILE).contains(&new) { TILE - new } else { 0 }
}

/// What the model and its context can do, in tokens.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// What one conversation may have.
    pub conversation: usize,
    /// What all sequences together may have.
    pub cells: usize,
    /// How many jobs run at once.
    pub parallel: usize,
    /// Whether the model can forget its last tokens without forgetting the others.
    pub goes_back: bool,
}

/// Everything that is evaluated: in the context, in memory, and on disk.
pub struct Cells<'m> {
    pub context: LlamaContext<'m>,
    pub vocabulary: Vocabulary<'m>,
    pub slots: Vec<Slot>,
    pub limits: Limits,
    prefix: Transcript,
    shelf: Shelf,
    disk: DiskCache,
}

impl<'m> Cells<'m> {
    pub fn new(
        context: LlamaContext<'m>,
        vocabulary: Vocabulary<'m>,
        shelf: Shelf,
        disk: DiskCache,
        limits: Limits,
    ) -> Self {
        let slots = (1..).take(limits.parallel).map(Slot::new).collect();
        Self { context, vocabulary, slots, limits, prefix: Transcript::default(), shelf, disk }
    }

    /// Puts the best evaluated beginning for this prompt into the slot: what is kept of the conversation
    /// itself, or the system prefix.
    pub fn recall(&mut self, job: &Job, index: usize) {
        if job.key.is_none() || self.slots[index].key != job.key {
            self.park(index);
            self.fetch(job.key.as_ref(), index);
        }
        self.load_prefix(job);
        let prompt = job.prompt.as_bytes();
        let control = |token| self.vocabulary.is_control(token);
        let own = self.slots[index].transcript.overlap(prompt, control).tokens;
        let shared = self.prefix.overlap(prompt, control).tokens;
        if shared > own {
            self.clear(index);
            let (slot, end) = (&mut self.slots[index], u32::try_from(shared).ok());
            if self.context.copy_kv_cache_seq(PREFIX_SEQUENCE, slot.sequence, Some(0), end).is_ok() {
                slot.transcript = self.prefix.clone();
                slot.transcript.truncate(shared);
            }
        }
    }

    /// Brings a conversation's state back from memory or from disk.
    fn fetch(&mut self, key: Option<&CacheKey>, index: usize) {
        let Some(key) = key else { return };
        let found = match self.shelf.remove(key) {
            Some(parked) => Some((parked.transcript, parked.state, parked.saved)),
            None => self
                .disk
                .load(Subject::Conversation(&key.0))
                .map(|(tokens, bytes)| (self.vocabulary.transcript(&tokens), bytes, true)),
        };
        let Some((transcript, bytes, saved)) = found else { return };
        if !self.make_room(transcript.len(), index) {
            return;
        }
        let slot = &mut self.slots[index];
        if state::put(&mut self.context, slot.sequence, &bytes) {
            slot.key = Some(key.clone());
            slot.transcript = transcript;
            slot.saved = saved;
        }
    }

    fn load_prefix(&mut self, job: &Job) {
        let Some(text) = &job.prefix else { return };
        if self.prefix.text() == text.as_bytes() {
            return;
        }
        let transcript = self.vocabulary.prompt(text);
        if let Some((_, bytes)) = self.disk.load(Subject::Prefix(transcript.tokens())) {
            self.drop_prefix();
            if state::put(&mut self.context, PREFIX_SEQUENCE, &bytes) {
                self.prefix = transcript;
            }
        }
    }

    /// Once a prompt is evaluated past its system part, that part is kept for all conversations.
    pub fn keep_prefix(&mut self, index: usize) {
        let Some(running) = &self.slots[index].running else { return };
        let Some(text) = &running.job.prefix else { return };
        if self.prefix.text() == text.as_bytes() || !running.transcript.text().starts_with(text.as_bytes()) {
            return;
        }
        let Some(tokens) = running.transcript.tokens_of(text.len()) else { return };
        let mut transcript = running.transcript.clone();
        transcript.truncate(tokens);
        self.drop_prefix();
        let end = u32::try_from(tokens).ok();
        if self.context.copy_kv_cache_seq(self.slots[index].sequence, PREFIX_SEQUENCE, Some(0), end).is_ok() {
            if let Some(bytes) = state::take(&self.context, PREFIX_SEQUENCE) {
                self.disk.save(Subject::Prefix(transcript.tokens()), transcript.tokens(), bytes);
            }
            self.prefix = transcript;
        }
    }

    fn drop_prefix(&mut self) {
        self.context.clear_kv_cache_seq(u32::try_from(PREFIX_SEQUENCE).ok(), None, None).ok();
        self.prefix = Transcript::default();
    }

    /// A computation looks at every cell up to the last one that is taken, whoever has it. While one conversation
    /// is answered alone, the others wait in memory, as far as there is room.
    pub fn send_others_away(&mut self, index: usize) {
        let others: Vec<usize> = (0..self.slots.len()).filter(|&other| other != index).collect();
        if others.iter().any(|&other| self.slots[other].running.is_some()) {
            return;
        }
        for other in others {
            let slot = &self.slots[other];
            if !slot.is_empty() && self.shelf.has_room(state::size(&self.context, slot.sequence)) {
                self.park(other);
            }
        }
    }

    /// How many known tokens are better evaluated again, together with `new` ones that follow `known`.
    pub fn steps_back(&self, known: usize, new: usize) -> usize {
        if self.limits.goes_back { short_of_a_tile(known, new) } else { 0 }
    }

    /// Parks resting conversations until `need` cells are free for this slot.
    pub fn make_room(&mut self, need: usize, index: usize) -> bool {
        loop {
            let others = (0..self.slots.len()).filter(|&other| other != index);
            let taken: usize = others.clone().map(|other| self.slots[other].cells()).sum();
            if self.prefix.len() + taken + need <= self.limits.cells {
                return true;
            }
            let resting =
                others.filter(|&other| self.slots[other].running.is_none() && !self.slots[other].is_empty());
            let Some(oldest) = resting.min_by_key(|&other| self.slots[other].used) else { return false };
            self.park(oldest);
        }
    }

    /// Empties a slot, and sets aside what it holds if it belongs to a conversation.
    pub fn park(&mut self, index: usize) {
        let slot = &mut self.slots[index];
        if let Some(key) = slot.key.take()
            && slot.transcript.len() > self.prefix.len()
            && let Some(bytes) = state::take(&self.context, slot.sequence)
        {
            self.shelf.put(key, std::mem::take(&mut slot.transcript), bytes, slot.saved);
        }
        self.clear(index);
    }

    pub fn clear(&mut self, index: usize) {
        let slot = &mut self.slots[index];
        self.context.clear_kv_cache_seq(u32::try_from(slot.sequence).ok(), None, None).ok();
        slot.key = None;
        slot.transcript = Transcript::default();
        slot.saved = false;
    }

    /// Keeps the first tokens of a slot. False where the model cannot go back: the slot is then empty.
    pub fn truncate(&mut self, index: usize, keep: usize) -> bool {
        let slot = &mut self.slots[index];
        if slot.transcript.len() == keep {
            return true;
        }
        let from = u32::try_from(keep).ok();
        let done = self.context.clear_kv_cache_seq(u32::try_from(slot.sequence).ok(), from, None);
        slot.saved = false;
        if done == Ok(true) {
            slot.transcript.truncate(keep);
            return true;
        }
        self.clear(index);
        false
    }

    /// Forgets everything of a conversation, unless it is being answered.
    pub fn forget(&mut self, key: &CacheKey) {
        self.shelf.remove(key);
        self.disk.remove(Subject::Conversation(&key.0));
        for index in 0..self.slots.len() {
            if self.slots[index].key.as_ref() == Some(key) && self.slots[index].running.is_none() {
                self.clear(index);
            }
        }
        self.disk.flush();
    }

    /// Writes conversations that have rested to disk.
    pub fn save(&mut self, rested: Duration) {
        for slot in &mut self.slots {
            if slot.running.is_some() || slot.saved || slot.used.elapsed() < rested {
                continue;
            }
            slot.saved = true;
            if let Some(key) = &slot.key
                && slot.transcript.len() >= WORTH_SAVING
                && let Some(bytes) = state::take(&self.context, slot.sequence)
            {
                self.disk.save(Subject::Conversation(&key.0), slot.transcript.tokens(), bytes);
            }
        }
        for (key, parked) in self.shelf.unsaved() {
            parked.saved = true;
            if parked.transcript.len() >= WORTH_SAVING {
                let bytes = StateBytes(parked.state.0.clone());
                self.disk.save(Subject::Conversation(&key.0), parked.transcript.tokens(), bytes);
            }
        }
    }

    /// Returns once everything that was saved is on disk.
    pub fn flush(&mut self) {
        self.disk.flush();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deep_in_a_conversation_a_batch_is_filled_up() {
        for (known, new, back) in [
            (3000, 53, 11),
            (3000, 36, 28),
            (3000, 35, 0),
            (3000, 64, 0),
            (3000, 500, 0),
            (2047, 53, 0),
            (0, 53, 0),
        ] {
            assert_eq!(short_of_a_tile(known, new), back, "{new} after {known}");
        }
    }
}
