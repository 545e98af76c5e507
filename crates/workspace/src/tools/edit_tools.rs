//! Tools that edit files, one for each format that models can produce.

use std::sync::Arc;

use async_trait::async_trait;
use edits::{Edit, Receipt, Strategy};
use schemars::JsonSchema;
use serde::Deserialize;
use tools::{Ability, Invocation, Ruling, ToolError, ToolOutput};

use super::common::{
    AREA, also_called, brief, content_names, from_files, impossible, in_background, new_names, old_names,
    only_reading, path_names, record_failure,
};
use crate::edit_session::{EditSession, RecordedEdit};
use crate::path::WorkspacePath;

/// The number of lines shown around an edit, so the model can check its position.
const AROUND: usize = 3;

#[derive(Debug, Deserialize, JsonSchema)]
pub struct SearchReplaceArguments {
    #[schemars(transform = path_names)]
    path: String,
    /// What stands there, word for word, with enough around it to stand there once.
    #[schemars(transform = old_names)]
    old_string: String,
    /// What shall stand there.
    #[schemars(transform = new_names)]
    new_string: String,
    /// Wherever it stands.
    replace_all: Option<bool>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub struct One {
    #[schemars(transform = old_names)]
    old_string: String,
    #[schemars(transform = new_names)]
    new_string: String,
    replace_all: Option<bool>,
}

impl From<One> for Edit {
    fn from(one: One) -> Self {
        Self { old: one.old_string, new: one.new_string, replace_all: one.replace_all.unwrap_or_default() }
    }
}

/// The `search_replace` tool.
pub struct SearchReplaceTool(pub Arc<EditSession>);

#[async_trait]
impl Ability for SearchReplaceTool {
    type Arguments = SearchReplaceArguments;
    const NAME: &'static str = "search_replace";
    const ABOUT: &'static str =
        "Replaces one text in a file by another. Quote a few lines exactly as they stand.";
    const AREA: Option<&'static str> = AREA;

    fn ruling(&self, _: &SearchReplaceArguments) -> Ruling {
        only_reading(&self.0)
    }

    async fn run(&self, arguments: SearchReplaceArguments, _: &Invocation) -> Result<ToolOutput, ToolError> {
        let SearchReplaceArguments { path, old_string, new_string, replace_all } = arguments;
        let edits = vec![One { old_string, new_string, replace_all }.into()];
        edited(&self.0, Self::NAME, path, edits).await
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
pub struct MultiEditArguments {
    #[schemars(transform = path_names)]
    path: String,
    /// They are done in this order: all of them, or none.
    edits: Vec<One>,
}

/// The `multi_edit` tool.
pub struct MultiEditTool(pub Arc<EditSession>);

#[async_trait]
impl Ability for MultiEditTool {
    type Arguments = MultiEditArguments;
    const NAME: &'static str = "multi_edit";
    const ABOUT: &'static str = "Makes several replacements in a file at once: all of them, or none.";
    const AREA: Option<&'static str> = AREA;

    fn ruling(&self, _: &MultiEditArguments) -> Ruling {
        only_reading(&self.0)
    }

    async fn run(&self, arguments: MultiEditArguments, _: &Invocation) -> Result<ToolOutput, ToolError> {
        if arguments.edits.is_empty() {
            return Err(impossible("no edits are given"));
        }
        let edits = arguments.edits.into_iter().map(Edit::from).collect();
        edited(&self.0, Self::NAME, arguments.path, edits).await
    }
}

async fn edited(
    session: &Arc<EditSession>,
    tool: &'static str,
    path: String,
    edits: Vec<Edit>,
) -> Result<ToolOutput, ToolError> {
    in_background(session, move |session| {
        let done = session.edit(&path, &edits).map_err(impossible);
        let (path, receipts) = record_failure(session, tool, Some(&path), done)?;
        Ok(wrote(session, tool, &path, &receipts))
    })
    .await
}

#[derive(Debug, Deserialize, JsonSchema)]
pub struct EditExistingFileArguments {
    #[schemars(transform = path_names)]
    path: String,
    /// The file with what is new. A line `// ... existing code ...` stands for lines that stay.
    #[schemars(transform = content_names)]
    content: String,
}

/// The `edit_existing_file` tool.
pub struct EditExistingFileTool(pub Arc<EditSession>);

#[async_trait]
impl Ability for EditExistingFileTool {
    type Arguments = EditExistingFileArguments;
    const NAME: &'static str = "edit_existing_file";
    const ABOUT: &'static str = "Changes a file: write what is new with a few lines around it, and \
        `... existing code ...` for what stays.";
    const AREA: Option<&'static str> = AREA;

    fn ruling(&self, _: &EditExistingFileArguments) -> Ruling {
        only_reading(&self.0)
    }

    async fn run(
        &self,
        arguments: EditExistingFileArguments,
        _: &Invocation,
    ) -> Result<ToolOutput, ToolError> {
        in_background(&self.0, move |session| {
            let done = session.edit_elided(&arguments.path, &arguments.content).map_err(impossible);
            let (path, receipts) = record_failure(session, Self::NAME, Some(&arguments.path), done)?;
            Ok(wrote(session, Self::NAME, &path, &receipts))
        })
        .await
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
pub struct WriteFileArguments {
    #[schemars(transform = path_names)]
    path: String,
    /// The whole text of the file.
    #[schemars(transform = content_names)]
    content: String,
}

/// The `write_file` tool.
pub struct WriteFileTool(pub Arc<EditSession>);

#[async_trait]
impl Ability for WriteFileTool {
    type Arguments = WriteFileArguments;
    const NAME: &'static str = "write_file";
    const ABOUT: &'static str = "Writes a whole file, be it there or not.";
    const AREA: Option<&'static str> = AREA;

    fn ruling(&self, _: &WriteFileArguments) -> Ruling {
        only_reading(&self.0)
    }

    async fn run(&self, arguments: WriteFileArguments, _: &Invocation) -> Result<ToolOutput, ToolError> {
        in_background(&self.0, move |session| {
            let done = session.write(&arguments.path, &arguments.content).map_err(impossible);
            let (path, is_new) = record_failure(session, Self::NAME, Some(&arguments.path), done)?;
            record(session, Self::NAME, &path, Vec::new());
            let lines = arguments.content.lines().count();
            let how = if is_new { "a new file" } else { "it stood there before" };
            Ok(ToolOutput::text(format!("Wrote {path}: {lines} lines, {how}.")))
        })
        .await
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
pub struct ApplyPatchArguments {
    /// As `diff -u` writes it, or between `*** Begin Patch` and `*** End Patch`.
    #[schemars(transform = patch_names)]
    patch: String,
}

fn patch_names(schema: &mut schemars::Schema) {
    also_called(schema, &["input", "diff", "content"]);
}

/// The `apply_patch` tool.
pub struct ApplyPatchTool(pub Arc<EditSession>);

#[async_trait]
impl Ability for ApplyPatchTool {
    type Arguments = ApplyPatchArguments;
    const NAME: &'static str = "apply_patch";
    const ABOUT: &'static str = "Applies a patch over one or more files: all of it, or nothing.";
    const AREA: Option<&'static str> = AREA;

    fn ruling(&self, _: &ApplyPatchArguments) -> Ruling {
        only_reading(&self.0)
    }

    async fn run(&self, arguments: ApplyPatchArguments, _: &Invocation) -> Result<ToolOutput, ToolError> {
        in_background(&self.0, move |session| {
            let patched = record_failure(
                session,
                Self::NAME,
                None,
                session.apply_patch(&arguments.patch).map_err(impossible),
            )?;
            let mut lines = Vec::new();
            for file in patched {
                let path = file.to.as_ref().unwrap_or(&file.path);
                lines.push(format!("{path}{}", in_words(&file.receipts)));
                record(session, Self::NAME, path, file.receipts.clone());
            }
            Ok(from_files(session, format!("Changed:\n{}", lines.join("\n"))))
        })
        .await
    }
}

/// Records a successful edit in the session and the log.
fn record(session: &EditSession, tool: &'static str, path: &WorkspacePath, receipts: Vec<Receipt>) {
    let bytes = session.overlay().read(path).ok().flatten().map_or(0, |bytes| bytes.len());
    tracing::debug!("[tool_wrote] {tool} {} {bytes} bytes", brief(&path.as_str().into()));
    session.record_edit(RecordedEdit { tool, path: Some(path.clone()), ok: true, receipts });
}

/// Records an edit and returns a result that shows the changed lines.
fn wrote(
    session: &EditSession,
    tool: &'static str,
    path: &WorkspacePath,
    receipts: &[Receipt],
) -> ToolOutput {
    record(session, tool, path, receipts.to_vec());
    let first = receipts.iter().flat_map(|receipt| receipt.lines.iter().map(|(first, _)| *first)).min();
    let overlay = session.overlay();
    let shown = first.and_then(|first| {
        let last = receipts.iter().flat_map(|receipt| receipt.lines.iter().map(|(_, last)| *last)).max()?;
        let last = last.min(first + 20);
        overlay.numbered_lines(path, Some(first.saturating_sub(AROUND).max(1)), Some(last + AROUND)).ok()
    });
    let shown = shown.map_or_else(String::new, |shown| format!(" It is now:\n{}", shown.text));
    from_files(session, format!("Edited {path}{}.{shown}", in_words(receipts)))
}

/// Describes the match if it was not exact.
fn in_words(receipts: &[Receipt]) -> String {
    let places: usize = receipts.iter().map(|receipt| receipt.lines.len()).sum();
    let lenient = receipts.iter().find_map(|receipt| match receipt.strategy {
        Strategy::Exact | Strategy::Whole => None,
        Strategy::TrailingSpace => Some("but for spaces at line ends"),
        Strategy::Indentation => Some("but for the indentation"),
        Strategy::Unicode => Some("but for the kind of quotes and dashes"),
        Strategy::Whitespace => Some("but for white space"),
        Strategy::Alignment => Some("where the lines come closest"),
        Strategy::CaseInsensitive => Some("but for large and small letters: look at it again"),
    });
    let places = if places > 1 { format!(" in {places} places") } else { String::new() };
    lenient.map_or(places.clone(), |lenient| format!("{places}, found {lenient}"))
}
