//! The calls that a server works on, and the people for whom it does.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use protocol::UserId;
use rmcp::model::{NumberOrString, ProgressNotificationParam, ProgressToken};
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;
use tools::{Contact, Question};

use crate::handler::shortened;

/// One of them.
#[derive(Debug)]
pub struct Call {
    user: UserId,
    contact: Arc<dyn Contact>,
    /// How often something was heard of it.
    signs: AtomicU64,
    /// How many questions wait for an answer.
    asking: AtomicUsize,
    /// How many were asked in all.
    asked: AtomicUsize,
    /// The server has answered: what it still wants to know is not asked.
    over: CancellationToken,
}

impl Call {
    pub fn new(user: UserId, contact: Arc<dyn Contact>) -> Arc<Self> {
        Arc::new(Self {
            user,
            contact,
            signs: AtomicU64::new(0),
            asking: AtomicUsize::new(0),
            asked: AtomicUsize::new(0),
            over: CancellationToken::new(),
        })
    }

    /// The server has said how far it is.
    pub fn progressed(&self, text: &str) {
        self.signs.fetch_add(1, Ordering::Relaxed);
        self.contact.show(text);
    }

    pub fn signs(&self) -> u64 {
        self.signs.load(Ordering::Relaxed)
    }

    /// Whether the person thinks, and not the server.
    pub fn is_asking(&self) -> bool {
        self.asking.load(Ordering::Relaxed) > 0
    }

    pub async fn ask(&self, question: Question) -> Option<Map<String, Value>> {
        if self.asked.fetch_add(1, Ordering::Relaxed) >= MOST_QUESTIONS {
            return None;
        }
        self.asking.fetch_add(1, Ordering::Relaxed);
        let answer = self.over.run_until_cancelled(self.contact.ask(question)).await.flatten();
        self.asking.fetch_sub(1, Ordering::Relaxed);
        self.signs.fetch_add(1, Ordering::Relaxed);
        answer
    }
}

/// Whoever asks more often in one call does not want to know.
const MOST_QUESTIONS: usize = 10;
/// A quick server may say how far it is before its call is written down here: so much of that is kept.
const MOST_EARLY: usize = 32;

/// All that run now.
#[derive(Debug, Default)]
pub struct Calls(Mutex<Now>);

#[derive(Debug, Default)]
struct Now {
    /// By the token under which their progress is told.
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

    /// A server says how far it is with one of them.
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

    /// The call for which a server asks back. It does not say which one; where calls of several people run, nobody
    /// is asked, since one would be asked about the other's.
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

/// A progress token as a text.
pub fn token(token: &ProgressToken) -> String {
    match &token.0 {
        NumberOrString::Number(number) => number.to_string(),
        NumberOrString::String(text) => text.to_string(),
    }
}

/// A call for as long as it runs.
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
