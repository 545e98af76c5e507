use std::collections::HashSet;
use std::sync::Arc;

use llama_cpp_2::context::LlamaContext;
use llama_cpp_2::sampling::LlamaSampler;
use llama_cpp_2::token::LlamaToken;
use model::{CacheKey, Delta, ModelError, Priority, StopFilter, Utf8Joiner};
use protocol::StopReason;
use tokio::sync::mpsc::UnboundedSender;
use tokio_util::sync::CancellationToken;

use crate::calls::CallDetector;
use crate::transcript::Transcript;
use crate::vocabulary::Vocabulary;

/// A prompt to be answered or evaluated ahead of time.
pub struct PromptJob {
    pub prompt: String,
    /// The rendered system part of the prompt, if the prompt really begins with it.
    pub prefix: Option<String>,
    pub key: Option<CacheKey>,
    /// The maximum number of tokens to generate. Zero only evaluates the prompt.
    pub max_tokens: u32,
    pub sampler: LlamaSampler,
    /// The tool calls in the response and their grammars.
    pub calls: CallDetector,
    pub stop: StopFilter,
    /// Control tokens that are included in the text.
    pub marks: Arc<HashSet<LlamaToken>>,
    pub priority: Priority,
    pub cancel: CancellationToken,
    pub out: UnboundedSender<Result<Delta, ModelError>>,
}

impl PromptJob {
    pub fn abandoned(&self) -> bool {
        self.cancel.is_cancelled() || self.out.is_closed()
    }

    pub fn send(&self, delta: Delta) {
        self.out.send(Ok(delta)).ok();
    }

    pub fn fail(&self, error: ModelError) {
        self.out.send(Err(error)).ok();
    }
}

/// A job that owns a sequence of the context.
pub struct RunningJob {
    pub job: PromptJob,
    /// The evaluated contents of the sequence.
    pub transcript: Transcript,
    /// Tokens to evaluate next: prompt tokens, or the last sampled token.
    pending: Transcript,
    fed: usize,
    joiner: Utf8Joiner,
    pub prompt_tokens: usize,
    pub cached_tokens: usize,
    completion: u32,
    /// Tokens sampled since this job last got its sequence, for fair scheduling.
    pub quantum: u32,
    /// True if evaluating the prompt takes long enough to report progress.
    is_long: bool,
}

/// The consequence of a sampled token for the response.
pub enum TokenOutcome {
    Continue,
    Finished(StopReason),
}

impl RunningJob {
    /// Creates a running job. Up to `soon` pending tokens are evaluated without progress reports.
    pub fn new(job: PromptJob, transcript: Transcript, pending: Transcript, soon: usize) -> Self {
        let cached_tokens = transcript.len();
        let prompt_tokens = cached_tokens + pending.len();
        let joiner = Utf8Joiner::default();
        let running = Self {
            is_long: pending.len() > soon,
            job,
            transcript,
            pending,
            fed: 0,
            joiner,
            prompt_tokens,
            cached_tokens,
            completion: 0,
            quantum: 0,
        };
        running.report_progress();
        running
    }

    fn report_progress(&self) {
        if self.is_long {
            let done = u32::try_from(self.transcript.len()).unwrap_or(u32::MAX);
            let total = u32::try_from(self.prompt_tokens).unwrap_or(u32::MAX);
            self.job.send(Delta::Progress { done, total });
        }
    }

    /// Returns the maximum number of cells that this job can occupy.
    pub fn need(&self) -> usize {
        self.prompt_tokens + self.job.max_tokens as usize
    }

    /// Returns true if the job only evaluates its prompt.
    pub fn is_ahead_of_time(&self) -> bool {
        self.job.max_tokens == 0
    }

    pub fn in_prompt(&self) -> bool {
        self.completion == 0
    }

    /// Returns the tokens to evaluate next, at most `limit`, and true if they complete the prompt.
    pub fn next_tokens(&self, limit: usize) -> (&[LlamaToken], bool) {
        let rest = &self.pending.tokens()[self.fed..];
        let taken = &rest[..rest.len().min(limit)];
        (taken, taken.len() == rest.len())
    }

    /// Marks tokens as evaluated. Returns true if the next token can be sampled.
    pub fn evaluated(&mut self, count: usize, vocabulary: Vocabulary<'_>) -> bool {
        for &token in &self.pending.tokens()[self.fed..self.fed + count] {
            self.transcript.push(token, &vocabulary.spelled(token));
        }
        self.fed += count;
        if self.in_prompt() {
            self.report_progress();
        }
        self.fed == self.pending.len()
    }

    /// Samples the next token.
    pub fn sample(&mut self, context: &LlamaContext<'_>, place: i32) -> LlamaToken {
        self.job.calls.sampler().unwrap_or(&mut self.job.sampler).sample(context, place)
    }

    /// Processes a sampled token: sends its text, and decides whether the response is finished.
    pub fn sampled(&mut self, token: LlamaToken, vocabulary: Vocabulary<'_>) -> TokenOutcome {
        if vocabulary.ends_the_answer(token) {
            return TokenOutcome::Finished(StopReason::End);
        }
        let call_is_complete = self.job.calls.follow(token, || vocabulary.spelled(token));
        self.completion += 1;
        self.quantum += 1;
        let is_mark = self.job.marks.contains(&token);
        let piece = if is_mark { vocabulary.spelled(token) } else { vocabulary.shown(token) };
        let text = self.joiner.push(&piece);
        if !text.is_empty() {
            let passed = self.job.stop.push(&text);
            if !passed.text.is_empty() {
                self.job.send(Delta::Text(passed.text));
            }
            if passed.stopped {
                return TokenOutcome::Finished(StopReason::End);
            }
        }
        if call_is_complete {
            return TokenOutcome::Finished(StopReason::End);
        }
        if self.completion >= self.job.max_tokens {
            return TokenOutcome::Finished(StopReason::Length);
        }
        self.pending = Transcript::default();
        self.pending.push(token, &[]);
        self.fed = 0;
        TokenOutcome::Continue
    }

    /// Ends the response and returns the contents of the sequence.
    pub fn finish(mut self, reason: StopReason) -> Transcript {
        let rest = self.job.stop.push(&self.joiner.finish()).text + &self.job.stop.finish();
        if !rest.is_empty() && reason != StopReason::Stopped {
            self.job.send(Delta::Text(rest));
        }
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        self.job.send(Delta::Usage {
            prompt: number(self.prompt_tokens),
            cached: number(self.cached_tokens),
            completion: self.completion,
        });
        self.job.send(Delta::Stop(reason));
        self.transcript
    }
}
