use std::time::Duration;

use async_trait::async_trait;
use host::{ProcessError, Program};

/// The programs and the environment of a desktop, abstracted so that tests need none.
#[async_trait]
pub trait DesktopEnvironment: Send + Sync {
    fn platform(&self) -> Platform;

    fn has(&self, program: &str) -> bool;

    fn variable(&self, name: &str) -> Option<String>;

    /// Runs a program until it exits.
    async fn run(&self, call: ProgramCall) -> Result<DesktopProgramOutput, ProcessError>;

    /// Starts a program that outlives this process, and reports an immediate failure.
    async fn launch(&self, call: ProgramCall) -> Result<LaunchResult, ProcessError>;
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Platform {
    Mac,
    Windows,
    /// Linux and similar systems.
    Unix,
}

/// A program call. No part of it passes through a shell.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProgramCall {
    pub program: String,
    pub arguments: Vec<String>,
    pub input: Vec<u8>,
    /// Environment variables, which carry values to a script without being parsed as script.
    pub variables: Vec<(&'static str, String)>,
}

impl ProgramCall {
    pub fn new<A: Into<String>>(program: impl Into<String>, arguments: impl IntoIterator<Item = A>) -> Self {
        let arguments = arguments.into_iter().map(Into::into).collect();
        Self { program: program.into(), arguments, ..Self::default() }
    }

    #[must_use]
    pub fn input(self, input: impl Into<Vec<u8>>) -> Self {
        Self { input: input.into(), ..self }
    }

    /// Calls a fixed PowerShell script; varying values go into the variables.
    pub fn powershell(script: &str) -> Self {
        Self::new("powershell", ["-NoProfile", "-NonInteractive", "-Command", script])
    }

    #[must_use]
    pub fn variable(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.variables.push((name, value.into()));
        self
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DesktopProgramOutput {
    pub succeeded: bool,
    pub output: Vec<u8>,
    /// True if the output exceeded the limit.
    pub truncated: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LaunchResult {
    /// Still running, or finished successfully.
    Started,
    Failed,
}

/// The desktop of the machine that this process runs on.
#[derive(Debug, Clone, Copy, Default)]
pub struct LocalDesktop;

/// The environment variables through which programs find the desktop. None is secret.
const DESKTOP: &[&str] = &[
    "BROWSER",
    "DBUS_SESSION_BUS_ADDRESS",
    "DESKTOP_SESSION",
    "DISPLAY",
    "GDK_BACKEND",
    "GNOME_DESKTOP_SESSION_ID",
    "HYPRLAND_INSTANCE_SIGNATURE",
    "KDE_FULL_SESSION",
    "KDE_SESSION_VERSION",
    "LANGUAGE",
    "PROGRAMDATA",
    "PROGRAMFILES",
    "QT_QPA_PLATFORM",
    "SWAYSOCK",
    "WAYLAND_DISPLAY",
    "XAUTHORITY",
    "XDG_CONFIG_DIRS",
    "XDG_CONFIG_HOME",
    "XDG_CURRENT_DESKTOP",
    "XDG_DATA_DIRS",
    "XDG_DATA_HOME",
    "XDG_RUNTIME_DIR",
    "XDG_SESSION_TYPE",
];

const PATIENCE: Duration = Duration::from_secs(10);
/// The time within which an application that cannot start usually fails.
const FIRST_MOMENT: Duration = Duration::from_millis(1_500);
const MOST_OUTPUT: usize = 1 << 20;

impl LocalDesktop {
    fn program(call: ProgramCall) -> Program {
        let program = Program::new(call.program).args(call.arguments).input(call.input).inherit(DESKTOP);
        call.variables.into_iter().fold(program, |program, (name, value)| program.env(name, value))
    }
}

#[async_trait]
impl DesktopEnvironment for LocalDesktop {
    fn platform(&self) -> Platform {
        if cfg!(target_os = "macos") {
            Platform::Mac
        } else if cfg!(windows) {
            Platform::Windows
        } else {
            Platform::Unix
        }
    }

    fn has(&self, program: &str) -> bool {
        host::find_program(program).is_some()
    }

    fn variable(&self, name: &str) -> Option<String> {
        std::env::var(name).ok().filter(|value| !value.is_empty())
    }

    async fn run(&self, call: ProgramCall) -> Result<DesktopProgramOutput, ProcessError> {
        let finished = Self::program(call).time_limit(PATIENCE).output_limit(MOST_OUTPUT).run().await?;
        Ok(DesktopProgramOutput {
            succeeded: finished.status.success(),
            output: finished.stdout,
            truncated: finished.truncated,
        })
    }

    async fn launch(&self, call: ProgramCall) -> Result<LaunchResult, ProcessError> {
        let ended = Self::program(call).time_limit(FIRST_MOMENT).run_detached().await?;
        Ok(if ended.is_none_or(|status| status.success()) {
            LaunchResult::Started
        } else {
            LaunchResult::Failed
        })
    }
}

impl dyn DesktopEnvironment + '_ {
    /// Returns true if there is a graphical session.
    pub fn has_display(&self) -> bool {
        self.platform() != Platform::Unix
            || self.variable("WAYLAND_DISPLAY").is_some()
            || self.variable("DISPLAY").is_some()
    }
}
