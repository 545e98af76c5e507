//! The calls in progress on a server, with the users they run for.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use protocol::UserId;
use rmcp::model::{NumberOrString, ProgressNotificationParam, ProgressToken};
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;
use tools::{UserChannel, UserQuestion};

/// A call in progress.
#[derive(Debug)]
pub struct ServerCall {
    user: UserId,
    channel: Arc<dyn UserChannel>,
    /// The number of signs of activity: progress reports and answered questions.
    activity: AtomicU64,
    /// The number of questions waiting for an answer.
    open_questions: AtomicUsize,
    /// The number of questions asked in total.
    question_count: AtomicUsize,
    /// Cancelled once the server has answered: questions that are still open are dropped.
    answered: CancellationToken,
}

impl ServerCall {
    pub fn new(user: UserId, channel: Arc<dyn UserChannel>) -> Arc<Self> {
        Arc::new(Self {
            user,
            channel,
            activity: AtomicU64::new(0),
            open_questions: AtomicUsize::new(0),
            question_count: AtomicUsize::new(0),
            answered: CancellationToken::new(),
        })
    }

    /// Records and shows a progress report of the server.
    pub fn report_progress(&self, text: &str) {
        self.activity.fetch_add(1, Ordering::Relaxed);
        self.channel.show(text);
    }

    pub fn activity(&self) -> u64 {
        self.activity.load(Ordering::Relaxed)
    }

    /// Returns true if the call waits for the user rather than for the server.
    pub fn is_asking(&self) -> bool {
        self.open_questions.load(Ordering::Relaxed) > 0
    }

    /// Asks the user, and returns what they fill in; `None` for a no.
    pub async fn ask(&self, question: UserQuestion) -> Option<Map<String, Value>> {
        if self.question_count.fetch_add(1, Ordering::Relaxed) >= MOST_QUESTIONS {
            return None;
        }
        self.open_questions.fetch_add(1, Ordering::Relaxed);
        let answer = self.answered.run_until_cancelled(self.channel.ask(question)).await.flatten();
        self.open_questions.fetch_sub(1, Ordering::Relaxed);
        self.activity.fetch_add(1, Ordering::Relaxed);
        answer
    }
}

/// The most questions that a server may ask in one call.
const MOST_QUESTIONS: usize = 10;
/// The most characters of a text of the server that the user is shown.
const LONGEST_TEXT: usize = 4_000;
/// The most early progress reports kept: a fast server may send progress before its call is registered here.
const MOST_EARLY: usize = 32;

/// All calls in progress.
#[derive(Debug, Default)]
pub struct ServerCalls(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    /// The calls by their progress tokens.
    calls: BTreeMap<String, Arc<ServerCall>>,
    /// Progress reports by tokens that are not known yet.
    early: VecDeque<(String, String)>,
}

impl ServerCalls {
    /// Registers a call, until the returned guard is dropped.
    pub fn begin(self: &Arc<Self>, token: String, call: Arc<ServerCall>) -> ServerCallGuard {
        let mut state = self.lock();
        state.early.retain(|(of, text)| {
            if *of == token {
                call.report_progress(text);
            }
            *of != token
        });
        state.calls.insert(token.clone(), call);
        drop(state);
        ServerCallGuard { calls: Arc::clone(self), token }
    }

    /// Handles a progress notification from the server.
    pub fn report_progress(&self, notification: &ProgressNotificationParam) {
        let done = match notification.total {
            Some(total) if total > 0.0 => {
                format!("{:.0} %", (notification.progress / total * 100.0).clamp(0.0, 100.0))
            }
            _ => format!("{}", notification.progress),
        };
        let words =
            notification.message.as_deref().map(|words| format!(" {}", shortened(words))).unwrap_or_default();
        let (token, text) = (token(&notification.progress_token), format!("{done}{words}\n"));
        let mut state = self.lock();
        let call = state.calls.get(&token).cloned();
        if let Some(call) = call {
            drop(state);
            call.report_progress(&text);
            return;
        }
        if state.early.len() >= MOST_EARLY {
            state.early.pop_front();
        }
        state.early.push_back((token, text));
    }

    /// Returns the call to which a question of the server belongs. The server does not name the call, so if calls of
    /// several users are running, no user is asked: the question might reach the wrong one.
    pub fn caller(&self) -> Option<Arc<ServerCall>> {
        let state = self.lock();
        let newest = state.calls.values().next_back()?;
        state.calls.values().all(|call| call.user == newest.user).then(|| Arc::clone(newest))
    }

    pub fn is_empty(&self) -> bool {
        self.lock().calls.is_empty()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
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

/// Cuts a text of a server to a length that a user would read.
pub fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST_TEXT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Ends a call on drop.
pub struct ServerCallGuard {
    calls: Arc<ServerCalls>,
    token: String,
}

impl Drop for ServerCallGuard {
    fn drop(&mut self) {
        if let Some(call) = self.calls.lock().calls.remove(&self.token) {
            call.answered.cancel();
        }
    }
}
