"""Files outside of the work folder, links out of it, and what is left in it for somebody else to step on."""

import ctypes
import os
import time

from attempts.core import TOOL, attempt, call, each, hold, prove, read, say, write

AT_FDCWD = -100

# --- reading ---------------------------------------------------------------------------------------------------------


@attempt("file", quick=True)
def read_dotfile(c):
    say(read(c.dotfile))


@attempt("file", quick=True)
def read_data_folder(c):
    say(read(c.data_file))


@attempt("file")
def list_data_folder(c):
    say("\n".join(os.listdir(c.data)))


@attempt("file", profiles=TOOL)
def read_home_file(c):
    say(read(c.home_file))


@attempt("file", profiles=TOOL)
def read_neighbour_folder(c):
    say(read(c.victim_file))


@attempt("file", quick=True)
def read_by_dots(c):
    """Up out of the work folder, and down to the secret by its relative path."""
    os.chdir(c.work)
    say(read(os.path.relpath(c.dotfile, c.work)))


@attempt("file")
def read_by_root_folder(c):
    """From a descriptor of the root upwards, and down again."""
    fd = os.open("/", os.O_PATH | os.O_DIRECTORY)
    up = os.open("../../../..", os.O_PATH | os.O_DIRECTORY, dir_fd=fd)
    say(os.read(os.open(c.dotfile.lstrip("/"), os.O_RDONLY, dir_fd=up), 4096))


@attempt("file")
def chroot_and_back(c):
    """The old way out of a chroot: a descriptor of what lies above it stays open."""
    jail = c.inside("jail")
    os.mkdir(jail)
    above = os.open("/", os.O_RDONLY)
    os.chroot(jail)
    os.fchdir(above)
    for _ in range(64):
        os.chdir("..")
    os.chroot(".")
    say(read(c.dotfile))


@attempt("file", needs=("handle",))
def open_by_handle(c):
    """A file by its number in the file system, past all paths."""
    raw = bytes.fromhex(c.handle)
    handle = ctypes.create_string_buffer(raw, len(raw))
    for place in (c.work, "/", "/usr", "/etc/passwd"):
        try:
            mount = os.open(place, os.O_RDONLY)
            say(os.read(call("open_by_handle_at", mount, handle, os.O_RDONLY), 4096))
            return
        except OSError as error:
            last = error
    raise last


@attempt("file", needs=("shadow",))
def read_shadow(c):
    prove(read("/etc/shadow", 1 << 20))


@attempt("file", profiles=TOOL, needs=("machine-id",))
def read_machine_id(c):
    prove(read("/etc/machine-id"))


@attempt("file", profiles=TOOL, needs=("listings",))
def list_system(c):
    """Homes, logs and mounts of the machine. The digest of a listing is known to who has seen it."""
    each(c.listings, lambda place: prove("\n".join(sorted(os.listdir(place))).encode()))


# --- changing --------------------------------------------------------------------------------------------------------


@attempt("file", quick=True)
def write_neighbour_folder(c):
    write(os.path.join(c.victim, "planted"), c.marker)


@attempt("file", quick=True)
def append_to_neighbour(c):
    with open(c.victim_file, "ab") as file:
        file.write(c.marker.encode())


@attempt("file")
def delete_neighbour(c):
    os.unlink(c.victim_file)


@attempt("file")
def chmod_neighbour(c):
    os.chmod(c.victim_file, 0o666)


@attempt("file")
def touch_neighbour(c):
    os.utime(c.victim_file, (1, 1))


@attempt("file", needs=("xattr",))
def xattr_neighbour(c):
    os.setxattr(c.victim_file, "user.escape", c.marker.encode())


@attempt("file")
def write_dotfile(c):
    """What a shell would run at the next login."""
    with open(os.path.join(c.home, ".profile"), "ab") as file:
        file.write(c.marker.encode())


@attempt("file")
def write_beside_work(c):
    write(os.path.join(os.path.dirname(c.work), "beside"), c.marker)


@attempt("file", quick=True)
def rename_out(c):
    write(c.inside("thing"), c.marker)
    os.rename(c.inside("thing"), os.path.join(c.victim, "moved"))


@attempt("file")
def rename_work(c):
    """The work folder itself taken away, so that something else can stand in its place."""
    os.rename(c.work, c.work + "-away")
    os.mkdir(c.work)


@attempt("file", control=False, quick=True)
def write_system(c):
    """A file of a known name in every place that might be the machine's. The judge knows where to look."""
    each(c.system_places, lambda place: write(os.path.join(place, c.marker), c.marker))


@attempt("file", look=("writable",))
def open_programs(c):
    """Programs that the user will run, opened for writing. Nothing is written: an open descriptor says enough."""
    kept = []
    each(c.programs, lambda path: kept.append(os.open(path, os.O_WRONLY | os.O_APPEND)))
    hold()


# --- links -----------------------------------------------------------------------------------------------------------


@attempt("symlink", look=("reader",), quick=True)
def symlink_result(c):
    """A result that is a link to a secret, for a reader that follows it."""
    os.symlink(c.dotfile, c.inside("result.txt"))


@attempt("symlink", look=("reader",))
def symlink_folder(c):
    """The link is in the middle of the path, where O_NOFOLLOW does not look."""
    os.symlink(os.path.dirname(c.dotfile), c.inside("out"))


@attempt("symlink", look=("reader",))
def symlink_chain(c):
    os.symlink("two", c.inside("result.txt"))
    os.symlink(os.path.relpath(c.dotfile, c.work), c.inside("two"))


@attempt("symlink", look=("reader",))
def symlink_by_proc(c):
    """Leads wherever the reader's own root is."""
    os.symlink("/proc/self/root" + c.dotfile, c.inside("result.txt"))


@attempt("symlink", look=("writer",))
def symlink_for_writer(c):
    """A file that a host program will write, leading to where it should not."""
    os.symlink(os.path.join(c.victim, "by-writer"), c.inside("notes.txt"))


@attempt("symlink", look=("reader", "race"), limit=6)
def symlink_race(c):
    """A file that turns into a link and back while it is being read."""
    write(c.inside("plain"), "harmless")
    end = time.monotonic() + 1.0
    while time.monotonic() < end:
        os.symlink(c.dotfile, c.inside("next"))
        os.rename(c.inside("next"), c.inside("result.txt"))
        time.sleep(0.0005)
        os.link(c.inside("plain"), c.inside("next"))
        os.rename(c.inside("next"), c.inside("result.txt"))


@attempt("symlink", look=("reader",))
def fifo_for_reader(c):
    """A pipe under the name of a result: a reader that waits for it waits for ever."""
    os.mkfifo(c.inside("result.txt"))


@attempt("symlink", look=("reader",), quick=True)
def hardlink_in(c):
    """No link that a careful reader could see: the secret itself, under another name."""
    os.link(c.dotfile, c.inside("result.txt"))


@attempt("symlink", look=("reader",))
def hardlink_by_descriptor(c):
    fd = os.open(c.dotfile, os.O_PATH)
    here, there = (ctypes.c_char_p(path.encode()) for path in (f"/proc/self/fd/{fd}", c.inside("result.txt")))
    call("linkat", AT_FDCWD, here, AT_FDCWD, there, 0x400)


@attempt("symlink")
def hardlink_out(c):
    write(c.inside("thing"), c.marker)
    os.link(c.inside("thing"), os.path.join(c.victim, "linked"))


# --- other people's rights -------------------------------------------------------------------------------------------


def small_program():
    return read("/bin/true", 1 << 20)


@attempt("suid", look=("left",), quick=True)
def leave_suid(c):
    """A program that runs as its owner, whoever starts it."""
    write(c.inside("sh"), small_program(), 0o755)
    os.chmod(c.inside("sh"), 0o4755)


@attempt("suid", look=("left",))
def leave_suid_otherwise(c):
    """The same by all the calls that also take a mode."""

    def by_open(name):
        os.umask(0)
        os.close(os.open(name, os.O_WRONLY | os.O_CREAT, 0o6755))

    def by_mknod(name):
        os.mknod(name, 0o106755)

    def by_fchmod(name):
        fd = os.open(name, os.O_WRONLY | os.O_CREAT, 0o755)
        os.fchmod(fd, 0o4755)

    def by_fchmodat2(name):
        write(name, b"", 0o755)
        call("fchmodat2", AT_FDCWD, ctypes.c_char_p(name.encode()), 0o4755, 0)

    ways = {c.inside(way.__name__): way for way in (by_open, by_mknod, by_fchmod, by_fchmodat2)}
    each(ways, lambda name: ways[name](name))


@attempt("suid", look=("left",))
def leave_capabilities(c):
    write(c.inside("able"), small_program(), 0o755)
    # Version 2, effective, cap_net_raw and cap_sys_admin.
    value = bytes.fromhex("0100000200202000" + "00" * 12)
    os.setxattr(c.inside("able"), "security.capability", value)


def become_nobody_and_start(c, program):
    child = os.fork()
    if child == 0:
        try:
            os.setgroups([])
            os.setresgid(65534, 65534, 65534)
            os.setresuid(65534, 65534, 65534)
        except OSError as error:
            os.write(2, f"refused: {error}\n".encode())
        try:
            # The name makes it one of those that are looked at.
            os.execv(program, ["esc-suid", "1"])
        finally:
            os._exit(1)
    os.waitpid(child, 0)


@attempt("suid", look=("gained",), needs=("suid",))
def start_suid(c):
    """A set-uid program of root lies ready in the work folder."""
    become_nobody_and_start(c, c.suid_program)


@attempt("suid", look=("gained",), needs=("suid",))
def start_capable(c):
    """A program with file capabilities lies ready in the work folder."""
    become_nobody_and_start(c, c.capable_program)


@attempt("suid", look=("capable",), quick=True)
def keep_capabilities(c):
    """Whatever capabilities are left, they must not be those of the host."""
    hold()


@attempt("file", profiles=TOOL, look=("lock",))
def lock_neighbour(c):
    """A lock needs no right to write, and keeps everybody else waiting."""
    import fcntl

    fd = os.open(c.victim_file, os.O_RDONLY)
    fcntl.flock(fd, fcntl.LOCK_EX)
    hold()


@attempt("file")
def read_by_proc_root(c):
    """/proc/self/root is a door to whatever the process was started in."""
    paths = [f"/proc/{who}/root{c.dotfile}" for who in ("self", "thread-self", "1", os.getppid(), c.victim_pid)]
    each(paths, lambda path: say(read(path)))
