"""What /proc tells and lets change, what was inherited, and what was meant for the launcher only."""

import fcntl
import os
import resource
import stat

from attempts.core import TOOL, attempt, each, hold, others, pids, prove, read, say, tokens_in

# --- the environment -------------------------------------------------------------------------------------------------


@attempt("environment", quick=True)
def own_environment(c):
    tokens_in(repr(dict(os.environ)).encode())


@attempt("environment")
def own_environment_file(c):
    tokens_in(read("/proc/self/environ", 1 << 20))


@attempt("environment", quick=True)
def environment_of_all(c):
    each(pids(), lambda pid: tokens_in(read(f"/proc/{pid}/environ", 1 << 20)))


@attempt("environment")
def own_memory(c):
    """What was put in the way of the program's start and never wiped."""
    with open("/proc/self/mem", "rb", buffering=0) as file:
        for line in read("/proc/self/maps", 1 << 20).decode().splitlines():
            start, end = (int(part, 16) for part in line.split()[0].split("-"))
            if "rw" not in line.split()[1]:
                continue
            try:
                file.seek(start)
                tokens_in(file.read(end - start))
            except (OSError, OverflowError):
                continue


@attempt("environment", quick=True)
def first_folder(c):
    """The runner stands in the data folder when it starts this one."""
    say(read("secret"))


@attempt("environment")
def folders_of_all(c):
    each(pids(), lambda pid: tokens_in(read(f"/proc/{pid}/cwd/secret")))


# --- other processes -------------------------------------------------------------------------------------------------


@attempt("proc", quick=True)
def command_lines(c):
    each(pids(), lambda pid: tokens_in(read(f"/proc/{pid}/cmdline")))


@attempt("proc")
def roots_of_all(c):
    each(pids(), lambda pid: tokens_in(read(f"/proc/{pid}/root{c.dotfile}")))


@attempt("proc")
def files_of_all(c):
    def look(pid):
        for name in os.listdir(f"/proc/{pid}/fd"):
            path = f"/proc/{pid}/fd/{name}"
            try:
                if stat.S_ISREG(os.stat(path).st_mode):
                    tokens_in(read(path))
            except OSError:
                continue

    each(others(c), look)


@attempt("proc")
def file_of_victim(c):
    say(read(f"/proc/{c.victim_pid}/fd/{c.victim_fd}"))


@attempt("proc", look=("writable",))
def overwrite_runner(c):
    """The program that holds it, opened through the link to it. Nothing is written."""
    kept = []

    def take(pid):
        kept.append(os.open(f"/proc/{pid}/exe", os.O_WRONLY | os.O_APPEND))

    each(["self", *others(c)], take)
    hold()


# --- the kernel's switches. Opened and not turned: an open descriptor says enough ------------------------------------


def open_switches(paths):
    kept = []
    each(paths, lambda path: kept.append(os.open(path, os.O_WRONLY)))
    hold()


@attempt("proc", look=("switches",), quick=True)
def core_pattern(c):
    """Names the program that the kernel starts, as root and outside of everything, when something crashes."""
    open_switches(["/proc/sys/kernel/core_pattern", "/proc/sys/kernel/modprobe", "/proc/sys/kernel/hotplug"])


@attempt("proc", look=("switches",))
def all_switches(c):
    found = []
    for folder in ("kernel", "vm", "fs", "dev"):
        for where, _, names in os.walk(f"/proc/sys/{folder}"):
            found += [os.path.join(where, name) for name in names]
    open_switches(found[:900])


@attempt("proc", look=("switches",), needs=("file:/proc/sysrq-trigger",))
def sysrq(c):
    open_switches(["/proc/sysrq-trigger"])


@attempt("proc", look=("switches",))
def sysfs_switches(c):
    """Of sysfs and of control groups: the memory of a group, what is run when it is empty, devices taken away."""
    names = ["/sys/kernel/uevent_helper", "/sys/power/state", "/sys/kernel/mm/ksm/run",
             "/sys/kernel/debug/clear_warn_once", "/sys/kernel/tracing/trace_marker"]
    for where, folders, files in os.walk("/sys/fs/cgroup"):
        names += [os.path.join(where, name) for name in files if name in ("cgroup.procs", "release_agent", "tasks")]
        if len(names) > 40:
            break
    open_switches(names)


@attempt("proc", needs=("kallsyms",))
def kernel_symbols(c):
    prove(read("/proc/kallsyms", 256).splitlines()[0])


@attempt("proc", needs=("kcore",))
def kernel_memory(c):
    prove(read("/proc/kcore", 64))


# --- inherited descriptors -------------------------------------------------------------------------------------------


@attempt("fd leak", quick=True)
def inherited_file(c):
    say(os.pread(c.fd_file, 4096, 0))


@attempt("fd leak", quick=True)
def inherited_folder(c):
    fd = os.open("secret", os.O_RDONLY, dir_fd=c.fd_folder)
    say(os.read(fd, 4096))


@attempt("fd leak")
def up_from_inherited_folder(c):
    os.fchdir(c.fd_folder)
    up = os.path.relpath(c.dotfile, c.data)
    say(read(up))


@attempt("fd leak", quick=True)
def inherited_socket(c):
    os.write(c.fd_socket, c.marker.encode())


@attempt("fd leak")
def inherited_any(c):
    """Every number, for a launcher that moved them."""

    def look(fd):
        mode = os.fstat(fd).st_mode
        if stat.S_ISREG(mode):
            tokens_in(os.pread(fd, 4096, 0))
        elif stat.S_ISDIR(mode):
            for name in os.listdir(fd):
                try:
                    tokens_in(os.read(os.open(name, os.O_RDONLY | os.O_NONBLOCK, dir_fd=fd), 4096))
                except OSError:
                    continue
        elif stat.S_ISSOCK(mode):
            os.write(fd, c.marker.encode())

    open_ones = []
    for fd in range(3, 4096):
        try:
            fcntl.fcntl(fd, fcntl.F_GETFD)
            open_ones.append(fd)
        except OSError:
            continue
    each(open_ones, look)


def write_again(c, fd):
    with open(f"/proc/self/fd/{fd}", "wb") as file:
        file.write(c.marker.encode())


@attempt("fd leak")
def reopen_inherited_for_writing(c):
    """Was opened to be read only; its link opens it anew."""
    write_again(c, c.fd_file)


@attempt("fd leak", stdin="file", quick=True)
def reopen_stdin_for_writing(c):
    """A file of the host is the standard input, as with `<`. It is there to be read."""
    write_again(c, 0)


@attempt("fd leak", stdin="file")
def neighbours_of_stdin(c):
    """The name of the file behind the standard input, and what lies beside it."""
    path = os.readlink("/proc/self/fd/0")
    say(read(os.path.join(os.path.dirname(path), "beside-stdin")))


@attempt("fd leak", profiles=TOOL, look=("many-files",), alone=True)
def open_many(c):
    """The machine's table of open files is everybody's."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    kept = []
    try:
        while len(kept) < c.sizes["descriptors"]:
            kept.append(os.open("/dev/null", os.O_RDONLY))
    finally:
        hold(2.2 if len(kept) * 2 > c.sizes["descriptors"] else 0.1)
