use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use protocol::Scope;
use serde_json::Value;

use crate::auth::Caller;
use crate::error::{HandlerResult, Refusal};
use crate::input::PathParams;
use crate::route::{Access, Route, get};
use crate::state::ServerState;

/// The content security policy of a page that the companion wrote: it may run its own script in an isolated origin, and
/// load nothing. It can still leak data over the network (by looking up names), which is why the permission gate treats
/// it as sending data out.
const POLICY: &str = "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; \
                      img-src data:; frame-ancestors 'self'";

pub fn routes() -> Vec<Route> {
    vec![
        get(
            "/frame/{id}",
            Access::Scope(Scope::Chat),
            "A small page that the companion wrote, sandboxed.",
            frame,
        )
        .gives_file(&["text/html"]),
    ]
}

async fn frame(
    State(app): State<ServerState>,
    caller: Caller,
    PathParams(id): PathParams<String>,
) -> HandlerResult<Response> {
    let act = app.store.act(caller.user, &id).await?;
    let payload = act.command.map(|command| command.payload).unwrap_or_default();
    let page = page(&payload).ok_or_else(|| Refusal::not_found("page"))?;
    let mut response = page.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}

fn page(payload: &Value) -> Option<String> {
    if payload["type"] != "interactive" {
        return None;
    }
    let part = |name: &str| payload["data"][name].as_str().unwrap_or_default();
    match &payload["data"] {
        Value::String(html) => Some(html.clone()),
        Value::Object(_) => Some(format!(
            "<!doctype html><meta charset=\"utf-8\"><style>{}</style>{}<script>{}</script>",
            part("css"),
            part("html"),
            part("js")
        )),
        _ => None,
    }
}
