use std::fs;
use std::os::unix::fs::symlink;

use git2::{IndexAddOption, Signature, Time};

use super::*;

struct Fixture {
    folder: tempfile::TempDir,
    git: Repository,
}

impl Fixture {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let git = Repository::init(folder.path()).unwrap();
        Self { folder, git }
    }

    /// Writes files (or deletes them) and commits the result.
    fn commit(&self, message: &str, files: &[(&str, Option<&str>)]) -> String {
        for (path, text) in files {
            let file = self.folder.path().join(path);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            match text {
                Some(text) => fs::write(file, text).unwrap(),
                None => fs::remove_file(file).unwrap(),
            }
        }
        let mut index = self.git.index().unwrap();
        index.add_all(["*"], IndexAddOption::DEFAULT, None).unwrap();
        index.update_all(["*"], None).unwrap();
        index.write().unwrap();
        let tree = self.git.find_tree(index.write_tree().unwrap()).unwrap();
        let parent = self.git.head().ok().map(|head| head.peel_to_commit().unwrap());
        let seconds = parent.as_ref().map_or(1_000_000, |parent| parent.time().seconds() + 60);
        let who = Signature::new("Ada", "ada@example.org", &Time::new(seconds, 0)).unwrap();
        let parents: Vec<_> = parent.iter().collect();
        self.git.commit(Some("HEAD"), &who, &who, message, &tree, &parents).unwrap().to_string()
    }

    fn workspace(&self) -> Workspace {
        Workspace::open(self.folder.path(), &[]).unwrap()
    }

    fn read(&self) -> Option<GitHistory> {
        GitHistory::read(&self.workspace(), 100).unwrap()
    }
}

fn path(text: &str) -> WorkspacePath {
    WorkspacePath::parse(text).unwrap()
}

fn together(history: &GitHistory, of: &str) -> Vec<(String, usize)> {
    let mut found: Vec<(String, usize)> = history
        .changed_with(&path(of))
        .into_iter()
        .map(|(path, count, _)| (path.to_string(), count))
        .collect();
    found.sort();
    found
}

#[test]
fn what_was_changed_together_and_in_which_words_is_known() {
    let fixture = Fixture::new();
    fixture.commit("begin", &[("a.rs", Some("a")), ("b.rs", Some("b")), ("c.rs", Some("c"))]);
    fixture.commit("the login form asks twice", &[("a.rs", Some("a1")), ("b.rs", Some("b1"))]);
    fixture.commit("mend the logins", &[("a.rs", Some("a2")), ("b.rs", Some("b2"))]);
    fixture.commit("colours", &[("a.rs", Some("a3")), ("c.rs", Some("c1"))]);
    let history = fixture.read().unwrap();
    assert_eq!(together(&history, "a.rs"), [("b.rs".into(), 2), ("c.rs".into(), 1)]);
    assert_eq!((history.commit_count(&path("a.rs")), history.commit_count(&path("none.rs"))), (3, 0));
    assert!(history.change_frequency(&path("a.rs")) > history.change_frequency(&path("c.rs")));
    let matching = history.matching_commits(&[("login", 1.0)]);
    assert_eq!(matching.len(), 2);
    assert!(matching.contains_key(&path("b.rs")) && !matching.contains_key(&path("c.rs")));

    assert!(history.is_current(&fixture.workspace()));
    let before = fixture.git.head().unwrap().peel_to_commit().unwrap().id().to_string();
    fixture.commit("more colours", &[("c.rs", Some("c2"))]);
    assert!(!history.is_current(&fixture.workspace()));
    // The history at an earlier commit must not contain later changes.
    let earlier = GitHistory::read_at(fixture.folder.path(), &before, 100).unwrap();
    assert_eq!(earlier.commit_count(&path("c.rs")), 1);
}

#[test]
fn a_file_keeps_its_past_when_it_moves() {
    let fixture = Fixture::new();
    let text = "fn one() {}\nfn two() {}\nfn three() {}\nfn four() {}\n".repeat(9);
    fixture.commit("begin", &[("old.rs", Some(&text)), ("b.rs", Some("b"))]);
    fixture.commit("both", &[("old.rs", Some(&format!("{text}// x\n"))), ("b.rs", Some("b1"))]);
    fixture.commit("move", &[("old.rs", None), ("deep/new.rs", Some(&format!("{text}// x\n// y\n")))]);
    let history = fixture.read().unwrap();
    assert_eq!(together(&history, "deep/new.rs"), [("b.rs".into(), 1)]);
    assert_eq!(history.commit_count(&path("old.rs")), 0);
}

#[test]
fn what_is_no_repository_of_its_own_has_no_history() {
    let fixture = Fixture::new();
    assert!(fixture.read().is_none(), "nothing was ever committed");
    fixture.commit("begin", &[("sub/a.rs", Some("a"))]);
    fixture.commit("again", &[("sub/a.rs", Some("b"))]);
    assert!(fixture.read().is_some_and(|history| !history.is_empty()));
    let inner = Workspace::open(&fixture.folder.path().join("sub"), &[]).unwrap();
    assert!(GitHistory::read(&inner, 100).unwrap().is_none(), "the repository of a folder above");

    let elsewhere = tempfile::tempdir().unwrap();
    let root = elsewhere.path().join("root");
    fs::create_dir(&root).unwrap();
    symlink(fixture.folder.path().join(".git"), root.join(".git")).unwrap();
    // Such a folder is refused as a workspace; if it becomes one later, nothing is read through the link.
    fs::rename(root.join(".git"), root.join("kept")).unwrap();
    let workspace = Workspace::open(&root, &[]).unwrap();
    fs::rename(root.join("kept"), root.join(".git")).unwrap();
    assert!(GitHistory::read(&workspace, 100).unwrap().is_none(), "a link");
    fs::remove_file(root.join(".git")).unwrap();
    fs::write(root.join(".git"), format!("gitdir: {}", fixture.folder.path().join(".git").display()))
        .unwrap();
    assert!(GitHistory::read(&workspace, 100).unwrap().is_none(), "a file that points elsewhere");
}

#[test]
fn a_broken_repository_is_an_error_and_no_end() {
    let fixture = Fixture::new();
    fixture.commit("begin", &[("a.rs", Some("a"))]);
    fixture.commit("again", &[("a.rs", Some("b"))]);
    for folder in fs::read_dir(fixture.folder.path().join(".git/objects")).unwrap() {
        let _ = fs::remove_dir_all(folder.unwrap().path());
    }
    match GitHistory::read(&fixture.workspace(), 100) {
        Err(error) => assert!(error.to_string().contains("cannot be read"), "{error}"),
        Ok(history) => assert!(history.is_none_or(|history| history.is_empty())),
    }
}
