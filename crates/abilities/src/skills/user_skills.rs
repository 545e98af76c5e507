use std::path::{Path, PathBuf};

use host::{EntryKind, RootDir, RootError};
use jiff::Timestamp;

use super::skill::{Skill, SkillError, SkillText, Source};

/// The largest `SKILL.md`, in bytes; a model could not follow a larger one.
const LARGEST_SKILL: u64 = 128 * 1024;
const LARGEST_FILE: u64 = 256 * 1024;

/// The most skills read; further entries of the folder are ignored.
const MOST_SKILLS: usize = 500;
const MOST_FILES: usize = 200;
const DEEPEST: usize = 4;
const LONGEST_NAME: usize = 64;

/// A user's own skills. Everything is read below their folder, and no link leads out of it.
pub struct UserSkills {
    folder: PathBuf,
}

/// File metadata that reveals a changed skill without reading it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillStamp {
    name: String,
    kind: EntryKind,
    /// The metadata of its `SKILL.md`.
    file: Option<(EntryKind, u64, Timestamp)>,
}

impl UserSkills {
    pub fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    pub fn path(&self) -> &Path {
        &self.folder
    }

    pub fn stamps(&self) -> Vec<SkillStamp> {
        let Some(root) = self.root() else { return Vec::new() };
        let entries = root.list("").unwrap_or_default().into_iter().filter_map(|(name, info)| {
            let name = name.into_string().ok()?;
            let is_skill = matches!(info.kind, EntryKind::Folder | EntryKind::Link) && !name.starts_with('.');
            is_skill.then_some((name, info.kind))
        });
        let stamp = |(name, kind): (String, EntryKind)| {
            let file = match kind {
                EntryKind::Folder => root.metadata(skill_file(&name)).ok().flatten(),
                _ => None,
            };
            SkillStamp { name, kind, file: file.map(|info| (info.kind, info.len, info.modified)) }
        };
        entries.take(MOST_SKILLS).map(stamp).collect()
    }

    /// Reads the skills with these stamps, by name.
    pub fn read(&self, stamps: &[SkillStamp]) -> Vec<(String, Skill)> {
        let Some(root) = self.root() else { return Vec::new() };
        let read = |stamp: &SkillStamp| {
            let text = text_of(&root, stamp);
            (stamp.name.clone(), Skill { source: Source::User, text })
        };
        stamps.iter().map(read).collect()
    }

    /// Returns the paths of a skill's further files.
    pub fn files(&self, name: &str) -> Vec<String> {
        let mut files = Vec::new();
        if let Some(root) = self.root() {
            gather(&root, Path::new(name), "", DEEPEST, &mut files);
        }
        files
    }

    /// Returns the content of a file, or `None` if there is none or the path is not permitted.
    pub fn file(&self, name: &str, path: &str) -> Result<Option<Vec<u8>>, SkillError> {
        let Some(root) = self.root() else { return Ok(None) };
        match root.read(Path::new(name).join(path.trim_start_matches("./")), LARGEST_FILE) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(RootError::TooLarge { .. }) => Err(SkillError::NotText(path.to_owned())),
            Err(_) => Ok(None),
        }
    }

    fn root(&self) -> Option<RootDir> {
        RootDir::open(&self.folder).ok()
    }
}

fn skill_file(name: &str) -> PathBuf {
    Path::new(name).join("SKILL.md")
}

fn text_of(root: &RootDir, stamp: &SkillStamp) -> Result<SkillText, String> {
    let SkillStamp { name, kind, .. } = stamp;
    if *kind == EntryKind::Link {
        return Err("It is a link. Copy the folder here instead.".to_owned());
    }
    if name.chars().count() > LONGEST_NAME {
        return Err(format!("Its name is longer than {LONGEST_NAME} characters."));
    }
    let bytes = root.read(skill_file(name), LARGEST_SKILL).map_err(|error| match error {
        error if error.is_not_found() => "There is no SKILL.md in its folder.".to_owned(),
        RootError::TooLarge { .. } => format!("SKILL.md is larger than {} KB.", LARGEST_SKILL / 1024),
        RootError::Outside(_) => "SKILL.md is a link that leads out of the folder.".to_owned(),
        RootError::NotAFile(_) => "SKILL.md is not a file.".to_owned(),
        RootError::File(error) => format!("SKILL.md cannot be read: {error}."),
    })?;
    SkillText::read(name, &bytes)
}

/// Adds the files below a folder. Links and hidden files are left out.
fn gather(root: &RootDir, skill: &Path, inside: &str, deepest: usize, files: &mut Vec<String>) {
    let Ok(entries) = root.list(skill.join(inside)) else { return };
    for (name, info) in entries {
        let Some(name) = name.to_str().filter(|name| !name.starts_with('.')) else { continue };
        let path = if inside.is_empty() { name.to_owned() } else { format!("{inside}/{name}") };
        match info.kind {
            _ if files.len() >= MOST_FILES => return,
            EntryKind::File if path != "SKILL.md" => files.push(path),
            EntryKind::Folder if deepest > 1 => gather(root, skill, &path, deepest - 1, files),
            _ => {}
        }
    }
}
