//! Signs in to Spotify with an authorization code and PKCE, which needs no client secret.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use host::{Clock, RootDir, Secret};
use jiff::Timestamp;
use reqwest::header::CONTENT_TYPE;
use reqwest::{Method, Url};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::super::service::{ServiceClient, ServiceError, ServiceResponse, with_path};
use crate::CurrentConfig;
use tools::blocking::{Interrupted, in_background};

/// The name of the service in messages.
pub(super) const SERVICE: &str = "Spotify";

const FILE: &str = "spotify.json";
const LARGEST_FILE: u64 = 64 * 1024;
const SCOPES: &str = "user-read-playback-state user-modify-playback-state user-read-currently-playing";
/// The time for a user to sign in.
const SIGN_IN_TIME: Duration = Duration::from_mins(10);
const MOST_PENDING: usize = 32;
/// The time before expiry at which a token is renewed, so that it does not expire in transit.
const RENEW_BEFORE: Duration = Duration::from_mins(1);

/// The page for signing in, and the `state` that the browser returns with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpotifySignIn {
    pub url: String,
    pub state: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignInStatus {
    /// `spotify.client_id` is not set.
    NotSetUp,
    SignedOut,
    SignedIn,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SpotifyAuthError {
    #[error(
        "Spotify is not set up. Put the client id of your Spotify app into the settings as spotify.client_id."
    )]
    NotSetUp,
    #[error("You are not signed in to Spotify. Sign in on the settings page.")]
    SignedOut,
    #[error("That sign-in is not known, or it took longer than ten minutes. Begin again.")]
    UnknownState,
    #[error(
        "Spotify did not accept the sign-in. Begin again, and check the client id and the redirect address."
    )]
    Refused,
    #[error("The address to return to is not valid.")]
    BadRedirect,
    #[error("{0}")]
    Unreachable(String),
    #[error("The sign-in could not be saved: {0}")]
    NotKept(String),
}

impl From<ServiceError> for SpotifyAuthError {
    fn from(error: ServiceError) -> Self {
        SpotifyAuthError::Unreachable(error.to_string())
    }
}

impl From<Interrupted> for SpotifyAuthError {
    fn from(error: Interrupted) -> Self {
        SpotifyAuthError::NotKept(error.to_string())
    }
}

struct Pending {
    state: Secret,
    verifier: Secret,
    folder: PathBuf,
    redirect: String,
    client: String,
    until: Timestamp,
}

struct Tokens {
    client: String,
    access: Secret,
    refresh: Secret,
    until: Timestamp,
}

/// The Spotify sign-ins. Each user's tokens are in their own folder, unreadable to others.
pub struct SpotifyAuth {
    settings: CurrentConfig,
    clock: Arc<dyn Clock>,
    service: ServiceClient,
    accounts: Url,
    pending: Mutex<Vec<Pending>>,
    /// One renewal at a time: Spotify may revoke a refresh token that is used twice.
    renewing: Mutex<HashMap<PathBuf, Arc<tokio::sync::Mutex<()>>>>,
}

impl SpotifyAuth {
    /// Creates the sign-ins. `accounts` is the URL of Spotify's accounts service; see [`ServiceUrls`](super::super::ServiceUrls).
    pub fn new(settings: CurrentConfig, clock: Arc<dyn Clock>, accounts: &str) -> Result<Self, String> {
        let service = ServiceClient::new().map_err(|error| error.to_string())?;
        let accounts = Url::parse(accounts).map_err(|error| error.to_string())?;
        Ok(Self { settings, clock, service, accounts, pending: Mutex::default(), renewing: Mutex::default() })
    }

    /// Begins a sign-in for the user with this folder.
    pub fn begin(&self, folder: &Path, redirect_uri: &str) -> Result<SpotifySignIn, SpotifyAuthError> {
        let client = self.client().ok_or(SpotifyAuthError::NotSetUp)?;
        let redirect = Url::parse(redirect_uri).map_err(|_| SpotifyAuthError::BadRedirect)?;
        if !matches!(redirect.scheme(), "http" | "https") {
            return Err(SpotifyAuthError::BadRedirect);
        }
        let (state, verifier) = (Secret::random(), Secret::random());
        let mut url = with_path(&self.accounts, "/authorize");
        url.query_pairs_mut().extend_pairs([
            ("response_type", "code"),
            ("client_id", &client),
            ("scope", SCOPES),
            ("redirect_uri", redirect_uri),
            ("state", state.expose()),
            ("code_challenge_method", "S256"),
            ("code_challenge", &challenge(&verifier)),
        ]);
        let sign_in = SpotifySignIn { url: url.into(), state: state.expose().to_owned() };
        let now = self.clock.now();
        let mut pending = locked(&self.pending);
        pending.retain(|waiting| waiting.until > now);
        if pending.len() >= MOST_PENDING {
            pending.remove(0);
        }
        pending.push(Pending {
            state,
            verifier,
            folder: folder.to_owned(),
            redirect: redirect_uri.to_owned(),
            client,
            until: now.saturating_add(SIGN_IN_TIME).unwrap_or(Timestamp::MAX),
        });
        Ok(sign_in)
    }

    /// Completes a sign-in. A `state` is valid once, and only for the user who began.
    pub async fn finish(&self, folder: &Path, state: &str, code: &str) -> Result<(), SpotifyAuthError> {
        let pending_sign_in = self.take_pending(folder, state).ok_or(SpotifyAuthError::UnknownState)?;
        let reply = self
            .token(&[
                ("grant_type", "authorization_code"),
                ("code", code),
                ("redirect_uri", &pending_sign_in.redirect),
                ("client_id", &pending_sign_in.client),
                ("code_verifier", pending_sign_in.verifier.expose()),
            ])
            .await?;
        if !reply.status.is_success() {
            return Err(refusal(&reply));
        }
        let lock = self.lock(folder);
        let _one = lock.lock().await;
        let tokens = self.read_reply(&reply, &pending_sign_in.client, None)?;
        store_tokens(folder, &tokens).await
    }

    /// Deletes the tokens.
    pub async fn sign_out(&self, folder: &Path) -> Result<(), SpotifyAuthError> {
        let lock = self.lock(folder);
        let _one = lock.lock().await;
        locked(&self.pending).retain(|waiting| waiting.folder != folder);
        delete_tokens(folder).await
    }

    pub async fn status(&self, folder: &Path) -> SignInStatus {
        let Some(client) = self.client() else { return SignInStatus::NotSetUp };
        match stored_tokens(folder, &client).await {
            Some(_) => SignInStatus::SignedIn,
            None => SignInStatus::SignedOut,
        }
    }

    pub(crate) fn is_set_up(&self) -> bool {
        self.client().is_some()
    }

    /// Returns an access token that is valid for at least [`RENEW_BEFORE`].
    pub(crate) async fn access(&self, folder: &Path) -> Result<Secret, SpotifyAuthError> {
        self.token_unless(folder, |tokens, now| {
            tokens.until > now.saturating_add(RENEW_BEFORE).unwrap_or(Timestamp::MAX)
        })
        .await
    }

    /// Returns another token than this one, which Spotify refused.
    pub(crate) async fn renewed(&self, folder: &Path, refused: &Secret) -> Result<Secret, SpotifyAuthError> {
        self.token_unless(folder, |tokens, _| tokens.access != *refused).await
    }

    async fn token_unless(
        &self,
        folder: &Path,
        is_good: impl Fn(&Tokens, Timestamp) -> bool,
    ) -> Result<Secret, SpotifyAuthError> {
        let client = self.client().ok_or(SpotifyAuthError::NotSetUp)?;
        let lock = self.lock(folder);
        let _one = lock.lock().await;
        let tokens = stored_tokens(folder, &client).await.ok_or(SpotifyAuthError::SignedOut)?;
        if is_good(&tokens, self.clock.now()) {
            return Ok(tokens.access);
        }
        let refresh = [
            ("grant_type", "refresh_token"),
            ("refresh_token", tokens.refresh.expose()),
            ("client_id", &client),
        ];
        let reply = self.token(&refresh).await?;
        if matches!(reply.status.as_u16(), 400 | 401) {
            // The user has revoked access or changed the password.
            delete_tokens(folder).await?;
            return Err(SpotifyAuthError::SignedOut);
        }
        if !reply.status.is_success() {
            return Err(refusal(&reply));
        }
        let tokens = self.read_reply(&reply, &client, Some(tokens.refresh))?;
        store_tokens(folder, &tokens).await?;
        Ok(tokens.access)
    }

    fn client(&self) -> Option<String> {
        let id = (self.settings)().spotify.client_id.clone()?;
        Some(id.trim().to_owned()).filter(|id| !id.is_empty())
    }

    fn take_pending(&self, folder: &Path, state: &str) -> Option<Pending> {
        let state = Secret::new(state);
        let mut pending = locked(&self.pending);
        let place = pending.iter().position(|waiting| waiting.state == state)?;
        let pending_sign_in = pending.remove(place);
        (pending_sign_in.until > self.clock.now() && pending_sign_in.folder == folder)
            .then_some(pending_sign_in)
    }

    fn lock(&self, folder: &Path) -> Arc<tokio::sync::Mutex<()>> {
        Arc::clone(locked(&self.renewing).entry(folder.to_owned()).or_default())
    }

    async fn token(&self, pairs: &[(&str, &str)]) -> Result<ServiceResponse, ServiceError> {
        let url = with_path(&self.accounts, "/api/token");
        let mut form = url.clone();
        form.query_pairs_mut().extend_pairs(pairs);
        let request = self
            .service
            .request(Method::POST, url)
            .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
            .body(form.query().unwrap_or_default().to_owned());
        self.service.send(request, SERVICE).await
    }

    /// Parses a token response. Spotify sends a new refresh token only if the old one has become invalid.
    fn read_reply(
        &self,
        reply: &ServiceResponse,
        client: &str,
        old: Option<Secret>,
    ) -> Result<Tokens, SpotifyAuthError> {
        let value = reply.json(SERVICE)?;
        let text = |key: &str| value[key].as_str().filter(|text| !text.is_empty()).map(Secret::new);
        let (Some(access), Some(refresh)) = (text("access_token"), text("refresh_token").or(old)) else {
            return Err(ServiceError::NotJson(SERVICE.to_owned()).into());
        };
        let seconds = value["expires_in"].as_u64().unwrap_or(3_600).min(86_400);
        let until = self.clock.now().saturating_add(Duration::from_secs(seconds)).unwrap_or(Timestamp::MAX);
        Ok(Tokens { client: client.to_owned(), access, refresh, until })
    }
}

fn refusal(reply: &ServiceResponse) -> SpotifyAuthError {
    match reply.status.as_u16() {
        400..=403 => SpotifyAuthError::Refused,
        429 => SpotifyAuthError::Unreachable("Spotify was asked too often. Try again later.".to_owned()),
        status => SpotifyAuthError::Unreachable(format!("Spotify answered with {status}. Try again later.")),
    }
}

fn challenge(verifier: &Secret) -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(verifier.expose().as_bytes()))
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reads the tokens in a folder, if they belong to this client.
async fn stored_tokens(folder: &Path, client: &str) -> Option<Tokens> {
    let folder = folder.to_owned();
    let tokens = in_background(move || Ok::<_, SpotifyAuthError>(read(&folder))).await.ok().flatten();
    tokens.filter(|tokens| tokens.client == client)
}

fn read(folder: &Path) -> Option<Tokens> {
    let bytes = RootDir::open(folder).ok()?.read(FILE, LARGEST_FILE).ok()?;
    let value: Value = serde_json::from_slice(&bytes).ok()?;
    let text = |key: &str| value[key].as_str().map(ToOwned::to_owned);
    Some(Tokens {
        client: text("clientId")?,
        access: Secret::new(text("access")?),
        refresh: Secret::new(text("refresh")?),
        until: text("until")?.parse().ok()?,
    })
}

async fn store_tokens(folder: &Path, tokens: &Tokens) -> Result<(), SpotifyAuthError> {
    let text = json!({
        "clientId": tokens.client,
        "access": tokens.access.expose(),
        "refresh": tokens.refresh.expose(),
        "until": tokens.until.to_string(),
    })
    .to_string();
    let path = folder.join(FILE);
    in_background(move || {
        host::atomic_write_private(path, text.as_bytes())
            .map_err(|error| SpotifyAuthError::NotKept(error.to_string()))
    })
    .await
}

async fn delete_tokens(folder: &Path) -> Result<(), SpotifyAuthError> {
    let folder = folder.to_owned();
    in_background(move || {
        let root = RootDir::open(folder).map_err(|error| SpotifyAuthError::NotKept(error.to_string()))?;
        match root.remove(FILE) {
            Err(error) if !error.is_not_found() => Err(SpotifyAuthError::NotKept(error.to_string())),
            _ => Ok(()),
        }
    })
    .await
}

#[cfg(test)]
#[path = "auth_tests.rs"]
mod tests;
