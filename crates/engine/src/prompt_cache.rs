use std::collections::HashMap;

use model::CacheKey;

use crate::state::StateBytes;
use crate::transcript::Transcript;

/// An in-memory cache for the evaluated state of conversations, with a budget in bytes. The least recently used entry
/// is evicted first.
pub struct PromptCache {
    budget: usize,
    held: usize,
    clock: u64,
    entries: HashMap<CacheKey, ParkedState>,
}

/// The cached state of a conversation.
pub struct ParkedState {
    pub transcript: Transcript,
    pub state: StateBytes,
    /// True if the disk holds the same state.
    pub saved: bool,
    used: u64,
}

impl PromptCache {
    pub fn new(budget: usize) -> Self {
        Self { budget, held: 0, clock: 0, entries: HashMap::new() }
    }

    /// Returns true if an entry of this size fits without evicting another.
    pub fn has_room(&self, bytes: usize) -> bool {
        self.held + bytes <= self.budget
    }

    pub fn put(&mut self, key: CacheKey, transcript: Transcript, state: StateBytes, saved: bool) {
        self.remove(&key);
        if state.0.len() > self.budget {
            return;
        }
        self.clock += 1;
        self.held += state.0.len();
        self.entries.insert(key, ParkedState { transcript, state, saved, used: self.clock });
        while self.held > self.budget {
            let Some(oldest) =
                self.entries.iter().min_by_key(|(_, parked)| parked.used).map(|(key, _)| key.clone())
            else {
                return;
            };
            self.remove(&oldest);
        }
    }

    pub fn remove(&mut self, key: &CacheKey) -> Option<ParkedState> {
        let parked = self.entries.remove(key)?;
        self.held -= parked.state.0.len();
        Some(parked)
    }

    /// Returns the number of cached tokens of a conversation.
    pub fn tokens(&self, key: &CacheKey) -> Option<usize> {
        self.entries.get(key).map(|parked| parked.transcript.len())
    }

    /// Returns the entries that are not on disk yet, most recent first.
    pub fn unsaved(&mut self) -> Vec<(&CacheKey, &mut ParkedState)> {
        let mut entries: Vec<_> = self.entries.iter_mut().filter(|(_, parked)| !parked.saved).collect();
        entries.sort_by_key(|(_, parked)| std::cmp::Reverse(parked.used));
        entries
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(shelf: &mut PromptCache, key: &str, bytes: usize) {
        shelf.put(CacheKey::new(key), Transcript::default(), vec![0; bytes].into(), false);
    }

    #[test]
    fn the_least_recently_used_goes_first() {
        let mut shelf = PromptCache::new(100);
        put(&mut shelf, "a", 40);
        put(&mut shelf, "b", 40);
        let a = shelf.remove(&CacheKey::new("a")).unwrap();
        shelf.put(CacheKey::new("a"), a.transcript, a.state, a.saved);
        put(&mut shelf, "c", 40);
        assert!(shelf.remove(&CacheKey::new("b")).is_none());
        assert!(shelf.remove(&CacheKey::new("a")).is_some());
        assert!(shelf.remove(&CacheKey::new("c")).is_some());
        assert_eq!(shelf.held, 0);
    }

    #[test]
    fn what_is_larger_than_the_budget_is_not_kept() {
        let mut shelf = PromptCache::new(100);
        put(&mut shelf, "small", 10);
        put(&mut shelf, "huge", 101);
        assert!(shelf.remove(&CacheKey::new("huge")).is_none());
        assert!(shelf.remove(&CacheKey::new("small")).is_some());
    }
}
