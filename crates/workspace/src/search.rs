//! Searches the files for a pattern, with the engine of ripgrep.

use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder, Sink, SinkContext, SinkMatch};
use serde::Serialize;
use thiserror::Error;

use crate::listing::{Glob, GlobError};
use crate::overlay::Overlay;
use crate::path::WorkspacePath;
use crate::workspace::Workspace;

/// The maximum number of characters shown of a line. Longer lines are mostly generated and are cut at the end.
const LONGEST_LINE: usize = 400;

#[derive(Debug, Clone, Default)]
pub struct GrepQuery {
    pub pattern: String,
    /// True if the pattern is plain text instead of a regular expression.
    pub literal: bool,
    pub ignore_case: bool,
    /// Restricts the search to files that match this pattern.
    pub glob: Option<String>,
    /// The number of context lines before and after each match.
    pub context: usize,
    /// The maximum number of matching lines.
    pub limit: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GrepHit {
    pub path: WorkspacePath,
    pub line: u64,
    pub text: String,
    /// True for a matching line, false for a context line.
    pub matches: bool,
}

/// The result of a search.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct GrepResult {
    /// The lines, sorted by file and line number.
    pub hits: Vec<GrepHit>,
    /// True if there are more matches than requested.
    pub more: bool,
}

#[derive(Debug, Error)]
pub enum GrepError {
    #[error("{pattern} is not an expression: {why}. For plain words, say that they are")]
    Pattern { pattern: String, why: String },
    #[error(transparent)]
    Glob(#[from] GlobError),
}

impl Workspace {
    /// Searches the files with the unapplied changes of the overlay.
    pub fn grep(&self, overlay: &Overlay, query: &GrepQuery) -> Result<GrepResult, GrepError> {
        let matcher = matcher(query)?;
        let glob = query.glob.as_deref().map(Glob::new).transpose()?;
        let mut files = self.files_over(overlay);
        files.retain(|file| glob.as_ref().is_none_or(|glob| glob.matches(&file.path)));
        let found = Mutex::new(Vec::new());
        let (next, count) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let threads = std::thread::available_parallelism().map_or(1, usize::from).min(8);
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    let mut searcher = SearcherBuilder::new()
                        .line_number(true)
                        .before_context(query.context)
                        .after_context(query.context)
                        .binary_detection(BinaryDetection::quit(0))
                        .build();
                    // The files are searched in the order of their names until there are enough matches. A file that is
                    // taken is always searched, so that no earlier file is skipped.
                    while count.load(Ordering::Relaxed) <= query.limit
                        && let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed))
                    {
                        let hits = self.hits(&mut searcher, &matcher, overlay, &file.path, query.limit);
                        if !hits.is_empty() {
                            count.fetch_add(hits.iter().filter(|hit| hit.matches).count(), Ordering::Relaxed);
                            found.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(hits);
                        }
                    }
                });
            }
        });
        let found = found.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        Ok(sorted(found, query.limit))
    }

    fn hits(
        &self,
        searcher: &mut Searcher,
        matcher: &RegexMatcher,
        overlay: &Overlay,
        path: &WorkspacePath,
        limit: usize,
    ) -> Vec<GrepHit> {
        let mut collector = HitCollector { path, limit, hits: Vec::new(), matched: 0 };
        // Errors are ignored: the file may have been deleted in the meantime.
        let _ = match overlay.changes().get(path) {
            Some(change) => {
                searcher.search_slice(matcher, change.after.as_deref().unwrap_or_default(), &mut collector)
            }
            None => match self.root().open_file(path) {
                Ok(file) => searcher.search_file(matcher, &file, &mut collector),
                Err(_) => Ok(()),
            },
        };
        collector.hits
    }
}

fn matcher(query: &GrepQuery) -> Result<RegexMatcher, GrepError> {
    let mut builder = RegexMatcherBuilder::new();
    builder.case_insensitive(query.ignore_case).line_terminator(Some(b'\n')).fixed_strings(query.literal);
    builder.build(&query.pattern).map_err(|error| GrepError::Pattern {
        pattern: query.pattern.clone(),
        why: error.to_string().lines().last().unwrap_or_default().to_owned(),
    })
}

fn sorted(mut found: Vec<Vec<GrepHit>>, limit: usize) -> GrepResult {
    found.sort_unstable_by(|one, other| {
        one.first().map(|hit| &hit.path).cmp(&other.first().map(|hit| &hit.path))
    });
    let mut left = limit;
    let mut result = GrepResult::default();
    for hit in found.into_iter().flatten() {
        if hit.matches {
            let Some(fewer) = left.checked_sub(1) else {
                result.more = true;
                break;
            };
            left = fewer;
        }
        result.hits.push(hit);
    }
    result
}

struct HitCollector<'a> {
    path: &'a WorkspacePath,
    limit: usize,
    hits: Vec<GrepHit>,
    matched: usize,
}

impl HitCollector<'_> {
    fn add(&mut self, line: Option<u64>, bytes: &[u8], matches: bool) {
        let text = String::from_utf8_lossy(bytes);
        let text = text.trim_end_matches(['\n', '\r']);
        let end = text.char_indices().nth(LONGEST_LINE).map_or(text.len(), |(at, _)| at);
        let cut = if end < text.len() { "…" } else { "" };
        let text = format!("{}{cut}", &text[..end]);
        self.hits.push(GrepHit { path: self.path.clone(), line: line.unwrap_or_default(), text, matches });
    }
}

impl Sink for HitCollector<'_> {
    type Error = io::Error;

    fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> Result<bool, io::Error> {
        self.add(found.line_number(), found.bytes(), true);
        self.matched += 1;
        // One match more than requested shows that there are more.
        Ok(self.matched <= self.limit)
    }

    fn context(&mut self, _: &Searcher, beside: &SinkContext<'_>) -> Result<bool, io::Error> {
        self.add(beside.line_number(), beside.bytes(), false);
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::Arc;

    use super::*;

    fn found(workspace: &Workspace, query: &GrepQuery) -> Vec<String> {
        let grepped = workspace.grep(&Overlay::new(Arc::clone(workspace.root())), query).unwrap();
        let line = |hit: &GrepHit| {
            format!("{}{}{} {}", hit.path, if hit.matches { ":" } else { "-" }, hit.line, hit.text)
        };
        let more = grepped.more.then(|| "more".to_owned());
        grepped.hits.iter().map(line).chain(more).collect()
    }

    #[test]
    fn lines_are_found_by_file_and_number() {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in [
            ("b.rs", "fn one() {}\nfn two() {}\r\n// ONE\n"),
            ("a.py", "def one():\n    pass\n"),
            ("x.bin", "one\0two"),
            ("ignored.txt", "one"),
            (".gitignore", "ignored.txt\n"),
        ] {
            fs::write(folder.path().join(name), text).unwrap();
        }
        std::os::unix::fs::symlink("/etc/hostname", folder.path().join("link.rs")).unwrap();
        let workspace = Workspace::open(folder.path(), &[]).unwrap();
        let grep = |pattern: &str| GrepQuery { pattern: pattern.into(), limit: 10, ..GrepQuery::default() };
        assert_eq!(found(&workspace, &grep(r"\bone\b")), ["a.py:1 def one():", "b.rs:1 fn one() {}"]);
        let any = GrepQuery { ignore_case: true, glob: Some("*.rs".into()), ..grep("one") };
        assert_eq!(found(&workspace, &any), ["b.rs:1 fn one() {}", "b.rs:3 // ONE"]);
        let beside = GrepQuery { context: 1, ..grep("two") };
        assert_eq!(found(&workspace, &beside), ["b.rs-1 fn one() {}", "b.rs:2 fn two() {}", "b.rs-3 // ONE"]);
        let plain = GrepQuery { literal: true, ..grep("one()") };
        assert_eq!(found(&workspace, &plain), ["a.py:1 def one():", "b.rs:1 fn one() {}"]);
        assert_eq!(found(&workspace, &GrepQuery { limit: 1, ..grep("fn") }), ["b.rs:1 fn one() {}", "more"]);
        assert!(found(&workspace, &grep("nowhere")).is_empty());
        assert!(
            workspace
                .grep(&Overlay::new(Arc::clone(workspace.root())), &grep("a("))
                .unwrap_err()
                .to_string()
                .contains("is not an expression")
        );
    }
}
