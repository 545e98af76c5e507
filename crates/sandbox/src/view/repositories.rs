//! What git would run on the user's behalf: hooks, and settings that name programs. A command may change the work,
//! not what happens when the user next types `git`.
//!
//! A thing that is mounted onto itself cannot be moved away and made anew, so every folder on the way to a guarded
//! one is mounted too. What is not there could be made by the command, so it is made before.

use std::collections::HashMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::Place;

/// Repositories lie at most so deep in a workspace…
const DEPTH: usize = 3;
/// …and so many folders are looked at.
const MOST_FOLDERS: usize = 2_000;
/// Folders full of other people's files, in which nobody works.
const LEFT_OUT: &[&str] = &["node_modules", "target", "venv", ".venv", "__pycache__"];

/// The places that guard the repositories of a workspace, and what was put there for it.
pub fn guarded(workspace: &Path) -> (Vec<Place>, Vec<Placeholder>) {
    let mut found = Vec::new();
    let mut left = MOST_FOLDERS;
    find(workspace, DEPTH, &mut left, &mut found);
    let mut guard = Guard { root: workspace, places: Vec::new(), placeholders: Vec::new() };
    for git in found {
        guard.pin_way_to(&git);
        guard.repository(&git);
    }
    (guard.places, guard.placeholders)
}

struct Guard<'a> {
    root: &'a Path,
    places: Vec<Place>,
    placeholders: Vec<Placeholder>,
}

impl Guard<'_> {
    fn pin_way_to(&mut self, path: &Path) {
        let way: Vec<&Path> = path.ancestors().skip(1).take_while(|folder| *folder != self.root).collect();
        for folder in way.into_iter().rev() {
            self.pin(folder);
        }
    }

    fn pin(&mut self, folder: &Path) {
        let place = Place::Write(folder.to_owned());
        if !self.places.contains(&place) {
            self.places.push(place);
        }
    }

    fn shut(&mut self, path: PathBuf) {
        if path.exists() {
            self.places.push(Place::Read(path));
        }
    }

    fn repository(&mut self, git: &Path) {
        // A worktree's or submodule's `.git` is a file that says where the rest is.
        if git.is_file() {
            return self.shut(git.to_owned());
        }
        self.pin(git);
        self.shut_settings(git);
        self.shut(git.join("worktrees"));
        self.modules(&git.join("modules"), DEPTH);
    }

    /// Repositories of submodules, which lie as deep as their names have slashes.
    fn modules(&mut self, folder: &Path, depth: usize) {
        if !folder.is_dir() || depth == 0 {
            return;
        }
        self.pin(folder);
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            if !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                continue;
            }
            let module = entry.path();
            if module.join("HEAD").is_file() {
                self.pin(&module);
                self.shut_settings(&module);
                self.modules(&module.join("modules"), depth - 1);
            } else {
                self.modules(&module, depth - 1);
            }
        }
    }

    fn shut_settings(&mut self, git: &Path) {
        let (hooks, config, of_tree) = (git.join("hooks"), git.join("config"), git.join("config.worktree"));
        let _ = fs::create_dir(&hooks);
        let _ = File::create_new(&config);
        // Git reads it only where its settings say so, and they are out of reach.
        if is_split(&config) {
            let _ = File::create_new(&of_tree);
        }
        for path in [hooks, config, of_tree] {
            self.shut(path);
        }
        // The file that leads git to the settings of another folder; here, to its own.
        let other = git.join("commondir");
        if let Some(placeholder) = Placeholder::put(&other) {
            self.placeholders.push(placeholder);
        }
        self.shut(other);
    }
}

/// Whether each tree has settings of its own.
fn is_split(config: &Path) -> bool {
    fs::read_to_string(config).is_ok_and(|text| text.to_lowercase().contains("worktreeconfig"))
}

/// A file that says what is so anyway, and lies there only while a command runs.
#[derive(Debug)]
pub struct Placeholder(PathBuf);

/// Says *this folder*.
const HERE: &str = ".\n";

/// How many commands need each.
static NEEDED: Mutex<Option<HashMap<PathBuf, usize>>> = Mutex::new(None);

impl Placeholder {
    /// Nothing, where another file is there by right.
    fn put(path: &Path) -> Option<Self> {
        let mut needed = NEEDED.lock().unwrap_or_else(PoisonError::into_inner);
        if !path.exists() {
            fs::write(path, HERE).ok()?;
        } else if fs::read_to_string(path).is_ok_and(|text| text != HERE) {
            return None;
        }
        *needed.get_or_insert_default().entry(path.to_owned()).or_default() += 1;
        Some(Self(path.to_owned()))
    }
}

impl Drop for Placeholder {
    fn drop(&mut self) {
        let mut needed = NEEDED.lock().unwrap_or_else(PoisonError::into_inner);
        let needed = needed.get_or_insert_default();
        let left = needed.get(&self.0).map_or(0, |count| count.saturating_sub(1));
        if left > 0 {
            needed.insert(self.0.clone(), left);
            return;
        }
        needed.remove(&self.0);
        if fs::read_to_string(&self.0).is_ok_and(|text| text == HERE) {
            let _ = fs::remove_file(&self.0);
        }
    }
}

fn find(folder: &Path, depth: usize, left: &mut usize, found: &mut Vec<PathBuf>) {
    let git = folder.join(".git");
    if fs::symlink_metadata(&git).is_ok_and(|it| it.is_dir() || it.is_file()) {
        found.push(git);
    }
    if depth == 0 {
        return;
    }
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if !is_folder || name == ".git" || LEFT_OUT.iter().any(|other| name == *other) {
            continue;
        }
        let Some(fewer) = left.checked_sub(1) else { return };
        *left = fewer;
        find(&entry.path(), depth - 1, left, found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_placeholder_is_there_as_long_as_somebody_needs_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("commondir");
        let first = Placeholder::put(&path).unwrap();
        let second = Placeholder::put(&path).unwrap();
        drop(first);
        assert_eq!(fs::read_to_string(&path).unwrap(), HERE);
        drop(second);
        assert!(!path.exists());
        fs::write(&path, "../elsewhere\n").unwrap();
        assert!(Placeholder::put(&path).is_none());
        assert!(path.exists(), "what is there by right stays");
    }

    #[test]
    fn every_folder_on_the_way_to_a_repository_stays_where_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::create_dir_all(root.join("a/b/.git/modules/lib/part")).unwrap();
        fs::write(root.join("a/b/.git/modules/lib/part/HEAD"), "").unwrap();
        let (places, _placeholders) = guarded(root);
        for pinned in
            ["a", "a/b", "a/b/.git", "a/b/.git/modules", "a/b/.git/modules/lib", "a/b/.git/modules/lib/part"]
        {
            assert!(places.contains(&Place::Write(root.join(pinned))), "{pinned}");
        }
        for shut in ["a/b/.git/hooks", "a/b/.git/commondir", "a/b/.git/modules/lib/part/config"] {
            assert!(places.contains(&Place::Read(root.join(shut))), "{shut}");
        }
    }
}
