//! Gathers the context of a code request: the files that it concerns, its mentions, and an overview of the project.

use std::sync::Arc;

use edits::TextFile;
use protocol::{CodeMode, CodeRequest, ContextPart, RelevantFile};
use serde_json::{Map, Value};
use store::Turn;
use symbols::map::Focus;
use workspace::relevance::{RelevanceRequest, RelevanceSources, SimilaritySearch, find_relevant_files};
use workspace::{EditSession, WorkspacePath, WorkspaceSession};

use super::context_parts::{self, ContextText};
use super::mentions::{Mention, mentions};
use super::similar_files::similar_files;
use crate::error::CompanionError;
use crate::prompt::text::TokenCounter;
use crate::requested_call::RequestedCall;
use crate::services::Services;
use crate::tool_executor::ToolExecutor;

/// The number of relevant files that are searched for if the request names none.
const MOST_RELEVANT: usize = 6;
/// The number of those files that are shown in full.
const SHOWN: usize = 2;
const MOST_NAMES: usize = 300;
const MOST_NOTES: u32 = 5;
/// The file with rules of the project, which other agents read as well.
const RULES: &str = "AGENTS.md";

pub struct ContextGatherer<'a> {
    pub workspace: &'a Arc<WorkspaceSession>,
    pub session: &'a Arc<EditSession>,
    pub request: &'a CodeRequest,
    pub small: bool,
}

pub struct RequestContext {
    pub texts: Vec<String>,
    pub files: Vec<RelevantFile>,
    pub costs: Vec<ContextPart>,
    /// The main file of the request.
    pub target: Option<WorkspacePath>,
}

impl ContextGatherer<'_> {
    pub async fn gather(
        &self,
        services: &Services,
        executor: &mut ToolExecutor<'_>,
        turn: &Turn,
        budget: u32,
        count: TokenCounter<'_>,
    ) -> Result<RequestContext, CompanionError> {
        let Self { request, .. } = self;
        let focus = request.focus_file.as_deref().map(|path| self.look(path)).transpose()?;
        let mut parts = Vec::new();
        if let Some(error) = &request.last_error {
            parts.push(ContextText::new("what failed", error, 15));
        }
        let mut files = Vec::new();
        let mut named = Vec::new();
        if let Some((path, text)) = focus {
            parts.push(ContextText::new(format!("focus file {path}"), text, 50));
            named.push(path);
        }
        for path in &request.extra_read_files {
            let (path, text) = self.look(path)?;
            parts.push(ContextText::new(format!("reference file {path}"), text, 30));
            named.push(path);
        }
        let folders = request.context_folders.iter().map(|folder| Mention::Folder(folder.clone()));
        for mention in mentions(&request.text).into_iter().chain(folders) {
            self.point(mention, executor, &mut parts, &mut named).await;
        }
        if named.is_empty() {
            // A small model mistakes a second file for a part of the first.
            let shown = if self.small { 1 } else { SHOWN };
            for (place, (path, reasons)) in self.relevant(services).await?.into_iter().enumerate() {
                if place < shown
                    && let Some(text) = self.text(&path)
                {
                    parts.push(ContextText::new(
                        format!("file {path}"),
                        text,
                        if place == 0 { 45 } else { 25 },
                    ));
                    named.push(path.clone());
                }
                files.push(RelevantFile { path: path.to_string(), reasons });
            }
        }
        if let Some(rules) = WorkspacePath::parse(RULES).ok().and_then(|path| self.plain(&path)) {
            parts.push(ContextText::new("rules of the project", rules, 15));
        }
        if !self.small {
            parts.extend(self.notes(services, turn).await);
            parts.extend(self.map(&named).await);
            parts.push(ContextText::new("files", self.names(), 10));
        }
        if self.small {
            // A small model pays most attention to the end of the context.
            parts.reverse();
        }
        if request.mode == CodeMode::Repair && request.last_error.is_none() {
            parts.insert(
                0,
                ContextText::new("what failed", self.workspace.last_output().unwrap_or_default(), 15),
            );
        }
        let (texts, costs) = context_parts::fit_parts(parts, budget, count);
        Ok(RequestContext { texts, files, costs, target: named.into_iter().next() })
    }

    /// Reads a file that the request names.
    fn look(&self, path: &str) -> Result<(WorkspacePath, String), CompanionError> {
        let path = self.session.readable(path).map_err(CompanionError::refused)?;
        let text =
            self.text(&path).ok_or_else(|| CompanionError::refused(format!("there is no file {path}")))?;
        Ok((path, text))
    }

    /// Returns a file with line numbers. A small model, which writes the file out again, gets it without them.
    fn text(&self, path: &WorkspacePath) -> Option<String> {
        if self.small {
            let text = self.plain(path)?;
            let language = symbols::Language::of(path.as_str(), text.lines().next().unwrap_or_default());
            let language = language.name().to_lowercase();
            return Some(format!("```{language}\n{}\n```", text.trim_end()));
        }
        let shown = self.session.overlay().numbered_lines(path, None, None).ok()?;
        let rest = shown.total - shown.lines.end();
        let rest = if rest > 0 { format!("[{rest} more lines]\n") } else { String::new() };
        Some(format!("{}{rest}", shown.text))
    }

    fn plain(&self, path: &WorkspacePath) -> Option<String> {
        let bytes = self.session.overlay().read(path).ok()??;
        TextFile::read(&bytes).ok().map(|file| file.text)
    }

    async fn point(
        &self,
        mention: Mention,
        executor: &mut ToolExecutor<'_>,
        parts: &mut Vec<ContextText>,
        named: &mut Vec<WorkspacePath>,
    ) {
        match mention {
            Mention::Named(name) => match self.look(&name) {
                Ok((path, text)) => {
                    parts.push(ContextText::new(format!("file {path}"), text, 35));
                    named.push(path);
                }
                Err(error) => parts.push(match self.folder(&name).or_else(|| self.symbol(&name)) {
                    Some(part) => part,
                    None if name.contains(['.', '/']) => {
                        ContextText::new(format!("@{name}"), error.to_string(), 5)
                    }
                    None => ContextText::new(format!("@{name}"), "nothing here has this name", 5),
                }),
            },
            Mention::Folder(folder) => {
                let nothing = || {
                    ContextText::new(
                        format!("folder {folder}"),
                        "there is nothing in it, or no such folder",
                        5,
                    )
                };
                parts.push(self.folder(&folder).unwrap_or_else(nothing));
            }
            Mention::Diff => {
                let diff = self.workspace.uncommitted(self.session).unwrap_or_else(|error| error);
                parts.push(ContextText::new("changes that are not committed", diff, 30));
            }
            Mention::Terminal => {
                parts.push(ContextText::new(
                    "terminal",
                    self.workspace.last_output().unwrap_or_default(),
                    20,
                ));
            }
            Mention::Web(address) => {
                let arguments = Map::from_iter([("url".to_owned(), Value::String(address.clone()))]);
                let call = RequestedCall::new("web_fetch", arguments);
                for outcome in executor.execute(vec![call]).await {
                    parts.push(ContextText::new(format!("page {address}"), outcome.told.text, 25));
                }
            }
        }
    }

    /// Lists the files in a folder.
    fn folder(&self, folder: &str) -> Option<ContextText> {
        let inside = format!("{}/", folder.trim_matches('/'));
        let files = self.session.workspace().files_over(&self.session.overlay());
        let within = files.iter().filter(|file| file.path.as_str().starts_with(&inside));
        let listed: Vec<&str> = within.take(MOST_NAMES).map(|file| file.path.as_str()).collect();
        (!listed.is_empty()).then(|| ContextText::new(format!("folder {folder}"), listed.join("\n"), 15))
    }

    /// Returns the files that the last error mentions.
    fn failed(&self) -> Vec<WorkspacePath> {
        let error = self.request.last_error.as_deref().unwrap_or_default();
        let root = format!("{}/", self.session.workspace().path().display());
        // The path of the workspace may contain spaces, so it is removed before the text is split.
        let error = error.replace(&root, "");
        let mut failed = Vec::new();
        for word in error.split(|sign: char| sign.is_whitespace() || "\"'`()[]<>,;:".contains(sign)) {
            let Ok(path) = WorkspacePath::parse(word) else { continue };
            let is_new = word.contains('.') && !failed.contains(&path);
            if is_new && failed.len() < MOST_RELEVANT && self.plain(&path).is_some() {
                failed.push(path);
            }
        }
        failed
    }

    /// Returns the source of a definition.
    fn symbol(&self, name: &str) -> Option<ContextText> {
        // The index knows `Parser::new` by its last name.
        let last = name.rsplit([':', '.', '#']).next().unwrap_or(name);
        let found = self.workspace.index().find_symbol(last, 1).ok()?.into_iter().next()?;
        let text = self.plain(&found.path)?;
        let language = symbols::Language::of(found.path.as_str(), text.lines().next().unwrap_or_default());
        let (first, last) =
            symbols::enclosing(language, &text, found.line).unwrap_or((found.line, found.line));
        let whole = |line: u32| usize::try_from(line).ok();
        let shown = self.session.overlay().numbered_lines(&found.path, whole(first), whole(last)).ok()?;
        Some(ContextText::new(format!("{} in {}", found.name, found.path), shown.text, 25))
    }

    async fn relevant(
        &self,
        services: &Services,
    ) -> Result<Vec<(WorkspacePath, Vec<String>)>, CompanionError> {
        let (workspace, session, text) =
            (Arc::clone(self.workspace), Arc::clone(self.session), self.request.text.clone());
        let (similar, failed) = (similar_files(&services.memory, &workspace, &text).await, self.failed());
        let found = tokio::task::spawn_blocking(move || {
            let recent: Vec<WorkspacePath> = session.overlay().changes().keys().cloned().collect();
            let request = RelevanceRequest {
                text: &text,
                recent: &recent,
                failed: &failed,
                ..RelevanceRequest::default()
            };
            let history = workspace.history();
            let similarity = similar.as_ref().map(|similar| similar as &dyn SimilaritySearch);
            let hints = RelevanceSources { history: history.as_deref(), similarity };
            find_relevant_files(workspace.index(), request, &hints, MOST_RELEVANT)
        });
        let found = found
            .await
            .map_err(|_| CompanionError::refused("it was interrupted"))?
            .map_err(CompanionError::refused)?;
        let told = |file: workspace::relevance::RankedFile| {
            (file.path, file.reasons.iter().map(ToString::to_string).collect())
        };
        Ok(found.into_iter().map(told).collect())
    }

    /// Returns the notes about earlier failures in this workspace.
    async fn notes(&self, services: &Services, turn: &Turn) -> Option<ContextText> {
        let kind = Some(protocol::CodeNoteKind::Failure);
        let notes = services
            .store
            .code_notes(turn.user, &self.workspace.root(), kind, None, MOST_NOTES)
            .await
            .ok()?;
        let lines: Vec<String> = notes.into_iter().map(|note| format!("- {}", note.text)).collect();
        (!lines.is_empty()).then(|| ContextText::new("what went wrong here before", lines.join("\n"), 10))
    }

    async fn map(&self, named: &[WorkspacePath]) -> Option<ContextText> {
        let workspace = Arc::clone(self.workspace);
        let focus = Focus { files: named.iter().map(ToString::to_string).collect(), ..Focus::default() };
        let map = tokio::task::spawn_blocking(move || {
            let graph = workspace.index().graph().ok()?;
            Some(graph.map(&focus, 6_000, &|text| text.chars().count()).text)
        });
        Some(ContextText::new("repo map", map.await.ok()??, 20))
    }

    fn names(&self) -> String {
        let files = self.session.workspace().files_over(&self.session.overlay());
        let names: Vec<&str> = files.iter().take(MOST_NAMES).map(|file| file.path.as_str()).collect();
        let more = files.len().saturating_sub(names.len());
        let rest = if more > 0 { format!("\n[and {more} more]") } else { String::new() };
        format!("{}{rest}", names.join("\n"))
    }
}
