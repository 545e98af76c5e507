//! The settings file on disk, and a copy of its last good version.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use host::atomic_write_private;
use protocol::ConfigProblem;

use crate::document::{Document, Format, LARGEST, ParseError, Position, parse};

/// The settings file found in the data folder.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct ConfigFile {
    pub(crate) path: PathBuf,
    pub(crate) format: Format,
    /// `None` if there is no file.
    pub(crate) content: Option<Vec<u8>>,
    /// The error if the file could not be read at all.
    unreadable: Option<String>,
    /// True if a `config.json` exists beside the `config.toml` in use.
    pub(crate) shadows_json: bool,
}

/// The settings in force while the file is broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FallbackSource {
    /// The settings loaded before.
    Settings,
    /// The copy of the last good file.
    Copy,
    Defaults,
}

impl ConfigFile {
    /// Reads `config.toml`, else `config.json`. If neither exists, the path is that of `config.toml`.
    pub(crate) fn read(home: &Path) -> Self {
        let (toml, json) = (home.join("config.toml"), home.join("config.json"));
        let (toml_there, json_there) = (toml.exists(), json.exists());
        let (path, format) =
            if json_there && !toml_there { (json, Format::Json) } else { (toml, Format::Toml) };
        let (content, unreadable) = match limited(&path) {
            Ok(content) => (content, None),
            Err(error) => (None, Some(error.to_string())),
        };
        Self { path, format, content, unreadable, shadows_json: toml_there && json_there }
    }

    pub(crate) fn with_content(self, content: Vec<u8>) -> Self {
        Self { content: Some(content), ..self }
    }

    pub(crate) fn parsed(&self) -> Result<Document, ParseError> {
        match (&self.content, &self.unreadable) {
            (_, Some(reason)) => {
                Err(ParseError { reason: reason.clone(), at: Position { line: 1, column: 1 } })
            }
            (Some(content), None) => parse(self.format, content),
            (None, None) => Ok(Document::default()),
        }
    }

    /// Keeps a copy of a valid file, for a later start with a broken one.
    pub(crate) fn keep_as_good(&self, home: &Path) {
        let Some(content) = &self.content else { return };
        let copy = self.copy_path(home);
        if limited(&copy).ok().flatten().as_ref() == Some(content) {
            return;
        }
        if let Err(error) = atomic_write_private(&copy, content) {
            tracing::warn!(%error, "could not keep a copy of the settings");
        }
    }

    pub(crate) fn last_good(&self, home: &Path) -> (Document, FallbackSource) {
        let copy = limited(&self.copy_path(home)).ok().flatten();
        match copy.map(|content| parse(self.format, &content)) {
            Some(Ok(document)) => (document, FallbackSource::Copy),
            _ => (Document::default(), FallbackSource::Defaults),
        }
    }

    pub(crate) fn problem(&self, broken: &ParseError, kept: FallbackSource) -> ConfigProblem {
        let instead = match kept {
            FallbackSource::Settings => "The previous settings stay in force",
            FallbackSource::Copy => "The last good settings are in force",
            FallbackSource::Defaults => "The defaults are in force",
        };
        let ParseError { reason, at } = broken;
        let message = format!(
            "{} is broken at line {}, column {}: {reason}. {instead} until you fix it.",
            self.path.display(),
            at.line,
            at.column
        );
        ConfigProblem { message, line: Some(at.line), column: Some(at.column), fatal: true }
    }

    fn copy_path(&self, home: &Path) -> PathBuf {
        home.join(match self.format {
            Format::Toml => "config.toml.last-good",
            Format::Json => "config.json.last-good",
        })
    }
}

/// Reads a file, stopping once it is known to be too large.
fn limited(path: &Path) -> io::Result<Option<Vec<u8>>> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut content = Vec::new();
    file.take(LARGEST as u64 + 1).read_to_end(&mut content)?;
    Ok(Some(content))
}
