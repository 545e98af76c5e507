use std::num::NonZeroU32;
use std::path::Path;

use llama_cpp_2::context::LlamaContext;
use llama_cpp_2::context::params::LlamaContextParams;
use llama_cpp_2::llama_backend::LlamaBackend;
use llama_cpp_2::llama_batch::LlamaBatch;
use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::model::params::LlamaModelParams;
use llama_cpp_2::sampling::LlamaSampler;
use llama_cpp_2::token::LlamaToken;

use crate::server::Timed;

/// The default batch size of llama.cpp.
const BATCH: usize = 512;
const CONTEXT: u32 = 8192;

/// Bare llama.cpp: one prompt, one loop, no queue, no server. It is the peer of the whole stack.
pub struct RawEngine {
    backend: LlamaBackend,
    model: LlamaModel,
}

impl RawEngine {
    pub fn load(path: &Path) -> anyhow::Result<Self> {
        let mut backend = LlamaBackend::init()?;
        backend.void_logs();
        let model = LlamaModel::load_from_file(&backend, path, &LlamaModelParams::default())?;
        Ok(Self { backend, model })
    }

    /// Creates a session with these numbers of threads for a single token and for a prompt.
    pub fn session(&self, threads: i32, prompt_threads: i32) -> anyhow::Result<RawSession<'_>> {
        let params = LlamaContextParams::default()
            .with_n_ctx(NonZeroU32::new(CONTEXT))
            .with_n_threads(threads)
            .with_n_threads_batch(prompt_threads);
        let context = self.model.new_context(&self.backend, params)?;
        Ok(RawSession { model: &self.model, context, evaluated: Vec::new() })
    }
}

/// The prompt that the server's model got.
pub struct RawPrompt {
    pub system: String,
    pub user: String,
    /// The length in tokens, including those that the template adds.
    pub tokens: usize,
    /// The number of those tokens that were in the cache.
    pub known: usize,
}

/// A context. The common beginning of consecutive prompts is evaluated once.
pub struct RawSession<'m> {
    model: &'m LlamaModel,
    context: LlamaContext<'m>,
    evaluated: Vec<LlamaToken>,
}

impl RawSession<'_> {
    /// Generates the greedy answer, timed from the moment the prompt is handed over.
    pub fn answer(&mut self, prompt: &RawPrompt, longest: u32) -> anyhow::Result<Timed> {
        let mut timed = Timed::begin();
        let RawPrompt { system, user, .. } = prompt;
        let text = format!(
            "<|im_start|>system\n{system}<|im_end|>\n<|im_start|>user\n{user}<|im_end|>\n<|im_start|>assistant\n"
        );
        let tokens = self.model.vocab().tokenize(text.as_bytes(), false, true);
        anyhow::ensure!(
            tokens.len() == prompt.tokens,
            "the prompts differ: {} tokens, {} raw",
            prompt.tokens,
            tokens.len()
        );
        let common = tokens.iter().zip(&self.evaluated).take_while(|(new, old)| new == old).count();
        let common = common.min(prompt.known);
        self.context.clear_kv_cache_seq(Some(0), u32::try_from(common).ok(), None)?;
        self.evaluated.truncate(common);
        self.evaluate(&tokens[common..])?;

        let mut sampler = LlamaSampler::greedy();
        let mut letters = Vec::new();
        for _ in 0..longest {
            let token = sampler.sample(&self.context, -1);
            if self.model.vocab().is_eog(token) {
                break;
            }
            timed.arrivals.push(timed.started.elapsed());
            timed.tokens += 1;
            letters.extend(self.model.vocab().token_to_piece(token, false, None));
            self.evaluate(&[token])?;
        }
        timed.text = String::from_utf8_lossy(&letters).into_owned();
        timed.first_token = timed.arrivals.first().copied().unwrap_or_default();
        timed.total = timed.arrivals.last().copied().unwrap_or_default();
        Ok(timed)
    }

    fn evaluate(&mut self, tokens: &[LlamaToken]) -> anyhow::Result<()> {
        for chunk in tokens.chunks(BATCH) {
            let mut batch = LlamaBatch::new(chunk.len(), 1);
            for (place, &token) in chunk.iter().enumerate() {
                let position = i32::try_from(self.evaluated.len())?;
                batch.add(token, position, &[0], place + 1 == chunk.len())?;
                self.evaluated.push(token);
            }
            self.context.decode(&mut batch)?;
        }
        Ok(())
    }
}
