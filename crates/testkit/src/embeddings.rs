use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use crate::playback::OutputPiece;
use crate::script::{ReplyEnding, ReplyStep, ScriptedReply};
use crate::wire::ApiFormat;

/// Returns the vector that a [`ScriptedModel`](crate::ScriptedModel) assigns to a text: deterministic, of length one,
/// and closer to another text's vector the more words they share.
pub fn scripted_vector(text: &str, dimensions: usize) -> Vec<f32> {
    let mut vector = vec![0.0_f32; dimensions];
    let lower = text.to_lowercase();
    let words = lower.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty());
    // A text without words counts as the empty word, so that no vector is zero.
    let first = words.clone().next().is_none().then_some("");
    for word in words.chain(first) {
        let hash = hash(word);
        let at = usize::try_from(hash % dimensions as u64).unwrap();
        vector[at] += 1.0;
    }
    let length = vector.iter().map(|number| number * number).sum::<f32>().sqrt();
    vector.iter().map(|number| number / length).collect()
}

/// FNV-1a, since the standard library's hashes may change between versions.
fn hash(word: &str) -> u64 {
    word.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

pub(crate) fn format_of(path: &str) -> Option<ApiFormat> {
    match path {
        "/v1/embeddings" | "/embeddings" => Some(ApiFormat::OpenAi),
        "/api/embed" => Some(ApiFormat::Ollama),
        _ => None,
    }
}

/// Returns vectors for the texts of a request, or the error of a strict server.
pub(crate) fn answer(format: ApiFormat, body: &Value, models: &[String], dimensions: usize) -> Response {
    let refuse = |status: StatusCode, words: String| {
        let error = match format {
            ApiFormat::OpenAi => json!({ "error": { "message": words, "type": "invalid_request_error" } }),
            ApiFormat::Ollama => json!({ "error": words }),
        };
        (status, Json(error)).into_response()
    };
    let model = body["model"].as_str().unwrap_or_default();
    if !models.iter().any(|name| name == model) {
        return refuse(StatusCode::NOT_FOUND, format!("model \"{model}\" not found"));
    }
    let texts: Option<Vec<_>> =
        body["input"].as_array().and_then(|texts| texts.iter().map(Value::as_str).collect());
    let Some(texts) = texts.filter(|texts| texts.iter().all(|text| !text.trim().is_empty())) else {
        return refuse(StatusCode::BAD_REQUEST, "'$.input' is invalid".to_owned());
    };
    let vectors = texts.iter().map(|text| scripted_vector(text, dimensions));
    let tokens: usize = texts.iter().map(|text| text.split_whitespace().count()).sum();
    Json(match format {
        ApiFormat::OpenAi => {
            let numbered = vectors.enumerate().map(
                |(index, vector)| json!({ "object": "embedding", "index": index, "embedding": vector }),
            );
            // The format numbers the vectors, so clients must not rely on the order.
            let mut data: Vec<_> = numbered.collect();
            data.reverse();
            json!({
                "object": "list", "data": data, "model": model,
                "usage": { "prompt_tokens": tokens, "total_tokens": tokens },
            })
        }
        ApiFormat::Ollama => json!({
            "model": model, "embeddings": vectors.collect::<Vec<_>>(), "total_duration": 1, "load_duration": 1,
            "prompt_eval_count": tokens,
        }),
    })
    .into_response()
}

/// Returns what a scripted fault sends: its raw pieces and its ending.
pub(crate) fn frames(reply: &ScriptedReply) -> Vec<OutputPiece> {
    let mut frames: Vec<_> = reply
        .steps
        .iter()
        .filter_map(|step| match step {
            ReplyStep::Raw(bytes) => Some(OutputPiece::Bytes(bytes.clone())),
            ReplyStep::Text(text) => Some(OutputPiece::Bytes(text.clone().into_bytes())),
            ReplyStep::Endless(text) => Some(OutputPiece::Endless(text.clone().into_bytes())),
            ReplyStep::Wait(gate) => Some(OutputPiece::Wait(gate.clone())),
            ReplyStep::Pause(time) => Some(OutputPiece::Pause(*time)),
            ReplyStep::Reasoning(_) | ReplyStep::ToolCall { .. } | ReplyStep::Usage { .. } => None,
        })
        .collect();
    match reply.ending {
        ReplyEnding::Cut => frames.push(OutputPiece::Cut),
        ReplyEnding::Silence => frames.push(OutputPiece::Silence),
        ReplyEnding::Finished(_) | ReplyEnding::NoMarker | ReplyEnding::Truncated => {}
    }
    frames
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_with_shared_words_are_near() {
        let [moon, same, far] =
            ["The moon is full", "is the Moon full?", "a cup of tea"].map(|text| scripted_vector(text, 256));
        let near = |other: &[f32]| moon.iter().zip(other).map(|(one, two)| one * two).sum::<f32>();
        assert!(near(&same) > 0.99 && near(&far) < 0.5, "{} {}", near(&same), near(&far));
        assert!(scripted_vector("", 8).iter().any(|&number| number > 0.0));
    }
}
