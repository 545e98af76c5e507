use landlock::{
    ABI, Access as _, AccessFs, AccessNet, CompatLevel, Compatible as _, NetPort, Ruleset, RulesetAttr as _,
    RulesetCreatedAttr as _, RulesetStatus, Scope, path_beneath_rules,
};

use super::LaunchError;
use crate::handover::PORT;
use crate::order::Order;
use crate::policy::Profile;

/// The newest that is known here. Kernels that know less do what they can.
const NEWEST: ABI = ABI::V9;

/// What may be read and written, whatever else the program manages to see; no signals to others and no sockets of
/// others, where the kernel knows how.
pub fn restrict(order: &Order) -> Result<(), LaunchError> {
    let read = AccessFs::from_read(NEWEST);
    let mut ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(NEWEST))?
        .scope(Scope::from_all(NEWEST))?;
    let is_tool = order.profile == Profile::Tool;
    if is_tool {
        ruleset = ruleset.handle_access(AccessNet::from_all(NEWEST))?;
    }
    let mut ruleset = ruleset.create()?;
    if is_tool && order.line.is_some() {
        ruleset = ruleset.add_rule(NetPort::new(PORT, AccessNet::ConnectTcp))?;
    }
    let status = ruleset
        .add_rules(path_beneath_rules(&order.reads, read))?
        .add_rules(path_beneath_rules(&order.writes, AccessFs::from_all(NEWEST)))?
        .restrict_self()?;
    // Inside of namespaces it is the second wall, and the probe says whether it stands; without them it is the only one.
    if status.ruleset == RulesetStatus::NotEnforced && !order.walled {
        return Err(LaunchError::NoLandlock);
    }
    Ok(())
}
