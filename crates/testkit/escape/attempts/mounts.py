"""Mounts: to put something where it was not, or to take away what covers it.

All of them are made at `esc-mnt` in the work folder, where the judge looks for them and clears them away.
"""

import ctypes
import os

from attempts.core import TOOL, attempt, call, each, in_child, read, say, write

BIND, REMOUNT, REC = 0x1000, 0x20, 0x4000
AT_FDCWD, CLONE_TREE = -100, 1


def text(value):
    return ctypes.c_char_p(value.encode()) if value is not None else 0


def mount(source, target, kind, flags=0, data=None):
    call("mount", text(source), text(target), text(kind), flags, text(data))


def place(c):
    path = c.inside("esc-mnt")
    os.makedirs(path, exist_ok=True)
    return path


def make(kind, data=None, **rest):
    def run(c):
        at = place(c)
        in_child(lambda: mount(c.marker, at, kind, 0, data))

    attempt("mount", name=f"mount-{kind}", profiles=TOOL, look=("mounts",), **rest)(run)


make("tmpfs", "size=4k", quick=True)
make("proc")
make("sysfs")
make("devtmpfs", needs=("devtmpfs",))
make("mqueue", needs=("mqueue",))


@attempt("mount", profiles=TOOL, look=("mounts",))
def mount_overlay(c):
    at = place(c)
    for name in ("upper", "scratch"):
        os.mkdir(c.inside(name))
    order = f"lowerdir=/usr,upperdir={c.inside('upper')},workdir={c.inside('scratch')}"
    in_child(lambda: mount(c.marker, at, "overlay", 0, order))


@attempt("mount", look=("mounts",), quick=True)
def bind_home(c):
    """The home put into the work folder."""
    at = place(c)

    def go():
        mount(c.home, at, None, BIND | REC)
        say(read(os.path.join(at, os.path.relpath(c.dotfile, c.home))))

    in_child(go)


@attempt("mount", profiles=TOOL, look=("descriptors",))
def new_file_system(c):
    """The newer calls, which older filters do not name."""
    kept = []
    in_child(lambda: kept.append(call("fsopen", text("tmpfs"), 0)))


@attempt("mount", profiles=TOOL, look=("mounts",))
def new_mount(c):
    at = place(c)

    def go():
        door = call("fsopen", text("tmpfs"), 0)
        call("fsconfig", door, 1, text("source"), text(c.marker), 0)
        call("fsconfig", door, 6, 0, 0, 0)
        made = call("fsmount", door, 0, 0)
        call("move_mount", made, text(""), AT_FDCWD, text(at), 4)

    in_child(go)


@attempt("mount", profiles=TOOL, look=("tree",))
def copy_tree(c):
    """A copy of all mounts, as a descriptor: without covers, if it can be had."""
    in_child(lambda: call("open_tree", AT_FDCWD, text("/"), CLONE_TREE | 0x8000))


@attempt("mount", control=False)
def make_writable_again(c):
    """What is mounted to be read only, mounted anew to be written."""
    c.must_not_touch_host_mounts()
    targets = [line.split()[4] for line in open("/proc/self/mountinfo")]

    def go(target):
        try:
            mount(None, target, None, REMOUNT | BIND)
        finally:
            # Clears MOUNT_ATTR_RDONLY on all below.
            order = ctypes.create_string_buffer((0).to_bytes(8, "little") + (1).to_bytes(8, "little") + bytes(16))
            call("mount_setattr", AT_FDCWD, text(target), 0x8000, order, 32)

    def plant(place_):
        write(os.path.join(place_, c.marker), c.marker)

    in_child(lambda: (each(targets, go), each(c.system_places, plant)), seconds=0)


@attempt("mount", control=False)
def take_covers_away(c):
    """What hides something is itself a mount."""
    c.must_not_touch_host_mounts()
    targets = [line.split()[4] for line in open("/proc/self/mountinfo")]

    def take(target):
        call("umount2", text(target), 2)
        # At once: the next one may take the place itself away.
        each([c.dotfile, c.data_file], lambda path: say(read(path)))

    in_child(lambda: each([target for target in reversed(targets) if target != "/"], take), seconds=0)


@attempt("mount", control=False)
def turn_roots(c):
    """The old root is what lies below the present one."""
    c.must_not_touch_host_mounts()
    at = place(c)

    def go():
        mount(c.work, c.work, None, BIND)
        os.chdir(c.work)
        call("pivot_root", text("."), text("esc-mnt"))
        say(read("/esc-mnt" + c.dotfile))

    in_child(go, seconds=0)
    os.rmdir(at)


@attempt("mount", control=False)
def stacked_root(c):
    """`pivot_root` in place, and then the upper of the two roots taken away."""
    c.must_not_touch_host_mounts()

    def go():
        os.chdir("/")
        call("pivot_root", text("."), text("."))
        call("umount2", text("."), 2)
        os.chroot(".")
        say(read(c.dotfile))

    in_child(go, seconds=0)
