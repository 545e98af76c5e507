//! Random commands in a layer and in a plain folder must have the same result.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::fixture::{CaptureMethod, LayerFixture, path};

/// A small reproducible random number generator.
struct Lot(u64);

impl Lot {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % end
    }

    fn folder(&mut self) -> &'static str {
        ["d1", "d2", "d1/d3", "d1/d3/d4", "d2/d5"][self.below(5)]
    }

    fn file(&mut self) -> String {
        let name = ["a.txt", "b.txt", "c.txt"][self.below(3)];
        if self.below(3) == 0 { name.to_owned() } else { format!("{}/{name}", self.folder()) }
    }

    /// Returns a random command. Files stay files and folders stay folders; commands may fail.
    fn order(&mut self, number: usize) -> String {
        let (one, other) = (self.file(), self.file());
        match self.below(9) {
            0 | 1 => format!("mkdir -p $(dirname {one}); echo {number} > {one}"),
            2 => format!("test -e {one} && echo {number} >> {one}"),
            3 => format!("rm -f {one}"),
            4 => format!("mkdir -p $(dirname {other}); mv {one} {other}"),
            5 => format!("rm -rf {}", self.folder()),
            6 => format!("mkdir -p {0}; rm -rf {0}/*; echo {number} > {0}/a.txt", self.folder()),
            7 => format!("cp -rT {} {}", self.folder(), ["d6", "d7"][self.below(2)]),
            _ => format!("mv -T {} d{}", self.folder(), 8 + self.below(2)),
        }
    }
}

fn texts(root: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut waiting = vec![root.to_owned()];
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                waiting.push(path);
            } else {
                let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
                found.insert(name, fs::read_to_string(path).unwrap());
            }
        }
    }
    found
}

/// Returns the workspace with all changes.
fn seen(fixture: &LayerFixture) -> BTreeMap<String, String> {
    let mut seen = texts(&fixture.root());
    for (name, text) in fixture.changes() {
        match text {
            Some(text) => drop(seen.insert(name, text)),
            None => drop(seen.remove(&name)),
        }
    }
    seen
}

#[tokio::test]
async fn whatever_is_done_the_overlay_is_what_the_folder_would_be() {
    let files = [
        ("a.txt", "a\n"),
        ("d1/a.txt", "1a\n"),
        ("d1/d3/b.txt", "3b\n"),
        ("d1/d3/d4/c.txt", "4c\n"),
        ("d2/b.txt", "2b\n"),
    ];
    for (method, rounds) in [(CaptureMethod::Mount, 40), (CaptureMethod::Copy, 12)] {
        let Some(mut fixture) = LayerFixture::new(method, &files, &[]).await else { continue };
        let plain = tempfile::tempdir().unwrap();
        for (name, text) in files {
            fs::create_dir_all(plain.path().join(name).parent().unwrap()).unwrap();
            fs::write(plain.path().join(name), text).unwrap();
        }
        let mut lot = Lot(7);
        for round in 0..rounds {
            let orders: Vec<String> = (0..=lot.below(4)).map(|step| lot.order(round * 10 + step)).collect();
            let line = format!("({}) 2>/dev/null; true", orders.join("; "));
            let (_, writes) = fixture.run(&line).await;
            let done = Command::new("bash").args(["-c", &line]).current_dir(plain.path()).status().unwrap();
            assert!(
                done.success() && writes.refused.is_empty() && writes.kept.is_empty(),
                "{line}: {writes:?}"
            );
            assert_eq!(seen(&fixture), texts(plain.path()), "{method:?}, round {round}: {line}");
            let (printed, _) = fixture.run("find . -type f | sort").await;
            let names: Vec<String> =
                texts(plain.path()).into_keys().map(|name| format!("./{name}")).collect();
            let mut names: Vec<&str> = names.iter().map(String::as_str).collect();
            names.sort_unstable();
            let mut shown: Vec<&str> = printed.lines().collect();
            shown.sort_unstable();
            assert_eq!(shown, names, "{method:?}, and so does the next command see it: {line}");
            // Occasionally a change is reverted.
            let changed: Vec<String> = fixture.changes().into_keys().collect();
            if lot.below(3) == 0 && !changed.is_empty() {
                let name = &changed[lot.below(changed.len())];
                let before = fixture.overlay.changes()[&path(name)].before.clone();
                let own = plain.path().join(name);
                if let Some(bytes) = before {
                    fs::create_dir_all(own.parent().unwrap()).unwrap();
                    fs::write(own, &bytes).unwrap();
                    fixture.overlay.write(&path(name), bytes).unwrap();
                } else {
                    fs::remove_file(own).unwrap();
                    fixture.overlay.delete(&path(name)).unwrap();
                }
            }
        }
        assert!(!fixture.overlay.changes().is_empty());
    }
}
