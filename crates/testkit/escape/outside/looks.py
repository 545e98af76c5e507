"""What the judge looks for during an attempt, beyond what it always looks for: name → look."""

import fcntl
import os
import re
import socket
import stat
import struct
import termios

from attempts.core import call
from outside import host, readback
from outside.watch import MIB, field, hard_limits, link, private_memory, rose, slurp, used_by

LOOKS = {}
# Kinds of descriptors that a program in a sandbox has no use for.
UNWANTED = re.compile(r"anon_inode:\[?(bpf-map|bpf-prog|perf_event|userfaultfd|io_uring|fanotify|fscontext)")
ODD_SOCKETS = {"PACKET", "ALG", "AF_VSOCK", "PF_KEY", "XDP", "TIPC", "HCI", "CAN_RAW", "RDS", "RAW", "NETLINK"}
HARMLESS_DEVICES = {(1, 3), (1, 5), (1, 7), (1, 8), (1, 9), (5, 0), (5, 2)}
# Switches that belong to a namespace, and so to whoever has one.
OF_NAMESPACES = re.compile(r"/sys/(net|user|fs/mqueue|kernel/(hostname|domainname|shm|msg|sem|auto_msg|ns_last_pid))")


def look(name):
    def register(run):
        LOOKS[name] = run
        return run

    return register


# --- too much --------------------------------------------------------------------------------------------------------


@look("memory")
def memory(watch):
    watch.measure("memory", private_memory(watch.tree), "MiB of memory")


@look("shared-memory")
def shared(watch):
    """Memory that belongs to files: mapped by a process, or only open in one, or named in a scratch folder."""
    seen = {}

    def add(path):
        about = host.quietly(os.stat, path)
        if about and stat.S_ISREG(about.st_mode):
            seen[about.st_dev, about.st_ino] = about.st_blocks * 512

    for pid, number, target in watch.descriptors():
        if target.startswith("/memfd:"):
            add(f"/proc/{pid}/fd/{number}")
    mapped = max(private_memory(watch.tree), sum(seen.values()) // MIB)
    seen.clear()
    marker = watch.context["marker"]
    for place in watch.context["scratch"]:
        for pid in watch.tried[:1]:
            for number in range(len(watch.context["scratch"])):
                add(f"/proc/{pid}/root{place}/{marker}-{number}")
    watch.measure("memory", mapped + sum(seen.values()) // MIB, "MiB of memory")


@look("available")
def available(watch):
    """What the kernel holds for somebody is in no process."""
    left = int(re.search(r"MemAvailable:\s+(\d+)", slurp("/proc/meminfo")).group(1)) // 1024
    watch.most_available = max(left, getattr(watch, "most_available", left))
    watch.measure("memory", watch.most_available - left, "MiB of the machine's memory")


@look("contexts")
def contexts(watch):
    count = int(slurp("/proc/sys/fs/aio-nr"))
    watch.fewest_contexts = min(count, getattr(watch, "fewest_contexts", count))
    watch.measure("contexts", count - watch.fewest_contexts, "of the machine's slots for waiting on disks")


@look("watches")
def watches(watch):
    count = sum(target == "anon_inode:inotify" for _, _, target in watch.descriptors())
    watch.measure("watches", count, "of the user's watches on files")


@look("pipes")
def pipes(watch):
    seen, total = set(), 0
    for pid, number, target in watch.descriptors():
        if not target.startswith("pipe:") or target in seen:
            continue
        seen.add(target)
        try:
            fd = os.open(f"/proc/{pid}/fd/{number}", os.O_RDONLY | os.O_NONBLOCK)
        except OSError:
            continue
        total += struct.unpack("i", fcntl.ioctl(fd, termios.FIONREAD, bytes(4)))[0]
        os.close(fd)
    watch.measure("pipes", total // MIB, "MiB in pipes")


@look("processes")
def processes(watch):
    watch.measure("processes", len(watch.tree), "processes")


@look("threads")
def threads(watch):
    watch.measure("threads", sum(watch.threads[pid] for pid in watch.tree), "threads")


@look("storage")
def storage(watch):
    total = used_by(watch.world.work, "-B1")
    seen = set()
    for pid, number, target in watch.descriptors():
        # What is open in a folder that nobody may enter, or has no name any more, is in no walk.
        hidden = target.endswith(" (deleted)") or "/shut/" in target
        about = host.quietly(os.stat, f"/proc/{pid}/fd/{number}") if hidden else None
        if about and stat.S_ISREG(about.st_mode) and (about.st_dev, about.st_ino) not in seen:
            seen.add((about.st_dev, about.st_ino))
            total += about.st_blocks * 512 if target.endswith("(deleted)") or not host.is_root() else 0
    watch.measure("storage", total // MIB, "MiB on disk")


@look("entries")
def entries(watch):
    watch.measure("entries", used_by(watch.world.work, "--inodes"), "files and folders")


@look("many-files")
def many_files(watch):
    counts = [len(host.quietly(os.listdir, f"/proc/{pid}/fd") or []) for pid in watch.tried]
    watch.measure("descriptors", max(counts, default=0), "open files in one process")


# --- namespaces ------------------------------------------------------------------------------------------------------

KINDS = ["user", "mnt", "net", "pid", "pid_for_children", "ipc", "uts", "cgroup", "time_for_children"]


def spaces(pid):
    return {kind: link(f"/proc/{pid}/ns/{kind}") for kind in KINDS}


@look("namespaces")
def namespaces(watch):
    for inner, base in watch.pairs():
        mine, others = spaces(inner), spaces(base)
        for kind in KINDS:
            if mine[kind] and others[kind] and mine[kind] != others[kind]:
                watch.find(f"a process made a {kind.split('_')[0]} namespace of its own")


@look("joined")
def joined(watch):
    victim = link(f"/proc/{watch.world.victim_process.pid}/ns/uts") if watch.world.victim_namespace else None
    for inner, base in watch.pairs():
        mine, others = spaces(inner), spaces(base)
        for kind in KINDS:
            if mine[kind] and mine[kind] != others[kind] and mine[kind] in (watch.host_links | {victim}):
                watch.find(f"a process entered a {kind.split('_')[0]} namespace of the host")


@look("namespace-files")
def namespace_files(watch):
    for _, _, target in watch.descriptors():
        if target in watch.host_links:
            watch.find(f"a process has a door to the host's namespace {target.split(':')[0]}")


@look("mounts")
def mounts(watch):
    for pid in [*watch.tried, "self"]:
        if "/esc-mnt " in slurp(f"/proc/{pid}/mountinfo"):
            watch.find("a file system was mounted in the work folder")


@look("tree")
def tree(watch):
    for pid, number, target in watch.descriptors():
        told = field(slurp(f"/proc/{pid}/fdinfo/{number}"), "mnt_id")
        known = [line.split()[0] for line in slurp(f"/proc/{pid}/mountinfo").splitlines()]
        if told and known and target.startswith("/") and told not in known and watch.names[pid] == "esc-in":
            about = host.quietly(os.stat, f"/proc/{pid}/fd/{number}")
            if about and stat.S_ISDIR(about.st_mode):
                watch.find("a process has a copy of all mounts")


# --- descriptors -----------------------------------------------------------------------------------------------------


@look("descriptors")
def descriptors(watch):
    for _, _, target in watch.descriptors():
        found = UNWANTED.match(target)
        if found:
            watch.find(f"a process has a descriptor of {found.group(1)}")


@look("sockets")
def sockets(watch):
    for pid, number, target in watch.descriptors():
        if not target.startswith("socket:"):
            continue
        raw = host.quietly(os.getxattr, f"/proc/{pid}/fd/{number}", "system.sockprotoname") or b""
        name = raw.rstrip(b"\0").decode()
        if name in ODD_SOCKETS:
            watch.find(f"a process has a socket of the kind {name}")


@look("devices")
def devices(watch):
    for pid, number, target in watch.descriptors():
        about = host.quietly(os.stat, f"/proc/{pid}/fd/{number}")
        if about is None or not (stat.S_ISCHR(about.st_mode) or stat.S_ISBLK(about.st_mode)):
            continue
        numbers = os.major(about.st_rdev), os.minor(about.st_rdev)
        if stat.S_ISBLK(about.st_mode) or numbers not in HARMLESS_DEVICES and not 136 <= numbers[0] <= 143:
            watch.find(f"a process has opened the device {target}")


@look("writable")
def writable(watch):
    """Nobody writes here: to have it open for writing is enough."""
    paths = [*watch.world.told["programs"]]
    paths += [f"/proc/{pid}/exe" for pid in watch.tree if pid not in watch.tried]
    known = set()
    for path in paths:
        about = host.quietly(os.stat, path)
        if about:
            known.add((about.st_dev, about.st_ino))
    for pid, number, target in watch.descriptors():
        about = host.quietly(os.stat, f"/proc/{pid}/fd/{number}")
        if about and (about.st_dev, about.st_ino) in known and watch.is_writable(pid, number):
            watch.find(f"a process may write {target}")


@look("switches")
def switches(watch):
    for pid, number, target in watch.descriptors():
        of_kernel = target.startswith(("/proc/sys/", "/proc/sysrq", "/sys/", "/sysrq"))
        if of_kernel and not OF_NAMESPACES.search(target) and watch.is_writable(pid, number):
            watch.find(f"a process may write {target}")
            return


# --- rights and ranks ------------------------------------------------------------------------------------------------


@look("capable")
def capable(watch):
    here = watch.world.told["namespaces"].get("user")
    for pid in watch.tried:
        rights = int(field(slurp(f"/proc/{pid}/status"), "CapEff") or "0", 16)
        if rights and link(f"/proc/{pid}/ns/user") == here:
            watch.find(f"a process has capabilities of the host ({rights:x})")


@look("gained")
def gained(watch):
    for pid in watch.tried:
        if watch.names[pid] not in ("esc-suid", "esc-able"):
            continue
        status = slurp(f"/proc/{pid}/status")
        real, effective = (field(status, "Uid").split() + ["", ""])[:2]
        if real != effective:
            watch.find(f"a process of user {real} acts as user {effective}")
        if real not in ("", "0") and int(field(status, "CapEff") or "0", 16):
            watch.find(f"a process of user {real} has capabilities")


@look("rank")
def rank(watch):
    for inner, base in watch.pairs():
        try:
            if os.sched_getscheduler(inner) in (os.SCHED_FIFO, os.SCHED_RR):
                watch.find("a process has a real-time rank")
            if os.getpriority(os.PRIO_PROCESS, inner) < os.getpriority(os.PRIO_PROCESS, base):
                watch.find("a process goes before others")
            if call("ioprio_get", 1, inner) >> 13 == 1:
                watch.find("a process has a real-time rank at the disk")
        except OSError:
            continue


@look("oom")
def oom(watch):
    for inner, base in watch.pairs():
        scores = [slurp(f"/proc/{pid}/oom_score_adj").strip() for pid in (inner, base)]
        if all(scores) and int(scores[0]) < int(scores[1]):
            watch.find("a process is spared when memory ends")


@look("rlimits")
def rlimits(watch):
    for inner, base in watch.pairs():
        now, before = hard_limits(inner), hard_limits(base)
        for name in now.keys() & before.keys():
            if rose(now[name], before[name]):
                watch.find(f"a process raised its own limit: {name}")


@look("runner")
def runner(watch):
    if watch.runner is None:
        return
    if hard_limits(watch.runner.pid).get("Max open files") == 17:
        watch.find("the limits of the runner were changed")


@look("traced")
def traced(watch):
    for pid in watch.tree:
        if field(slurp(f"/proc/{pid}/status"), "TracerPid") not in ("", "0"):
            watch.find("a process is traced by another")


# --- the outside -----------------------------------------------------------------------------------------------------


@look("listen")
def listen(watch):
    for family, address in ((socket.AF_INET, ("127.0.0.1", watch.context["free_port"])),
                            (socket.AF_UNIX, "\0" + watch.context["marker"] + "-listen")):
        with socket.socket(family) as line:
            line.settimeout(0.2)
            try:
                line.connect(address)
                watch.find("a listener inside could be called from the host")
            except OSError:
                continue


@look("lock")
def lock(watch):
    with open(watch.world.told["victim_file"]) as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            watch.find("a file of the host is locked")


@look("race")
def race(watch):
    for _ in range(50):
        readback.careful(watch.world, watch.find)
        if watch.world.profile == "control":
            readback.careless(watch.world, watch.find)
