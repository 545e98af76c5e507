use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

use crate::{TokenId, UserId};

/// `POST /api/auth/login`: the API token, or a one-time code of `perigee open`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
#[ts(optional_fields)]
pub struct LoginRequest {
    #[serde(default)]
    pub token: Option<String>,
    #[serde(default)]
    pub code: Option<String>,
}

/// `GET /api/auth/status`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuthStatus {
    /// Always true: there is no way to switch it off.
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

/// A code for one login, to be put into the URL's fragment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OpenCode {
    pub code: String,
    pub seconds: u32,
}

/// What a token may do. `all` is the owner's; the others are lesser.
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
    /// For another person than the owner.
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

/// The one time that a token's secret is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TokenSecret {
    pub token: TokenInfo,
    pub secret: String,
}

/// A browser that is signed in.
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
