//! The files of generated servers.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use host::{FileError, RootDir, RootError};
use jiff::Timestamp;
use protocol::MadeVersion;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};

const MANIFEST: &str = "manifest.json";
const SOURCE: &str = "server.py";
const STORAGE: &str = "sandbox";
const LOG: &str = "stderr.log";
const VERSIONS: &str = "versions";
/// The folder of deleted servers, each kept until another of the same name is deleted.
const DELETED: &str = ".deleted";
pub const LARGEST_SOURCE: usize = 256 * 1024;
const LARGEST_MANIFEST: u64 = 4 << 20;
const MOST_VERSIONS: usize = 50;

/// The manifest entry of a server.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ManifestEntry {
    pub description: String,
    pub auto_start: bool,
    pub allow_network: bool,
    pub created_at: String,
    pub changed_at: String,
    pub versions: Vec<SourceVersion>,
    /// The reason why the entry cannot be read.
    #[serde(skip)]
    pub problem: Option<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SourceVersion {
    pub id: String,
    pub at: String,
    pub note: String,
}

impl ManifestEntry {
    pub fn versions(&self) -> Vec<MadeVersion> {
        let wire = |version: &SourceVersion| {
            let SourceVersion { id, at, note } = version.clone();
            MadeVersion { id, at, note }
        };
        self.versions.iter().map(wire).collect()
    }
}

/// The folder `mcp_servers/`: `manifest.json`, and a folder for each server.
#[derive(Debug, Clone)]
pub struct ServerFiles {
    folder: PathBuf,
}

#[derive(Debug, thiserror::Error)]
pub enum ServerFilesError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    Root(#[from] RootError),
    #[error("{} cannot be understood: {error}. Fix it, or put it aside to start over", path.display())]
    Manifest { path: PathBuf, error: serde_json::Error },
    #[error("there is no server named {0}")]
    Unknown(String),
    #[error("another server is named {0} now, so that this one cannot come back beside it")]
    NameTaken(String),
}

impl ServerFiles {
    pub fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    pub fn source_path(&self, name: &str) -> PathBuf {
        self.folder.join(name).join(SOURCE)
    }

    pub fn storage(&self, name: &str) -> PathBuf {
        self.folder.join(name).join(STORAGE)
    }

    pub fn log(&self, name: &str) -> PathBuf {
        self.folder.join(name).join(LOG)
    }

    /// Returns all servers by name. One with an unreadable entry is included with its error, so that none disappears.
    pub fn entries(&self) -> Result<BTreeMap<String, ManifestEntry>, ServerFilesError> {
        let mut manifest = self.manifest()?;
        let servers = match manifest.shift_remove("servers") {
            Some(Value::Object(servers)) => servers,
            Some(_) => {
                return Err(self.manifest_error(serde::de::Error::custom("`servers` is not an object")));
            }
            // Lumina's manifest has the servers at the top level.
            None => manifest,
        };
        let read = |(name, entry): (String, Value)| {
            let is_one = is_valid_name(&name) && (entry.is_object() || self.source_path(&name).exists());
            let entry = serde_json::from_value(entry).unwrap_or_else(|error| ManifestEntry {
                problem: Some(format!("its entry in {MANIFEST} cannot be understood: {error}")),
                ..ManifestEntry::default()
            });
            is_one.then_some((name, entry))
        };
        Ok(servers.into_iter().filter_map(read).collect())
    }

    pub fn entry(&self, name: &str) -> Result<ManifestEntry, ServerFilesError> {
        self.entries()?.remove(name).ok_or_else(|| ServerFilesError::Unknown(name.to_owned()))
    }

    pub fn source(&self, name: &str) -> Result<String, ServerFilesError> {
        let bytes = self.root()?.read(Path::new(name).join(SOURCE), LARGEST_SOURCE as u64)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    pub fn version(&self, name: &str, id: &str) -> Result<String, ServerFilesError> {
        let known = self.entry(name)?.versions.iter().any(|version| version.id == id);
        if !known {
            return Err(ServerFilesError::Unknown(format!("{name}, version {id}")));
        }
        let path = Path::new(name).join(VERSIONS).join(format!("{id}.py"));
        let bytes = self.root()?.read(path, LARGEST_SOURCE as u64)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Writes a server as a new version.
    pub fn put(
        &self,
        name: &str,
        code: &str,
        entry: ManifestEntry,
        note: &str,
    ) -> Result<ManifestEntry, ServerFilesError> {
        // Checks that the manifest is readable before writing anything.
        self.manifest()?;
        let root = self.root()?;
        root.create_dirs(Path::new(name).join(VERSIONS))?;
        root.create_dirs(Path::new(name).join(STORAGE))?;
        let entry = Self::version_of(&root, name, code, entry, note)?;
        root.write(Path::new(name).join(SOURCE), code.as_bytes())?;
        self.change(|servers| drop(servers.insert(name.to_owned(), json!(entry))))?;
        Ok(entry)
    }

    /// Records the current source as a version if it differs from the newest one.
    pub fn record(
        &self,
        name: &str,
        entry: ManifestEntry,
        note: &str,
    ) -> Result<ManifestEntry, ServerFilesError> {
        let code = self.source(name)?;
        let newest = entry.versions.last().and_then(|version| self.version(name, &version.id).ok());
        if newest.as_ref() == Some(&code) {
            return Ok(entry);
        }
        let root = self.root()?;
        root.create_dirs(Path::new(name).join(VERSIONS))?;
        let entry = Self::version_of(&root, name, &code, entry, note)?;
        self.change(|servers| drop(servers.insert(name.to_owned(), json!(entry))))?;
        Ok(entry)
    }

    fn version_of(
        root: &RootDir,
        name: &str,
        code: &str,
        mut entry: ManifestEntry,
        note: &str,
    ) -> Result<ManifestEntry, ServerFilesError> {
        let (folder, now) = (Path::new(name).join(VERSIONS), Timestamp::now());
        // Two versions may be written within the same millisecond.
        let newest = entry.versions.last().and_then(|version| version.id.parse::<i64>().ok());
        let id = now.as_millisecond().max(newest.map_or(0, |newest| newest.saturating_add(1))).to_string();
        root.write(folder.join(format!("{id}.py")), code.as_bytes())?;
        let at = now.to_string();
        if entry.created_at.is_empty() {
            entry.created_at.clone_from(&at);
        }
        entry.changed_at.clone_from(&at);
        entry.versions.push(SourceVersion { id, at, note: note.to_owned() });
        while entry.versions.len() > MOST_VERSIONS {
            let oldest = entry.versions.remove(0);
            let _ = root.remove(folder.join(format!("{}.py", oldest.id)));
        }
        Ok(entry)
    }

    /// Returns the deleted servers that can be restored, by name.
    pub fn deleted(&self) -> Result<BTreeMap<String, ManifestEntry>, ServerFilesError> {
        let root = self.root()?;
        if root.metadata(DELETED)?.is_none() {
            return Ok(BTreeMap::new());
        }
        let names = root.list(DELETED)?.into_iter().filter_map(|(name, _)| name.into_string().ok());
        let read = |name: String| {
            let entry =
                root.read(Path::new(DELETED).join(&name).join("entry.json"), LARGEST_MANIFEST).ok()?;
            Some((name, serde_json::from_slice(&entry).ok()?))
        };
        Ok(names.filter(|name| is_valid_name(name)).filter_map(read).collect())
    }

    /// Deletes a server. It can be restored until another of the same name is deleted.
    pub fn delete(&self, name: &str) -> Result<(), ServerFilesError> {
        let (root, entry) = (self.root()?, self.entry(name)?);
        let deleted_folder = Path::new(DELETED).join(name);
        if root.metadata(&deleted_folder)?.is_some() {
            root.remove(&deleted_folder)?;
        }
        // Without a folder there is nothing to restore.
        if root.metadata(name)?.is_some() {
            root.create_dirs(DELETED)?;
            root.rename(name, &deleted_folder)?;
            root.write(deleted_folder.join("entry.json"), json!(entry).to_string().as_bytes())?;
        }
        self.change(|servers| drop(servers.shift_remove(name)))
    }

    /// Restores a deleted server.
    pub fn restore(&self, name: &str) -> Result<ManifestEntry, ServerFilesError> {
        let root = self.root()?;
        let deleted_folder = Path::new(DELETED).join(name);
        let unknown = || ServerFilesError::Unknown(name.to_owned());
        if !is_valid_name(name) || root.metadata(&deleted_folder)?.is_none() {
            return Err(unknown());
        }
        if root.metadata(name)?.is_some() {
            return Err(ServerFilesError::NameTaken(name.to_owned()));
        }
        let entry = root.read(deleted_folder.join("entry.json"), LARGEST_MANIFEST)?;
        let entry: ManifestEntry =
            serde_json::from_slice(&entry).map_err(|error| self.manifest_error(error))?;
        root.rename(&deleted_folder, name)?;
        let _ = root.remove(Path::new(name).join("entry.json"));
        self.change(|servers| drop(servers.insert(name.to_owned(), json!(entry))))?;
        Ok(entry)
    }

    fn change(&self, change: impl FnOnce(&mut Map<String, Value>)) -> Result<(), ServerFilesError> {
        let mut manifest = self.manifest()?;
        if !manifest.get("servers").is_some_and(Value::is_object) {
            manifest = Map::from_iter([("servers".to_owned(), Value::Object(manifest))]);
        }
        if let Some(Value::Object(servers)) = manifest.get_mut("servers") {
            change(servers);
        }
        let text = serde_json::to_string_pretty(&manifest).map_err(|error| self.manifest_error(error))?;
        Ok(self.root()?.write(MANIFEST, format!("{text}\n").as_bytes())?)
    }

    fn manifest(&self) -> Result<Map<String, Value>, ServerFilesError> {
        match self.root()?.read(MANIFEST, LARGEST_MANIFEST) {
            Ok(bytes) => serde_json::from_slice(&bytes).map_err(|error| self.manifest_error(error)),
            Err(error) if error.is_not_found() => Ok(Map::new()),
            Err(error) => Err(error.into()),
        }
    }

    fn manifest_error(&self, error: serde_json::Error) -> ServerFilesError {
        ServerFilesError::Manifest { path: self.folder.join(MANIFEST), error }
    }

    fn root(&self) -> Result<RootDir, FileError> {
        host::private_dir(&self.folder)?;
        RootDir::open(&self.folder)
    }
}

/// A problem with the folder of servers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ServerFilesProblem {
    /// None of the servers can be used.
    All(String),
    /// One server cannot be read; the others are usable.
    One { name: String, why: String },
}

/// Returns the first problem with the servers in a folder, if there is one.
pub fn first_problem(folder: &Path) -> Option<ServerFilesProblem> {
    if !folder.is_dir() {
        return None;
    }
    let files = ServerFiles::new(folder.to_owned());
    let entries = match files.entries() {
        Ok(entries) => entries,
        Err(error) => return Some(ServerFilesProblem::All(error.to_string())),
    };
    entries.into_iter().find_map(|(name, entry)| {
        let why = entry.problem.or_else(|| Some(files.source(&name).err()?.to_string()))?;
        Some(ServerFilesProblem::One { name, why })
    })
}

/// Returns a digest of everything approved: the source, the description and the network request.
pub fn source_digest(code: &str, entry: &ManifestEntry) -> String {
    let whole = json!([code, entry.description, entry.allow_network]);
    host::hex(&Sha256::digest(whole.to_string()))
}

/// Returns true if the name is valid as a folder name and as part of tool names.
pub fn is_valid_name(name: &str) -> bool {
    let is_plain = |letter: char| {
        letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_' || letter == '-'
    };
    (1..=32).contains(&name.len())
        && name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.chars().all(is_plain)
        && !name.contains("__")
        && !name.ends_with('_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_written_down_changed_taken_away_and_had_back() {
        let folder = tempfile::tempdir().unwrap();
        let files = ServerFiles::new(folder.path().join("mcp_servers"));
        let entry = ManifestEntry { description: "Rolls dice.".into(), ..ManifestEntry::default() };
        let first = files.put("dice", "one", entry, "made").unwrap();
        let second = files.put("dice", "two", first.clone(), "mended").unwrap();
        assert_eq!(files.source("dice").unwrap(), "two");
        assert_eq!(second.created_at, first.created_at);
        assert_eq!(files.entries().unwrap()["dice"], second);
        assert_eq!(files.version("dice", &second.versions[0].id).unwrap(), "one");
        assert!(files.version("dice", "../../manifest").is_err());
        files.delete("dice").unwrap();
        assert!(files.entries().unwrap().is_empty());
        files.restore("dice").unwrap();
        assert_eq!((files.source("dice").unwrap(), files.entry("dice").unwrap()), ("two".to_owned(), second));
        assert!(files.restore("dice").is_err() && files.restore("../x").is_err());
        assert!(files.deleted().unwrap().is_empty());
        files.delete("dice").unwrap();
        assert_eq!(files.deleted().unwrap().into_keys().collect::<Vec<_>>(), ["dice"]);
        files.put("dice", "another", ManifestEntry::default(), "made").unwrap();
        assert!(matches!(files.restore("dice"), Err(ServerFilesError::NameTaken(_))));
    }

    #[test]
    fn nobody_vanishes_without_a_word() {
        let folder = tempfile::tempdir().unwrap();
        let files = ServerFiles::new(folder.path().to_owned());
        files.put("dice", "one", ManifestEntry::default(), "made").unwrap();
        files.put("gone", "two", ManifestEntry::default(), "made").unwrap();
        let manifest = folder.path().join(MANIFEST);
        let text = std::fs::read_to_string(&manifest).unwrap();
        std::fs::remove_dir_all(folder.path().join("gone")).unwrap();
        std::fs::write(&manifest, text.replacen(r#""description": """#, r#""description": 5"#, 1)).unwrap();
        let entries = files.entries().unwrap();
        assert_eq!(entries.keys().collect::<Vec<_>>(), ["dice", "gone"]);
        assert!(entries["dice"].problem.as_ref().is_some_and(|why| why.contains("expected a string")));
        assert!(entries["gone"].problem.is_none() && files.source("gone").is_err());
        assert!(
            matches!(first_problem(folder.path()), Some(ServerFilesProblem::One { name, .. }) if name == "dice")
        );
        files.delete("gone").unwrap();
        assert_eq!(files.entries().unwrap().into_keys().collect::<Vec<_>>(), ["dice"]);
        assert!(files.deleted().unwrap().is_empty(), "there was nothing to keep");
        std::fs::write(&manifest, r#"{"servers": []}"#).unwrap();
        assert!(
            matches!(first_problem(folder.path()), Some(ServerFilesProblem::All(why)) if why.contains("`servers` is not an object"))
        );
    }

    #[test]
    fn what_was_changed_by_hand_becomes_a_version_once() {
        let folder = tempfile::tempdir().unwrap();
        let files = ServerFiles::new(folder.path().to_owned());
        let made = files.put("dice", "one", ManifestEntry::default(), "made").unwrap();
        assert_eq!(files.record("dice", made.clone(), "by hand").unwrap(), made);
        std::fs::write(files.source_path("dice"), "two").unwrap();
        let recorded = files.record("dice", made, "by hand").unwrap();
        let recorded = files.record("dice", recorded, "by hand").unwrap();
        assert_eq!(
            recorded.versions.iter().map(|version| version.note.as_str()).collect::<Vec<_>>(),
            ["made", "by hand"]
        );
        assert_eq!(files.version("dice", &recorded.versions[1].id).unwrap(), "two");
        assert_eq!(files.entry("dice").unwrap(), recorded);
    }

    #[test]
    fn a_manifest_of_luminas_is_read_and_a_broken_one_is_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let files = ServerFiles::new(folder.path().to_owned());
        let write = |text: &str| std::fs::write(folder.path().join(MANIFEST), text).unwrap();
        std::fs::create_dir(folder.path().join("dice")).unwrap();
        std::fs::write(folder.path().join("dice/server.py"), "x").unwrap();
        write(
            r#"{"dice": {"description": "Rolls.", "auto_start": true, "other": 1}, "gone": {}, "../x": {}}"#,
        );
        let entries = files.entries().unwrap();
        assert_eq!(entries.keys().collect::<Vec<_>>(), ["dice", "gone"]);
        assert!(entries["dice"].auto_start);
        files.put("coin", "y", ManifestEntry::default(), "").unwrap();
        assert_eq!(files.entries().unwrap().len(), 3);
        write("{broken");
        assert!(matches!(
            files.put("coin", "z", ManifestEntry::default(), ""),
            Err(ServerFilesError::Manifest { .. })
        ));
        assert!(matches!(
            files.put("card", "z", ManifestEntry::default(), ""),
            Err(ServerFilesError::Manifest { .. })
        ));
        assert!(!folder.path().join("card").exists(), "nothing is left behind");
        assert_eq!(std::fs::read_to_string(folder.path().join(MANIFEST)).unwrap(), "{broken");
    }

    #[test]
    fn names_are_folders_and_nothing_else() {
        for good in ["dice", "a", "my-tool_2"] {
            assert!(is_valid_name(good), "{good}");
        }
        for bad in ["", "..", "a/b", "A", "2x", "a__b", "a_", ".deleted", "ä", &"x".repeat(33)] {
            assert!(!is_valid_name(bad), "{bad}");
        }
    }

    #[test]
    fn a_digest_follows_the_source_and_what_is_asked_for() {
        let entry = ManifestEntry { description: "Rolls.".into(), ..ManifestEntry::default() };
        let before = source_digest("x", &entry);
        assert_eq!(
            before,
            source_digest(
                "x",
                &ManifestEntry { auto_start: true, changed_at: "now".into(), ..entry.clone() }
            )
        );
        assert_ne!(before, source_digest("y", &entry));
        assert_ne!(
            before,
            source_digest("x", &ManifestEntry { description: "Sends.".into(), ..entry.clone() })
        );
        assert_ne!(before, source_digest("x", &ManifestEntry { allow_network: true, ..entry }));
    }
}
