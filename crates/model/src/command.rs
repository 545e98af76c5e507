//! A chat model backed by a program that reads a prompt on standard input and prints the reply.
//!
//! The prompt is plain text: each message follows a line `### System`, `### User`, `### Assistant` or `### Tool` and is
//! followed by an empty line; the prompt ends with the line `### Assistant`. The program's output is the response and
//! is streamed as it is printed; a line that begins another message ends it. Images and tools are not passed on.

use std::collections::VecDeque;
use std::path::Path;
use std::time::Duration;

use async_trait::async_trait;
use futures_util::stream::{self, StreamExt};
use host::{ChildProcess, OutputChunk, ProcessError, Program};
use protocol::{ModelKind, StopReason};
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;

use crate::http::stopped;
use crate::text::{request_weight, weight};
use crate::{
    ChatModel, ChatStream, Constraint, Delta, ModelError, ModelInfo, ModelRequest, ModelRole, StopFilter,
    Timeouts, TokenCount, TokenEstimator, Utf8Joiner,
};

/// The time limit for one run of the program.
const LONGEST_RUN: Duration = Duration::from_hours(24);
const MOST_OUTPUT: usize = 64 << 20;
/// The maximum length of the error output that is passed on.
const MOST_ERROR_OUTPUT: usize = 600;

/// A chat model that runs a command.
#[derive(Debug)]
pub struct CommandModel {
    command: Vec<String>,
    info: ModelInfo,
    timeouts: Timeouts,
}

impl CommandModel {
    /// Creates the model from `llm.command`. Fails if none is set or the program does not exist.
    pub fn new(llm: &config::Llm) -> Result<Self, ModelError> {
        let program = llm.command.first().filter(|program| !program.trim().is_empty()).ok_or_else(|| {
            ModelError::None(
                "llm.command is empty. Set it in Settings, or choose another model there".to_owned(),
            )
        })?;
        let is_path = Path::new(program).components().count() > 1;
        if if is_path { !Path::new(program).is_file() } else { host::find_program(program).is_none() } {
            return Err(ModelError::Unreachable(format!(
                "The program {program} was not found. Install it, or check llm.command in Settings."
            )));
        }
        let file_name = Path::new(program)
            .file_name()
            .map_or_else(|| program.clone(), |name| name.to_string_lossy().into_owned());
        Ok(Self {
            command: llm.command.clone(),
            info: ModelInfo {
                name: llm.model.clone().unwrap_or(file_name),
                kind: ModelKind::Command,
                // The command may send the prompt anywhere, so nothing can be promised.
                is_here: false,
                context: llm.num_ctx,
                parameters: None,
                vision: false,
                native_tools: false,
                reading_pace: None,
            },
            timeouts: Timeouts {
                first_token: Duration::from_secs(llm.first_token_timeout_seconds.into()),
                between_tokens: Duration::from_secs(llm.timeout_seconds.into()),
            },
        })
    }
}

#[async_trait]
impl ChatModel for CommandModel {
    fn info(&self) -> ModelInfo {
        self.info.clone()
    }

    async fn chat(&self, request: ModelRequest) -> Result<ChatStream, ModelError> {
        if request.cancel.is_cancelled() {
            return Ok(stopped());
        }
        if let Some(Constraint::JsonSchema(_) | Constraint::Grammar(_)) = request.constraint {
            return Err(ModelError::Refused(
                "A command cannot be made to answer in a certain format. Choose another model in Settings for this."
                    .to_owned(),
            ));
        }
        let (program, arguments) =
            self.command.split_first().map_or(("", &[][..]), |(first, rest)| (first.as_str(), rest));
        let child = Program::new(program)
            .args(arguments)
            .input(prompt(&request))
            .time_limit(LONGEST_RUN)
            .output_limit(MOST_OUTPUT)
            .spawn()
            .map_err(|error| ModelError::Unreachable(format!("{error}. Check llm.command in Settings.")))?;
        Ok(OutputReader::read(self, child, &request))
    }

    fn count_tokens(&self, text: &str) -> TokenCount {
        TokenEstimator::default().count(text)
    }
}

fn heading(role: ModelRole) -> &'static str {
    match role {
        ModelRole::System => "### System",
        ModelRole::User => "### User",
        ModelRole::Assistant => "### Assistant",
        ModelRole::Tool => "### Tool",
    }
}

fn prompt(request: &ModelRequest) -> String {
    let mut prompt = String::new();
    for message in &request.messages {
        prompt.push_str(heading(message.role));
        prompt.push('\n');
        prompt.push_str(message.content.as_text().trim());
        prompt.push_str("\n\n");
    }
    prompt.push_str(heading(ModelRole::Assistant));
    prompt.push('\n');
    prompt
}

/// The state of converting a program's output into a response stream.
struct OutputReader {
    /// The running program. Taken at the end of the response, which kills it and all its child processes.
    child: Option<ChildProcess>,
    program: String,
    out: VecDeque<Result<Delta, ModelError>>,
    joiner: Utf8Joiner,
    stops: StopFilter,
    /// Line ends held back from the end of the output, because the program's final one is not part of the response.
    line_ends: String,
    error_output: Vec<u8>,
    came: bool,
    room: usize,
    prompt: f32,
    completion: f32,
    begun: Instant,
    timeouts: Timeouts,
    cancel: CancellationToken,
}

impl OutputReader {
    fn read(model: &CommandModel, child: ChildProcess, request: &ModelRequest) -> ChatStream {
        let mut stops = request.sampling.stop.clone();
        stops.extend(
            [ModelRole::System, ModelRole::User, ModelRole::Assistant, ModelRole::Tool]
                .map(|role| format!("\n{}", heading(role))),
        );
        let reader = Self {
            child: Some(child),
            program: model.info.name.clone(),
            out: VecDeque::new(),
            joiner: Utf8Joiner::default(),
            stops: StopFilter::new(&stops),
            line_ends: String::new(),
            error_output: Vec::new(),
            came: false,
            room: 4096 + (request.sampling.max_tokens as usize).saturating_mul(32),
            prompt: request_weight(request),
            completion: 0.0,
            begun: Instant::now(),
            timeouts: model.timeouts,
            cancel: request.cancel.clone(),
        };
        stream::unfold(reader, async |mut reader| reader.next().await.map(|delta| (delta, reader))).boxed()
    }

    async fn next(&mut self) -> Option<Result<Delta, ModelError>> {
        loop {
            if let Some(delta) = self.out.pop_front() {
                return Some(delta);
            }
            let child = self.child.as_mut()?;
            let until = if self.came {
                Instant::now() + self.timeouts.between_tokens
            } else {
                self.begun + self.timeouts.first_token
            };
            tokio::select! {
                biased;
                () = self.cancel.cancelled() => self.end(StopReason::Stopped),
                chunk = timeout_at(until, child.next()) => match chunk {
                    Ok(Ok(Some(OutputChunk::Stdout(bytes)))) => self.printed(&bytes),
                    Ok(Ok(Some(OutputChunk::Stderr(bytes)))) => self.error_output(&bytes),
                    Ok(Ok(None)) => self.finished().await,
                    Ok(Err(error)) => self.fail(&error.to_string()),
                    Err(_) => self.fail("it printed nothing for too long and was stopped"),
                },
            }
        }
    }

    fn printed(&mut self, bytes: &[u8]) {
        let Some(room) = self.room.checked_sub(bytes.len()) else {
            return self.end(StopReason::Length);
        };
        self.room = room;
        let text = self.joiner.push(bytes);
        let passed = self.stops.push(&text);
        self.say(&passed.text);
        if passed.stopped {
            self.end(StopReason::End);
        }
    }

    fn say(&mut self, text: &str) {
        let text = if self.came { text } else { text.trim_start() };
        let words = text.trim_end_matches(['\r', '\n']);
        if words.is_empty() {
            if self.came {
                self.line_ends.push_str(text);
            }
            return;
        }
        self.came = true;
        let said = std::mem::replace(&mut self.line_ends, text[words.len()..].to_owned()) + words;
        self.completion += weight(&said);
        self.out.push_back(Ok(Delta::Text(said)));
    }

    fn error_output(&mut self, bytes: &[u8]) {
        self.error_output.extend_from_slice(bytes);
        let excess = self.error_output.len().saturating_sub(MOST_ERROR_OUTPUT);
        self.error_output.drain(..excess);
    }

    async fn finished(&mut self) {
        let Some(child) = self.child.take() else { return };
        let ended: Result<_, ProcessError> = child.finish().await;
        let rest = self.joiner.finish();
        let passed = self.stops.push(&rest);
        self.say(&passed.text);
        let held = self.stops.finish();
        self.say(&held);
        match ended {
            Ok(status) if !status.success() => self.fail(&format!("it ended with {status}")),
            Err(error) => self.fail(&error.to_string()),
            Ok(_) if self.came => self.end(StopReason::End),
            Ok(_) => self.fail("it printed nothing"),
        }
    }

    fn end(&mut self, reason: StopReason) {
        self.child = None;
        let held = self.stops.finish();
        self.say(&held);
        let estimator = TokenEstimator::default();
        let (prompt, completion) = (estimator.tokens(self.prompt), estimator.tokens(self.completion));
        self.out.push_back(Ok(Delta::Usage { prompt, cached: 0, completion }));
        self.out.push_back(Ok(Delta::Stop(reason)));
    }

    fn fail(&mut self, what: &str) {
        self.child = None;
        let held = self.stops.finish();
        self.say(&held);
        let error_output = String::from_utf8_lossy(&self.error_output);
        let error_output = error_output.split_whitespace().collect::<Vec<_>>().join(" ");
        let last_output =
            if error_output.is_empty() { String::new() } else { format!(" Its last output: {error_output}") };
        let program = &self.program;
        self.out.push_back(Err(if self.came {
            ModelError::Cut(format!(
                "The command {program} stopped early: {what}. The answer so far is kept.{last_output}"
            ))
        } else {
            ModelError::Failed(format!(
                "The command {program} gave no answer: {what}. Check llm.command in Settings.{last_output}"
            ))
        }));
    }
}

#[cfg(test)]
#[path = "command_tests.rs"]
mod tests;
