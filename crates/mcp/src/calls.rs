//! The calls that a server works on, and the people for whom it does.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use protocol::UserId;
use serde_json::{Map, Value};
use tools::{Contact, Question};

/// One of them.
#[derive(Debug)]
pub struct Call {
    user: UserId,
    contact: Arc<dyn Contact>,
    /// How often something was heard of it.
    signs: AtomicU64,
    /// How many questions wait for an answer.
    asking: AtomicUsize,
}

impl Call {
    pub fn new(user: UserId, contact: Arc<dyn Contact>) -> Arc<Self> {
        Arc::new(Self { user, contact, signs: AtomicU64::new(0), asking: AtomicUsize::new(0) })
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
        self.asking.fetch_add(1, Ordering::Relaxed);
        let answer = self.contact.ask(question).await;
        self.asking.fetch_sub(1, Ordering::Relaxed);
        self.signs.fetch_add(1, Ordering::Relaxed);
        answer
    }
}

/// All that run now, by the token under which their progress is told.
#[derive(Debug, Default)]
pub struct Calls(Mutex<BTreeMap<String, Arc<Call>>>);

impl Calls {
    pub fn begin(self: &Arc<Self>, token: String, call: Arc<Call>) -> Running {
        self.lock().insert(token.clone(), call);
        Running { calls: Arc::clone(self), token }
    }

    pub fn of(&self, token: &str) -> Option<Arc<Call>> {
        self.lock().get(token).cloned()
    }

    /// The call for which a server asks back. It does not say which one; where calls of several people run, nobody
    /// is asked, since one would be asked about the other's.
    pub fn asker(&self) -> Option<Arc<Call>> {
        let calls = self.lock();
        let newest = calls.values().next_back()?;
        calls.values().all(|call| call.user == newest.user).then(|| Arc::clone(newest))
    }

    pub fn is_empty(&self) -> bool {
        self.lock().is_empty()
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Call>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A call for as long as it runs.
pub struct Running {
    calls: Arc<Calls>,
    token: String,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.calls.lock().remove(&self.token);
    }
}
