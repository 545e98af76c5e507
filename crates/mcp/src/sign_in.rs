//! OAuth sign-in for servers that require it: the user signs in with a browser, which returns with a code, and the code
//! is exchanged for a token that is sent with every request.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use config::McpOauth;
use host::RootDir;
use rmcp::transport::auth::{OAuthClientConfig, StoredCredentials, WWWAuthenticateParams};
use rmcp::transport::{
    AuthClient, AuthError, AuthorizationManager, AuthorizationRequest, AuthorizationSession, CredentialStore,
};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use tokio::time::Instant;

/// The client name used for registration.
const CLIENT_NAME: &str = "Perigee";
/// The time for the user to sign in.
const SIGN_IN_TIMEOUT: Duration = Duration::from_mins(15);
/// The timeout for answers of the authorization server.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(30);

/// The sign-in with one server.
pub struct ServerSignIn {
    url: String,
    oauth: McpOauth,
    file: SignInFile,
    pending: Mutex<Option<PendingSignIn>>,
}

/// A sign-in that the user is completing in the browser.
struct PendingSignIn {
    /// The OAuth `state` that identifies the returning browser.
    state: String,
    session: AuthorizationSession,
    registration: Option<ClientRegistration>,
    until: Instant,
}

/// The stored sign-in, in a file that only the owner can read and that is not part of backups.
#[derive(Clone)]
struct SignInFile {
    file: Arc<Path>,
    stored: Arc<Mutex<StoredSignIn>>,
    /// Serialises changes to the file.
    changing: Arc<tokio::sync::Mutex<()>>,
    /// The number of sign-outs when this handle was created: an older session may still try to store a renewed token.
    sign_outs: u64,
}

#[derive(Clone, Default, Serialize, Deserialize)]
struct StoredSignIn {
    #[serde(skip)]
    sign_outs: u64,
    #[serde(rename = "us")]
    registration: Option<ClientRegistration>,
    token: Option<StoredCredentials>,
}

/// The client ID and secret registered with the authorization server.
#[derive(Clone, Serialize, Deserialize)]
struct ClientRegistration {
    id: String,
    secret: Option<String>,
}

impl ServerSignIn {
    /// Loads the sign-in with the server at `url` from `folder`. A record of another name or URL is not used.
    pub fn new(folder: &Path, name: &str, url: &str, oauth: McpOauth) -> Self {
        let file_name = host::hex(&Sha256::digest(format!("{name}\n{url}"))[..16]);
        let file = SignInFile::read(&folder.join(format!("{file_name}.json")));
        Self { url: url.to_owned(), oauth, file, pending: Mutex::default() }
    }

    pub fn is_for(&self, url: &str, oauth: &McpOauth) -> bool {
        self.url == url && self.oauth == *oauth
    }

    pub fn is_done(&self) -> bool {
        self.file.lock().token.is_some()
    }

    /// Returns a client that sends the token, if there is one, and renews it in time.
    pub async fn client<C>(&self, http: C) -> Result<AuthClient<C>, String> {
        let mut manager = self.manager().await?;
        if self.is_done() {
            let is_stored = within_timeout(manager.initialize_from_store()).await?;
            let registration = self.registration();
            if is_stored && let Some(registration) = registration {
                manager
                    .configure_client(registration.client_config(&self.url))
                    .map_err(|error| error_text(&error))?;
            }
        }
        Ok(AuthClient::new(http, manager))
    }

    /// Returns the URL of the page on which the user signs in. It redirects to `back`. `challenge` is the server's
    /// authentication challenge.
    pub async fn begin(&self, challenge: Option<&str>, back: &str) -> Result<String, String> {
        let mut manager = self.manager().await?;
        let metadata = within_timeout(manager.resolve_metadata_from_challenge(challenge)).await?;
        manager.set_metadata(metadata.metadata);
        let mut scopes = self.scopes(challenge);
        if scopes.is_empty() {
            scopes = manager.select_initial_scopes(&[]).await;
        }
        let mut request = AuthorizationRequest::new(back)
            .with_client_name(CLIENT_NAME)
            .with_scopes(scopes.clone())
            // Without this, an empty list would request all scopes.
            .with_initial_scope_selection();
        let mut registration = self.registration_by_settings();
        if registration.is_none()
            && let Some(url) = &self.oauth.client_metadata_url
        {
            request = request.with_client_metadata_url(url.as_str());
        } else if registration.is_none() {
            let scopes: Vec<&str> = scopes.iter().map(String::as_str).collect();
            let client_config = within_timeout(manager.register_client(CLIENT_NAME, back, &scopes)).await?;
            registration =
                Some(ClientRegistration { id: client_config.client_id, secret: client_config.client_secret });
        }
        if let Some(registration) = &registration {
            request = request.with_preregistered_client(&registration.id);
            if let Some(secret) = &registration.secret {
                request = request.with_client_secret(secret);
            }
        }
        let session = tokio::time::timeout(ANSWER_TIMEOUT, AuthorizationSession::new(manager, request)).await;
        let session = session.map_err(|_| TIMED_OUT.to_owned())?.map_err(|(_, error)| error_text(&error))?;
        let page = session.get_authorization_url().to_owned();
        let state = state_of(&page)?;
        let until = Instant::now() + SIGN_IN_TIMEOUT;
        *self.lock() = Some(PendingSignIn { state, session, registration, until });
        Ok(page)
    }

    /// Returns true if `state` belongs to a pending sign-in.
    pub fn is_pending(&self, state: &str) -> bool {
        self.lock().as_ref().is_some_and(|pending| pending.state == state && pending.until > Instant::now())
    }

    /// Exchanges the code that the browser returned, checking the issuer if one is given.
    pub async fn finish(&self, code: &str, issuer: Option<&str>) -> Result<(), String> {
        let Some(pending) = self.lock().take() else { return Err("no sign-in is under way".to_owned()) };
        within_timeout(pending.session.handle_callback_with_issuer(code, &pending.state, issuer)).await?;
        self.file
            .current_handle()
            .update(|stored| stored.registration = pending.registration)
            .await
            .map_err(|error| error_text(&error))
    }

    /// Deletes the token and everything stored with it.
    pub async fn sign_out(&self) -> Result<(), String> {
        *self.lock() = None;
        self.file.delete().await
    }

    async fn manager(&self) -> Result<AuthorizationManager, String> {
        let mut manager =
            AuthorizationManager::new(self.url.as_str()).await.map_err(|error| error_text(&error))?;
        manager.set_credential_store(self.file.current_handle());
        Ok(manager)
    }

    fn registration(&self) -> Option<ClientRegistration> {
        self.registration_by_settings().or_else(|| self.file.lock().registration.clone())
    }

    fn registration_by_settings(&self) -> Option<ClientRegistration> {
        let id = self.oauth.client_id.clone()?;
        Some(ClientRegistration {
            id,
            secret: self.oauth.client_secret.as_ref().map(|secret| secret.expose().to_owned()),
        })
    }

    /// Returns the scopes to request; an empty list leaves them to the server's metadata.
    fn scopes(&self, challenge: Option<&str>) -> Vec<String> {
        if !self.oauth.scopes.is_empty() {
            return self.oauth.scopes.clone();
        }
        let Some((challenge, base)) = challenge.zip(reqwest::Url::parse(&self.url).ok()) else {
            return Vec::new();
        };
        let challenge = WWWAuthenticateParams::parse(challenge, &base);
        if !challenge.is_insufficient_scope() {
            return Vec::new();
        }
        // Requests the missing scopes in addition to those already granted.
        let mut scopes =
            self.file.lock().token.as_ref().map(|token| token.granted_scopes.clone()).unwrap_or_default();
        for scope in challenge.scope.as_deref().unwrap_or_default().split_whitespace() {
            if !scopes.iter().any(|other| other == scope) {
                scopes.push(scope.to_owned());
            }
        }
        scopes
    }

    fn lock(&self) -> MutexGuard<'_, Option<PendingSignIn>> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ClientRegistration {
    fn client_config(self, back: &str) -> OAuthClientConfig {
        let client_config = OAuthClientConfig::new(self.id, back);
        match self.secret {
            Some(secret) => client_config.with_client_secret(secret),
            None => client_config,
        }
    }
}

impl SignInFile {
    fn read(file: &Path) -> Self {
        // An unreadable record requires a new sign-in.
        let stored = std::fs::read(file).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let stored: StoredSignIn = stored.unwrap_or_default();
        Self {
            file: file.into(),
            stored: Arc::new(Mutex::new(stored)),
            changing: Arc::default(),
            sign_outs: 0,
        }
    }

    fn lock(&self) -> MutexGuard<'_, StoredSignIn> {
        self.stored.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns a handle that may write from now on, until the next sign-out.
    fn current_handle(&self) -> Self {
        Self { sign_outs: self.lock().sign_outs, ..self.clone() }
    }

    async fn delete(&self) -> Result<(), String> {
        let _one = self.changing.lock().await;
        {
            let mut stored = self.lock();
            *stored = StoredSignIn { sign_outs: stored.sign_outs + 1, ..StoredSignIn::default() };
        }
        let file = Arc::clone(&self.file);
        let gone = tokio::task::spawn_blocking(move || {
            let (Some(folder), Some(name)) = (file.parent(), file.file_name()) else { return Ok(()) };
            if !file.exists() {
                return Ok(());
            }
            let folder = RootDir::open(folder).map_err(|error| error.to_string())?;
            folder.remove(name).map_err(|error| error.to_string())
        });
        gone.await.map_err(|error| error.to_string())?
    }

    async fn update(&self, change: impl FnOnce(&mut StoredSignIn)) -> Result<(), AuthError> {
        let _one = self.changing.lock().await;
        let bytes = {
            let mut stored = self.lock();
            if stored.sign_outs != self.sign_outs {
                return Ok(());
            }
            change(&mut stored);
            serde_json::to_vec(&*stored).unwrap_or_default()
        };
        let file = Arc::clone(&self.file);
        let written = tokio::task::spawn_blocking(move || {
            file.parent().map_or(Ok(()), host::private_dir)?;
            host::atomic_write_private(&file, &bytes)
        });
        match written.await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(AuthError::CredentialStoreError(error.to_string())),
            Err(error) => Err(AuthError::CredentialStoreError(error.to_string())),
        }
    }
}

#[async_trait]
impl CredentialStore for SignInFile {
    async fn load(&self) -> Result<Option<StoredCredentials>, AuthError> {
        let stored = self.lock();
        Ok(stored.token.clone().filter(|_| stored.sign_outs == self.sign_outs))
    }

    async fn save(&self, token: StoredCredentials) -> Result<(), AuthError> {
        self.update(|stored| stored.token = Some(token)).await
    }

    async fn clear(&self) -> Result<(), AuthError> {
        self.update(|stored| stored.token = None).await
    }
}

const TIMED_OUT: &str = "the place to sign in did not answer in time";

async fn within_timeout<T>(work: impl Future<Output = Result<T, AuthError>>) -> Result<T, String> {
    tokio::time::timeout(ANSWER_TIMEOUT, work)
        .await
        .map_err(|_| TIMED_OUT.to_owned())?
        .map_err(|error| error_text(&error))
}

fn error_text(error: &AuthError) -> String {
    error.to_string()
}

/// Returns the OAuth `state` in the URL of the sign-in page and checks that the URL is safe to open: a server could
/// give one that runs a script or starts a program.
fn state_of(page: &str) -> Result<String, String> {
    let page = reqwest::Url::parse(page).map_err(|error| error.to_string())?;
    let here = matches!(page.host_str(), Some("localhost" | "127.0.0.1" | "[::1]"));
    if page.scheme() != "https" && !(page.scheme() == "http" && here) {
        return Err("it wants you to sign in on a page that is not safe to open".to_owned());
    }
    let state = page.query_pairs().find(|(name, _)| name == "state").map(|(_, state)| state.into_owned());
    state.ok_or_else(|| "the place to sign in makes no sense".to_owned())
}

#[cfg(test)]
#[path = "sign_in_tests.rs"]
mod tests;
