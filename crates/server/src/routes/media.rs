use std::net::SocketAddr;
use std::path::Path as FilePath;
use std::sync::Arc;

use abilities::online::spotify::{SignInStatus, SpotifyAuthError};
use abilities::online::tiles::TileError;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use protocol::{ErrorCode, Scope, SpotifyCode, SpotifyState, SpotifyStatus, SpotifyUrl};

use crate::auth::Caller;
use crate::error::{HandlerResult, Refusal};
use crate::input::{JsonBody, PathParams};
use crate::output::Json;
use crate::route::{Access, Route, delete, get, post};
use crate::state::ServerState;

const PERSON: Access = Access::Scope(Scope::All);

pub fn routes() -> Vec<Route> {
    let chat = Access::Scope(Scope::Chat);
    vec![
        get("/api/map/tiles/{z}/{x}/{y}", chat, "A tile of the detailed map, if that is switched on.", tile)
            .gives_file(&["image/png", "image/jpeg", "image/webp"]),
        get("/api/spotify", PERSON, "The state of the Spotify sign-in.", status).gives::<SpotifyState>(),
        post("/api/spotify/begin", PERSON, "Starts a Spotify sign-in and returns the page to open.", begin)
            .gives::<SpotifyUrl>(),
        post("/api/spotify/finish", PERSON, "Completes the sign-in with the response from Spotify.", finish)
            .takes::<SpotifyCode>()
            .gives::<SpotifyState>(),
        delete("/api/spotify", PERSON, "Signs you out of Spotify.", sign_out).gives_nothing(),
    ]
}

async fn tile(
    State(app): State<ServerState>,
    PathParams((z, x, y)): PathParams<(u8, u32, u32)>,
) -> HandlerResult<Response> {
    let tile = app.tiles.get(z, x, y).await.map_err(|error| {
        let code = match error {
            TileError::Off => ErrorCode::Conflict,
            TileError::NoSuchTile => ErrorCode::NotFound,
            TileError::BadAddress | TileError::NotAPicture | TileError::Fetch(_) => {
                ErrorCode::ServiceUnreachable
            }
        };
        Refusal::new(code, error.to_string())
    })?;
    let mut response = tile.bytes.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(tile.content_type));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, max-age=86400"));
    Ok(response)
}

async fn status(State(app): State<ServerState>, caller: Caller) -> HandlerResult<Json<SpotifyState>> {
    let folder = folder(&app, &caller).await?;
    let status = match app.spotify.status(&folder).await {
        SignInStatus::NotSetUp => SpotifyStatus::NotSetUp,
        SignInStatus::SignedOut => SpotifyStatus::SignedOut,
        SignInStatus::SignedIn => SpotifyStatus::SignedIn,
    };
    Ok(Json(SpotifyState { status, redirect: redirect(&app) }))
}

async fn begin(
    State(app): State<ServerState>,
    caller: Caller,
    headers: HeaderMap,
) -> HandlerResult<Json<SpotifyUrl>> {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    if !is_at(app.address, host) {
        return Err(elsewhere(app.address));
    }
    let folder = folder(&app, &caller).await?;
    let begun = app.spotify.begin(&folder, &redirect(&app)).map_err(refusal)?;
    Ok(Json(SpotifyUrl { url: begun.url }))
}

async fn finish(
    State(app): State<ServerState>,
    caller: Caller,
    JsonBody(sent): JsonBody<SpotifyCode>,
) -> HandlerResult<Json<SpotifyState>> {
    let folder = folder(&app, &caller).await?;
    app.spotify.finish(&folder, &sent.state, &sent.code).await.map_err(refusal)?;
    status(State(app), caller).await
}

async fn sign_out(State(app): State<ServerState>, caller: Caller) -> HandlerResult<StatusCode> {
    let folder = folder(&app, &caller).await?;
    app.spotify.sign_out(&folder).await.map_err(refusal)?;
    Ok(StatusCode::NO_CONTENT)
}

async fn folder(app: &ServerState, caller: &Caller) -> HandlerResult<Arc<FilePath>> {
    let user = app.store.user(caller.user).await?;
    Ok(app.companion.tools().folder_of(&user))
}

/// Returns the URL to which Spotify redirects the browser. A redirect from another site carries no cookie; the page at
/// this URL has one and forwards the parameters.
fn redirect(app: &ServerState) -> String {
    format!("http://{}/spotify", app.address)
}

/// Returns true if a browser that uses this host name will return with its cookie. For another name of this machine it
/// would not send the cookie.
fn is_at(address: SocketAddr, host: &str) -> bool {
    let own = address.to_string();
    // Browsers omit the default port.
    host == own || own.strip_suffix(":80") == Some(host)
}

fn elsewhere(address: SocketAddr) -> Refusal {
    Refusal::new(
        ErrorCode::Conflict,
        format!(
            "Spotify sends you back to http://{address}. Open Perigee at that address, and sign in there."
        ),
    )
}

#[allow(clippy::needless_pass_by_value, reason = "the signature that `map_err` needs")]
fn refusal(error: SpotifyAuthError) -> Refusal {
    let code = match error {
        SpotifyAuthError::NotSetUp | SpotifyAuthError::SignedOut | SpotifyAuthError::UnknownState => {
            ErrorCode::Conflict
        }
        SpotifyAuthError::Refused | SpotifyAuthError::BadRedirect => ErrorCode::BadRequest,
        SpotifyAuthError::Unreachable(_) => ErrorCode::ServiceUnreachable,
        SpotifyAuthError::NotKept(_) => ErrorCode::Internal,
    };
    Refusal::new(code, error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sign_in_begins_where_it_comes_back_to() {
        for (address, host, expected) in [
            ("127.0.0.1:8899", "127.0.0.1:8899", true),
            ("127.0.0.1:8899", "localhost:8899", false),
            ("127.0.0.1:8899", "[::1]:8899", false),
            ("127.0.0.1:8899", "127.0.0.1", false),
            ("127.0.0.1:8899", "perigee.example", false),
            ("127.0.0.1:8899", "", false),
            ("127.0.0.1:80", "127.0.0.1", true),
            ("127.0.0.1:80", "127.0.0.1:80", true),
            ("127.0.0.1:8080", "127.0.0.1:80", false),
            ("[::1]:8899", "[::1]:8899", true),
        ] {
            assert_eq!(is_at(address.parse().unwrap(), host), expected, "{host} at {address}");
        }
        let refusal = elsewhere("127.0.0.1:8899".parse().unwrap());
        assert_eq!(refusal.code, ErrorCode::Conflict);
        assert!(refusal.message.contains("http://127.0.0.1:8899"), "{}", refusal.message);
    }

    #[test]
    fn a_service_that_fails_is_not_taken_for_the_model() {
        let refused = refusal(SpotifyAuthError::Unreachable("Spotify answered with 503.".into()));
        assert_eq!(
            (refused.code, refused.status()),
            (ErrorCode::ServiceUnreachable, StatusCode::BAD_GATEWAY)
        );
    }
}
