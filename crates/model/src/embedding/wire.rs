use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::flaw::Flaw;
use crate::http::looks_like_a_page;
use crate::ollama::KEEP_ALIVE;

/// The API for requesting vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EmbeddingApi {
    /// `/v1/embeddings`: vLLM, LM Studio, llama-server, cloud providers.
    OpenAi,
    /// Ollama's own `/api/embed`, which truncates texts that are too long instead of refusing them.
    Ollama,
}

/// The replacement for a text of only white space, which some servers refuse even as a single space.
const BLANK: &str = ".";

/// A vector as sent. Some servers write `null` for NaN. Numbers are parsed as `f64`, so that one too large for `f32`
/// can be told from an unreadable one.
type Numbers = Vec<Option<f64>>;

#[derive(Deserialize)]
struct OpenAiAnswer {
    data: Vec<OpenAiVector>,
}

#[derive(Deserialize)]
struct OpenAiVector {
    index: Option<usize>,
    embedding: Numbers,
}

#[derive(Deserialize)]
struct OllamaAnswer {
    embeddings: Vec<Numbers>,
}

pub(super) fn question(api: EmbeddingApi, model: &str, texts: &[String]) -> Value {
    let texts: Vec<_> =
        texts.iter().map(|text| if text.trim().is_empty() { BLANK } else { text.as_str() }).collect();
    match api {
        EmbeddingApi::OpenAi => json!({ "model": model, "input": texts, "encoding_format": "float" }),
        EmbeddingApi::Ollama => {
            json!({ "model": model, "input": texts, "truncate": true, "keep_alive": KEEP_ALIVE })
        }
    }
}

/// Returns the vectors of a response in the order of the texts, all of equal length and with finite numbers.
pub(super) fn vectors(
    api: EmbeddingApi,
    answer: &[u8],
    texts: usize,
    dimensions: Option<usize>,
) -> Result<Vec<Vec<f32>>, Flaw> {
    let (numbered, vectors): (Vec<_>, Vec<_>) = match api {
        EmbeddingApi::OpenAi => {
            let answer: OpenAiAnswer = parse(answer)?;
            answer.data.into_iter().map(|vector| (vector.index, vector.embedding)).unzip()
        }
        EmbeddingApi::Ollama => {
            let answer: OllamaAnswer = parse(answer)?;
            answer.embeddings.into_iter().map(|vector| (None, vector)).unzip()
        }
    };
    if vectors.len() != texts {
        return Err(Flaw::Count { texts, vectors: vectors.len() });
    }
    let expected = dimensions.or_else(|| vectors.first().map(Vec::len)).unwrap_or_default();
    let vectors = vectors.into_iter().map(|vector| checked(vector, expected)).collect::<Result<_, _>>()?;
    in_order(&numbered, vectors)
}

fn parse<Answer: DeserializeOwned>(answer: &[u8]) -> Result<Answer, Flaw> {
    serde_json::from_slice(answer).map_err(|_| {
        let text = String::from_utf8_lossy(answer);
        match serde_json::from_str::<Value>(&text) {
            _ if text.trim().is_empty() => Flaw::Nothing,
            Ok(said) if said.get("error").is_some_and(|error| !error.is_null()) => Flaw::Error(said),
            Err(_) if looks_like_a_page(&text) => Flaw::WebPage,
            // Not JSON, but the form in which Python's encoder writes non-finite numbers.
            Err(_) if text.contains("NaN") || text.contains("Infinity") => Flaw::NotANumber,
            _ => Flaw::Unreadable,
        }
    })
}

fn checked(vector: Numbers, expected: usize) -> Result<Vec<f32>, Flaw> {
    match vector.len() {
        0 => Err(Flaw::Empty),
        came if came != expected => Err(Flaw::Length { expected, came }),
        _ => {
            #[allow(clippy::cast_possible_truncation, reason = "what is too large becomes infinite")]
            let narrow = |number: f64| number as f32;
            let numbers =
                vector.into_iter().map(|number| number.map(narrow).filter(|number| number.is_finite()));
            let numbers: Vec<f32> = numbers.collect::<Option<_>>().ok_or(Flaw::NotANumber)?;
            if numbers.iter().all(|number| *number == 0.0) { Err(Flaw::Zeros) } else { Ok(numbers) }
        }
    }
}

/// Sorts the vectors by their indexes. If none has an index, they are already in order.
fn in_order(numbered: &[Option<usize>], vectors: Vec<Vec<f32>>) -> Result<Vec<Vec<f32>>, Flaw> {
    if numbered.iter().all(Option::is_none) {
        return Ok(vectors);
    }
    let mut ordered = vec![None; vectors.len()];
    for (number, vector) in numbered.iter().zip(vectors) {
        let place = number.and_then(|number| ordered.get_mut(number)).ok_or(Flaw::Numbering)?;
        if place.replace(vector).is_some() {
            return Err(Flaw::Numbering);
        }
    }
    ordered.into_iter().collect::<Option<_>>().ok_or(Flaw::Numbering)
}

#[cfg(test)]
#[path = "wire_tests.rs"]
mod tests;
