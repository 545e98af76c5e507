use std::fs;

use rustix::process::{Resource, Rlimit, setpriority_process, setrlimit};
use rustix::thread::{
    CapabilitiesSecureBits, CapabilitySet, CapabilitySets, clear_ambient_capability_set,
    remove_capability_from_bounding_set, set_capabilities, set_capabilities_secure_bits, set_no_new_privs,
};

use super::{LaunchError, system};
use crate::policy::Limits;

/// Behind all that the user does, where there is not enough for both.
const PRIORITY: i32 = 10;

pub fn set(limits: &Limits) -> Result<(), LaunchError> {
    let table = [
        // What a process maps for itself; address space alone costs nothing, and some programs reserve a lot of it.
        (Resource::Data, limits.memory),
        (Resource::Nofile, limits.open_files),
        (Resource::Fsize, limits.file_size),
        // It counts threads. Root is not held by it, but by the watch outside.
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
    // Whoever watches it must not wait for it, nor must the user.
    let _ = setpriority_process(None, PRIORITY);
    // Where memory is short, this goes first. A kernel without it loses nothing else.
    let _ = fs::write("/proc/self/oom_score_adj", "1000");
    Ok(())
}

/// Nothing that it starts has more rights than it has, and it has none.
pub fn give_up_privileges() -> Result<(), LaunchError> {
    set_no_new_privs(true).map_err(system("no new privileges"))?;
    // Only who has a right can give it up: an ordinary user fails here, and has nothing to give.
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

/// Files that somebody left open in our parents are not the program's. They close when it begins.
#[allow(unsafe_code)]
pub fn close_files() -> Result<(), LaunchError> {
    // SAFETY: it marks descriptors; none of them is used or owned by this process, which is about to be replaced.
    let done = unsafe { libc::syscall(libc::SYS_close_range, 3u32, u32::MAX, libc::CLOSE_RANGE_CLOEXEC) };
    if done == 0 { Ok(()) } else { Err(system("open files")(std::io::Error::last_os_error())) }
}
