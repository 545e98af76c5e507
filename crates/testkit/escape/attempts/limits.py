"""Too much of something: memory, processes, disk, output. Sizes are the judge's, and small enough for a machine
without a sandbox; the judge measures from outside and ends it at once.
"""

import ctypes
import mmap
import os
import signal
import socket
import threading
import time

from attempts.core import BOTH, SHELL, TOOL, attempt, call, each, hold, leave_behind, libc, report_bug

MIB = 1 << 20
# The judge lets a watch have a moment to notice.
LONG = 4.0


def touched(size, place=None):
    """Memory of which every page is used."""
    area = place or mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    for at in range(0, size, 4096):
        area[at] = 1
    return area


def bomb(group, **rest):
    return attempt(group, **({"profiles": TOOL, "alone": True, "limit": 15.0} | rest))


def linger(reached, wanted):
    """Holds still if it got far enough for the judge to be interested."""
    hold(LONG if reached * 2 >= wanted else 0.2)


def in_children(count, act, detach=False):
    """Several at once, so that no limit of one process is reached."""
    children = []
    for number in range(count):
        if detach:
            leave_behind(lambda number=number: act(number), seconds=LONG)
            continue
        child = os.fork()
        if child == 0:
            try:
                kept = act(number)
                hold(LONG)
                del kept
            except (OSError, MemoryError) as error:
                os.write(2, f"refused: {error!r}\n".encode())
            except Exception:
                report_bug()
            finally:
                os._exit(0)
        children.append(child)
    if detach:
        hold(LONG)
    for child in children:
        os.waitpid(child, 0)


# --- memory ----------------------------------------------------------------------------------------------------------


@bomb("memory", look=("available",), profiles=TOOL, control=False)
def memory_in_sockets(c):
    """What was sent and not read is the kernel's to keep, as much as a socket asks for."""
    in_children(16, lambda _: stuffed(120))


def stuffed(pairs):
    kept, block = [], bytes(1 << 16)
    for _ in range(pairs):
        for end, _ in (pair := socket.socketpair(), pair[::-1]):
            end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 30)
            end.setblocking(False)
            try:
                while True:
                    end.send(block)
            except BlockingIOError:
                pass
        kept.append(pair)
    return kept


@bomb("slots", look=("contexts",), profiles=BOTH)
def slots_for_disks(c):
    """There are but so many of them for the whole machine."""
    made = 0
    while made < 6_000:
        call("io_setup", 1_000, ctypes.byref(ctypes.c_ulong(0)))
        made += 1_000
    hold(LONG)


@bomb("slots", look=("watches",), profiles=BOTH)
def watches_on_files(c):
    """A user has but so many of them."""
    kept = [libc.inotify_init1(0) for _ in range(110)]
    hold(LONG if kept[-1] >= 0 else 0.2)


@bomb("memory", look=("memory",), quick=True)
def memory_in_children(c):
    in_children(6, lambda _: touched(c.sizes["memory"] * MIB // 6))


@bomb("memory", look=("memory",))
def memory_in_one(c):
    kept = touched(c.sizes["memory"] * MIB)
    hold(LONG)
    del kept


@bomb("memory", look=("memory",))
def memory_in_daemons(c):
    """In sessions of their own and without a parent, for a watch that follows the tree."""
    kept = []
    in_children(6, lambda _: kept.append(touched(c.sizes["memory"] * MIB // 6)), detach=True)


@bomb("memory", look=("shared-memory",))
def memory_in_memfd(c):
    """Files that lie in no file system, and are mapped by nobody: they count for no process."""
    block = bytes(MIB)

    def fill(_):
        fd = os.memfd_create("esc-fill", 0)
        for _ in range(c.sizes["memory"] // 6):
            os.write(fd, block)
        return fd

    in_children(6, fill)


def scratch_used(c):
    for number, place in enumerate(c.scratch):
        try:
            yield os.stat(os.path.join(place, f"{c.marker}-{number}")).st_size
        except OSError:
            continue


@bomb("memory", look=("shared-memory",))
def memory_in_scratch(c):
    """Temporary folders are memory."""
    block = bytes(MIB)

    def fill(number):
        path = os.path.join(c.scratch[number], f"{c.marker}-{number}")
        with open(path, "wb", buffering=0) as file:
            for _ in range(c.sizes["memory"] // 2):
                file.write(block)

    each(range(len(c.scratch)), fill)
    linger(sum(scratch_used(c)), c.sizes["memory"] * MIB)


@bomb("memory", look=("shared-memory",))
def memory_shared(c):
    area = mmap.mmap(-1, c.sizes["memory"] * MIB)
    in_children(1, lambda _: touched(c.sizes["memory"] * MIB, area))


@bomb("memory", look=("shared-memory",))
def memory_in_segments(c):
    """System V segments outlive the process that made them."""
    libc.shmat.restype = ctypes.c_void_p
    for _ in range(6):
        size = c.sizes["memory"] * MIB // 6
        number = call("shmget", 0, size, 0o1600)
        place = libc.shmat(number, None, 0)
        # To be gone with the last process that has it.
        call("shmctl", number, 0, 0)
        if place in (None, ctypes.c_void_p(-1).value):
            raise OSError(ctypes.get_errno(), "shmat")
        ctypes.memset(place, 1, size)
    hold(LONG)


@bomb("memory", look=("pipes",), needs=("large-pipes",))
def memory_in_pipes(c):
    """What was written and not yet read belongs to nobody."""
    import fcntl

    block = bytes(MIB)

    def fill(_):
        kept = []
        for _ in range(c.sizes["pipes"] // 6):
            reader, writer = os.pipe()
            kept += [reader, writer]
            try:
                fcntl.fcntl(writer, 1031, MIB)
            except OSError:
                pass
            os.set_blocking(writer, False)
            os.write(writer, block)
        return kept

    in_children(6, fill)


# --- processes -------------------------------------------------------------------------------------------------------


def many(c, wait):
    made = []
    try:
        for _ in range(c.sizes["processes"]):
            child = os.fork()
            if child == 0:
                wait()
                os._exit(0)
            made.append(child)
    finally:
        linger(len(made), c.sizes["processes"])
        for child in made:
            os.kill(child, signal.SIGKILL)


@bomb("fork", look=("processes",), quick=True)
def fork_many(c):
    many(c, lambda: time.sleep(LONG))


@bomb("fork", profiles=SHELL, look=("processes",))
def fork_many_in_shell(c):
    many(c, lambda: time.sleep(LONG))


@bomb("fork", look=("processes",))
def zombies(c):
    """Ended and never asked how: each keeps its number."""
    many(c, lambda: None)


@bomb("fork", look=("processes",))
def fork_orphans(c):
    """Each is disowned at once, and belongs to nobody's tree."""
    for _ in range(c.sizes["processes"]):
        middle = os.fork()
        if middle == 0:
            if os.fork() == 0:
                time.sleep(LONG)
            os._exit(0)
        os.waitpid(middle, 0)
    hold(LONG)


@bomb("fork", look=("processes",), limit=25)
def fork_chain(c):
    """Each the child of the one before: a tree that is only deep."""
    for _ in range(c.sizes["processes"]):
        child = os.fork()
        if child:
            # The first must still be there when the last has come.
            os.waitpid(child, 0)
            return
    hold(LONG)


@bomb("fork", look=("threads",))
def threads(c):
    threading.stack_size(65536)
    for _ in range(c.sizes["threads"]):
        try:
            threading.Thread(target=time.sleep, args=(LONG,), daemon=True).start()
        except RuntimeError as error:
            raise OSError(str(error)) from error
    hold(LONG)


# --- disk ------------------------------------------------------------------------------------------------------------


def allot(path, mebibytes):
    """Real blocks without writing them, which spares the machine's disk."""
    fd = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        os.posix_fallocate(fd, 0, mebibytes * MIB)
    except OSError as error:
        if error.errno not in (38, 95):
            raise
        for _ in range(mebibytes):
            os.write(fd, bytes(MIB))
    return fd


@bomb("disk", look=("storage",), quick=True)
def disk_many_files(c):
    made = []
    each(range(60), lambda number: made.append(allot(c.inside(f"fill{number}"), c.sizes["storage"] // 60)))
    linger(len(made), 60)


@bomb("disk", look=("storage",))
def disk_one_file(c):
    block = bytes(4 * MIB)
    with open(c.inside("fill"), "wb", buffering=0) as file:
        for _ in range(c.sizes["storage"] // 4):
            file.write(block)
    hold(LONG)


@bomb("disk", look=("storage",))
def disk_deleted(c):
    """Unlinked and still open: no walk through the folder finds it."""

    def fill(number):
        path = c.inside(f"fill{number}")
        fd = allot(path, c.sizes["storage"] // 6)
        os.unlink(path)
        return fd

    in_children(6, fill)


@bomb("disk", look=("storage",))
def disk_sparse_then_full(c):
    """Long and empty at first, then filled from behind."""
    fd = os.open(c.inside("fill"), os.O_RDWR | os.O_CREAT)
    size = c.sizes["storage"] * MIB
    os.truncate(fd, size)
    step = 16 * MIB
    for at in range(size - step, -1, -step):
        os.posix_fallocate(fd, at, step)
    hold(LONG)


@bomb("disk", look=("storage",))
def disk_deep(c):
    """At the end of a path that is longer than paths may be."""
    os.chdir(c.work)
    for _ in range(2500):
        os.mkdir("d")
        os.chdir("d")
    made = []
    each(range(6), lambda number: made.append(allot(f"fill{number}", c.sizes["storage"] // 6)))
    linger(len(made), 6)


@bomb("disk", look=("storage",))
def disk_shut_folder(c):
    """In a folder that nobody may enter."""
    os.mkdir(c.inside("shut"))
    kept = [allot(c.inside(f"shut/fill{number}"), c.sizes["storage"] // 6) for number in range(6)]
    os.chmod(c.inside("shut"), 0)
    hold(LONG)
    del kept


@bomb("disk", look=("storage",))
def disk_by_mapping(c):
    """Pages of a mapped file: written by nobody's call."""
    for number in range(6):
        size = c.sizes["storage"] * MIB // 6
        fd = os.open(c.inside(f"fill{number}"), os.O_RDWR | os.O_CREAT)
        os.truncate(fd, size)
        touched(size, mmap.mmap(fd, size))
    hold(LONG)


@bomb("disk", look=("entries",), limit=20)
def disk_entries(c):
    """Nothing in them, but a name and a number each."""
    os.mkdir(c.inside("many"))
    for number in range(c.sizes["entries"]):
        os.close(os.open(c.inside(f"many/{number}"), os.O_WRONLY | os.O_CREAT))
    hold(LONG)


# --- output ----------------------------------------------------------------------------------------------------------


def pour(c, fd, block):
    left = c.sizes["output"] * MIB
    while left > 0:
        left -= os.write(fd, block)


@attempt("stdout flood", profiles=TOOL, look=("output",), quick=True)
def flood_stdout(c):
    pour(c, 1, b"a line of no use\n" * 4096)


@attempt("stdout flood", profiles=TOOL, look=("output",))
def flood_stderr(c):
    pour(c, 2, b"a line of no use\n" * 4096)


@attempt("stdout flood", profiles=TOOL, look=("output",))
def endless_line(c):
    pour(c, 1, b"x" * 65536)


@attempt("stdout flood", profiles=TOOL, look=("output",))
def flood_from_children(c):
    for _ in range(4):
        leave_behind(lambda: pour(c, 1, b"y" * 65536), seconds=0)
    hold(3)
