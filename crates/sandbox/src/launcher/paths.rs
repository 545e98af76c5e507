use landlock::{
    ABI, Access as _, AccessFs, AccessNet, CompatLevel, Compatible as _, NetPort, Ruleset, RulesetAttr as _,
    RulesetCreatedAttr as _, RulesetStatus, Scope, path_beneath_rules,
};

use super::error::LaunchError;
use crate::handover::PORT;
use crate::launch_order::LaunchOrder;
use crate::policy::SandboxProfile;

/// The newest supported Landlock ABI. Older kernels enforce the part that they know.
const NEWEST: ABI = ABI::V9;

/// Restricts reading and writing to the paths of the order, regardless of what else is visible. Also blocks signals to
/// and sockets of other processes, if the kernel supports that.
pub fn restrict(order: &LaunchOrder) -> Result<(), LaunchError> {
    let read = AccessFs::from_read(NEWEST);
    let mut ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(NEWEST))?
        .scope(Scope::from_all(NEWEST))?;
    let is_tool = order.profile == SandboxProfile::Tool;
    if is_tool {
        ruleset = ruleset.handle_access(AccessNet::from_all(NEWEST))?;
    }
    let mut ruleset = ruleset.create()?;
    if is_tool && order.listener_socket.is_some() {
        ruleset = ruleset.add_rule(NetPort::new(PORT, AccessNet::ConnectTcp))?;
    }
    let status = ruleset
        .add_rules(path_beneath_rules(&order.reads, read))?
        .add_rules(path_beneath_rules(&order.writes, AccessFs::from_all(NEWEST)))?
        .restrict_self()?;
    // Inside namespaces, Landlock is the second barrier and the probe reports whether it works; without namespaces it
    // is the only one.
    if status.ruleset == RulesetStatus::NotEnforced && !order.in_namespaces {
        return Err(LaunchError::NoLandlock);
    }
    Ok(())
}
