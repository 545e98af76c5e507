//! Routes for the companion's body, animations and background.

use std::sync::Arc;

use avatar::{AssetError, AvatarAssets, BuiltinFile, ChoiceError};
use axum::body::Body as HttpBody;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use protocol::{
    AnimationList, AssetKind, BackgroundChoice, BackgroundList, BodyChoice, BodyReport, ErrorCode, Push,
    Scope,
};
use serde::Deserialize;
use utoipa::IntoParams;

use super::config::fault;
use crate::auth::Caller;
use crate::error::{HandlerResult, Refusal};
use crate::input::{JsonBody, PathParams, QueryParams, RawBody};
use crate::output::{Json, read_piece_by_piece};
use crate::route::{Access, Route, delete, get, post, put};
use crate::state::ServerState;

/// The file size limit. Bodies made by artists can take up a hundred megabytes.
const LARGEST_FILE: usize = 192 * 1024 * 1024;
const VRM: &str = "model/gltf-binary";
const CHAT: Access = Access::Scope(Scope::Chat);

/// Bodies, animations and images, each with its own type.
const ANY: &[&str] = &["*/*"];

pub fn routes() -> Vec<Route> {
    vec![
        get("/avatar.vrm", CHAT, "The current body as a VRM file.", avatar)
            .asks::<Version>()
            .gives_file(ANY),
        get("/api/body", CHAT, "The current body, and the bodies to choose from.", body).gives::<BodyReport>(),
        put("/api/body", Access::Owner, "Chooses another body or other colours.", wear)
            .takes::<BodyChoice>()
            .gives::<BodyReport>(),
        get("/api/body/palettes/{name}", CHAT, "The built-in body in these colours.", builtin_body)
            .asks::<Version>()
            .gives_file(ANY),
        get("/api/animations", CHAT, "The animations that the body can play.", animations).gives::<AnimationList>(),
        get("/api/animations/{name}", CHAT, "A built-in animation as a VRMA file.", builtin_animation)
            .asks::<Version>()
            .gives_file(ANY),
        post("/api/play/{name}", CHAT, "Plays an animation wherever the body is shown.", play)
            .gives_nothing(),
        get("/api/backgrounds", CHAT, "The current background, and the backgrounds to choose from.", backgrounds)
            .gives::<BackgroundList>(),
        put("/api/backgrounds", Access::Owner, "Chooses another background.", set_background)
            .takes::<BackgroundChoice>()
            .gives::<BackgroundList>(),
        get("/api/assets/{kind}/{name}", CHAT, "A file in the `assets` folder.", asset).asks::<Version>().gives_file(ANY),
        put(
            "/api/assets/{kind}/{name}",
            Access::Owner,
            "Adds or replaces a body, an animation or a picture.",
            put_asset,
        )
        .takes_file(LARGEST_FILE)
        .gives_nothing(),
        delete(
            "/api/assets/{kind}/{name}",
            Access::Owner,
            "Deletes an asset. It can be restored.",
            remove_asset,
        )
        .gives_nothing(),
        post(
            "/api/assets/{kind}/{name}/restore",
            Access::Owner,
            "Restores the asset last deleted or replaced under this name, and swaps it with the present one, if any.",
            restore_asset,
        )
        .gives_nothing(),
    ]
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Version {
    /// The file's version. The URL changes with it.
    v: Option<String>,
}

async fn avatar(
    State(app): State<ServerState>,
    QueryParams(version): QueryParams<Version>,
    headers: HeaderMap,
) -> HandlerResult<Response> {
    in_background(&app, move |assets| {
        Ok(match assets.avatar() {
            Ok(file) => {
                let tag = file.version.clone();
                let length = file.len;
                let sent = move || HttpBody::from_stream(read_piece_by_piece(file.file));
                file_response(&headers, &version, VRM, &tag, Some(length), sent)
            }
            Err(builtin) => builtin_response(&headers, &version, builtin),
        })
    })
    .await
}

async fn builtin_body(
    State(app): State<ServerState>,
    PathParams(name): PathParams<String>,
    QueryParams(version): QueryParams<Version>,
    headers: HeaderMap,
) -> HandlerResult<Response> {
    in_background(&app, move |assets| {
        let builtin = assets.builtin_body(&name).ok_or_else(|| Refusal::not_found("palette"))?;
        Ok(builtin_response(&headers, &version, builtin))
    })
    .await
}

async fn builtin_animation(
    State(app): State<ServerState>,
    PathParams(name): PathParams<String>,
    QueryParams(version): QueryParams<Version>,
    headers: HeaderMap,
) -> HandlerResult<Response> {
    in_background(&app, move |assets| {
        let builtin =
            assets.builtin_animation(&name).ok_or_else(|| Refusal::not_found("built-in animation"))?;
        Ok(builtin_response(&headers, &version, builtin))
    })
    .await
}

async fn asset(
    State(app): State<ServerState>,
    PathParams((kind, name)): PathParams<(AssetKind, String)>,
    QueryParams(version): QueryParams<Version>,
    headers: HeaderMap,
) -> HandlerResult<Response> {
    in_background(&app, move |assets| {
        let file = assets.open(kind, &name).map_err(refusal)?;
        let (tag, length, content_type) = (file.version.clone(), file.len, file.content_type);
        let sent = move || HttpBody::from_stream(read_piece_by_piece(file.file));
        Ok(file_response(&headers, &version, content_type, &tag, Some(length), sent))
    })
    .await
}

async fn body(State(app): State<ServerState>) -> HandlerResult<Json<BodyReport>> {
    in_background(&app, |assets| Ok(Json(assets.body()))).await
}

async fn wear(
    State(app): State<ServerState>,
    JsonBody(choice): JsonBody<BodyChoice>,
) -> HandlerResult<Json<BodyReport>> {
    let report = in_background(&app, move |assets| {
        assets.choose_body(&choice).map_err(choice_refusal)?;
        Ok(Json(assets.body()))
    })
    .await;
    announce_changes(&app).await?;
    report
}

async fn animations(State(app): State<ServerState>) -> HandlerResult<Json<AnimationList>> {
    in_background(&app, |assets| Ok(Json(AnimationList { animations: assets.animations() }))).await
}

async fn play(
    State(app): State<ServerState>,
    caller: Caller,
    PathParams(name): PathParams<String>,
) -> HandlerResult<StatusCode> {
    let found = in_background(&app, move |assets| {
        assets.animation(&name).ok_or_else(|| Refusal::not_found("animation"))
    })
    .await?;
    app.companion.feed().tell(caller.user, Push::Play { animation: found.name });
    Ok(StatusCode::NO_CONTENT)
}

async fn backgrounds(State(app): State<ServerState>) -> HandlerResult<Json<BackgroundList>> {
    in_background(&app, |assets| Ok(Json(assets.backgrounds()))).await
}

async fn set_background(
    State(app): State<ServerState>,
    JsonBody(choice): JsonBody<BackgroundChoice>,
) -> HandlerResult<Json<BackgroundList>> {
    let (list, filename) = in_background(&app, move |assets| {
        let filename = assets.set_background(&choice.filename).map_err(choice_refusal)?;
        Ok((Json(assets.backgrounds()), filename))
    })
    .await?;
    app.companion.feed().tell_all(Push::SetBackground { filename });
    Ok(list)
}

async fn put_asset(
    State(app): State<ServerState>,
    PathParams((kind, name)): PathParams<(AssetKind, String)>,
    RawBody(bytes): RawBody,
) -> HandlerResult<StatusCode> {
    changed(app, move |assets| assets.put(kind, &name, &bytes)).await
}

async fn remove_asset(
    State(app): State<ServerState>,
    PathParams((kind, name)): PathParams<(AssetKind, String)>,
) -> HandlerResult<StatusCode> {
    changed(app, move |assets| assets.remove(kind, &name)).await
}

async fn restore_asset(
    State(app): State<ServerState>,
    PathParams((kind, name)): PathParams<(AssetKind, String)>,
) -> HandlerResult<StatusCode> {
    changed(app, move |assets| assets.restore(kind, &name)).await
}

async fn changed(
    app: ServerState,
    work: impl FnOnce(&AvatarAssets) -> Result<(), AssetError> + Send + 'static,
) -> HandlerResult<StatusCode> {
    in_background(&app, move |assets| work(assets).map_err(refusal)).await?;
    announce_changes(&app).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn announce_changes(app: &ServerState) -> HandlerResult<()> {
    if in_background(app, |assets| Ok(assets.has_changed())).await? {
        app.companion.feed().tell_all(Push::BodyChanged);
    }
    Ok(())
}

/// Runs blocking work on the assets on a separate thread.
async fn in_background<T: Send + 'static>(
    app: &ServerState,
    work: impl FnOnce(&AvatarAssets) -> HandlerResult<T> + Send + 'static,
) -> HandlerResult<T> {
    let assets = Arc::clone(&app.avatar_assets);
    let done = tokio::task::spawn_blocking(move || work(&assets)).await;
    done.unwrap_or_else(|error| Err(Refusal::new(ErrorCode::Internal, error.to_string())))
}

fn builtin_response(headers: &HeaderMap, version: &Version, file: &BuiltinFile) -> Response {
    let length = u64::try_from(file.bytes.len()).ok();
    file_response(headers, version, VRM, &file.version, length, || HttpBody::from(file.bytes.clone()))
}

fn file_response(
    headers: &HeaderMap,
    version: &Version,
    content_type: &'static str,
    tag: &str,
    length: Option<u64>,
    sent: impl FnOnce() -> HttpBody,
) -> Response {
    let tag = format!("\"{tag}\"");
    let known = headers.get(IF_NONE_MATCH).is_some_and(|value| value.as_bytes() == tag.as_bytes());
    let mut response = if known { StatusCode::NOT_MODIFIED.into_response() } else { sent().into_response() };
    let answer = response.headers_mut();
    // A URL with a version never changes its content, so the response can be cached indefinitely.
    let keep = if version.v.is_some() { "private, max-age=31536000, immutable" } else { "private, no-cache" };
    answer.insert(CACHE_CONTROL, HeaderValue::from_static(keep));
    answer.insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    if let (Some(length), false) = (length, known) {
        answer.insert(CONTENT_LENGTH, length.into());
    }
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        answer.insert(ETAG, tag);
    }
    response
}

/// Maps a failed choice to a refusal: the asset does not exist, or the choice cannot be saved.
#[allow(clippy::needless_pass_by_value, reason = "the signature that `map_err` needs")]
fn choice_refusal(error: ChoiceError) -> Refusal {
    let code = match &error {
        ChoiceError::Unknown(_) => ErrorCode::BadRequest,
        ChoiceError::Setting(error) => fault(error),
    };
    Refusal::new(code, error.to_string())
}

#[allow(clippy::needless_pass_by_value, reason = "the signature that `map_err` needs")]
fn refusal(error: AssetError) -> Refusal {
    let code = match error {
        AssetError::BadName(..) | AssetError::WrongKind(..) => ErrorCode::BadRequest,
        AssetError::Missing(_) => ErrorCode::NotFound,
        AssetError::Root(_) | AssetError::File(_) => ErrorCode::Internal,
    };
    Refusal::new(code, error.to_string())
}

#[cfg(test)]
mod tests {
    use std::io::{Error, ErrorKind};

    use ::config::SetError;
    use host::FileError;

    use super::*;

    #[test]
    fn what_cannot_be_kept_on_a_full_disk_is_not_the_callers_fault() {
        let full = || FileError::new("write", "/config.toml", Error::from(ErrorKind::StorageFull));
        for (error, expected) in [
            (ChoiceError::Setting(SetError::File(full())), ErrorCode::Internal),
            (ChoiceError::Unknown("there is no body bob.vrm".into()), ErrorCode::BadRequest),
        ] {
            assert_eq!(choice_refusal(error).code, expected);
        }
        assert_eq!(refusal(AssetError::File(full())).code, ErrorCode::Internal);
    }
}
