//! Routes for OpenAI clients. The model `luna` is the companion with its persona; every other name is the bare model.

mod embeddings;
mod reply;
mod request;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use companion::{ApiRequest, CompanionError};
use model::ModelRequest;
use protocol::{ErrorCode, ModelState, Scope};
use serde_json::{Value, json};

use self::embeddings::{EmbeddingRequest, embeddings};
use self::reply::{CompletionHeader, ResponsePieces};
use self::request::CompletionRequest;
use crate::auth::Caller;
use crate::error::Refusal;
use crate::input::{JsonBody, PathParams};
use crate::output::Json;
use crate::route::{Access, RefusalFormat, Route, get, post};
use crate::sse;
use crate::state::ServerState;

/// The model name of the companion.
const LUNA: &str = "luna";
const REQUEST_LIMIT: usize = 32 * 1024 * 1024;

pub fn routes() -> Vec<Route> {
    let chat = Access::Scope(Scope::Chat);
    let routes = vec![
        post("/v1/chat/completions", chat, "OpenAI's chat completions, streamed or whole.", completions)
            .takes::<CompletionRequest>()
            .gives::<Value>()
            .streams::<Value>()
            .up_to(REQUEST_LIMIT),
        post("/v1/embeddings", chat, "OpenAI's embeddings, by the model used for recall.", embeddings)
            .takes::<EmbeddingRequest>()
            .gives::<Value>()
            .up_to(REQUEST_LIMIT),
        get("/v1/models", chat, "The models available to OpenAI clients.", models).gives::<Value>(),
        get("/v1/models/{id}", chat, "One of these models.", one_model).gives::<Value>(),
    ];
    routes.into_iter().map(|route| route.refusing(RefusalFormat::OpenAi)).collect()
}

/// An error in the format of OpenAI clients.
struct Failure(ErrorCode, String);

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        Refusal::new(self.0, self.1).for_openai()
    }
}

impl From<CompanionError> for Failure {
    fn from(error: CompanionError) -> Self {
        Failure(error.code(), error.to_string())
    }
}

async fn completions(
    State(app): State<ServerState>,
    caller: Caller,
    body: Result<JsonBody<CompletionRequest>, Refusal>,
) -> Result<Response, Failure> {
    let JsonBody(request) = body.map_err(|refusal| Failure(refusal.code, refusal.message))?;
    let messages = request.messages().map_err(|wrong| Failure(ErrorCode::BadRequest, wrong))?;
    let tool_choice = request.tool_choice().map_err(|wrong| Failure(ErrorCode::BadRequest, wrong))?;
    let (tools, constraint) = (request.tools(), request.constraint());
    let sampling = request.sampling(app.sampling());
    let (name, pieces): (String, ResponsePieces) = if request.model == LUNA {
        let api =
            ApiRequest { messages, tools, tool_choice, sampling: Some(sampling), constraint, agent: None };
        let log = app.companion.answer_api(caller.user, api)?;
        (LUNA.to_owned(), reply::of_turn(&log))
    } else {
        let chat =
            ModelRequest { messages, tools, tool_choice, sampling, constraint, ..ModelRequest::default() };
        let answer = app.companion.answer_bare(chat).await?;
        (answer.model, reply::of_model(answer.deltas))
    };
    let id = format!("chatcmpl-{}", host::hex(&host::random_bytes::<12>()));
    let head = CompletionHeader { id, created: app.now().as_second(), model: name };
    if request.streams() {
        let lines = reply::lines(head, pieces, request.wants_usage());
        return Ok(sse::response(lines, app.ends_with(&caller)));
    }
    let whole = reply::gathered(head, pieces).await.map_err(|(code, message)| Failure(code, message))?;
    Ok(Json(whole).into_response())
}

async fn models(State(app): State<ServerState>) -> Json<Value> {
    let names = std::iter::once(LUNA.to_owned()).chain(current_name(&app));
    Json(json!({"object": "list", "data": names.map(|name| model_object(&app, &name)).collect::<Vec<_>>()}))
}

async fn one_model(
    State(app): State<ServerState>,
    PathParams(id): PathParams<String>,
) -> Result<Json<Value>, Failure> {
    if id == LUNA || current_name(&app).is_some_and(|name| name == id) {
        return Ok(Json(model_object(&app, &id)));
    }
    Err(Failure(ErrorCode::NotFound, format!("there is no model {id}")))
}

fn current_name(app: &ServerState) -> Option<String> {
    match app.roster.state() {
        ModelState::None { .. } => None,
        ModelState::Loading { name } | ModelState::Ready { name, .. } | ModelState::Failed { name, .. } => {
            Some(name)
        }
    }
}

fn model_object(app: &ServerState, name: &str) -> Value {
    json!({"id": name, "object": "model", "created": app.started.as_second(), "owned_by": "perigee"})
}
