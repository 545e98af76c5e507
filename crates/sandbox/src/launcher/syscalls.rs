//! Seccomp filters for system calls that no legitimate tool needs and that have allowed sandbox escapes before.

use std::collections::BTreeMap;

#[allow(clippy::wildcard_imports, reason = "a hundred names of calls, each used once")]
use libc::{c_long, *};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen as Width, SeccompCmpOp as Is, SeccompCondition,
    SeccompFilter, SeccompRule, TargetArch, apply_filter, sock_filter,
};

use super::error::LaunchError;
use crate::launch_order::LaunchOrder;
use crate::policy::SandboxProfile;

/// The newest reviewed call. Calls added to the kernel later are not known to be harmless.
const NEWEST_CALL: u32 = 462;

/// Blocked with `ENOSYS`, as if the kernel did not have them: programs then fall back to older calls, whose arguments a
/// filter can inspect.
const UNKNOWN: &[c_long] = &[
    SYS_clone3,
    SYS_io_uring_setup,
    SYS_io_uring_enter,
    SYS_io_uring_register,
    SYS_openat2,
    SYS_memfd_secret,
    // Their memory is not accounted to any process.
    SYS_memfd_create,
    SYS_shmget,
    // The number of these is limited for the whole machine.
    SYS_io_setup,
    // Changes file modes, but is not covered by the mode rules below.
    SYS_fchmodat2,
];

/// Blocked with `EPERM`.
const REFUSED: &[c_long] = &[
    // Other processes.
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_process_madvise,
    SYS_pidfd_getfd,
    SYS_kcmp,
    // Namespaces and mounts.
    SYS_unshare,
    SYS_setns,
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_fsopen,
    SYS_fsconfig,
    SYS_fsmount,
    SYS_fspick,
    SYS_move_mount,
    SYS_open_tree,
    SYS_mount_setattr,
    // Access by file handle, which bypasses all paths.
    SYS_open_by_handle_at,
    SYS_name_to_handle_at,
    SYS_fanotify_init,
    // The kernel's key rings.
    SYS_add_key,
    SYS_request_key,
    SYS_keyctl,
    // Kernel internals and machine administration.
    SYS_bpf,
    SYS_perf_event_open,
    SYS_userfaultfd,
    SYS_kexec_load,
    SYS_kexec_file_load,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_reboot,
    SYS_swapon,
    SYS_swapoff,
    SYS_acct,
    SYS_quotactl,
    SYS_quotactl_fd,
    SYS_syslog,
    SYS_vhangup,
    SYS_lookup_dcookie,
    SYS_nfsservctl,
    // The machine's clocks and names.
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_adjtimex,
    SYS_clock_adjtime,
    SYS_sethostname,
    SYS_setdomainname,
    // IPC objects that outlive the processes that created them.
    SYS_mq_open,
    SYS_mq_unlink,
    SYS_msgget,
    SYS_msgctl,
    SYS_msgrcv,
    SYS_msgsnd,
    SYS_semget,
    SYS_semctl,
    SYS_semop,
    SYS_semtimedop,
    SYS_shmat,
    SYS_shmctl,
    #[cfg(target_arch = "x86_64")]
    SYS_iopl,
    #[cfg(target_arch = "x86_64")]
    SYS_ioperm,
    #[cfg(target_arch = "x86_64")]
    SYS_modify_ldt,
    #[cfg(target_arch = "x86_64")]
    SYS_uselib,
    #[cfg(target_arch = "x86_64")]
    SYS_ustat,
    #[cfg(target_arch = "x86_64")]
    SYS_sysfs,
];

/// Calls that watch files. A user has only a small number of watches, and a tool that watches its own folder can poll
/// instead.
const WATCHING: &[c_long] = &[
    #[cfg(target_arch = "x86_64")]
    SYS_inotify_init,
    SYS_inotify_init1,
];

/// Calls that accept connections. Nothing connects to a tool. It may have socket pairs of which it holds both ends; it
/// may not send open files through them, because a file in transit is accounted to no process.
const SERVING: &[c_long] = &[SYS_bind, SYS_listen, SYS_accept, SYS_accept4, SYS_sendmsg, SYS_sendmmsg];

/// Calls that open connections, blocked too without a network.
const CALLING: &[c_long] = &[SYS_socket, SYS_connect];

/// Calls that change owner, permissions, timestamps and extended attributes, which Landlock does not cover. Without a
/// namespace they could reach every file of the user.
const MARKS: &[c_long] = &[
    #[cfg(target_arch = "x86_64")]
    SYS_chmod,
    #[cfg(target_arch = "x86_64")]
    SYS_chown,
    #[cfg(target_arch = "x86_64")]
    SYS_lchown,
    #[cfg(target_arch = "x86_64")]
    SYS_utime,
    #[cfg(target_arch = "x86_64")]
    SYS_utimes,
    #[cfg(target_arch = "x86_64")]
    SYS_futimesat,
    SYS_fchmod,
    SYS_fchmodat,
    SYS_fchown,
    SYS_fchownat,
    SYS_utimensat,
    SYS_setxattr,
    SYS_lsetxattr,
    SYS_fsetxattr,
    SYS_removexattr,
    SYS_lremovexattr,
    SYS_fremovexattr,
];

/// Calls that leave the process group. Without a namespace, a process that left could not be killed with the group.
const LEAVING: &[c_long] = &[SYS_setsid, SYS_setpgid];

pub fn restrict(order: &LaunchOrder) -> Result<(), LaunchError> {
    for program in programs(order)? {
        apply_filter(&program)?;
    }
    Ok(())
}

/// Returns the filters, each of which can only block calls.
fn programs(order: &LaunchOrder) -> Result<[BpfProgram; 5], seccompiler::Error> {
    let unknown = UNKNOWN.iter().map(|call| (*call, Vec::new())).collect();
    // It can fill a whole disk in a moment. Not every file system supports it, so programs fall back to writing, which
    // takes time.
    let unsupported = Calls::from([(SYS_fallocate, Vec::new())]);
    Ok([
        newest(),
        filter(unknown, ENOSYS)?,
        filter(unsupported, EOPNOTSUPP)?,
        filter(ignored()?, 0)?,
        filter(refused(order)?, EPERM)?,
    ])
}

type Calls = BTreeMap<i64, Vec<SeccompRule>>;

fn filter(calls: Calls, error: i32) -> Result<BpfProgram, seccompiler::Error> {
    let error = SeccompAction::Errno(error.unsigned_abs());
    let arch = TargetArch::try_from(std::env::consts::ARCH)?;
    Ok(SeccompFilter::new(calls, SeccompAction::Allow, error, arch)?.try_into()?)
}

/// Returns calls that succeed without effect. Socket buffers are accounted to no process, so their size stays at the
/// kernel's default.
fn ignored() -> Result<Calls, seccompiler::Error> {
    let is = |argument, value: c_int| (argument, Width::Dword, Is::Eq, u64::from(value.unsigned_abs()));
    let sizes = [SO_SNDBUF, SO_SNDBUFFORCE, SO_RCVBUF, SO_RCVBUFFORCE];
    let rules = sizes.map(|size| rule(&[is(1, SOL_SOCKET), is(2, size)]));
    Ok(Calls::from([(SYS_setsockopt, rules.into_iter().collect::<Result<_, _>>()?)]))
}

fn refused(order: &LaunchOrder) -> Result<Calls, seccompiler::Error> {
    let mut calls: Calls = REFUSED.iter().map(|call| (*call, Vec::new())).collect();
    let mut refuse = |call: c_long, rules: &[&[Condition]]| -> Result<(), seccompiler::Error> {
        let rules = rules.iter().map(|conditions| rule(conditions)).collect::<Result<Vec<_>, _>>()?;
        calls.entry(call).or_default().extend(rules);
        Ok(())
    };
    // A process in its own namespace would gain privileges over it.
    for flag in NAMESPACES {
        refuse(SYS_clone, &[&[has_bit(0, flag.unsigned_abs())]])?;
    }
    // Injecting input into the controlling terminal or changing its line discipline.
    refuse(
        SYS_ioctl,
        &[
            &[(1, Width::Dword, Is::Eq, TIOCSTI)],
            &[(1, Width::Dword, Is::Eq, TIOCLINUX)],
            &[(1, Width::Dword, Is::Eq, TIOCSETD)],
        ],
    )?;
    // A lease would block other processes that write the file.
    refuse(SYS_fcntl, &[&[(1, Width::Dword, Is::Eq, u64::from(F_SETLEASE.unsigned_abs()))]])?;
    // Limits of other processes.
    refuse(SYS_prlimit64, &[&[(0, Width::Dword, Is::Ne, 0)]])?;
    // Execution domains for old programs, which disable protections. Querying is allowed.
    refuse(SYS_personality, &[&[(0, Width::Dword, Is::Ne, 0), (0, Width::Dword, Is::Ne, 0xffff_ffff)]])?;
    // Setuid and setgid files, which run with the rights of their owner.
    for bit in [S_ISUID, S_ISGID] {
        for (call, argument) in MODES {
            refuse(*call, &[&[has_bit(*argument, bit)]])?;
        }
        for (call, flags) in OPENINGS {
            for making in [O_CREAT, O_TMPFILE & !O_DIRECTORY] {
                refuse(*call, &[&[has_bit(*flags, making.unsigned_abs()), has_bit(flags + 1, bit)]])?;
            }
        }
    }
    // Without namespaces the network is the machine's own.
    let calls_nobody =
        !order.in_namespaces || (order.profile == SandboxProfile::Tool && order.listener_socket.is_none());
    if order.profile == SandboxProfile::Tool || calls_nobody {
        calls.extend(SERVING.iter().map(|call| (*call, Vec::new())));
    }
    if order.profile == SandboxProfile::Tool {
        calls.extend(WATCHING.iter().map(|call| (*call, Vec::new())));
    }
    if calls_nobody {
        calls.extend(CALLING.iter().map(|call| (*call, Vec::new())));
    } else {
        calls.insert(SYS_socket, other_sockets(order.profile)?);
    }
    let pair = (0, Width::Dword, Is::Ne, u64::from(AF_UNIX.unsigned_abs()));
    calls.insert(SYS_socketpair, vec![rule(&[pair])?]);
    if !order.in_namespaces {
        calls.extend(LEAVING.iter().map(|call| (*call, Vec::new())));
        // Build commands cannot do without them.
        if order.profile == SandboxProfile::Tool {
            calls.extend(MARKS.iter().map(|call| (*call, Vec::new())));
        }
    }
    Ok(calls)
}

/// Returns rules that block all sockets except the kinds that a program with a network needs.
fn other_sockets(profile: SandboxProfile) -> Result<Vec<SeccompRule>, seccompiler::Error> {
    let families: &[c_int] = match profile {
        SandboxProfile::Tool => &[AF_INET],
        SandboxProfile::Shell => &[AF_UNIX, AF_INET, AF_INET6],
    };
    let is_not = |argument, value: c_int| (argument, Width::Dword, Is::Ne, u64::from(value.unsigned_abs()));
    let is_kind = |kind: u64| (1, Width::Dword, Is::MaskedEq(KINDS), kind);
    let others: Vec<Condition> = families.iter().map(|family| is_not(0, *family)).collect();
    let mut rules = vec![rule(&others)?];
    match profile {
        SandboxProfile::Tool => {
            // A connection to the proxy is a stream socket.
            for kind in (0..=KINDS).filter(|kind| *kind != u64::from(SOCK_STREAM.unsigned_abs())) {
                rules.push(rule(&[is_kind(kind)])?);
            }
            rules.push(rule(&[is_not(2, 0), is_not(2, IPPROTO_TCP)])?);
        }
        SandboxProfile::Shell => rules.push(rule(&[is_kind(u64::from(SOCK_RAW.unsigned_abs()))])?),
    }
    Ok(rules)
}

/// The bits of a socket's type that hold its kind; the others are flags.
const KINDS: u64 = 0xf;

/// Flags for new namespaces. The time namespace is missing because in `clone` its bit belongs to the exit signal.
const NAMESPACES: [c_int; 7] =
    [CLONE_NEWNS, CLONE_NEWUTS, CLONE_NEWIPC, CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET, CLONE_NEWCGROUP];

/// Calls that take a file mode, with the index of that argument.
const MODES: &[(c_long, u8)] = &[
    #[cfg(target_arch = "x86_64")]
    (SYS_chmod, 1),
    #[cfg(target_arch = "x86_64")]
    (SYS_creat, 1),
    #[cfg(target_arch = "x86_64")]
    (SYS_mknod, 1),
    (SYS_fchmod, 1),
    (SYS_fchmodat, 2),
    (SYS_mknodat, 2),
];

/// Calls that take a mode if their flags create a file, with the index of the flags. The mode is the next argument.
const OPENINGS: &[(c_long, u8)] = &[
    #[cfg(target_arch = "x86_64")]
    (SYS_open, 1),
    (SYS_openat, 2),
];

/// Argument index, width, comparison and value.
type Condition = (u8, Width, Is, u64);

fn has_bit(argument: u8, bit: u32) -> Condition {
    (argument, Width::Dword, Is::MaskedEq(u64::from(bit)), u64::from(bit))
}

fn rule(conditions: &[Condition]) -> Result<SeccompRule, seccompiler::Error> {
    let conditions = conditions.iter().map(|(argument, width, is, value)| {
        SeccompCondition::new(*argument, width.clone(), is.clone(), *value)
    });
    Ok(SeccompRule::new(conditions.collect::<Result<Vec<_>, _>>()?)?)
}

/// Blocks every call above [`NEWEST_CALL`], which includes the x32 calls, since those have a high bit set.
fn newest() -> BpfProgram {
    const LOAD: u16 = 0x20;
    const JUMP_IF_GREATER: u16 = 0x25;
    const RETURN: u16 = 0x06;
    const ALLOW: u32 = 0x7fff_0000;
    const ERROR: u32 = 0x0005_0000;
    vec![
        // The call number is the first field of the data that a filter sees.
        sock_filter { code: LOAD, jt: 0, jf: 0, k: 0 },
        sock_filter { code: JUMP_IF_GREATER, jt: 1, jf: 0, k: NEWEST_CALL },
        sock_filter { code: RETURN, jt: 0, jf: 0, k: ALLOW },
        sock_filter { code: RETURN, jt: 0, jf: 0, k: ERROR | ENOSYS.unsigned_abs() },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::SandboxLimits;

    #[test]
    fn every_profile_makes_filters_that_the_kernel_takes() {
        for (profile, listener_socket) in [
            (SandboxProfile::Tool, None),
            (SandboxProfile::Tool, Some(7)),
            (SandboxProfile::Shell, None),
            (SandboxProfile::Shell, Some(7)),
        ] {
            let limits = SandboxLimits::of(profile);
            let order = LaunchOrder {
                profile,
                listener_socket,
                limits,
                in_namespaces: true,
                guarded: Vec::new(),
                covered: Vec::new(),
                reads: Vec::new(),
                writes: Vec::new(),
            };
            for program in programs(&order).unwrap() {
                assert!(program.len() < 4096, "the kernel takes no longer ones");
            }
        }
    }
}
