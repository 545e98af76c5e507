//! System calls that no honest tool needs, and that have let programs out before.

use std::collections::BTreeMap;

#[allow(clippy::wildcard_imports, reason = "a hundred names of calls, each used once")]
use libc::{c_long, *};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen as Width, SeccompCmpOp as Is, SeccompCondition,
    SeccompFilter, SeccompRule, TargetArch, apply_filter, sock_filter,
};

use super::LaunchError;
use crate::order::Order;
use crate::policy::Profile;

/// Calls that came later than this list are not known to be harmless.
const NEWEST_CALL: u32 = 462;

/// Refused as if the kernel did not have them: programs then take the older way, whose arguments can be looked at.
const UNKNOWN: &[c_long] = &[
    SYS_clone3,
    SYS_io_uring_setup,
    SYS_io_uring_enter,
    SYS_io_uring_register,
    SYS_openat2,
    SYS_memfd_secret,
    // Memory that belongs to no process is in nobody's account.
    SYS_memfd_create,
    SYS_shmget,
    // Of these there are but so many for the whole machine.
    SYS_io_setup,
    // It changes the mode of a file by a number that lies elsewhere.
    SYS_fchmodat2,
];

/// Not permitted.
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
    // Files by handle, which pass by every path.
    SYS_open_by_handle_at,
    SYS_name_to_handle_at,
    SYS_fanotify_init,
    // Keys of the session.
    SYS_add_key,
    SYS_request_key,
    SYS_keyctl,
    // Deep parts of the kernel.
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
    // Clocks and names of the machine.
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_adjtimex,
    SYS_clock_adjtime,
    SYS_sethostname,
    SYS_setdomainname,
    // Queues that outlive those who made them.
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

/// What somebody watches files with. Of these a user has but a few, and a tool that watches its own folder can look again.
const WATCHING: &[c_long] = &[
    #[cfg(target_arch = "x86_64")]
    SYS_inotify_init,
    SYS_inotify_init1,
];

/// A tool is called by nobody. It has pairs of sockets of which it holds both ends; and through those it sends no open
/// files, which would be nobody's while they are on their way.
const SERVING: &[c_long] = &[SYS_bind, SYS_listen, SYS_accept, SYS_accept4, SYS_sendmsg, SYS_sendmmsg];

/// Without a network it calls nobody either.
const CALLING: &[c_long] = &[SYS_socket, SYS_connect];

/// What landlock does not look at: who owns a file, who may use it, when it was changed. Where there is no namespace,
/// every file of the user is within reach of these.
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

/// Who leaves the group of processes cannot be ended with it, where no namespace ends it.
const LEAVING: &[c_long] = &[SYS_setsid, SYS_setpgid];

pub fn restrict(order: &Order) -> Result<(), LaunchError> {
    for program in programs(order)? {
        apply_filter(&program)?;
    }
    Ok(())
}

/// The filters, each of which can only refuse.
fn programs(order: &Order) -> Result<[BpfProgram; 5], seccompiler::Error> {
    let unknown = UNKNOWN.iter().map(|call| (*call, Vec::new())).collect();
    // It takes a whole disk in a moment. Not every file system has it, so programs write instead, which takes its time.
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

/// Done without effect: how much waits in a socket is nobody's memory, and stays as the kernel has it.
fn ignored() -> Result<Calls, seccompiler::Error> {
    let is = |argument, value: c_int| (argument, Width::Dword, Is::Eq, u64::from(value.unsigned_abs()));
    let sizes = [SO_SNDBUF, SO_SNDBUFFORCE, SO_RCVBUF, SO_RCVBUFFORCE];
    let rules = sizes.map(|size| rule(&[is(1, SOL_SOCKET), is(2, size)]));
    Ok(Calls::from([(SYS_setsockopt, rules.into_iter().collect::<Result<_, _>>()?)]))
}

fn refused(order: &Order) -> Result<Calls, seccompiler::Error> {
    let mut calls: Calls = REFUSED.iter().map(|call| (*call, Vec::new())).collect();
    let mut refuse = |call: c_long, rules: &[&[Condition]]| -> Result<(), seccompiler::Error> {
        let rules = rules.iter().map(|conditions| rule(conditions)).collect::<Result<Vec<_>, _>>()?;
        calls.entry(call).or_default().extend(rules);
        Ok(())
    };
    // Namespaces of one's own are the way to rights over them.
    for flag in NAMESPACES {
        refuse(SYS_clone, &[&[has_bit(0, flag.unsigned_abs())]])?;
    }
    // Typing into the terminal of whoever watches.
    refuse(
        SYS_ioctl,
        &[
            &[(1, Width::Dword, Is::Eq, TIOCSTI)],
            &[(1, Width::Dword, Is::Eq, TIOCLINUX)],
            &[(1, Width::Dword, Is::Eq, TIOCSETD)],
        ],
    )?;
    // Whoever writes a file would wait for whoever has a lease on it.
    refuse(SYS_fcntl, &[&[(1, Width::Dword, Is::Eq, u64::from(F_SETLEASE.unsigned_abs()))]])?;
    // The limits of others.
    refuse(SYS_prlimit64, &[&[(0, Width::Dword, Is::Ne, 0)]])?;
    // Other ways to run old programs, which switch protections off. Asking is free.
    refuse(SYS_personality, &[&[(0, Width::Dword, Is::Ne, 0), (0, Width::Dword, Is::Ne, 0xffff_ffff)]])?;
    // A file that gives whoever starts it the rights of its owner.
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
    // Without namespaces the network is everybody's.
    let calls_nobody = !order.walled || (order.profile == Profile::Tool && order.line.is_none());
    if order.profile == Profile::Tool || calls_nobody {
        calls.extend(SERVING.iter().map(|call| (*call, Vec::new())));
    }
    if order.profile == Profile::Tool {
        calls.extend(WATCHING.iter().map(|call| (*call, Vec::new())));
    }
    if calls_nobody {
        calls.extend(CALLING.iter().map(|call| (*call, Vec::new())));
    } else {
        calls.insert(SYS_socket, other_sockets(order.profile)?);
    }
    let pair = (0, Width::Dword, Is::Ne, u64::from(AF_UNIX.unsigned_abs()));
    calls.insert(SYS_socketpair, vec![rule(&[pair])?]);
    if !order.walled {
        calls.extend(LEAVING.iter().map(|call| (*call, Vec::new())));
        // A command that builds something cannot do without them.
        if order.profile == Profile::Tool {
            calls.extend(MARKS.iter().map(|call| (*call, Vec::new())));
        }
    }
    Ok(calls)
}

/// All but those that a program needs which may have some.
fn other_sockets(profile: Profile) -> Result<Vec<SeccompRule>, seccompiler::Error> {
    let families: &[c_int] = match profile {
        Profile::Tool => &[AF_INET],
        Profile::Shell => &[AF_UNIX, AF_INET, AF_INET6],
    };
    let is_not = |argument, value: c_int| (argument, Width::Dword, Is::Ne, u64::from(value.unsigned_abs()));
    let is_kind = |kind: u64| (1, Width::Dword, Is::MaskedEq(KINDS), kind);
    let others: Vec<Condition> = families.iter().map(|family| is_not(0, *family)).collect();
    let mut rules = vec![rule(&others)?];
    match profile {
        Profile::Tool => {
            // A connection to the proxy is a plain stream.
            for kind in (0..=KINDS).filter(|kind| *kind != u64::from(SOCK_STREAM.unsigned_abs())) {
                rules.push(rule(&[is_kind(kind)])?);
            }
            rules.push(rule(&[is_not(2, 0), is_not(2, IPPROTO_TCP)])?);
        }
        Profile::Shell => rules.push(rule(&[is_kind(u64::from(SOCK_RAW.unsigned_abs()))])?),
    }
    Ok(rules)
}

/// The part of a socket's type that says its kind; the rest are flags.
const KINDS: u64 = 0xf;

/// The namespace of time is not among them: its bit is part of a signal's number here.
const NAMESPACES: [c_int; 7] =
    [CLONE_NEWNS, CLONE_NEWUTS, CLONE_NEWIPC, CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET, CLONE_NEWCGROUP];

/// Calls that take the mode of a file, and where.
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

/// Calls that take a mode where their flags say that a file is made, and where the flags are. The mode is next.
const OPENINGS: &[(c_long, u8)] = &[
    #[cfg(target_arch = "x86_64")]
    (SYS_open, 1),
    (SYS_openat, 2),
];

/// Which argument, how much of it, how it compares, and to what.
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

/// Refuses every call above [`NEWEST_CALL`], and with them those of the x32 kind, which have a high bit.
fn newest() -> BpfProgram {
    const LOAD: u16 = 0x20;
    const JUMP_IF_GREATER: u16 = 0x25;
    const RETURN: u16 = 0x06;
    const ALLOW: u32 = 0x7fff_0000;
    const ERROR: u32 = 0x0005_0000;
    vec![
        // The number of the call is the first thing that a filter sees.
        sock_filter { code: LOAD, jt: 0, jf: 0, k: 0 },
        sock_filter { code: JUMP_IF_GREATER, jt: 1, jf: 0, k: NEWEST_CALL },
        sock_filter { code: RETURN, jt: 0, jf: 0, k: ALLOW },
        sock_filter { code: RETURN, jt: 0, jf: 0, k: ERROR | ENOSYS.unsigned_abs() },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::Limits;

    #[test]
    fn every_profile_makes_filters_that_the_kernel_takes() {
        for (profile, line) in [
            (Profile::Tool, None),
            (Profile::Tool, Some(7)),
            (Profile::Shell, None),
            (Profile::Shell, Some(7)),
        ] {
            let limits = Limits::of(profile);
            let order = Order {
                profile,
                line,
                limits,
                walled: true,
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
