//! Speaks the Model Context Protocol for a server that is a file of plain functions.
//!
//! `python/run.py` runs the file. It lists the tools, takes calls and returns results, each as one line of JSON.
//! [`RunnerTransport`] turns these lines into messages of the protocol, so that clients see an MCP server like any other.
//! A file that the runner cannot serve is handed over to the official package `mcp`, which speaks the protocol itself.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::io;
use std::sync::Arc;

use rmcp::RoleClient;
use rmcp::model::{
    CallToolRequest, CallToolResult, ClientNotification, ClientRequest, ContentBlock, EmptyObject, ErrorData,
    GetExtensions as _, Implementation, InitializeResult, JsonRpcMessage, ListToolsResult,
    ProgressNotification, ProgressNotificationParam, ProgressToken, ProtocolVersion, RequestId,
    RequestMetaObject, ServerCapabilities, ServerResult, Tool,
};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::transport::async_rw::AsyncRwTransport;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader};
use tokio::sync::Mutex;
use tools::ToolDefinition;

use crate::server_launch::LONGEST_MESSAGE;
use crate::server_requests::REVISION;

type Output = BufReader<Box<dyn AsyncRead + Send + Unpin>>;
type Input = Box<dyn AsyncWrite + Send + Unpin>;

/// The first line of a runner.
#[derive(Debug, Deserialize)]
#[serde(tag = "serves", rename_all = "lowercase")]
enum Greeting {
    Tools {
        name: Option<String>,
        instructions: Option<String>,
        tools: Vec<PlainTool>,
    },
    /// The official package has taken over, and speaks the protocol from here on.
    Mcp,
    Nothing {
        why: String,
    },
}

#[derive(Debug, Deserialize)]
struct PlainTool {
    name: String,
    title: Option<String>,
    description: String,
    parameters: Map<String, Value>,
}

/// A later line of a runner: a result, an error or the progress of the call `id`, or the answer to a ping.
#[derive(Debug, Deserialize)]
struct Line {
    id: Option<u64>,
    pong: Option<u64>,
    content: Option<Vec<String>>,
    error: Option<String>,
    progress: Option<f64>,
    total: Option<f64>,
    message: Option<String>,
}

/// A started runner, once it has told what it serves.
pub enum StartedRunner {
    Tools(Box<RunnerTransport>),
    Mcp(Output, Input),
    /// Nothing serves the file, for this reason.
    Nothing(String),
}

impl StartedRunner {
    /// Reads the first line of a runner.
    pub async fn read(
        output: impl AsyncRead + Send + Unpin + 'static,
        input: impl AsyncWrite + Send + Unpin + 'static,
    ) -> Result<Self, String> {
        let (output, input) = boxed(output, input);
        let mut lines = Lines::new(output);
        let line = lines.next().await.ok_or("the connection ended")?;
        match serde_json::from_slice(&line)
            .map_err(|error| format!("its first line makes no sense: {error}"))?
        {
            Greeting::Nothing { why } => Ok(Self::Nothing(why)),
            Greeting::Mcp => Ok(Self::Mcp(lines.output, input)),
            Greeting::Tools { name, instructions, tools } => {
                Ok(Self::Tools(Box::new(RunnerTransport::new(name, instructions, tools, lines, input))))
            }
        }
    }
}

/// The lines of a runner. Those that are too long are dropped, as messages of other servers are.
struct Lines {
    output: Output,
    line: Vec<u8>,
    is_too_long: bool,
}

impl Lines {
    fn new(output: Output) -> Self {
        Self { output, line: Vec::new(), is_too_long: false }
    }

    /// Returns the next line. What has been read of it is kept if the future is dropped.
    async fn next(&mut self) -> Option<Vec<u8>> {
        loop {
            let bytes = self.output.fill_buf().await.ok().filter(|bytes| !bytes.is_empty())?;
            let end = bytes.iter().position(|byte| *byte == b'\n');
            let part = &bytes[..end.unwrap_or(bytes.len())];
            self.is_too_long |= self.line.len() + part.len() > LONGEST_MESSAGE;
            if self.is_too_long {
                self.line.clear();
            } else {
                self.line.extend_from_slice(part);
            }
            let used = part.len() + usize::from(end.is_some());
            self.output.consume(used);
            if end.is_some() {
                let line = std::mem::take(&mut self.line);
                if !std::mem::take(&mut self.is_too_long) {
                    return Some(line);
                }
            }
        }
    }
}

/// Boxes streams of any kind, so that they have one type.
pub fn boxed(
    output: impl AsyncRead + Send + Unpin + 'static,
    input: impl AsyncWrite + Send + Unpin + 'static,
) -> (Output, Input) {
    (BufReader::new(Box::new(output)), Box::new(input))
}

/// The connection to a runner, which looks like one to an MCP server.
pub struct RunnerTransport {
    name: String,
    instructions: Option<String>,
    tools: Vec<Tool>,
    specs: BTreeMap<String, ToolDefinition>,
    lines: Lines,
    input: Arc<Mutex<Option<Input>>>,
    /// Answers for which the runner is not needed.
    answers: VecDeque<RxJsonRpcMessage<RoleClient>>,
    /// The requests that the runner works on, by the number that they have there.
    pending: HashMap<u64, Pending>,
    next: u64,
}

struct Pending {
    id: RequestId,
    progress: Option<ProgressToken>,
}

impl RunnerTransport {
    fn new(
        name: Option<String>,
        instructions: Option<String>,
        tools: Vec<PlainTool>,
        lines: Lines,
        input: Input,
    ) -> Self {
        let spec = |tool: &PlainTool| {
            let spec = ToolDefinition::new(&tool.name, "", Value::Object(tool.parameters.clone())).ok()?;
            Some((tool.name.clone(), spec))
        };
        let specs = tools.iter().filter_map(spec).collect();
        let described = |PlainTool { name, title, description, parameters }| {
            let tool = Tool::new(name, description, parameters);
            match title {
                Some(title) => tool.with_title(title),
                None => tool,
            }
        };
        Self {
            name: name.unwrap_or_else(|| "tools".to_owned()),
            instructions,
            tools: tools.into_iter().map(described).collect(),
            specs,
            lines,
            input: Arc::new(Mutex::new(Some(input))),
            answers: VecDeque::new(),
            pending: HashMap::new(),
            next: 0,
        }
    }

    /// Handles a message of the client. Returns the line to send to the runner, if there is one.
    fn take(&mut self, message: TxJsonRpcMessage<RoleClient>) -> Option<Value> {
        match message {
            JsonRpcMessage::Request(request) => self.take_request(request.request, request.id),
            JsonRpcMessage::Notification(notification) => match notification.notification {
                ClientNotification::CancelledNotification(cancelled) => {
                    let id = cancelled.params.request_id?;
                    let number = self.pending.iter().find(|(_, pending)| pending.id == id)?.0;
                    let number = *number;
                    self.pending.remove(&number);
                    Some(json!({"cancel": number}))
                }
                _ => None,
            },
            // The runner asks nothing.
            JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_) => None,
        }
    }

    fn take_request(&mut self, request: ClientRequest, id: RequestId) -> Option<Value> {
        match request {
            ClientRequest::InitializeRequest(request) => {
                let asked = request.params.protocol_version;
                let known = ProtocolVersion::KNOWN_VERSIONS.contains(&asked) && asked <= REVISION;
                let result = self.initialize_result(if known { asked } else { REVISION });
                self.answer(ServerResult::InitializeResult(result), id);
                None
            }
            ClientRequest::ListToolsRequest(_) => {
                let list = ListToolsResult::with_all_items(self.tools.clone());
                self.answer(ServerResult::ListToolsResult(list), id);
                None
            }
            ClientRequest::PingRequest(_) => Some(json!({"ping": self.begin(id, None)})),
            ClientRequest::CallToolRequest(request) => self.call(request, id),
            other => {
                let error = ErrorData::new(
                    rmcp::model::ErrorCode::METHOD_NOT_FOUND,
                    format!("there is no method {}", other.method()),
                    None,
                );
                self.answers.push_back(JsonRpcMessage::error(error, Some(id)));
                None
            }
        }
    }

    fn call(&mut self, request: CallToolRequest, id: RequestId) -> Option<Value> {
        let meta = request.extensions().get::<RequestMetaObject>();
        let progress = meta.and_then(RequestMetaObject::get_progress_token);
        let (name, arguments) = (request.params.name, request.params.arguments.unwrap_or_default());
        if !self.tools.iter().any(|tool| tool.name == name) {
            self.answer(failure(format!("Unknown tool: {name}")), id);
            return None;
        }
        if let Some(Err(why)) = self.specs.get(name.as_ref()).map(|spec| spec.check(&arguments)) {
            self.answer(failure(why), id);
            return None;
        }
        Some(json!({"id": self.begin(id, progress), "tool": name, "arguments": arguments}))
    }

    fn begin(&mut self, id: RequestId, progress: Option<ProgressToken>) -> u64 {
        self.next += 1;
        self.pending.insert(self.next, Pending { id, progress });
        self.next
    }

    fn answer(&mut self, result: ServerResult, id: RequestId) {
        self.answers.push_back(JsonRpcMessage::response(result, id));
    }

    fn initialize_result(&self, revision: ProtocolVersion) -> InitializeResult {
        let mut result = InitializeResult::new(ServerCapabilities::builder().enable_tools().build());
        result.protocol_version = revision;
        result.server_info = Implementation::new(self.name.as_str(), env!("CARGO_PKG_VERSION"));
        result.instructions.clone_from(&self.instructions);
        result
    }

    /// Turns a line of the runner into a message. Lines that belong to no request are dropped, since the functions
    /// could have written them.
    fn read_message(&mut self, line: &[u8]) -> Option<RxJsonRpcMessage<RoleClient>> {
        let Line { id, pong, content, error, progress, total, message } =
            serde_json::from_slice(line).ok()?;
        if let Some(number) = pong {
            let id = self.pending.remove(&number)?.id;
            return Some(JsonRpcMessage::response(ServerResult::EmptyResult(EmptyObject {}), id));
        }
        let number = id?;
        if let Some(progress) = progress {
            let token = self.pending.get(&number)?.progress.clone()?;
            let mut report = ProgressNotificationParam::new(token, progress);
            (report.total, report.message) = (total, message);
            return Some(JsonRpcMessage::notification(ProgressNotification::new(report).into()));
        }
        let result = match (content, error) {
            (_, Some(why)) => failure(why),
            (Some(texts), None) => {
                let content = texts.into_iter().map(ContentBlock::text).collect();
                ServerResult::CallToolResult(CallToolResult::success(content))
            }
            (None, None) => return None,
        };
        Some(JsonRpcMessage::response(result, self.pending.remove(&number)?.id))
    }
}

impl Transport<RoleClient> for RunnerTransport {
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let line = self.take(item);
        let input = Arc::clone(&self.input);
        async move {
            let Some(line) = line else { return Ok(()) };
            let mut input = input.lock().await;
            let input = input.as_mut().ok_or(io::ErrorKind::NotConnected)?;
            input.write_all(format!("{line}\n").as_bytes()).await?;
            input.flush().await
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        loop {
            if let Some(answer) = self.answers.pop_front() {
                return Some(answer);
            }
            let line = self.lines.next().await?;
            if let Some(message) = self.read_message(&line) {
                return Some(message);
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        drop(self.input.lock().await.take());
        Ok(())
    }
}

fn failure(why: String) -> ServerResult {
    ServerResult::CallToolResult(CallToolResult::error(vec![ContentBlock::text(why)]))
}

/// Connects a runner with a client on other streams, until one of the two ends.
pub async fn connect_runner(
    output: impl AsyncRead + Send + Unpin + 'static,
    input: impl AsyncWrite + Send + Unpin + 'static,
    (mut from_client, mut to_client): (
        impl AsyncRead + Send + Unpin,
        impl AsyncWrite + Send + Unpin + 'static,
    ),
) -> Result<(), String> {
    match StartedRunner::read(output, input).await? {
        StartedRunner::Nothing(why) => return Err(why),
        StartedRunner::Mcp(mut output, mut input) => {
            let forward = async {
                let _ = tokio::io::copy(&mut from_client, &mut input).await;
                drop(input);
                std::future::pending::<()>().await;
            };
            tokio::select! {
                () = forward => {}
                copied = tokio::io::copy(&mut output, &mut to_client) => {
                    copied.map_err(|error| error.to_string())?;
                }
            }
        }
        StartedRunner::Tools(mut server) => {
            let mut client =
                AsyncRwTransport::new_server(from_client, to_client).with_max_line_length(LONGEST_MESSAGE);
            let mut is_connected = true;
            loop {
                let passed = tokio::select! {
                    message = client.receive(), if is_connected => if let Some(message) = message {
                        server.send(message).await
                    } else {
                        // Calls that are nearly done are still answered.
                        is_connected = false;
                        server.close().await
                    },
                    message = server.receive() => match message {
                        Some(message) => client.send(message).await,
                        None => return Ok(()),
                    },
                };
                passed.map_err(|error| error.to_string())?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
#[path = "runner_tests.rs"]
mod tests;
