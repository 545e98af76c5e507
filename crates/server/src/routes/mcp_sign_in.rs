//! Signing in to MCP servers that require it.

use axum::extract::{Query, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, HOST, ORIGIN};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use protocol::{McpServerList, McpSignInStart};
use serde::Deserialize;

use super::mcp::list;
use utoipa::IntoParams;

use crate::error::HandlerResult;
use crate::headers::{self, Nonce};
use crate::input::PathParams;
use crate::lan::RequestTransport;
use crate::output::Json;
use crate::route::{Access, Route, delete, get, post};
use crate::state::ServerState;

/// The redirect path. It is registered with the other server, and it is in the guide.
const REDIRECT_PATH: &str = "/api/mcp/signed-in";

pub fn routes() -> Vec<Route> {
    vec![
        post(
            "/api/mcp/servers/{name}/sign-in",
            Access::Owner,
            "Starts a sign-in to a server and returns the page to open in a browser.",
            begin,
        )
        .gives::<McpSignInStart>(),
        delete("/api/mcp/servers/{name}/sign-in", Access::Owner, "Signs out of a server.", sign_out)
            .gives::<McpServerList>(),
        // A browser redirected from another site sends no cookie. The random `state` of this sign-in authenticates it
        // instead.
        get(
            REDIRECT_PATH,
            Access::Public,
            "The page to which a browser returns after signing in to a server.",
            end,
        )
        .asks::<RedirectQuery>()
        .gives_file(&["text/html"]),
    ]
}

async fn begin(
    State(app): State<ServerState>,
    PathParams(name): PathParams<String>,
    lane: RequestTransport,
    headers: HeaderMap,
) -> HandlerResult<Json<McpSignInStart>> {
    // Both headers were validated before: they name this server, by a name that the client can reach.
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let here = match text(ORIGIN) {
        Some(origin) => origin.to_owned(),
        None => format!("{}{}", lane.scheme(), text(HOST).unwrap_or_default()),
    };
    let url = app.mcp.servers.sign_in(&name, &format!("{here}{REDIRECT_PATH}")).await?;
    Ok(Json(McpSignInStart { url }))
}

async fn sign_out(
    State(app): State<ServerState>,
    PathParams(name): PathParams<String>,
) -> HandlerResult<Json<McpServerList>> {
    app.mcp.servers.sign_out(&name).await?;
    list(State(app)).await
}

/// The query parameters of the redirect.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct RedirectQuery {
    state: Option<String>,
    code: Option<String>,
    iss: Option<String>,
    error: Option<String>,
    error_description: Option<String>,
}

async fn end(State(app): State<ServerState>, Query(brought): Query<RedirectQuery>) -> Response {
    let RedirectQuery { state, code, iss, error, error_description } = brought;
    if let Some(error) = error {
        let why = error_description.unwrap_or(error);
        return page(StatusCode::OK, "You are not signed in", &format!("The server says: {why}"));
    }
    let (Some(state), Some(code)) = (state, code) else {
        return page(StatusCode::OK, "There is nothing here", "A sign-in to a server ends on this page.");
    };
    match app.mcp.servers.finish_sign_in(&state, &code, iss.as_deref()).await {
        Ok(server) => page(
            StatusCode::OK,
            "You are signed in",
            &format!("Luna can use {server} from now on. You can close this tab."),
        ),
        Err(error) => {
            let why = format!("The sign-in failed: {error}. Start again on the Servers page.");
            page(StatusCode::BAD_REQUEST, "You are not signed in", &why)
        }
    }
}

fn page(status: StatusCode, title: &str, words: &str) -> Response {
    let nonce = Nonce::random();
    let html = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>{title}</title>\
         <meta name=\"viewport\" content=\"width=device-width\"><meta name=\"color-scheme\" content=\"dark light\">\
         <style nonce=\"{nonce}\">body{{font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:20vh auto;padding:0 1.5rem;\
         background:light-dark(#f6f5f1,#0d1017);color:light-dark(#1c1f26,#e8e6df)}}h1{{font-size:1.6rem;font-weight:500}}\
         a{{color:inherit}}</style><main><h1>{title}</h1><p>{words}</p>\
         <p><a href=\"/#/servers\">Open Perigee</a></p></main></html>",
        nonce = nonce.as_str(),
        words = escaped(words),
    );
    let heads = [(CONTENT_TYPE, "text/html; charset=utf-8"), (CACHE_CONTROL, "no-store")];
    let mut response = (status, heads, html).into_response();
    headers::set_policy(response.headers_mut(), Some(&nonce));
    response
}

/// Escapes text for HTML. Parts of it come from other servers.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
