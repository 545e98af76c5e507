//! The calls in progress on a server, with the users they run for.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use protocol::UserId;
use rmcp::model::{NumberOrString, ProgressNotificationParam, ProgressToken};
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;
use tools::{UserChannel, UserQuestion};

use crate::handler::shortened;

/// A call in progress.
#[derive(Debug)]
pub struct Call {
    user: UserId,
    user_channel: Arc<dyn UserChannel>,
    /// The number of signs of activity: progress reports and answered questions.
    signs: AtomicU64,
    /// The number of questions waiting for an answer.
    asking: AtomicUsize,
    /// The number of questions asked in total.
    asked: AtomicUsize,
    /// Cancelled once the server has answered: questions that are still open are dropped.
    over: CancellationToken,
}

impl Call {
    pub fn new(user: UserId, user_channel: Arc<dyn UserChannel>) -> Arc<Self> {
        Arc::new(Self {
            user,
            user_channel,
            signs: AtomicU64::new(0),
            asking: AtomicUsize::new(0),
            asked: AtomicUsize::new(0),
            over: CancellationToken::new(),
        })
    }

    /// Records and shows a progress report of the server.
    pub fn progressed(&self, text: &str) {
        self.signs.fetch_add(1, Ordering::Relaxed);
        self.user_channel.show(text);
    }

    pub fn signs(&self) -> u64 {
        self.signs.load(Ordering::Relaxed)
    }

    /// Returns true if the call waits for the user rather than for the server.
    pub fn is_asking(&self) -> bool {
        self.asking.load(Ordering::Relaxed) > 0
    }

    pub async fn ask(&self, question: UserQuestion) -> Option<Map<String, Value>> {
        if self.asked.fetch_add(1, Ordering::Relaxed) >= MOST_QUESTIONS {
            return None;
        }
        self.asking.fetch_add(1, Ordering::Relaxed);
        let answer = self.over.run_until_cancelled(self.user_channel.ask(question)).await.flatten();
        self.asking.fetch_sub(1, Ordering::Relaxed);
        self.signs.fetch_add(1, Ordering::Relaxed);
        answer
    }
}

/// The most questions that a server may ask in one call.
const MOST_QUESTIONS: usize = 10;
/// The most early progress reports kept: a fast server may send progress before its call is registered here.
const MOST_EARLY: usize = 32;

/// All calls in progress.
#[derive(Debug, Default)]
pub struct Calls(Mutex<Now>);

#[derive(Debug, Default)]
struct Now {
    /// The calls by their progress tokens.
    calls: BTreeMap<String, Arc<Call>>,
    early: VecDeque<(String, String)>,
}

impl Calls {
    pub fn begin(self: &Arc<Self>, token: String, call: Arc<Call>) -> Running {
        let mut now = self.lock();
        now.early.retain(|(of, text)| {
            if *of == token {
                call.progressed(text);
            }
            *of != token
        });
        now.calls.insert(token.clone(), call);
        drop(now);
        Running { calls: Arc::clone(self), token }
    }

    /// Handles a progress notification from the server.
    pub fn progressed(&self, told: &ProgressNotificationParam) {
        let done = match told.total {
            Some(total) if total > 0.0 => {
                format!("{:.0} %", (told.progress / total * 100.0).clamp(0.0, 100.0))
            }
            _ => format!("{}", told.progress),
        };
        let words = told.message.as_deref().map(|words| format!(" {}", shortened(words))).unwrap_or_default();
        let (token, text) = (token(&told.progress_token), format!("{done}{words}\n"));
        let mut now = self.lock();
        let call = now.calls.get(&token).cloned();
        if let Some(call) = call {
            drop(now);
            call.progressed(&text);
            return;
        }
        if now.early.len() >= MOST_EARLY {
            now.early.pop_front();
        }
        now.early.push_back((token, text));
    }

    /// Returns the call to which a question of the server belongs. The server does not name the call, so if calls of
    /// several users are running, no user is asked: the question might reach the wrong one.
    pub fn asker(&self) -> Option<Arc<Call>> {
        let now = self.lock();
        let newest = now.calls.values().next_back()?;
        now.calls.values().all(|call| call.user == newest.user).then(|| Arc::clone(newest))
    }

    pub fn is_empty(&self) -> bool {
        self.lock().calls.is_empty()
    }

    fn lock(&self) -> MutexGuard<'_, Now> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns a progress token as text.
pub fn token(token: &ProgressToken) -> String {
    match &token.0 {
        NumberOrString::Number(number) => number.to_string(),
        NumberOrString::String(text) => text.to_string(),
    }
}

/// The guard of a running call, which ends the call on drop.
pub struct Running {
    calls: Arc<Calls>,
    token: String,
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(call) = self.calls.lock().calls.remove(&self.token) {
            call.over.cancel();
        }
    }
}
