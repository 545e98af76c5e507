//! Signing in: sessions, tokens and users.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

use crate::{TokenId, UserId};

/// The request body of `POST /api/auth/login`: either the API token, or a one-time code as `perigee open` issues it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
#[ts(optional_fields)]
pub struct LoginRequest {
    #[serde(default)]
    pub token: Option<String>,
    #[serde(default)]
    pub code: Option<String>,
}

/// The response of `GET /api/auth/status` and `POST /api/auth/login`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuthStatus {
    /// Always true, because authentication cannot be switched off.
    pub enabled: bool,
    pub authenticated: bool,
    pub user: Option<User>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct User {
    pub id: UserId,
    pub name: String,
    pub owner: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewUserRequest {
    pub name: String,
}

/// A code that signs in one browser once. It belongs in the fragment of the URL.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OpenCode {
    pub code: String,
    pub seconds: u32,
}

/// A permission of a token. `all` permits everything that the token's user may do; the others permit less.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS, ToSchema)]
pub enum Scope {
    #[serde(rename = "all")]
    All,
    #[serde(rename = "chat")]
    Chat,
    #[serde(rename = "memory.read")]
    MemoryRead,
    #[serde(rename = "memory.write")]
    MemoryWrite,
    #[serde(rename = "voice")]
    Voice,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
#[ts(optional_fields)]
pub struct NewTokenRequest {
    pub name: String,
    pub scopes: Vec<Scope>,
    /// The user that the token is for; the owner if absent.
    #[serde(default)]
    pub user: Option<UserId>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TokenInfo {
    pub id: TokenId,
    pub name: String,
    pub user: UserId,
    pub scopes: Vec<Scope>,
    pub created_at: String,
    pub last_used_at: Option<String>,
}

/// A new token with its secret, which is never shown again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TokenSecret {
    pub token: TokenInfo,
    pub secret: String,
}

/// A signed-in browser.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionInfo {
    pub id: TokenId,
    pub user: UserId,
    pub created_at: String,
    pub last_used_at: String,
    pub agent: String,
    pub current: bool,
}
