use jiff::Timestamp;
use protocol::{Scope, SessionInfo, TokenId, TokenInfo, User, UserId};
use rusqlite::{Connection, OptionalExtension, Row, params};
use sha2::{Digest, Sha256};

use crate::error::{ObjectKind, OrNotFound, Result, StoreError};
use crate::store::Store;
use crate::stored::{RowExt, rfc3339, to_json};
use crate::writer::Durability;

/// The granularity of `last_used_at`, so that not every request causes a write.
const TOUCH_EVERY_MS: i64 = 60_000;

/// The SHA-256 of a token or of a browser session's id. The secret itself is never stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SecretHash([u8; 32]);

impl SecretHash {
    pub fn of(secret: &str) -> Self {
        Self(Sha256::digest(secret).into())
    }
}

impl Store {
    pub async fn owner(&self) -> Result<User> {
        self.read(|connection| {
            let sql = "SELECT id, name, owner FROM users WHERE owner = 1";
            connection.prepare_cached(sql)?.query_row([], read_user).or_not_found(ObjectKind::User)
        })
        .await
    }

    pub async fn user(&self, id: UserId) -> Result<User> {
        self.read(move |connection| {
            let sql = "SELECT id, name, owner FROM users WHERE id = ?1";
            connection.prepare_cached(sql)?.query_row([id.get()], read_user).or_not_found(ObjectKind::User)
        })
        .await
    }

    /// Returns all users, the owner first.
    pub async fn users(&self) -> Result<Vec<User>> {
        self.read(|connection| {
            let mut statement =
                connection.prepare_cached("SELECT id, name, owner FROM users ORDER BY owner DESC, id")?;
            let users = statement.query_map([], read_user)?.collect::<rusqlite::Result<_>>()?;
            Ok(users)
        })
        .await
    }

    pub async fn create_user(&self, name: &str) -> Result<User> {
        let name = name.trim().to_owned();
        if name.is_empty() {
            return Err(StoreError::Invalid("a user needs a name".into()));
        }
        let context = self.context();
        self.write(Durability::Person, move |connection| {
            let id = context.ids.next();
            let sql = "INSERT INTO users (id, name, owner, created_at) VALUES (?1, ?2, 0, ?3) ON CONFLICT DO NOTHING";
            if connection.execute(sql, params![id, name, context.now])? == 0 {
                return Err(StoreError::Conflict("there is already a user with that name. Choose another name"));
            }
            Ok(User { id: UserId::new(id), name, owner: false })
        })
        .await
    }

    pub async fn create_token(
        &self,
        user: UserId,
        name: &str,
        hash: SecretHash,
        scopes: Vec<Scope>,
    ) -> Result<TokenInfo> {
        let name = name.trim().to_owned();
        let context = self.context();
        self.write(Durability::Person, move |connection| {
            user_exists(connection, user)?;
            let id = context.ids.next();
            let sql = "INSERT INTO tokens (id, user, name, hash, scopes, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
            connection.execute(sql, params![id, user.get(), name, hash.0, to_json(&scopes)?, context.now])?;
            let created_at = rfc3339(context.now);
            Ok(TokenInfo { id: TokenId::new(id), name, user, scopes, created_at, last_used_at: None })
        })
        .await
    }

    /// Returns the token with this hash, if there is one, and updates its time of last use.
    pub async fn token(&self, hash: SecretHash) -> Result<Option<TokenInfo>> {
        let found = self
            .read(move |connection| {
                let sql =
                    "SELECT id, user, name, scopes, created_at, last_used_at FROM tokens WHERE hash = ?1";
                let mut statement = connection.prepare_cached(sql)?;
                let found = statement.query_row([hash.0], |row| {
                    Ok((read_token(row)?, row.get::<_, Option<i64>>("last_used_at")?))
                });
                Ok(found.optional()?)
            })
            .await?;
        let Some((token, last_used)) = found else { return Ok(None) };
        self.touch(
            "UPDATE tokens SET last_used_at = max(ifnull(last_used_at, 0), ?2) WHERE id = ?1",
            token.id,
            last_used,
        )?;
        Ok(Some(token))
    }

    pub async fn tokens(&self, user: UserId) -> Result<Vec<TokenInfo>> {
        self.read(move |connection| {
            let sql = "SELECT id, user, name, scopes, created_at, last_used_at FROM tokens WHERE user = ?1 ORDER BY id";
            let mut statement = connection.prepare_cached(sql)?;
            let tokens = statement.query_map([user.get()], read_token)?.collect::<rusqlite::Result<_>>()?;
            Ok(tokens)
        })
        .await
    }

    /// Revokes a token and ends the browser sessions that were started with it. Returns those sessions.
    pub async fn delete_token(&self, user: UserId, id: TokenId) -> Result<Vec<TokenId>> {
        self.write(Durability::Person, move |connection| {
            let of_token = [id.get(), user.get()];
            let sql = "DELETE FROM sessions WHERE token = ?1 AND user = ?2 RETURNING id";
            let ended = connection
                .prepare_cached(sql)?
                .query_map(of_token, |row| row.get(0).map(TokenId::new))?
                .collect::<rusqlite::Result<_>>()?;
            let deleted = connection.execute("DELETE FROM tokens WHERE id = ?1 AND user = ?2", of_token)?;
            if deleted == 0 { Err(StoreError::NotFound(ObjectKind::Token)) } else { Ok(ended) }
        })
        .await
    }

    /// Creates a browser session; `token` is set if the sign-in used one of [`Store::tokens`]. `agent` is the browser's
    /// own description of itself.
    pub async fn create_session(
        &self,
        user: UserId,
        hash: SecretHash,
        agent: &str,
        token: Option<TokenId>,
    ) -> Result<SessionInfo> {
        let agent = agent.to_owned();
        let context = self.context();
        self.write(Durability::Person, move |connection| {
            user_exists(connection, user)?;
            if let Some(token) = token {
                token_exists(connection, user, token)?;
            }
            let id = context.ids.next();
            let sql = "INSERT INTO sessions (id, user, hash, agent, created_at, last_used_at, token)
                       VALUES (?1, ?2, ?3, ?4, ?5, ?5, ?6)";
            let token = token.map(TokenId::get);
            connection.execute(sql, params![id, user.get(), hash.0, agent, context.now, token])?;
            let at = rfc3339(context.now);
            let id = TokenId::new(id);
            Ok(SessionInfo { id, user, created_at: at.clone(), last_used_at: at, agent, current: true })
        })
        .await
    }

    /// Returns the session with this hash, if there is one, and updates its time of last use.
    pub async fn session(&self, hash: SecretHash) -> Result<Option<SessionInfo>> {
        let found = self
            .read(move |connection| {
                let sql = "SELECT id, user, agent, created_at, last_used_at FROM sessions WHERE hash = ?1";
                let mut statement = connection.prepare_cached(sql)?;
                let found = statement.query_row([hash.0], |row| {
                    let session = SessionInfo { current: true, ..read_session(row)? };
                    Ok((session, row.get::<_, i64>("last_used_at")?))
                });
                Ok(found.optional()?)
            })
            .await?;
        let Some((session, last_used)) = found else { return Ok(None) };
        self.touch(
            "UPDATE sessions SET last_used_at = max(last_used_at, ?2) WHERE id = ?1",
            session.id,
            Some(last_used),
        )?;
        Ok(Some(session))
    }

    /// Returns a user's browser sessions. The caller has to set `current`, since it knows which session the request
    /// came from.
    pub async fn sessions(&self, user: UserId) -> Result<Vec<SessionInfo>> {
        self.read(move |connection| {
            let sql =
                "SELECT id, user, agent, created_at, last_used_at FROM sessions WHERE user = ?1 ORDER BY id";
            let mut statement = connection.prepare_cached(sql)?;
            let sessions =
                statement.query_map([user.get()], read_session)?.collect::<rusqlite::Result<_>>()?;
            Ok(sessions)
        })
        .await
    }

    pub async fn delete_session(&self, user: UserId, id: TokenId) -> Result<()> {
        self.write(Durability::Person, move |connection| {
            let sql = "DELETE FROM sessions WHERE id = ?1 AND user = ?2";
            let deleted = connection.execute(sql, params![id.get(), user.get()])?;
            if deleted == 0 { Err(StoreError::NotFound(ObjectKind::Session)) } else { Ok(()) }
        })
        .await
    }

    /// Ends the browser sessions that were last used before that time.
    pub async fn purge_sessions_before(&self, before: Timestamp) -> Result<usize> {
        self.write(Durability::Log, move |connection| {
            Ok(connection
                .execute("DELETE FROM sessions WHERE last_used_at < ?1", [before.as_millisecond()])?)
        })
        .await
    }

    /// Records a use without making the caller wait for the disk.
    fn touch(&self, sql: &'static str, id: TokenId, last_used: Option<i64>) -> Result<()> {
        let now = self.context().now;
        if last_used.is_none_or(|last| now - last >= TOUCH_EVERY_MS) {
            self.writer().submit(Durability::Log, move |connection| {
                connection.prepare_cached(sql)?.execute(params![id.get(), now])?;
                Ok(())
            })?;
        }
        Ok(())
    }
}

pub(crate) fn user_exists(connection: &Connection, user: UserId) -> Result<()> {
    let sql = "SELECT 1 FROM users WHERE id = ?1";
    connection.prepare_cached(sql)?.query_row([user.get()], |_| Ok(())).or_not_found(ObjectKind::User)
}

/// Checks that a token still exists, since it may be revoked while it is used to sign in.
fn token_exists(connection: &Connection, user: UserId, token: TokenId) -> Result<()> {
    let sql = "SELECT 1 FROM tokens WHERE id = ?1 AND user = ?2";
    let mut statement = connection.prepare_cached(sql)?;
    statement.query_row([token.get(), user.get()], |_| Ok(())).or_not_found(ObjectKind::Token)
}

fn read_user(row: &Row<'_>) -> rusqlite::Result<User> {
    Ok(User { id: UserId::new(row.get("id")?), name: row.get("name")?, owner: row.get("owner")? })
}

fn read_token(row: &Row<'_>) -> rusqlite::Result<TokenInfo> {
    Ok(TokenInfo {
        id: TokenId::new(row.get("id")?),
        name: row.get("name")?,
        user: UserId::new(row.get("user")?),
        scopes: row.json("scopes")?,
        created_at: row.time("created_at")?,
        last_used_at: row.get::<_, Option<i64>>("last_used_at")?.map(rfc3339),
    })
}

fn read_session(row: &Row<'_>) -> rusqlite::Result<SessionInfo> {
    Ok(SessionInfo {
        id: TokenId::new(row.get("id")?),
        user: UserId::new(row.get("user")?),
        created_at: row.time("created_at")?,
        last_used_at: row.time("last_used_at")?,
        agent: row.get("agent")?,
        current: false,
    })
}
