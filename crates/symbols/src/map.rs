//! The map of a repository: the files and definitions that matter around the user's focus.
//!
//! A file that uses a name has edges to the files that define it. Rank flows along these edges, from the files in
//! [`Focus`] to the files they use, and on; a file that many edges point to gets much of it. The rank of a file is
//! passed on to its definitions, so the map shows those that earned it. [`Graph`] owns all its data and is rebuilt when
//! outlines change; the same outlines and the same focus always give the same map.

mod build;
mod draw;
mod rank;
mod weights;

use std::collections::HashMap;

/// The files and names that the user works on. Files are named as they were passed to [`Graph::new`]; unknown ones are
/// ignored.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Focus {
    /// Files that are mentioned or open.
    pub files: Vec<String>,
    /// Mentioned names of definitions or of files: `apply`, `Edit::apply`, `edit.apply`, `ladder`.
    pub names: Vec<String>,
    /// Files that were recently changed or read.
    pub recent: Vec<String>,
    /// Files in which a check reported problems.
    pub failed: Vec<String>,
    /// Files whose content the reader already has: they attract rank like the others but are not drawn.
    pub known: Vec<String>,
}

/// A map as text, for a prompt.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RepoMap {
    /// Each file's path and a colon, then its important definitions as `line: signature`, with `⋮` for those left out.
    pub text: String,
    /// The drawn files in order, with their rank.
    pub files: Vec<(String, f64)>,
    /// The token count of `text`, which never exceeds the budget.
    pub tokens: usize,
}

/// Files connected by the names that they define and use.
#[derive(Debug, Default)]
pub struct Graph {
    /// Sorted by path.
    files: Vec<File>,
    /// Sorted by file, then by line.
    definitions: Vec<MapDefinition>,
    /// All signatures, concatenated.
    signatures: String,
    names: HashMap<Box<str>, u32>,
    /// Sorted by name and file.
    sites: Vec<DefinedName>,
    /// The index of the first site of each name, and the end of the last ones.
    sites_of: Vec<u32>,
    /// Sorted by the file that they start from.
    edges: Vec<Edge>,
}

#[derive(Debug)]
struct File {
    path: Box<str>,
    /// The end of its definitions, and below of its edges; they begin where those of the previous file end.
    definitions_end: u32,
    edges_end: u32,
}

/// A definition with the data that the map needs.
#[derive(Debug)]
struct MapDefinition {
    file: u32,
    line: u32,
    signature: (u32, u32),
    /// The definition that contains this one, or [`NONE`].
    parent: u32,
    /// The site of its name in its file, or [`NONE`] if other files cannot refer to it.
    site: u32,
    /// Its weight by kind, visibility and path.
    share: f32,
    /// Its weight within its file; uses in the same file raise it.
    own: f32,
}

/// A name in a file that defines it.
#[derive(Debug)]
struct DefinedName {
    file: u32,
    name: u32,
    /// The first of the definitions with this name.
    first: u32,
    /// The sum over all definitions with this name.
    share: f32,
}

/// An edge from a file to a name that another file defines.
#[derive(Debug)]
struct Edge {
    site: u32,
    /// The file of the site, copied here because the inner loop needs it.
    file: u32,
    weight: f32,
}

const NONE: u32 = u32::MAX;

impl Graph {
    /// Returns the files with their rank, highest first; the ranks add up to one.
    pub fn ranked(&self, focus: &Focus) -> Vec<(String, f64)> {
        let ranks = self.rank(focus);
        let order = self.order(&ranks.files);
        order.into_iter().map(|file| (self.files[file].path.to_string(), ranks.files[file])).collect()
    }

    /// Returns the number of files.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Sorts files by rank, highest first, and files of equal rank by path.
    fn order(&self, ranks: &[f64]) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.files.len()).collect();
        order.sort_by(|one, other| ranks[*other].total_cmp(&ranks[*one]));
        order
    }

    fn file(&self, path: &str) -> Option<usize> {
        self.files.binary_search_by(|file| (*file.path).cmp(path)).ok()
    }

    fn definitions_of(&self, file: usize) -> std::ops::Range<usize> {
        let start = file.checked_sub(1).map_or(0, |before| self.files[before].definitions_end);
        start as usize..self.files[file].definitions_end as usize
    }

    fn edges_of(&self, file: usize) -> &[Edge] {
        let start = file.checked_sub(1).map_or(0, |before| self.files[before].edges_end);
        &self.edges[start as usize..self.files[file].edges_end as usize]
    }

    fn sites_of(&self, name: u32) -> std::ops::Range<usize> {
        self.sites_of[name as usize] as usize..self.sites_of[name as usize + 1] as usize
    }
}

#[cfg(test)]
#[path = "map_tests.rs"]
mod tests;
