use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::http::{HeaderMap, header};
use host::{Clock, Secret};
use memory::{Author, Recipient};
use protocol::{ErrorCode, Scope, TokenId, UserId};
use store::{SecretHash, Store, StoreError};
use tokio_util::sync::CancellationToken;

use crate::attempts::{Attempts, TooManyAttempts};
use crate::connections::Peer;
use crate::error::{HandlerResult, Refusal};
use crate::lan::RequestTransport;
use crate::owner_token::{OwnerTokenStorage, RotateError};

/// The browser's cookie. It holds a session ID that can be revoked, never a token: cookies ignore ports, so every other
/// service on this machine receives it.
pub const COOKIE: &str = "perigee_session";
/// The cookie over TLS. Browsers accept this name only with `Secure` and for this host alone. On this machine both
/// cookies have the same host, and the names keep them apart.
const SECURE_COOKIE: &str = "__Host-perigee_session";
const SESSION_SECONDS: u32 = 90 * 24 * 3600;
/// The lifetime of a one-time code.
const CODE_LIFE: Duration = Duration::from_mins(2);
const MOST_CODES: usize = 64;

/// The authenticated caller of a request.
#[derive(Debug, Clone)]
pub struct Caller {
    pub user: UserId,
    /// True for the owner of this Perigee, who may do everything.
    pub owner: bool,
    pub scopes: Vec<Scope>,
    pub means: AuthMethod,
    /// Cancelled when the token or session in use is revoked.
    pub withdrawn: CancellationToken,
}

/// The means by which a caller is authenticated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AuthMethod {
    OwnerToken,
    /// A limited token, with the name that its owner gave it.
    Token {
        id: TokenId,
        name: String,
    },
    Browser(TokenId),
}

/// The result of a browser's sign-in.
pub struct SignInResult {
    pub user: UserId,
    /// The `Set-Cookie` value.
    pub cookie: String,
}

impl Caller {
    /// Returns the identity with which this caller reads memory.
    pub fn recipient(&self) -> Recipient {
        self.author().recipient()
    }

    /// Returns the author of what this caller writes: a token without full scope writes in the name of its program.
    pub fn author(&self) -> Author {
        match (&self.means, self.may(Scope::All)) {
            (_, true) => Author::Person,
            (AuthMethod::Token { name, .. }, false) => Author::Program(name.clone()),
            (AuthMethod::OwnerToken | AuthMethod::Browser(_), false) => Author::Program(String::new()),
        }
    }

    pub fn may(&self, scope: Scope) -> bool {
        self.scopes.contains(&Scope::All)
            || self.scopes.contains(&scope)
            || (scope == Scope::MemoryRead && self.scopes.contains(&Scope::MemoryWrite))
    }
}

/// The tokens, sessions and one-time codes.
pub struct Auth {
    store: Arc<Store>,
    owner: UserId,
    token: Mutex<Secret>,
    keeper: Box<dyn OwnerTokenStorage>,
    codes: Mutex<Codes>,
    attempts: Attempts,
    /// Cancellation of live streams, by the token or session that opened them; `None` is the owner's own token.
    live: Mutex<HashMap<Option<TokenId>, CancellationToken>>,
}

impl Auth {
    pub fn new(
        store: Arc<Store>,
        owner: UserId,
        token: Secret,
        keeper: Box<dyn OwnerTokenStorage>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        let token = Mutex::new(token);
        let (codes, live) = (Mutex::default(), Mutex::default());
        Self { store, owner, token, keeper, codes, live, attempts: Attempts::new(clock) }
    }

    /// Returns the caller that the headers authenticate, if any.
    pub async fn caller(
        &self,
        lane: RequestTransport,
        peer: Peer,
        headers: &HeaderMap,
    ) -> HandlerResult<Option<Caller>> {
        if let Some(secret) = bearer(headers) {
            return self.by_token(peer, secret).await;
        }
        match cookie(lane, headers) {
            Some(secret) => self.by_session(secret).await,
            None => Ok(None),
        }
    }

    async fn by_token(&self, peer: Peer, secret: &str) -> HandlerResult<Option<Caller>> {
        let hash = SecretHash::of(secret);
        self.attempts.wait(peer, hash).await.map_err(|TooManyAttempts| {
            let why = "too many invalid tokens have been tried from your address. Try again in a few seconds";
            Refusal::new(ErrorCode::TooManyRequests, why)
        })?;
        let caller = self.of_token(secret, hash).await?;
        self.attempts.was(peer, hash, caller.is_some());
        Ok(caller)
    }

    async fn of_token(&self, secret: &str, hash: SecretHash) -> Result<Option<Caller>, StoreError> {
        if let Some(owner) = self.by_owner_token(secret) {
            return Ok(Some(owner));
        }
        if let Some(token) = self.store.token(hash).await? {
            return Ok(Some(Caller {
                user: token.user,
                owner: false,
                scopes: token.scopes,
                withdrawn: self.live(Some(token.id)),
                means: AuthMethod::Token { id: token.id, name: token.name },
            }));
        }
        // The owner may just have written this key into the settings.
        self.follow_settings();
        Ok(self.by_owner_token(secret))
    }

    fn by_owner_token(&self, secret: &str) -> Option<Caller> {
        // Locked, so that no request is accepted with a token that is being replaced.
        let token = lock(&self.token);
        // `Secret` compares in constant time.
        (*token == Secret::new(secret)).then(|| Caller {
            user: self.owner,
            owner: true,
            scopes: vec![Scope::All],
            means: AuthMethod::OwnerToken,
            withdrawn: self.live(None),
        })
    }

    async fn by_session(&self, secret: &str) -> HandlerResult<Option<Caller>> {
        let Some(session) = self.store.session(SecretHash::of(secret)).await? else { return Ok(None) };
        Ok(Some(Caller {
            user: session.user,
            owner: session.user == self.owner,
            scopes: vec![Scope::All],
            means: AuthMethod::Browser(session.id),
            withdrawn: self.live(Some(session.id)),
        }))
    }

    /// Creates a one-time code that signs in one browser.
    pub fn make_code(&self) -> (Secret, Duration) {
        (lock(&self.codes).make(Instant::now()), CODE_LIFE)
    }

    /// Signs in a browser. Returns `None` if the token or code is wrong.
    pub async fn sign_in(
        &self,
        token: Option<&str>,
        code: Option<&str>,
        agent: &str,
        (lane, peer): (RequestTransport, Peer),
    ) -> HandlerResult<Option<SignInResult>> {
        let (user, token) = match (token, code) {
            (Some(token), _) => {
                match self.by_token(peer, token).await?.filter(|caller| caller.may(Scope::All)) {
                    Some(Caller { user, means: AuthMethod::Token { id, .. }, .. }) => (user, Some(id)),
                    Some(Caller { user, .. }) => (user, None),
                    None => return Ok(None),
                }
            }
            (None, Some(code)) if lock(&self.codes).redeem(code, Instant::now()) => (self.owner, None),
            (None, _) => return Ok(None),
        };
        let secret = Secret::random();
        match self.store.create_session(user, SecretHash::of(secret.expose()), agent, token).await {
            Ok(_) => {}
            // The token was revoked in the meantime.
            Err(StoreError::NotFound(_)) => return Ok(None),
            Err(error) => return Err(error.into()),
        }
        let cookie = set_cookie(lane, secret.expose(), SESSION_SECONDS);
        Ok(Some(SignInResult { user, cookie }))
    }

    /// Replaces the owner's token and closes all streams that were opened with the old one.
    pub fn rotate(&self) -> Result<Secret, RotateError> {
        let mut token = lock(&self.token);
        let fresh = self.keeper.rotate()?;
        self.replace(&mut token, fresh.clone());
        Ok(fresh)
    }

    /// Replaces the owner's token if the key in the settings was changed or removed.
    pub fn follow_settings(&self) {
        let mut token = lock(&self.token);
        if let Some(fresh) = self.keeper.changed() {
            self.replace(&mut token, fresh);
        }
    }

    fn replace(&self, token: &mut Secret, fresh: Secret) {
        *token = fresh;
        self.withdraw(None);
    }

    /// Closes all streams that a token or session has open.
    pub fn withdraw(&self, id: Option<TokenId>) {
        if let Some(live) = lock(&self.live).remove(&id) {
            live.cancel();
        }
    }

    fn live(&self, id: Option<TokenId>) -> CancellationToken {
        lock(&self.live).entry(id).or_default().clone()
    }
}

/// Unused codes, oldest first. If there are too many, the oldest is dropped.
#[derive(Default)]
struct Codes(VecDeque<(Secret, Instant)>);

impl Codes {
    fn make(&mut self, now: Instant) -> Secret {
        let code = Secret::new(host::hex(&host::random_bytes::<16>()));
        self.0.retain(|(_, made)| is_fresh(*made, now));
        if self.0.len() == MOST_CODES {
            self.0.pop_front();
        }
        self.0.push_back((code.clone(), now));
        code
    }

    fn redeem(&mut self, code: &str, now: Instant) -> bool {
        let code = Secret::new(code);
        let place = self.0.iter().position(|(known, _)| *known == code);
        place.and_then(|place| self.0.remove(place)).is_some_and(|(_, made)| is_fresh(made, now))
    }
}

fn is_fresh(made: Instant, now: Instant) -> bool {
    now.saturating_duration_since(made) < CODE_LIFE
}

/// Returns the `Set-Cookie` value that signs a browser out.
pub fn signed_out(lane: RequestTransport) -> String {
    set_cookie(lane, "", 0)
}

fn set_cookie(lane: RequestTransport, value: &str, seconds: u32) -> String {
    let secure = if lane == RequestTransport::Network { "; Secure" } else { "" };
    format!("{}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}", cookie_name(lane))
}

fn cookie_name(lane: RequestTransport) -> &'static str {
    match lane {
        RequestTransport::Here => COOKIE,
        RequestTransport::Network => SECURE_COOKIE,
    }
}

pub fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, secret) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(secret.trim())
}

pub fn cookie(lane: RequestTransport, headers: &HeaderMap) -> Option<&str> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find_map(|(name, value)| (name == cookie_name(lane) && !value.is_empty()).then_some(value))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_works_once_and_for_two_minutes() {
        let (mut codes, start) = (Codes::default(), Instant::now());
        let (first, second) = (codes.make(start), codes.make(start));
        assert_ne!(first, second);
        assert!(codes.redeem(first.expose(), start + (CODE_LIFE.saturating_sub(Duration::from_millis(1)))));
        assert!(!codes.redeem(first.expose(), start));
        assert!(!codes.redeem(second.expose(), start + CODE_LIFE));
        assert!(!codes.redeem("", start));
    }

    #[test]
    fn codes_do_not_pile_up() {
        let (mut codes, start) = (Codes::default(), Instant::now());
        let made: Vec<_> = (0..=MOST_CODES).map(|_| codes.make(start)).collect();
        assert_eq!(codes.0.len(), MOST_CODES);
        assert!(!codes.redeem(made[0].expose(), start), "the oldest made room");
        for code in &made[1..] {
            assert!(codes.redeem(code.expose(), start), "what was given out is good");
        }
        codes.make(start);
        let later = start + CODE_LIFE;
        let code = codes.make(later);
        assert_eq!(codes.0.len(), 1);
        assert!(codes.redeem(code.expose(), later));
    }
}
