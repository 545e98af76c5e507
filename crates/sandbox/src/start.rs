//! The start of a confined program: its limits, its watch and its proxy.

use std::ffi::OsString;
use std::io;
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::sync::Arc;

use host::{ProcessError, Program};

use crate::cell::{Cell, Verdict, Watch};
use crate::error::SandboxError;
use crate::first::First;
use crate::groups::Group;
use crate::handover::{self, Inside};
use crate::policy::{Network, Policy, Profile};
use crate::probe::{Lines, Means};
use crate::proxy::Proxy;
use crate::view::View;
use crate::watch;

impl Means {
    /// Starts a program within its policy. `missing` holds the reasons why there may be no network namespace.
    pub fn start(
        &self,
        policy: &Policy,
        command: Vec<OsString>,
        prepare: impl FnOnce(Program) -> Program,
        missing: &[String],
    ) -> Result<Cell, SandboxError> {
        let (way_out, inside) = match &policy.network {
            Network::Off => (None, None),
            Network::Proxied(_) if self.walls.is_none() => {
                return Err(SandboxError::NoNetwork(missing.join("; ")));
            }
            Network::Proxied(hosts) => {
                let (outside, inside) = handover::line().map_err(not_started)?;
                (Some((outside, hosts.clone())), Some(inside))
            }
        };
        let by_its_own_name;
        let policy = if self.walls.is_some() {
            policy
        } else {
            by_its_own_name = policy.clone().by_its_own_name();
            &by_its_own_name
        };
        let is_awaited = policy.instead.is_some();
        let (mut first, mut told) = (None, None);
        if is_awaited && self.walls.is_some() {
            let (ours, theirs) = First::line().map_err(not_started)?;
            (first, told) = (Some(ours), Some(theirs));
        }
        let view = View::new(policy)?;
        let number = |file: &OwnedFd| file.as_raw_fd();
        let lines = Lines { network: inside.as_ref().map(Inside::number), first: told.as_ref().map(number) };
        let mut program = self.program(policy, &view, lines, command);
        for file in inside.map(Inside::into_file).into_iter().chain(told) {
            program = program.inheriting(file);
        }
        let group = self.groups.as_ref().map(|groups| groups.make(&policy.limits).map(Arc::new)).transpose();
        let group: Option<Arc<Group>> = group.map_err(not_started)?;
        if let Some(group) = &group {
            program = program.joining(group.door().map_err(not_started)?);
        }
        let child = prepare(program).spawn()?;
        let proxy = way_out.map(|(outside, hosts)| Proxy::start(outside, hosts));
        let (limits, folders, scratch) = (policy.limits, policy.written(), view.scratch());
        let is_strict = policy.profile == Profile::Tool;
        let watch: Watch = match child.pid() {
            Some(root) => {
                let watched = watch::Watched { root, limits, folders, scratch, is_strict };
                Box::pin(watch::until_too_much(watched, group.clone()))
            }
            None => Box::pin(std::future::pending()),
        };
        let verdict: Verdict = Box::new(move || group.as_ref().and_then(|group| group.excess()));
        let cell = Cell::new(child, watch, verdict, Box::new((view.into_placeholders(), proxy)));
        let first = first.or_else(|| cell.pid().filter(|_| is_awaited).map(First::Group));
        Ok(cell.with_first(first))
    }
}

fn not_started(source: io::Error) -> SandboxError {
    ProcessError::Start { program: "the sandbox".to_owned(), source }.into()
}

#[cfg(test)]
mod tests {
    use host::Hosts;

    use super::*;

    #[tokio::test]
    async fn nobody_is_let_out_where_the_network_is_everybodys() {
        let folder = tempfile::tempdir().unwrap();
        let means = Means { walls: None, groups: None, launcher: "/bin/false".into() };
        let policy = Policy::tool(folder.path(), folder.path()).unwrap();
        let policy = policy.reach(Hosts::parse(&["example.org"]).unwrap());
        let missing = ["bubblewrap is not installed".to_owned()];
        let refused = means.start(&policy, vec!["true".into()], |program| program, &missing);
        let error = refused.err().expect("it is refused").to_string();
        assert!(error.contains("would reach everybody: bubblewrap is not installed"), "{error}");
    }
}
