use std::fs;

use rustix::process::{Resource, Rlimit, setpriority_process, setrlimit};
use rustix::thread::{
    CapabilitiesSecureBits, CapabilitySet, CapabilitySets, clear_ambient_capability_set,
    remove_capability_from_bounding_set, set_capabilities, set_capabilities_secure_bits, set_no_new_privs,
};

use super::error::{LaunchError, system};
use crate::policy::SandboxLimits;

/// The nice value: lower priority than the user's own programs.
const PRIORITY: i32 = 10;

pub fn set(limits: &SandboxLimits) -> Result<(), LaunchError> {
    let table = [
        // Limits private mappings. Address space alone is free, and some programs reserve a lot of it.
        (Resource::Data, limits.memory),
        (Resource::Nofile, limits.open_files),
        (Resource::Fsize, limits.file_size),
        // This limit counts threads. It does not apply to root; there the watch outside enforces it.
        (Resource::Nproc, limits.threads),
        (Resource::Core, 0),
        (Resource::Memlock, 0),
        (Resource::Msgqueue, 0),
        (Resource::Rtprio, 0),
    ];
    for (resource, limit) in table {
        let limit = Some(limit).filter(|limit| *limit != u64::MAX);
        setrlimit(resource, Rlimit { current: limit, maximum: limit }).map_err(system("a limit"))?;
    }
    // The program must not slow down the watch or the user's work.
    let _ = setpriority_process(None, PRIORITY);
    // When memory is short, this process is killed first. The file may be missing without harm.
    let _ = fs::write("/proc/self/oom_score_adj", "1000");
    Ok(())
}

/// Drops all capabilities and prevents child processes from gaining new ones.
pub fn give_up_privileges() -> Result<(), LaunchError> {
    set_no_new_privs(true).map_err(system("no new privileges"))?;
    // Only a privileged process can drop these: for an ordinary user this fails, and there is nothing to drop.
    for capability in CapabilitySet::all().iter() {
        let _ = remove_capability_from_bounding_set(capability);
    }
    let _ = set_capabilities_secure_bits(
        CapabilitiesSecureBits::NO_ROOT | CapabilitiesSecureBits::NO_ROOT_LOCKED,
    );
    let _ = clear_ambient_capability_set();
    let none = CapabilitySets {
        effective: CapabilitySet::empty(),
        permitted: CapabilitySet::empty(),
        inheritable: CapabilitySet::empty(),
    };
    set_capabilities(None, none).map_err(system("capabilities"))
}

/// Marks all inherited descriptors as close-on-exec. Files left open by parent processes are not meant for the program.
#[allow(unsafe_code)]
pub fn close_files() -> Result<(), LaunchError> {
    // SAFETY: the call only marks descriptors; none of them is used or owned by this process, which is about to be
    // replaced.
    let done = unsafe { libc::syscall(libc::SYS_close_range, 3u32, u32::MAX, libc::CLOSE_RANGE_CLOEXEC) };
    if done == 0 { Ok(()) } else { Err(system("open files")(std::io::Error::last_os_error())) }
}
