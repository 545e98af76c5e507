use axum::extract::{Request, State};
use axum::http::request::Parts;
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use protocol::ErrorCode;

use crate::auth::{AuthMethod, Caller};
use crate::connections::Peer;
use crate::error::Refusal;
use crate::lan::RequestTransport;
use crate::route::{Access, RefusalFormat};
use crate::routes::ws;
use crate::state::ServerState;

/// The header in which a browser states how the requesting page relates to the target of the request.
const SITE: &str = "sec-fetch-site";

/// The requirements of a route for its requests.
#[derive(Debug, Clone, Copy)]
pub struct RouteChecks {
    pub access: Access,
    pub body_limit: usize,
    pub takes_file: bool,
    pub refusing: RefusalFormat,
}

/// Refuses a request for an unknown host name. A web page could point its own domain at this machine (DNS rebinding)
/// and would then share the server's origin.
pub async fn known_host(State(app): State<ServerState>, request: Request, next: Next) -> Response {
    match check_host(&app, &request) {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    }
}

fn check_host(app: &ServerState, request: &Request) -> Result<(), Refusal> {
    let mut hosts = request.headers().get_all(header::HOST).iter();
    let (host, second) = (hosts.next(), hosts.next());
    if second.is_some() {
        return Err(Refusal::bad_request("the request names two hosts instead of one"));
    }
    // The request line may contain a host too. Both must be known, since software may read either.
    let host = host.map(|host| host.to_str().unwrap_or_default());
    let names: Vec<&str> = host.into_iter().chain(request.uri().authority().map(Authority::as_str)).collect();
    let lane = RequestTransport::of(request.extensions());
    if !names.is_empty() && names.iter().all(|name| app.is_known_host(lane, name)) {
        return Ok(());
    }
    Err(Refusal::new(
        ErrorCode::Forbidden,
        "this host name is not known to Perigee. Add it to server.allowed_hosts if it is yours",
    ))
}

/// Checks the caller and the kind of request before the body is read.
pub async fn check(
    State((app, check)): State<(ServerState, RouteChecks)>,
    request: Request,
    next: Next,
) -> Response {
    let (mut parts, body) = request.into_parts();
    match admit(&app, check, &parts).await {
        Ok(caller) => {
            if let Some(caller) = caller {
                parts.extensions.insert(caller);
            }
            parts.extensions.insert(check);
            next.run(Request::from_parts(parts, body)).await
        }
        Err(refusal) => match check.refusing {
            RefusalFormat::Json => refusal.into_response(),
            RefusalFormat::OpenAi => refusal.for_openai(),
            RefusalFormat::CloseCode => ws::refuse(parts, refusal).await,
        },
    }
}

async fn admit(app: &ServerState, check: RouteChecks, request: &Parts) -> Result<Option<Caller>, Refusal> {
    let headers = &request.headers;
    let (lane, peer) = (RequestTransport::of(&request.extensions), Peer::of(&request.extensions));
    let caller = app.auth.caller(lane, peer, headers).await?;
    match (check.access, &caller) {
        (Access::Public, _) | (Access::Token, Some(_)) => {}
        (_, None) => return Err(sign_in_first()),
        (Access::Scope(scope), Some(caller)) if caller.may(scope) => {}
        (Access::Owner, Some(caller)) if caller.owner => {}
        _ => return Err(Refusal::new(ErrorCode::Forbidden, "this token may not do that")),
    }
    let by_browser = caller.as_ref().is_some_and(|caller| matches!(caller.means, AuthMethod::Browser(_)));
    // Cookies ignore ports: a browser sends the session cookie along with requests from pages of other programs on this
    // machine. Such a page cannot read the response, and there is nothing it may request. Redirects after a sign-in
    // elsewhere use public routes.
    if by_browser && check.access != Access::Public && from_another_page(app, lane, headers) {
        return Err(another_page_sent_it());
    }
    let acts = !matches!(request.method, Method::GET | Method::HEAD);
    let upgrades = headers.contains_key(header::UPGRADE);
    let names_origin = headers.contains_key(header::ORIGIN);
    if (acts || upgrades) && (by_browser || names_origin) && !from_our_page(app, lane, headers) {
        return Err(another_page_sent_it());
    }
    if acts {
        check_body(headers, &check, by_browser)?;
    }
    Ok(caller)
}

pub fn another_page_sent_it() -> Refusal {
    Refusal::new(ErrorCode::Forbidden, "the request was refused because another web page sent it")
}

pub fn sign_in_first() -> Refusal {
    Refusal::new(
        ErrorCode::Unauthorized,
        "sign in first: `perigee open` opens the browser signed in, `perigee token` prints the token",
    )
}

/// Returns true if a browser reports that a foreign page sent the request. Reading requests need not carry an origin.
pub fn from_another_page(app: &ServerState, lane: RequestTransport, headers: &HeaderMap) -> bool {
    if headers.contains_key(header::ORIGIN) {
        return !from_our_page(app, lane, headers);
    }
    let site = headers.get(SITE).map(HeaderValue::as_bytes);
    site.is_some_and(|site| site == b"cross-site" || site == b"same-site")
}

/// Returns true if a browser reports that one of the server's own pages sent the request.
fn from_our_page(app: &ServerState, lane: RequestTransport, headers: &HeaderMap) -> bool {
    let text = |name: header::HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    let Some(origin) = text(header::ORIGIN) else { return false };
    if app.is_allowed_origin(origin) {
        return true;
    }
    let ours = text(header::HOST).is_some_and(|host| origin.strip_prefix(lane.scheme()) == Some(host));
    let site = headers.get(SITE).map(HeaderValue::as_bytes);
    ours && site.is_none_or(|site| site == b"same-origin")
}

/// Checks size and content type. A foreign page can send plain forms here, but not these content types.
fn check_body(headers: &HeaderMap, check: &RouteChecks, by_browser: bool) -> Result<(), Refusal> {
    let limit = check.body_limit;
    let length = headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok());
    let length: Option<u64> = length.and_then(|length| length.parse().ok());
    if length.is_some_and(|length| length > limit as u64) {
        return Err(too_large(limit));
    }
    let empty = length == Some(0) || (length.is_none() && !headers.contains_key(header::TRANSFER_ENCODING));
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let essence = kind.split(';').next().unwrap_or_default().trim();
    // A request with a token does not come from a foreign page.
    let is_file = check.takes_file && (!by_browser || !is_plain_form(essence));
    if empty || is_file || essence.eq_ignore_ascii_case("application/json") {
        return Ok(());
    }
    let wanted = if check.takes_file {
        "send the file with the content type application/octet-stream"
    } else {
        "send JSON, with the content type application/json"
    };
    Err(Refusal::new(ErrorCode::UnsupportedMediaType, wanted))
}

/// Returns true for content types that a browser sends for any page without a CORS preflight.
fn is_plain_form(essence: &str) -> bool {
    let plain = ["", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"];
    plain.iter().any(|kind| essence.eq_ignore_ascii_case(kind))
}

pub fn too_large(limit: usize) -> Refusal {
    Refusal::new(ErrorCode::TooLarge, format!("the request is too large: the limit is {} KB", limit / 1024))
}
