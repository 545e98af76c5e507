//! Protection of everything that git would run on the user's behalf: hooks, and settings that name programs. A command
//! may change the workspace, but not the effect of the user's next `git`.
//!
//! A path that is mounted onto itself cannot be moved away and recreated, so every folder on the way to a guarded one
//! is mounted too. Missing files could be created by the command, so they are created beforehand. Existing files may be
//! planted by an earlier command to mislead the guards: no link is followed, and the launcher verifies that everything
//! was mounted in the right place.

use std::collections::{HashMap, VecDeque};
use std::fs;
use std::io;
use std::os::unix::fs::FileTypeExt as _;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rustix::fs::FileType;

use super::link_free_folder::LinkFreeFolder;
use super::mount::Mount;
use crate::error::SandboxError;

/// The maximum depth at which repositories are searched in a workspace.
const DEPTH: usize = 6;
/// The maximum number of folders that are searched, those near the root first.
const MOST_FOLDERS: usize = 10_000;
/// The maximum number of folders searched within dependency and build folders. They are searched last, because users
/// rarely work there.
const MOST_DEPENDENCY_FOLDERS: usize = 500;
const DEPENDENCY_FOLDERS: &[&str] = &["node_modules", "target", "venv", ".venv", "__pycache__"];
/// The maximum number of sockets that are covered.
const MOST_SOCKETS: usize = 200;
/// Entries of a repository that name programs or lead to settings that do.
const SETTINGS: [&str; 5] = ["hooks", "config", "config.worktree", "commondir", "modules"];
/// Entries of unfinished operations, which git resumes and which can name programs.
const UNFINISHED: [&str; 3] = ["worktrees", "rebase-merge", "rebase-apply"];

/// The parts of its own workspace that are protected from a command.
#[derive(Debug)]
pub struct RepositoryGuards {
    /// Mounts that guard the repositories, and files that were created for it.
    pub mounts: Vec<Mount>,
    pub placeholders: Vec<Placeholder>,
    /// Sockets of programs outside the sandbox, such as databases and agents.
    pub sockets: Vec<PathBuf>,
}

/// Finds everything in a workspace that a command must not change or connect to.
pub fn guarded(workspace: &Path) -> Result<RepositoryGuards, SandboxError> {
    let unguarded = |path: &Path, why: &'static str| SandboxError::Unguarded { path: path.to_owned(), why };
    let folder = LinkFreeFolder::open(workspace).map_err(|_| unguarded(workspace, "cannot be read"))?;
    let mut guard = GuardFinder::new(workspace, folder);
    for git in guard.repositories() {
        // A command could replace the link by its own repository, with hooks that git runs outside the sandbox.
        if guard.kind(&git) == Some(FileType::Symlink) {
            return Err(unguarded(&git, "is a link, which cannot be guarded"));
        }
        guard.repository(&git);
    }
    Ok(guard.into_guarded())
}

/// Like [`guarded`], for a workspace with an overlay. Changes there never reach the user's own repository, so a link in
/// place of a repository is skipped instead of refused: an earlier command may have created it.
pub fn guarded_in_overlay(workspace: &Path) -> Result<RepositoryGuards, io::Error> {
    let mut guard = GuardFinder::new(workspace, LinkFreeFolder::open(workspace)?);
    for git in guard.repositories() {
        if guard.kind(&git) != Some(FileType::Symlink) {
            guard.repository(&git);
        }
    }
    Ok(guard.into_guarded())
}

struct GuardFinder<'a> {
    root: &'a Path,
    folder: Arc<LinkFreeFolder>,
    mounts: Vec<Mount>,
    placeholders: Vec<Placeholder>,
    sockets: Vec<PathBuf>,
}

impl<'a> GuardFinder<'a> {
    fn new(root: &'a Path, folder: LinkFreeFolder) -> Self {
        let folder = Arc::new(folder);
        Self { root, folder, mounts: Vec::new(), placeholders: Vec::new(), sockets: Vec::new() }
    }

    fn into_guarded(self) -> RepositoryGuards {
        RepositoryGuards { mounts: self.mounts, placeholders: self.placeholders, sockets: self.sockets }
    }

    fn below<'p>(&self, path: &'p Path) -> &'p Path {
        path.strip_prefix(self.root).unwrap_or(path)
    }

    fn kind(&self, path: &Path) -> Option<FileType> {
        self.folder.kind(self.below(path))
    }

    /// Returns everything that is a repository or refers to one.
    fn repositories(&mut self) -> Vec<PathBuf> {
        let mut found = Vec::new();
        let mut left = MOST_FOLDERS;
        let mut waiting = VecDeque::from([(self.root.to_owned(), DEPTH)]);
        let mut dependencies = VecDeque::new();
        loop {
            let Some((folder, depth)) = waiting.pop_front() else {
                if dependencies.is_empty() {
                    return found;
                }
                waiting = std::mem::take(&mut dependencies);
                left = left.min(MOST_DEPENDENCY_FOLDERS);
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
                let is_dependency = DEPENDENCY_FOLDERS.iter().any(|other| name == *other);
                let next = if is_dependency { &mut dependencies } else { &mut waiting };
                next.push_back((entry.path(), depth - 1));
            }
        }
    }

    /// Returns true for a repository without a working tree.
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
        let mount = Mount::Write(folder.to_owned());
        if folder != self.root && !self.mounts.contains(&mount) {
            self.mounts.push(mount);
        }
    }

    fn make_read_only(&mut self, path: PathBuf) {
        let is_plain = matches!(self.kind(&path), Some(FileType::Directory | FileType::RegularFile));
        let mount = Mount::Read(path);
        if is_plain && !self.mounts.contains(&mount) {
            self.mounts.push(mount);
        }
    }

    fn repository(&mut self, git: &Path) {
        self.pin_way_to(git);
        // The `.git` of a worktree or submodule is a file that names the repository's folder.
        if self.kind(git) == Some(FileType::RegularFile) {
            self.make_read_only(git.to_owned());
            if let Some(elsewhere) = self.leads_to(git) {
                self.pin_way_to(&elsewhere);
                self.folder_of_git(&elsewhere);
            }
        } else {
            self.folder_of_git(git);
        }
    }

    /// Returns the folder that such a file names, if it lies in the workspace.
    fn leads_to(&self, git: &Path) -> Option<PathBuf> {
        let text = self.folder.read(self.below(git))?;
        let path = self.within(&git.parent()?.join(text.strip_prefix("gitdir:")?.trim()))?;
        (self.kind(&path) == Some(FileType::Directory)).then_some(path)
    }

    /// Normalizes a path; `None` if it leads out of the workspace or to its root.
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
        // A link could be redirected, so the whole repository and the targets of its links become read-only.
        let links: Vec<PathBuf> = SETTINGS.iter().chain(&UNFINISHED).map(|name| git.join(name)).collect();
        let links = links.into_iter().filter(|path| self.kind(path) == Some(FileType::Symlink));
        let links: Vec<PathBuf> = links.collect();
        if !links.is_empty() {
            let ends = links.iter().filter_map(|link| fs::canonicalize(link).ok());
            let ends: Vec<PathBuf> =
                ends.filter(|end| end.starts_with(self.root) && end != self.root).collect();
            self.make_read_only(git.to_owned());
            for end in ends.into_iter().filter(|end| !end.starts_with(git)) {
                self.pin_way_to(&end);
                self.make_read_only(end);
            }
            return;
        }
        self.pin(git);
        self.protect_settings(git);
        for name in UNFINISHED {
            self.make_read_only(git.join(name));
        }
        self.modules(&git.join("modules"), DEPTH);
    }

    /// Guards repositories of submodules, whose depth is the number of slashes in their names.
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

    fn protect_settings(&mut self, git: &Path) {
        let (hooks, config, of_tree) = (git.join("hooks"), git.join("config"), git.join("config.worktree"));
        let _ = self.folder.make_folder(self.below(&hooks));
        let _ = self.folder.make_file(self.below(&config), "");
        // Git reads this file only if the config enables it, and the config cannot be changed.
        let settings = self.folder.read(self.below(&config)).unwrap_or_default();
        if settings.to_lowercase().contains("worktreeconfig") {
            let _ = self.folder.make_file(self.below(&of_tree), "");
        }
        for path in [hooks, config, of_tree] {
            self.make_read_only(path);
        }
        // Settings included from files of the workspace.
        for path in included(&settings).filter_map(|path| self.within(&git.join(path))).collect::<Vec<_>>() {
            self.pin_way_to(&path);
            self.make_read_only(path);
        }
        // This file names the folder with the actual settings; the placeholder names the repository itself.
        let other = git.join("commondir");
        self.placeholders.extend(Placeholder::put(&self.folder, self.root, self.below(&other)));
        self.make_read_only(other);
    }
}

/// Returns the files that Git settings include. A section header and its first setting may share a line.
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
            Some(rest) => Some(std::env::home_dir()?.join(rest)),
            None => Some(PathBuf::from(path)),
        }
    })
}

/// Splits a text at the first of these letters outside quotation marks.
fn unquoted<'a>(text: &'a str, letters: &[char]) -> Option<(&'a str, &'a str)> {
    let mut is_quoted = false;
    let mut mounts = text.char_indices();
    let (at, letter) = mounts.find(|(_, letter)| {
        is_quoted ^= *letter == '"';
        !is_quoted && letters.contains(letter)
    })?;
    Some((&text[..at], &text[at + letter.len_utf8()..]))
}

/// A file that states the default and exists only while a command runs.
#[derive(Debug)]
pub struct Placeholder {
    folder: Arc<LinkFreeFolder>,
    /// The absolute path, the key under which all commands count it.
    name: PathBuf,
    path: PathBuf,
}

/// The relative path of the folder itself.
const HERE: &str = ".\n";

/// The number of commands that use each placeholder.
static NEEDED: Mutex<Option<HashMap<PathBuf, usize>>> = Mutex::new(None);

impl Placeholder {
    /// Creates a placeholder or shares an existing one. `None` if another file is already there.
    fn put(folder: &Arc<LinkFreeFolder>, root: &Path, path: &Path) -> Option<Self> {
        let mut needed = NEEDED.lock().unwrap_or_else(PoisonError::into_inner);
        if folder.kind(path).is_none() {
            folder.make_file(path, HERE).ok()?;
        } else if folder.read(path).as_deref() != Some(HERE) {
            return None;
        }
        let name = root.join(path);
        *needed.get_or_insert_default().entry(name.clone()).or_default() += 1;
        Some(Self { folder: Arc::clone(folder), name, path: path.to_owned() })
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
        if self.folder.read(&self.path).as_deref() == Some(HERE) {
            let _ = self.folder.remove_file(&self.path);
        }
    }
}

#[cfg(test)]
#[path = "repositories_tests.rs"]
mod tests;
