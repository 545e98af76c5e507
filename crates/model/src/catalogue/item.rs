//! One item of the catalogue.

use std::borrow::Cow;

use protocol::{Machine, SourceKind};

/// One downloadable file and its sources.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CatalogueItem {
    /// The name that `pull` and `use` accept.
    pub name: Cow<'static, str>,
    pub title: Cow<'static, str>,
    /// One sentence on what the model is good for.
    pub about: Cow<'static, str>,
    pub parameters: Cow<'static, str>,
    pub licence: Cow<'static, str>,
    /// The file's length in bytes: exact if there is a checksum, otherwise approximate.
    pub bytes: u64,
    /// Memory that the model needs at run time with a context of 8192 tokens, in bytes.
    pub memory: u64,
    /// The checksum in lower-case hexadecimal, if it is known. Without one, the checksum that the hub reports is used.
    pub sha256: Option<Cow<'static, str>>,
    pub sources: Vec<CatalogueSource>,
    /// True if the model is good enough for experiments, but too small for useful conversation.
    pub tiny: bool,
    pub purpose: Purpose,
}

/// The purpose of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Purpose {
    /// A chat model in the GGUF format; the file is named after the item.
    Chat,
    /// An embedding model, with the names of the items that it requires.
    Embedding { file: Cow<'static, str>, needs: &'static [&'static str] },
    /// A file that other items require.
    Part { file: Cow<'static, str> },
}

/// A source of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CatalogueSource {
    /// A file in a repository on the model hub.
    Hub {
        repo: Cow<'static, str>,
        file: Cow<'static, str>,
    },
    /// A file inside a package of the Python registry.
    Pip(Package),
    /// A file inside a package of the npm registry.
    Npm(Package),
    Url(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Package {
    pub name: Cow<'static, str>,
    pub version: Cow<'static, str>,
    /// A path inside the package; a leading `*` matches any prefix.
    pub member: Cow<'static, str>,
    /// The package's length in bytes, for the progress display.
    pub bytes: u64,
    /// The platform that the package is built for, as its registry names it; `None` if it runs on every platform.
    pub platform: Option<Cow<'static, str>>,
}

impl CatalogueSource {
    pub fn kind(&self) -> SourceKind {
        match self {
            Self::Hub { .. } => SourceKind::Hub,
            Self::Pip(_) => SourceKind::Pip,
            Self::Npm(_) => SourceKind::Npm,
            Self::Url(_) => SourceKind::Url,
        }
    }
}

impl Package {
    pub(crate) fn wants(&self, member: &str) -> bool {
        match self.member.strip_prefix('*') {
            Some(ending) => member.ends_with(ending),
            None => *member == *self.member,
        }
    }
}

impl CatalogueItem {
    /// Returns the name of the item's file in the models folder.
    pub fn file_name(&self) -> String {
        match &self.purpose {
            Purpose::Chat => format!("{}.gguf", self.name),
            Purpose::Embedding { file, .. } | Purpose::Part { file } => file.to_string(),
        }
    }

    /// Returns the names of the items that this one requires.
    pub fn needs(&self) -> &'static [&'static str] {
        match self.purpose {
            Purpose::Embedding { needs, .. } => needs,
            Purpose::Chat | Purpose::Part { .. } => &[],
        }
    }

    /// Returns true if the model takes at most three quarters of the machine's memory, which leaves room for other
    /// programs. A memory size of zero means unknown, and everything fits.
    pub fn fits(&self, machine: &Machine) -> bool {
        machine.memory == 0 || self.memory <= machine.memory / 4 * 3
    }
}
