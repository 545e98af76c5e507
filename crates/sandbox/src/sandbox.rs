use std::ffi::OsString;
use std::path::PathBuf;

use host::Program;

use crate::error::SandboxError;
use crate::policy::Policy;
use crate::sandbox_level::SandboxLevel;
use crate::sandboxed_program::SandboxedProgram;

/// The confinement mechanisms of this machine.
#[derive(Debug, Clone)]
pub struct Sandbox {
    level: SandboxLevel,
    /// The reasons why the level is not full, with remedies.
    missing: Vec<String>,
    #[cfg(target_os = "linux")]
    mechanisms: Option<crate::probe::Mechanisms>,
}

impl Sandbox {
    /// Detects the available mechanisms by running something in each.
    pub async fn probe() -> Self {
        match std::env::current_exe() {
            Ok(launcher) => Self::probe_with(launcher).await,
            Err(_) => Self::none(vec!["the path of the program is unknown".to_owned()]),
        }
    }

    /// Like [`Self::probe`], but with another executable as launcher, for programs whose `main` does not begin with
    /// [`launch_if_asked`], such as benchmarks.
    #[cfg(target_os = "linux")]
    pub async fn probe_with(launcher: PathBuf) -> Self {
        // Boxed, because the futures for running programs are large.
        let (level, missing, mechanisms) = Box::pin(crate::probe::probe(launcher)).await;
        Self { level, missing, mechanisms }
    }

    #[cfg(not(target_os = "linux"))]
    pub async fn probe_with(_: PathBuf) -> Self {
        Self::none(vec!["the sandbox needs Linux".to_owned()])
    }

    /// Returns a sandbox without any mechanism, with the reasons.
    pub fn none(missing: Vec<String>) -> Self {
        Self {
            level: SandboxLevel::None,
            missing,
            #[cfg(target_os = "linux")]
            mechanisms: None,
        }
    }

    pub fn level(&self) -> SandboxLevel {
        self.level
    }

    pub fn missing(&self) -> &[String] {
        &self.missing
    }

    /// Returns true if a program can be allowed to reach a few hosts, which requires its own network namespace.
    pub fn can_limit_hosts(&self) -> bool {
        #[cfg(target_os = "linux")]
        return self.mechanisms.as_ref().is_some_and(|mechanisms| mechanisms.bubblewrap.is_some());
        #[cfg(not(target_os = "linux"))]
        false
    }

    /// Tests whether the overlay of a policy ([`Policy::with_overlay`]) can be mounted; returns the reason if not.
    pub async fn can_overlay(&self, policy: &Policy) -> Result<(), String> {
        #[cfg(target_os = "linux")]
        if let Some(mechanisms) = &self.mechanisms {
            return Box::pin(mechanisms.try_overlay(policy)).await;
        }
        let _ = policy;
        Err(self.missing.join("; "))
    }

    /// Restricts the sandbox to a lower level, for tests of that level.
    #[must_use]
    pub fn at_most(self, level: SandboxLevel) -> Self {
        if level >= self.level {
            return self;
        }
        let missing = vec![format!("the level was limited to {level}")];
        match level {
            #[cfg(target_os = "linux")]
            SandboxLevel::Partial => Self {
                level,
                missing,
                mechanisms: self.mechanisms.map(crate::probe::Mechanisms::without_bubblewrap),
            },
            _ => Self::none(missing),
        }
    }

    /// Starts a program within its policy. `prepare` sets its input and time limit.
    pub fn start(
        &self,
        policy: &Policy,
        command: Vec<OsString>,
        prepare: impl FnOnce(Program) -> Program,
    ) -> Result<SandboxedProgram, SandboxError> {
        #[cfg(target_os = "linux")]
        if let Some(mechanisms) = &self.mechanisms {
            return mechanisms.start(policy, command, prepare, &self.missing);
        }
        let _ = (policy, command, prepare);
        Err(SandboxError::Missing(self.missing.join("; ")))
    }
}

/// Becomes the launcher, and never returns, if this executable was started as one. Must be the first call in `main`.
pub fn launch_if_asked() {
    #[cfg(target_os = "linux")]
    {
        use crate::launch_order::{CHECK, LAUNCH};
        let mut arguments = std::env::args_os().skip(1);
        match arguments.next() {
            Some(first) if first == LAUNCH => {
                let order = arguments.next().unwrap_or_default();
                let Err(error) = crate::launcher::launch(&order.to_string_lossy(), arguments);
                report(&error.to_string());
                std::process::exit(NOT_STARTED);
            }
            Some(first) if first == crate::layer::LAYER => {
                let step = arguments.next().unwrap_or_default();
                let Err(error) = crate::layer::run_overlay_step(&step.to_string_lossy(), arguments);
                report(&error.to_string());
                std::process::exit(NOT_STARTED);
            }
            Some(first) if first == CHECK => {
                std::process::exit(i32::from(!crate::probe::is_confined()));
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
fn report(error: &str) {
    eprintln!("the sandbox could not start the program: {error}");
}
