//! What is in the workspace: its files, what they define, and how they hang together.
//!
//! [`Index::refresh`] looks through all of it, [`Index::update`] at what somebody knows to have changed, and [`Watch`]
//! is such a somebody. What was found is kept in a [`CodeIndex`], so that the next start reads only what is different.

mod catalogue;
mod kept;
mod looking;
mod refreshing;
mod watch;
pub(crate) mod words;

use std::sync::{Arc, Mutex, PoisonError};

use store::{CodeIndex, IndexFile, IndexFileKind, IndexOutlines};
use symbols::Outline;
use symbols::map::Graph;

pub(crate) use self::catalogue::Catalogue;
pub use self::refreshing::{IndexError, Progress, Refreshed};
pub use self::watch::{Seen, Watch, WatchError};
use crate::path::WorkspacePath;
use crate::root::Workspace;

/// The index of a workspace. All methods may be called from many threads; they block.
pub struct Index {
    workspace: Workspace,
    pub(crate) code: CodeIndex,
    /// One refresh at a time.
    refreshing: Mutex<()>,
    /// The graph, and the generation that it is of.
    graph: Mutex<Option<(i64, Arc<Graph>)>>,
    catalogue: Mutex<Option<(i64, Arc<Catalogue>)>>,
}

/// A file as it is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexedFile {
    pub path: WorkspacePath,
    pub kind: IndexFileKind,
    pub bytes: u64,
    pub language: Option<String>,
    pub lines: u32,
}

/// Where something is defined.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundSymbol {
    pub path: WorkspacePath,
    pub name: String,
    pub kind: String,
    pub line: u32,
}

impl Index {
    /// What was kept in another form is forgotten. Nothing is read before the first [`Index::refresh`].
    pub fn open(workspace: Workspace, code: CodeIndex) -> Result<Self, IndexError> {
        code.keep_form(&kept::form())?;
        Ok(Self {
            workspace,
            code,
            refreshing: Mutex::default(),
            graph: Mutex::default(),
            catalogue: Mutex::default(),
        })
    }

    pub fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    /// Where vectors of files may be kept.
    pub fn code(&self) -> &CodeIndex {
        &self.code
    }

    /// All files by name.
    pub fn files(&self) -> Result<Vec<IndexedFile>, IndexError> {
        let indexed = |file: IndexFile| {
            let IndexFile { path, kind, bytes, language, lines, .. } = file;
            Some(IndexedFile { path: WorkspacePath::parse(&path).ok()?, kind, bytes, language, lines })
        };
        Ok(self.code.files()?.into_iter().filter_map(indexed).collect())
    }

    /// What a file defines and names; nothing where it is not known.
    pub fn symbols(&self, path: &WorkspacePath) -> Result<Option<Outline>, IndexError> {
        Ok(self.code.outline(path.as_str())?.and_then(|bytes| kept::read(&bytes)))
    }

    /// Where something of this name is defined, whatever style it is written in; written exactly so first.
    pub fn find_symbol(&self, name: &str, limit: usize) -> Result<Vec<FoundSymbol>, IndexError> {
        let found = self.code.find_symbol(&words::key(name), name, limit)?;
        let found = found.into_iter().filter_map(|symbol| {
            let path = WorkspacePath::parse(&symbol.path).ok()?;
            Some(FoundSymbol { path, name: symbol.name, kind: symbol.kind, line: symbol.line })
        });
        Ok(found.collect())
    }

    pub(crate) fn catalogue(&self) -> Result<Arc<Catalogue>, IndexError> {
        let mut kept = self.catalogue.lock().unwrap_or_else(PoisonError::into_inner);
        let generation = self.code.generation()?;
        if let Some((of, catalogue)) = &*kept
            && *of == generation
        {
            return Ok(catalogue.clone());
        }
        let catalogue = Arc::new(Catalogue::new(&self.files()?));
        *kept = Some((generation, catalogue.clone()));
        Ok(catalogue)
    }

    /// How many files are known, and how many things they define.
    pub fn counts(&self) -> Result<(usize, usize), IndexError> {
        Ok(self.code.counts()?)
    }

    /// How the files hang together. It is made once, until something changes.
    pub fn graph(&self) -> Result<Arc<Graph>, IndexError> {
        // Held while it is made: two who want it at once wait for one.
        let mut kept = self.graph.lock().unwrap_or_else(PoisonError::into_inner);
        let generation = self.code.generation()?;
        if let Some((of, graph)) = &*kept
            && *of == generation
        {
            return Ok(graph.clone());
        }
        let IndexOutlines { generation, outlines } = self.code.outlines()?;
        let outlines: Vec<(String, Outline)> =
            outlines.into_iter().filter_map(|(path, bytes)| Some((path, kept::read(&bytes)?))).collect();
        let graph = Arc::new(Graph::new(outlines.iter().map(|(path, outline)| (path.as_str(), outline))));
        *kept = Some((generation, graph.clone()));
        Ok(graph)
    }
}

#[cfg(test)]
#[path = "index_tests.rs"]
mod tests;
