"""A layer over the work: what a command writes must stay in it, and the files below must stay as they are.

Without a layer there is nothing to hold, and these say nothing. In the control each changes the work itself, which the
judge sees; there, nobody else's processes and folders are touched.
"""

import ctypes
import fcntl
import glob
import mmap
import os
import re
import struct
import subprocess

from attempts.core import SHELL, attempt, call, each, write

AT_FDCWD, DETACH = -100, 2
BIND, REMOUNT, REC = 0x1000, 0x20, 0x4000
SET_FLAGS = 0x40086602


def play(**rest):
    return attempt("layer", **({"profiles": SHELL, "needs": ("layer",)} | rest))


def of_processes(c, name):
    """Doors of all processes that there are. On the host only those of this one: the others are somebody's."""
    return glob.glob(f"/proc/{os.getpid() if c.on_host('pid') else '[0-9]*'}/{name}")


def elsewhere(c, *paths):
    """Scratch folders, where they are the attempt's own."""
    return [] if c.on_host("mnt") else list(paths)


def text(value):
    return ctypes.c_char_p(value.encode())


@play(quick=True)
def write_below(c):
    """All that is changed by plain means."""
    write(c.inside("note.txt"), c.marker)
    write(c.inside("new.txt"), c.marker)
    os.rename(c.inside("note.txt"), c.inside("moved.txt"))
    os.unlink(c.inside("attempts/core.py"))


@play(quick=True)
def write_below_by_other_names(c):
    """The same file by every other name that the kernel has for the place."""
    places = ["/proc/self/root", "/proc/1/root", "/proc/thread-self/root", "/proc/self/cwd/../../../../../.."]
    each([place + c.inside("note.txt") for place in places], lambda path: write(path, c.marker))
    os.chdir(c.work)
    each(of_processes(c, "cwd"), lambda path: write(os.path.join(path, "note.txt"), c.marker))


@play(quick=True)
def write_below_by_descriptors(c):
    """What whoever laid the layer may have left open."""
    if not c.on_host("pid"):
        each(of_processes(c, "fd/*"), lambda path: write(os.path.join(path, "note.txt"), c.marker))
        each(range(3, 256), lambda number: os.open("note.txt", os.O_WRONLY | os.O_TRUNC, dir_fd=number))
    write(c.inside("note.txt"), c.marker)


@play()
def keep_what_was_below(c):
    """A descriptor and a map of a file from before the layer had a copy of it."""
    path = c.inside("attempts/core.py")
    before = os.open(path, os.O_RDONLY)
    seen = mmap.mmap(before, 0, prot=mmap.PROT_READ)
    write(path, c.marker)
    assert len(seen)
    each([f"/proc/self/fd/{before}"], lambda name: write(name, c.marker))
    each([before], lambda fd: os.ftruncate(fd, 0))
    each([before], lambda fd: os.fchmod(fd, 0o600))
    each([before], lambda fd: fcntl.ioctl(fd, SET_FLAGS, struct.pack("l", 0x40)))


@play()
def change_marks_below(c):
    """Not what a file holds, but what the kernel notes of it."""
    path = c.inside("note.txt")
    acts = [lambda: os.chmod(path, 0o600), lambda: os.utime(path, (1, 1)), lambda: os.setxattr(path, "user.x", b"1"),
            lambda: os.chmod(c.work, 0o700), lambda: os.utime(c.work, (1, 1)),
            lambda: os.chown(path, os.getuid(), os.getgid())]
    each(acts, lambda act: act())


@play()
def second_name_below(c):
    """A second name for a file, in the work and out of it."""
    names = [c.inside("second"), *elsewhere(c, "/tmp/second", "/dev/shm/second")]
    write(c.inside("own.txt"), c.marker)
    each(names, lambda name: os.link(c.inside("note.txt" if os.path.exists(c.inside("note.txt")) else "own.txt"), name))
    each(names, lambda name: write(name, c.marker))


@play(quick=True)
def take_layer_away(c):
    c.must_not_touch_host_mounts()
    each([c.work, "/", c.inside(".git")], lambda path: call("umount2", text(path), DETACH))
    each([0x10000000 | 0x20000], lambda flags: call("unshare", flags))
    each([c.work], lambda path: call("umount2", text(path), DETACH))
    write(c.inside("note.txt"), c.marker)


@play()
def lay_another(c):
    """The layer's own mount, with other words; a copy of it without what lies on top; another over it."""
    c.must_not_touch_host_mounts()
    each(["lowerdir=/", "upperdir=/tmp", "index=off", "redirect_dir=on"],
         lambda words: call("mount", 0, text(c.work), text("overlay"), REMOUNT, text(words)))
    each([c.work, os.path.dirname(c.work), "/"], lambda path: call("mount", text(path), text("/tmp"), 0, BIND, 0))
    each([c.work], lambda path: call("open_tree", AT_FDCWD, text(path), 1))
    each([c.work], lambda path: call("mount_setattr", AT_FDCWD, text(path), 0, 0, 0))
    write(c.inside("note.txt"), c.marker)


@play(quick=True)
def follow_words_of_the_mount(c):
    """What the list of mounts says of where the parts lie."""
    with open("/proc/self/mountinfo") as file:
        words = file.read()
    # Those of the host are somebody's.
    places = [] if c.on_host("mnt") else set(re.findall(r"(?:lowerdir|upperdir|workdir)=([^,\s]+)", words))
    each(places, lambda place: write(os.path.join(place, "note.txt"), c.marker))
    each(places, lambda place: os.listdir(place))
    write(c.inside("note.txt"), c.marker)


@play()
def speak_for_the_kernel(c):
    """Marks by which a layer leads elsewhere, and the thing by which it says that a file is deleted."""
    folder, path = c.inside("attempts"), c.inside("note.txt")
    for space in ("user", "trusted"):
        for name in ("redirect", "opaque", "metacopy", "origin", "whiteout", "impure", "upper", "nlink", "uuid"):
            for place in (folder, path, c.work):
                each([f"{space}.overlay.{name}"], lambda mark: os.setxattr(place, mark, b"/etc"))
    each([path], lambda name: os.unlink(name))
    each([path, c.inside("white")], lambda name: os.mknod(name, 0o020600, 0))
    write(os.path.join(folder, "core.py"), c.marker)


@play()
def exchange_the_work(c):
    """The folder itself, in the place of another."""
    each([c.work + "-away", *elsewhere(c, "/tmp/away")], lambda to: os.rename(c.work, to))
    each([c.work], lambda path: os.rmdir(path))
    write(c.inside("new.txt"), c.marker)


@play()
def reach_below_by_handle(c):
    """By the number that a disk has for a file."""
    buffer = ctypes.create_string_buffer(136)
    ctypes.c_uint.from_buffer(buffer).value = 128
    number = ctypes.c_int()
    each([c.inside("note.txt")], lambda path: call("name_to_handle_at", AT_FDCWD, text(path), buffer,
                                                   ctypes.byref(number), 0))
    fd = os.open(c.work, os.O_RDONLY)
    if not c.on_host("mnt"):
        each([fd], lambda at: os.ftruncate(call("open_by_handle_at", at, buffer, os.O_RDWR), 0))
    write(c.inside("note.txt"), c.marker)


@play()
def commit_below(c):
    """The user's own repository."""
    write(c.inside("note.txt"), c.marker)
    name = ["-c", "user.name=a", "-c", "user.email=a@localhost", "-c", f"safe.directory={c.work}"]
    # No repository but that of the work.
    environment = os.environ | {"GIT_CEILING_DIRECTORIES": os.path.dirname(c.work)}
    for words in (["add", "-A"], ["commit", "-q", "-m", "theirs"], ["branch", "theirs"], ["stash"], ["gc", "-q"]):
        subprocess.run(["git", "-C", c.work, *name, *words], env=environment, capture_output=True, check=False)


@play(look=("left",))
def leave_odd_things(c):
    """For whoever looks through the layer afterwards: rights, devices, links, pipes, depth."""
    each([0o4755, 0o2755], lambda mode: write(c.inside(f"rights{mode}"), "x", mode))
    each([0o4755, 0o2755], lambda mode: os.chmod(c.inside("note.txt"), mode))
    each([(1, 3), (1, 5), (0, 0)], lambda numbers: os.mknod(c.inside(f"device{numbers}"), 0o020666, os.makedev(*numbers)))
    os.symlink("/", c.inside("root"))
    os.mkfifo(c.inside("pipe"))
    os.chdir(c.work)
    for _ in range(200):
        os.mkdir("deep")
        os.chdir("deep")
