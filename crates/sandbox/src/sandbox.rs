use std::ffi::OsString;
use std::path::PathBuf;

use host::Program;

use crate::cell::Cell;
use crate::error::SandboxError;
use crate::level::Level;
use crate::policy::Policy;

/// The confinement mechanisms of this machine.
#[derive(Debug, Clone)]
pub struct Sandbox {
    level: Level,
    /// The reasons why the level is not full, with remedies.
    missing: Vec<String>,
    #[cfg(target_os = "linux")]
    means: Option<crate::probe::Means>,
}

impl Sandbox {
    /// Detects the available mechanisms by running something in each.
    pub async fn probe() -> Self {
        match std::env::current_exe() {
            Ok(launcher) => Self::probe_with(launcher).await,
            Err(_) => Self::none(vec!["the program does not know where it lies".to_owned()]),
        }
    }

    /// Like [`Self::probe`], but with another executable as launcher, for programs whose `main` does not begin with
    /// [`launch_if_asked`], such as benchmarks.
    #[cfg(target_os = "linux")]
    pub async fn probe_with(launcher: PathBuf) -> Self {
        // Boxed, because the futures for running programs are large.
        Box::pin(crate::probe::probe(launcher)).await
    }

    #[cfg(not(target_os = "linux"))]
    pub async fn probe_with(_: PathBuf) -> Self {
        Self::none(vec!["there is a sandbox for Linux only".to_owned()])
    }

    #[cfg(target_os = "linux")]
    pub(crate) fn new(level: Level, missing: Vec<String>, means: crate::probe::Means) -> Self {
        Self { level, missing, means: Some(means) }
    }

    /// Returns a sandbox without any mechanism, with the reasons.
    pub fn none(missing: Vec<String>) -> Self {
        Self {
            level: Level::None,
            missing,
            #[cfg(target_os = "linux")]
            means: None,
        }
    }

    pub fn level(&self) -> Level {
        self.level
    }

    pub fn missing(&self) -> &[String] {
        &self.missing
    }

    /// Returns true if a program can be allowed to reach a few hosts, which requires its own network namespace.
    pub fn can_reach(&self) -> bool {
        #[cfg(target_os = "linux")]
        return self.means.as_ref().is_some_and(|means| means.walls.is_some());
        #[cfg(not(target_os = "linux"))]
        false
    }

    /// Tests whether the overlay of a policy ([`Policy::over`]) can be mounted; returns the reason if not.
    pub async fn can_lay(&self, policy: &Policy) -> Result<(), String> {
        #[cfg(target_os = "linux")]
        if let Some(means) = &self.means {
            return Box::pin(means.try_to_lay(policy)).await;
        }
        let _ = policy;
        Err(self.missing.join("; "))
    }

    /// Restricts the sandbox to a lower level, for tests of that level.
    #[must_use]
    pub fn at_most(self, level: Level) -> Self {
        if level >= self.level {
            return self;
        }
        let missing = vec![format!("no more than {level} was asked for")];
        match level {
            #[cfg(target_os = "linux")]
            Level::Partial => {
                Self { level, missing, means: self.means.map(crate::probe::Means::without_walls) }
            }
            _ => Self::none(missing),
        }
    }

    /// Starts a program within its policy. `prepare` sets its input and time limit.
    pub fn start(
        &self,
        policy: &Policy,
        command: Vec<OsString>,
        prepare: impl FnOnce(Program) -> Program,
    ) -> Result<Cell, SandboxError> {
        #[cfg(target_os = "linux")]
        if let Some(means) = &self.means {
            return means.start(policy, command, prepare, &self.missing);
        }
        let _ = (policy, command, prepare);
        Err(SandboxError::Missing(self.missing.join("; ")))
    }
}

/// Becomes the launcher, and never returns, if this executable was started as one. Must be the first call in `main`.
pub fn launch_if_asked() {
    #[cfg(target_os = "linux")]
    {
        use crate::order::{CHECK, LAUNCH};
        let mut arguments = std::env::args_os().skip(1);
        match arguments.next() {
            Some(first) if first == LAUNCH => {
                let order = arguments.next().unwrap_or_default();
                let Err(error) = crate::launcher::launch(&order.to_string_lossy(), arguments);
                complain(&error.to_string());
                std::process::exit(NOT_STARTED);
            }
            Some(first) if first == crate::layer::LAYER => {
                let stage = arguments.next().unwrap_or_default();
                let Err(error) = crate::layer::enter(&stage.to_string_lossy(), arguments);
                complain(&error.to_string());
                std::process::exit(NOT_STARTED);
            }
            Some(first) if first == CHECK => {
                std::process::exit(i32::from(!crate::probe::is_held()));
            }
            _ => {}
        }
    }
}

/// The exit status that shells report for a program that cannot be started.
#[cfg(target_os = "linux")]
const NOT_STARTED: i32 = 127;

#[cfg(target_os = "linux")]
#[allow(clippy::print_stderr)]
fn complain(error: &str) {
    eprintln!("the sandbox could not start it: {error}");
}
