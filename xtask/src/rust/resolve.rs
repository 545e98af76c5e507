//! Finds the file that defines a name, through imports and re-exports.

use std::collections::{BTreeMap, BTreeSet};

use super::modules::{Crate, Placed};

/// The maximum number of re-exports that a name is followed through.
const DEEPEST: usize = 16;

/// The target of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Target<'a> {
    Module(usize),
    /// A name that this module defines.
    Name(usize, &'a str),
}

/// The names that a file uses of another file of its crate.
pub type Uses = BTreeMap<(String, String), BTreeSet<String>>;

/// Returns the names that each file uses of each other file. A `mod` line is not a use, nor is a re-export of a name
/// that the file itself does not need.
pub fn uses(read: &Crate<'_>) -> Uses {
    let mut uses = Uses::new();
    for (index, module) in read.modules.iter().enumerate() {
        let imported = module.imports.iter().filter(|import| import.name != "*");
        let needed = imported.filter(|import| !import.passed_on || module.words.contains(import.name));
        let paths = needed.map(|import| &import.path).chain(&module.paths);
        let targets = paths.filter_map(|path| read.resolve(index, path, LookupKind::Any, DEEPEST));
        let by_glob = words_by_glob(read, index, module);
        for target in targets.chain(by_glob) {
            let Target::Name(definer, name) = target else { continue };
            let Some(definer) = read.modules.get(definer).filter(|definer| definer.file != module.file)
            else {
                continue;
            };
            uses.entry((module.file.clone(), definer.file.clone())).or_default().insert(name.to_owned());
        }
    }
    uses
}

/// Finds the words that a module imports only by `use …::*`.
fn words_by_glob<'a>(
    read: &'a Crate<'_>,
    index: usize,
    module: &'a Placed<'_>,
) -> impl Iterator<Item = Target<'a>> {
    let globs = module.imports.iter().filter(|import| import.name == "*" && !import.passed_on);
    let sources = globs.filter_map(move |glob| read.source(index, &glob.path, DEEPEST));
    let is_foreign =
        |word: &&&str| !module.defines(word) && !module.imports.iter().any(|import| import.name == **word);
    sources.flat_map(move |source| {
        let words = module.words.iter().filter(is_foreign);
        words.filter_map(move |word| read.find(source, word, LookupKind::Any, DEEPEST))
    })
}

/// The kind of name to look for, since a module and another item may share one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LookupKind {
    Module,
    Any,
}

impl LookupKind {
    /// Returns the kind to look for in a path with this rest.
    fn or_module(self, rest: &[&str]) -> Self {
        if rest.is_empty() { self } else { Self::Module }
    }
}

impl<'a> Crate<'a> {
    fn resolve<'p>(&self, from: usize, path: &[&'p str], last: LookupKind, depth: usize) -> Option<Target<'p>>
    where
        'a: 'p,
    {
        let (first, rest) = path.split_first()?;
        let start = match *first {
            "crate" => Target::Module(0),
            "self" => Target::Module(from),
            "super" => Target::Module(self.modules.get(from)?.parent?),
            name => self.find(from, name, last.or_module(rest), depth)?,
        };
        self.follow(start, rest, last, depth)
    }

    /// Follows the rest of a path.
    fn follow<'p>(
        &self,
        start: Target<'p>,
        rest: &[&'p str],
        last: LookupKind,
        depth: usize,
    ) -> Option<Target<'p>>
    where
        'a: 'p,
    {
        let (Target::Module(module), Some((next, rest))) = (&start, rest.split_first()) else {
            return Some(start);
        };
        let found = match *next {
            "super" => Some(Target::Module(self.modules.get(*module)?.parent?)),
            name => self.find(*module, name, last.or_module(rest), depth),
        };
        // Definitions by macros are not visible here, but they belong to the module too.
        self.follow(found.unwrap_or(Target::Name(*module, next)), rest, last, depth)
    }

    /// Finds a name in a module: among its definitions, its child modules and its imports.
    fn find<'p>(&self, module: usize, name: &'p str, sought: LookupKind, depth: usize) -> Option<Target<'p>>
    where
        'a: 'p,
    {
        let placed = self.modules.get(module)?;
        let own = placed.defines(name).then_some(Target::Name(module, name));
        let child = placed.child(name).map(Target::Module);
        let imported = || self.imported(module, name, sought, depth);
        match sought {
            LookupKind::Any => own.or_else(imported).or(child),
            // A function or a type with this name does not hide the module.
            LookupKind::Module => child.or_else(|| match imported() {
                Some(Target::Name(..)) if own.is_some() => own,
                found => found.or(own),
            }),
        }
    }

    fn imported<'p>(
        &self,
        module: usize,
        name: &'p str,
        sought: LookupKind,
        depth: usize,
    ) -> Option<Target<'p>>
    where
        'a: 'p,
    {
        let depth = depth.checked_sub(1)?;
        let placed = self.modules.get(module)?;
        let mut named = placed.imports.iter().filter(|import| import.name == name);
        let by_name = named.find_map(|import| match import.path.split_first()? {
            // An import cannot lead to itself: the name is a child module or another crate.
            (first, rest) if *first == name => {
                self.follow(Target::Module(placed.child(name)?), rest, sought, depth)
            }
            _ => self.resolve(module, &import.path, sought, depth),
        });
        by_name.or_else(|| {
            let mut globs = placed.imports.iter().filter(|import| import.name == "*");
            globs.find_map(|glob| match self.source(module, &glob.path, depth)? {
                source if source != module => self.find(source, name, sought, depth),
                _ => None,
            })
        })
    }

    /// Finds the module of a glob import.
    fn source(&self, from: usize, path: &[&str], depth: usize) -> Option<usize> {
        let (first, rest) = path.split_first()?;
        let start = match *first {
            "crate" | "self" | "super" => {
                return self.resolve(from, path, LookupKind::Module, depth)?.module();
            }
            // A search among the glob imports would lead back to this one.
            name => self.modules.get(from)?.child(name)?,
        };
        self.follow(Target::Module(start), rest, LookupKind::Module, depth)?.module()
    }
}

impl Target<'_> {
    fn module(self) -> Option<usize> {
        match self {
            Self::Module(module) => Some(module),
            Self::Name(..) => None,
        }
    }
}

#[cfg(test)]
#[path = "resolve_tests.rs"]
mod tests;
