//! Runs commands on the files with a session's changes, to which their writes are added.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use protocol::Risk;
use schemars::JsonSchema;
use serde::Deserialize;
use tools::{Ability, CommandOutput, Effect, Invocation, Ruling, ToolError, ToolOutput};

use super::common::{AREA, also_called, from_files, listed, only_reading};
use crate::edit_session::{EditSession, RecordedEdit};
use crate::open_workspaces::WorkspaceSession;

#[derive(Debug, Deserialize, JsonSchema)]
pub struct TerminalArguments {
    /// A line for bash. It runs in the root of the workspace.
    #[schemars(transform = command_names)]
    command: String,
}

fn command_names(schema: &mut schemars::Schema) {
    also_called(schema, &["cmd", "script", "input"]);
}

/// The `run_terminal_cmd` tool.
pub struct TerminalTool {
    pub session: Arc<EditSession>,
    pub workspace: Arc<WorkspaceSession>,
}

#[async_trait]
impl Ability for TerminalTool {
    type Arguments = TerminalArguments;
    const NAME: &'static str = "run_terminal_cmd";
    const ABOUT: &'static str = "Runs a bash command in the workspace, with your changes. It has no network, and what it \
        writes is a part of the proposal.";
    const EFFECTS: &'static [Effect] = &[Effect::OwnersMachine];
    const AREA: Option<&'static str> = AREA;
    const TIME_LIMIT: Duration = Duration::from_secs(3_700);
    const OUTPUT_LIMIT: usize = 16_000;

    fn risk(&self) -> Risk {
        self.workspace.risk()
    }

    fn ruling(&self, arguments: &TerminalArguments) -> Ruling {
        match only_reading(&self.session) {
            Ruling::None => self.workspace.ruling(&arguments.command),
            refused => refused,
        }
    }

    async fn run(
        &self,
        arguments: TerminalArguments,
        invocation: &Invocation,
    ) -> Result<ToolOutput, ToolError> {
        let mut printed = CommandOutput::default();
        let user_channel = Arc::clone(&invocation.user_channel);
        let mut out = |text: &str| {
            user_channel.show(text);
            printed.add(text.as_bytes());
        };
        let limit = self.workspace.command_limit();
        let ran = self.workspace.run(&self.session, "", &arguments.command, limit, &mut out).await;
        let ran = ran.map_err(|error| ToolError::Unavailable(error.to_string()))?;
        let ok = ran.code == Some(0);
        self.session.record_edit(RecordedEdit { tool: Self::NAME, path: None, ok, receipts: Vec::new() });
        let mut text = match ran.code {
            Some(0) => "It ended well.".to_owned(),
            Some(code) => format!("It ended with exit code {code}."),
            None if ran.timed_out => {
                format!(
                    "It took longer than {} seconds and was ended, with all that it had started.",
                    limit.as_secs()
                )
            }
            None => "It was ended.".to_owned(),
        };
        for note in &ran.notes {
            let _ = write!(text, " {note}.");
        }
        if !ran.changed.is_empty() {
            let _ =
                write!(text, " It changed {}.", listed(ran.changed.iter().cloned(), 20).replace('\n', ", "));
        }
        let said = printed.into_text();
        let said = said.trim_end();
        let _ = if said.is_empty() {
            write!(text, " It printed nothing.")
        } else {
            write!(text, " It printed:\n{said}")
        };
        Ok(ToolOutput { failed: !ok, ..from_files(&self.session, text) })
    }
}
