use std::fs::{self, File};
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Sender};
use std::thread::JoinHandle;
use std::time::SystemTime;

use llama_cpp_2::token::LlamaToken;
use sha2::{Digest, Sha256};

use crate::state::StateBytes;

const MAGIC: &[u8; 8] = b"PGSTATE1";
const EXTENSION: &str = "state";
const DIGEST: usize = 32;

/// Evaluated state on disk, so that the first turn after a start is as quick as the second.
///
/// A file is named by what it belongs to (a conversation, or the tokens of a system prefix) and by the model
/// and engine that made it: another model, or another build of llama.cpp, never sees it. A checksum stands at
/// its end; a file that does not match is deleted and the prompt evaluated as if there were none.
pub struct DiskCache {
    folder: PathBuf,
    maker: String,
    writer: Option<Writer>,
}

/// What a cached state stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject<'a> {
    Conversation(&'a str),
    Prefix(&'a [LlamaToken]),
}

struct Writer {
    jobs: Sender<Write>,
    thread: JoinHandle<()>,
}

enum Write {
    Save { path: PathBuf, tokens: Vec<LlamaToken>, state: StateBytes },
    Remove(PathBuf),
    Flush(Sender<()>),
}

impl DiskCache {
    /// `maker` tells model file and engine apart; `budget` is in bytes, and zero keeps nothing.
    pub fn new(folder: PathBuf, maker: &str, budget: u64) -> Self {
        let writer = (budget > 0).then(|| Writer::start(folder.clone(), budget)).flatten();
        Self { folder, maker: maker.to_owned(), writer }
    }

    pub fn load(&self, subject: Subject<'_>) -> Option<(Vec<LlamaToken>, StateBytes)> {
        self.writer.as_ref()?;
        let path = self.path(subject);
        let file = File::open(&path).ok()?;
        let loaded = read(&file);
        if loaded.is_some() {
            // The time of use decides what goes first when the budget is spent.
            file.set_modified(SystemTime::now()).ok();
        } else {
            tracing::warn!("a saved model state was damaged and is dropped: {}", path.display());
            self.remove(subject);
        }
        loaded
    }

    pub fn save(&self, subject: Subject<'_>, tokens: &[LlamaToken], state: StateBytes) {
        self.send(Write::Save { path: self.path(subject), tokens: tokens.to_vec(), state });
    }

    pub fn remove(&self, subject: Subject<'_>) {
        self.send(Write::Remove(self.path(subject)));
    }

    /// Waits until everything asked for so far is on disk.
    pub fn flush(&self) {
        let (done, wait) = mpsc::channel();
        self.send(Write::Flush(done));
        wait.recv().ok();
    }

    fn send(&self, job: Write) {
        if let Some(writer) = &self.writer {
            writer.jobs.send(job).ok();
        }
    }

    fn path(&self, subject: Subject<'_>) -> PathBuf {
        let mut hash = Sha256::new();
        hash.update(self.maker.as_bytes());
        let kind = match subject {
            Subject::Conversation(key) => {
                hash.update(key.as_bytes());
                "conversation"
            }
            Subject::Prefix(tokens) => {
                for token in tokens {
                    hash.update(token.0.to_le_bytes());
                }
                "prefix"
            }
        };
        let name = host::hex(&hash.finalize()[..12]);
        self.folder.join(format!("{kind}-{name}.{EXTENSION}"))
    }
}

impl Drop for DiskCache {
    fn drop(&mut self) {
        if let Some(Writer { jobs, thread }) = self.writer.take() {
            drop(jobs);
            thread.join().ok();
        }
    }
}

impl Writer {
    fn start(folder: PathBuf, budget: u64) -> Option<Self> {
        let (jobs, queue) = mpsc::channel::<Write>();
        let thread = std::thread::Builder::new()
            .name("state-writer".into())
            .spawn(move || {
                for job in queue {
                    match job {
                        Write::Save { path, tokens, state } => {
                            let written = host::private_dir(&folder)
                                .and_then(|()| host::atomic_write(&path, &encode(&tokens, &state)));
                            match written {
                                Ok(()) => prune(&folder, budget),
                                Err(error) => tracing::warn!("a model state was not saved: {error}"),
                            }
                        }
                        Write::Remove(path) => delete(&path),
                        Write::Flush(done) => drop(done.send(())),
                    }
                }
            })
            .ok()?;
        Some(Self { jobs, thread })
    }
}

fn encode(tokens: &[LlamaToken], state: &StateBytes) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(MAGIC.len() + 8 + tokens.len() * 4 + state.0.len() + DIGEST);
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&(tokens.len() as u64).to_le_bytes());
    for token in tokens {
        bytes.extend_from_slice(&token.0.to_le_bytes());
    }
    bytes.extend_from_slice(&state.0);
    let digest = Sha256::digest(&bytes);
    bytes.extend_from_slice(&digest);
    bytes
}

fn read(file: &File) -> Option<(Vec<LlamaToken>, StateBytes)> {
    let length = usize::try_from(file.metadata().ok()?.len()).ok()?;
    let mut bytes = Vec::with_capacity(length);
    BufReader::with_capacity(1 << 20, file).read_to_end(&mut bytes).ok()?;
    decode(bytes)
}

fn decode(mut bytes: Vec<u8>) -> Option<(Vec<LlamaToken>, StateBytes)> {
    let body = bytes.len().checked_sub(DIGEST)?;
    if Sha256::digest(&bytes[..body]).as_slice() != &bytes[body..] {
        return None;
    }
    bytes.truncate(body);
    let rest = bytes.strip_prefix(MAGIC)?;
    let (count, rest) = rest.split_first_chunk::<8>()?;
    let count = usize::try_from(u64::from_le_bytes(*count)).ok()?;
    let size = count.checked_mul(4)?;
    if rest.len() < size {
        return None;
    }
    let tokens = rest[..size]
        .chunks_exact(4)
        .map(|chunk| LlamaToken(i32::from_le_bytes([chunk[0], chunk[1], chunk[2], chunk[3]])))
        .collect();
    Some((tokens, StateBytes(bytes.split_off(MAGIC.len() + 8 + size))))
}

/// Deletes the files that were used least recently until the rest is within the budget.
fn prune(folder: &Path, budget: u64) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut files: Vec<(SystemTime, u64, PathBuf)> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == EXTENSION))
        .filter_map(|path| {
            let metadata = fs::metadata(&path).ok()?;
            Some((metadata.modified().ok()?, metadata.len(), path))
        })
        .collect();
    files.sort_by_key(|(used, ..)| std::cmp::Reverse(*used));
    let mut total = 0;
    for (_, size, path) in files {
        total += size;
        if total > budget {
            delete(&path);
        }
    }
}

/// Nothing but this cache ever writes these files, and losing one costs time and no data.
#[allow(clippy::disallowed_methods)]
fn delete(path: &Path) {
    fs::remove_file(path).ok();
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "the files of a test are its own")]
#[path = "disk_tests.rs"]
mod tests;
