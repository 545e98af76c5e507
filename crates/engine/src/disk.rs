use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, Sender};
use std::thread::JoinHandle;
use std::time::SystemTime;

use llama_cpp_2::token::LlamaToken;
use sha2::{Digest, Sha256};

use crate::state::StateBytes;

const MAGIC: &[u8; 8] = b"PGSTATE2";
const EXTENSION: &str = "state";
const DIGEST: usize = 32;
/// The length of the end of a file, after the tokens: their number, the magic bytes, and the checksum.
const END: usize = 8 + MAGIC.len() + DIGEST;

/// Evaluated state on disk, so that the first turn after a start is as fast as the second.
///
/// A file name identifies the content (a conversation, or the tokens of a system prefix) and the model and engine that
/// produced it: another model or another build of llama.cpp never reads it. The state comes first in a file and
/// everything else after it, so that the state need not be copied for writing or reading. A checksum is at the end; a
/// file that does not match is deleted, and the prompt is evaluated as if there were no file.
pub struct DiskCache {
    folder: PathBuf,
    maker: String,
    budget: u64,
    writer: Option<Writer>,
}

/// The content of a cached state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CacheSubject<'a> {
    Conversation(&'a str),
    Prefix(&'a [LlamaToken]),
}

struct Writer {
    jobs: Sender<Request>,
    thread: JoinHandle<()>,
}

enum Request {
    Save { path: PathBuf, tokens: Vec<LlamaToken>, state: StateBytes },
    Remove(PathBuf),
    Flush(Sender<()>),
}

impl DiskCache {
    /// Creates a cache. `maker` identifies model file and engine; `budget` is in bytes, and zero disables the cache.
    pub fn new(folder: PathBuf, maker: &str, budget: u64) -> Self {
        let writer = (budget > 0).then(|| Writer::start(folder.clone(), budget)).flatten();
        Self { folder, maker: maker.to_owned(), budget, writer }
    }

    /// Reads a state. If `fits` rejects its number of tokens, the file is kept and not read.
    pub fn load(
        &self,
        subject: CacheSubject<'_>,
        fits: impl FnOnce(usize) -> bool,
    ) -> Option<(Vec<LlamaToken>, StateBytes)> {
        self.writer.as_ref()?;
        let path = self.path(subject);
        let mut file = File::open(&path).ok()?;
        let tokens = token_count(&mut file);
        if tokens.is_some_and(|tokens| !fits(tokens)) {
            return None;
        }
        let loaded = tokens.and_then(|_| read(&mut file));
        if loaded.is_some() {
            // The modification time serves as time of last use for pruning.
            file.set_modified(SystemTime::now()).ok();
        } else {
            tracing::warn!("a damaged model state is deleted: {}", path.display());
            self.remove(subject);
        }
        loaded
    }

    /// Returns true if there is a file for this subject, valid or not.
    pub fn holds(&self, subject: CacheSubject<'_>) -> bool {
        self.writer.is_some() && self.path(subject).exists()
    }

    /// Returns true if a state of this size would be saved. One that is larger than the budget would only evict all
    /// others.
    pub fn takes(&self, tokens: usize, state_bytes: usize) -> bool {
        self.writer.is_some() && (state_bytes + tokens * 4 + END) as u64 <= self.budget
    }

    pub fn save(&self, subject: CacheSubject<'_>, tokens: &[LlamaToken], state: StateBytes) {
        if self.takes(tokens.len(), state.0.len()) {
            self.send(Request::Save { path: self.path(subject), tokens: tokens.to_vec(), state });
        }
    }

    pub fn remove(&self, subject: CacheSubject<'_>) {
        self.send(Request::Remove(self.path(subject)));
    }

    /// Waits until all requested writes are on disk.
    pub fn flush(&self) {
        let (done, wait) = mpsc::channel();
        self.send(Request::Flush(done));
        wait.recv().ok();
    }

    fn send(&self, job: Request) {
        if let Some(writer) = &self.writer {
            writer.jobs.send(job).ok();
        }
    }

    fn path(&self, subject: CacheSubject<'_>) -> PathBuf {
        let maker = short_hash(self.maker.as_bytes());
        self.folder.join(format!("{}{maker}.{EXTENSION}", name_prefix(subject)))
    }
}

/// Deletes the state of a conversation in this folder, for all models.
pub fn forget(folder: &Path, key: &str) {
    let beginning = name_prefix(CacheSubject::Conversation(key));
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        if entry.file_name().to_string_lossy().starts_with(&beginning) {
            delete(&entry.path());
        }
    }
}

/// Returns the common prefix of the names of all models' files for this subject.
fn name_prefix(subject: CacheSubject<'_>) -> String {
    match subject {
        CacheSubject::Conversation(key) => format!("conversation-{}-", short_hash(key.as_bytes())),
        CacheSubject::Prefix(tokens) => {
            let bytes: Vec<u8> = tokens.iter().flat_map(|token| token.0.to_le_bytes()).collect();
            format!("prefix-{}-", short_hash(&bytes))
        }
    }
}

fn short_hash(bytes: &[u8]) -> String {
    host::hex(&Sha256::digest(bytes)[..12])
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
        let (jobs, queue) = mpsc::channel::<Request>();
        let thread = std::thread::Builder::new()
            .name("state-writer".into())
            .spawn(move || {
                for job in queue {
                    match job {
                        Request::Save { path, tokens, state } => {
                            let written = host::private_dir(&folder)
                                .and_then(|()| host::atomic_write(&path, &encode(&tokens, state)));
                            match written {
                                Ok(()) => prune(&folder, budget),
                                Err(error) => tracing::warn!("a model state was not saved: {error}"),
                            }
                        }
                        Request::Remove(path) => delete(&path),
                        Request::Flush(done) => drop(done.send(())),
                    }
                }
            })
            .ok()?;
        Some(Self { jobs, thread })
    }
}

/// Encodes a file. The state is copied only if it is still in use elsewhere.
fn encode(tokens: &[LlamaToken], state: StateBytes) -> Vec<u8> {
    let mut bytes = Arc::unwrap_or_clone(state.0);
    bytes.reserve_exact(tokens.len() * 4 + END);
    for token in tokens {
        bytes.extend_from_slice(&token.0.to_le_bytes());
    }
    bytes.extend_from_slice(&(tokens.len() as u64).to_le_bytes());
    bytes.extend_from_slice(MAGIC);
    let digest = Sha256::digest(&bytes);
    bytes.extend_from_slice(&digest);
    bytes
}

/// Returns the number of tokens from the end of a file, if it is plausible.
fn token_count(file: &mut File) -> Option<usize> {
    let before = file.seek(SeekFrom::End(-i64::try_from(END).ok()?)).ok()?;
    let mut end = [0; END];
    file.read_exact(&mut end).ok()?;
    parse_count(&end).filter(|&count| count as u64 <= before / 4)
}

fn parse_count(end: &[u8]) -> Option<usize> {
    let (count, rest) = end.split_first_chunk::<8>()?;
    rest.starts_with(MAGIC).then_some(())?;
    usize::try_from(u64::from_le_bytes(*count)).ok()
}

fn read(file: &mut File) -> Option<(Vec<LlamaToken>, StateBytes)> {
    file.rewind().ok()?;
    let length = usize::try_from(file.metadata().ok()?.len()).ok()?;
    let mut bytes = Vec::with_capacity(length);
    file.read_to_end(&mut bytes).ok()?;
    decode(bytes)
}

fn decode(mut bytes: Vec<u8>) -> Option<(Vec<LlamaToken>, StateBytes)> {
    let (body, digest) = bytes.split_last_chunk::<DIGEST>()?;
    if Sha256::digest(body).as_slice() != digest {
        return None;
    }
    let end = bytes.len().checked_sub(END)?;
    let start = end.checked_sub(parse_count(&bytes[end..])?.checked_mul(4)?)?;
    let tokens = bytes[start..end]
        .chunks_exact(4)
        .map(|chunk| LlamaToken(i32::from_le_bytes([chunk[0], chunk[1], chunk[2], chunk[3]])))
        .collect();
    bytes.truncate(start);
    Some((tokens, bytes.into()))
}

/// Keeps the most recently used files as far as each fits the remaining budget, and deletes the others.
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
        if total + size > budget {
            delete(&path);
        } else {
            total += size;
        }
    }
}

/// Deletes a file. Only this cache writes these files, and losing one costs time but no data.
#[allow(clippy::disallowed_methods)]
fn delete(path: &Path) {
    fs::remove_file(path).ok();
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "the files of a test are its own")]
#[path = "disk_tests.rs"]
mod tests;
