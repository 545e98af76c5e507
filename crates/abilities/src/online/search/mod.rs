//! Web search with the engines that the user has configured.

mod brave;
mod searxng;
mod tool;

use config::WebSearch;
use reqwest::{StatusCode, Url};
use serde::Serialize;
use serde_json::Value;
use tools::ToolError;

use super::readable::{one_line, plain};
use super::service::{ServiceClient, ServiceError, ServiceResponse, retry_time};
use crate::CurrentConfig;

pub(crate) use tool::SearchTool;

const LONGEST_TITLE: usize = 160;
const LONGEST_SNIPPET: usize = 500;
const LONGEST_ADDRESS: usize = 1_000;
/// The longest query that the engines accept.
const LONGEST_QUERY: usize = 400;
const MOST_WORDS: usize = 50;

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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Engine {
    Brave,
    Searxng,
}

impl Engine {
    fn set_up(settings: &WebSearch) -> Vec<Self> {
        let brave = settings.brave.enabled && !settings.brave.api_key.is_empty();
        let searxng = settings.searxng.enabled;
        [(brave, Engine::Brave), (searxng, Engine::Searxng)]
            .into_iter()
            .filter_map(|(is_on, engine)| is_on.then_some(engine))
            .collect()
    }
}

/// The search engines, the second as a fallback for the first.
#[derive(Clone)]
pub(crate) struct SearchEngines {
    settings: CurrentConfig,
    service: ServiceClient,
    brave: Url,
}

impl SearchEngines {
    pub fn new(settings: CurrentConfig, service: ServiceClient, brave: Url) -> Self {
        Self { settings, service, brave }
    }

    /// Returns at most `count` results, best first. The second engine is used if the first fails or finds nothing.
    pub async fn find(&self, query: &str, count: usize) -> Result<Vec<SearchResult>, SearchError> {
        let settings = (self.settings)();
        let settings = &settings.builtin_tools.web_search;
        let query = shortened(query);
        let mut trouble = None;
        let mut answered = false;
        for engine in Engine::set_up(settings) {
            let found = match engine {
                Engine::Brave => {
                    brave::find(&self.service, &self.brave, &settings.brave, &query, count).await
                }
                Engine::Searxng => searxng::find(&self.service, &settings.searxng, &query).await,
            };
            match found {
                Ok(found) if !found.is_empty() => return Ok(tidied(found, count)),
                Ok(_) => answered = true,
                Err(error) => {
                    tracing::debug!(?engine, %error, "a search failed");
                    trouble.get_or_insert(error);
                }
            }
        }
        if answered { Ok(Vec::new()) } else { Err(trouble.unwrap_or(SearchError::NotSetUp)) }
    }
}

fn shortened(query: &str) -> String {
    let words: Vec<&str> = query.split_whitespace().take(MOST_WORDS).collect();
    words.join(" ").chars().take(LONGEST_QUERY).collect()
}

/// Removes duplicate addresses and limits the number of results.
fn tidied(found: Vec<SearchResult>, count: usize) -> Vec<SearchResult> {
    let mut kept: Vec<SearchResult> = Vec::new();
    for result in found {
        if kept.len() < count && !kept.iter().any(|known| known.url == result.url) {
            kept.push(result);
        }
    }
    kept
}

/// Parses a result: titles and snippets are HTML, and anything may be missing.
fn result(value: &Value, snippet: &str, age: &str) -> Option<SearchResult> {
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
fn accepted(reply: &ServiceResponse, name: &'static str) -> Result<Value, SearchError> {
    match reply.status {
        StatusCode::OK => Ok(reply.json(name)?),
        StatusCode::TOO_MANY_REQUESTS => Err(SearchError::TooOften { name, seconds: reply.retry_after }),
        status => Err(SearchError::Status { name, status: status.as_u16() }),
    }
}

#[cfg(test)]
#[path = "search_tests.rs"]
mod tests;
