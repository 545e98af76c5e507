//! Tools that create, delete and rename whole files.

use std::sync::Arc;

use async_trait::async_trait;
use schemars::JsonSchema;
use serde::Deserialize;
use tools::{Ability, Invocation, Output, Ruling, ToolError};

use super::{AREA, at, content_names, impossible, noted, only_reading, path_names};
use crate::path::WorkspacePath;
use crate::session::{Action, Session};

#[derive(Debug, Deserialize, JsonSchema)]
pub struct New {
    #[schemars(transform = path_names)]
    path: String,
    #[schemars(transform = content_names)]
    content: String,
}

/// The `create_new_file` tool.
pub struct CreateNewFile(pub Arc<Session>);

#[async_trait]
impl Ability for CreateNewFile {
    type Arguments = New;
    const NAME: &'static str = "create_new_file";
    const ABOUT: &'static str = "Makes a file that is not there yet.";
    const AREA: Option<&'static str> = AREA;

    fn ruling(&self, _: &New) -> Ruling {
        only_reading(&self.0)
    }

    async fn run(&self, arguments: New, _: &Invocation) -> Result<Output, ToolError> {
        at(&self.0, move |session| {
            let done = session.create(&arguments.path, &arguments.content).map_err(impossible);
            let path = noted(session, Self::NAME, Some(&arguments.path), done)?;
            Ok(done_with(session, Self::NAME, &path, format!("Made {path}.")))
        })
        .await
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
pub struct Gone {
    #[schemars(transform = path_names)]
    path: String,
}

/// The `delete_file` tool.
pub struct DeleteFile(pub Arc<Session>);

#[async_trait]
impl Ability for DeleteFile {
    type Arguments = Gone;
    const NAME: &'static str = "delete_file";
    const ABOUT: &'static str = "Deletes a file.";
    const AREA: Option<&'static str> = AREA;

    fn ruling(&self, _: &Gone) -> Ruling {
        only_reading(&self.0)
    }

    async fn run(&self, arguments: Gone, _: &Invocation) -> Result<Output, ToolError> {
        at(&self.0, move |session| {
            let done = session.delete(&arguments.path).map_err(impossible);
            let path = noted(session, Self::NAME, Some(&arguments.path), done)?;
            Ok(done_with(session, Self::NAME, &path, format!("Deleted {path}.")))
        })
        .await
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
pub struct Move {
    #[schemars(transform = from_names)]
    from: String,
    #[schemars(transform = to_names)]
    to: String,
}

fn from_names(schema: &mut schemars::Schema) {
    super::also_called(schema, &["path", "old_path", "source"]);
}

fn to_names(schema: &mut schemars::Schema) {
    super::also_called(schema, &["new_path", "destination", "target"]);
}

/// The `rename_file` tool.
pub struct RenameFile(pub Arc<Session>);

#[async_trait]
impl Ability for RenameFile {
    type Arguments = Move;
    const NAME: &'static str = "rename_file";
    const ABOUT: &'static str = "Gives a file another name or another folder.";
    const AREA: Option<&'static str> = AREA;

    fn ruling(&self, _: &Move) -> Ruling {
        only_reading(&self.0)
    }

    async fn run(&self, arguments: Move, _: &Invocation) -> Result<Output, ToolError> {
        at(&self.0, move |session| {
            let done = session.rename(&arguments.from, &arguments.to).map_err(impossible);
            let (from, to) = noted(session, Self::NAME, Some(&arguments.from), done)?;
            Ok(done_with(session, Self::NAME, &to, format!("{from} is {to}.")))
        })
        .await
    }
}

fn done_with(session: &Session, tool: &'static str, path: &WorkspacePath, text: String) -> Output {
    tracing::debug!("[tool_wrote] {tool} {path}");
    session.note(Action { tool, path: Some(path.clone()), ok: true, receipts: Vec::new() });
    Output::text(text)
}
