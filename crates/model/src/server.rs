use std::sync::Arc;
use std::time::Duration;

use host::Secret;
use reqwest::Url;

use crate::http::{CHAT, Endpoint, ServerErrors};
use crate::{Http, ModelError, Retry, Timeouts, TokenEstimator};

/// Address and settings of a model server.
#[derive(Clone)]
pub struct ServerOptions {
    pub base_url: String,
    pub api_key: Secret,
    /// The model to use; without one, the first that the server lists.
    pub model: Option<String>,
    /// The maximum context length in tokens, shared by prompt and response. The model's own limit may be lower.
    pub num_ctx: u32,
    pub timeouts: Timeouts,
    pub retry: Retry,
}

impl ServerOptions {
    pub fn new(base_url: impl Into<String>, llm: &config::Llm) -> Self {
        Self {
            base_url: base_url.into(),
            api_key: llm.api_key.clone(),
            model: llm.model.clone(),
            num_ctx: llm.num_ctx,
            timeouts: Timeouts {
                first_token: Duration::from_secs(llm.first_token_timeout_seconds.into()),
                between_tokens: Duration::from_secs(llm.timeout_seconds.into()),
            },
            retry: Retry { attempts: llm.retries.saturating_add(1), ..Retry::default() },
        }
    }

    pub(crate) fn endpoint(&self, http: &Http, base: Url, remedy: &'static str) -> Endpoint {
        Endpoint {
            http: http.clone(),
            errors: ServerErrors::new(&CHAT, &base, remedy, self.api_key.clone()),
            base,
            key: self.api_key.clone(),
            timeouts: self.timeouts,
            retry: self.retry,
            estimator: Arc::new(TokenEstimator::default()),
        }
    }
}

/// Returns the wanted model, or else the first chat model in the server's list.
pub(crate) fn choose_model(
    wanted: Option<&str>,
    names: &[String],
    place: &str,
) -> Result<String, ModelError> {
    let first = || names.iter().find(|name| !name.to_lowercase().contains("embed")).map(String::as_str);
    wanted.or_else(first).map(ToOwned::to_owned).ok_or_else(|| {
        ModelError::None(format!(
            "the server at {place} lists none. Load one there, or set llm.model in Settings"
        ))
    })
}

/// Returns the number of parameters, if the model's name contains it: `qwen3:0.6b`, `Llama-3.2-3B-Instruct`.
pub(crate) fn parameters_in(name: &str) -> Option<u64> {
    let lower = name.to_lowercase();
    let words = lower.split(|character: char| !character.is_ascii_alphanumeric() && character != '.');
    words.filter_map(parameter_size).max()
}

/// Parses a size such as `1.7b` or `135m`.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "positive, and a cast saturates")]
pub(crate) fn parameter_size(word: &str) -> Option<u64> {
    let word = word.trim().to_lowercase();
    let (digits, unit) = if let Some(digits) = word.strip_suffix('b') {
        (digits, 1e9)
    } else {
        (word.strip_suffix('m')?, 1e6)
    };
    let plain = digits.starts_with(|first: char| first.is_ascii_digit());
    let number = digits.parse::<f64>().ok().filter(|number| plain && number.is_finite())?;
    Some((number * unit) as u64)
}

/// Returns true if a model is known by its name to support images, for servers that do not report it.
pub(crate) fn has_vision(name: &str) -> bool {
    const WITH_VISION: &[&str] = &[
        "-vl",
        "vision",
        "llava",
        "pixtral",
        "gemma-3-4b",
        "gemma-3-12b",
        "gemma-3-27b",
        "gemma-4",
        "gpt-4o",
        "gpt-4.1",
        "gpt-5",
        "claude",
        "gemini",
        "internvl",
        "minicpm-v",
        "smolvlm",
    ];
    let name = name.to_lowercase().replace([':', '_'], "-");
    WITH_VISION.iter().any(|known| name.contains(known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_tells_the_size() {
        for (name, expected) in [
            ("qwen3:0.6b", Some(600_000_000)),
            ("Llama-3.2-3B-Instruct", Some(3_000_000_000)),
            ("smollm2-135m-instruct", Some(135_000_000)),
            ("mixtral-8x7b", None),
            ("gpt-4o", None),
            ("bob", None),
        ] {
            assert_eq!(parameters_in(name), expected, "{name}");
        }
    }

    #[test]
    fn the_first_model_that_talks_is_taken() {
        let names = ["nomic-embed-text".to_owned(), "qwen3".to_owned()];
        assert_eq!(choose_model(None, &names, "x").unwrap(), "qwen3");
        assert_eq!(choose_model(Some("other"), &names, "x").unwrap(), "other");
        assert!(choose_model(None, &[], "http://x").unwrap_err().to_string().contains("http://x"));
    }

    #[test]
    fn models_that_see_are_known_by_name() {
        assert!(has_vision("Qwen2.5-VL-7B") && has_vision("gemma-3-4b-it") && has_vision("gpt-4o-mini"));
        assert!(!has_vision("qwen3-8b") && !has_vision("gemma-3-1b-it"));
    }
}
