//! Tools that create, delete and rename whole files.

use std::sync::Arc;

use async_trait::async_trait;
use schemars::JsonSchema;
use serde::Deserialize;
use tools::{Ability, Invocation, Ruling, ToolError, ToolOutput};

use super::common::{
    AREA, also_called, content_names, impossible, in_background, only_reading, path_names, record_failure,
};
use crate::edit_session::{EditSession, RecordedEdit};
use crate::path::WorkspacePath;

#[derive(Debug, Deserialize, JsonSchema)]
pub struct CreateFileArguments {
    #[schemars(transform = path_names)]
    path: String,
    #[schemars(transform = content_names)]
    content: String,
}

/// The `create_new_file` tool.
pub struct CreateNewFileTool(pub Arc<EditSession>);

#[async_trait]
impl Ability for CreateNewFileTool {
    type Arguments = CreateFileArguments;
    const NAME: &'static str = "create_new_file";
    const ABOUT: &'static str = "Makes a file that is not there yet.";
    const AREA: Option<&'static str> = AREA;

    fn ruling(&self, _: &CreateFileArguments) -> Ruling {
        only_reading(&self.0)
    }

    async fn run(&self, arguments: CreateFileArguments, _: &Invocation) -> Result<ToolOutput, ToolError> {
        in_background(&self.0, move |session| {
            let done = session.create(&arguments.path, &arguments.content).map_err(impossible);
            let path = record_failure(session, Self::NAME, Some(&arguments.path), done)?;
            Ok(done_with(session, Self::NAME, &path, format!("Made {path}.")))
        })
        .await
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
pub struct DeleteFileArguments {
    #[schemars(transform = path_names)]
    path: String,
}

/// The `delete_file` tool.
pub struct DeleteFileTool(pub Arc<EditSession>);

#[async_trait]
impl Ability for DeleteFileTool {
    type Arguments = DeleteFileArguments;
    const NAME: &'static str = "delete_file";
    const ABOUT: &'static str = "Deletes a file.";
    const AREA: Option<&'static str> = AREA;

    fn ruling(&self, _: &DeleteFileArguments) -> Ruling {
        only_reading(&self.0)
    }

    async fn run(&self, arguments: DeleteFileArguments, _: &Invocation) -> Result<ToolOutput, ToolError> {
        in_background(&self.0, move |session| {
            let done = session.delete(&arguments.path).map_err(impossible);
            let path = record_failure(session, Self::NAME, Some(&arguments.path), done)?;
            Ok(done_with(session, Self::NAME, &path, format!("Deleted {path}.")))
        })
        .await
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
pub struct RenameFileArguments {
    #[schemars(transform = from_names)]
    from: String,
    #[schemars(transform = to_names)]
    to: String,
}

fn from_names(schema: &mut schemars::Schema) {
    also_called(schema, &["path", "old_path", "source"]);
}

fn to_names(schema: &mut schemars::Schema) {
    also_called(schema, &["new_path", "destination", "target"]);
}

/// The `rename_file` tool.
pub struct RenameFileTool(pub Arc<EditSession>);

#[async_trait]
impl Ability for RenameFileTool {
    type Arguments = RenameFileArguments;
    const NAME: &'static str = "rename_file";
    const ABOUT: &'static str = "Gives a file another name or another folder.";
    const AREA: Option<&'static str> = AREA;

    fn ruling(&self, _: &RenameFileArguments) -> Ruling {
        only_reading(&self.0)
    }

    async fn run(&self, arguments: RenameFileArguments, _: &Invocation) -> Result<ToolOutput, ToolError> {
        in_background(&self.0, move |session| {
            let done = session.rename(&arguments.from, &arguments.to).map_err(impossible);
            let (from, to) = record_failure(session, Self::NAME, Some(&arguments.from), done)?;
            Ok(done_with(session, Self::NAME, &to, format!("{from} is {to}.")))
        })
        .await
    }
}

fn done_with(session: &EditSession, tool: &'static str, path: &WorkspacePath, text: String) -> ToolOutput {
    tracing::debug!("[tool_wrote] {tool} {path}");
    session.record_edit(RecordedEdit { tool, path: Some(path.clone()), ok: true, receipts: Vec::new() });
    ToolOutput::text(text)
}
