use std::ffi::OsString;
use std::path::PathBuf;

use host::Program;

use crate::cell::Cell;
use crate::error::SandboxError;
use crate::level::Level;
use crate::policy::Policy;

/// The means that this machine has to hold programs.
#[derive(Debug, Clone)]
pub struct Sandbox {
    level: Level,
    /// What keeps the level from being full, and how to mend it.
    missing: Vec<String>,
    #[cfg(target_os = "linux")]
    means: Option<crate::probe::Means>,
}

impl Sandbox {
    /// Looks what there is, by running something in it.
    pub async fn probe() -> Self {
        match std::env::current_exe() {
            Ok(launcher) => Self::probe_with(launcher).await,
            Err(_) => Self::none(vec!["the program does not know where it lies".to_owned()]),
        }
    }

    /// The same for a program whose `main` does not begin with [`launch_if_asked`], by another that does: a benchmark
    /// starts what the program itself would.
    #[cfg(target_os = "linux")]
    pub async fn probe_with(launcher: PathBuf) -> Self {
        // It runs programs, whose futures are large, and is asked for among others.
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

    /// A machine that has none, and why.
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

    /// Whether a program can be let out to a few hosts: that needs a network which is its own.
    pub fn can_reach(&self) -> bool {
        #[cfg(target_os = "linux")]
        return self.means.as_ref().is_some_and(|means| means.walls.is_some());
        #[cfg(not(target_os = "linux"))]
        false
    }

    /// Whether what lies over the policy's folder ([`Policy::over`]) can be laid there, by trying it; and why not.
    pub async fn can_lay(&self, policy: &Policy) -> Result<(), String> {
        #[cfg(target_os = "linux")]
        if let Some(means) = &self.means {
            return Box::pin(means.try_to_lay(policy)).await;
        }
        let _ = policy;
        Err(self.missing.join("; "))
    }

    /// The same with less than there is, to see how that holds.
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

    /// Starts a program within its policy. `prepare` says how it is fed and how long it may run.
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

/// Where our own program was started as the launcher, it becomes what it was told to, and never returns. The first
/// thing that `main` does.
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

/// What a shell says of a program that it cannot start.
#[cfg(target_os = "linux")]
const NOT_STARTED: i32 = 127;

#[cfg(target_os = "linux")]
#[allow(clippy::print_stderr)]
fn complain(error: &str) {
    eprintln!("the sandbox could not start it: {error}");
}
