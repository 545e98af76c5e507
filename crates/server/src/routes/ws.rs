use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade};
use axum::extract::{FromRequestParts as _, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse as _, Response};
use companion::NumberedPush;
use protocol::{ClientMessage, ErrorCode, Push, Scope};
use serde::Deserialize;
use serde_json::Value;
use tokio::time::{MissedTickBehavior, interval, timeout};
use utoipa::IntoParams;

use crate::auth::Caller;
use crate::error::{HandlerResult, Refusal};
use crate::input::QueryParams;
use crate::route::{Access, RefusalFormat, Route, get};
use crate::state::ServerState;

/// The maximum size of a client message, far above any message in use.
const LARGEST_MESSAGE: usize = 64 * 1024;
const PING_EVERY: Duration = Duration::from_secs(20);
/// A client that does not take its data for this long is disconnected.
const SEND_LIMIT: Duration = Duration::from_secs(10);
const UNAUTHORISED: u16 = 4001;
const GOING_AWAY: u16 = 1001;
const NO_TOKEN_HERE: &str = "a token does not belong in the address";
const SIGN_IN_FIRST: &str = "sign in first";

pub fn routes() -> Vec<Route> {
    let about = "A WebSocket for updates from elsewhere: lists, downloads, and turns in other windows.";
    vec![
        get("/ws", Access::Scope(Scope::Chat), about, connect)
            .asks::<ConnectQuery>()
            .upgrades::<Push>()
            .refusing(RefusalFormat::CloseCode),
    ]
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
struct ConnectQuery {
    last_seq: Option<u64>,
    /// Never accepted, because URLs end up in logs and histories.
    token: Option<String>,
}

async fn connect(
    State(app): State<ServerState>,
    caller: Caller,
    QueryParams(opening): QueryParams<ConnectQuery>,
    upgrade: WebSocketUpgrade,
) -> HandlerResult<Response> {
    let upgrade = upgrade.max_message_size(LARGEST_MESSAGE).max_frame_size(LARGEST_MESSAGE);
    Ok(upgrade.on_upgrade(move |socket| async move {
        if opening.token.is_some() {
            close(socket, UNAUTHORISED, NO_TOKEN_HERE).await;
        } else {
            run_connection(app, caller, opening.last_seq, socket).await;
        }
    }))
}

/// Accepts the connection just to close it with a reason, because a browser cannot read why a connection was refused.
/// This applies to unauthenticated clients, and to those that put a token into the URL, as clients of the original
/// projects do.
pub async fn refuse(mut parts: Parts, refusal: Refusal) -> Response {
    let names_token =
        parts.uri.query().is_some_and(|query| query.split('&').any(|part| part.starts_with("token=")));
    let reason = if names_token { NO_TOKEN_HERE } else { SIGN_IN_FIRST };
    match WebSocketUpgrade::from_request_parts(&mut parts, &()).await {
        Ok(upgrade) if names_token || refusal.code == ErrorCode::Unauthorized => {
            upgrade.on_upgrade(move |socket| close(socket, UNAUTHORISED, reason))
        }
        _ => refusal.into_response(),
    }
}

async fn run_connection(app: ServerState, caller: Caller, last_seq: Option<u64>, mut socket: WebSocket) {
    let feed = app.companion.feed().clone();
    let mut news = feed.subscribe(caller.user, last_seq);
    app.companion.welcome(caller.user);
    let ends = app.ends_with(&caller);
    let mut ping = interval(PING_EVERY);
    ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let client_id = host::hex(&host::random_bytes::<8>());
    let hello = Push::Hello { client_id, version: app.version.into() };
    if !send(&mut socket, &NumberedPush { seq: news.seen(), push: hello }).await {
        return;
    }
    let mut place = app.presence.enter(caller.user);
    let mut last_sent = None;
    loop {
        let speaks = place.speaks();
        if last_sent.replace(speaks) != Some(speaks)
            && !send(&mut socket, &NumberedPush { seq: news.seen(), push: Push::Speaker { speaks } }).await
        {
            return;
        }
        tokio::select! {
            () = place.changed() => {}
            push = news.next() => match push {
                Some(push) if send(&mut socket, &push).await => {}
                _ => return,
            },
            message = socket.recv() => match message {
                None | Some(Err(_) | Ok(Message::Close(_))) => return,
                // Unknown messages are ignored: they may come from a newer or older client.
                Some(Ok(Message::Text(text))) => {
                    if let Ok(ClientMessage::Presence { visible }) = serde_json::from_str(&text) {
                        place.set_visible(visible);
                    }
                }
                Some(Ok(_)) => {}
            },
            _ = ping.tick() => {
                let sent = timeout(SEND_LIMIT, socket.send(Message::Ping(Vec::new().into()))).await;
                if !matches!(sent, Ok(Ok(()))) {
                    return;
                }
            }
            () = ends.any() => return close(socket, GOING_AWAY, "the server closes this connection").await,
        }
    }
}

async fn send(socket: &mut WebSocket, push: &NumberedPush) -> bool {
    let Ok(Value::Object(mut fields)) = serde_json::to_value(&push.push) else { return false };
    fields.insert("seq".into(), push.seq.into());
    let text = Value::Object(fields).to_string();
    matches!(timeout(SEND_LIMIT, socket.send(Message::Text(text.into()))).await, Ok(Ok(())))
}

async fn close(mut socket: WebSocket, code: u16, reason: &'static str) {
    let frame = CloseFrame { code, reason: reason.into() };
    timeout(SEND_LIMIT, socket.send(Message::Close(Some(frame)))).await.ok();
}
