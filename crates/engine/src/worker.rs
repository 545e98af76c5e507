use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError};
use std::time::{Duration, Instant};

use llama_cpp_2::llama_batch::LlamaBatch;
use llama_cpp_2::token::LlamaToken;
use model::{CacheKey, Delta, ModelError, Priority};
use protocol::StopReason;

use crate::job::{PromptJob, RunningJob, TokenOutcome};
use crate::plan::EvaluationPlan;
use crate::slot::Slot;
use crate::speed_record::SpeedRecord;
use crate::state::{self, StateBytes};
use crate::state_cache::StateCache;

/// Prompt tokens per batch while other jobs wait for their turn.
const CHUNK: usize = 64;
/// The maximum number of prompt tokens per batch when no other job waits.
pub const LONG_CHUNK: usize = 512;
/// The target duration of a batch: a job can be cancelled only between two of them.
const BATCH_TIME: Duration = Duration::from_secs(1);
/// The number of speed measurements. The first one also loads the model from disk, so one is not enough.
const MEASUREMENTS: usize = 3;
/// The number of tokens in a speed measurement.
const MEASURED: usize = 32;
/// The number of sampled tokens after which a job gives up its sequence, if another waits and there is no room.
const QUANTUM: u32 = 48;
/// The idle time after which a conversation is written to disk.
const SAVE_AFTER: Duration = Duration::from_secs(5);

/// A command to the worker.
pub enum WorkerCommand {
    Run(Box<PromptJob>),
    Forget(CacheKey, SyncSender<()>),
    Save(SyncSender<()>),
}

/// A job without a sequence: a new one, or one that was set aside for another.
enum Waiting {
    New(Box<PromptJob>),
    SetAside(Box<RunningJob>, StateBytes),
}

impl Waiting {
    fn job(&self) -> &PromptJob {
        match self {
            Waiting::New(job) => job,
            Waiting::SetAside(running, _) => &running.job,
        }
    }
}

/// The owner of the context: decides whose tokens are evaluated next.
pub struct Worker<'m> {
    cells: StateCache<'m>,
    batch: LlamaBatch<'m>,
    waiting: VecDeque<Waiting>,
    /// Rotates which job gets the next chunk of prompt evaluation.
    rotation: usize,
    pace: SpeedRecord,
}

impl<'m> Worker<'m> {
    pub fn new(cells: StateCache<'m>, pace: SpeedRecord) -> Self {
        let batch = LlamaBatch::new(LONG_CHUNK + cells.limits.parallel, 1);
        Self { cells, batch, waiting: VecDeque::new(), rotation: 0, pace }
    }

    /// Measures the prompt evaluation speed if it is not known yet, because it limits the length of prompts.
    pub fn measure(&mut self) {
        if self.pace.is_known() {
            return;
        }
        for _ in 0..MEASUREMENTS {
            let took = self.cells.measure_evaluation(MEASURED, &mut self.batch);
            self.pace.learn(MEASURED, took.unwrap_or_default());
            // One measurement is enough on a slow machine.
            if self.pace.tokens_in(BATCH_TIME) < MEASURED {
                break;
            }
        }
        self.pace.settle();
        self.pace.save();
    }

    /// Returns the prompt evaluation speed in tokens per second.
    pub fn reading_pace(&self) -> Option<u32> {
        self.pace.settled()
    }

    /// Runs until the engine is dropped.
    pub fn run(mut self, commands: &Receiver<WorkerCommand>) {
        loop {
            let busy = !self.waiting.is_empty() || self.cells.slots.iter().any(|slot| slot.running.is_some());
            let command = if busy {
                match commands.try_recv() {
                    Ok(command) => Some(command),
                    Err(TryRecvError::Empty) => None,
                    Err(TryRecvError::Disconnected) => break,
                }
            } else {
                match commands.recv_timeout(SAVE_AFTER) {
                    Ok(command) => Some(command),
                    Err(RecvTimeoutError::Timeout) => None,
                    Err(RecvTimeoutError::Disconnected) => break,
                }
            };
            match command {
                Some(command) => self.handle(command),
                None if busy => {
                    self.drop_abandoned();
                    self.admit_waiting();
                    self.step();
                }
                None => self.save_idle(),
            }
        }
        self.cells.save(Duration::ZERO);
        self.pace.save();
    }

    fn save_idle(&mut self) {
        self.cells.save(SAVE_AFTER);
        self.pace.save();
    }

    fn handle(&mut self, command: WorkerCommand) {
        match command {
            WorkerCommand::Run(job) => {
                let place = self.waiting.partition_point(|other| other.job().priority >= job.priority);
                self.waiting.insert(place, Waiting::New(job));
            }
            WorkerCommand::Forget(key, done) => {
                self.cells.forget(&key);
                done.send(()).ok();
            }
            WorkerCommand::Save(done) => {
                self.cells.save(Duration::ZERO);
                self.cells.flush();
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
        for index in 0..self.cells.slots.len() {
            if self.cells.slots[index].running.as_ref().is_some_and(|running| running.job.abandoned()) {
                self.finish(index, StopReason::Stopped);
            }
        }
    }

    fn admit_waiting(&mut self) {
        while let Some(waiting) = self.waiting.pop_front() {
            let Err(waiting) = self.admit(waiting) else { continue };
            let priority = waiting.job().priority;
            if self.cells.slots.iter().all(|slot| slot.running.is_none()) {
                // No running job will ever make room for it, so it would wait forever.
                waiting.job().fail(ModelError::Failed(
                    "this conversation has outgrown the model's memory: start another one, or raise llm.num_ctx"
                        .into(),
                ));
                continue;
            }
            self.waiting.push_front(waiting);
            if !self.preempt_one(priority) {
                return;
            }
        }
    }

    /// Gives the job a sequence, or returns it if there is no room at present.
    fn admit(&mut self, waiting: Waiting) -> Result<(), Waiting> {
        let Some(index) = Slot::choose(&self.cells.slots, waiting.job().key.as_ref()) else {
            return Err(waiting);
        };
        match waiting {
            Waiting::New(job) => self.start(job, index).map_err(Waiting::New),
            Waiting::SetAside(running, bytes) => self.resume(*running, bytes, index),
        }
    }

    fn start(&mut self, mut job: Box<PromptJob>, index: usize) -> Result<(), Box<PromptJob>> {
        let began = Instant::now();
        self.cells.park_other_slots(index);
        self.cells.recall(&job, index);
        let plan = self.cells.plan(&job.prompt, index);
        let tokens = plan.tokens();
        if tokens == 0 || tokens >= self.cells.limits.conversation {
            let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
            job.fail(ModelError::ContextFull {
                needed: number(tokens),
                limit: number(self.cells.limits.conversation),
            });
            return Ok(());
        }
        let most = u32::try_from(self.cells.limits.conversation - tokens).unwrap_or(u32::MAX);
        job.max_tokens = job.max_tokens.min(most);
        if !self.cells.make_room(tokens + job.max_tokens as usize, index) {
            return Err(job);
        }
        let EvaluationPlan { keep, pending } = if self.cells.truncate(index, plan.keep) {
            plan
        } else {
            EvaluationPlan::afresh(&job.prompt, self.cells.vocabulary)
        };
        let slot = &mut self.cells.slots[index];
        slot.key.clone_from(&job.key);
        tracing::debug!(known = keep, new = pending.len(), prepared = ?began.elapsed(), "a prompt is evaluated");
        let soon = self.pace.tokens_in(BATCH_TIME).max(CHUNK);
        slot.running = Some(RunningJob::new(*job, std::mem::take(&mut slot.transcript), pending, soon));
        Ok(())
    }

    fn resume(&mut self, mut running: RunningJob, bytes: StateBytes, index: usize) -> Result<(), Waiting> {
        if !self.cells.make_room(running.need(), index) {
            return Err(Waiting::SetAside(Box::new(running), bytes));
        }
        self.cells.park(index);
        if state::put(&mut self.cells.context, self.cells.slots[index].sequence, &bytes) {
            running.quantum = 0;
            let slot = &mut self.cells.slots[index];
            slot.key.clone_from(&running.job.key);
            slot.running = Some(running);
        } else {
            running.job.fail(ModelError::Failed("the model cannot continue this answer: ask again".into()));
        }
        Ok(())
    }

    /// Sets aside a running job, if it has used up its share or has a lower priority than the waiting one.
    fn preempt_one(&mut self, priority: Priority) -> bool {
        let candidates = self.cells.slots.iter().enumerate().filter_map(|(index, slot)| {
            let running = slot.running.as_ref()?;
            let used_its_share = running.job.priority == priority && running.quantum >= QUANTUM;
            (used_its_share || running.job.priority < priority).then_some((
                index,
                running.job.priority,
                running.quantum,
            ))
        });
        let chosen = candidates.max_by_key(|&(_, priority, quantum)| (std::cmp::Reverse(priority), quantum));
        let Some((index, ..)) = chosen else { return false };
        let Some(bytes) = state::take(&self.cells.context, self.cells.slots[index].sequence) else {
            return false;
        };
        self.cells.share_prefix(index);
        let Some(running) = self.cells.slots[index].running.take() else { return false };
        self.cells.clear(index);
        self.waiting.push_back(Waiting::SetAside(Box::new(running), bytes));
        true
    }

    /// Evaluates one batch: a token for each response in progress, and prompt tokens.
    fn step(&mut self) {
        self.batch.clear();
        let mut entries: Vec<Entry> = Vec::new();
        let mut room = self.room();
        self.finish_evaluated();
        // A user waits for the first token of a turn; evaluation ahead of time can wait.
        let urgent = self.in_prompt().map(|running| running.job.priority).max();
        for in_prompt in [false, true] {
            for offset in 0..self.cells.slots.len() {
                let index = (self.rotation + offset) % self.cells.slots.len();
                let slot = &self.cells.slots[index];
                let Some(running) = slot.running.as_ref().filter(|running| running.in_prompt() == in_prompt)
                else {
                    continue;
                };
                if in_prompt && urgent.is_some_and(|urgent| running.job.priority < urgent) {
                    continue;
                }
                let (tokens, complete) = running.next_tokens(room);
                let wanted = complete && running.job.max_tokens > 0;
                let position = running.transcript.len();
                if add(&mut self.batch, tokens, position, slot.sequence, wanted) {
                    room -= tokens.len();
                    entries.push(Entry { index, count: tokens.len(), last: self.batch.n_tokens() - 1 });
                }
            }
        }
        self.rotation = (self.rotation + 1) % self.cells.slots.len();
        if entries.is_empty() {
            return;
        }
        let began = Instant::now();
        let decoded = self.cells.context.decode(&mut self.batch);
        self.pace.learn(usize::try_from(self.batch.n_tokens()).unwrap_or(0), began.elapsed());
        tracing::trace!(tokens = self.batch.n_tokens(), took = ?began.elapsed(), "evaluated");
        if let Err(error) = decoded {
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

    fn in_prompt(&self) -> impl Iterator<Item = &RunningJob> {
        self.cells.slots.iter().filter_map(|slot| slot.running.as_ref()).filter(|running| running.in_prompt())
    }

    /// Ends jobs that evaluate a prompt ahead of time, once a turn has evaluated it.
    fn finish_evaluated(&mut self) {
        for index in 0..self.cells.slots.len() {
            let is_read =
                |running: &RunningJob| running.is_ahead_of_time() && self.cells.knows(&running.job.prompt);
            if self.cells.slots[index].running.as_ref().is_some_and(is_read) {
                self.finish(index, StopReason::End);
            }
        }
    }

    /// Returns the number of prompt tokens for the next batch.
    fn room(&self) -> usize {
        let running = self.cells.slots.iter().filter(|slot| slot.running.is_some()).count();
        if running > 1 || !self.waiting.is_empty() {
            CHUNK
        } else {
            self.pace.tokens_in(BATCH_TIME).clamp(CHUNK, LONG_CHUNK)
        }
    }

    fn evaluated(&mut self, entry: &Entry) {
        let vocabulary = self.cells.vocabulary;
        let Some(running) = self.cells.slots[entry.index].running.as_mut() else { return };
        let began = running.in_prompt();
        if !running.evaluated(entry.count, vocabulary) {
            return;
        }
        let step = if running.job.max_tokens == 0 {
            TokenOutcome::Finished(StopReason::End)
        } else {
            let token = running.sample(&self.cells.context, entry.last);
            running.sampled(token, vocabulary)
        };
        if began {
            self.cells.keep_prefix(entry.index);
        }
        if let TokenOutcome::Finished(reason) = step {
            self.finish(entry.index, reason);
        }
    }

    fn finish(&mut self, index: usize, reason: StopReason) {
        let slot = &mut self.cells.slots[index];
        if let Some(running) = slot.running.take() {
            slot.transcript = running.finish(reason);
            slot.used = Instant::now();
            slot.saved = false;
        }
    }

    fn fail(&mut self, index: usize) {
        if let Some(running) = self.cells.slots[index].running.take() {
            running
                .job
                .fail(ModelError::Failed("the model failed while it computed this answer: try again".into()));
        }
        self.cells.clear(index);
    }
}

/// The tokens of one job in a batch.
struct Entry {
    index: usize,
    count: usize,
    /// The index of its last token in the batch.
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
