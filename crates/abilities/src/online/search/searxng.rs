use config::SearxngSearch;
use reqwest::{Method, StatusCode, Url};

use super::result::{SearchError, SearchResult, accepted, result};
use crate::online::service::{ServiceClient, ServiceError, with_path};

const NAME: &str = "SearXNG";

pub(super) async fn find(
    service: &ServiceClient,
    settings: &SearxngSearch,
    query: &str,
) -> Result<Vec<SearchResult>, SearchError> {
    let base = Url::parse(settings.url.as_str()).map_err(|_| ServiceError::Silent(NAME.to_owned()))?;
    let request =
        service.request(Method::GET, with_path(&base, "/search")).query(&[("q", query), ("format", "json")]);
    let reply = service.send(request, NAME).await?;
    // A server without JSON enabled refuses the request or sends its HTML page.
    let is_page = reply.status == StatusCode::OK && reply.body.trim_ascii_start().starts_with(b"<");
    if reply.status == StatusCode::FORBIDDEN || is_page {
        return Err(SearchError::NoJsonFormat);
    }
    let answer = accepted(&reply, NAME)?;
    let results = answer["results"].as_array().map(Vec::as_slice).unwrap_or_default();
    Ok(results.iter().filter_map(|value| result(value, "content", "publishedDate")).collect())
}
