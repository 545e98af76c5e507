use axum::extract::{Request, State};
use axum::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_MAX_AGE, ORIGIN, VARY,
};
use axum::http::{HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::state::ServerState;

/// Adds CORS headers for the origins in `server.allowed_origins`. Their pages authenticate with a token, since cookies
/// are never sent across origins here. Without that setting no headers are added, and browsers block all other pages.
pub async fn allow(State(app): State<ServerState>, request: Request, next: Next) -> Response {
    let origin = request.headers().get(ORIGIN).cloned();
    let allowed = origin.filter(|origin| origin.to_str().is_ok_and(|origin| app.is_allowed_origin(origin)));
    let Some(origin) = allowed else { return next.run(request).await };
    let is_preflight = request.method() == Method::OPTIONS;
    let mut response =
        if is_preflight { StatusCode::NO_CONTENT.into_response() } else { next.run(request).await };
    let headers = response.headers_mut();
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.append(VARY, HeaderValue::from_static("origin"));
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static("cross-origin"));
    if is_preflight {
        let values = [
            (ACCESS_CONTROL_ALLOW_METHODS, "GET, POST, PUT, PATCH, DELETE"),
            (ACCESS_CONTROL_ALLOW_HEADERS, "authorization, content-type, last-event-id"),
            (ACCESS_CONTROL_MAX_AGE, "600"),
        ];
        for (name, value) in values {
            headers.insert(name, HeaderValue::from_static(value));
        }
    }
    response
}
