//! Detection of the available mechanisms: each is tried by running something harmless in it, from the strongest down.

use std::ffi::OsString;
use std::fs;
use std::os::fd::RawFd;
use std::path::{Path, PathBuf};
use std::time::Duration;

use host::{ProcessError, Program, ProgramOutput, find_program};
use landlock::{ABI, Access as _, AccessFs, CompatLevel, Compatible as _, Ruleset, RulesetAttr as _};

use crate::control_groups::ControlGroups;
use crate::launch_order::{CHECK, LAUNCH, LaunchOrder};
use crate::layer::{LAYER, OverlayStep};
use crate::policy::{Policy, WriteTarget};
use crate::sandbox_level::SandboxLevel;
use crate::view::{BubblewrapArguments, FileSystemView, LAUNCHER};

const TIMEOUT: Duration = Duration::from_secs(10);

/// The mechanisms that confine programs on this machine.
#[derive(Debug, Clone)]
pub struct Mechanisms {
    /// The path of bubblewrap, if it works.
    pub bubblewrap: Option<PathBuf>,
    /// Control groups, if the kernel can enforce the limits.
    pub groups: Option<ControlGroups>,
    /// The executable that acts as launcher.
    pub launcher: PathBuf,
}

/// Returns the level, the reasons why it is not full, and the mechanisms.
pub async fn probe(launcher: PathBuf) -> (SandboxLevel, Vec<String>, Option<Mechanisms>) {
    let mut missing = Vec::new();
    let has_landlock = knows_landlock();
    if !has_landlock {
        missing.push("the kernel has no landlock, or it is switched off".to_owned());
    }
    let groups = ControlGroups::find();
    match find_program("bwrap") {
        None => missing.push("bubblewrap is not installed: install the package `bubblewrap`".to_owned()),
        Some(bubblewrap) => {
            let mechanisms = Mechanisms {
                bubblewrap: Some(bubblewrap),
                groups: groups.clone(),
                launcher: launcher.clone(),
            };
            match mechanisms.checked().await {
                Ok(mechanisms) => {
                    let level = if has_landlock { SandboxLevel::Full } else { SandboxLevel::Partial };
                    return (level, missing, Some(mechanisms));
                }
                Err(why) => missing.push(format!("bubblewrap does not work here: {why}")),
            }
        }
    }
    match (Mechanisms { bubblewrap: None, groups, launcher }).checked().await {
        Ok(mechanisms) => (SandboxLevel::Partial, missing, Some(mechanisms)),
        Err(why) => {
            missing.push(format!("landlock and seccomp do not work here: {why}"));
            (SandboxLevel::None, missing, None)
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

impl Mechanisms {
    pub fn without_bubblewrap(self) -> Self {
        Self { bubblewrap: None, ..self }
    }

    /// Returns the program that actually runs for a command.
    pub fn program(
        &self,
        policy: &Policy,
        view: &FileSystemView<'_>,
        descriptors: InheritedDescriptors,
        command: Vec<OsString>,
    ) -> Program {
        let order = self.order(policy, view, descriptors.listener_socket);
        match &self.bubblewrap {
            Some(bubblewrap) => {
                let BubblewrapArguments { all: mut words, guards_index } = view.arguments(&self.launcher);
                if let Some(pipe) = descriptors.pid_pipe {
                    words.extend(["--info-fd".into(), pipe.to_string().into()]);
                }
                words.extend(["--", LAUNCHER, LAUNCH].map(OsString::from));
                let program = match &policy.write_target {
                    // The indexes grow by one, because bubblewrap's own path comes first.
                    Some(WriteTarget::Overlay { upper, work }) => {
                        let (guards_index, order_index) = (guards_index + 1, words.len() + 1);
                        self.overlay_step(&policy.folder, (upper, work), (guards_index, order_index))
                            .arg(bubblewrap)
                    }
                    _ => Program::new(bubblewrap),
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
    fn overlay_step(
        &self,
        lower: &Path,
        (upper, work): (&Path, &Path),
        (guards_index, order_index): (usize, usize),
    ) -> Program {
        let [lower, upper, work] = [lower, upper, work].map(Path::to_owned);
        let step = OverlayStep { lower, upper, work, guards_index, order_index };
        // Serialization cannot fail in practice; an empty text would be rejected inside.
        let step = serde_json::to_string(&step).unwrap_or_default();
        Program::new(&self.launcher).arg(LAYER).arg(step)
    }

    /// Tests whether an overlay can be mounted over a folder.
    pub async fn try_overlay(&self, policy: &Policy) -> Result<(), String> {
        let Some(WriteTarget::Overlay { upper, work }) = &policy.write_target else { return Ok(()) };
        if self.bubblewrap.is_none() {
            return Err("there are no namespaces".to_owned());
        }
        let program = self.overlay_step(&policy.folder, (upper, work), (0, 0)).time_limit(TIMEOUT);
        succeeded(program.run().await)
    }

    fn order(&self, policy: &Policy, view: &FileSystemView<'_>, listener_socket: Option<RawFd>) -> String {
        let in_namespaces = self.bubblewrap.is_some();
        let (guarded, covered) = (view.guarded(), view.covered());
        let (reads, writes) = if in_namespaces {
            (vec!["/".into()], view.writable_inside())
        } else {
            let mut reads = view.readable_outside();
            reads.push(self.launcher.clone());
            (reads, view.writable_outside())
        };
        let Policy { profile, limits, .. } = *policy;
        let order =
            LaunchOrder { profile, listener_socket, limits, in_namespaces, guarded, covered, reads, writes };
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
        let seen = if self.bubblewrap.is_some() { Path::new(LAUNCHER) } else { &self.launcher };
        let command = vec![seen.into(), CHECK.into()];
        let view = FileSystemView::new(&policy).map_err(|error| error.to_string())?;
        let mut program =
            self.program(&policy, &view, InheritedDescriptors::default(), command).time_limit(TIMEOUT);
        let group = self.groups.as_ref().map(|groups| groups.make(&policy.limits)).transpose();
        let group = group.map_err(|error| error.to_string())?;
        if let Some(group) = &group {
            program = program.in_control_group(group.join_file().map_err(|error| error.to_string())?);
        }
        succeeded(program.run().await)
    }
}

/// Returns the last line of the error output of a trial that failed.
fn succeeded(done: Result<ProgramOutput, ProcessError>) -> Result<(), String> {
    let done = done.map_err(|error| error.to_string())?;
    if done.status.success() {
        return Ok(());
    }
    Err(done.stderr.trim().lines().last().unwrap_or("it printed no reason").to_owned())
}

/// Descriptors that a program inherits, by number.
#[derive(Debug, Default, Clone, Copy)]
pub struct InheritedDescriptors {
    /// The socket on which the launcher sends out the listener of its network.
    pub listener_socket: Option<RawFd>,
    /// The pipe on which bubblewrap reports the first process inside.
    pub pid_pipe: Option<RawFd>,
}

/// Returns true if this process is confined, according to the kernel. Runs inside the sandbox.
pub fn is_confined() -> bool {
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
