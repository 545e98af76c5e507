//! The map of a repository: which files and definitions matter, around what somebody works on.
//!
//! A file that uses a name points at the files that define it. Over these arrows rank flows, from what is in
//! [`Focus`] to what that uses, and on; what much points at has much of it. The rank of a file is that of what it
//! defines, so the map shows the definitions that brought it. [`Graph`] owns all it needs, and is made anew when
//! outlines change; the same outlines and the same focus always give the same map.

mod build;
mod draw;
mod rank;
mod weigh;

use std::collections::HashMap;

/// What somebody works on. Files are named as they were to [`Graph::new`]; what the graph does not know is passed over.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Focus {
    /// Files that are spoken of, or open.
    pub files: Vec<String>,
    /// Names of definitions or of files that are spoken of: `apply`, `Edit::apply`, `edit.apply`, `ladder`.
    pub names: Vec<String>,
    /// Files that were changed or read lately.
    pub recent: Vec<String>,
    /// Files of which a check complained.
    pub failed: Vec<String>,
    /// Files that the reader has before them: they attract as the others do, but are not drawn.
    pub known: Vec<String>,
}

/// A map as text, for a prompt.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RepoMap {
    /// Each file's path and a colon, then its definitions that matter, as `line: signature`; `⋮` for those left out.
    pub text: String,
    /// The files that are drawn, in their order, with their rank.
    pub files: Vec<(String, f64)>,
    /// What `text` counts, which is never more than was allowed.
    pub tokens: usize,
}

/// Files by what they define and use.
#[derive(Debug, Default)]
pub struct Graph {
    /// By path.
    files: Vec<File>,
    /// By file, in the order of their lines.
    definitions: Vec<Place>,
    /// All signatures, one after the other.
    signatures: String,
    names: HashMap<Box<str>, u32>,
    /// By name and file.
    sites: Vec<Site>,
    /// Where the sites of each name begin, and where the last ones end.
    sites_of: Vec<u32>,
    /// By the file that they come from.
    arrows: Vec<Arrow>,
}

#[derive(Debug)]
struct File {
    path: Box<str>,
    /// Where its definitions end, and where its arrows do; those of the file before end where its own begin.
    definitions_end: u32,
    arrows_end: u32,
}

/// A definition, as the map needs it.
#[derive(Debug)]
struct Place {
    file: u32,
    line: u32,
    signature: (u32, u32),
    /// The definition that it stands in, or [`NONE`].
    parent: u32,
    /// Its name in its file, or [`NONE`] where others cannot mean it.
    site: u32,
    /// How much it matters for what it is.
    share: f32,
    /// How much it matters within its file.
    own: f32,
}

/// One name in one file that defines it.
#[derive(Debug)]
struct Site {
    file: u32,
    name: u32,
    /// The first of its definitions.
    first: u32,
    /// Of all its definitions together.
    share: f32,
}

/// A file uses what another defines.
#[derive(Debug)]
struct Arrow {
    site: u32,
    /// That of the site, where it is needed most.
    file: u32,
    weight: f32,
}

const NONE: u32 = u32::MAX;

impl Graph {
    /// The files with their rank, the highest first; all ranks together are one.
    pub fn ranked(&self, focus: &Focus) -> Vec<(String, f64)> {
        let ranks = self.rank(focus);
        let order = self.order(&ranks.files);
        order.into_iter().map(|file| (self.files[file].path.to_string(), ranks.files[file])).collect()
    }

    /// How many files there are.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// The highest rank first, and by path where there is no difference.
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

    fn arrows_of(&self, file: usize) -> &[Arrow] {
        let start = file.checked_sub(1).map_or(0, |before| self.files[before].arrows_end);
        &self.arrows[start as usize..self.files[file].arrows_end as usize]
    }

    fn sites_of(&self, name: u32) -> std::ops::Range<usize> {
        self.sites_of[name as usize] as usize..self.sites_of[name as usize + 1] as usize
    }
}

#[cfg(test)]
#[path = "map_tests.rs"]
mod tests;
