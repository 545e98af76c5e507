use axum::extract::State;
use axum::http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY,
};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use protocol::ErrorCode;
use rust_embed::{EmbeddedFile, RustEmbed};

use crate::connections::Peer;
use crate::error::Refusal;
use crate::guard;
use crate::headers::{self, Nonce};
use crate::lan::RequestTransport;
use crate::state::ServerState;

/// The output of `npm run build`, with compressed copies of the larger files.
#[derive(RustEmbed)]
#[folder = "../../web/dist"]
#[allow_missing = true]
struct Files;

const PAGE: &str = "index.html";
/// Path prefixes of the API. Unauthenticated clients do not learn which paths exist.
const API_PREFIXES: [&str; 4] = ["/api", "/v1", "/ws", "/metrics"];
const ASSETS: &str = "/assets";

/// Returns true if the web app is embedded in this binary.
pub fn has_web_app() -> bool {
    Files::get(PAGE).is_some()
}

/// Serves static files, and the page for every other path, because the app does its own routing.
pub async fn serve(
    State(app): State<ServerState>,
    lane: RequestTransport,
    peer: Peer,
    method: Method,
    uri: Uri,
    request: HeaderMap,
) -> Response {
    let path = uri.path();
    if API_PREFIXES.iter().any(|prefix| is_below(path, prefix)) {
        let refusal = match app.auth.caller(lane, peer, &request).await {
            Ok(None) => guard::sign_in_first(),
            Ok(Some(_)) => nothing_at(path),
            Err(refusal) => refusal,
        };
        return if is_below(path, "/v1") { refusal.for_openai() } else { refusal.into_response() };
    }
    if is_below(path, ASSETS) && Files::get(path.trim_start_matches('/')).is_none() {
        return nothing_at(path).into_response();
    }
    if !matches!(method, Method::GET | Method::HEAD) {
        return Refusal::new(ErrorCode::MethodNotAllowed, "this address is read-only").into_response();
    }
    let name = path.trim_start_matches('/');
    match Files::get(name).filter(|_| !name.is_empty() && name != PAGE) {
        Some(file) => asset(name, &file, &request),
        None => page(),
    }
}

fn is_below(path: &str, prefix: &str) -> bool {
    path.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn nothing_at(path: &str) -> Refusal {
    Refusal::new(ErrorCode::NotFound, format!("there is nothing at {path}"))
}

/// The response for a known path with the wrong method.
pub async fn wrong_method(method: Method, uri: Uri) -> Response {
    let message = format!("{} cannot be used with {method}", uri.path());
    Refusal::new(ErrorCode::MethodNotAllowed, message).into_response()
}

fn page() -> Response {
    let Some(file) = Files::get(PAGE) else {
        let text = "The web app is not part of this build. Run `cargo xtask run`, which builds it.\n";
        return (StatusCode::SERVICE_UNAVAILABLE, text).into_response();
    };
    let nonce = Nonce::random();
    let html = String::from_utf8_lossy(&file.data).replace("__CSP_NONCE__", nonce.as_str());
    let mut response =
        ([(CONTENT_TYPE, "text/html; charset=utf-8"), (CACHE_CONTROL, "no-store")], html).into_response();
    headers::set_policy(response.headers_mut(), Some(&nonce));
    response
}

fn asset(name: &str, file: &EmbeddedFile, request: &HeaderMap) -> Response {
    let tag = format!("\"{}\"", host::hex(&file.metadata.sha256_hash()[..12]));
    let known = request.get(IF_NONE_MATCH).is_some_and(|value| value.as_bytes() == tag.as_bytes());
    let accepted = request.get(ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let packed = [("br", "br"), ("gzip", "gz")].into_iter().find_map(|(encoding, extension)| {
        let wanted = accepted.split(',').any(|offer| offer.trim().split(';').next() == Some(encoding));
        let file = wanted.then(|| Files::get(&format!("{name}.{extension}"))).flatten()?;
        Some((encoding, file.data))
    });
    // Files under assets/ have a content hash in their names and never change.
    let caching =
        if name.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
    let mut response = match (known, packed) {
        (true, _) => StatusCode::NOT_MODIFIED.into_response(),
        (false, Some((encoding, data))) => {
            ([(CONTENT_ENCODING, encoding)], data.into_owned()).into_response()
        }
        (false, None) => file.data.to_vec().into_response(),
    };
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(mime(name)));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static(caching));
    headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        headers.insert(ETAG, tag);
    }
    response
}

fn mime(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("json" | "map") => "application/json",
        Some("webmanifest") => "application/manifest+json",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("ico") => "image/x-icon",
        Some("webp") => "image/webp",
        Some("woff2") => "font/woff2",
        Some("wasm") => "application/wasm",
        Some("txt") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
