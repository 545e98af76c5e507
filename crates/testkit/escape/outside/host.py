"""The machine: what it has, what only who has seen it can know, and what must stay as it is."""

import ctypes
import hashlib
import os
import platform
import shutil
import socket
import struct
import time

from attempts.core import call

# Where a sandboxed program has nothing to put.
SYSTEM_PLACES = [
    "/", "/etc", "/usr", "/usr/local/bin", "/usr/lib", "/opt", "/var", "/var/tmp", "/var/lib", "/tmp", "/run", "/home",
    "/root", "/srv", "/mnt", "/media", "/boot", "/dev", "/dev/shm", "/lib", "/bin",
]
PRIVATE_PLACES = ["/root", "/home", "/var/lib", "/var/log", "/mnt", "/srv", "/boot", "/media"]
PROGRAMS = ["/usr/bin/true", "/usr/bin/env", "/usr/bin/ls", "/usr/bin/python3", "/etc/profile", "/etc/hosts"]
NAMESPACES = ["user", "mnt", "net", "pid", "ipc", "uts", "cgroup", "time"]


def is_root():
    return os.geteuid() == 0


def namespaces():
    found = {}
    for kind in NAMESPACES:
        try:
            found[kind] = os.readlink(f"/proc/self/ns/{kind}")
        except OSError:
            continue
    return found


def digest(data):
    return hashlib.sha256(data).hexdigest()


def quietly(read, *arguments):
    try:
        return read(*arguments)
    except (OSError, IndexError, ValueError):
        return None


def content(path, size=1 << 20):
    fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    found = b""
    try:
        while len(found) < size and (more := os.read(fd, size - len(found))):
            found += more
        return found
    finally:
        os.close(fd)


def listings():
    return [place for place in PRIVATE_PLACES if quietly(os.listdir, place)]


def block_device(folder):
    """The disk on which the work is done."""
    number = os.stat(folder).st_dev
    name = quietly(os.readlink, f"/sys/dev/block/{os.major(number)}:{os.minor(number)}")
    path = "/dev/" + os.path.basename(name) if name else ""
    return path if path and os.path.exists(path) else "", [os.major(number), os.minor(number)]


def own_address():
    """The address by which others know the machine. Nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        line.connect(("192.0.2.1", 9))
        return line.getsockname()[0]


def hardware_addresses():
    found = []
    for name in quietly(os.listdir, "/sys/class/net") or []:
        text = quietly(content, f"/sys/class/net/{name}/address") or b""
        raw = bytes.fromhex(text.decode().strip().replace(":", "")) if text else b""
        if len(raw) == 6 and any(raw):
            found.append(raw)
    return found


def kernel_log():
    size = call("syslog", 10, 0, 0)
    buffer = ctypes.create_string_buffer(size)
    length = call("syslog", 3, buffer, size)
    return buffer.raw[:length].splitlines()[1]


def kernel_symbol():
    line = content("/proc/kallsyms", 256).splitlines()[0]
    if not line.strip(b"0").strip() or line.startswith(b"0000000000000000"):
        raise ValueError("addresses are hidden")
    return line


def proofs(folder):
    """Digests that come out only if the thing itself was read: name → digest."""
    found = {}

    def add(name, read, *arguments):
        data = quietly(read, *arguments)
        if data:
            found[name] = digest(data)

    add("shadow", content, "/etc/shadow")
    add("machine-id", content, "/etc/machine-id", 1 << 16)
    for place in listings():
        add(f"the listing of {place}", lambda place=place: "\n".join(sorted(os.listdir(place))).encode())
    add("the kernel's log", kernel_log)
    add("the kernel's symbols", kernel_symbol)
    add("the kernel's memory", content, "/proc/kcore", 64)
    device, _ = block_device(folder)
    if device:
        add("the disk", content, device, 512)
    for number, raw in enumerate(hardware_addresses()):
        found[f"network card {number}"] = digest(raw)
    return found


# --- what must stay as it is -----------------------------------------------------------------------------------------


def clock_error():
    order = ctypes.create_string_buffer(208)
    call("adjtimex", order)
    return struct.unpack_from("=q", order.raw, 32)[0]


def state():
    name = os.uname()
    return {
        "host name": name.nodename,
        "domain name": (quietly(content, "/proc/sys/kernel/domainname") or b"").decode().strip(),
        "restart keys": (quietly(content, "/proc/sys/kernel/ctrl-alt-del") or b"0").decode().strip(),
        "swap": (quietly(content, "/proc/swaps") or b"").decode(),
        "guessed error of the clock": quietly(clock_error),
        "clock": time.time() - time.monotonic(),
    }


def changes(before):
    after, found = state(), []
    for name, value in before.items():
        if name == "clock":
            if abs(after[name] - value) > 1:
                found.append(f"the clock was set by {after[name] - value:.1f} s")
        elif name == "guessed error of the clock":
            # The kernel itself moves it; only the value that the attempt was given counts.
            if after[name] == CLOCK_ERROR:
                found.append(f"the {name} was changed")
        elif after[name] != value:
            found.append(f"the {name} of the machine was changed")
    return found


# No clock comes to this by itself.
CLOCK_ERROR = 7_654_321


def restore(before, folder):
    """Puts back what a weak sandbox let through. Each may fail: then it was not changed from here either."""

    def name(order, text):
        raw = text.encode()
        call(order, ctypes.c_char_p(raw), len(raw))

    after = state()
    if after["host name"] != before["host name"]:
        quietly(name, "sethostname", before["host name"])
    if after["domain name"] != before["domain name"]:
        quietly(name, "setdomainname", before["domain name"])
    if after["restart keys"] != before["restart keys"]:
        on = 0x89ABCDEF if before["restart keys"] == "1" else 0
        quietly(call, "reboot", 0xFEE1DEAD, 672274793, on, 0)
    if abs(after["clock"] - before["clock"]) > 1:
        quietly(time.clock_settime, time.CLOCK_REALTIME, time.monotonic() + before["clock"])
    if after["swap"] != before["swap"]:
        quietly(call, "swapoff", ctypes.c_char_p(os.path.join(folder, "swap").encode()))
    if after["guessed error of the clock"] == CLOCK_ERROR:
        order = bytearray(208)
        struct.pack_into("=I", order, 0, 8)
        struct.pack_into("=q", order, 32, before["guessed error of the clock"])
        quietly(call, "adjtimex", ctypes.create_string_buffer(bytes(order)))


# --- what an attempt needs -------------------------------------------------------------------------------------------


def lacking(need, world):
    """Why this machine cannot show whether an attempt is held, or None."""
    kind, _, rest = need.partition(":")
    if kind == "file":
        return None if os.path.exists(rest) else f"this machine has no {rest}"
    if kind == "any":
        paths = [path.format(block=world.told["block_device"]) for path in rest.split(":")]
        return None if any(path and os.path.exists(path) for path in paths) else "this machine has no such device"
    told, has = world.told, world.proofs
    checks = {
        "ipv6": (told["tcp6"], "there is no loopback of IPv6"),
        "own-address": (told["own_address"], "the machine has no address of its own"),
        "x86_64": (platform.machine() == "x86_64", "this processor has no older calls"),
        "x32": (has_x32(), "the kernel has no x32 calls"),
        "git": (shutil.which("git"), "there is no git"),
        "layer": (world.layer or world.profile == "control", "no layer lies over the work: name it as {layer} in the runner"),
        "io_uring": (has_ring(), "the kernel has no io_uring, or it is switched off"),
        "vsock": (told["vsock"], "there is no loopback of vsock"),
        "keys": (told["user_key"], "the kernel keeps no keys"),
        "mqueue": (told["queue"], "the kernel has no named queues"),
        "sysv": (told["shm_id"] is not None, "the kernel has no System V objects"),
        "block": ("the disk" in has, "the disk cannot be read by this user"),
        "tiocsti": (may_type(), "the kernel lets nobody type into a terminal"),
        "suid": (told["suid_program"], "only root can lay out such programs"),
        "handle": (told["handle"], "this file system has no handles"),
        "shadow": ("shadow" in has, "this user cannot read it either"),
        "klog": ("the kernel's log" in has, "this user cannot read it either"),
        "devshm": (told["devshm"], "there is no /dev/shm"),
        "listings": (told["listings"], "there is nothing in them for this user to see"),
        "machine-id": ("machine-id" in has, "there is none"),
        "xattr": (world.has_attributes, "this file system has no attributes"),
        "large-pipes": (is_root(), "the kernel keeps pipes of this user small"),
        "devtmpfs": ("devtmpfs" in (quietly(content, "/proc/filesystems") or b"").decode(), "the kernel has none"),
        "mac": (hardware_addresses(), "there is no network card"),
        "kallsyms": ("the kernel's symbols" in has, "they are hidden from this user"),
        "kcore": ("the kernel's memory" in has, "it is hidden from this user"),
        "two-cores": (len(os.sched_getaffinity(0)) > 1, "there is one processor only"),
        "root": (is_root(), "only root can do it"),
        "victim-namespace": (world.victim_namespace, "only root can give the victim a namespace of its own"),
    }
    found, why = checks[need]
    return None if found else why


def has_ring():
    try:
        os.close(call("io_uring_setup", 1, ctypes.create_string_buffer(120)))
        return True
    except OSError:
        return False


def has_x32():
    from attempts.core import raw

    try:
        raw(0x40000000 + 39)
        return True
    except OSError:
        return False


def may_type():
    text = quietly(content, "/proc/sys/dev/tty/legacy_tiocsti")
    return is_root() or text is None or text.strip() == b"1"
