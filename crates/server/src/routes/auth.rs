use axum::extract::State;
use axum::http::header::{SET_COOKIE, USER_AGENT};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{AppendHeaders, IntoResponse, Response};
use protocol::{
    AuthStatus, ErrorCode, LoginRequest, NewTokenRequest, NewUserRequest, OpenCode, Scope, SessionInfo,
    TokenId, TokenInfo, TokenSecret, User,
};
use store::{SecretHash, StoreError};

use crate::auth::{AuthMethod, Caller, SignInResult, signed_out};
use crate::connections::Peer;
use crate::error::{HandlerResult, Refusal};
use crate::input::{JsonBody, PathParams};
use crate::lan::RequestTransport;
use crate::output::Json;
use crate::owner_token::RotateError;
use crate::route::{Access, Route, delete, get, post};
use crate::state::ServerState;

pub fn routes() -> Vec<Route> {
    vec![
        post("/api/auth/login", Access::Public, "Signs in a browser with a token or a one-time code.", login)
            .takes::<LoginRequest>()
            .gives::<AuthStatus>(),
        post("/api/auth/logout", Access::Public, "Signs out this browser.", logout).gives_nothing(),
        get("/api/auth/status", Access::Public, "The sign-in state of this browser.", status)
            .gives::<AuthStatus>(),
        get("/api/auth/check", Access::Public, "204 for a valid token or session, 401 otherwise.", check)
            .gives_nothing(),
        post("/api/open", Access::Owner, "Creates a code that signs in one browser.", open)
            .gives::<OpenCode>(),
        get("/api/tokens", Access::Owner, "The limited tokens.", tokens).gives::<Vec<TokenInfo>>(),
        post("/api/tokens", Access::Owner, "Creates a limited token. Its secret is shown once.", new_token)
            .takes::<NewTokenRequest>()
            .gives::<TokenSecret>(),
        delete(
            "/api/tokens/{id}",
            Access::Owner,
            "Revokes a token, signs out the browsers that used it, and closes their connections.",
            remove_token,
        )
        .gives_nothing(),
        post(
            "/api/tokens/rotate",
            Access::Owner,
            "Replaces the owner's token. The old one becomes invalid.",
            rotate,
        )
        .gives::<String>(),
        get("/api/sessions", Access::Owner, "The signed-in browsers of all users.", sessions)
            .gives::<Vec<SessionInfo>>(),
        delete("/api/sessions/{id}", Access::Owner, "Signs out a browser of any user.", remove_session)
            .gives_nothing(),
        get("/api/users", Access::Owner, "The users of this Perigee.", users).gives::<Vec<User>>(),
        post("/api/users", Access::Owner, "Adds a user.", new_user).takes::<NewUserRequest>().gives::<User>(),
    ]
}

async fn login(
    State(app): State<ServerState>,
    lane: RequestTransport,
    peer: Peer,
    headers: HeaderMap,
    JsonBody(request): JsonBody<LoginRequest>,
) -> HandlerResult<Response> {
    let agent = headers.get(USER_AGENT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let agent: String = agent.chars().take(200).collect();
    let (token, code) = (request.token.as_deref(), request.code.as_deref());
    let signed_in = app.auth.sign_in(token, code, &agent, (lane, peer)).await?;
    let Some(SignInResult { user, cookie }) = signed_in else {
        return Err(Refusal::new(
            ErrorCode::Unauthorized,
            "that token or code is not valid (a code works once, within two minutes). `perigee open` creates another",
        ));
    };
    let user = app.store.user(user).await?;
    let status = AuthStatus { enabled: true, authenticated: true, user: Some(user) };
    Ok((AppendHeaders([(SET_COOKIE, cookie)]), Json(status)).into_response())
}

async fn logout(
    State(app): State<ServerState>,
    lane: RequestTransport,
    peer: Peer,
    headers: HeaderMap,
) -> HandlerResult<Response> {
    if let Some(Caller { user, means: AuthMethod::Browser(id), .. }) =
        app.auth.caller(lane, peer, &headers).await?
    {
        app.store.delete_session(user, id).await?;
        app.auth.withdraw(Some(id));
    }
    Ok((AppendHeaders([(SET_COOKIE, signed_out(lane))]), StatusCode::NO_CONTENT).into_response())
}

async fn status(
    State(app): State<ServerState>,
    lane: RequestTransport,
    peer: Peer,
    headers: HeaderMap,
) -> HandlerResult<Json<AuthStatus>> {
    let user = match app.auth.caller(lane, peer, &headers).await? {
        Some(caller) => Some(app.store.user(caller.user).await?),
        None => None,
    };
    Ok(Json(AuthStatus { enabled: true, authenticated: user.is_some(), user }))
}

async fn check(
    State(app): State<ServerState>,
    lane: RequestTransport,
    peer: Peer,
    headers: HeaderMap,
) -> HandlerResult<StatusCode> {
    match app.auth.caller(lane, peer, &headers).await? {
        Some(_) => Ok(StatusCode::NO_CONTENT),
        None => Err(Refusal::new(ErrorCode::Unauthorized, "sign in first")),
    }
}

async fn open(State(app): State<ServerState>) -> Json<OpenCode> {
    let (code, life) = app.auth.make_code();
    let seconds = u32::try_from(life.as_secs()).unwrap_or(u32::MAX);
    Json(OpenCode { code: code.expose().to_owned(), seconds })
}

async fn tokens(State(app): State<ServerState>, caller: Caller) -> HandlerResult<Json<Vec<TokenInfo>>> {
    let mut all = app.store.tokens(caller.user).await?;
    for user in app.store.users().await?.into_iter().filter(|user| user.id != caller.user) {
        all.extend(app.store.tokens(user.id).await?);
    }
    Ok(Json(all))
}

async fn new_token(
    State(app): State<ServerState>,
    caller: Caller,
    JsonBody(request): JsonBody<NewTokenRequest>,
) -> HandlerResult<Json<TokenSecret>> {
    let user = request.user.unwrap_or(caller.user);
    if request.scopes.is_empty() {
        return Err(Refusal::bad_request(
            "name at least one scope: chat, memory.read, memory.write or voice",
        ));
    }
    if user == caller.user && request.scopes.contains(&Scope::All) {
        return Err(Refusal::bad_request("the owner has one token for everything: `perigee token`"));
    }
    let secret = host::Secret::random();
    let hash = SecretHash::of(secret.expose());
    let token = app.store.create_token(user, &request.name, hash, request.scopes).await?;
    Ok(Json(TokenSecret { token, secret: secret.expose().to_owned() }))
}

async fn remove_token(
    State(app): State<ServerState>,
    PathParams(id): PathParams<TokenId>,
) -> HandlerResult<StatusCode> {
    for user in app.store.users().await? {
        if let Some(sessions) = if_found(app.store.delete_token(user.id, id).await)? {
            std::iter::once(id).chain(sessions).for_each(|id| app.auth.withdraw(Some(id)));
            return Ok(StatusCode::NO_CONTENT);
        }
    }
    Err(Refusal::not_found("token"))
}

async fn rotate(State(app): State<ServerState>) -> HandlerResult<Json<String>> {
    let token = app.auth.rotate().map_err(|error| {
        let code = match error {
            RotateError::Configured => ErrorCode::Conflict,
            RotateError::Failed(_) => ErrorCode::Internal,
        };
        Refusal::new(code, error.to_string())
    })?;
    Ok(Json(token.expose().to_owned()))
}

async fn sessions(State(app): State<ServerState>, caller: Caller) -> HandlerResult<Json<Vec<SessionInfo>>> {
    let mut all = Vec::new();
    for user in app.store.users().await? {
        all.extend(app.store.sessions(user.id).await?);
    }
    for session in &mut all {
        session.current = caller.means == AuthMethod::Browser(session.id);
    }
    Ok(Json(all))
}

async fn remove_session(
    State(app): State<ServerState>,
    PathParams(id): PathParams<TokenId>,
) -> HandlerResult<StatusCode> {
    for user in app.store.users().await? {
        if if_found(app.store.delete_session(user.id, id).await)?.is_some() {
            app.auth.withdraw(Some(id));
            return Ok(StatusCode::NO_CONTENT);
        }
    }
    Err(Refusal::not_found("session"))
}

/// Turns "not found" into `None`, because the session may belong to the next user.
fn if_found<T>(outcome: Result<T, StoreError>) -> Result<Option<T>, StoreError> {
    match outcome {
        Ok(found) => Ok(Some(found)),
        Err(StoreError::NotFound(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

async fn users(State(app): State<ServerState>) -> HandlerResult<Json<Vec<User>>> {
    Ok(Json(app.store.users().await?))
}

async fn new_user(
    State(app): State<ServerState>,
    JsonBody(request): JsonBody<NewUserRequest>,
) -> HandlerResult<Json<User>> {
    Ok(Json(app.store.create_user(request.name.trim()).await?))
}

#[cfg(test)]
mod tests {
    use store::ObjectKind;

    use super::*;

    #[test]
    fn only_what_is_not_there_is_not_found() {
        assert_eq!(if_found(Ok(1)), Ok(Some(1)));
        assert_eq!(if_found::<()>(Err(StoreError::NotFound(ObjectKind::Token))), Ok(None));
        assert_eq!(if_found::<()>(Err(StoreError::DiskFull)), Err(StoreError::DiskFull));
    }
}
