//! The sessions at `/mcp` and their owners, so that no caller can continue the session of another.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use protocol::UserId;
use tokio_util::sync::CancellationToken;

use crate::auth::{AuthMethod, Caller};

/// The maximum number of open sessions. Beyond that, the oldest one is dropped, and its agent has to open another.
const MOST: usize = 1_024;

/// The open sessions, oldest first.
#[derive(Default)]
pub struct McpSessions(Mutex<VecDeque<McpSession>>);

/// One session, with the caller that opened it.
struct McpSession {
    session: String,
    user: UserId,
    means: AuthMethod,
    withdrawn: CancellationToken,
}

impl McpSessions {
    pub fn opened(&self, session: &str, caller: &Caller) {
        let mut agents = self.lock();
        agents.retain(|agent| !agent.withdrawn.is_cancelled());
        if agents.len() == MOST {
            agents.pop_front();
        }
        agents.push_back(McpSession {
            session: session.to_owned(),
            user: caller.user,
            means: caller.means.clone(),
            withdrawn: caller.withdrawn.clone(),
        });
    }

    /// Returns true if this caller opened the session, with a token that is still valid.
    pub fn is_of(&self, session: &str, caller: &Caller) -> bool {
        self.lock().iter().any(|agent| {
            agent.session == session
                && agent.user == caller.user
                && agent.means == caller.means
                && !agent.withdrawn.is_cancelled()
        })
    }

    pub fn closed(&self, session: &str) {
        self.lock().retain(|agent| agent.session != session);
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<McpSession>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
