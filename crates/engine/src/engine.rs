use std::io::{Read, Seek, SeekFrom};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Sender, SyncSender};
use std::sync::{Arc, OnceLock};
use std::thread::JoinHandle;

use async_trait::async_trait;
use dialect::ReplySyntax;
use futures_util::{Stream, StreamExt, stream};
use host::Clock as _;
use llama_cpp_2::LogOptions;
use llama_cpp_2::context::params::LlamaContextParams;
use llama_cpp_2::llama_backend::LlamaBackend;
use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::model::params::LlamaModelParams;
use llama_cpp_2::token::LlamaToken;
use model::{
    CacheKey, ChatModel, ChatStream, Delta, ModelError, ModelInfo, ModelRequest, ModelRole, Sampling,
    StopFilter, TokenCount, ToolChoice, ToolSpec,
};
use protocol::ModelKind;
use sha2::{Digest, Sha256};

use crate::calls::{CallDetector, CallRules};
use crate::disk::DiskCache;
use crate::gguf;
use crate::job::PromptJob;
use crate::prompt_cache::PromptCache;
use crate::sampler::SamplerFactory;
use crate::speed_record::SpeedRecord;
use crate::state_cache::{ContextLimits, StateCache};
use crate::template::{ChatTemplate, PromptEnding};
use crate::vocabulary::{ControlTokens, Vocabulary};
use crate::worker::{LONG_CHUNK, Worker, WorkerCommand};

/// The maximum memory for cells beyond one full conversation.
const EXTRA_CELLS_BYTES: usize = 256 << 20;
/// The build of llama.cpp, part of the disk cache's key because states are not portable between builds.
const LLAMA_VERSION: &str = "llama-cpp-2 0.1.160";

/// The options of an [`Engine`].
#[derive(Debug, Clone)]
pub struct EngineOptions {
    /// The maximum number of tokens of a conversation. The model's own limit may be lower.
    pub context: u32,
    /// The number of threads; zero chooses it from the number of cores.
    pub threads: u32,
    /// The number of concurrent responses.
    pub parallel: u32,
    /// Memory for the state of idle conversations, in bytes.
    pub cache_bytes: usize,
    pub disk_cache: PathBuf,
    /// The maximum size of the disk cache; zero disables it.
    pub disk_cache_bytes: u64,
}

/// A GGUF model in this process.
pub struct Engine {
    model: Arc<LlamaModel>,
    template: ChatTemplate,
    marks: ControlTokens,
    control: Vec<(LlamaToken, String)>,
    shop: Arc<SamplerFactory>,
    info: ModelInfo,
    commands: Option<Sender<WorkerCommand>>,
    worker: Option<JoinHandle<()>>,
}

impl Engine {
    /// Loads a model file. Blocks while the file is read from disk.
    pub fn load(path: &Path, name: &str, options: &EngineOptions) -> Result<Self, ModelError> {
        if let Some(what) = gguf::unsupported_kind(path) {
            let file = path.display();
            return Err(ModelError::Failed(format!(
                "{file} is {what} and cannot chat: choose another model in Settings"
            )));
        }
        let maker = fingerprint(path)?;
        let model = open(path)?;
        let limits = limits(&model, options);
        Self::start(model, name, maker, limits, options)
    }

    fn start(
        model: LlamaModel,
        name: &str,
        maker: String,
        limits: ContextLimits,
        options: &EngineOptions,
    ) -> Result<Self, ModelError> {
        let model = Arc::new(model);
        let vocabulary = Vocabulary::new(&model);
        let spelled = |token| String::from_utf8_lossy(&vocabulary.spelled(token)).into_owned();
        let source = model.chat_template(None).ok().and_then(|template| template.to_string().ok());
        let (bos, eos) = (spelled(model.vocab().bos()), spelled(model.vocab().eos()));
        let template =
            ChatTemplate::new(source.as_deref(), &bos, &eos, vocabulary.control_texts(), Arc::new(now))?;
        let marks = ControlTokens::of(template.syntax(), vocabulary);
        let control = vocabulary.control_tokens().collect();
        let (commands, worker, reading_pace) =
            start_worker(Arc::clone(&model), limits, maker, options.clone())?;
        let info = ModelInfo {
            name: name.to_owned(),
            kind: ModelKind::Embedded,
            is_here: true,
            context: u32::try_from(limits.conversation).unwrap_or(u32::MAX),
            parameters: Some(model.n_params()),
            vision: false,
            native_tools: template.uses_tools(),
            reading_pace,
        };
        let shop = Arc::new(SamplerFactory::new(Arc::clone(&model)));
        Ok(Self {
            model,
            template,
            marks,
            control,
            shop,
            info,
            commands: Some(commands),
            worker: Some(worker),
        })
    }

    async fn run(&self, request: ModelRequest, ending: PromptEnding) -> Result<ChatStream, ModelError> {
        let prompt = self.template.render(&request.messages, &request.tools, ending)?;
        let prefix = self.prefix(&request, &prompt);
        let opening = self.template.syntax().thought_opened_by(&prompt).map(str::to_owned);
        let marks = if request.tools.is_empty() && request.shown.is_empty() {
            &self.marks.of_thoughts
        } else {
            &self.marks.of_calls
        };
        let marks = Arc::clone(marks);
        let ModelRequest { sampling, constraint, tools, shown, tool_choice, .. } = request;
        let calls = match constraint {
            Some(_) => None,
            None => self.call_rules((&tools, &shown), &tool_choice, &sampling),
        };
        let sampler = match constraint {
            // Building a schema's grammar can take a while.
            Some(constraint) => {
                let (shop, sampling) = (Arc::clone(&self.shop), sampling.clone());
                tokio::task::spawn_blocking(move || shop.sampler(&sampling, Some(&constraint)))
                    .await
                    .map_err(|error| ModelError::Failed(error.to_string()))??
            }
            None => self.shop.sampler(&sampling, None)?,
        };
        let (out, answer) = tokio::sync::mpsc::unbounded_channel();
        let job = PromptJob {
            prompt,
            prefix,
            key: request.cache_key,
            max_tokens: sampling.max_tokens,
            sampler,
            calls: CallDetector::new(calls, opening.as_deref()),
            stop: StopFilter::new(&sampling.stop),
            marks,
            priority: request.priority,
            cancel: request.cancel,
            out,
        };
        self.send(WorkerCommand::Run(Box::new(job)))?;
        let answer = stream::unfold(answer, |mut answer| async { Some((answer.recv().await?, answer)) });
        Ok(match opening {
            Some(opening) => with_opening(answer, opening).boxed(),
            None => answer.boxed(),
        })
    }

    fn call_rules(
        &self,
        tools: (&[ToolSpec], &[ToolSpec]),
        choice: &ToolChoice,
        sampling: &Sampling,
    ) -> Option<CallRules> {
        let shop = Arc::clone(&self.shop);
        CallRules::new(self.template.syntax(), tools, choice, sampling, &self.control, shop)
    }

    /// Returns the part of the prompt that other prompts share: as many of the first messages as the template writes
    /// first and independently of the rest.
    fn prefix(&self, request: &ModelRequest, prompt: &str) -> Option<String> {
        request.messages.first().filter(|message| message.role == ModelRole::System)?;
        let opening = request.messages.get(..request.opening.max(1))?;
        [opening, &opening[..1]].into_iter().find_map(|opening| {
            let alone = self.template.render(opening, &request.tools, PromptEnding::AsItIs).ok()?;
            prompt.starts_with(&alone).then_some(alone)
        })
    }

    fn send(&self, command: WorkerCommand) -> Result<(), ModelError> {
        let stopped = || ModelError::Failed("the model's engine has stopped: restart Perigee".into());
        self.commands.as_ref().ok_or_else(stopped)?.send(command).map_err(|_| stopped())
    }

    async fn ask(&self, command: impl FnOnce(SyncSender<()>) -> WorkerCommand) {
        let (done, wait) = mpsc::sync_channel(1);
        if self.send(command(done)).is_ok() {
            tokio::task::spawn_blocking(move || wait.recv()).await.ok();
        }
    }
}

#[async_trait]
impl ChatModel for Engine {
    fn info(&self) -> ModelInfo {
        self.info.clone()
    }

    async fn chat(&self, request: ModelRequest) -> Result<ChatStream, ModelError> {
        self.run(request, PromptEnding::AnswerFollows).await
    }

    fn syntax(&self) -> Option<Arc<ReplySyntax>> {
        Some(Arc::clone(self.template.syntax()))
    }

    fn count_tokens(&self, text: &str) -> TokenCount {
        let tokens = Vocabulary::new(&self.model).count(text);
        TokenCount { tokens: u32::try_from(tokens).unwrap_or(u32::MAX), exact: true }
    }

    async fn prewarm(&self, request: ModelRequest) -> Result<(), ModelError> {
        let asks = request.messages.last().is_some_and(|message| message.role == ModelRole::User);
        let ending = if asks { PromptEnding::AnswerFollows } else { PromptEnding::AsItIs };
        let request = ModelRequest { sampling: Sampling { max_tokens: 0, ..request.sampling }, ..request };
        let mut answer = self.run(request, ending).await?;
        while let Some(delta) = answer.next().await {
            delta?;
        }
        Ok(())
    }

    async fn forget(&self, key: &CacheKey) {
        self.ask(|done| WorkerCommand::Forget(key.clone(), done)).await;
    }

    async fn save(&self) {
        self.ask(WorkerCommand::Save).await;
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.commands = None;
        if let Some(worker) = self.worker.take() {
            worker.join().ok();
        }
    }
}

/// Returns the current time, for templates that write the date into the prompt.
fn now() -> jiff::Zoned {
    let clock = host::SystemClock;
    clock.now().to_zoned(clock.time_zone())
}

/// Initializes llama.cpp once per process and routes its log to tracing.
fn backend() -> Result<&'static LlamaBackend, ModelError> {
    static BACKEND: OnceLock<Result<LlamaBackend, String>> = OnceLock::new();
    BACKEND
        .get_or_init(|| {
            llama_cpp_2::send_logs_to_tracing(LogOptions::default());
            LlamaBackend::init().map_err(|error| error.to_string())
        })
        .as_ref()
        .map_err(|error| ModelError::Failed(format!("llama.cpp could not start: {error}")))
}

fn open(path: &Path) -> Result<LlamaModel, ModelError> {
    LlamaModel::load_from_file(backend()?, path, &LlamaModelParams::default()).map_err(|error| {
        let file = path.display();
        tracing::error!("llama.cpp refused {file}: {error}");
        ModelError::Failed(format!(
            "{file} is not a model that can be loaded. It may be incomplete: remove it and download it again."
        ))
    })
}

/// Prepends the opening of a thought to the response. Some templates end the prompt with it, so the response starts
/// within a thought without saying so.
fn with_opening(
    answer: impl Stream<Item = Result<Delta, ModelError>>,
    opening: String,
) -> impl Stream<Item = Result<Delta, ModelError>> {
    let mut opening = Some(opening);
    answer.map(move |delta| match delta {
        Ok(Delta::Text(text)) => Ok(Delta::Text(opening.take().unwrap_or_default() + &text)),
        other => other,
    })
}

/// The channel to the worker, its thread, and its prompt evaluation speed in tokens per second.
type StartedWorker = (Sender<WorkerCommand>, JoinHandle<()>, Option<u32>);

fn start_worker(
    model: Arc<LlamaModel>,
    limits: ContextLimits,
    maker: String,
    options: EngineOptions,
) -> Result<StartedWorker, ModelError> {
    let (commands, queue) = mpsc::channel();
    let (ready, started) = mpsc::sync_channel::<Result<Option<u32>, ModelError>>(1);
    let thread = std::thread::Builder::new().name("engine".into()).spawn(move || {
        let made = backend().and_then(|backend| {
            model.new_context(backend, context_params(limits, options.threads)).map_err(|error| {
                tracing::error!("llama.cpp could not create a context: {error}");
                ModelError::Failed(
                    "there is not enough memory for this model: choose a smaller one, or a smaller llm.num_ctx".into(),
                )
            })
        });
        match made {
            Err(error) => drop(ready.send(Err(error))),
            Ok(context) => {
                let shelf = PromptCache::new(options.cache_bytes);
                let disk = DiskCache::new(options.disk_cache.clone(), &maker, options.disk_cache_bytes);
                let folder = Some(options.disk_cache.as_path()).filter(|_| options.disk_cache_bytes > 0);
                let pace = SpeedRecord::open(folder, &maker, options.threads);
                let cells = StateCache::new(context, Vocabulary::new(&model), shelf, disk, limits);
                let mut worker = Worker::new(cells, pace);
                worker.measure();
                ready.send(Ok(worker.reading_pace())).ok();
                worker.run(&queue);
            }
        }
    });
    let failed = |error: String| ModelError::Failed(format!("the model's engine did not start: {error}"));
    let thread = thread.map_err(|error| failed(error.to_string()))?;
    let pace = started.recv().map_err(|error| failed(error.to_string()))??;
    Ok((commands, thread, pace))
}

fn limits(model: &LlamaModel, options: &EngineOptions) -> ContextLimits {
    let conversation = options.context.min(model.n_ctx_train()).max(1) as usize;
    let head = usize::try_from(model.n_embd()).unwrap_or(0) / (model.n_head().max(1) as usize);
    // Keys and values, two bytes each.
    let cell = (model.n_layer() as usize) * (model.n_head_kv() as usize) * head * 4;
    let affordable = EXTRA_CELLS_BYTES / cell.max(1);
    let cells = affordable.clamp(conversation, conversation * 2).next_multiple_of(256);
    let can_truncate = !model.is_recurrent() && !model.is_hybrid();
    ContextLimits { conversation, cells, parallel: options.parallel.max(1) as usize, can_truncate }
}

fn context_params(limits: ContextLimits, threads: u32) -> LlamaContextParams {
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let chosen =
        |by_default: u32| i32::try_from(if threads == 0 { by_default } else { threads }).unwrap_or(1);
    let cores = u32::try_from(host::machine().physical_cores).unwrap_or(1).max(1);
    let batch = number(LONG_CHUNK + limits.parallel);
    LlamaContextParams::default()
        .with_n_ctx(NonZeroU32::new(number(limits.cells)))
        .with_n_seq_max(number(limits.parallel + 1))
        .with_kv_unified(true)
        .with_swa_full(true)
        .with_n_batch(batch)
        .with_n_ubatch(batch)
        // The threads of one computation wait for each other at every step, so if one of them has to share its core,
        // all of them stall. The steps of a single token are many and small: one core stays free for everything else.
        // The steps of a prompt are large enough to use every core.
        .with_n_threads(chosen(cores.saturating_sub(1).max(1)))
        .with_n_threads_batch(chosen(cores))
}

/// Returns a hash that identifies the model file and the engine build. It covers the size, the beginning and the end of
/// the file, because reading gigabytes would take too long.
fn fingerprint(path: &Path) -> Result<String, ModelError> {
    const SAMPLE: u64 = 1 << 16;
    let unreadable =
        |error: std::io::Error| ModelError::Failed(format!("{} cannot be read: {error}", path.display()));
    let mut file = std::fs::File::open(path).map_err(unreadable)?;
    let size = file.metadata().map_err(unreadable)?.len();
    let mut hash = Sha256::new();
    hash.update(LLAMA_VERSION);
    hash.update(size.to_le_bytes());
    let mut sample = Vec::new();
    (&mut file).take(SAMPLE).read_to_end(&mut sample).map_err(unreadable)?;
    file.seek(SeekFrom::Start(size.saturating_sub(SAMPLE))).map_err(unreadable)?;
    (&mut file).take(SAMPLE).read_to_end(&mut sample).map_err(unreadable)?;
    hash.update(&sample);
    Ok(host::hex(&hash.finalize()))
}

#[cfg(test)]
#[path = "engine_real.rs"]
mod real;
