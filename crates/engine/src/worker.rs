use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError};
use std::time::{Duration, Instant};

use llama_cpp_2::context::LlamaContext;
use llama_cpp_2::llama_batch::LlamaBatch;
use llama_cpp_2::token::LlamaToken;
use model::{CacheKey, Delta, ModelError, Priority};
use protocol::StopReason;

use crate::disk::{DiskCache, Subject};
use crate::job::{Job, Running, Step};
use crate::shelf::Shelf;
use crate::slot::Slot;
use crate::state::{self, StateBytes};
use crate::transcript::Transcript;
use crate::vocabulary::Vocabulary;

/// Prompt tokens evaluated at a time. Between two chunks a job can be cancelled, and others get their turn.
pub const CHUNK: usize = 64;
/// The sequence that holds the system prefix alone; conversations that begin with it share its cells.
const PREFIX_SEQUENCE: i32 = 0;
/// Sampled tokens after which a job makes room, if another waits and there is none.
const QUANTUM: u32 = 48;
/// A conversation that rests this long is written to disk.
const REST: Duration = Duration::from_secs(5);
/// Shorter prompts are evaluated again sooner than they are read from disk.
const WORTH_SAVING: usize = 128;

pub enum Command {
    Run(Box<Job>),
    Forget(CacheKey, SyncSender<()>),
    Save(SyncSender<()>),
}

/// A job without a sequence: it has just come, or it was set aside for another.
enum Waiting {
    Fresh(Box<Job>),
    SetAside(Box<Running>, StateBytes),
}

impl Waiting {
    fn job(&self) -> &Job {
        match self {
            Waiting::Fresh(job) => job,
            Waiting::SetAside(running, _) => &running.job,
        }
    }
}

/// The sizes that the worker keeps to, in tokens.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// What one conversation may have.
    pub conversation: usize,
    /// What all sequences together may have.
    pub cells: usize,
    /// How many jobs run at once.
    pub parallel: usize,
}

/// The thread that owns the context: it decides whose tokens are evaluated next.
pub struct Worker<'m> {
    context: LlamaContext<'m>,
    vocabulary: Vocabulary<'m>,
    batch: LlamaBatch<'m>,
    slots: Vec<Slot>,
    prefix: Transcript,
    shelf: Shelf,
    disk: DiskCache,
    waiting: VecDeque<Waiting>,
    limits: Limits,
    /// Rotates which job gets the next chunk of prompt evaluation.
    rotation: usize,
}

impl<'m> Worker<'m> {
    pub fn new(
        context: LlamaContext<'m>,
        vocabulary: Vocabulary<'m>,
        shelf: Shelf,
        disk: DiskCache,
        limits: Limits,
    ) -> Self {
        let batch = LlamaBatch::new(CHUNK + limits.parallel, 1);
        let slots = (1..).take(limits.parallel).map(Slot::new).collect();
        let prefix = Transcript::default();
        Self {
            context,
            vocabulary,
            batch,
            slots,
            prefix,
            shelf,
            disk,
            waiting: VecDeque::new(),
            limits,
            rotation: 0,
        }
    }

    /// Works until the engine is dropped.
    pub fn run(mut self, commands: &Receiver<Command>) {
        loop {
            let busy = !self.waiting.is_empty() || self.slots.iter().any(|slot| slot.running.is_some());
            let command = if busy {
                match commands.try_recv() {
                    Ok(command) => Some(command),
                    Err(TryRecvError::Empty) => None,
                    Err(TryRecvError::Disconnected) => break,
                }
            } else {
                match commands.recv_timeout(REST) {
                    Ok(command) => Some(command),
                    Err(RecvTimeoutError::Timeout) => None,
                    Err(RecvTimeoutError::Disconnected) => break,
                }
            };
            match command {
                Some(command) => self.obey(command),
                None if busy => {
                    self.drop_abandoned();
                    self.admit_waiting();
                    self.step();
                }
                None => self.save(REST),
            }
        }
        self.save(Duration::ZERO);
    }

    fn obey(&mut self, command: Command) {
        match command {
            Command::Run(job) => {
                let place = self.waiting.partition_point(|other| other.job().priority >= job.priority);
                self.waiting.insert(place, Waiting::Fresh(job));
            }
            Command::Forget(key, done) => {
                self.shelf.remove(&key);
                self.disk.remove(Subject::Conversation(&key.0));
                for index in 0..self.slots.len() {
                    if self.slots[index].key.as_ref() == Some(&key) && self.slots[index].running.is_none() {
                        self.clear(index);
                    }
                }
                self.disk.flush();
                done.send(()).ok();
            }
            Command::Save(done) => {
                self.save(Duration::ZERO);
                self.disk.flush();
                done.send(()).ok();
            }
        }
    }

    fn drop_abandoned(&mut self) {
        self.waiting.retain(|waiting| {
            let abandoned = waiting.job().abandoned();
            if abandoned {
                waiting.job().send(Delta::Stop(StopReason::Stopped));
            }
            !abandoned
        });
        for index in 0..self.slots.len() {
            if self.slots[index].running.as_ref().is_some_and(|running| running.job.abandoned()) {
                self.finish(index, StopReason::Stopped);
            }
        }
    }

    fn admit_waiting(&mut self) {
        while let Some(waiting) = self.waiting.pop_front() {
            let Err(waiting) = self.admit(waiting) else { continue };
            let priority = waiting.job().priority;
            self.waiting.push_front(waiting);
            if !self.set_one_aside(priority) {
                return;
            }
        }
    }

    /// Gives the job a sequence, or gives it back if there is no room for now.
    fn admit(&mut self, waiting: Waiting) -> Result<(), Waiting> {
        let Some(index) = Slot::choose(&self.slots, waiting.job().key.as_ref()) else {
            return Err(waiting);
        };
        match waiting {
            Waiting::Fresh(job) => self.start(job, index).map_err(Waiting::Fresh),
            Waiting::SetAside(running, bytes) => self.go_on(*running, bytes, index),
        }
    }

    fn start(&mut self, mut job: Box<Job>, index: usize) -> Result<(), Box<Job>> {
        self.recall(&job, index);
        let prompt = job.prompt.as_bytes();
        let control = |token| self.vocabulary.is_control(token);
        let held = &self.slots[index].transcript;
        let overlap = held.overlap(prompt, control);
        let (mut keep, mut pending) = (overlap.tokens, Transcript::default());
        if keep == 0 {
            // Tokens may agree where texts do not: some vocabularies spell a token by its surroundings.
            pending = self.vocabulary.prompt(&job.prompt);
            keep = held.shared_tokens(pending.tokens());
            pending = pending.after(keep);
        } else {
            self.vocabulary.continuation(&prompt[overlap.bytes..], &mut pending);
        }
        if pending.len() == 0 && keep > 0 {
            // The last token is evaluated in any case: its outcome is what the answer begins with.
            keep -= 1;
            pending = held.after(keep);
        }
        let tokens = keep + pending.len();
        if pending.len() == 0 || tokens >= self.limits.conversation {
            let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
            job.fail(ModelError::ContextFull {
                needed: number(tokens),
                limit: number(self.limits.conversation),
            });
            return Ok(());
        }
        let most = u32::try_from(self.limits.conversation - tokens).unwrap_or(u32::MAX);
        job.max_tokens = job.max_tokens.min(most);
        if !self.make_room(tokens + job.max_tokens as usize, index) {
            return Err(job);
        }
        if !self.truncate(index, keep) {
            pending = self.vocabulary.prompt(&job.prompt);
        }
        let slot = &mut self.slots[index];
        slot.key.clone_from(&job.key);
        slot.running = Some(Running::new(*job, std::mem::take(&mut slot.transcript), pending));
        Ok(())
    }

    fn go_on(&mut self, mut running: Running, bytes: StateBytes, index: usize) -> Result<(), Waiting> {
        if !self.make_room(running.need(), index) {
            return Err(Waiting::SetAside(Box::new(running), bytes));
        }
        self.park(index);
        if state::put(&mut self.context, self.slots[index].sequence, &bytes) {
            running.quantum = 0;
            let slot = &mut self.slots[index];
            slot.key.clone_from(&running.job.key);
            slot.running = Some(running);
        } else {
            running.job.fail(ModelError::Failed("the model lost its place in this answer: ask again".into()));
        }
        Ok(())
    }

    /// Puts the best evaluated beginning for this prompt into the slot: what is kept of the conversation
    /// itself, or the system prefix.
    fn recall(&mut self, job: &Job, index: usize) {
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
    fn keep_prefix(&mut self, index: usize) {
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

    /// Parks resting conversations until `need` cells are free for this slot.
    fn make_room(&mut self, need: usize, index: usize) -> bool {
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
    fn park(&mut self, index: usize) {
        let slot = &mut self.slots[index];
        if let Some(key) = slot.key.take()
            && slot.transcript.len() > self.prefix.len()
            && let Some(bytes) = state::take(&self.context, slot.sequence)
        {
            self.shelf.put(key, std::mem::take(&mut slot.transcript), bytes, slot.saved);
        }
        self.clear(index);
    }

    fn clear(&mut self, index: usize) {
        let slot = &mut self.slots[index];
        self.context.clear_kv_cache_seq(u32::try_from(slot.sequence).ok(), None, None).ok();
        slot.key = None;
        slot.transcript = Transcript::default();
        slot.saved = false;
    }

    /// Keeps the first tokens of a slot. False where the model cannot go back: the slot is then empty.
    fn truncate(&mut self, index: usize, keep: usize) -> bool {
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

    /// Makes a running job wait, if one has had its share or matters less than the one that waits.
    fn set_one_aside(&mut self, priority: Priority) -> bool {
        let candidates = self.slots.iter().enumerate().filter_map(|(index, slot)| {
            let running = slot.running.as_ref()?;
            let had_its_share = running.job.priority == priority && running.quantum >= QUANTUM;
            (had_its_share || running.job.priority < priority).then_some((
                index,
                running.job.priority,
                running.quantum,
            ))
        });
        let chosen = candidates.max_by_key(|&(_, priority, quantum)| (std::cmp::Reverse(priority), quantum));
        let Some((index, ..)) = chosen else { return false };
        let Some(bytes) = state::take(&self.context, self.slots[index].sequence) else { return false };
        let Some(running) = self.slots[index].running.take() else { return false };
        self.clear(index);
        self.waiting.push_back(Waiting::SetAside(Box::new(running), bytes));
        true
    }

    /// Evaluates one batch: a token for each answer in progress, and a chunk of one prompt.
    fn step(&mut self) {
        self.batch.clear();
        let mut entries: Vec<Entry> = Vec::new();
        let mut room = CHUNK;
        for in_prompt in [false, true] {
            for offset in 0..self.slots.len() {
                let index = (self.rotation + offset) % self.slots.len();
                let slot = &self.slots[index];
                let Some(running) = slot.running.as_ref().filter(|running| running.in_prompt() == in_prompt)
                else {
                    continue;
                };
                let (tokens, complete) = running.next_tokens(room);
                let wanted = complete && running.job.max_tokens > 0;
                let position = running.transcript.len();
                if add(&mut self.batch, tokens, position, slot.sequence, wanted) {
                    room -= tokens.len();
                    entries.push(Entry { index, count: tokens.len(), last: self.batch.n_tokens() - 1 });
                }
            }
        }
        self.rotation = (self.rotation + 1) % self.slots.len();
        if entries.is_empty() {
            return;
        }
        if let Err(error) = self.context.decode(&mut self.batch) {
            tracing::error!("the model failed on a batch: {error}");
            for entry in entries {
                self.fail(entry.index);
            }
            return;
        }
        for entry in entries {
            self.evaluated(&entry);
        }
    }

    fn evaluated(&mut self, entry: &Entry) {
        let vocabulary = self.vocabulary;
        let Some(running) = self.slots[entry.index].running.as_mut() else { return };
        let began = running.in_prompt();
        if !running.evaluated(entry.count, vocabulary) {
            return;
        }
        let step = if running.job.max_tokens == 0 {
            Step::Finished(StopReason::End)
        } else {
            let token = running.job.sampler.sample(&self.context, entry.last);
            running.sampled(token, vocabulary)
        };
        if began {
            self.keep_prefix(entry.index);
        }
        if let Step::Finished(reason) = step {
            self.finish(entry.index, reason);
        }
    }

    fn finish(&mut self, index: usize, reason: StopReason) {
        let slot = &mut self.slots[index];
        if let Some(running) = slot.running.take() {
            slot.transcript = running.finish(reason);
            slot.used = Instant::now();
            slot.saved = false;
        }
    }

    fn fail(&mut self, index: usize) {
        if let Some(running) = self.slots[index].running.take() {
            running
                .job
                .fail(ModelError::Failed("the model failed while it computed this answer: try again".into()));
        }
        self.clear(index);
    }

    /// Writes conversations that have rested to disk.
    fn save(&mut self, rested: Duration) {
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
}

/// What one job put into a batch.
struct Entry {
    index: usize,
    count: usize,
    /// Where its last token lies in the batch.
    last: i32,
}

fn add(
    batch: &mut LlamaBatch<'_>,
    tokens: &[LlamaToken],
    position: usize,
    sequence: i32,
    sample_last: bool,
) -> bool {
    let Ok(start) = i32::try_from(position) else { return false };
    let mut complete = !tokens.is_empty();
    for (place, (position, &token)) in (start..).zip(tokens).enumerate() {
        let sample = sample_last && place + 1 == tokens.len();
        complete &= batch.add(token, position, &[sequence], sample).is_ok();
    }
    complete
}
