//! What git would run on the user's behalf: hooks, and settings that name programs. A command may change the work,
//! not what happens when the user next types `git`.
//!
//! A thing that is mounted onto itself cannot be moved away and made anew, so every folder on the way to a guarded
//! one is mounted too. What is not there could be made by the command, so it is made before. What was there before may
//! have been put there by an earlier command, to lead us elsewhere: no link is followed, and the launcher looks
//! whether all was mounted where it belongs.

use std::collections::{HashMap, VecDeque};
use std::fs;
use std::io;
use std::os::unix::fs::FileTypeExt as _;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rustix::fs::FileType;

use super::Place;
use super::beneath::Beneath;
use crate::error::SandboxError;

/// Repositories lie at most so deep in a workspace…
const DEPTH: usize = 6;
/// …and so many folders are looked at, those near its root first.
const MOST_FOLDERS: usize = 10_000;
/// Folders full of other people's files, in which hardly anybody works: they are looked at last, and only so many.
const MOST_OF_OTHERS: usize = 500;
const OF_OTHERS: &[&str] = &["node_modules", "target", "venv", ".venv", "__pycache__"];
/// So many sockets are covered.
const MOST_SOCKETS: usize = 200;
/// What names programs, or leads to what does.
const SETTINGS: [&str; 5] = ["hooks", "config", "config.worktree", "commondir", "modules"];
/// Work that was begun, and goes on with what these say. Programs can stand there.
const BEGUN: [&str; 3] = ["worktrees", "rebase-merge", "rebase-apply"];

/// What is kept from a command in its own workspace.
#[derive(Debug)]
pub struct Guarded {
    /// The places that guard the repositories, and what was put there for it.
    pub places: Vec<Place>,
    pub placeholders: Vec<Placeholder>,
    /// Where programs outside can be called: databases, agents.
    pub sockets: Vec<PathBuf>,
}

/// Looks through a workspace for what a command must not reach.
pub fn guarded(workspace: &Path) -> Result<Guarded, SandboxError> {
    let unguarded = |path: &Path, why: &'static str| SandboxError::Unguarded { path: path.to_owned(), why };
    let beneath = Beneath::open(workspace).map_err(|_| unguarded(workspace, "cannot be read"))?;
    let mut guard = Guard::new(workspace, beneath);
    for git in guard.repositories() {
        // A command would put a repository of its own there, with hooks that git runs outside of here.
        if guard.kind(&git) == Some(FileType::Symlink) {
            return Err(unguarded(&git, "is a link, which cannot be held in its place"));
        }
        guard.repository(&git);
    }
    Ok(guard.into_guarded())
}

/// The same in a workspace whose writes are caught. What git does there never reaches the user's own, so that a link in
/// the place of a repository is no reason to refuse: an earlier command may have laid it.
pub fn guarded_in_a_layer(workspace: &Path) -> Result<Guarded, io::Error> {
    let mut guard = Guard::new(workspace, Beneath::open(workspace)?);
    for git in guard.repositories() {
        if guard.kind(&git) != Some(FileType::Symlink) {
            guard.repository(&git);
        }
    }
    Ok(guard.into_guarded())
}

struct Guard<'a> {
    root: &'a Path,
    beneath: Arc<Beneath>,
    places: Vec<Place>,
    placeholders: Vec<Placeholder>,
    sockets: Vec<PathBuf>,
}

impl<'a> Guard<'a> {
    fn new(root: &'a Path, beneath: Beneath) -> Self {
        let beneath = Arc::new(beneath);
        Self { root, beneath, places: Vec::new(), placeholders: Vec::new(), sockets: Vec::new() }
    }

    fn into_guarded(self) -> Guarded {
        Guarded { places: self.places, placeholders: self.placeholders, sockets: self.sockets }
    }

    fn below<'p>(&self, path: &'p Path) -> &'p Path {
        path.strip_prefix(self.root).unwrap_or(path)
    }

    fn kind(&self, path: &Path) -> Option<FileType> {
        self.beneath.kind(self.below(path))
    }

    /// Whatever is a repository, or says where one is.
    fn repositories(&mut self) -> Vec<PathBuf> {
        let mut found = Vec::new();
        let mut left = MOST_FOLDERS;
        let mut waiting = VecDeque::from([(self.root.to_owned(), DEPTH)]);
        let mut of_others = VecDeque::new();
        loop {
            let Some((folder, depth)) = waiting.pop_front() else {
                if of_others.is_empty() {
                    return found;
                }
                waiting = std::mem::take(&mut of_others);
                left = left.min(MOST_OF_OTHERS);
                continue;
            };
            let git = folder.join(".git");
            if self.kind(&git).is_some() {
                found.push(git);
            } else if self.is_bare(&folder) {
                found.push(folder.clone());
            }
            let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
            for entry in entries {
                let Ok(kind) = entry.file_type() else { continue };
                if kind.is_socket() && self.sockets.len() < MOST_SOCKETS {
                    self.sockets.push(entry.path());
                }
                if !kind.is_dir() || depth == 0 {
                    continue;
                }
                let name = entry.file_name();
                if name == ".git" {
                    continue;
                }
                let Some(fewer) = left.checked_sub(1) else { return found };
                left = fewer;
                let is_of_others = OF_OTHERS.iter().any(|other| name == *other);
                let next = if is_of_others { &mut of_others } else { &mut waiting };
                next.push_back((entry.path(), depth - 1));
            }
        }
    }

    /// A repository without a work folder.
    fn is_bare(&self, folder: &Path) -> bool {
        let is_folder = |name: &str| self.kind(&folder.join(name)) == Some(FileType::Directory);
        self.kind(&folder.join("HEAD")) == Some(FileType::RegularFile)
            && is_folder("objects")
            && is_folder("refs")
    }

    fn pin_way_to(&mut self, path: &Path) {
        let way: Vec<&Path> = path.ancestors().skip(1).take_while(|folder| *folder != self.root).collect();
        for folder in way.into_iter().rev() {
            self.pin(folder);
        }
    }

    fn pin(&mut self, folder: &Path) {
        let place = Place::Write(folder.to_owned());
        if folder != self.root && !self.places.contains(&place) {
            self.places.push(place);
        }
    }

    fn shut(&mut self, path: PathBuf) {
        let is_plain = matches!(self.kind(&path), Some(FileType::Directory | FileType::RegularFile));
        let place = Place::Read(path);
        if is_plain && !self.places.contains(&place) {
            self.places.push(place);
        }
    }

    fn repository(&mut self, git: &Path) {
        self.pin_way_to(git);
        // A worktree's or submodule's `.git` is a file that says where the rest is.
        if self.kind(git) == Some(FileType::RegularFile) {
            self.shut(git.to_owned());
            if let Some(elsewhere) = self.leads_to(git) {
                self.pin_way_to(&elsewhere);
                self.folder_of_git(&elsewhere);
            }
        } else {
            self.folder_of_git(git);
        }
    }

    /// The folder that such a file names, where that lies in the workspace.
    fn leads_to(&self, git: &Path) -> Option<PathBuf> {
        let text = self.beneath.read(self.below(git))?;
        let path = self.within(&git.parent()?.join(text.strip_prefix("gitdir:")?.trim()))?;
        (self.kind(&path) == Some(FileType::Directory)).then_some(path)
    }

    /// A path without its detours, where it leads into the workspace.
    fn within(&self, path: &Path) -> Option<PathBuf> {
        let path = path.components().fold(PathBuf::new(), |mut path, part| {
            match part {
                Component::ParentDir => drop(path.pop()),
                Component::CurDir => {}
                other => path.push(other),
            }
            path
        });
        (path.starts_with(self.root) && path != self.root).then_some(path)
    }

    fn folder_of_git(&mut self, git: &Path) {
        if self.kind(git) != Some(FileType::Directory) {
            return;
        }
        // What is led elsewhere by a link could be led on: nothing of it can be changed, nor what it leads to.
        let links: Vec<PathBuf> = SETTINGS.iter().chain(&BEGUN).map(|name| git.join(name)).collect();
        let links = links.into_iter().filter(|path| self.kind(path) == Some(FileType::Symlink));
        let links: Vec<PathBuf> = links.collect();
        if !links.is_empty() {
            let ends = links.iter().filter_map(|link| fs::canonicalize(link).ok());
            let ends: Vec<PathBuf> =
                ends.filter(|end| end.starts_with(self.root) && end != self.root).collect();
            self.shut(git.to_owned());
            for end in ends.into_iter().filter(|end| !end.starts_with(git)) {
                self.pin_way_to(&end);
                self.shut(end);
            }
            return;
        }
        self.pin(git);
        self.shut_settings(git);
        for name in BEGUN {
            self.shut(git.join(name));
        }
        self.modules(&git.join("modules"), DEPTH);
    }

    /// Repositories of submodules, which lie as deep as their names have slashes.
    fn modules(&mut self, folder: &Path, depth: usize) {
        if self.kind(folder) != Some(FileType::Directory) || depth == 0 {
            return;
        }
        self.pin(folder);
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let module = entry.path();
            if self.kind(&module) != Some(FileType::Directory) {
                continue;
            }
            if self.kind(&module.join("HEAD")) == Some(FileType::RegularFile) {
                self.folder_of_git(&module);
            } else {
                self.modules(&module, depth - 1);
            }
        }
    }

    fn shut_settings(&mut self, git: &Path) {
        let (hooks, config, of_tree) = (git.join("hooks"), git.join("config"), git.join("config.worktree"));
        let _ = self.beneath.make_folder(self.below(&hooks));
        let _ = self.beneath.make_file(self.below(&config), "");
        // Git reads it only where its settings say so, and they are out of reach.
        let settings = self.beneath.read(self.below(&config)).unwrap_or_default();
        if settings.to_lowercase().contains("worktreeconfig") {
            let _ = self.beneath.make_file(self.below(&of_tree), "");
        }
        for path in [hooks, config, of_tree] {
            self.shut(path);
        }
        // Settings that are taken in from a file of the work.
        for path in included(&settings).filter_map(|path| self.within(&git.join(path))).collect::<Vec<_>>() {
            self.pin_way_to(&path);
            self.shut(path);
        }
        // The file that leads git to the settings of another folder; here, to its own.
        let other = git.join("commondir");
        self.placeholders.extend(Placeholder::put(&self.beneath, self.root, self.below(&other)));
        self.shut(other);
    }
}

/// The files that settings take in. A section and its first setting may share a line.
fn included(settings: &str) -> impl Iterator<Item = PathBuf> + '_ {
    let mut includes = false;
    settings.lines().map(str::trim).filter_map(move |line| {
        let mut setting = line;
        if let Some(section) = line.strip_prefix('[') {
            includes = section.to_lowercase().starts_with("include");
            setting = unquoted(section, &[']'])?.1;
        }
        let (name, value) = setting.split_once('=')?;
        if !includes || !name.trim().eq_ignore_ascii_case("path") {
            return None;
        }
        let path = unquoted(value, &['#', ';']).map_or(value, |(path, _)| path).trim().trim_matches('"');
        match path.strip_prefix("~/") {
            Some(beneath) => Some(std::env::home_dir()?.join(beneath)),
            None => Some(PathBuf::from(path)),
        }
    })
}

/// The text before and after the first of these letters that stands in no quotation marks.
fn unquoted<'a>(text: &'a str, letters: &[char]) -> Option<(&'a str, &'a str)> {
    let mut is_quoted = false;
    let mut places = text.char_indices();
    let (at, letter) = places.find(|(_, letter)| {
        is_quoted ^= *letter == '"';
        !is_quoted && letters.contains(letter)
    })?;
    Some((&text[..at], &text[at + letter.len_utf8()..]))
}

/// A file that says what is so anyway, and lies there only while a command runs.
#[derive(Debug)]
pub struct Placeholder {
    beneath: Arc<Beneath>,
    /// By its whole name, under which others know it too.
    name: PathBuf,
    path: PathBuf,
}

/// Says *this folder*.
const HERE: &str = ".\n";

/// How many commands need each.
static NEEDED: Mutex<Option<HashMap<PathBuf, usize>>> = Mutex::new(None);

impl Placeholder {
    /// Nothing, where another file is there by right.
    fn put(beneath: &Arc<Beneath>, root: &Path, path: &Path) -> Option<Self> {
        let mut needed = NEEDED.lock().unwrap_or_else(PoisonError::into_inner);
        if beneath.kind(path).is_none() {
            beneath.make_file(path, HERE).ok()?;
        } else if beneath.read(path).as_deref() != Some(HERE) {
            return None;
        }
        let name = root.join(path);
        *needed.get_or_insert_default().entry(name.clone()).or_default() += 1;
        Some(Self { beneath: Arc::clone(beneath), name, path: path.to_owned() })
    }
}

impl Drop for Placeholder {
    fn drop(&mut self) {
        let mut needed = NEEDED.lock().unwrap_or_else(PoisonError::into_inner);
        let needed = needed.get_or_insert_default();
        let left = needed.get(&self.name).map_or(0, |count| count.saturating_sub(1));
        if left > 0 {
            needed.insert(self.name.clone(), left);
            return;
        }
        needed.remove(&self.name);
        if self.beneath.read(&self.path).as_deref() == Some(HERE) {
            let _ = self.beneath.remove_file(&self.path);
        }
    }
}

#[cfg(test)]
#[path = "repositories_tests.rs"]
mod tests;
