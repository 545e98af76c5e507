//! The ignore rules folder by folder, for ignore files that may exist only in a layer. The rules are the same as those
//! of the listing.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::workspace::IGNORE_FILES;

/// The maximum size of an ignore file in bytes. A longer one is not written by hand and slow to parse.
pub const MOST_BYTES: u64 = 64 << 10;
/// The ignore file of git for this clone alone.
const CLONE_IGNORE_FILE: &str = ".git/info/exclude";

/// The rules of each ignore file of a folder, the one of the clone last.
type FolderRules = [Gitignore; IGNORE_FILES.len() + 1];

pub struct IgnoreRules {
    root: PathBuf,
    /// The rules of the entered folders below the root.
    folders: HashMap<PathBuf, FolderRules>,
    /// The rules of the folders above the root, nearest first.
    above: Vec<FolderRules>,
    global: Gitignore,
}

impl IgnoreRules {
    pub fn new(root: &Path) -> Self {
        let read = |path: PathBuf| {
            let length = std::fs::metadata(&path).ok()?.len();
            (length <= MOST_BYTES).then(|| std::fs::read(path).ok()).flatten()
        };
        let above = root.ancestors().skip(1).filter_map(|folder| {
            let texts = IGNORE_FILES.iter().chain([&CLONE_IGNORE_FILE]).map(|name| read(folder.join(name)));
            let texts: Vec<Option<Vec<u8>>> = texts.collect();
            texts.iter().any(Option::is_some).then(|| folder_rules(folder, texts))
        });
        let above = above.collect();
        Self { root: root.to_owned(), folders: HashMap::new(), above, global: Gitignore::global().0 }
    }

    /// Reads the ignore files of a folder with `read`; its parent must have been entered before.
    pub fn enter(&mut self, folder: &Path, mut read: impl FnMut(&Path) -> Option<Vec<u8>>) {
        let texts = IGNORE_FILES.iter().chain([&CLONE_IGNORE_FILE]).map(|name| read(&folder.join(name)));
        let texts: Vec<Option<Vec<u8>>> = texts.collect();
        if texts.iter().any(Option::is_some) {
            self.folders.insert(folder.to_owned(), folder_rules(&self.root.join(folder), texts));
        }
    }

    /// Returns true if the rules ignore this path itself. Ignored parent folders are not considered.
    pub fn is_ignored(&self, path: &Path, is_folder: bool) -> bool {
        let whole = self.root.join(path);
        let within = path.ancestors().skip(1).filter_map(|folder| self.folders.get(folder));
        let all: Vec<&FolderRules> = within.chain(&self.above).collect();
        for kind in 0..=IGNORE_FILES.len() {
            for rules in &all {
                match rules[kind].matched(&whole, is_folder) {
                    Match::None => {}
                    matched => return matched.is_ignore(),
                }
            }
        }
        self.global.matched(&whole, is_folder).is_ignore()
    }
}

fn folder_rules(folder: &Path, texts: Vec<Option<Vec<u8>>>) -> FolderRules {
    let mut rules = [const { None }; IGNORE_FILES.len() + 1];
    for (place, text) in rules.iter_mut().zip(texts) {
        *place = text.map(|text| parse_rules(folder, &text));
    }
    rules.map(|rules| rules.unwrap_or_else(Gitignore::empty))
}

/// Parses an ignore file; invalid lines are skipped.
fn parse_rules(folder: &Path, text: &[u8]) -> Gitignore {
    let text = String::from_utf8_lossy(text);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let mut builder = GitignoreBuilder::new(folder);
    for line in text.lines() {
        let _ = builder.add_line(None, line);
    }
    builder.build().unwrap_or_else(|_| Gitignore::empty())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;

    use super::*;
    use crate::workspace::Workspace;

    /// Returns the paths that are not ignored, walking folder by folder.
    fn left(root: &Path) -> BTreeSet<String> {
        let mut rules = IgnoreRules::new(root);
        let (mut left, mut waiting) = (BTreeSet::new(), vec![PathBuf::new()]);
        while let Some(folder) = waiting.pop() {
            rules.enter(&folder, |path| fs::read(root.join(path)).ok());
            for entry in fs::read_dir(root.join(&folder)).unwrap() {
                let entry = entry.unwrap();
                let path = folder.join(entry.file_name());
                let is_folder = entry.file_type().unwrap().is_dir();
                if entry.file_name() == ".git" || rules.is_ignored(&path, is_folder) {
                    continue;
                }
                if is_folder {
                    waiting.push(path);
                } else {
                    left.insert(path.to_str().unwrap().to_owned());
                }
            }
        }
        left
    }

    #[test]
    fn it_leaves_what_the_listing_lists() {
        let outer = tempfile::tempdir().unwrap();
        let root = outer.path().join("root");
        let rules = [
            ("../.gitignore", "of-above\n"),
            (
                ".gitignore",
                "\u{feff}target/\n*.log\n!keep.log\n/only-here\na/**/deep\n# no\n[bad\nsub/x.txt\n",
            ),
            (".ignore", "by-ignore\n!seen.log\n"),
            (".perigeeignore", "secret*\n!a/secret-not\n"),
            (".git/info/exclude", "by-exclude\n"),
            ("a/.gitignore", "*\n!.gitignore\n!b\n!secret-not\n"),
            ("sub/.gitignore", "!again.log\nnode_modules\n"),
            ("sub/.perigeeignore", "!secret-too\n"),
            ("empty/.gitignore", ""),
        ];
        let names = [
            "target/x",
            "x/target",
            "a.log",
            "keep.log",
            "seen.log",
            "only-here",
            "sub/only-here",
            "a/q/deep",
            "a/b",
            "a/secret-not",
            "secret",
            "sub/secret-too",
            "sub/again.log",
            "sub/x.txt",
            "sub/node_modules/y/z",
            "of-above",
            "sub/of-above",
            "by-exclude",
            "sub/by-exclude",
            "by-ignore",
            "sub/by-ignore",
            ".hidden",
            "ä b.txt",
            "empty/x",
        ];
        for (path, text) in rules.iter().copied().chain(names.map(|name| (name, ""))) {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let root = root.canonicalize().unwrap();
        let listed = Workspace::open(&root, &[]).unwrap().files();
        let listed: BTreeSet<String> = listed.into_iter().map(|file| file.path.as_str().to_owned()).collect();
        assert!(listed.contains("keep.log") && !listed.contains("of-above"), "{listed:?}");
        assert_eq!(left(&root), listed);
    }
}
