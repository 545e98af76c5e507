//! Removes words from memory files, and later from their history.

use std::collections::BTreeMap;
use std::path::Path;

use git2::{ObjectType, Oid, Repository, Sort, Tree};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use store::Redact;
use tools::ToolError;
use tools::blocking::failed;

use super::history::{FileHistory, FileHistoryError, label_of};
use super::name::{FOLDER, MemoryName};
use super::repository_swap::{new_repository_path, swap};
use super::user_files::UserMemoryFiles;

/// Replacements to make in the history of the files. Everything is identified by hash.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HistoryChanges {
    /// Replacement contents, by git blob id.
    blobs: BTreeMap<String, String>,
    /// Replacement names, by the SHA-256 of the old name.
    names: BTreeMap<String, String>,
}

impl HistoryChanges {
    pub fn is_empty(&self) -> bool {
        self.blobs.is_empty() && self.names.is_empty()
    }

    /// Copies the replacements of blobs that the new repository holds into it, since no commit refers to them.
    fn keep(&self, old: &Repository, new: &Repository) -> Result<(), FileHistoryError> {
        for (id, other) in &self.blobs {
            if new.odb()?.exists(Oid::from_str(id)?) {
                new.blob(old.find_blob(Oid::from_str(other)?)?.content())?;
            }
        }
        Ok(())
    }

    /// Rewrites the message of a commit whose label ends with the name of a file.
    fn message(&self, message: &str) -> String {
        let (label, rest) = label_of(message);
        let (verb, name) = label.split_once(' ').unwrap_or((label, ""));
        match self.names.get(&hash(name)) {
            Some(other) => format!("{verb} {other}\n{rest}").trim_end().to_owned(),
            None => message.to_owned(),
        }
    }

    /// Copies a tree of the old repository into the new one, with the replacements applied.
    fn copy_tree(
        &self,
        old: &Repository,
        new: &Repository,
        tree: &Tree<'_>,
    ) -> Result<Oid, FileHistoryError> {
        let mut made = new.treebuilder(None)?;
        for entry in tree {
            let name = entry.name().unwrap_or_default();
            let name = self.names.get(&hash(name)).map_or(name, String::as_str);
            let id = match entry.kind() {
                Some(ObjectType::Tree) => self.copy_tree(old, new, &old.find_tree(entry.id())?)?,
                Some(ObjectType::Blob) => {
                    let other = self.blobs.get(&entry.id().to_string());
                    let id = other.map_or(Ok(entry.id()), |other| Oid::from_str(other))?;
                    new.blob(old.find_blob(id)?.content())?
                }
                // A nested repository (submodule) keeps its own objects.
                _ => continue,
            };
            made.insert(name, id, entry.filemode())?;
        }
        Ok(made.write()?)
    }
}

/// The words that were removed from the files, or would be.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ForgottenFiles {
    pub files: u32,
    pub example: Option<String>,
    /// Files whose names contain the words, with their new names.
    pub renamed: Vec<(String, String)>,
    /// The changes that remain to be made when the grace period is over.
    pub later: HistoryChanges,
}

fn free_name(taken: &[MemoryName]) -> Result<MemoryName, ToolError> {
    let mut names = (1..).map(|number| MemoryName::read(&format!("forgotten {number}")));
    let free = names.find(|name| name.as_ref().is_ok_and(|name| !taken.contains(name)));
    free.unwrap_or_else(|| MemoryName::read("forgotten"))
}

impl UserMemoryFiles<'_> {
    /// Removes words from the current files. Their history is changed later.
    pub fn forget(&self, redact: &dyn Redact, change: bool) -> Result<ForgottenFiles, ToolError> {
        let mut forgotten = ForgottenFiles::default();
        let names = self.names()?;
        let mut taken = names.clone();
        for name in names {
            let text = self.read(&name).ok();
            let after = text.as_deref().and_then(|text| redact.redact(text));
            let renamed = redact.redact(name.as_str()).is_some();
            if after.is_none() && !renamed {
                continue;
            }
            forgotten.files += 1;
            forgotten.example.get_or_insert_with(|| name.as_str().to_owned());
            let free = if renamed { Some(free_name(&taken)?) } else { None };
            if let Some(free) = &free {
                taken.push(free.clone());
                forgotten.renamed.push((name.as_str().to_owned(), free.as_str().to_owned()));
            }
            if !change {
                continue;
            }
            let content = after.or(text).unwrap_or_default();
            if let Some(free) = free {
                forgotten.later.names.insert(hash(name.as_str()), free.as_str().to_owned());
                self.put(&free, &content, "Forget")?;
                self.delete(name.as_str())?;
            } else {
                self.put(&name, &content, "Forget")?;
            }
        }
        if change {
            self.find_in_history(redact, &mut forgotten.later).map_err(failed)?;
        }
        Ok(forgotten)
    }

    /// Records, for every blob and name in the history that contains the words, a replacement without them.
    fn find_in_history(
        &self,
        redact: &dyn Redact,
        later: &mut HistoryChanges,
    ) -> Result<(), FileHistoryError> {
        let Some(repository) = self.file_history().existing()? else { return Ok(()) };
        let mut all = Vec::new();
        repository.odb()?.foreach(|id| {
            all.push(*id);
            true
        })?;
        for id in all {
            let Ok(blob) = repository.find_blob(id) else { continue };
            let text = String::from_utf8_lossy(blob.content());
            if let Some(after) = redact.redact(&text) {
                later.blobs.insert(id.to_string(), repository.blob(after.as_bytes())?.to_string());
            }
        }
        let mut walk = repository.revwalk()?;
        if walk.push_head().is_err() {
            return Ok(());
        }
        for id in walk {
            for entry in &repository.find_commit(id?)?.tree()? {
                let name = entry.name().unwrap_or_default();
                if redact.redact(name).is_some() {
                    let count = later.names.len() + 1;
                    later.names.entry(hash(name)).or_insert_with(|| format!("forgotten {count}.md"));
                }
            }
        }
        Ok(())
    }

    /// Rewrites the history as if the words had never been in it. The repository is rebuilt, so that nothing of the old
    /// one remains. The replacements of `waiting` changes are kept until their own grace period is over.
    pub fn purge_history(
        &self,
        changes: &HistoryChanges,
        waiting: &[HistoryChanges],
    ) -> Result<(), ToolError> {
        self.purge_restored(changes)?;
        self.rewrite(changes, waiting).map_err(failed)
    }

    /// Removes the words again from files of which an old version was restored during the grace period.
    fn purge_restored(&self, changes: &HistoryChanges) -> Result<(), ToolError> {
        let Some(repository) = self.file_history().existing().map_err(failed)? else { return Ok(()) };
        for name in self.names()? {
            let Ok(text) = self.read(&name) else { continue };
            let id = Oid::hash_object(ObjectType::Blob, text.as_bytes()).map_err(failed)?;
            let Some(other) = changes.blobs.get(&id.to_string()) else { continue };
            let other = Oid::from_str(other).and_then(|other| repository.find_blob(other)).map_err(failed)?;
            self.put(&name, &String::from_utf8_lossy(other.content()), "Forget")?;
        }
        Ok(())
    }

    fn rewrite(&self, changes: &HistoryChanges, waiting: &[HistoryChanges]) -> Result<(), FileHistoryError> {
        let history = self.file_history();
        let Some(old) = history.existing()? else { return Ok(()) };
        let folder = history.folder_path();
        let new = FileHistory::make_aside(&new_repository_path(&folder).map_err(FileHistoryError::Move)?)?;
        let mut parent: Option<Oid> = None;
        let mut walk = old.revwalk()?;
        walk.set_sorting(Sort::TOPOLOGICAL | Sort::REVERSE)?;
        walk.push_head()?;
        for id in walk {
            let commit = old.find_commit(id?)?;
            let tree = new.find_tree(changes.copy_tree(&old, &new, &commit.tree()?)?)?;
            let before = parent.map(|id| new.find_commit(id)).transpose()?;
            if before.as_ref().is_some_and(|before| before.tree_id() == tree.id()) {
                continue;
            }
            let (author, parents) = (commit.author().to_owned(), before.iter().collect::<Vec<_>>());
            let message = changes.message(commit.message().unwrap_or_default());
            parent = Some(new.commit(Some("HEAD"), &author, &author, &message, &tree, &parents)?);
        }
        for others in waiting {
            others.keep(&old, &new)?;
        }
        drop((old, new));
        swap(&folder).map_err(FileHistoryError::Move)
    }
}

fn hash(name: &str) -> String {
    host::hex(&Sha256::digest(name))
}

/// Returns all objects of a repository, unpacked, so that a test can search them.
pub fn unpacked(git: &Path) -> Vec<Vec<u8>> {
    let Ok(repository) = Repository::open(git) else { return Vec::new() };
    let Ok(odb) = repository.odb() else { return Vec::new() };
    let mut ids = Vec::new();
    let _ = odb.foreach(|id| {
        ids.push(*id);
        true
    });
    ids.into_iter().filter_map(|id| Some(odb.read(id).ok()?.data().to_vec())).collect()
}

/// Returns the path of the memories repository in a user's folder.
pub fn repository_of(folder: &Path) -> std::path::PathBuf {
    folder.join(FOLDER).join(".git")
}
