//! What git would run on the user's behalf: hooks, and settings that name programs. A command may change the work,
//! not what happens when the user next types `git`.

use std::path::{Path, PathBuf};

use super::Place;

/// Repositories lie at most so deep in a workspace…
const DEPTH: usize = 3;
/// …and so many folders are looked at.
const MOST_FOLDERS: usize = 2_000;
/// Folders full of other people's files, in which nobody works.
const LEFT_OUT: &[&str] = &["node_modules", "target", "venv", ".venv", "__pycache__"];

/// Puts every `.git` in its place, so that it cannot be moved away and made anew, and its dangerous parts out of reach.
pub fn guarded(workspace: &Path) -> Vec<Place> {
    let mut found = Vec::new();
    let mut left = MOST_FOLDERS;
    find(workspace, DEPTH, &mut left, &mut found);
    found.iter().flat_map(|git| guard(git)).collect()
}

fn guard(git: &Path) -> Vec<Place> {
    // A worktree's or submodule's `.git` is a file that says where the rest is.
    if git.is_file() {
        return vec![Place::Read(git.to_owned())];
    }
    let mut places = vec![Place::Write(git.to_owned())];
    let modules = std::fs::read_dir(git.join("modules")).into_iter().flatten().flatten();
    for folder in modules.map(|entry| entry.path()).chain([git.to_owned()]) {
        for name in ["hooks", "config", "config.worktree"] {
            let path = folder.join(name);
            places.push(if path.exists() { Place::Read(path) } else { Place::Covered(path) });
        }
    }
    places
}

fn find(folder: &Path, depth: usize, left: &mut usize, found: &mut Vec<PathBuf>) {
    let git = folder.join(".git");
    if std::fs::symlink_metadata(&git).is_ok_and(|it| it.is_dir() || it.is_file()) {
        found.push(git);
    }
    if depth == 0 {
        return;
    }
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
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
