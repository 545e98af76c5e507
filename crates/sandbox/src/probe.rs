//! Detection of the available mechanisms: each is tried by running something harmless in it, from the strongest down.

use std::ffi::OsString;
use std::fs;
use std::os::fd::RawFd;
use std::path::{Path, PathBuf};
use std::time::Duration;

use host::{Finished, ProcessError, Program, find_program};
use landlock::{ABI, Access as _, AccessFs, CompatLevel, Compatible as _, Ruleset, RulesetAttr as _};

use crate::groups::Groups;
use crate::layer::{LAYER, Stage};
use crate::level::Level;
use crate::order::{CHECK, LAUNCH, Order};
use crate::policy::{Instead, Policy};
use crate::sandbox::Sandbox;
use crate::view::{LAUNCHER, View, Words};

const PATIENCE: Duration = Duration::from_secs(10);

/// The mechanisms that confine programs on this machine.
#[derive(Debug, Clone)]
pub struct Means {
    /// The path of bubblewrap, if it works.
    pub walls: Option<PathBuf>,
    /// Control groups, if the kernel can enforce the limits.
    pub groups: Option<Groups>,
    /// The executable that acts as launcher.
    pub launcher: PathBuf,
}

pub async fn probe(launcher: PathBuf) -> Sandbox {
    let mut missing = Vec::new();
    let has_landlock = knows_landlock();
    if !has_landlock {
        missing.push("the kernel has no landlock, or it is switched off".to_owned());
    }
    let groups = Groups::find();
    match find_program("bwrap") {
        None => missing.push("bubblewrap is not installed: install the package `bubblewrap`".to_owned()),
        Some(walls) => {
            let means = Means { walls: Some(walls), groups: groups.clone(), launcher: launcher.clone() };
            match means.checked().await {
                Ok(means) => {
                    let level = if has_landlock { Level::Full } else { Level::Partial };
                    return Sandbox::new(level, missing, means);
                }
                Err(why) => missing.push(format!("bubblewrap does not work here: {why}")),
            }
        }
    }
    match (Means { walls: None, groups, launcher }).checked().await {
        Ok(means) => Sandbox::new(Level::Partial, missing, means),
        Err(why) => {
            missing.push(format!("landlock and seccomp do not work here: {why}"));
            Sandbox::none(missing)
        }
    }
}

fn knows_landlock() -> bool {
    Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(ABI::V1))
        .and_then(Ruleset::create)
        .is_ok()
}

impl Means {
    pub fn without_walls(self) -> Self {
        Self { walls: None, ..self }
    }

    /// Returns the program that actually runs for a command.
    pub fn program(&self, policy: &Policy, view: &View<'_>, lines: Lines, command: Vec<OsString>) -> Program {
        let order = self.order(policy, view, lines.network);
        match &self.walls {
            Some(walls) => {
                let Words { all: mut words, guards_at } = view.arguments(&self.launcher);
                if let Some(line) = lines.first {
                    words.extend(["--info-fd".into(), line.to_string().into()]);
                }
                words.extend(["--", LAUNCHER, LAUNCH].map(OsString::from));
                let program = match &policy.instead {
                    // The indexes grow by one, because bubblewrap's own path comes first.
                    Some(Instead::Over { upper, work }) => {
                        let (guards_at, order_at) = (guards_at + 1, words.len() + 1);
                        self.stage(&policy.folder, (upper, work), (guards_at, order_at)).arg(walls)
                    }
                    _ => Program::new(walls),
                };
                program.args(words).arg(order).args(command)
            }
            None => Program::new(&self.launcher)
                .only_env(view.environment_outside())
                .dir(&policy.folder)
                .arg(LAUNCH)
                .arg(order)
                .args(command),
        }
    }

    /// Returns the step that mounts the overlay over a folder.
    fn stage(
        &self,
        lower: &Path,
        (upper, work): (&Path, &Path),
        (guards_at, order_at): (usize, usize),
    ) -> Program {
        let [lower, upper, work] = [lower, upper, work].map(Path::to_owned);
        let stage = Stage { lower, upper, work, guards_at, order_at };
        // Serialization cannot fail in practice; an empty text would be rejected inside.
        let stage = serde_json::to_string(&stage).unwrap_or_default();
        Program::new(&self.launcher).arg(LAYER).arg(stage)
    }

    /// Tests whether an overlay can be mounted over a folder.
    pub async fn try_to_lay(&self, policy: &Policy) -> Result<(), String> {
        let Some(Instead::Over { upper, work }) = &policy.instead else { return Ok(()) };
        if self.walls.is_none() {
            return Err("there are no namespaces".to_owned());
        }
        let program = self.stage(&policy.folder, (upper, work), (0, 0)).time_limit(PATIENCE);
        said(program.run().await)
    }

    fn order(&self, policy: &Policy, view: &View<'_>, line: Option<RawFd>) -> String {
        let walled = self.walls.is_some();
        let (guarded, covered) = (view.guarded(), view.covered());
        let (reads, writes) = if walled {
            (vec!["/".into()], view.writable_inside())
        } else {
            let mut reads = view.readable_outside();
            reads.push(self.launcher.clone());
            (reads, view.writable_outside())
        };
        let Policy { profile, limits, .. } = *policy;
        let order = Order { profile, line, limits, walled, guarded, covered, reads, writes };
        // Serialization cannot fail: the order consists of paths and numbers.
        serde_json::to_string(&order).unwrap_or_default()
    }

    /// Returns `self` if it works; without groups, if processes cannot join one.
    async fn checked(mut self) -> Result<Self, String> {
        let mut checked = self.check().await;
        if checked.is_err() && self.groups.take().is_some() {
            checked = self.check().await;
        }
        checked.map(|()| self)
    }

    /// Runs this executable inside the sandbox to check whether it is confined.
    async fn check(&self) -> Result<(), String> {
        let folder = std::env::temp_dir().join(format!("perigee-probe-{}", std::process::id()));
        fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        let checked = self.check_in(&folder).await;
        let _ = fs::remove_dir_all(&folder);
        checked
    }

    async fn check_in(&self, folder: &Path) -> Result<(), String> {
        let policy = Policy::tool(folder, folder).map_err(|error| error.to_string())?;
        let seen = if self.walls.is_some() { Path::new(LAUNCHER) } else { &self.launcher };
        let command = vec![seen.into(), CHECK.into()];
        let view = View::new(&policy).map_err(|error| error.to_string())?;
        let mut program = self.program(&policy, &view, Lines::default(), command).time_limit(PATIENCE);
        let group = self.groups.as_ref().map(|groups| groups.make(&policy.limits)).transpose();
        let group = group.map_err(|error| error.to_string())?;
        if let Some(group) = &group {
            program = program.joining(group.door().map_err(|error| error.to_string())?);
        }
        said(program.run().await)
    }
}

/// Returns the error output of a trial that failed.
fn said(done: Result<Finished, ProcessError>) -> Result<(), String> {
    let done = done.map_err(|error| error.to_string())?;
    if done.status.success() {
        return Ok(());
    }
    Err(done.stderr.trim().lines().last().unwrap_or("it said nothing").to_owned())
}

/// Descriptors that a program inherits, by number.
#[derive(Debug, Default, Clone, Copy)]
pub struct Lines {
    /// The socket on which the launcher sends out the listener of its network.
    pub network: Option<RawFd>,
    /// The pipe on which bubblewrap reports the first process inside.
    pub first: Option<RawFd>,
}

/// Returns true if this process is confined, according to the kernel. Runs inside the sandbox.
pub fn is_held() -> bool {
    let Ok(status) = fs::read_to_string("/proc/self/status") else { return false };
    let is = |name: &str, value: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        line.is_some_and(|line| line.trim_start_matches(':').trim() == value)
    };
    let none = "0000000000000000";
    let has_nothing = is("CapEff", none) && is("CapPrm", none) && is("CapBnd", none) || !is_root();
    let has_no_network =
        rustix::net::socket(rustix::net::AddressFamily::INET, rustix::net::SocketType::STREAM, None).is_err();
    is("NoNewPrivs", "1") && is("Seccomp", "2") && has_nothing && has_no_network
}

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}
