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
use crate::door::{Access, Door, delete, get, post, put};
use crate::error::{Answer, Refusal};
use crate::input::{Body, FromPath, Params, Raw};
use crate::output::{Json, read_piece_by_piece};
use crate::state::ServerState;

/// The file size limit. Bodies made by artists can have a hundred megabytes.
const LARGEST_FILE: usize = 192 * 1024 * 1024;
const VRM: &str = "model/gltf-binary";
const CHAT: Access = Access::Scope(Scope::Chat);

/// Bodies, animations and images, each with its own type.
const ANY: &[&str] = &["*/*"];

pub fn doors() -> Vec<Door> {
    vec![
        get("/avatar.vrm", CHAT, "The body that she wears.", avatar)
            .asks::<Version>()
            .gives_file(ANY),
        get("/api/body", CHAT, "Which body she wears, and which she could.", body).gives::<BodyReport>(),
        put("/api/body", Access::Owner, "Has her wear another body, or other colours.", wear)
            .takes::<BodyChoice>()
            .gives::<BodyReport>(),
        get("/api/body/palettes/{name}", CHAT, "Her own body in these colours.", builtin_body)
            .asks::<Version>()
            .gives_file(ANY),
        get("/api/animations", CHAT, "What her body can play.", animations).gives::<AnimationList>(),
        get("/api/animations/{name}", CHAT, "One of her own animations, as a VRMA file.", builtin_animation)
            .asks::<Version>()
            .gives_file(ANY),
        post("/api/play/{name}", CHAT, "Has her body play an animation, wherever it is shown.", play)
            .gives_nothing(),
        get("/api/backgrounds", CHAT, "What can stand behind her, and what does.", backgrounds)
            .gives::<BackgroundList>(),
        put("/api/backgrounds", Access::Owner, "Puts something else behind her.", set_background)
            .takes::<BackgroundChoice>()
            .gives::<BackgroundList>(),
        get("/api/assets/{kind}/{name}", CHAT, "A file of `assets`.", asset).asks::<Version>().gives_file(ANY),
        put(
            "/api/assets/{kind}/{name}",
            Access::Owner,
            "Puts a body, an animation or a picture there.",
            put_asset,
        )
        .takes_file(LARGEST_FILE)
        .gives_nothing(),
        delete(
            "/api/assets/{kind}/{name}",
            Access::Owner,
            "Takes it away; it can be brought back.",
            remove_asset,
        )
        .gives_nothing(),
        post(
            "/api/assets/{kind}/{name}/restore",
            Access::Owner,
            "Brings back what was taken away or replaced last under this name. What has its place changes places with it.",
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
    Params(version): Params<Version>,
    headers: HeaderMap,
) -> Answer<Response> {
    beside(&app, move |assets| {
        Ok(match assets.avatar() {
            Ok(file) => {
                let tag = file.version.clone();
                let length = file.len;
                let sent = move || HttpBody::from_stream(read_piece_by_piece(file.file));
                sendable(&headers, &version, VRM, &tag, Some(length), sent)
            }
            Err(builtin) => sendable_builtin(&headers, &version, builtin),
        })
    })
    .await
}

async fn builtin_body(
    State(app): State<ServerState>,
    FromPath(name): FromPath<String>,
    Params(version): Params<Version>,
    headers: HeaderMap,
) -> Answer<Response> {
    beside(&app, move |assets| {
        let builtin = assets.builtin_body(&name).ok_or_else(|| Refusal::not_found("palette"))?;
        Ok(sendable_builtin(&headers, &version, builtin))
    })
    .await
}

async fn builtin_animation(
    State(app): State<ServerState>,
    FromPath(name): FromPath<String>,
    Params(version): Params<Version>,
    headers: HeaderMap,
) -> Answer<Response> {
    beside(&app, move |assets| {
        let builtin =
            assets.builtin_animation(&name).ok_or_else(|| Refusal::not_found("animation of her own"))?;
        Ok(sendable_builtin(&headers, &version, builtin))
    })
    .await
}

async fn asset(
    State(app): State<ServerState>,
    FromPath((kind, name)): FromPath<(AssetKind, String)>,
    Params(version): Params<Version>,
    headers: HeaderMap,
) -> Answer<Response> {
    beside(&app, move |assets| {
        let file = assets.open(kind, &name).map_err(refusal)?;
        let (tag, length, content_type) = (file.version.clone(), file.len, file.content_type);
        let sent = move || HttpBody::from_stream(read_piece_by_piece(file.file));
        Ok(sendable(&headers, &version, content_type, &tag, Some(length), sent))
    })
    .await
}

async fn body(State(app): State<ServerState>) -> Answer<Json<BodyReport>> {
    beside(&app, |assets| Ok(Json(assets.body()))).await
}

async fn wear(State(app): State<ServerState>, Body(choice): Body<BodyChoice>) -> Answer<Json<BodyReport>> {
    let report = beside(&app, move |assets| {
        assets.choose_body(&choice).map_err(untaken)?;
        Ok(Json(assets.body()))
    })
    .await;
    tell_changes(&app).await?;
    report
}

async fn animations(State(app): State<ServerState>) -> Answer<Json<AnimationList>> {
    beside(&app, |assets| Ok(Json(AnimationList { animations: assets.animations() }))).await
}

async fn play(
    State(app): State<ServerState>,
    caller: Caller,
    FromPath(name): FromPath<String>,
) -> Answer<StatusCode> {
    let found =
        beside(&app, move |assets| assets.animation(&name).ok_or_else(|| Refusal::not_found("animation")))
            .await?;
    app.companion.feed().tell(caller.user, Push::Play { animation: found.name });
    Ok(StatusCode::NO_CONTENT)
}

async fn backgrounds(State(app): State<ServerState>) -> Answer<Json<BackgroundList>> {
    beside(&app, |assets| Ok(Json(assets.backgrounds()))).await
}

async fn set_background(
    State(app): State<ServerState>,
    Body(choice): Body<BackgroundChoice>,
) -> Answer<Json<BackgroundList>> {
    let (list, filename) = beside(&app, move |assets| {
        let filename = assets.set_background(&choice.filename).map_err(untaken)?;
        Ok((Json(assets.backgrounds()), filename))
    })
    .await?;
    app.companion.feed().tell_all(Push::SetBackground { filename });
    Ok(list)
}

async fn put_asset(
    State(app): State<ServerState>,
    FromPath((kind, name)): FromPath<(AssetKind, String)>,
    Raw(bytes): Raw,
) -> Answer<StatusCode> {
    changed(app, move |assets| assets.put(kind, &name, &bytes)).await
}

async fn remove_asset(
    State(app): State<ServerState>,
    FromPath((kind, name)): FromPath<(AssetKind, String)>,
) -> Answer<StatusCode> {
    changed(app, move |assets| assets.remove(kind, &name)).await
}

async fn restore_asset(
    State(app): State<ServerState>,
    FromPath((kind, name)): FromPath<(AssetKind, String)>,
) -> Answer<StatusCode> {
    changed(app, move |assets| assets.restore(kind, &name)).await
}

async fn changed(
    app: ServerState,
    work: impl FnOnce(&AvatarAssets) -> Result<(), AssetError> + Send + 'static,
) -> Answer<StatusCode> {
    beside(&app, move |assets| work(assets).map_err(refusal)).await?;
    tell_changes(&app).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn tell_changes(app: &ServerState) -> Answer<()> {
    if beside(app, |assets| Ok(assets.has_changed())).await? {
        app.companion.feed().tell_all(Push::BodyChanged);
    }
    Ok(())
}

/// Runs blocking work on the assets on a separate thread.
async fn beside<T: Send + 'static>(
    app: &ServerState,
    work: impl FnOnce(&AvatarAssets) -> Answer<T> + Send + 'static,
) -> Answer<T> {
    let assets = Arc::clone(&app.avatar_assets);
    let done = tokio::task::spawn_blocking(move || work(&assets)).await;
    done.unwrap_or_else(|error| Err(Refusal::new(ErrorCode::Internal, error.to_string())))
}

fn sendable_builtin(headers: &HeaderMap, version: &Version, file: &BuiltinFile) -> Response {
    let length = u64::try_from(file.bytes.len()).ok();
    sendable(headers, version, VRM, &file.version, length, || HttpBody::from(file.bytes.clone()))
}

fn sendable(
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

/// Maps a failed choice: the asset does not exist, or the choice cannot be saved.
#[allow(clippy::needless_pass_by_value, reason = "it is what `map_err` gives")]
fn untaken(error: ChoiceError) -> Refusal {
    let code = match &error {
        ChoiceError::Unknown(_) => ErrorCode::BadRequest,
        ChoiceError::Setting(error) => fault(error),
    };
    Refusal::new(code, error.to_string())
}

#[allow(clippy::needless_pass_by_value, reason = "it is what `map_err` gives")]
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
            assert_eq!(untaken(error).code, expected);
        }
        assert_eq!(refusal(AssetError::File(full())).code, ErrorCode::Internal);
    }
}
