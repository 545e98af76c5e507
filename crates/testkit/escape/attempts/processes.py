"""Other processes: signals to them, their limits and ranks, and one's own rank."""

import ctypes
import fcntl
import os
import resource
import signal

from attempts.core import TOOL, attempt, call, each, hold, in_child, others

# --- signals ---------------------------------------------------------------------------------------------------------


@attempt("signals", quick=True)
def kill_victim(c):
    os.kill(c.victim_pid, signal.SIGKILL)


@attempt("signals")
def stop_victim(c):
    os.kill(c.victim_pid, signal.SIGSTOP)
    hold()


@attempt("signals")
def kill_victim_by_thread(c):
    call("tgkill", c.victim_pid, c.victim_pid, signal.SIGKILL)


@attempt("signals")
def kill_victim_by_queue(c):
    info = ctypes.create_string_buffer(128)
    # si_signo, si_errno and si_code: SI_QUEUE.
    for at, value in ((0, signal.SIGKILL), (8, -1)):
        ctypes.c_int.from_buffer(info, at).value = value
    call("rt_sigqueueinfo", c.victim_pid, signal.SIGKILL, info)


@attempt("signals", quick=True)
def kill_victim_by_pidfd(c):
    call("pidfd_send_signal", call("pidfd_open", c.victim_pid, 0), signal.SIGKILL, 0, 0)


@attempt("signals")
def kill_victim_by_owner(c):
    """The kernel sends the signal: the victim is named as the owner of a pipe in which something arrives."""
    reader, writer = os.pipe()
    fcntl.fcntl(reader, fcntl.F_SETOWN, c.victim_pid)
    fcntl.fcntl(reader, fcntl.F_SETSIG, signal.SIGKILL)
    fcntl.fcntl(reader, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
    os.write(writer, b"x")
    hold(0.2)


@attempt("signals", quick=True)
def kill_group(c):
    """Signal 0 to a group reaches past a pid namespace, where the sandbox made no session of its own."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    os.kill(0, signal.SIGTERM)
    hold(0.2)


@attempt("signals")
def kill_parent(c):
    """Without its runner, nobody would end it."""
    parent = os.getppid()
    os.setsid()
    os.kill(parent, signal.SIGKILL)
    hold(8)


@attempt("signals", quick=True)
def kill_all(c):
    """Everything that it may signal. Where that would be the whole machine, only the victim stands for it."""
    if c.on_host("pid"):
        return os.kill(c.victim_pid, signal.SIGKILL)
    os.kill(-1, signal.SIGKILL)
    hold(0.2)


# --- limits and ranks of others --------------------------------------------------------------------------------------


def change_limit(pid):
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (17, 17))


@attempt("process")
def limit_victim(c):
    change_limit(c.victim_pid)
    hold(0.2)


@attempt("process", look=("runner",))
def limit_runner(c):
    each([pid for pid in others(c) if pid != c.victim_pid], change_limit)
    hold()


@attempt("process")
def renice_victim(c):
    rank = os.getpriority(os.PRIO_PROCESS, c.victim_pid)
    os.setpriority(os.PRIO_PROCESS, c.victim_pid, 19 if rank < 19 else 18)
    hold(0.2)


@attempt("process", needs=("two-cores",))
def pin_victim(c):
    os.sched_setaffinity(c.victim_pid, {min(os.sched_getaffinity(0))})
    hold(0.2)


# --- one's own -------------------------------------------------------------------------------------------------------


@attempt("process", look=("rank",))
def realtime(c):
    """Before everybody else on a processor. It sleeps, so that nobody has to wait."""
    in_child(lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)))


@attempt("process", look=("rank",))
def nice_up(c):
    in_child(lambda: os.nice(-5))


@attempt("process", look=("rank",))
def realtime_disk(c):
    # IOPRIO_WHO_PROCESS, the real-time class.
    in_child(lambda: call("ioprio_set", 1, 0, 1 << 13))


@attempt("process", look=("oom",), quick=True)
def spared_when_memory_ends(c):
    """Lets the kernel kill somebody else."""

    def ask():
        with open("/proc/self/oom_score_adj", "w") as file:
            file.write("-900")

    in_child(ask)


@attempt("process", profiles=TOOL, look=("rlimits",), quick=True)
def raise_own_limits(c):
    kinds = ("NOFILE", "NPROC", "FSIZE", "AS", "CORE", "MEMLOCK", "STACK", "CPU", "DATA")

    def lift(kind):
        number = getattr(resource, f"RLIMIT_{kind}")
        most = resource.getrlimit(number)[1]
        if most == resource.RLIM_INFINITY:
            return
        try:
            resource.setrlimit(number, (most + 4096, most + 4096))
        except ValueError as error:
            raise OSError(str(error)) from error

    in_child(lambda: each(kinds, lift))
