use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::http::{HeaderMap, header};
use host::Secret;
use protocol::{Scope, TokenId, UserId};
use store::{SecretHash, Store, StoreError};
use tokio_util::sync::CancellationToken;

/// The browser's cookie. It holds a session id that can be revoked, never a token: cookies ignore ports, so
/// every other service on this machine sees it.
pub const COOKIE: &str = "perigee_session";
const SESSION_SECONDS: u32 = 90 * 24 * 3600;
/// How long a one-time code is good for.
const CODE_LIFE: Duration = Duration::from_mins(2);
const MOST_CODES: usize = 64;

/// Who is calling.
#[derive(Debug, Clone)]
pub struct Caller {
    pub user: UserId,
    /// The owner of this Perigee, with everything allowed.
    pub owner: bool,
    pub scopes: Vec<Scope>,
    pub means: Means,
    /// Cancelled when the token or session that was used is withdrawn.
    pub withdrawn: CancellationToken,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Means {
    Token,
    Browser(TokenId),
}

impl Caller {
    pub fn may(&self, scope: Scope) -> bool {
        self.scopes.contains(&Scope::All)
            || self.scopes.contains(&scope)
            || (scope == Scope::MemoryRead && self.scopes.contains(&Scope::MemoryWrite))
    }
}

/// Knows the tokens, sessions and codes.
pub struct Auth {
    store: Arc<Store>,
    owner: UserId,
    token: Mutex<Secret>,
    codes: Mutex<Codes>,
    /// Live streams by the token or session that opened them; `None` is the owner's own token.
    live: Mutex<HashMap<Option<TokenId>, CancellationToken>>,
}

impl Auth {
    pub fn new(store: Arc<Store>, owner: UserId, token: Secret) -> Self {
        Self { store, owner, token: Mutex::new(token), codes: Mutex::default(), live: Mutex::default() }
    }

    /// Who sent these headers, if they name somebody.
    pub async fn caller(&self, headers: &HeaderMap) -> Result<Option<Caller>, StoreError> {
        if let Some(secret) = bearer(headers) {
            return self.by_token(secret).await;
        }
        match cookie(headers) {
            Some(secret) => self.by_session(secret).await,
            None => Ok(None),
        }
    }

    async fn by_token(&self, secret: &str) -> Result<Option<Caller>, StoreError> {
        if self.is_owner_token(secret) {
            return Ok(Some(Caller {
                user: self.owner,
                owner: true,
                scopes: vec![Scope::All],
                means: Means::Token,
                withdrawn: self.live(None),
            }));
        }
        let Some(token) = self.store.token(SecretHash::of(secret)).await? else { return Ok(None) };
        Ok(Some(Caller {
            user: token.user,
            owner: false,
            scopes: token.scopes,
            means: Means::Token,
            withdrawn: self.live(Some(token.id)),
        }))
    }

    async fn by_session(&self, secret: &str) -> Result<Option<Caller>, StoreError> {
        let Some(session) = self.store.session(SecretHash::of(secret)).await? else { return Ok(None) };
        Ok(Some(Caller {
            user: session.user,
            owner: session.user == self.owner,
            scopes: vec![Scope::All],
            means: Means::Browser(session.id),
            withdrawn: self.live(Some(session.id)),
        }))
    }

    /// A code that signs one browser in.
    pub fn make_code(&self) -> (Secret, Duration) {
        (lock(&self.codes).make(Instant::now()), CODE_LIFE)
    }

    /// Signs a browser in. Returns the `Set-Cookie` value, or nothing where token and code are wrong.
    pub async fn sign_in(
        &self,
        token: Option<&str>,
        code: Option<&str>,
        agent: &str,
    ) -> Result<Option<String>, StoreError> {
        let user = match (token, code) {
            (Some(token), _) => {
                self.by_token(token).await?.filter(|caller| caller.may(Scope::All)).map(|caller| caller.user)
            }
            (None, Some(code)) => lock(&self.codes).redeem(code, Instant::now()).then_some(self.owner),
            (None, None) => None,
        };
        let Some(user) = user else { return Ok(None) };
        let secret = Secret::random();
        self.store.create_session(user, SecretHash::of(secret.expose()), agent).await?;
        Ok(Some(format!(
            "{COOKIE}={}; Path=/; Max-Age={SESSION_SECONDS}; HttpOnly; SameSite=Strict",
            secret.expose()
        )))
    }

    /// Replaces the owner's token. Whatever the old one had opened is closed.
    pub fn rotate(&self, token: Secret) {
        *lock(&self.token) = token;
        self.withdraw(None);
    }

    /// Closes what a token or session has open.
    pub fn withdraw(&self, id: Option<TokenId>) {
        if let Some(live) = lock(&self.live).remove(&id) {
            live.cancel();
        }
    }

    fn is_owner_token(&self, secret: &str) -> bool {
        // `Secret` compares in constant time.
        *lock(&self.token) == Secret::new(secret)
    }

    fn live(&self, id: Option<TokenId>) -> CancellationToken {
        lock(&self.live).entry(id).or_default().clone()
    }
}

/// Codes that were given out and not used yet.
#[derive(Default)]
struct Codes(HashMap<String, Instant>);

impl Codes {
    fn make(&mut self, now: Instant) -> Secret {
        let code = Secret::new(host::hex(&host::random_bytes::<16>()));
        self.0.retain(|_, made| now.saturating_duration_since(*made) < CODE_LIFE);
        if self.0.len() < MOST_CODES {
            self.0.insert(code.expose().to_owned(), now);
        }
        code
    }

    fn redeem(&mut self, code: &str, now: Instant) -> bool {
        self.0.remove(code).is_some_and(|made| now.duration_since(made) < CODE_LIFE)
    }
}

/// The `Set-Cookie` value that signs a browser out.
pub fn signed_out() -> String {
    format!("{COOKIE}=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict")
}

pub fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, secret) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(secret.trim())
}

pub fn cookie(headers: &HeaderMap) -> Option<&str> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find_map(|(name, value)| (name == COOKIE && !value.is_empty()).then_some(value))
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
        for _ in 0..MOST_CODES * 2 {
            codes.make(start);
        }
        assert_eq!(codes.0.len(), MOST_CODES);
        let later = start + CODE_LIFE;
        let code = codes.make(later);
        assert_eq!(codes.0.len(), 1);
        assert!(codes.redeem(code.expose(), later));
    }
}
