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

const TALK: Subject<'_> = Subject::Conversation("talk");

#[test]
fn a_state_comes_back_as_it_was() {
    let folder = Folder::new("roundtrip");
    let cache = DiskCache::new(folder.0.clone(), "maker", 1 << 20);
    cache.save(TALK, &tokens(5), StateBytes(vec![7; 1000]));
    cache.flush();
    let (loaded, state) = cache.load(TALK).unwrap();
    assert_eq!((loaded, state.0), (tokens(5), vec![7; 1000]));
    assert!(cache.load(Subject::Conversation("other")).is_none());
    assert!(cache.load(Subject::Prefix(&tokens(5))).is_none());
}

#[test]
fn another_model_or_engine_does_not_see_it() {
    let folder = Folder::new("maker");
    let cache = DiskCache::new(folder.0.clone(), "model a", 1 << 20);
    cache.save(TALK, &tokens(5), StateBytes(vec![7; 10]));
    cache.flush();
    assert!(DiskCache::new(folder.0.clone(), "model b", 1 << 20).load(TALK).is_none());
}

#[test]
fn a_damaged_file_is_dropped_wherever_the_damage_is() {
    let folder = Folder::new("damage");
    let cache = DiskCache::new(folder.0.clone(), "maker", 1 << 20);
    let path = cache.path(TALK);
    let good = encode(&tokens(3), &StateBytes(vec![1; 50]));
    for at in 0..good.len() {
        let mut flipped = good.clone();
        flipped[at] ^= 0x10;
        assert!(decode(flipped).is_none(), "byte {at}");
        assert!(decode(good[..at].to_vec()).is_none(), "cut at {at}");
    }
    fs::create_dir_all(&folder.0).unwrap();
    fs::write(&path, &good[..40]).unwrap();
    assert!(cache.load(TALK).is_none());
    cache.flush();
    assert!(!path.exists());
}

#[test]
fn the_budget_keeps_what_was_used_last() {
    let folder = Folder::new("budget");
    let cache = DiskCache::new(folder.0.clone(), "maker", 3000);
    for (age, name) in [(3, "a"), (2, "b"), (1, "c")] {
        cache.save(Subject::Conversation(name), &tokens(1), StateBytes(vec![0; 900]));
        cache.flush();
        let used = SystemTime::now() - Duration::from_secs(age * 60);
        File::open(cache.path(Subject::Conversation(name))).unwrap().set_modified(used).unwrap();
    }
    assert!(cache.load(Subject::Conversation("a")).is_some());
    cache.save(Subject::Conversation("d"), &tokens(1), StateBytes(vec![0; 900]));
    cache.flush();
    let left: Vec<_> = ["a", "b", "c", "d"]
        .into_iter()
        .filter(|name| cache.load(Subject::Conversation(name)).is_some())
        .collect();
    assert_eq!(left, ["a", "c", "d"]);
}

#[test]
fn without_a_budget_nothing_is_written() {
    let folder = Folder::new("none");
    let cache = DiskCache::new(folder.0.clone(), "maker", 0);
    cache.save(TALK, &tokens(1), StateBytes(vec![0; 10]));
    cache.flush();
    assert_eq!(folder.files(), 0);
    assert!(cache.load(TALK).is_none());
}
