"""Namespaces of one's own, which bring rights along, and the ways back into those of the host."""

import ctypes
import fcntl
import os
import signal
import struct
import time

from attempts.core import TOOL, attempt, call, each, hold, in_child, name_process

KINDS = {
    "user": 0x10000000, "mnt": 0x20000, "net": 0x40000000, "pid": 0x20000000, "ipc": 0x8000000, "uts": 0x4000000,
    "cgroup": 0x2000000, "time": 0x80,
}


def unshare_one(kind):
    def run(c):
        in_child(go)

    def go():
        call("unshare", KINDS[kind])
        # Only the next process is in a new pid namespace.
        if kind == "pid" and os.fork() == 0:
            hold()
            os._exit(0)

    rest = {"quick": True} if kind in ("user", "net") else {}
    attempt("userns", name=f"unshare-{kind}", profiles=TOOL, look=("namespaces",), **rest)(run)


for _kind in KINDS:
    unshare_one(_kind)


@attempt("userns", profiles=TOOL, look=("namespaces",))
def unshare_all_as_user(c):
    """All of them with a user namespace, which is how one who is nobody gets them."""
    flags = sum(value for kind, value in KINDS.items() if kind != "time")
    in_child(lambda: call("unshare", flags))


def new_child(make):
    """Holds still in a child that was made by another call than fork."""
    child = make()
    if child == 0:
        name_process("esc-in")
        time.sleep(0.5)
        os._exit(0)
    hold(0.6)


@attempt("userns", profiles=TOOL, look=("namespaces",))
def clone_user(c):
    new_child(lambda: call("clone", KINDS["user"] | signal.SIGCHLD, 0, 0, 0, 0))


@attempt("userns", profiles=TOOL, look=("namespaces",), quick=True)
def clone3_user(c):
    """Its flags are in memory, where no filter can read them."""
    order = struct.pack("=11Q", KINDS["user"], 0, 0, 0, signal.SIGCHLD, 0, 0, 0, 0, 0, 0)
    new_child(lambda: call("clone3", ctypes.create_string_buffer(order), 88))


# --- into those that are there ---------------------------------------------------------------------------------------


def enter(pid, kinds):
    def go(kind):
        fd = os.open(f"/proc/{pid}/ns/{kind}", os.O_RDONLY)
        call("setns", fd, 0)

    in_child(lambda: each(kinds, go))


@attempt("userns", look=("joined",))
def enter_init(c):
    """The first process that is in sight, in the hope that it is the host's."""
    enter(1, ("user", "mnt", "net", "ipc", "uts", "cgroup", "pid"))


@attempt("userns", look=("joined",))
def enter_parent(c):
    enter(os.getppid(), ("user", "mnt", "net", "ipc", "uts", "cgroup", "pid"))


@attempt("userns", look=("joined",), needs=("victim-namespace",))
def enter_victim(c):
    """The victim has a name of its own for the machine."""
    enter(c.victim_pid, ("uts",))


@attempt("userns", look=("joined",), needs=("victim-namespace",))
def enter_victim_by_pidfd(c):
    in_child(lambda: call("setns", call("pidfd_open", c.victim_pid, 0), KINDS["uts"]))


@attempt("userns", look=("namespace-files",))
def owner_of_namespace(c):
    """Asks who owns the namespaces it is in, and gets a door to that one. With two steps up, the host's."""
    kept = []

    def ask(kind):
        fd = os.open(f"/proc/self/ns/{kind}", os.O_RDONLY)
        for order in (0xB701, 0xB702):
            try:
                kept.append(fcntl.ioctl(fd, order))
            except OSError:
                continue
        for above in list(kept):
            kept.append(fcntl.ioctl(above, 0xB702))

    each(("net", "pid", "user", "uts"), ask)
    hold()


@attempt("userns", profiles=TOOL, look=("namespaces",))
def map_itself_to_root(c):
    """A user namespace is worth something once a user is mapped in it."""

    def go():
        # Asked first: inside, both are nobody.
        user, group = os.geteuid(), os.getegid()
        call("unshare", KINDS["user"])
        for name, text in (("setgroups", "deny"), ("uid_map", f"0 {user} 1"), ("gid_map", f"0 {group} 1")):
            with open(f"/proc/self/{name}", "w") as file:
                file.write(text)

    in_child(go)
