//! Data folders for the tests of backup and restore.

#![allow(clippy::disallowed_methods, reason = "tests lay out files and folders of their own")]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use config::{Config, Folders, Paths};
use host::SystemClock;
use jiff::Timestamp;
use protocol::{MessageStatus, StopReason, Timings, Usage};
use sha2::{Digest as _, Sha256};
use store::{BeginTurnResult, FinishedTurn, MessageTarget, NewTurn, Store};
use tempfile::TempDir;

use super::{Progress, create};

pub(super) const VERSION: &str = "0.1.0";

pub(super) fn now() -> Timestamp {
    "2025-06-01T12:00:00Z".parse().unwrap()
}

pub(super) fn silent(_: Progress) {}

/// A data folder inside a temporary folder.
pub(super) struct Home {
    around: TempDir,
    pub(super) paths: Paths,
}

/// The content of a folder: paths, and a description of each entry.
pub(super) type Look = BTreeMap<String, String>;

impl Home {
    pub(super) fn empty() -> Self {
        Self::with(&Config::default())
    }

    pub(super) fn with(config: &Config) -> Self {
        let around = tempfile::tempdir().unwrap();
        let home = around.path().join("home");
        fs::create_dir(&home).unwrap();
        let paths = Paths::new(&Folders::within(&home), config);
        Self { around, paths }
    }

    /// Creates one entry of each kind, with `word` in it.
    pub(super) fn filled(word: &str) -> Self {
        let home = Self::empty();
        home.fill(word);
        home
    }

    pub(super) fn fill(&self, word: &str) {
        let Paths { soul, memories, skills, mcp_servers, assets, .. } = &self.paths;
        let home = &self.paths.home;
        let long = format!("backgrounds/{}/{}.png", "a".repeat(90), "b".repeat(120));
        let files = [
            (home.join("config.toml"), format!("# {word}\n")),
            (home.join("token"), format!("{word}-secret")),
            (self.paths.permissions.clone(), format!("{{\"{word}\": \"allow\"}}")),
            (self.paths.state_file.clone(), format!("{{\"mood\": \"{word}\"}}")),
            (soul.join("identity.md"), format!("I am {word}.")),
            (soul.join("empty.md"), String::new()),
            (memories.join("first.md"), format!("{word} likes tea.")),
            (memories.join(".git/HEAD"), "ref: refs/heads/main\n".into()),
            (memories.join(".git/refs/heads/main"), format!("{word}\n")),
            (memories.join(".git/objects/ab/cdef"), word.repeat(50)),
            (skills.join("tidy/run.sh"), format!("#!/bin/sh\necho {word}\n")),
            (mcp_servers.join("manifest.json"), "{}".into()),
            (assets.join("models/luna.vrm"), word.repeat(3000)),
            (assets.join(long), format!("picture of {word}")),
            (home.join("users/7/state.json"), format!("\"{word}\"")),
        ];
        for (path, text) in files {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        fs::set_permissions(skills.join("tidy/run.sh"), fs::Permissions::from_mode(0o755)).unwrap();
        fs::create_dir_all(memories.join(".git/refs/tags")).unwrap();
        symlink("first.md", memories.join("latest.md")).unwrap();
    }

    /// Creates files that belong to a data folder and never to a backup.
    pub(super) fn fill_what_is_never_packed(&self) {
        let home = &self.paths.home;
        for name in ["models/big.gguf", "cache/states/x", "logs/debug.log", "backups/old.tar.gz", "audit.log"]
        {
            fs::create_dir_all(home.join(name).parent().unwrap()).unwrap();
            fs::write(home.join(name), "never").unwrap();
        }
        fs::write(home.join("run.json"), "{}").unwrap();
        fs::write(home.join("home.lock"), "1").unwrap();
    }

    /// Returns a path beside the data folder.
    pub(super) fn beside(&self, name: &str) -> PathBuf {
        self.around.path().join(name)
    }

    pub(super) fn store(&self) -> Store {
        Store::open(&self.paths.database, Arc::new(SystemClock)).unwrap()
    }

    /// Returns the content of the data folder without the backups and the settings' own copy.
    pub(super) fn look(&self) -> Look {
        let mut look = look(&self.paths.home);
        look.retain(|path, _| !path.starts_with("backups") && !path.ends_with(".last-good"));
        look
    }

    /// Lists the top-level entries of the backup folder.
    pub(super) fn backups(&self) -> Vec<String> {
        let Ok(entries) = fs::read_dir(&self.paths.backups) else { return Vec::new() };
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// Makes a backup with these messages in the database, and closes the database afterwards.
    pub(super) async fn packed(&self, messages: &[&str]) -> PathBuf {
        let store = self.store();
        for message in messages {
            say(&store, message).await;
        }
        let file = self.beside("backup.tar.gz");
        create(&store, &self.paths, VERSION, now(), &file, &silent).await.unwrap();
        store.close().await;
        file
    }
}

/// Stores a message and its answer.
pub(super) async fn say(store: &Store, message: &str) {
    let owner = store.owner().await.unwrap().id;
    let new = NewTurn { target: MessageTarget::Fresh, content: message.into(), ..NewTurn::default() };
    let BeginTurnResult::New(turn) = store.begin_turn(owner, new).await.unwrap() else {
        panic!("it was there already")
    };
    let answer = FinishedTurn {
        content: "I see.".into(),
        reasoning: None,
        status: MessageStatus::Complete,
        stop_reason: Some(StopReason::End),
        error: None,
        error_code: None,
        model: "tiny".into(),
        usage: Usage::default(),
        timings: Timings::default(),
        fragments: Vec::new(),
        last_round: None,
        last_events: None,
    };
    store.finish_turn(turn.id, answer).await.unwrap();
}

/// Returns the users' messages, in any order.
pub(super) async fn said(store: &Store) -> Vec<String> {
    let owner = store.owner().await.unwrap().id;
    let mut said = Vec::new();
    for id in store.conversation_ids(owner).await.unwrap() {
        let view = store.open_conversation(owner, id, None, 100).await.unwrap();
        said.push(view.messages[0].content.clone());
    }
    said.sort();
    said
}

pub(super) fn look(folder: &Path) -> Look {
    let mut look = Look::new();
    let mut waiting = vec![folder.to_path_buf()];
    while let Some(path) = waiting.pop() {
        for entry in fs::read_dir(&path).unwrap() {
            let path = entry.unwrap().path();
            let found = fs::symlink_metadata(&path).unwrap();
            let shown = if found.is_symlink() {
                format!("-> {}", fs::read_link(&path).unwrap().display())
            } else if found.is_dir() {
                waiting.push(path.clone());
                "folder".into()
            } else {
                let runs = if found.permissions().mode() & 0o100 != 0 { "program: " } else { "" };
                let bytes = fs::read(&path).unwrap();
                let content = match str::from_utf8(&bytes) {
                    Ok(text) if text.len() < 100 => text.to_owned(),
                    _ => host::hex(&Sha256::digest(&bytes)),
                };
                format!("{runs}{content}")
            };
            look.insert(path.strip_prefix(folder).unwrap().to_str().unwrap().into(), shown);
        }
    }
    look
}
