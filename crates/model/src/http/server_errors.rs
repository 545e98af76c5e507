use host::Secret;
use reqwest::{StatusCode, Url};
use serde_json::Value;

use crate::ModelError;
use crate::http::shown;

/// The maximum length of a server's message that is quoted.
const LONGEST_QUOTE: usize = 300;

/// The terms in error messages about one kind of request: the failing service and the settings to check.
#[derive(Debug)]
pub(crate) struct ErrorTerms {
    who: &'static str,
    /// The service that the address should provide.
    what: &'static str,
    answer: &'static str,
    address: &'static str,
    /// The settings that select the API format.
    format: &'static str,
    model: &'static str,
    key: &'static str,
    otherwise: &'static str,
}

pub(crate) static CHAT: ErrorTerms = ErrorTerms {
    who: "The model",
    what: "chat",
    answer: "a model's answer",
    address: "llm.base_url",
    format: "llm.base_url and llm.provider",
    model: "llm.model",
    key: "Check llm.api_key in Settings.",
    otherwise: "choose another model in Settings",
};

pub(crate) static EMBEDDINGS: ErrorTerms = ErrorTerms {
    who: "The embedding model",
    what: "embeddings",
    answer: "an embedding model's answer",
    address: "builtin_tools.vector_search.ollama_url",
    format: "builtin_tools.vector_search.ollama_url",
    model: "builtin_tools.vector_search.model",
    key: "Check llm.api_key in Settings: it is sent only if builtin_tools.vector_search.ollama_url and \
          llm.base_url name the same server.",
    otherwise: "choose another with builtin_tools.vector_search in Settings",
};

impl ErrorTerms {
    pub(crate) fn bad_address(&self) -> ModelError {
        ModelError::Refused(format!(
            "The address of the model server is not valid. Check {} in Settings: it looks like \
             http://localhost:11434 or https://example.org/v1.",
            self.address
        ))
    }
}

/// Turns server failures into error messages for users, without the API key.
#[derive(Debug, Clone)]
pub(crate) struct ServerErrors {
    terms: &'static ErrorTerms,
    place: String,
    /// The first thing to do, such as `Start Ollama`.
    remedy: &'static str,
    key: Secret,
}

impl ServerErrors {
    pub(crate) fn new(terms: &'static ErrorTerms, url: &Url, remedy: &'static str, key: Secret) -> Self {
        Self { terms, place: shown(url), remedy, key }
    }

    pub(crate) fn place(&self) -> &str {
        &self.place
    }

    /// Returns the advice for a model that is unsuitable, such as `choose another model in Settings`.
    pub(crate) fn otherwise(&self) -> &'static str {
        self.terms.otherwise
    }

    /// The error for a request that did not get through.
    pub(crate) fn unreachable(&self, error: &reqwest::Error) -> ModelError {
        let cause = root_cause(error);
        if cause.to_lowercase().contains("certificate") {
            return ModelError::Unreachable(format!(
                "The secure connection to {} cannot be trusted: {}. Check {} in Settings.",
                self.place,
                self.quote(&cause),
                self.terms.address
            ));
        }
        if error.is_builder() {
            return ModelError::Refused(format!(
                "The key for the model's server has characters that cannot be sent. {}",
                self.terms.key
            ));
        }
        self.silent()
    }

    /// The error for a server that does not respond.
    pub(crate) fn silent(&self) -> ModelError {
        ModelError::Unreachable(format!(
            "{} at {} does not answer. {}, or {}.",
            self.terms.who, self.place, self.remedy, self.terms.otherwise
        ))
    }

    pub(crate) fn slow_to_begin(&self, seconds: u64) -> ModelError {
        ModelError::Unreachable(format!(
            "{} at {} has not begun to answer within {seconds} seconds. It may be busy or too large for its \
             machine: try again, or {}.",
            self.terms.who, self.place, self.terms.otherwise
        ))
    }

    pub(crate) fn cut(&self) -> ModelError {
        ModelError::Cut(format!(
            "The connection to the model at {} broke in the middle of the answer. The answer so far is kept: ask again \
             for the whole answer.",
            self.place
        ))
    }

    pub(crate) fn went_silent(&self, seconds: u64) -> ModelError {
        ModelError::Cut(format!(
            "The model at {} stopped in the middle of the answer and sent nothing for {seconds} seconds. The \
             answer so far is kept: ask again for the whole answer.",
            self.place
        ))
    }

    /// The error for a response that broke off and is useless in parts.
    pub(crate) fn broke_off(&self) -> ModelError {
        ModelError::Unreachable(format!(
            "The connection to {} broke in the middle of the answer. Try again. If it happens again, check \
             whether the server runs out of memory.",
            self.place
        ))
    }

    pub(crate) fn slow_to_end(&self, seconds: u64) -> ModelError {
        ModelError::Unreachable(format!(
            "{} at {} did not finish within {seconds} seconds. It may be busy or too large for its machine: try again, \
             or {}.",
            self.terms.who, self.place, self.terms.otherwise
        ))
    }

    /// The error for a model that Ollama does not have.
    pub(crate) fn not_pulled(&self, model: &str) -> ModelError {
        ModelError::Refused(format!(
            "Ollama at {} has no model named “{model}”. Download it with `ollama pull {model}`, or {}.",
            self.place, self.terms.otherwise
        ))
    }

    /// The error for a response that is not valid JSON.
    pub(crate) fn garbled(&self, came: bool) -> ModelError {
        if came {
            return ModelError::Cut(format!(
                "The answer of the model at {} became unreadable. The answer so far is kept: ask again for the whole answer.",
                self.place
            ));
        }
        ModelError::Nonsense(format!(
            "The server at {} sent something that is not {}. Check {} in Settings.",
            self.place, self.terms.answer, self.terms.format
        ))
    }

    pub(crate) fn web_page(&self) -> ModelError {
        ModelError::Nonsense(format!(
            "The server at {} sent a web page, not a model's answer. Check {} in Settings: it often ends in /v1, \
             and a proxy may require you to log in first.",
            self.place, self.terms.address
        ))
    }

    pub(crate) fn empty(&self) -> ModelError {
        ModelError::Nonsense(format!(
            "The server at {} sent an empty answer. Try again. If it happens again, check {} in Settings.",
            self.place, self.terms.model
        ))
    }

    pub(crate) fn filtered(&self) -> ModelError {
        ModelError::Refused(format!(
            "The server at {} withheld the rest of this answer because of its content rules. Rephrase the \
             question, or choose another model in Settings.",
            self.place
        ))
    }

    pub(crate) fn moved(&self, location: Option<&str>) -> ModelError {
        let to = location.and_then(|location| Url::parse(location).ok()).map(|url| shown(&url));
        let address = self.terms.address;
        let advice = match to {
            Some(to) => format!("to {to}. Set {address} in Settings to the right address."),
            None => format!("elsewhere. Check {address} in Settings."),
        };
        ModelError::Nonsense(format!("The server at {} redirects {advice}", self.place))
    }

    /// The error for a response with a status other than success.
    pub(crate) fn status(&self, status: StatusCode, model: &str, body: &str) -> ModelError {
        let value: Option<Value> = serde_json::from_str(body).ok();
        if let Some(overflow) = value.as_ref().and_then(context_overflow) {
            return overflow;
        }
        if status != StatusCode::UNAUTHORIZED && status != StatusCode::FORBIDDEN && looks_like_a_page(body) {
            return self.web_page();
        }
        let place = &self.place;
        let ErrorTerms { who, what, address, model: setting, key, otherwise, .. } = self.terms;
        let said = value.as_ref().and_then(error_message).unwrap_or_default();
        let said = self.quote(&said);
        let because = if said.is_empty() { String::new() } else { format!(" It says: {said}") };
        match status.as_u16() {
            401 | 403 => {
                ModelError::Refused(format!("The server at {place} refused the key. {key}{because}"))
            }
            404 => ModelError::Refused(format!(
                "The server at {place} has no model named “{model}”, or no {what} at this address. Check {setting} \
                 and {address} in Settings.{because}"
            )),
            402 | 429 => ModelError::Refused(format!(
                "The server at {place} accepts no more requests at the moment. Wait a little, check your account \
                 there, or {otherwise}.{because}"
            )),
            502..=504 => ModelError::Unreachable(format!(
                "{who} at {place} is not ready (status {}). Wait a little and try again.{because}",
                status.as_u16()
            )),
            400..=499 => ModelError::Refused(format!(
                "The server at {place} did not accept the request (status {}).{because}",
                status.as_u16()
            )),
            _ => ModelError::Failed(format!(
                "{who} at {place} failed (status {}). Try again, or {otherwise}.{because}",
                status.as_u16()
            )),
        }
    }

    /// The error for an error message inside a response.
    pub(crate) fn said(&self, message: &Value) -> ModelError {
        if let Some(overflow) = context_overflow(message) {
            return overflow;
        }
        let said = error_message(message).unwrap_or_default();
        let who = self.terms.who;
        ModelError::Failed(format!("{who} at {} failed. It says: {}", self.place, self.quote(&said)))
    }

    /// Quotes a server's message: one line, limited in length, and with the API key removed.
    pub(crate) fn quote(&self, text: &str) -> String {
        let text =
            if self.key.is_empty() { text.to_owned() } else { text.replace(self.key.expose(), "•••") };
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        match line.char_indices().nth(LONGEST_QUOTE) {
            Some((end, _)) => format!("{}…", &line[..end]),
            None => line,
        }
    }
}

pub(crate) fn looks_like_a_page(body: &str) -> bool {
    body.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']).starts_with('<')
}

fn root_cause(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}

/// Returns the message from any of the usual forms: `{"error": {"message": …}}`, `{"error": "…"}`, `{"message": …}`,
/// `{"detail": …}`.
fn error_message(value: &Value) -> Option<String> {
    let places = [&value["error"]["message"], &value["error"], &value["message"], &value["detail"]];
    places.into_iter().find_map(|found| found.as_str().map(ToOwned::to_owned))
}

/// Recognises the common servers' errors for a prompt that is too long.
pub(crate) fn context_overflow(value: &Value) -> Option<ModelError> {
    let error = if value["error"].is_object() { &value["error"] } else { value };
    let number = |name: &str| error[name].as_u64().and_then(|number| u32::try_from(number).ok());
    if let (Some(needed), Some(limit)) = (number("n_prompt_tokens"), number("n_ctx")) {
        return Some(ModelError::ContextFull { needed, limit });
    }
    let message = error_message(value)?.to_lowercase();
    let named = ["context length", "context size", "context window"];
    let (_, after) = named.iter().find_map(|name| message.split_once(name))?;
    let limit = numbers(after).next()?;
    let needed = numbers(&message).max().unwrap_or(limit).max(limit.saturating_add(1));
    Some(ModelError::ContextFull { needed, limit })
}

fn numbers(text: &str) -> impl Iterator<Item = u32> + '_ {
    text.split(|character: char| !character.is_ascii_digit()).filter_map(|digits| digits.parse().ok())
}

#[cfg(test)]
#[path = "server_errors_tests.rs"]
mod tests;
