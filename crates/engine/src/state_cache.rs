//! Allocation of the context's cells. Evaluated prompts stay until another conversation needs the room; then they move
//! to memory and to disk.

use std::time::{Duration, Instant};

use llama_cpp_2::context::LlamaContext;
use llama_cpp_2::llama_batch::LlamaBatch;
use model::CacheKey;

use crate::disk::{CacheSubject, DiskCache};
use crate::job::PromptJob;
use crate::plan::EvaluationPlan;
use crate::prompt_cache::PromptCache;
use crate::slot::Slot;
use crate::state::{self, StateBytes};
use crate::transcript::Transcript;
use crate::vocabulary::Vocabulary;

/// The sequence that holds only the system prefix. Conversations that begin with it share its cells.
const PREFIX_SEQUENCE: i32 = 0;
/// The minimum number of tokens for saving. Shorter prompts are evaluated faster than they are read from disk.
const WORTH_SAVING: usize = 128;

/// Limits of the model and its context.
#[derive(Debug, Clone, Copy)]
pub struct ContextLimits {
    /// The maximum number of tokens of one conversation.
    pub conversation: usize,
    /// The maximum number of tokens of all sequences together.
    pub cells: usize,
    /// The number of concurrent jobs.
    pub parallel: usize,
    /// True if the model can drop its last tokens without dropping the others.
    pub can_truncate: bool,
}

/// All evaluated state: in the context, in memory, and on disk.
pub struct StateCache<'m> {
    pub context: LlamaContext<'m>,
    pub vocabulary: Vocabulary<'m>,
    pub slots: Vec<Slot>,
    pub limits: ContextLimits,
    prefix: Transcript,
    shelf: PromptCache,
    disk: DiskCache,
}

impl<'m> StateCache<'m> {
    pub fn new(
        context: LlamaContext<'m>,
        vocabulary: Vocabulary<'m>,
        shelf: PromptCache,
        disk: DiskCache,
        limits: ContextLimits,
    ) -> Self {
        let slots = (1..).take(limits.parallel).map(Slot::new).collect();
        Self { context, vocabulary, slots, limits, prefix: Transcript::default(), shelf, disk }
    }

    /// Loads the longest evaluated beginning of this prompt into the slot: the cached state of the conversation itself,
    /// the system prefix, or the part that another job has evaluated so far.
    pub fn recall(&mut self, job: &PromptJob, index: usize) {
        if job.key.is_none() || self.slots[index].key != job.key {
            self.exchange(index, job.key.as_ref());
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
        self.copy_from_running(prompt, index);
    }

    /// Copies the same beginning from another job, if that has evaluated more of it. The first message often arrives
    /// while its beginning is still being evaluated.
    fn copy_from_running(&mut self, prompt: &[u8], index: usize) {
        if !self.limits.can_truncate {
            return;
        }
        let control = |token| self.vocabulary.is_control(token);
        let own = self.slots[index].transcript.overlap(prompt, control).tokens;
        let others = self.slots.iter().enumerate().filter(|&(other, _)| other != index);
        let read = others.filter_map(|(other, slot)| {
            let overlap = slot.running.as_ref()?.transcript.overlap(prompt, control);
            (overlap.tokens > own).then_some((overlap.tokens, other))
        });
        let Some((tokens, other)) = read.max() else { return };
        self.clear(index);
        let (from, to) = (self.slots[other].sequence, self.slots[index].sequence);
        let end = u32::try_from(tokens).ok();
        if self.context.copy_kv_cache_seq(from, to, Some(0), end).is_ok()
            && let Some(running) = &self.slots[other].running
        {
            let mut transcript = running.transcript.clone();
            transcript.truncate(tokens);
            self.slots[index].transcript = transcript;
        }
    }

    /// Returns true if the whole prompt is evaluated as part of the shared prefix.
    pub fn knows(&self, prompt: &str) -> bool {
        !prompt.is_empty() && self.prefix.text().starts_with(prompt.as_bytes())
    }

    /// Makes the part of the shared prefix that a job has evaluated available to other jobs, before the job has to
    /// wait.
    pub fn share_prefix(&mut self, index: usize) {
        let Some(running) = self.slots[index].running.as_ref().filter(|_| self.limits.can_truncate) else {
            return;
        };
        let Some(text) = &running.job.prefix else { return };
        let read = running.transcript.len();
        if !text.as_bytes().starts_with(running.transcript.text()) || read <= self.prefix.len() {
            return;
        }
        let transcript = running.transcript.clone();
        self.drop_prefix();
        let (from, end) = (self.slots[index].sequence, u32::try_from(read).ok());
        if self.context.copy_kv_cache_seq(from, PREFIX_SEQUENCE, Some(0), end).is_ok() {
            self.prefix = transcript;
        }
    }

    /// Measures the evaluation of that many meaningless tokens, and drops them again.
    pub fn measure_evaluation(&mut self, tokens: usize, batch: &mut LlamaBatch<'_>) -> Option<Duration> {
        let words = self.vocabulary.prompt(&"The sea is calm and the moon is out. ".repeat(tokens));
        batch.clear();
        for (position, &token) in (0..).zip(words.tokens().iter().take(tokens)) {
            batch.add(token, position, &[PREFIX_SEQUENCE], false).ok()?;
        }
        let began = Instant::now();
        let read = self.context.decode(batch);
        self.context.synchronize();
        let took = began.elapsed();
        self.drop_prefix();
        batch.clear();
        read.ok().map(|()| took)
    }

    /// Sets aside the contents of a slot, and loads the cached state of another conversation if there is room.
    fn exchange(&mut self, index: usize, key: Option<&CacheKey>) {
        // In this order, because setting aside may evict other entries from the cache.
        let found = key.and_then(|key| Some((key, self.find(key, index)?)));
        self.park(index);
        let Some((key, (transcript, bytes, saved))) = found else { return };
        let slot = &mut self.slots[index];
        if state::put(&mut self.context, slot.sequence, &bytes) {
            slot.key = Some(key.clone());
            slot.transcript = transcript;
            slot.saved = saved;
        } else {
            self.disk.remove(CacheSubject::Conversation(&key.0));
        }
    }

    /// Takes the state of a conversation from memory or disk, and makes room for it. Without room the state stays where
    /// it is.
    fn find(&mut self, key: &CacheKey, index: usize) -> Option<(Transcript, StateBytes, bool)> {
        let found = match self.shelf.tokens(key) {
            Some(tokens) if !self.can_hold(tokens, index) => return None,
            Some(_) => self.shelf.remove(key).map(|parked| (parked.transcript, parked.state, parked.saved)),
            None => self
                .disk
                .load(CacheSubject::Conversation(&key.0), |tokens| self.can_hold(tokens, index))
                .map(|(tokens, bytes)| (self.vocabulary.transcript(&tokens), bytes, true)),
        }?;
        self.make_room(found.0.len(), index).then_some(found)
    }

    fn load_prefix(&mut self, job: &PromptJob) {
        let Some(text) = job.prefix.as_ref().filter(|_| self.limits.can_truncate) else { return };
        if self.prefix.text() == text.as_bytes() {
            return;
        }
        let transcript = self.vocabulary.prompt(text);
        let taken: usize = self.slots.iter().map(Slot::cells).sum();
        let free = self.limits.cells.saturating_sub(taken);
        if let Some((_, bytes)) =
            self.disk.load(CacheSubject::Prefix(transcript.tokens()), |tokens| tokens <= free)
        {
            self.drop_prefix();
            if state::put(&mut self.context, PREFIX_SEQUENCE, &bytes) {
                self.prefix = transcript;
            }
        }
    }

    /// Keeps the system part of an evaluated prompt for all conversations. A model that cannot drop its last tokens has
    /// no such part, because its state covers the whole conversation.
    pub fn keep_prefix(&mut self, index: usize) {
        let Some(running) = self.slots[index].running.as_ref().filter(|_| self.limits.can_truncate) else {
            return;
        };
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
            let subject = CacheSubject::Prefix(transcript.tokens());
            if !self.disk.holds(subject)
                && self.disk.takes(tokens, state::size(&self.context, PREFIX_SEQUENCE))
                && let Some(bytes) = state::take(&self.context, PREFIX_SEQUENCE)
            {
                self.disk.save(subject, transcript.tokens(), bytes);
            }
            self.prefix = transcript;
        }
    }

    fn drop_prefix(&mut self) {
        self.context.clear_kv_cache_seq(u32::try_from(PREFIX_SEQUENCE).ok(), None, None).ok();
        self.prefix = Transcript::default();
    }

    /// Moves other conversations to memory, as far as there is room, while one is answered alone. A computation
    /// processes every cell up to the last one in use, regardless of the sequence.
    pub fn park_other_slots(&mut self, index: usize) {
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

    /// Plans which tokens of the slot are kept for a prompt and which are evaluated.
    pub fn plan(&self, prompt: &str, index: usize) -> EvaluationPlan {
        let held = &self.slots[index].transcript;
        let mut plan = EvaluationPlan::after(held, prompt, self.vocabulary);
        if self.limits.can_truncate {
            plan.fill_a_tile(held);
        } else if plan.keep < held.len() {
            plan = EvaluationPlan::afresh(prompt, self.vocabulary);
        }
        plan
    }

    /// Returns true if `need` cells can be made free for this slot. Cells of running jobs are not available.
    fn can_hold(&self, need: usize, index: usize) -> bool {
        let others =
            self.slots.iter().enumerate().filter(|&(other, slot)| other != index && slot.running.is_some());
        let running: usize = others.map(|(_, slot)| slot.cells()).sum();
        running.saturating_add(need) <= self.limits.cells
    }

    /// Sets aside idle conversations, and finally drops the system prefix, until `need` cells are free for this slot.
    /// If that can never suffice, nothing is changed.
    pub fn make_room(&mut self, need: usize, index: usize) -> bool {
        if !self.can_hold(need, index) {
            return false;
        }
        loop {
            let others = (0..self.slots.len()).filter(|&other| other != index);
            let taken: usize = others.clone().map(|other| self.slots[other].cells()).sum();
            if self.prefix.len() + taken + need <= self.limits.cells {
                return true;
            }
            let resting =
                others.filter(|&other| self.slots[other].running.is_none() && !self.slots[other].is_empty());
            match resting.min_by_key(|&other| self.slots[other].used) {
                Some(oldest) => self.park(oldest),
                // Conversations that begin with the prefix hold its cells too, and keep them.
                None => self.drop_prefix(),
            }
        }
    }

    /// Empties a slot. Its contents are set aside if they belong to a conversation.
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

    /// Keeps the first tokens of a slot. Returns false if the model cannot drop the rest; the slot is then empty.
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

    /// Deletes all state of a conversation, unless it is being answered.
    pub fn forget(&mut self, key: &CacheKey) {
        self.shelf.remove(key);
        self.disk.remove(CacheSubject::Conversation(&key.0));
        for index in 0..self.slots.len() {
            if self.slots[index].key.as_ref() == Some(key) && self.slots[index].running.is_none() {
                self.clear(index);
            }
        }
        self.disk.flush();
    }

    /// Writes conversations that have been idle for `rested` to disk.
    pub fn save(&mut self, rested: Duration) {
        for slot in &mut self.slots {
            if slot.running.is_some() || slot.saved || slot.used.elapsed() < rested {
                continue;
            }
            slot.saved = true;
            if let Some(key) = &slot.key
                && slot.transcript.len() >= WORTH_SAVING
                && self.disk.takes(slot.transcript.len(), state::size(&self.context, slot.sequence))
                && let Some(bytes) = state::take(&self.context, slot.sequence)
            {
                self.disk.save(CacheSubject::Conversation(&key.0), slot.transcript.tokens(), bytes);
            }
        }
        for (key, parked) in self.shelf.unsaved() {
            parked.saved = true;
            if parked.transcript.len() >= WORTH_SAVING {
                let subject = CacheSubject::Conversation(&key.0);
                self.disk.save(subject, parked.transcript.tokens(), parked.state.clone());
            }
        }
    }

    /// Waits until everything saved is on disk.
    pub fn flush(&mut self) {
        self.disk.flush();
    }
}
