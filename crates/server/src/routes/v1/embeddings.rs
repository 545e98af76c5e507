use axum::extract::State;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use protocol::ErrorCode;
use serde::Deserialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::Failure;
use crate::auth::Caller;
use crate::error::Refusal;
use crate::input::JsonBody;
use crate::output::Json;
use crate::state::ServerState;

/// The maximum number of texts in one request.
const MOST_TEXTS: usize = 2_048;

/// OpenAI's request for embeddings. The model name is ignored: Perigee always uses its own model.
#[derive(Debug, Deserialize, ToSchema)]
pub struct EmbeddingRequest {
    input: Input,
    /// `float`, or `base64` as OpenAI's own client asks for.
    #[serde(default)]
    encoding_format: Option<String>,
    /// The length of the vectors. Only the full length is accepted, since shortened vectors would lose their meaning.
    #[serde(default)]
    dimensions: Option<usize>,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(untagged, expecting = "`input` should be a text, or a list of texts")]
enum Input {
    One(String),
    Many(Vec<String>),
    /// The token IDs of one text or of several. They belong to another model's vocabulary, so they are refused.
    Tokens(Vec<u32>),
    TokenLists(Vec<Vec<u32>>),
}

pub async fn embeddings(
    State(app): State<ServerState>,
    _: Caller,
    body: Result<JsonBody<EmbeddingRequest>, Refusal>,
) -> Result<Json<Value>, Failure> {
    let JsonBody(request) = body.map_err(|refusal| Failure(refusal.code, refusal.message))?;
    let texts = match request.input {
        Input::One(text) => vec![text],
        Input::Many(texts) => texts,
        Input::Tokens(ids) => return Err(token_ids_refused(ids.len())),
        Input::TokenLists(lists) => return Err(token_ids_refused(lists.iter().map(Vec::len).sum())),
    };
    if texts.is_empty() || texts.len() > MOST_TEXTS {
        let wrong = format!("input has {} texts; 1 to {MOST_TEXTS} can be embedded at once", texts.len());
        return Err(Failure(ErrorCode::BadRequest, wrong));
    }
    let packed = match request.encoding_format.as_deref() {
        None | Some("float") => false,
        Some("base64") => true,
        Some(_) => {
            return Err(Failure(ErrorCode::BadRequest, "encoding_format is float or base64".into()));
        }
    };
    let embedded = app.companion.memory().embed(&texts).await.ok_or_else(|| {
        let missing = "there is no embedding model: get one with `perigee models pull all-minilm-l6-v2`, or run \
                       `perigee doctor` to see why its server does not answer";
        Failure(ErrorCode::NoModel, missing.into())
    })?;
    let embedded = embedded.map_err(|error| Failure(error.code(), error.to_string()))?;
    let long = embedded.vectors.first().map_or(0, Vec::len);
    if request.dimensions.is_some_and(|wanted| wanted != long) {
        let wrong = format!("the vectors of {} have {long} numbers: leave out dimensions", embedded.model);
        return Err(Failure(ErrorCode::BadRequest, wrong));
    }
    let data: Vec<Value> = embedded
        .vectors
        .into_iter()
        .enumerate()
        .map(|(index, vector)| {
            let embedding = if packed {
                let bytes: Vec<u8> = vector.iter().flat_map(|number| number.to_le_bytes()).collect();
                json!(STANDARD.encode(bytes))
            } else {
                json!(vector)
            };
            json!({"object": "embedding", "index": index, "embedding": embedding})
        })
        .collect();
    // An estimate of four bytes per token; it is not used for billing.
    let tokens: usize = texts.iter().map(|text| text.len().div_ceil(4)).sum();
    Ok(Json(json!({
        "object": "list",
        "data": data,
        "model": embedded.model,
        "usage": {"prompt_tokens": tokens, "total_tokens": tokens},
    })))
}

fn token_ids_refused(ids: usize) -> Failure {
    let wrong =
        format!("input holds {ids} token IDs, which mean something else to every model: send the texts");
    Failure(ErrorCode::BadRequest, wrong)
}
