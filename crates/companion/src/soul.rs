use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

/// The file for the heartbeat, which is never part of a conversation's prompt.
const HEARTBEAT: &str = "heartbeat.md";
/// The number of bytes that are read of a file. A larger one is a mistake and must not exhaust the memory.
const LARGEST_FILE: u64 = 256 * 1024;

const FIRST_FILES: [(&str, &str); 5] = [
    ("flow.md", include_str!("soul/flow.md")),
    ("identity.md", include_str!("soul/identity.md")),
    ("personality.md", include_str!("soul/personality.md")),
    ("tools.md", include_str!("soul/tools.md")),
    (HEARTBEAT, include_str!("soul/heartbeat.md")),
];

/// The short versions of shipped files for very small models.
const IN_BRIEF: [(&str, &str); 1] = [("identity.md", include_str!("soul/brief/identity.md"))];

/// Texts of earlier versions. A file that still has one of them was never edited and is updated.
const EARLIER: [(&str, &str); 1] = [(
    "tools.md",
    "You can talk. You have no other tools yet: when you are asked to do something else, say that you cannot.",
)];

/// The companion's character: the Markdown files of one folder, in alphabetical order. Changed files are read again.
pub struct Soul {
    folder: PathBuf,
    read: Mutex<Option<(Vec<Stamp>, Vec<SoulFile>)>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SoulFile {
    /// The file's name, such as `soul/identity.md`.
    pub source: String,
    pub text: String,
}

/// The name, size and modification time of a file, from which a change is detected without reading it.
type Stamp = (String, u64, Option<SystemTime>);

impl Soul {
    /// Opens the folder. If it holds no files, the shipped ones are written.
    pub fn open(folder: PathBuf) -> Result<Self, host::FileError> {
        let soul = Self { folder, read: Mutex::new(None) };
        for (name, text) in EARLIER {
            let path = soul.folder.join(name);
            let unedited = fs::read_to_string(&path).is_ok_and(|found| found.trim() == text);
            if let Some((_, current)) = FIRST_FILES.iter().find(|(first, _)| unedited && *first == name) {
                host::atomic_write(path, current.as_bytes())?;
            }
        }
        if soul.stamps().is_empty() && !soul.folder.join(HEARTBEAT).exists() {
            host::private_dir(&soul.folder)?;
            for (name, text) in FIRST_FILES {
                host::atomic_write(soul.folder.join(name), text.as_bytes())?;
            }
        }
        Ok(soul)
    }

    /// Returns the current files with the names of the companion and the user filled in.
    pub fn files(&self, name: &str, user: &str) -> Vec<SoulFile> {
        filled(&self.current(), name, user)
    }

    /// Returns the short versions of shipped files, and edited files unchanged.
    pub fn brief(&self, name: &str, user: &str) -> Vec<SoulFile> {
        let brief = |mut file: SoulFile| {
            let (_, file_name) = file.source.rsplit_once('/')?;
            let is_shipped = |(first, text): &&(&str, &str)| *first == file_name && text.trim() == file.text;
            if FIRST_FILES.iter().find(is_shipped).is_some() {
                let (_, text) = IN_BRIEF.iter().find(|(brief, _)| *brief == file_name)?;
                text.trim().clone_into(&mut file.text);
            }
            Some(file)
        };
        let files = self.current().into_iter().filter_map(brief).collect::<Vec<_>>();
        filled(&files, name, user)
    }

    /// Returns true if no file was edited.
    pub fn is_as_shipped(&self) -> bool {
        let is_shipped = |file: &SoulFile| {
            let name = file.source.rsplit_once('/').map_or("", |(_, name)| name);
            FIRST_FILES.iter().any(|(first, text)| *first == name && text.trim() == file.text)
        };
        self.current().iter().all(is_shipped)
    }

    fn current(&self) -> Vec<SoulFile> {
        let stamps = self.stamps();
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, files)) = read.as_ref()
            && *known == stamps
        {
            return files.clone();
        }
        let files: Vec<SoulFile> = stamps.iter().filter_map(|(name, ..)| self.read_file(name)).collect();
        *read = Some((stamps, files.clone()));
        files
    }

    fn read_file(&self, name: &str) -> Option<SoulFile> {
        use std::io::Read as _;
        let mut bytes = Vec::new();
        let file = fs::File::open(self.folder.join(name)).ok()?;
        file.take(LARGEST_FILE).read_to_end(&mut bytes).ok()?;
        let text = String::from_utf8_lossy(&bytes).trim().to_owned();
        Some(SoulFile { source: format!("soul/{name}"), text })
    }

    fn stamps(&self) -> Vec<Stamp> {
        let Ok(entries) = fs::read_dir(&self.folder) else { return Vec::new() };
        let mut stamps: Vec<Stamp> = entries
            .flatten()
            .filter_map(|entry| {
                let name = entry.file_name().into_string().ok()?;
                let hidden = name.starts_with('.') || name == HEARTBEAT;
                let markdown = Path::new(&name).extension().is_some_and(|extension| extension == "md");
                let metadata = entry.metadata().ok()?;
                (markdown && !hidden && metadata.is_file())
                    .then(|| (name, metadata.len(), metadata.modified().ok()))
            })
            .collect();
        stamps.sort();
        stamps
    }
}

fn filled(files: &[SoulFile], name: &str, user: &str) -> Vec<SoulFile> {
    let user = if user.trim().is_empty() { "the user" } else { user };
    let fill = |file: &SoulFile| SoulFile {
        source: file.source.clone(),
        text: file.text.replace("{{name}}", name).replace("{{user}}", user),
    };
    files.iter().map(fill).filter(|file| !file.text.is_empty()).collect()
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "the files of a test are its own")]
mod tests {
    use super::*;

    fn folder() -> tempfile::TempDir {
        tempfile::tempdir().unwrap()
    }

    fn sources(soul: &Soul) -> Vec<String> {
        soul.files("Luna", "Ada").into_iter().map(|file| file.source).collect()
    }

    #[test]
    fn the_first_run_writes_the_first_files_and_later_ones_do_not() {
        let folder = folder();
        let path = folder.path().join("soul");
        let soul = Soul::open(path.clone()).unwrap();
        assert_eq!(
            sources(&soul),
            ["soul/flow.md", "soul/identity.md", "soul/personality.md", "soul/tools.md"]
        );
        assert_eq!(fs::read_to_string(path.join(HEARTBEAT)).unwrap(), "");
        fs::remove_file(path.join("tools.md")).unwrap();
        let again = Soul::open(path).unwrap();
        assert_eq!(sources(&again), ["soul/flow.md", "soul/identity.md", "soul/personality.md"]);
    }

    #[test]
    fn a_file_that_was_never_edited_follows_what_ships() {
        for (found, stays) in [(EARLIER[0].1, false), ("You can talk, and sing.", true)] {
            let folder = folder();
            fs::write(folder.path().join("tools.md"), found).unwrap();
            let files = Soul::open(folder.path().to_owned()).unwrap().files("Luna", "");
            assert_eq!(files[0].text == found, stays, "{found}");
        }
    }

    #[test]
    fn files_are_sorted_filled_and_read_again_when_they_change() {
        let folder = folder();
        fs::write(folder.path().join("b.md"), "I am {{name}}, with {{user}}.").unwrap();
        fs::write(folder.path().join("a.md"), "First").unwrap();
        fs::write(folder.path().join("heartbeat.md"), "never in the prompt").unwrap();
        fs::write(folder.path().join("notes.txt"), "not a soul file").unwrap();
        fs::write(folder.path().join("empty.md"), " \n").unwrap();
        let soul = Soul::open(folder.path().to_owned()).unwrap();
        let texts =
            |soul: &Soul| soul.files("Nova", "").into_iter().map(|file| file.text).collect::<Vec<_>>();
        assert_eq!(texts(&soul), ["First", "I am Nova, with the user."]);
        fs::write(folder.path().join("a.md"), "Changed words").unwrap();
        assert_eq!(texts(&soul)[0], "Changed words");
        fs::remove_file(folder.path().join("b.md")).unwrap();
        assert_eq!(texts(&soul), ["Changed words"]);
    }

    #[test]
    fn odd_files_do_no_harm() {
        let folder = folder();
        fs::write(folder.path().join("bytes.md"), b"a\xff\xfeb").unwrap();
        fs::write(folder.path().join("huge.md"), "x".repeat(1 << 20)).unwrap();
        fs::create_dir(folder.path().join("folder.md")).unwrap();
        let files = Soul::open(folder.path().to_owned()).unwrap().files("Luna", "");
        assert_eq!(files[0].text, "a\u{fffd}\u{fffd}b");
        assert_eq!(files[1].text.len() as u64, LARGEST_FILE);
        assert_eq!(files.len(), 2);
    }
}
