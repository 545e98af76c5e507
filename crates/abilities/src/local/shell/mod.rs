//! Shell commands, held by the operating system.

mod printed;
mod rule_book;

use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use commands::{Verdict, decide};
use config::{Folders, Paths};
use host::{Chunk, ProcessError, Program};
use protocol::{Origin, Risk};
use sandbox::{Level, Policy, Sandbox, SandboxError};
use schemars::JsonSchema;
use serde::Deserialize;
use tools::{Ability, Effect, Group, Invocation, Output, Ruling, ToolError};

use self::printed::Printed;
use self::rule_book::RuleBook;
use crate::Settings;

#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(extend("x-pipe" = ["command"]))]
pub struct Arguments {
    /// A line for bash. It runs in the work folder, without a network.
    command: String,
}

/// `run_command`
pub struct RunCommand {
    settings: Settings,
    folders: Folders,
    sandbox: Arc<Sandbox>,
    rules: RuleBook,
}

/// The longest that the settings permit, and a little more.
const LONGEST: Duration = Duration::from_secs(3_700);

impl RunCommand {
    pub fn new(settings: Settings, folders: Folders, sandbox: Arc<Sandbox>) -> Self {
        let rules = RuleBook::new(Paths::new(&folders, &settings()).command_rules);
        Self { settings, folders, sandbox, rules }
    }

    /// The folder that commands work in. It is made where it is missing.
    fn workspace(&self) -> Result<PathBuf, ToolError> {
        let paths = Paths::new(&self.folders, &(self.settings)());
        let folder = &paths.workspace;
        let why = |why: &str| {
            ToolError::Unavailable(format!(
                "The work folder {} cannot be used: {why}. Choose another as bash.folder in the settings.",
                folder.display()
            ))
        };
        if !folder.exists() {
            host::private_dir(folder).map_err(|error| why(&error.to_string()))?;
        }
        let folder = folder.canonicalize().map_err(|error| why(&error.to_string()))?;
        let kept_away = [Some(self.folders.home.as_path()), paths.memories.parent()];
        let is_ours = |own: &Path| {
            let own = own.canonicalize().unwrap_or_else(|_| own.to_owned());
            own.starts_with(&folder) || folder.starts_with(&own)
        };
        if kept_away.into_iter().flatten().any(is_ours) {
            return Err(why("what Perigee keeps lies in the same place"));
        }
        Ok(folder)
    }

    async fn run_held(&self, command: &str, folder: &Path, limit: Duration) -> Result<Ran, SandboxError> {
        let policy = Policy::shell(folder)?.hide(&self.folders.home);
        let mut cell =
            self.sandbox.start(&policy, bash(command).map(OsString::from).to_vec(), |program| {
                program.time_limit(limit).output_limit(usize::MAX)
            })?;
        let mut printed = Printed::default();
        while let Some(chunk) = cell.next().await? {
            printed.add(&bytes(chunk));
        }
        Ok(Ran { status: cell.finish().await?, printed })
    }

    /// Where there is no sandbox, and the user said yes to this very command.
    async fn run_free(command: &str, folder: &Path, limit: Duration) -> Result<Ran, ProcessError> {
        let [shell, rest @ ..] = bash(command);
        let program = Program::new(shell).args(rest).dir(folder).time_limit(limit).output_limit(usize::MAX);
        let mut child = program.spawn()?;
        let mut printed = Printed::default();
        while let Some(chunk) = child.next().await? {
            printed.add(&bytes(chunk));
        }
        Ok(Ran { status: child.finish().await?, printed })
    }
}

struct Ran {
    status: ExitStatus,
    printed: Printed,
}

/// Nothing of the user's is read before the command.
fn bash(command: &str) -> [&str; 5] {
    ["bash", "--noprofile", "--norc", "-c", command]
}

fn bytes(chunk: Chunk) -> Vec<u8> {
    match chunk {
        Chunk::Stdout(bytes) | Chunk::Stderr(bytes) => bytes,
    }
}

#[async_trait]
impl Ability for RunCommand {
    type Arguments = Arguments;
    const NAME: &'static str = "run_command";
    const ABOUT: &'static str =
        "Runs a bash command in the work folder, without a network, and tells what it printed.";
    const EFFECTS: &'static [Effect] = &[Effect::ChangesWorkspace, Effect::OwnersMachine];
    const GROUP: Group = Group::Bash;
    const TIME_LIMIT: Duration = LONGEST;
    const OUTPUT_LIMIT: usize = 16_000;

    fn risk(&self) -> Risk {
        if self.sandbox.level() == Level::Full { Risk::Risky } else { Risk::Dangerous }
    }

    fn ruling(&self, arguments: &Arguments) -> Ruling {
        let Ok(folder) = self.workspace() else { return Ruling::None };
        let rules = match self.rules.current() {
            Ok(rules) => rules,
            Err(why) => return Ruling::Ask(why),
        };
        let decision = decide(&rules, &arguments.command, &folder.to_string_lossy(), false);
        match decision.verdict {
            Verdict::Deny => Ruling::Refuse(decision.why),
            _ if self.sandbox.level() == Level::None => {
                Ruling::Ask("There is no sandbox on this machine, so every command asks.".to_owned())
            }
            Verdict::Allow => Ruling::Allow,
            Verdict::Ask if decision.rule.is_some() => Ruling::Ask(decision.why),
            Verdict::Ask => Ruling::None,
        }
    }

    async fn foretell(
        &self,
        _arguments: Arguments,
        _invocation: &Invocation,
    ) -> Result<Option<String>, ToolError> {
        let folder = self.workspace()?;
        let folder = folder.display();
        Ok(Some(match self.sandbox.level() {
            Level::Full => format!(
                "Runs this in {folder}, which it may change. It has no network, and sees nothing else of yours."
            ),
            Level::Partial => format!(
                "Runs this in {folder}, which it may change. It has no network, but is held only in part."
            ),
            Level::None => {
                format!("Runs this in {folder} with all of your rights: there is no sandbox on this machine.")
            }
        }))
    }

    async fn run(&self, arguments: Arguments, _: &Invocation) -> Result<Output, ToolError> {
        let folder = self.workspace()?;
        let seconds = (self.settings)().bash.timeout_seconds;
        let limit = Duration::from_secs(seconds.into());
        let command = &arguments.command;
        let ran = match self.sandbox.level() {
            Level::None => Self::run_free(command, &folder, limit).await.map_err(SandboxError::from),
            Level::Partial | Level::Full => self.run_held(command, &folder, limit).await,
        };
        let origins = vec![Origin::Workspace(folder.display().to_string())];
        let (failed, text) = match ran {
            Ok(Ran { status, printed }) => (!status.success(), told(status, printed)),
            Err(SandboxError::Process(ProcessError::TimedOut { .. })) => (
                true,
                format!("It took longer than {seconds} seconds and was ended, with all that it had started."),
            ),
            Err(error @ SandboxError::TooMuch(_)) => (true, error.to_string()),
            Err(error) => return Err(ToolError::Unavailable(error.to_string())),
        };
        Ok(Output { failed, origins, ..Output::text(text) })
    }
}

/// How it ended, and what it printed.
fn told(status: ExitStatus, printed: Printed) -> String {
    let ended = match (status.code(), status.signal()) {
        (Some(0), _) => "It went well".to_owned(),
        (Some(code), _) => format!("It failed with exit code {code}"),
        (None, signal) => format!("It was ended by signal {}", signal.unwrap_or_default()),
    };
    let printed = printed.into_text();
    if printed.trim().is_empty() {
        format!("{ended}, and printed nothing.")
    } else {
        format!("{ended}:\n{printed}")
    }
}

#[cfg(test)]
#[path = "shell_tests.rs"]
mod tests;
