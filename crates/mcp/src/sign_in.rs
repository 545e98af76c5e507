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
const OUR_NAME: &str = "Perigee";
/// The time for the user to sign in.
const PATIENCE: Duration = Duration::from_mins(15);
/// The timeout for answers of the authorization server.
const ANSWER: Duration = Duration::from_secs(30);

/// The sign-in with one server.
pub struct SignIn {
    url: String,
    oauth: McpOauth,
    record: Record,
    under_way: Mutex<Option<UnderWay>>,
}

/// A sign-in that the user is completing in the browser.
struct UnderWay {
    /// The OAuth `state` that identifies the returning browser.
    state: String,
    session: AuthorizationSession,
    us: Option<Registered>,
    until: Instant,
}

/// The stored sign-in, in a file that only the owner can read and that is not part of backups.
#[derive(Clone)]
struct Record {
    file: Arc<Path>,
    kept: Arc<Mutex<Kept>>,
    /// Serialises changes to the file.
    changing: Arc<tokio::sync::Mutex<()>>,
    /// The number of sign-outs when this handle was created: an older session may still try to store a renewed token.
    outs: u64,
}

#[derive(Clone, Default, Serialize, Deserialize)]
struct Kept {
    #[serde(skip)]
    outs: u64,
    us: Option<Registered>,
    token: Option<StoredCredentials>,
}

/// The client ID and secret registered with the authorization server.
#[derive(Clone, Serialize, Deserialize)]
struct Registered {
    id: String,
    secret: Option<String>,
}

impl SignIn {
    /// Loads the sign-in with the server at `url` from `folder`. A record of another name or URL is not used.
    pub fn new(folder: &Path, name: &str, url: &str, oauth: McpOauth) -> Self {
        let mark = host::hex(&Sha256::digest(format!("{name}\n{url}"))[..16]);
        let record = Record::read(&folder.join(format!("{mark}.json")));
        Self { url: url.to_owned(), oauth, record, under_way: Mutex::default() }
    }

    pub fn is_with(&self, url: &str, oauth: &McpOauth) -> bool {
        self.url == url && self.oauth == *oauth
    }

    pub fn is_done(&self) -> bool {
        self.record.lock().token.is_some()
    }

    /// Returns a client that sends the token, if there is one, and renews it in time.
    pub async fn client<C>(&self, http: C) -> Result<AuthClient<C>, String> {
        let mut manager = self.manager().await?;
        if self.is_done() {
            let there = in_time(manager.initialize_from_store()).await?;
            let us = self.us();
            if there && let Some(us) = us {
                manager.configure_client(us.described(&self.url)).map_err(|error| said(&error))?;
            }
        }
        Ok(AuthClient::new(http, manager))
    }

    /// Returns the URL of the page on which the user signs in. It redirects to `back`. `challenge` is the server's
    /// authentication challenge.
    pub async fn begin(&self, challenge: Option<&str>, back: &str) -> Result<String, String> {
        let mut manager = self.manager().await?;
        let found = in_time(manager.resolve_metadata_from_challenge(challenge)).await?;
        manager.set_metadata(found.metadata);
        let mut scopes = self.scopes(challenge);
        if scopes.is_empty() {
            scopes = manager.select_initial_scopes(&[]).await;
        }
        let mut request = AuthorizationRequest::new(back)
            .with_client_name(OUR_NAME)
            .with_scopes(scopes.clone())
            // Without this, an empty list would request all scopes.
            .with_initial_scope_selection();
        let mut us = self.us_by_settings();
        if us.is_none()
            && let Some(url) = &self.oauth.client_metadata_url
        {
            request = request.with_client_metadata_url(url.as_str());
        } else if us.is_none() {
            let scopes: Vec<&str> = scopes.iter().map(String::as_str).collect();
            let described = in_time(manager.register_client(OUR_NAME, back, &scopes)).await?;
            us = Some(Registered { id: described.client_id, secret: described.client_secret });
        }
        if let Some(us) = &us {
            request = request.with_preregistered_client(&us.id);
            if let Some(secret) = &us.secret {
                request = request.with_client_secret(secret);
            }
        }
        let session = tokio::time::timeout(ANSWER, AuthorizationSession::new(manager, request)).await;
        let session = session.map_err(|_| LATE.to_owned())?.map_err(|(_, error)| said(&error))?;
        let page = session.get_authorization_url().to_owned();
        let state = state_of(&page)?;
        let until = Instant::now() + PATIENCE;
        *self.lock() = Some(UnderWay { state, session, us, until });
        Ok(page)
    }

    /// Returns true if `state` belongs to a pending sign-in.
    pub fn awaits(&self, state: &str) -> bool {
        self.lock().as_ref().is_some_and(|going| going.state == state && going.until > Instant::now())
    }

    /// Exchanges the code that the browser returned, checking the issuer if one is given.
    pub async fn finish(&self, code: &str, issuer: Option<&str>) -> Result<(), String> {
        let Some(going) = self.lock().take() else { return Err("nobody was signing in".to_owned()) };
        in_time(going.session.handle_callback_with_issuer(code, &going.state, issuer)).await?;
        self.record.now().change(|kept| kept.us = going.us).await.map_err(|error| said(&error))
    }

    /// Deletes the token and everything stored with it.
    pub async fn sign_out(&self) -> Result<(), String> {
        *self.lock() = None;
        self.record.forget().await
    }

    async fn manager(&self) -> Result<AuthorizationManager, String> {
        let mut manager = AuthorizationManager::new(self.url.as_str()).await.map_err(|error| said(&error))?;
        manager.set_credential_store(self.record.now());
        Ok(manager)
    }

    fn us(&self) -> Option<Registered> {
        self.us_by_settings().or_else(|| self.record.lock().us.clone())
    }

    fn us_by_settings(&self) -> Option<Registered> {
        let id = self.oauth.client_id.clone()?;
        Some(Registered {
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
            self.record.lock().token.as_ref().map(|token| token.granted_scopes.clone()).unwrap_or_default();
        for scope in challenge.scope.as_deref().unwrap_or_default().split_whitespace() {
            if !scopes.iter().any(|other| other == scope) {
                scopes.push(scope.to_owned());
            }
        }
        scopes
    }

    fn lock(&self) -> MutexGuard<'_, Option<UnderWay>> {
        self.under_way.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Registered {
    fn described(self, back: &str) -> OAuthClientConfig {
        let described = OAuthClientConfig::new(self.id, back);
        match self.secret {
            Some(secret) => described.with_client_secret(secret),
            None => described,
        }
    }
}

impl Record {
    fn read(file: &Path) -> Self {
        // An unreadable record requires a new sign-in.
        let kept = std::fs::read(file).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let kept: Kept = kept.unwrap_or_default();
        Self { file: file.into(), kept: Arc::new(Mutex::new(kept)), changing: Arc::default(), outs: 0 }
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns a handle that may write from now on, until the next sign-out.
    fn now(&self) -> Self {
        Self { outs: self.lock().outs, ..self.clone() }
    }

    async fn forget(&self) -> Result<(), String> {
        let _one = self.changing.lock().await;
        {
            let mut kept = self.lock();
            *kept = Kept { outs: kept.outs + 1, ..Kept::default() };
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

    async fn change(&self, by: impl FnOnce(&mut Kept)) -> Result<(), AuthError> {
        let _one = self.changing.lock().await;
        let bytes = {
            let mut kept = self.lock();
            if kept.outs != self.outs {
                return Ok(());
            }
            by(&mut kept);
            serde_json::to_vec(&*kept).unwrap_or_default()
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
impl CredentialStore for Record {
    async fn load(&self) -> Result<Option<StoredCredentials>, AuthError> {
        let kept = self.lock();
        Ok(kept.token.clone().filter(|_| kept.outs == self.outs))
    }

    async fn save(&self, token: StoredCredentials) -> Result<(), AuthError> {
        self.change(|kept| kept.token = Some(token)).await
    }

    async fn clear(&self) -> Result<(), AuthError> {
        self.change(|kept| kept.token = None).await
    }
}

const LATE: &str = "the place to sign in did not answer in time";

async fn in_time<T>(work: impl Future<Output = Result<T, AuthError>>) -> Result<T, String> {
    tokio::time::timeout(ANSWER, work).await.map_err(|_| LATE.to_owned())?.map_err(|error| said(&error))
}

fn said(error: &AuthError) -> String {
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
