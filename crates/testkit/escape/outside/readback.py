"""The work folder as programs of the host find it afterwards: readers, writers and git.

A careful reader follows no link anywhere in the path and reads plain files only. A careless one opens the name. No
sandbox that lets links be made can help the careless one, so what happens to it is said and not counted, except in
the control, where nobody is careful.
"""

import os
import stat
import subprocess

from outside import host

NAMES = ["result.txt", "out/id_escape"]


def leaked(world, data, fresh=False):
    """What of all that must not come out is in it."""
    return [what for text, what in world.secrets(fresh).items() if text.encode() in data]


def open_carefully(folder, name):
    """Each step by itself, and no step through a link."""
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    parts = name.split("/")
    for number, part in enumerate(parts):
        last = number == len(parts) - 1
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | (0 if last else os.O_DIRECTORY)
        try:
            following = os.open(part, flags, dir_fd=fd)
        finally:
            os.close(fd)
        fd = following
    return fd


def careful(world, find):
    for name in NAMES:
        try:
            fd = open_carefully(world.work, name)
        except OSError:
            continue
        try:
            about = os.fstat(fd)
            if stat.S_ISREG(about.st_mode):
                for what in leaked(world, os.read(fd, 4096)):
                    find(f"a careful reader of {name} got {what}")
        finally:
            os.close(fd)


def careless(world, find):
    for name in NAMES:
        path = os.path.join(world.work, name)
        try:
            if stat.S_ISFIFO(os.stat(path).st_mode):
                find(f"a careless reader of {name} waits for ever")
                continue
            data = host.content(path, 4096)
        except OSError:
            continue
        for what in leaked(world, data):
            find(f"a careless reader of {name} got {what}")


def writer(world, find, is_careful):
    """A host program that writes its notes into the work folder."""
    flags = os.O_WRONLY | os.O_CREAT | (os.O_NOFOLLOW if is_careful else 0)
    try:
        fd = os.open(os.path.join(world.work, "notes.txt"), flags, 0o644)
        os.write(fd, b"notes\n")
        os.close(fd)
    except OSError:
        return
    if os.path.exists(os.path.join(world.victim, "by-writer")):
        find(f"a {'careful' if is_careful else 'careless'} writer was led out of the work folder")
        os.unlink(os.path.join(world.victim, "by-writer"))


def walk(world):
    """(path, lstat) of what was left, as far as it is worth a look."""
    found = 0
    for where, folders, names in (step for place in world.written() for step in os.walk(place)):
        folders[:] = [one for one in folders if os.path.join(where, one) != os.path.join(world.work, "attempts")]
        for name in [*names, *folders]:
            path = os.path.join(where, name)
            about = host.quietly(os.lstat, path)
            if about is None:
                continue
            yield path, about
            found += 1
            if found > 3000:
                return


def left_secrets(world, find):
    secrets = None
    for path, about in walk(world):
        if not stat.S_ISREG(about.st_mode) or about.st_size > 1 << 20:
            continue
        data = host.quietly(host.content, path) or b""
        if b"TOKEN-" in data:
            secrets = secrets or world.secrets()
            for text, what in secrets.items():
                if text.encode() in data:
                    find(f"{what} lies in the work folder")


def left_rights(world, find):
    """Things that are more than files: devices, and programs with somebody else's rights."""
    planted = {world.told["suid_program"], world.told["capable_program"]}
    for path, about in walk(world):
        if path in planted:
            continue
        name = os.path.relpath(path, world.work)
        kind = about.st_mode
        # A character device 0:0 is how an overlay says that something is deleted, and anybody may make one.
        if stat.S_ISBLK(kind) or stat.S_ISCHR(kind) and about.st_rdev:
            find(f"{name} is a device")
        elif stat.S_ISREG(kind) and kind & (stat.S_ISUID | stat.S_ISGID):
            find(f"{name} runs with the rights of its owner")
        elif stat.S_ISREG(kind) and host.quietly(os.getxattr, path, "security.capability"):
            find(f"{name} has capabilities")


def git(world, find):
    """What the user does next. Nothing but git itself may run."""
    environment = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "HOME": world.home, "GIT_CONFIG_NOSYSTEM": "1",
                   "GIT_TERMINAL_PROMPT": "0"}
    orders = [["status"], ["diff"], ["add", "-A"], ["commit", "-q", "--allow-empty", "-m", "by the user"]]
    places = [world.work, os.path.join(world.work, "fixtures")]
    for place in places:
        if not os.path.isdir(place):
            continue
        for order in orders if place == world.work else orders[:1]:
            try:
                subprocess.run(["git", "-C", place, *order], env=environment, capture_output=True, timeout=10)
            except subprocess.TimeoutExpired:
                continue
            trapped = os.path.join(world.victim, "trapped")
            if os.path.exists(trapped):
                where = "" if place == world.work else " in a folder of it"
                find(f"the user's `git {order[0]}`{where} ran a program of the attempt")
                os.unlink(trapped)
