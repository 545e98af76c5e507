//! The modules of a crate, read from its root.

use std::collections::{BTreeMap, BTreeSet};

use super::parser::{self, Import, ItemDefinition, Module};
use super::tokens::tokens;

/// The content of a source file, if it exists.
pub type SourceLookup<'a, 'f> = &'f dyn Fn(&str) -> Option<&'a str>;

/// All modules of a crate. The first is the root.
#[derive(Debug, Default)]
pub struct Crate<'a> {
    pub modules: Vec<Placed<'a>>,
}

/// A module with its place in the crate and in the repository.
#[derive(Debug)]
pub struct Placed<'a> {
    pub file: String,
    pub parent: Option<usize>,
    pub children: BTreeMap<&'a str, usize>,
    pub imports: Vec<Import<'a>>,
    pub definitions: Vec<ItemDefinition<'a>>,
    pub paths: Vec<Vec<&'a str>>,
    pub words: BTreeSet<&'a str>,
    defined: BTreeSet<&'a str>,
}

impl Placed<'_> {
    pub fn child(&self, name: &str) -> Option<usize> {
        self.children.get(name).copied()
    }

    pub fn defines(&self, name: &str) -> bool {
        self.defined.contains(name)
    }
}

impl<'a> Crate<'a> {
    /// Reads the crate with that root: `src/lib.rs` or `src/main.rs`.
    pub fn read(root: &str, source: SourceLookup<'a, '_>) -> Self {
        let mut read = Self::default();
        read.read_file(root, None, source);
        read
    }

    fn read_file(
        &mut self,
        file: &str,
        parent: Option<usize>,
        source: SourceLookup<'a, '_>,
    ) -> Option<usize> {
        let module = parser::module(&tokens(source(file)?));
        let (folder, name) = file.rsplit_once('/').unwrap_or(("", file));
        let own = match name {
            "mod.rs" | "lib.rs" | "main.rs" => folder.to_owned(),
            _ => file.trim_end_matches(".rs").to_owned(),
        };
        Some(self.place(module, file, &own, parent, source))
    }

    /// Adds a module and the modules that it declares, whose files are in `folder`.
    fn place(
        &mut self,
        module: Module<'a>,
        file: &str,
        folder: &str,
        parent: Option<usize>,
        source: SourceLookup<'a, '_>,
    ) -> usize {
        let index = self.modules.len();
        self.modules.push(Placed {
            file: file.to_owned(),
            parent,
            children: BTreeMap::new(),
            defined: module.definitions.iter().map(|definition| definition.name).collect(),
            imports: module.imports,
            definitions: module.definitions,
            paths: module.paths,
            words: module.words,
        });
        for child in module.children {
            let below = format!("{folder}/{}", child.name);
            let read = match (child.inline, child.file) {
                (Some(inline), _) => Some(self.place(inline, file, &below, Some(index), source)),
                (None, Some(path)) => {
                    let beside = file.rsplit_once('/').map_or("", |(folder, _)| folder);
                    self.read_file(&format!("{beside}/{path}"), Some(index), source)
                }
                (None, None) => [format!("{below}.rs"), format!("{below}/mod.rs")]
                    .iter()
                    .find_map(|file| self.read_file(file, Some(index), source)),
            };
            if let (Some(read), Some(parent)) = (read, self.modules.get_mut(index)) {
                parent.children.entry(child.name).or_insert(read);
            }
        }
        index
    }
}
