use std::time::Duration;

use super::*;

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("perigee-state-{name}-{}", std::process::id()));
        fs::remove_dir_all(&path).ok();
        Self(path)
    }

    fn files(&self) -> usize {
        fs::read_dir(&self.0).map_or(0, Iterator::count)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).ok();
    }
}

fn tokens(count: i32) -> Vec<LlamaToken> {
    (0..count).map(LlamaToken).collect()
}

const TALK: CacheSubject<'_> = CacheSubject::Conversation("talk");

#[test]
fn a_state_comes_back_as_it_was() {
    let folder = Folder::new("roundtrip");
    let cache = DiskCache::new(folder.0.clone(), "maker", 1 << 20);
    cache.save(TALK, &tokens(5), vec![7; 1000].into());
    cache.flush();
    let (loaded, state) = cache.load(TALK, |_| true).unwrap();
    assert_eq!((loaded, state), (tokens(5), vec![7; 1000].into()));
    assert!(cache.load(CacheSubject::Conversation("other"), |_| true).is_none());
    assert!(cache.load(CacheSubject::Prefix(&tokens(5)), |_| true).is_none());
}

#[test]
fn another_model_or_engine_does_not_see_it() {
    let folder = Folder::new("maker");
    let cache = DiskCache::new(folder.0.clone(), "model a", 1 << 20);
    cache.save(TALK, &tokens(5), vec![7; 10].into());
    cache.flush();
    assert!(DiskCache::new(folder.0.clone(), "model b", 1 << 20).load(TALK, |_| true).is_none());
}

#[test]
fn a_damaged_file_is_dropped_wherever_the_damage_is() {
    let folder = Folder::new("damage");
    let cache = DiskCache::new(folder.0.clone(), "maker", 1 << 20);
    let path = cache.path(TALK);
    let good = encode(&tokens(3), vec![1; 50].into());
    for at in 0..good.len() {
        let mut flipped = good.clone();
        flipped[at] ^= 0x10;
        assert!(decode(flipped).is_none(), "byte {at}");
        assert!(decode(good[..at].to_vec()).is_none(), "cut at {at}");
    }
    fs::create_dir_all(&folder.0).unwrap();
    fs::write(&path, &good[..40]).unwrap();
    assert!(cache.load(TALK, |_| true).is_none());
    cache.flush();
    assert!(!path.exists());
}

#[test]
fn the_budget_keeps_what_was_used_last() {
    let folder = Folder::new("budget");
    let cache = DiskCache::new(folder.0.clone(), "maker", 3000);
    for (age, name) in [(3, "a"), (2, "b"), (1, "c")] {
        cache.save(CacheSubject::Conversation(name), &tokens(1), vec![0; 900].into());
        cache.flush();
        let used = SystemTime::now() - Duration::from_secs(age * 60);
        File::open(cache.path(CacheSubject::Conversation(name))).unwrap().set_modified(used).unwrap();
    }
    assert!(cache.load(CacheSubject::Conversation("a"), |_| true).is_some());
    cache.save(CacheSubject::Conversation("d"), &tokens(1), vec![0; 900].into());
    cache.flush();
    let left: Vec<_> = ["a", "b", "c", "d"]
        .into_iter()
        .filter(|name| cache.load(CacheSubject::Conversation(name), |_| true).is_some())
        .collect();
    assert_eq!(left, ["a", "c", "d"]);
}

#[test]
fn without_a_budget_nothing_is_written() {
    let folder = Folder::new("none");
    let cache = DiskCache::new(folder.0.clone(), "maker", 0);
    cache.save(TALK, &tokens(1), vec![0; 10].into());
    cache.flush();
    assert_eq!(folder.files(), 0);
    assert!(cache.load(TALK, |_| true).is_none());
}

#[test]
fn a_conversation_is_forgotten_whichever_model_kept_it() {
    let folder = Folder::new("forget");
    let makers = ["one", "two"].map(|maker| DiskCache::new(folder.0.clone(), maker, 9000));
    for cache in &makers {
        for subject in [TALK, CacheSubject::Conversation("other"), CacheSubject::Prefix(&tokens(3))] {
            cache.save(subject, &tokens(1), vec![0; 10].into());
        }
        cache.flush();
    }
    assert_eq!(folder.files(), 6);
    forget(&folder.0, "talk");
    assert_eq!(folder.files(), 4);
    for cache in &makers {
        assert!(cache.load(TALK, |_| true).is_none());
        assert!(cache.load(CacheSubject::Conversation("other"), |_| true).is_some());
    }
}

#[test]
fn a_state_that_is_larger_than_the_budget_pushes_nothing_out() {
    let folder = Folder::new("larger");
    let cache = DiskCache::new(folder.0.clone(), "maker", 3000);
    for name in ["a", "b"] {
        cache.save(CacheSubject::Conversation(name), &tokens(1), vec![0; 900].into());
    }
    let largest = 3000 - END - 4;
    assert!(cache.takes(1, largest) && !cache.takes(1, largest + 1));
    cache.save(CacheSubject::Conversation("huge"), &tokens(1), vec![0; largest + 1].into());
    cache.flush();
    let kept = |name: &str| cache.load(CacheSubject::Conversation(name), |_| true).is_some();
    assert_eq!(["a", "b", "huge"].map(kept), [true, true, false]);

    // A file from a larger budget that is too large by itself is the only one deleted.
    let old = SystemTime::now() - Duration::from_mins(10);
    let path = cache.path(CacheSubject::Conversation("huge"));
    fs::write(&path, encode(&tokens(1), vec![0; 5000].into())).unwrap();
    for (age, name) in [(0, "huge"), (60, "a"), (120, "b")] {
        let used = old - Duration::from_secs(age);
        File::open(cache.path(CacheSubject::Conversation(name))).unwrap().set_modified(used).unwrap();
    }
    cache.save(CacheSubject::Conversation("c"), &tokens(1), vec![0; 900].into());
    cache.flush();
    assert_eq!(["a", "b", "c", "huge"].map(kept), [true, true, true, false]);
}

#[test]
fn a_state_that_does_not_fit_is_neither_read_nor_dropped() {
    let folder = Folder::new("fits");
    let cache = DiskCache::new(folder.0.clone(), "maker", 1 << 20);
    assert!(!cache.holds(TALK));
    cache.save(TALK, &tokens(5), vec![7; 1000].into());
    cache.flush();
    assert!(cache.holds(TALK));
    assert!(cache.load(TALK, |tokens| tokens < 5).is_none());
    cache.flush();
    assert!(cache.load(TALK, |tokens| tokens == 5).is_some());
}
