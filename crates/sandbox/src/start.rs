//! The start of a confined program: its limits, its watch and its proxy.

use std::ffi::OsString;
use std::io;
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::sync::Arc;

use host::{ProcessError, Program};

use crate::awaited_process::AwaitedProcess;
use crate::control_groups::ControlGroup;
use crate::error::SandboxError;
use crate::handover::{self, ListenerSender};
use crate::policy::{NetworkAccess, Policy, SandboxProfile};
use crate::probe::{InheritedDescriptors, Mechanisms};
use crate::proxy::Proxy;
use crate::sandboxed_program::{KernelCheck, LimitWatch, SandboxedProgram};
use crate::view::FileSystemView;
use crate::watch;

impl Mechanisms {
    /// Starts a program within its policy. `missing` holds the reasons why there may be no network namespace.
    pub fn start(
        &self,
        policy: &Policy,
        command: Vec<OsString>,
        prepare: impl FnOnce(Program) -> Program,
        missing: &[String],
    ) -> Result<SandboxedProgram, SandboxError> {
        let (proxied, sender) = match &policy.network {
            NetworkAccess::Off => (None, None),
            NetworkAccess::Proxied(_) if self.bubblewrap.is_none() => {
                return Err(SandboxError::NoNetwork(missing.join("; ")));
            }
            NetworkAccess::Proxied(hosts) => {
                let (receiver, sender) = handover::socket_pair().map_err(not_started)?;
                (Some((receiver, hosts.clone())), Some(sender))
            }
        };
        let copied;
        let policy = if self.bubblewrap.is_some() {
            policy
        } else {
            copied = policy.clone().in_its_copy();
            &copied
        };
        let is_awaited = policy.write_target.is_some();
        let (mut awaited, mut pid_pipe) = (None, None);
        if is_awaited && self.bubblewrap.is_some() {
            let (ours, theirs) = AwaitedProcess::pipe().map_err(not_started)?;
            (awaited, pid_pipe) = (Some(ours), Some(theirs));
        }
        let view = FileSystemView::new(policy)?;
        let descriptors = InheritedDescriptors {
            listener_socket: sender.as_ref().map(ListenerSender::descriptor),
            pid_pipe: pid_pipe.as_ref().map(OwnedFd::as_raw_fd),
        };
        let mut program = self.program(policy, &view, descriptors, command);
        for file in sender.map(ListenerSender::into_descriptor).into_iter().chain(pid_pipe) {
            program = program.inheriting(file);
        }
        let group = self.groups.as_ref().map(|groups| groups.make(&policy.limits).map(Arc::new)).transpose();
        let group: Option<Arc<ControlGroup>> = group.map_err(not_started)?;
        if let Some(group) = &group {
            program = program.in_control_group(group.join_file().map_err(not_started)?);
        }
        let child = prepare(program).spawn()?;
        let proxy = proxied.map(|(receiver, hosts)| Proxy::start(receiver, hosts));
        let (limits, folders, scratch) = (policy.limits, policy.written_folders(), view.scratch());
        let is_strict = policy.profile == SandboxProfile::Tool;
        let watch: LimitWatch = match child.pid() {
            Some(root) => {
                let watched = watch::WatchedTree { root, limits, folders, scratch, is_strict };
                Box::pin(watch::until_exceeded(watched, group.clone()))
            }
            None => Box::pin(std::future::pending()),
        };
        let kernel_check: KernelCheck =
            Box::new(move || group.as_ref().and_then(|group| group.exceeded_limit()));
        let program =
            SandboxedProgram::new(child, watch, kernel_check, Box::new((view.into_placeholders(), proxy)));
        let awaited = awaited.or_else(|| program.pid().filter(|_| is_awaited).map(AwaitedProcess::Group));
        Ok(program.with_awaited(awaited))
    }
}

fn not_started(source: io::Error) -> SandboxError {
    ProcessError::Start { program: "the sandbox".to_owned(), source }.into()
}

#[cfg(test)]
mod tests {
    use host::AllowedHosts;

    use super::*;

    #[tokio::test]
    async fn nobody_is_let_out_where_the_network_is_everybodys() {
        let folder = tempfile::tempdir().unwrap();
        let mechanisms = Mechanisms { bubblewrap: None, groups: None, launcher: "/bin/false".into() };
        let policy = Policy::tool(folder.path(), folder.path()).unwrap();
        let policy = policy.allow_hosts(AllowedHosts::parse(&["example.org"]).unwrap());
        let missing = ["bubblewrap is not installed".to_owned()];
        let refused = mechanisms.start(&policy, vec!["true".into()], |program| program, &missing);
        let error = refused.err().expect("it is refused").to_string();
        assert!(error.contains("could reach every host: bubblewrap is not installed"), "{error}");
    }
}
