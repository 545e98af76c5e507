//! The results of a search, read from the replies of the engines.

use reqwest::{StatusCode, Url};
use serde::Serialize;
use serde_json::Value;
use tools::ToolError;

use crate::online::readable::{one_line, plain};
use crate::online::service::{ServiceError, ServiceResponse, retry_time};

const LONGEST_TITLE: usize = 160;
const LONGEST_SNIPPET: usize = 500;
const LONGEST_ADDRESS: usize = 1_000;

/// A search result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct SearchResult {
    pub title: String,
    pub url: String,
    pub text: String,
    pub site: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub age: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum SearchError {
    #[error(
        "No search engine is set up. Put a Brave key or the address of a SearXNG server into the settings under \
         builtin_tools.web_search and enable it."
    )]
    NotSetUp,
    #[error(
        "Brave does not accept the key in builtin_tools.web_search.brave.api_key. Check it in the settings."
    )]
    KeyRefused,
    #[error("SearXNG does not answer in JSON. Add json to search.formats in its settings.yml.")]
    NoJsonFormat,
    #[error("{name} was asked too often. Try again {}.", retry_time(*.seconds))]
    TooOften { name: &'static str, seconds: Option<u64> },
    #[error("{name} answered with {status}. Try again later.")]
    Status { name: &'static str, status: u16 },
    #[error(transparent)]
    Service(#[from] ServiceError),
}

impl From<SearchError> for ToolError {
    fn from(error: SearchError) -> Self {
        match error {
            SearchError::NotSetUp | SearchError::KeyRefused | SearchError::NoJsonFormat => {
                ToolError::Unavailable(error.to_string())
            }
            SearchError::Service(error) => error.into(),
            SearchError::TooOften { .. } | SearchError::Status { .. } => ToolError::Failed(error.to_string()),
        }
    }
}

/// Parses a result: titles and snippets are HTML, and anything may be missing.
pub(super) fn result(value: &Value, snippet: &str, age: &str) -> Option<SearchResult> {
    let url = Url::parse(value["url"].as_str()?).ok()?;
    if !matches!(url.scheme(), "http" | "https") || url.as_str().len() > LONGEST_ADDRESS {
        return None;
    }
    let text = |name: &str, limit: usize| {
        let text = plain(value[name].as_str().unwrap_or_default());
        if text.chars().count() <= limit {
            return text;
        }
        text.chars().take(limit).chain(['…']).collect::<String>()
    };
    let site = site(&url);
    let title = Some(text("title", LONGEST_TITLE)).filter(|title| !title.is_empty());
    let age = value[age].as_str().map(|age| one_line(age).chars().take(40).collect::<String>());
    Some(SearchResult {
        title: title.unwrap_or_else(|| site.clone()),
        text: text(snippet, LONGEST_SNIPPET),
        site,
        age: age.filter(|age| !age.is_empty()),
        url: url.into(),
    })
}

/// Returns the host name without `www.`.
pub(crate) fn site(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    host.strip_prefix("www.").unwrap_or(host).to_owned()
}

/// Checks the status of a reply, as for all engines, and parses it.
pub(super) fn accepted(reply: &ServiceResponse, name: &'static str) -> Result<Value, SearchError> {
    match reply.status {
        StatusCode::OK => Ok(reply.json(name)?),
        StatusCode::TOO_MANY_REQUESTS => Err(SearchError::TooOften { name, seconds: reply.retry_after }),
        status => Err(SearchError::Status { name, status: status.as_u16() }),
    }
}
