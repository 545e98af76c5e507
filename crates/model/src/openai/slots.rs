use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Mutex;

use crate::CacheKey;

/// Assigns conversations to a llama-server's slots, so that each finds its evaluated prompt again.
///
/// A conversation keeps its slot until another one needs it. The preferred slot depends only on the key, so that after
/// a restart the conversation finds the cache that the server still holds.
#[derive(Debug)]
pub(super) struct Slots {
    holders: Mutex<Holders>,
}

#[derive(Debug)]
struct Holders {
    slots: Vec<Option<Holder>>,
    turn: u64,
}

#[derive(Debug, Clone)]
struct Holder {
    key: CacheKey,
    used: u64,
}

impl Slots {
    pub(super) fn new(count: u32) -> Self {
        Self { holders: Mutex::new(Holders { slots: vec![None; count as usize], turn: 0 }) }
    }

    pub(super) fn choose(&self, key: &CacheKey) -> Option<u32> {
        let mut holders = self.lock();
        holders.turn += 1;
        let used = holders.turn;
        let preferred = preferred(key, holders.slots.len())?;
        let slots = &mut holders.slots;
        let held = slots.iter().position(|slot| slot.as_ref().is_some_and(|holder| holder.key == *key));
        let free = || {
            Some(preferred)
                .filter(|&at| slots[at].is_none())
                .or_else(|| slots.iter().position(Option::is_none))
        };
        let oldest = || (0..slots.len()).min_by_key(|&at| slots[at].as_ref().map_or(0, |holder| holder.used));
        let chosen = held.or_else(free).or_else(oldest)?;
        slots[chosen] = Some(Holder { key: key.clone(), used });
        u32::try_from(chosen).ok()
    }

    /// Frees the slot of a conversation and returns its index.
    pub(super) fn forget(&self, key: &CacheKey) -> Option<u32> {
        let mut holders = self.lock();
        let held =
            holders.slots.iter().position(|slot| slot.as_ref().is_some_and(|holder| holder.key == *key))?;
        holders.slots[held] = None;
        u32::try_from(held).ok()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Holders> {
        self.holders.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

fn preferred(key: &CacheKey, count: usize) -> Option<usize> {
    let mut hasher = DefaultHasher::new();
    key.hash(&mut hasher);
    usize::try_from(hasher.finish().checked_rem(count as u64)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(name: &str) -> CacheKey {
        CacheKey::new(name)
    }

    #[test]
    fn a_conversation_keeps_its_slot() {
        let slots = Slots::new(3);
        let first = slots.choose(&key("a")).unwrap();
        let second = slots.choose(&key("b")).unwrap();
        let third = slots.choose(&key("c")).unwrap();
        let mut all = [first, second, third];
        all.sort_unstable();
        assert_eq!(all, [0, 1, 2]);
        assert_eq!(slots.choose(&key("a")), Some(first));
        // `b` was used least recently.
        assert_eq!(slots.choose(&key("d")), Some(second));
        assert_eq!(slots.choose(&key("a")), Some(first));
    }

    #[test]
    fn the_first_choice_survives_a_restart() {
        for name in ["a", "b", "0000000000042"] {
            assert_eq!(Slots::new(4).choose(&key(name)), Slots::new(4).choose(&key(name)));
        }
    }

    #[test]
    fn a_forgotten_conversation_frees_its_slot() {
        let slots = Slots::new(1);
        slots.choose(&key("a"));
        assert_eq!(slots.forget(&key("a")), Some(0));
        assert_eq!(slots.forget(&key("a")), None);
        assert_eq!(Slots::new(0).choose(&key("a")), None);
    }
}
