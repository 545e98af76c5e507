use std::path::Path as FilePath;
use std::sync::Arc;

use abilities::online::spotify::{AuthError, Status};
use abilities::online::tiles::TileError;
use axum::extract::{Path, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use protocol::{ErrorCode, Scope, SpotifyCode, SpotifyState, SpotifyStatus, SpotifyUrl};

use crate::auth::Caller;
use crate::door::{Access, Door, delete, get, post};
use crate::error::{Answer, Refusal};
use crate::input::Body;
use crate::output::Json;
use crate::state::App;

const PERSON: Access = Access::Scope(Scope::All);

pub fn doors() -> Vec<Door> {
    let chat = Access::Scope(Scope::Chat);
    vec![
        get(
            "/api/map/tiles/{z}/{x}/{y}",
            chat,
            "A piece of the detailed map, where that is switched on.",
            tile,
        ),
        get("/api/spotify", PERSON, "Whether you are signed in to Spotify.", status).gives::<SpotifyState>(),
        post("/api/spotify/begin", PERSON, "Where to sign in to Spotify.", begin).gives::<SpotifyUrl>(),
        post("/api/spotify/finish", PERSON, "Ends the sign-in with what Spotify sent back.", finish)
            .takes::<SpotifyCode>()
            .gives::<SpotifyState>(),
        delete("/api/spotify", PERSON, "Signs you out of Spotify.", sign_out),
    ]
}

async fn tile(State(app): State<App>, Path((z, x, y)): Path<(u8, u32, u32)>) -> Answer<Response> {
    let tile = app.tiles.get(z, x, y).await.map_err(|error| {
        let code = match error {
            TileError::Off => ErrorCode::Conflict,
            TileError::NoSuchTile => ErrorCode::NotFound,
            TileError::BadAddress | TileError::NotAPicture | TileError::Fetch(_) => {
                ErrorCode::ModelUnreachable
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

async fn status(State(app): State<App>, caller: Caller) -> Answer<Json<SpotifyState>> {
    let folder = folder(&app, &caller).await?;
    let status = match app.spotify.status(&folder) {
        Status::NotSetUp => SpotifyStatus::NotSetUp,
        Status::SignedOut => SpotifyStatus::SignedOut,
        Status::SignedIn => SpotifyStatus::SignedIn,
    };
    Ok(Json(SpotifyState { status, redirect: redirect(&app) }))
}

async fn begin(State(app): State<App>, caller: Caller) -> Answer<Json<SpotifyUrl>> {
    let folder = folder(&app, &caller).await?;
    let begun = app.spotify.begin(&folder, &redirect(&app)).map_err(refusal)?;
    Ok(Json(SpotifyUrl { url: begun.url }))
}

async fn finish(
    State(app): State<App>,
    caller: Caller,
    Body(sent): Body<SpotifyCode>,
) -> Answer<Json<SpotifyState>> {
    let folder = folder(&app, &caller).await?;
    app.spotify.finish(&folder, &sent.state, &sent.code).await.map_err(refusal)?;
    status(State(app), caller).await
}

async fn sign_out(State(app): State<App>, caller: Caller) -> Answer<StatusCode> {
    let folder = folder(&app, &caller).await?;
    app.spotify.sign_out(&folder).await.map_err(refusal)?;
    Ok(StatusCode::NO_CONTENT)
}

async fn folder(app: &App, caller: &Caller) -> Answer<Arc<FilePath>> {
    let user = app.store.user(caller.user).await?;
    Ok(app.companion.hands().folder_of(&user))
}

/// Spotify sends the browser here. It comes from another site, so without a cookie: the page itself, which has
/// one, passes on what it was sent.
fn redirect(app: &App) -> String {
    format!("http://{}/spotify", app.address)
}

#[allow(clippy::needless_pass_by_value, reason = "it is what `map_err` gives")]
fn refusal(error: AuthError) -> Refusal {
    let code = match error {
        AuthError::NotSetUp | AuthError::SignedOut | AuthError::UnknownState => ErrorCode::Conflict,
        AuthError::Refused | AuthError::BadRedirect => ErrorCode::BadRequest,
        AuthError::Unreachable(_) => ErrorCode::ModelUnreachable,
        AuthError::NotKept(_) => ErrorCode::Internal,
    };
    Refusal::new(code, error.to_string())
}
