use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use axum::Json;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::playback::{ClientRecords, TrackedAnswer};
use crate::script::{ReplyHead, ScriptedReply};
use crate::wire::{ApiFormat, RequestedFormat};
use crate::{RecordedRequest, embeddings};

/// The answer once the script is used up.
pub const SCRIPT_IS_EMPTY: &str = "The script is empty.";

/// The kind of server, as seen in its information routes. The routes for chat and embeddings exist in every flavour.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Flavour {
    /// Lists its models and nothing else.
    #[default]
    OpenAi,
    /// Also reports `max_model_len`.
    Vllm,
    /// Also has `/api/v0/models`.
    LmStudio,
    /// Also has `/props`, `/slots` and `/health`.
    LlamaServer,
    /// Has `/api/version`, `/api/tags` and `/api/show` besides.
    Ollama,
}

/// A model server on a loopback socket that sends scripted answers in the OpenAI, Ollama and llama-server formats, and
/// records its requests.
#[derive(Debug)]
pub struct ScriptedModel {
    url: String,
    state: Arc<ModelState>,
    server: JoinHandle<()>,
}

#[derive(Debug, Default)]
struct ModelState {
    clients: ClientRecords,
    script: Mutex<ReplyScript>,
    /// The faults of the next embedding requests.
    faults: Mutex<VecDeque<ScriptedReply>>,
    about: Mutex<ServerFacts>,
}

#[derive(Default)]
struct ReplyScript {
    replies: VecDeque<ScriptedReply>,
    rules: Vec<ReplyRule>,
    /// The answer once the list is used up.
    otherwise: Option<ScriptedReply>,
}

struct ReplyRule {
    applies: Box<dyn Fn(&RecordedRequest) -> bool + Send>,
    reply: ScriptedReply,
}

impl std::fmt::Debug for ReplyScript {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} replies, {} rules", self.replies.len(), self.rules.len())
    }
}

#[derive(Debug, Clone)]
struct ServerFacts {
    flavour: Flavour,
    models: Vec<String>,
    context: u32,
    slots: u32,
    capabilities: Vec<String>,
    dimensions: usize,
}

impl Default for ServerFacts {
    fn default() -> Self {
        Self {
            flavour: Flavour::OpenAi,
            models: vec!["scripted".to_owned()],
            context: 16_384,
            slots: 4,
            capabilities: vec!["completion".to_owned(), "tools".to_owned()],
            dimensions: 64,
        }
    }
}

impl ScriptedModel {
    pub async fn start() -> Self {
        Self::start_as(Flavour::OpenAi).await
    }

    pub async fn start_as(flavour: Flavour) -> Self {
        Self::start_at(0, flavour).await
    }

    /// Starts on a given port, which must be free.
    pub async fn start_at(port: u16, flavour: Flavour) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", port)).await.expect("the port is free");
        let url = format!("http://{}", listener.local_addr().unwrap());
        let state = Arc::new(ModelState::default());
        state.about.lock().unwrap().flavour = flavour;
        let app = axum::Router::new().fallback(handle).with_state(Arc::clone(&state));
        let server = tokio::spawn(async move {
            axum::serve(listener, app).await.unwrap();
        });
        Self { url, state, server }
    }

    /// Returns `http://127.0.0.1:PORT`, without `/v1`.
    pub fn url(&self) -> String {
        self.url.clone()
    }

    pub fn port(&self) -> u16 {
        self.url.rsplit(':').next().and_then(|port| port.parse().ok()).unwrap()
    }

    /// Appends an answer to the script.
    pub fn reply(&self, reply: impl Into<ScriptedReply>) -> &Self {
        self.state.script.lock().unwrap().replies.push_back(reply.into());
        self
    }

    pub fn replies(&self, replies: impl IntoIterator<Item = impl Into<ScriptedReply>>) -> &Self {
        for reply in replies {
            self.reply(reply);
        }
        self
    }

    /// Sets the answer once the script is used up, instead of [`SCRIPT_IS_EMPTY`].
    pub fn otherwise(&self, reply: impl Into<ScriptedReply>) -> &Self {
        self.state.script.lock().unwrap().otherwise = Some(reply.into());
        self
    }

    /// Gives this answer to every matching request, without using up the script.
    pub fn when(
        &self,
        applies: impl Fn(&RecordedRequest) -> bool + Send + 'static,
        reply: impl Into<ScriptedReply>,
    ) -> &Self {
        let rule = ReplyRule { applies: Box::new(applies), reply: reply.into() };
        self.state.script.lock().unwrap().rules.push(rule);
        self
    }

    /// Answers the next embedding request like this instead of with [`scripted_vector`](crate::scripted_vector)s. Text
    /// and raw pieces are sent as they are.
    pub fn embedding_fault(&self, reply: ScriptedReply) -> &Self {
        self.state.faults.lock().unwrap().push_back(reply);
        self
    }

    /// Sets the number of dimensions of its vectors.
    pub fn dimensions(&self, dimensions: usize) -> &Self {
        self.state.about.lock().unwrap().dimensions = dimensions;
        self
    }

    /// Sets the names of its models. The embedding routes accept only these.
    pub fn models(&self, names: impl IntoIterator<Item = impl Into<String>>) -> &Self {
        self.state.about.lock().unwrap().models = names.into_iter().map(Into::into).collect();
        self
    }

    /// Sets the context length that it reports.
    pub fn context(&self, tokens: u32) -> &Self {
        self.state.about.lock().unwrap().context = tokens;
        self
    }

    pub fn slots(&self, slots: u32) -> &Self {
        self.state.about.lock().unwrap().slots = slots;
        self
    }

    /// Sets the capabilities in Ollama's terms: `completion`, `tools`, `vision`, `thinking`.
    pub fn capabilities(&self, names: impl IntoIterator<Item = impl Into<String>>) -> &Self {
        self.state.about.lock().unwrap().capabilities = names.into_iter().map(Into::into).collect();
        self
    }

    /// Returns every request so far, including those for server information.
    pub fn requests(&self) -> Vec<RecordedRequest> {
        self.state.clients.requests()
    }

    /// Returns the chat requests in order.
    pub fn chats(&self) -> Vec<RecordedRequest> {
        let mut requests = self.requests();
        requests.retain(is_chat);
        requests
    }

    /// Returns the body of the last chat request.
    pub fn last_chat(&self) -> Value {
        self.chats().last().expect("no answer was asked for").json()
    }

    /// Returns once this many chat requests have arrived.
    pub async fn asked(&self, times: usize) {
        let enough = |requests: &[RecordedRequest]| {
            requests.iter().filter(|request| is_chat(request)).count() >= times
        };
        self.state.clients.wait_for(enough).await;
    }

    /// Returns the embedding requests in order.
    pub fn embeddings(&self) -> Vec<RecordedRequest> {
        let mut requests = self.requests();
        requests.retain(is_embedding);
        requests
    }

    /// Returns once this many embedding requests have arrived.
    pub async fn asked_for_embeddings(&self, times: usize) {
        let enough = |requests: &[RecordedRequest]| {
            requests.iter().filter(|request| is_embedding(request)).count() >= times
        };
        self.state.clients.wait_for(enough).await;
    }

    /// Returns once this many clients have disconnected before the end of their answer.
    pub async fn hung_up(&self, times: usize) {
        self.state.clients.hung_up(times).await;
    }

    /// Stops listening; new connections are refused.
    pub async fn stop(&mut self) {
        self.server.abort();
        let _ = (&mut self.server).await;
    }
}

impl Drop for ScriptedModel {
    fn drop(&mut self) {
        self.server.abort();
    }
}

fn is_chat(request: &RecordedRequest) -> bool {
    format_of(&request.path).is_some()
}

fn is_embedding(request: &RecordedRequest) -> bool {
    embeddings::format_of(&request.path).is_some()
}

fn format_of(path: &str) -> Option<ApiFormat> {
    match path {
        "/v1/chat/completions" | "/chat/completions" => Some(ApiFormat::OpenAi),
        "/api/chat" => Some(ApiFormat::Ollama),
        _ => None,
    }
}

async fn handle(State(state): State<Arc<ModelState>>, request: Request) -> Response {
    let request = state.clients.record(request).await;
    let response = match (format_of(&request.path), embeddings::format_of(&request.path)) {
        (None, None) => about(&state, &request),
        _ if request.method != "POST" => StatusCode::METHOD_NOT_ALLOWED.into_response(),
        (Some(format), _) => chat(&state, format, &request).await,
        (None, Some(format)) => embed(&state, format, &request).await,
    };
    // Without keep-alive, connections end with the server and every break is visible to the client.
    ([(header::CONNECTION, "close")], response).into_response()
}

async fn chat(state: &ModelState, format: ApiFormat, request: &RecordedRequest) -> Response {
    let answer = state.clients.answer();
    let body = request.json();
    let reply = state.script.lock().unwrap().next(request);
    let asked = RequestedFormat {
        format,
        model: body["model"].as_str().unwrap_or("scripted").to_owned(),
        usage: body["stream_options"]["include_usage"] == true,
    };
    // Ollama streams by default, the others only on request.
    let streamed = body["stream"].as_bool().unwrap_or(format == ApiFormat::Ollama);
    match &reply.head {
        ReplyHead::Silence => match answer.never().await {},
        ReplyHead::Status { code, retry_after, body } => {
            answer.end();
            refuse(*code, retry_after.as_deref(), body, reply.content_type)
        }
        ReplyHead::AsAsked if streamed => stream(answer, &asked, &reply),
        ReplyHead::AsAsked | ReplyHead::Document => {
            answer.end();
            let content_type = reply.content_type.unwrap_or("application/json");
            ([(header::CONTENT_TYPE, content_type)], asked.document(&reply).to_string()).into_response()
        }
    }
}

async fn embed(state: &ModelState, format: ApiFormat, request: &RecordedRequest) -> Response {
    let answer = state.clients.answer();
    let fault = state.faults.lock().unwrap().pop_front();
    let Some(reply) = fault else {
        answer.end();
        let about = state.about.lock().unwrap().clone();
        return embeddings::answer(format, &request.json(), &about.models, about.dimensions);
    };
    match &reply.head {
        ReplyHead::Silence => match answer.never().await {},
        ReplyHead::Status { code, retry_after, body } => {
            answer.end();
            refuse(*code, retry_after.as_deref(), body, reply.content_type)
        }
        ReplyHead::AsAsked | ReplyHead::Document => {
            let content_type = reply.content_type.unwrap_or("application/json");
            ([(header::CONTENT_TYPE, content_type)], answer.play(embeddings::frames(&reply))).into_response()
        }
    }
}

fn stream(answer: TrackedAnswer, asked: &RequestedFormat, reply: &ScriptedReply) -> Response {
    let content_type = reply.content_type.unwrap_or(match asked.format {
        ApiFormat::OpenAi => "text/event-stream",
        ApiFormat::Ollama => "application/x-ndjson",
    });
    ([(header::CONTENT_TYPE, content_type)], answer.play(asked.frames(reply))).into_response()
}

fn refuse(code: u16, retry_after: Option<&str>, body: &str, content_type: Option<&'static str>) -> Response {
    let mut response = Response::builder()
        .status(code)
        .header(header::CONTENT_TYPE, content_type.unwrap_or("application/json"));
    if let Some(value) = retry_after {
        response = response.header(header::RETRY_AFTER, value);
    }
    response.body(Body::from(body.to_owned())).unwrap()
}

impl ReplyScript {
    fn next(&mut self, request: &RecordedRequest) -> ScriptedReply {
        if let Some(rule) = self.rules.iter().find(|rule| (rule.applies)(request)) {
            return rule.reply.clone();
        }
        let next = self.replies.pop_front().or_else(|| self.otherwise.clone());
        next.unwrap_or_else(|| ScriptedReply::text(SCRIPT_IS_EMPTY))
    }
}

/// Answers requests for server information.
fn about(state: &ModelState, request: &RecordedRequest) -> Response {
    let about = state.about.lock().unwrap().clone();
    let flavour = about.flavour;
    let path = request.path.split('?').next().unwrap_or_default();
    let answer = match path {
        "/v1/models" | "/models" => models(&about),
        "/api/v0/models" if flavour == Flavour::LmStudio => lm_studio_models(&about),
        "/health" if flavour == Flavour::LlamaServer => json!({ "status": "ok" }),
        "/props" if flavour == Flavour::LlamaServer => json!({
            "default_generation_settings": { "n_ctx": about.context },
            "total_slots": about.slots,
            "model_path": format!("/models/{}.gguf", about.models.first().map_or("none", String::as_str)),
            "modalities": { "vision": about.capabilities.iter().any(|name| name == "vision"), "audio": false },
        }),
        "/slots" if flavour == Flavour::LlamaServer => {
            (0..about.slots).map(|id| json!({ "id": id })).collect()
        }
        "/api/version" if flavour == Flavour::Ollama => json!({ "version": "0.12.0" }),
        "/api/tags" if flavour == Flavour::Ollama => {
            let models: Vec<_> =
                about.models.iter().map(|name| json!({ "name": name, "model": name })).collect();
            json!({ "models": models })
        }
        "/api/show" if flavour == Flavour::Ollama => {
            let body = request.json();
            let wanted = body["model"].as_str().unwrap_or_default();
            if !about.models.iter().any(|name| name == wanted) {
                let error = json!({ "error": format!("model '{wanted}' not found") });
                return (StatusCode::NOT_FOUND, Json(error)).into_response();
            }
            json!({
                "details": { "family": "scripted", "parameter_size": "1.2B" },
                "model_info": {
                    "general.architecture": "scripted",
                    "general.parameter_count": 1_200_000_000_u64,
                    "scripted.context_length": about.context,
                },
                "capabilities": about.capabilities,
            })
        }
        _ => return (StatusCode::NOT_FOUND, Json(json!({ "error": "not found" }))).into_response(),
    };
    Json(answer).into_response()
}

fn models(about: &ServerFacts) -> Value {
    let models = about.models.iter().map(|name| {
        let mut model = json!({ "id": name, "object": "model", "created": 0, "owned_by": "testkit" });
        if about.flavour == Flavour::Vllm {
            model["max_model_len"] = json!(about.context);
        }
        if about.flavour == Flavour::LlamaServer {
            model["owned_by"] = json!("llamacpp");
            model["meta"] = json!({ "n_params": 1_200_000_000_u64, "n_ctx_train": 131_072 });
        }
        model
    });
    json!({ "object": "list", "data": models.collect::<Vec<_>>() })
}

fn lm_studio_models(about: &ServerFacts) -> Value {
    let models = about.models.iter().map(|name| {
        json!({
            "id": name, "object": "model", "type": "llm", "state": "loaded",
            "max_context_length": about.context * 4, "loaded_context_length": about.context,
        })
    });
    json!({ "object": "list", "data": models.collect::<Vec<_>>() })
}
