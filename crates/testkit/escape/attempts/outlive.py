"""Ways to be there after the end: the runner has ended, or was killed, and something of the attempt lives on.

Every process carries the marker in its command line, and descends from the judge.
"""

import ctypes
import os
import shutil
import signal
import subprocess
import sys
import time

from attempts.core import attempt, call, hold, leave_behind, name_process, raw, ready, NUMBERS, MACHINE


def deaf():
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGPIPE, signal.SIGUSR1):
        signal.signal(number, signal.SIG_IGN)


def forget_parent():
    """PR_SET_PDEATHSIG with 0: no signal when the parent dies."""
    raw(NUMBERS["prctl"][MACHINE == "aarch64"], 1, 0)


def close_all():
    """Nothing that is read from outside stays open: the end of a pipe would give it away."""
    for fd in range(3):
        os.close(fd)


def stay(c):
    ready(c)
    time.sleep(8)


@attempt("process", quick=True)
def daemon(c):
    """Twice forked, in a session of its own."""
    leave_behind(close_all)
    hold(0.1)


@attempt("process")
def deaf_daemon(c):
    leave_behind(lambda: (deaf(), close_all()))
    hold(0.1)


@attempt("stdout flood")
def keep_stdout_open(c):
    """Whoever reads until the end reads for ever."""
    leave_behind(deaf)
    hold(0.1)


@attempt("process")
def stopped_child(c):
    """A stopped process handles no signal but one."""
    leave_behind(lambda: (close_all(), os.kill(os.getpid(), signal.SIGSTOP)))
    hold(0.2)


@attempt("process", quick=True, ending="kill")
def outlive_killed_runner(c):
    forget_parent()
    stay(c)


@attempt("process", ending="kill")
def daemon_outlives_killed_runner(c):
    leave_behind(lambda: (forget_parent(), deaf(), close_all()))
    hold(0.1)
    stay(c)


@attempt("process", ending="term")
def outlive_asked_runner(c):
    """The runner is asked to end, and the attempt does not hear of it."""
    deaf()
    forget_parent()
    leave_behind(lambda: (deaf(), close_all()))
    hold(0.1)
    stay(c)


@attempt("process", ending="kill")
def not_dumpable_outlives(c):
    """A process that nobody may look into, in the hope that nobody may find it."""
    raw(NUMBERS["prctl"][MACHINE == "aarch64"], 4, 0)
    os.setsid()
    deaf()
    stay(c)


@attempt("process")
def clone_to_parent(c):
    """CLONE_PARENT: the child is the parent's child, and its own parent never knew it."""
    child = call("clone", 0x8000 | signal.SIGCHLD, 0, 0, 0, 0)
    if child == 0:
        name_process("esc-in")
        close_all()
        time.sleep(20)
        os._exit(0)
    hold(0.1)


@attempt("process")
def spawn_survivor(c):
    """By vfork, as `posix_spawn` does it."""
    words = [sys.executable, "-I", "-c", "import time; time.sleep(20)", c.marker]
    subprocess.Popen(words, start_new_session=True, stdin=-3, stdout=-3, stderr=-3)
    hold(0.2)


@attempt("process")
def start_from_memory(c):
    """A program that lies in no file system, and outlives everybody."""
    fd = os.memfd_create("esc-memory", 0)
    with open(shutil.which("sleep") or "/bin/sleep", "rb") as file:
        os.write(fd, file.read())
    child = os.fork()
    if child == 0:
        os.setsid()
        if os.fork():
            os._exit(0)
        close_all()
        names = (ctypes.c_char_p * 4)(b"sleep", b"20", None)
        call("execveat", fd, ctypes.c_char_p(b""), names, (ctypes.c_char_p * 1)(None), 0x1000)
        os._exit(1)
    os.waitpid(child, 0)
    hold(0.2)


@attempt("fork", ending="kill", limit=8)
def respawn(c):
    """A handful of processes, each of which makes its successor and goes: whoever kills by a list comes too late."""

    def run():
        close_all()
        deaf()
        end = time.monotonic() + 20
        while time.monotonic() < end:
            time.sleep(0.02)
            if os.fork():
                os._exit(0)

    for _ in range(4):
        leave_behind(run)
    stay(c)
