"""Doors of the kernel: calls that a sandboxed program has no use for, and calls that reach past a filter."""

import ctypes
import fcntl
import mmap
import os
import socket
import struct
import threading
import time

from attempts.core import MACHINE, TOOL, Refused, attempt, call, each, hold, libc, prove, raw, say

# --- descriptors that should not be had ------------------------------------------------------------------------------


@attempt("kernel interfaces", profiles=TOOL, look=("descriptors",), quick=True)
def bpf_map(c):
    # BPF_MAP_CREATE: an array of one.
    kept = call("bpf", 0, ctypes.create_string_buffer(struct.pack("=5I", 2, 4, 8, 1, 0) + bytes(92)), 72)
    hold()
    os.close(kept)


@attempt("kernel interfaces", profiles=TOOL, look=("descriptors",))
def bpf_program(c):
    code = ctypes.create_string_buffer(struct.pack("=BBhi", 0xB7, 0, 0, 0) + struct.pack("=BBhi", 0x95, 0, 0, 0))
    licence = ctypes.create_string_buffer(b"GPL")
    order = struct.pack("=IIQQ", 1, 2, ctypes.addressof(code), ctypes.addressof(licence)) + bytes(104)
    kept = call("bpf", 5, ctypes.create_string_buffer(order), 72)
    hold()
    os.close(kept)


@attempt("kernel interfaces", profiles=TOOL, look=("descriptors",), quick=True)
def perf_events(c):
    # A software event, PERF_COUNT_SW_CPU_CLOCK, of this process, the kernel left out.
    order = struct.pack("=IIQQQQQ", 1, 64, 0, 0, 0, 0, 1 << 5 | 1 << 6) + bytes(80)
    kept = call("perf_event_open", ctypes.create_string_buffer(order), 0, -1, -1, 0)
    hold()
    os.close(kept)


@attempt("kernel interfaces", profiles=TOOL, look=("descriptors",), quick=True)
def user_faults(c):
    """Stops the kernel in the middle of a copy: the tool of many an exploit. First the kind that anybody may have."""
    kept = []
    each((1, 0), lambda flags: kept.append(call("userfaultfd", flags)))
    hold()


@attempt("kernel interfaces", profiles=TOOL, look=("descriptors",))
def file_events(c):
    """All that is opened on a whole file system, and a say in it."""
    kept = call("fanotify_init", 4, os.O_RDONLY)
    hold()
    os.close(kept)


# --- io_uring: a second door to most calls, which no filter sees -----------------------------------------------------


class Ring:
    OPEN, READ, CONNECT, SEND, SOCKET = 18, 22, 16, 26, 45

    def __init__(self):
        told = ctypes.create_string_buffer(120)
        self.fd = call("io_uring_setup", 4, told)
        told = told.raw
        entries, completions = struct.unpack_from("=II", told, 0)
        self.sq = struct.unpack_from("=8I", told, 40)
        self.cq = struct.unpack_from("=8I", told, 80)
        self.requests = mmap.mmap(self.fd, self.sq[6] + entries * 4, offset=0)
        self.answers = mmap.mmap(self.fd, self.cq[5] + completions * 16, offset=0x8000000)
        self.entries = mmap.mmap(self.fd, entries * 64, offset=0x10000000)

    def ask(self, code, fd=0, off=0, addr=0, length=0, flags=0):
        tail = struct.unpack_from("=I", self.requests, self.sq[1])[0]
        slot = tail & struct.unpack_from("=I", self.requests, self.sq[2])[0]
        entry = struct.pack("=BBHiQQIIQ", code, 0, 0, fd, off, addr, length, flags, 1) + bytes(24)
        self.entries[slot * 64:slot * 64 + 64] = entry
        struct.pack_into("=I", self.requests, self.sq[6] + slot * 4, slot)
        struct.pack_into("=I", self.requests, self.sq[1], tail + 1)
        call("io_uring_enter", self.fd, 1, 1, 1, 0, 0)
        head = struct.unpack_from("=I", self.answers, self.cq[0])[0]
        slot = head & struct.unpack_from("=I", self.answers, self.cq[2])[0]
        result = struct.unpack_from("=QiI", self.answers, self.cq[5] + slot * 16)[1]
        struct.pack_into("=I", self.answers, self.cq[0], head + 1)
        if result < 0:
            raise OSError(-result, os.strerror(-result))
        return result


@attempt("kernel interfaces", profiles=TOOL, look=("descriptors",), needs=("io_uring",), quick=True)
def ring(c):
    kept = Ring()
    hold()
    os.close(kept.fd)


@attempt("kernel interfaces", needs=("io_uring",))
def ring_reads_dotfile(c):
    path = ctypes.create_string_buffer(c.dotfile.encode())
    fd = Ring().ask(Ring.OPEN, fd=-100, addr=ctypes.addressof(path))
    say(os.read(fd, 4096))


@attempt("kernel interfaces", needs=("io_uring",))
def ring_connects(c):
    """No call of `socket` and none of `connect`."""
    doors = {
        socket.AF_INET: struct.pack("=HH4s8x", 2, socket.htons(c.tcp4), socket.inet_aton("127.0.0.1")),
        socket.AF_UNIX: struct.pack("=H", 1) + b"\0" + c.unix_abstract.encode(),
    }
    ring = Ring()

    def go(family):
        fd = ring.ask(Ring.SOCKET, fd=family, off=socket.SOCK_STREAM)
        address = ctypes.create_string_buffer(doors[family], len(doors[family]))
        ring.ask(Ring.CONNECT, fd=fd, off=len(address), addr=ctypes.addressof(address))
        text = ctypes.create_string_buffer(c.marker.encode())
        ring.ask(Ring.SEND, fd=fd, addr=ctypes.addressof(text), length=len(c.marker))

    each(doors, go)


# --- other tables of calls -------------------------------------------------------------------------------------------


def old_call(*words):
    """A 32-bit system call, by its own gate and its own numbers: a filter of 64-bit numbers takes them for others."""
    area = libc.mmap(None, 8192, 7, 0x62, -1, 0)
    if area in (None, ctypes.c_void_p(-1).value):
        raise Refused("no memory to run code in")
    code = bytes.fromhex("534989f8418b00418b5804418b4808418b500c418b7010418b7814cd805bc3")
    ctypes.memmove(area, code, len(code))
    values = (ctypes.c_uint32 * 6)(*[word & 0xFFFFFFFF for word in words])
    result = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)(area)(ctypes.addressof(values))
    if result < 0:
        raise OSError(-result, os.strerror(-result))
    return result


@attempt("kernel interfaces", needs=("x86_64",), quick=True)
def old_gate_connects(c):
    low = libc.mmap(None, 4096, 3, 0x62, -1, 0)
    doors = {
        2: struct.pack("=HH4s8x", 2, socket.htons(c.tcp4), socket.inet_aton("127.0.0.1")),
        1: struct.pack("=H", 1) + b"\0" + c.unix_abstract.encode(),
    }

    def go(family):
        fd = old_call(359, family, 1, 0)
        ctypes.memmove(low, doors[family], len(doors[family]))
        old_call(362, fd, low, len(doors[family]))
        os.write(fd, c.marker.encode())

    each(doors, go)


@attempt("kernel interfaces", profiles=TOOL, needs=("x86_64",), look=("namespaces",))
def old_gate_unshares(c):
    from attempts.core import in_child

    in_child(lambda: old_call(310, 0x10000000))


@attempt("kernel interfaces", needs=("x86_64", "x32"))
def x32_connects(c):
    """The same numbers with one bit more."""
    fd = raw(0x40000000 + 41, 2, 1, 0)
    address = struct.pack("=HH4s8x", 2, socket.htons(c.tcp4), socket.inet_aton("127.0.0.1"))
    raw(0x40000000 + 42, fd, ctypes.create_string_buffer(address), 16)
    os.write(fd, c.marker.encode())


class Filter(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("code", ctypes.c_void_p)]


def install(flags, *steps):
    """A filter of one's own, which must never loosen the one that is there."""
    code = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *step) for step in steps))
    order = Filter(len(steps), ctypes.addressof(code))
    libc.prctl(38, 1, 0, 0, 0)
    return call("seccomp", 1, flags, ctypes.byref(order))


def tell(c):
    with socket.create_connection(("127.0.0.1", c.tcp4), timeout=2) as line:
        line.sendall(c.marker.encode())


@attempt("kernel interfaces")
def own_filter_allows(c):
    install(0, (0x06, 0, 0, 0x7FFF0000))
    tell(c)


@attempt("kernel interfaces")
def own_supervisor_allows(c):
    """A filter that asks a supervisor, who says: go on."""
    number = 42 if MACHINE == "x86_64" else 203
    box = []

    def allow():
        while not box:
            time.sleep(0.01)
        request = ctypes.create_string_buffer(80)
        fcntl.ioctl(box[0], 0xC0502100, request)
        answer = struct.pack("=QqiI", struct.unpack_from("=Q", request.raw)[0], 0, 0, 1)
        fcntl.ioctl(box[0], 0xC0182101, bytearray(answer))

    threading.Thread(target=allow, daemon=True).start()
    box.append(install(8, (0x20, 0, 0, 0), (0x15, 0, 1, number), (0x06, 0, 0, 0x7FC00000), (0x06, 0, 0, 0x7FFF0000)))
    tell(c)


# --- keys ------------------------------------------------------------------------------------------------------------

SESSION, USER, USER_SESSION = -3, -4, -5


def read_key(number):
    buffer = ctypes.create_string_buffer(256)
    length = call("keyctl", 11, number, buffer, 256)
    say(buffer.raw[:length])


def find_key(ring, name):
    return call("keyctl", 10, ring, ctypes.c_char_p(b"user"), ctypes.c_char_p(name.encode()), 0)


@attempt("kernel interfaces", needs=("keys",), quick=True)
def read_session_key(c):
    """The kernel's key rings are inherited by everything that is started, whatever namespaces it is in."""
    each((SESSION, USER_SESSION), lambda ring: read_key(find_key(ring, c.session_key)))


@attempt("kernel interfaces", needs=("keys",))
def read_user_key(c):
    read_key(find_key(USER, c.user_key))


@attempt("kernel interfaces", needs=("keys",))
def request_key(c):
    names = [c.session_key, c.user_key]
    word = ctypes.c_char_p
    each(names, lambda name: read_key(call("request_key", word(b"user"), word(name.encode()), 0, 0)))


@attempt("kernel interfaces", needs=("keys",), look=("left-key",))
def leave_key(c):
    """A message to whoever comes later."""
    word = ctypes.c_char_p
    name = word((c.marker + "-left").encode())
    each((SESSION, USER), lambda ring: call("add_key", word(b"user"), name, word(b"x"), 1, ring))


# --- the whole machine -----------------------------------------------------------------------------------------------


@attempt("kernel interfaces", needs=("klog",))
def kernel_log(c):
    size = call("syslog", 10, 0, 0)
    buffer = ctypes.create_string_buffer(size)
    length = call("syslog", 3, buffer, size)
    prove(buffer.raw[:length].splitlines()[1])


@attempt("kernel interfaces", look=("host",), alone=True, control=False)
def host_name(c):
    name = c.marker.encode()[:20]
    call("sethostname", ctypes.c_char_p(name), len(name))


@attempt("kernel interfaces", look=("host",), alone=True, control=False)
def domain_name(c):
    name = c.marker.encode()[:20]
    call("setdomainname", ctypes.c_char_p(name), len(name))


@attempt("kernel interfaces", look=("host",), alone=True, control=False)
def restart_keys(c):
    """`reboot` with the one order that restarts nothing: whether control, alt and delete do."""
    call("reboot", 0xFEE1DEAD, 672274793, 0 if c.restart_keys else 0x89ABCDEF, 0)


@attempt("kernel interfaces", look=("host",), alone=True, control=False)
def swap_file(c):
    path = c.inside("swap")
    page = mmap.PAGESIZE
    # Version 1, the number of the last page, and the mark at the end of the first page.
    head = bytes(1024) + struct.pack("=II", 1, 15) + bytes(page - 1024 - 8 - 10) + b"SWAPSPACE2"
    with open(path, "wb") as file:
        file.write(head + bytes(15 * page))
    call("swapon", ctypes.c_char_p(path.encode()), 0)


@attempt("time", look=("host",), alone=True, control=False)
def set_clock(c):
    """Two seconds on."""
    now = time.clock_gettime(time.CLOCK_REALTIME) + 2
    call("clock_settime", 0, struct_time(now, 1e9))


@attempt("time", look=("host",), alone=True, control=False)
def set_time_of_day(c):
    call("settimeofday", struct_time(time.time() + 2, 1e6), 0)


def struct_time(moment, parts):
    return ctypes.create_string_buffer(struct.pack("=qq", int(moment), int(moment % 1 * parts)))


@attempt("time", look=("host",), alone=True, control=False, quick=True)
def tune_clock(c):
    """A field of the clock that nothing depends on: what error is guessed."""
    order = bytearray(208)
    struct.pack_into("=I", order, 0, 8)
    struct.pack_into("=q", order, 32, c.clock_error)
    call("adjtimex", ctypes.create_string_buffer(bytes(order)))


@attempt("time", look=("devices",), needs=("file:/dev/rtc0",))
def hardware_clock(c):
    kept = os.open("/dev/rtc0", os.O_RDONLY)
    hold()
    os.close(kept)
