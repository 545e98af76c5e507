"""What all attempts share: the register, raw system calls by number, and ways to hold still while somebody looks."""

import ctypes
import hashlib
import json
import os
import platform
import re
import sys
import time
import traceback
from dataclasses import dataclass
from typing import Callable

TOOL, SHELL, BOTH = ("tool",), ("shell",), ("tool", "shell")
# Every secret of the judge looks like this. The context names none of them.
TOKEN = re.compile(rb"TOKEN-[a-z_]+-[0-9a-f]{32}")
# Long enough for the judge to look several times.
HOLD = 0.5


class Refused(Exception):
    """It was not tried, or it did not work and no system call says so."""


@dataclass(frozen=True)
class Attempt:
    name: str
    group: str
    run: Callable
    profiles: tuple = BOTH
    # Part of the short run.
    quick: bool = False
    # What the judge looks for beyond what it always looks for.
    look: tuple = ()
    # What this machine must have, or the attempt says nothing.
    needs: tuple = ()
    # Disturbs others, or is disturbed by them.
    alone: bool = False
    # Seconds until it is ended.
    limit: float = 10.0
    # Whether it may run without a sandbox around it.
    control: bool = True
    # Started on a terminal.
    terminal: bool = False
    # Its standard input: "null" or "file".
    stdin: str = "null"
    # What the judge does to the runner once the attempt is ready: nothing, "kill" or "term".
    ending: str = ""
    # So many commands in the same workspace, one after the other.
    times: int = 1
    # False: nobody has promised to hold it, and it is reported without being counted.
    promised: bool = True


ATTEMPTS: dict = {}
# What must work inside, or everything else means nothing.
BASELINE: dict = {}


def attempt(group, **rest):
    def register(run):
        name = rest.pop("name", run.__name__.replace("_", "-"))
        assert name not in ATTEMPTS, name
        ATTEMPTS[name] = Attempt(name, group, run, **rest)
        return run

    return register


def baseline(profiles=BOTH):
    def register(run):
        name = run.__name__.replace("_", "-")
        BASELINE[name] = Attempt(name, "baseline", run, profiles)
        return run

    return register


class Context:
    """What the judge tells about the world outside: paths, ports and numbers, and no secret."""

    def __init__(self, told):
        self.__dict__.update(told)

    @classmethod
    def read(cls, path):
        with open(path) as file:
            return cls(json.load(file))

    def inside(self, name):
        return os.path.join(self.work, name)

    def on_host(self, kind):
        """Whether a namespace is the host's own, or cannot be told from it: then some things must not be tried."""
        try:
            return os.readlink(f"/proc/self/ns/{kind}") == self.namespaces[kind]
        except OSError:
            return True

    def must_not_touch_host_mounts(self):
        """What is shared between mount namespaces would be undone on the host as well."""
        with open("/proc/self/mountinfo") as file:
            if self.on_host("mnt") or " shared:" in file.read():
                raise Refused("these mounts are the host's: not tried")


def say(data):
    """Puts it where the judge can see it."""
    data = data if isinstance(data, bytes) else str(data).encode()
    while data:
        data = data[os.write(1, data):]


def prove(data):
    """Shows that something was read without showing it: the judge knows the digest."""
    say(hashlib.sha256(data).hexdigest() + "\n")


def tokens_in(data):
    for token in set(TOKEN.findall(data)):
        say(token + b"\n")


def read(path, size=1 << 16):
    """All of it, up to a size: the kernel hands out its own files page by page."""
    fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    found = b""
    try:
        while len(found) < size and (more := os.read(fd, size - len(found))):
            found += more
        return found
    finally:
        os.close(fd)


def write(path, data, mode=0o644):
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
    try:
        os.write(fd, data if isinstance(data, bytes) else data.encode())
    finally:
        os.close(fd)


def each(things, act):
    """Tries all of them, whatever becomes of the others, and says what stood in the way."""
    for thing in things:
        try:
            act(thing)
        except (OSError, Refused, MemoryError) as error:
            sys.stderr.write(f"refused: {thing}: {error}\n"[:200])
    sys.stderr.flush()


def pids():
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def others(c):
    """The processes worth a closer look. On the host only those that belong to the judge's play."""
    if c.on_host("pid"):
        return [os.getppid(), c.victim_pid]
    return [pid for pid in pids() if pid != os.getpid()]


# --- holding still ---------------------------------------------------------------------------------------------------


def hold(seconds=HOLD):
    time.sleep(seconds)


def report_bug():
    """A mistake in the attempt itself must not pass for a sandbox that holds."""
    try:
        os.write(2, f"bug: {traceback.format_exc()}".encode())
    except OSError:
        pass


def in_child(act, seconds=HOLD):
    """Acts in a child that then holds still beside its unchanged parent, so that the two can be compared."""
    child = os.fork()
    if child == 0:
        try:
            name_process("esc-in")
            act()
            hold(seconds)
        except (OSError, Refused, MemoryError) as error:
            os.write(2, f"refused: {error!r}\n".encode())
        except Exception:
            report_bug()
        finally:
            os._exit(0)
    os.waitpid(child, 0)


def leave_behind(act=lambda: None, seconds=20, detach=True):
    """Starts a process that means to be there when everything else has ended."""
    child = os.fork()
    if child:
        return child
    try:
        name_process("esc-in")
        if detach:
            os.setsid()
            if os.fork():
                os._exit(0)
        act()
        time.sleep(seconds)
    except (OSError, Refused, MemoryError):
        pass
    except Exception:
        report_bug()
    finally:
        os._exit(0)


def ready(c):
    write(c.inside("ready"), "ready")


# --- system calls ----------------------------------------------------------------------------------------------------

libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]

MACHINE = platform.machine()
# x86_64 and aarch64. Calls since 5.1 have the same number everywhere.
NUMBERS = {
    "adjtimex": (159, 171), "add_key": (248, 217), "bpf": (321, 280), "clock_settime": (227, 112),
    "clone": (56, 220), "clone3": (435, 435), "execveat": (322, 281), "fanotify_init": (300, 262),
    "fchmodat2": (452, 452), "fsconfig": (431, 431), "fsmount": (432, 432), "fsopen": (430, 430),
    "io_setup": (206, 0), "io_uring_enter": (426, 426), "io_uring_setup": (425, 425), "ioprio_get": (252, 31), "ioprio_set": (251, 30),
    "keyctl": (250, 219), "linkat": (265, 37), "memfd_create": (319, 279), "mount": (165, 40),
    "mount_setattr": (442, 442), "move_mount": (429, 429), "mq_open": (240, 180), "mq_timedreceive": (243, 183),
    "mq_timedsend": (242, 182), "mq_unlink": (241, 181), "msgctl": (71, 187), "msgget": (68, 186),
    "msgrcv": (70, 188), "msgsnd": (69, 189),
    "name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265), "open_tree": (428, 428),
    "perf_event_open": (298, 241), "pidfd_getfd": (438, 438), "pidfd_open": (434, 434),
    "pidfd_send_signal": (424, 424), "pivot_root": (155, 41), "prctl": (157, 167), "prlimit64": (302, 261),
    "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "ptrace": (101, 117), "reboot": (169, 142),
    "request_key": (249, 218), "rt_sigqueueinfo": (129, 138), "seccomp": (317, 277), "semctl": (66, 191),
    "semget": (64, 190), "setns": (308, 268), "sethostname": (170, 161), "setdomainname": (171, 162),
    "settimeofday": (164, 170), "shmat": (30, 196), "shmctl": (31, 195), "shmget": (29, 194),
    "swapoff": (168, 225), "swapon": (167, 224), "syslog": (103, 116), "tgkill": (234, 131), "umount2": (166, 39),
    "unshare": (272, 97), "userfaultfd": (323, 282),
}


def call(name, *arguments):
    """A system call by its number, past every wrapper."""
    if MACHINE not in ("x86_64", "aarch64"):
        raise Refused(f"the numbers of {MACHINE} are not known")
    number = NUMBERS[name][MACHINE == "aarch64"]
    return raw(number, *arguments)


def raw(number, *arguments):
    given = [ctypes.c_long(value) if isinstance(value, int) else value for value in arguments]
    given += [ctypes.c_long(0)] * (6 - len(given))
    result = libc.syscall(ctypes.c_long(number), *given)
    if result == -1:
        code = ctypes.get_errno()
        raise OSError(code, f"{os.strerror(code)} (call {number})")
    return result


def name_process(name):
    """Names the process so that the judge can tell those that tried something from those that did not."""
    raw(NUMBERS["prctl"][MACHINE == "aarch64"], 15, ctypes.c_char_p(name.encode()))


def address_of(buffer):
    return ctypes.addressof(buffer)


class Iovec(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]


# --- what must work --------------------------------------------------------------------------------------------------


@baseline()
def says_something(c):
    say(f"works {c.marker}\n")


@baseline()
def writes_its_work(c):
    write(c.inside("works"), c.marker)


@baseline()
def starts_a_child(c):
    import subprocess

    say(subprocess.run(["/bin/echo", "works", c.marker], capture_output=True, check=True).stdout)


@baseline()
def starts_a_thread(c):
    import threading

    thread = threading.Thread(target=lambda: say(f"works {c.marker}\n"))
    thread.start()
    thread.join()


@baseline(SHELL)
def writes_attributes(c):
    """Attributes name no program: a command may change them."""
    write(c.inside(".gitattributes"), "* text=auto\n")
    write(c.inside("works"), c.marker)


@baseline(SHELL)
def commits(c):
    import subprocess

    write(c.inside("note.txt"), "a change\n")
    name = ["-c", "user.name=a", "-c", "user.email=a@localhost", "-c", f"safe.directory={c.work}"]
    for words in (["add", "note.txt"], ["commit", "-q", "-m", "a change"]):
        subprocess.run(["git", "-C", c.work, *name, *words], check=True)
    say(f"works {c.marker}\n")
