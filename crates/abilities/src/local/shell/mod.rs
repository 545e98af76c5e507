//! Runs shell commands in the operating system's sandbox.

mod command_rule_file;

use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use config::{Folders, Paths};
use host::{AllowedHosts, OutputChunk, ProcessError, Program};
use protocol::{Origin, Risk};
use sandbox::{Policy, Sandbox, SandboxError, SandboxLevel};
use schemars::JsonSchema;
use serde::Deserialize;
use tools::{
    Ability, CallPreview, CommandOutput, Effect, Group, Invocation, Ruling, ToolError, ToolOutput,
    UserChannel,
};

pub use self::command_rule_file::{CommandRuleError, CommandRuleFile};
use crate::CurrentConfig;

#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(extend("x-pipe" = ["command"]))]
pub struct Arguments {
    /// A line for bash. It runs in the work folder.
    command: String,
}

/// The `run_command` tool.
pub struct RunCommand {
    settings: CurrentConfig,
    folders: Folders,
    sandbox: Arc<Sandbox>,
    rules: CommandRuleFile,
}

/// The tool's time limit, slightly above the longest that the settings permit.
const TIME_LIMIT_CEILING: Duration = Duration::from_secs(3_700);

impl RunCommand {
    pub fn new(settings: CurrentConfig, folders: Folders, sandbox: Arc<Sandbox>) -> Self {
        let rules = CommandRuleFile::new(Paths::new(&folders, &settings()).command_rules);
        Self { settings, folders, sandbox, rules }
    }

    /// Returns the folder that commands run in, and creates it if it is missing.
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
        let private_folders = [Some(self.folders.home.as_path()), paths.memories.parent()];
        let is_ours = |own: &Path| {
            let own = own.canonicalize().unwrap_or_else(|_| own.to_owned());
            own.starts_with(&folder) || folder.starts_with(&own)
        };
        if private_folders.into_iter().flatten().any(is_ours) {
            return Err(why("Perigee's own data is in the same place"));
        }
        Ok(folder)
    }

    /// Returns the hosts that the user allows commands to reach; `None` if there are none, or without a sandbox, which
    /// would have to enforce them.
    fn hosts(&self) -> Result<Option<AllowedHosts>, ToolError> {
        let words = &(self.settings)().bash.hosts;
        if words.is_empty() || self.sandbox.level() == SandboxLevel::None {
            return Ok(None);
        }
        if !self.sandbox.can_limit_hosts() {
            return Err(ToolError::Unavailable(format!(
                "The hosts in bash.hosts cannot be reached here without opening the whole network: {}. Fix that, or \
                 take them out of the settings.",
                self.sandbox.missing().join("; ")
            )));
        }
        AllowedHosts::parse(words)
            .map(Some)
            .map_err(|error| ToolError::Unavailable(format!("In bash.hosts, {error}.")))
    }

    async fn run_sandboxed(
        &self,
        command: &str,
        folder: &Path,
        hosts: Option<AllowedHosts>,
        limit: Duration,
        (printed, user_channel): (&mut CommandOutput, &dyn UserChannel),
    ) -> Result<ExitStatus, SandboxError> {
        let mut policy = Policy::shell(folder)?.hide(&self.folders.home);
        if let Some(hosts) = hosts {
            policy = policy.allow_hosts(hosts);
        }
        let mut cell =
            self.sandbox.start(&policy, bash(command).map(OsString::from).to_vec(), |program| {
                program.time_limit(limit).output_limit(usize::MAX)
            })?;
        while let Some(chunk) = cell.next().await? {
            take(printed, chunk, user_channel);
        }
        cell.finish().await
    }

    /// Runs a command without a sandbox, which the user has confirmed for exactly this command.
    async fn run_unsandboxed(
        command: &str,
        folder: &Path,
        limit: Duration,
        (printed, user_channel): (&mut CommandOutput, &dyn UserChannel),
    ) -> Result<ExitStatus, SandboxError> {
        let [shell, rest @ ..] = bash(command);
        let program = Program::new(shell).args(rest).dir(folder).time_limit(limit).output_limit(usize::MAX);
        let mut child = program.spawn()?;
        while let Some(chunk) = child.next().await? {
            take(printed, chunk, user_channel);
        }
        Ok(child.finish().await?)
    }
}

/// Builds the call of bash. None of the user's startup files is read.
fn bash(command: &str) -> [&str; 5] {
    ["bash", "--noprofile", "--norc", "-c", command]
}

/// Stores a piece of output and shows it to the user.
fn take(printed: &mut CommandOutput, chunk: OutputChunk, user_channel: &dyn UserChannel) {
    let (OutputChunk::Stdout(bytes) | OutputChunk::Stderr(bytes)) = chunk;
    user_channel.show(&String::from_utf8_lossy(&bytes));
    printed.add(&bytes);
}

#[async_trait]
impl Ability for RunCommand {
    type Arguments = Arguments;
    const NAME: &'static str = "run_command";
    const ABOUT: &'static str = "Runs a bash command in the work folder, and tells what it printed. It has no network, \
        but for hosts that the user named in the settings.";
    const ASKED_BY: &'static [&'static str] = &["command", "terminal", "bash", "shell", "execute", "run"];
    const EFFECTS: &'static [Effect] = &[Effect::ChangesWorkspace, Effect::OwnersMachine];
    const GROUP: Group = Group::Bash;
    const TIME_LIMIT: Duration = TIME_LIMIT_CEILING;
    const OUTPUT_LIMIT: usize = 16_000;

    fn about(&self) -> String {
        match self.sandbox.level() {
            SandboxLevel::Full => Self::ABOUT.to_owned(),
            SandboxLevel::Partial => {
                "Runs a bash command in the work folder, and tells what it printed. It has no network, but \
                is held only in part."
                    .to_owned()
            }
            SandboxLevel::None => {
                "Runs a bash command in the work folder with the user's rights, and tells what it printed. \
                Each one asks."
                    .to_owned()
            }
        }
    }

    fn caution(&self) -> Option<String> {
        let why = match self.sandbox.level() {
            SandboxLevel::Full => return None,
            SandboxLevel::Partial => "The sandbox of this machine has gaps",
            SandboxLevel::None => "There is no sandbox on this machine",
        };
        Some(format!(
            "{why}, so shell commands are blocked until the user permits them on the page of tools: {}.",
            self.sandbox.missing().join("; ")
        ))
    }

    fn risk(&self) -> Risk {
        if self.sandbox.level() == SandboxLevel::Full { Risk::Risky } else { Risk::Dangerous }
    }

    fn effects(&self) -> Vec<Effect> {
        let mut effects = Self::EFFECTS.to_vec();
        if !(self.settings)().bash.hosts.is_empty() {
            effects.push(Effect::SendsOut);
        }
        effects
    }

    fn ruling(&self, arguments: &Arguments) -> Ruling {
        let Ok(folder) = self.workspace() else { return Ruling::None };
        match self.rules.ruling(&arguments.command, &folder) {
            ruling @ (Ruling::Refuse(_) | Ruling::Ask(_)) => ruling,
            _ if self.sandbox.level() == SandboxLevel::None => {
                Ruling::Ask("There is no sandbox on this machine, so every command asks.".to_owned())
            }
            ruling => ruling,
        }
    }

    async fn preview(
        &self,
        arguments: Arguments,
        _invocation: &Invocation,
    ) -> Result<Option<CallPreview>, ToolError> {
        let folder = self.workspace()?;
        let folder = folder.display();
        let reaches = self.hosts()?.map_or_else(
            || "It has no network".to_owned(),
            |hosts| format!("It reaches {hosts} and nothing else"),
        );
        let text = match self.sandbox.level() {
            SandboxLevel::Full => format!(
                "Runs this in {folder}, which it may change. {reaches}, and sees nothing else of yours."
            ),
            SandboxLevel::Partial => {
                format!("Runs this in {folder}, which it may change. {reaches}, but the sandbox has gaps.")
            }
            SandboxLevel::None => {
                format!("Runs this in {folder} with all of your rights: there is no sandbox on this machine.")
            }
        };
        let rule = commands::suggest(&arguments.command).map(|rule| rule.pattern.to_string());
        Ok(Some(CallPreview { rule, ..text.into() }))
    }

    /// The rule applies to this work folder only.
    fn allow_similar(&self, arguments: &Arguments) -> Result<(), ToolError> {
        let folder = self.workspace()?;
        let kept = self.rules.allow(&arguments.command, Some(&folder.to_string_lossy()));
        kept.map_err(|error| ToolError::Failed(error.to_string()))
    }

    async fn run(&self, arguments: Arguments, invocation: &Invocation) -> Result<ToolOutput, ToolError> {
        let folder = self.workspace()?;
        let hosts = self.hosts()?;
        // The output may contain what these hosts sent.
        let host_origin = hosts.as_ref().map(|hosts| Origin::Web(hosts.to_string()));
        let seconds = (self.settings)().bash.timeout_seconds;
        let limit = Duration::from_secs(seconds.into());
        let (command, user_channel) = (&arguments.command, invocation.user_channel.as_ref());
        let mut printed = CommandOutput::default();
        let out = (&mut printed, user_channel);
        let ran = match self.sandbox.level() {
            SandboxLevel::None => Self::run_unsandboxed(command, &folder, limit, out).await,
            SandboxLevel::Partial | SandboxLevel::Full => {
                self.run_sandboxed(command, &folder, hosts, limit, out).await
            }
        };
        let own = Origin::Workspace(folder.display().to_string());
        let origins = host_origin.into_iter().chain([own]).collect();
        let (failed, text) = match ran {
            Ok(status) => (!status.success(), result_text(&exit_summary(status), printed)),
            Err(SandboxError::Process(ProcessError::TimedOut { .. })) => {
                let ended = format!(
                    "It took longer than {seconds} seconds and was ended, with all that it had started"
                );
                (true, result_text(&ended, printed))
            }
            Err(error @ SandboxError::LimitExceeded(_)) => {
                (true, result_text(&tools::capital(&error.to_string()), printed))
            }
            Err(error) => return Err(ToolError::Unavailable(error.to_string())),
        };
        Ok(ToolOutput { failed, origins, ..ToolOutput::text(text) })
    }
}

fn exit_summary(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(0), _) => "It went well".to_owned(),
        (Some(code), _) => format!("It failed with exit code {code}"),
        (None, signal) => format!("It was ended by signal {}", signal.unwrap_or_default()),
    }
}

/// Combines the exit status with the output so far.
fn result_text(ended: &str, printed: CommandOutput) -> String {
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
