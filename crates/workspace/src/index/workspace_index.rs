//! The index with its queries.

use std::sync::{Arc, Mutex, PoisonError};

use store::{CodeIndex, IndexFile, IndexOutlines};
use symbols::SourceOutline;
use symbols::map::Graph;

use super::catalogue::FileCatalogue;
use super::error::IndexError;
use super::indexed_file::IndexedFile;
use super::{encoding, words};
use crate::path::WorkspacePath;
use crate::workspace::Workspace;

/// The index of a workspace. All methods are thread-safe and blocking.
pub struct WorkspaceIndex {
    pub(super) workspace: Workspace,
    pub(crate) code: CodeIndex,
    /// Allows one refresh at a time.
    pub(super) refreshing: Mutex<()>,
    /// The graph with the index generation it was built from.
    graph: Mutex<Option<(i64, Arc<Graph>)>>,
    catalogue: Mutex<Option<(i64, Arc<FileCatalogue>)>>,
}

/// A definition of a symbol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundSymbol {
    pub path: WorkspacePath,
    pub name: String,
    pub kind: String,
    pub line: u32,
}

impl WorkspaceIndex {
    /// Opens the index, dropping data stored in another format. No file is read before the first [`WorkspaceIndex::refresh`].
    pub fn open(workspace: Workspace, code: CodeIndex) -> Result<Self, IndexError> {
        code.keep_form(&encoding::format_version())?;
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

    /// Returns the store of the index, in which vectors of files can be kept.
    pub fn code(&self) -> &CodeIndex {
        &self.code
    }

    /// Returns all files, sorted by path.
    pub fn files(&self) -> Result<Vec<IndexedFile>, IndexError> {
        let indexed = |file: IndexFile| {
            let IndexFile { path, kind, bytes, language, lines, .. } = file;
            Some(IndexedFile { path: WorkspacePath::parse(&path).ok()?, kind, bytes, language, lines })
        };
        Ok(self.code.files()?.into_iter().filter_map(indexed).collect())
    }

    /// Returns the definitions and references of a file, or `None` if the file is not indexed or has no outline.
    pub fn symbols(&self, path: &WorkspacePath) -> Result<Option<SourceOutline>, IndexError> {
        Ok(self.code.outline(path.as_str())?.and_then(|bytes| encoding::decode(&bytes)))
    }

    /// Returns the definitions of a name in any naming style, exact matches first.
    pub fn find_symbol(&self, name: &str, limit: usize) -> Result<Vec<FoundSymbol>, IndexError> {
        let found = self.code.find_symbol(&words::key(name), name, limit)?;
        let found = found.into_iter().filter_map(|symbol| {
            let path = WorkspacePath::parse(&symbol.path).ok()?;
            Some(FoundSymbol { path, name: symbol.name, kind: symbol.kind, line: symbol.line })
        });
        Ok(found.collect())
    }

    pub(crate) fn catalogue(&self) -> Result<Arc<FileCatalogue>, IndexError> {
        let mut cached = self.catalogue.lock().unwrap_or_else(PoisonError::into_inner);
        let generation = self.code.generation()?;
        if let Some((of, catalogue)) = &*cached
            && *of == generation
        {
            return Ok(catalogue.clone());
        }
        let catalogue = Arc::new(FileCatalogue::new(&self.files()?));
        *cached = Some((generation, catalogue.clone()));
        Ok(catalogue)
    }

    /// Returns the number of indexed files and of their definitions.
    pub fn counts(&self) -> Result<(usize, usize), IndexError> {
        Ok(self.code.counts()?)
    }

    /// Returns the graph of relations between the files. It is cached until the index changes.
    pub fn graph(&self) -> Result<Arc<Graph>, IndexError> {
        // The lock is held while the graph is built, so concurrent callers build it once.
        let mut cached = self.graph.lock().unwrap_or_else(PoisonError::into_inner);
        let generation = self.code.generation()?;
        if let Some((of, graph)) = &*cached
            && *of == generation
        {
            return Ok(graph.clone());
        }
        let IndexOutlines { generation, outlines } = self.code.outlines()?;
        let outlines: Vec<(String, SourceOutline)> = outlines
            .into_iter()
            .filter_map(|(path, bytes)| Some((path, encoding::decode(&bytes)?)))
            .collect();
        let graph = Arc::new(Graph::new(outlines.iter().map(|(path, outline)| (path.as_str(), outline))));
        *cached = Some((generation, graph.clone()));
        Ok(graph)
    }
}
