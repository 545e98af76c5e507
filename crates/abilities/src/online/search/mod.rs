//! Web search with the engines that the user has configured.

mod brave;
mod result;
mod searxng;
mod tool;

use config::WebSearch;
use reqwest::Url;

use super::service::ServiceClient;
use crate::CurrentConfig;

pub(crate) use result::{SearchError, SearchResult, site};
pub(crate) use tool::SearchTool;

/// The longest query that the engines accept.
const LONGEST_QUERY: usize = 400;
const MOST_WORDS: usize = 50;

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

#[cfg(test)]
#[path = "search_tests.rs"]
mod tests;
