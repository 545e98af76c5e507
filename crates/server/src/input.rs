use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::request::Parts;
use protocol::ErrorCode;
use serde::de::DeserializeOwned;

use crate::auth::Caller;
use crate::error::Refusal;
use crate::guard::{RouteChecks, too_large};
use crate::state::ServerState;

/// The size above which a body is parsed on a separate thread.
const PARSED_INLINE: usize = 256 * 1024;

/// A JSON body. Parse errors are reported with line and column.
pub struct JsonBody<T>(pub T);

impl<T: DeserializeOwned + Send + 'static> FromRequest<ServerState> for JsonBody<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, _: &ServerState) -> Result<Self, Refusal> {
        let limit = limit_of(&request);
        let bytes = read(request, limit).await?;
        if bytes.len() <= PARSED_INLINE {
            return parse(&bytes).map(JsonBody);
        }
        let parsing = tokio::task::spawn_blocking(move || parse(&bytes));
        let parsed = parsing.await.map_err(|error| Refusal::new(ErrorCode::Internal, error.to_string()))?;
        parsed.map(JsonBody)
    }
}

/// A body of any kind, such as a file.
pub struct RawBody(pub Bytes);

impl FromRequest<ServerState> for RawBody {
    type Rejection = Refusal;

    async fn from_request(request: Request, _: &ServerState) -> Result<Self, Refusal> {
        let limit = limit_of(&request);
        read(request, limit).await.map(RawBody)
    }
}

fn limit_of(request: &Request) -> usize {
    request.extensions().get::<RouteChecks>().map_or(crate::route::BODY_LIMIT, |check| check.body_limit)
}

fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Refusal> {
    let text = if bytes.is_empty() { b"{}" } else { bytes };
    serde_json::from_slice(text)
        .map_err(|error| Refusal::bad_request(format!("the JSON is not as expected: {error}")))
}

async fn read(request: Request, limit: usize) -> Result<Bytes, Refusal> {
    axum::body::to_bytes(request.into_body(), limit).await.map_err(|error| {
        let too_long = std::error::Error::source(&error)
            .is_some_and(|source| source.to_string().contains("length limit"));
        if too_long { too_large(limit) } else { Refusal::bad_request("the request ended too early") }
    })
}

/// Parameters of the query string.
pub struct QueryParams<T>(pub T);

impl<T: DeserializeOwned> FromRequestParts<ServerState> for QueryParams<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, app: &ServerState) -> Result<Self, Refusal> {
        let Query(value) = Query::<T>::from_request_parts(parts, app)
            .await
            .map_err(|error| Refusal::bad_request(error.body_text()))?;
        Ok(QueryParams(value))
    }
}

/// Parameters of the path. A value that cannot be parsed is reported as not found.
pub struct PathParams<T>(pub T);

impl<T: DeserializeOwned + Send> FromRequestParts<ServerState> for PathParams<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, app: &ServerState) -> Result<Self, Refusal> {
        let Path(value) =
            Path::<T>::from_request_parts(parts, app).await.map_err(|_| Refusal::not_found("thing here"))?;
        Ok(PathParams(value))
    }
}

impl FromRequestParts<ServerState> for Caller {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &ServerState) -> Result<Self, Refusal> {
        let unknown = || Refusal::new(ErrorCode::Unauthorized, "sign in first");
        parts.extensions.get::<Caller>().cloned().ok_or_else(unknown)
    }
}
