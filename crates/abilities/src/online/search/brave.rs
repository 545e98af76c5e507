use config::BraveSearch;
use reqwest::header::ACCEPT;
use reqwest::{Method, StatusCode, Url};

use super::result::{SearchError, SearchResult, accepted, result};
use crate::online::service::{ServiceClient, with_path};

const NAME: &str = "Brave";

pub(super) async fn find(
    service: &ServiceClient,
    base: &Url,
    settings: &BraveSearch,
    query: &str,
    count: usize,
) -> Result<Vec<SearchResult>, SearchError> {
    let request = service
        .request(Method::GET, with_path(base, "/res/v1/web/search"))
        .query(&[("q", query), ("count", &count.to_string())])
        .header(ACCEPT, "application/json")
        .header("X-Subscription-Token", settings.api_key.expose());
    let reply = service.send(request, NAME).await?;
    if matches!(
        reply.status,
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN | StatusCode::UNPROCESSABLE_ENTITY
    ) {
        return Err(SearchError::KeyRefused);
    }
    let answer = accepted(&reply, NAME)?;
    let results = answer["web"]["results"].as_array().map(Vec::as_slice).unwrap_or_default();
    Ok(results.iter().filter_map(|value| result(value, "description", "age")).collect())
}
