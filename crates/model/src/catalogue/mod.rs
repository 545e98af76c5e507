//! The catalogue of models that can be downloaded by name.

mod embedding;
mod item;
mod items;

use std::path::Path;

use protocol::{CatalogueEntry, Machine, SourceKind};

pub use item::{CatalogueItem, CatalogueSource, Package, Purpose};

/// The models that Perigee knows by name.
#[derive(Debug, Clone)]
pub struct Catalogue {
    items: Vec<CatalogueItem>,
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
