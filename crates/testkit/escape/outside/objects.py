"""Things of the kernel that processes share: segments, queues, semaphores, keys. And a few small calls."""

import ctypes
import os
import shutil
import socket
import struct
import tempfile

from attempts.core import call, libc
from outside import host

CREATE, REMOVE = 0o1000, 0
SESSION, USER = -3, -4


def free_port():
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        return door.getsockname()[1]


def handle_of(path):
    """What names a file without a path, as the kernel wants it back."""
    handle = ctypes.create_string_buffer(struct.pack("=Ii", 128, 0), 136)
    call("name_to_handle_at", -100, ctypes.c_char_p(path.encode()), handle, ctypes.byref(ctypes.c_int()), 0)
    length = struct.unpack_from("=I", handle.raw)[0]
    return handle.raw[:8 + length].hex()


def mounts_below(path):
    with open("/proc/self/mountinfo") as file:
        return [place for place in (line.split()[4] for line in file) if place.startswith(path + "/")]


def unmount_below(path):
    """Before anything walks through the folder or deletes it: the host's own devices may be mounted there."""
    for _ in range(5):
        found = mounts_below(path)
        if not found:
            return
        for place in reversed(found):
            host.quietly(call, "umount2", ctypes.c_char_p(place.encode()), 2)
    raise RuntimeError(f"what is mounted below {path} does not go away")


class Objects:
    def __init__(self, segment_token, key_token, session_token):
        self.text = segment_token.encode()
        self.tokens = (key_token, session_token)
        self.key = int.from_bytes(os.urandom(3), "big") | 0x45000000
        self.left_key = self.key ^ 0x1000000
        self.name = "escape-" + os.urandom(8).hex()
        self.shm = self.sem = self.msg = None
        self.queue, self.user_key, self.session_key, self.folder = "", "", "", ""
        host.quietly(self._make_system_v)
        host.quietly(self._make_queue)
        host.quietly(self._make_keys)
        if os.path.isdir("/dev/shm") and os.access("/dev/shm", os.W_OK):
            self.folder = tempfile.mkdtemp(prefix="escape-", dir="/dev/shm")
            self.shared_token = segment_token
            self._write_shared()

    def _make_system_v(self):
        libc.shmat.restype = ctypes.c_void_p
        libc.shmdt.argtypes = [ctypes.c_void_p]
        self.shm = call("shmget", self.key, 4096, CREATE | 0o600)
        self.sem = call("semget", self.key, 1, CREATE | 0o600)
        self.msg = call("msgget", self.key, CREATE | 0o600)
        self._fill_segment()

    def _fill_segment(self):
        place = libc.shmat(self.shm, None, 0)
        ctypes.memmove(place, self.text, len(self.text))
        libc.shmdt(place)

    def _make_queue(self):
        attributes = struct.pack("=8q", 0, 8, 256, 0, 0, 0, 0, 0)
        flags = os.O_RDWR | os.O_CREAT | os.O_NONBLOCK
        word = ctypes.c_char_p(self.name.encode())
        self.queue_fd = call("mq_open", word, flags, 0o600, ctypes.create_string_buffer(attributes))
        self.queue = self.name

    def _make_keys(self):
        word = ctypes.c_char_p
        # A ring of its own for this lane and for all that it starts, as a login has one.
        call("keyctl", 1, word(self.name.encode()))
        call("keyctl", 8, USER, SESSION)
        self.keys = []
        for ring, token in ((USER, self.tokens[0]), (SESSION, self.tokens[1])):
            name = f"{self.name}-{'user' if ring == USER else 'session'}"
            number = call("add_key", word(b"user"), word(name.encode()), word(token.encode()), len(token), ring)
            self.keys.append((ring, number))
            call("keyctl", 5, number, 0x3F3F0000)
            # Gone by itself, should the judge be killed before it can clear up.
            call("keyctl", 15, number, 1800)
        self.user_key, self.session_key = f"{self.name}-user", f"{self.name}-session"

    def _write_shared(self):
        for name in os.listdir(self.folder):
            os.unlink(os.path.join(self.folder, name))
        with open(os.path.join(self.folder, "shared"), "w") as file:
            file.write(self.shared_token)

    def refresh(self):
        self.damage()

    # --- what became of them -----------------------------------------------------------------------------------------

    def damage(self):
        return [*self._system_v_damage(), *self._queue_damage(), *self._folder_damage()]

    def _system_v_damage(self):
        if self.shm is None:
            return []
        place = libc.shmat(self.shm, None, 0)
        if place in (None, ctypes.c_void_p(-1).value):
            return ["the shared segment is gone"]
        found = []
        if ctypes.string_at(place, len(self.text)) != self.text:
            found.append("the shared segment was changed")
        libc.shmdt(place)
        if call("semctl", self.sem, 0, 12, 0) != 0:
            found.append("the semaphore was changed")
        buffer = ctypes.create_string_buffer(264)
        if host.quietly(call, "msgrcv", self.msg, buffer, 256, 0, 0o4000) is not None:
            found.append("a message came by the System V queue")
        return found

    def _queue_damage(self):
        if not self.queue:
            return []
        buffer = ctypes.create_string_buffer(256)
        got = host.quietly(call, "mq_timedreceive", self.queue_fd, buffer, 256, 0, 0)
        return ["a message came by the named queue"] if got is not None else []

    def _folder_damage(self):
        if not self.folder:
            return []
        found = []
        if os.listdir(self.folder) != ["shared"]:
            found.append("something was left in /dev/shm")
        if host.quietly(host.content, os.path.join(self.folder, "shared")) != self.shared_token.encode():
            found.append("the shared file in /dev/shm was changed")
        return found

    def left(self, marker):
        """Objects that an attempt made and that are here, on the host."""
        found = []
        for kind, order in (("segment", "shmget"), ("semaphore", "semget"), ("queue", "msgget")):
            arguments = (self.left_key, 0) if order == "msgget" else (self.left_key, 0, 0)
            number = host.quietly(call, order, *arguments)
            if number is None:
                continue
            found.append(f"a System V {kind} was left behind")
            remove = {"segment": ("shmctl", number, REMOVE, 0), "semaphore": ("semctl", number, 0, REMOVE, 0),
                      "queue": ("msgctl", number, REMOVE, 0)}[kind]
            host.quietly(call, *remove)
        if host.quietly(call, "mq_unlink", ctypes.c_char_p(f"{marker}-left".encode())) is not None:
            found.append("a named queue was left behind")
        return found

    def left_keys(self, marker):
        word = ctypes.c_char_p
        found = []
        for ring in (USER, SESSION):
            number = host.quietly(call, "keyctl", 10, ring, word(b"user"), word(f"{marker}-left".encode()), 0)
            if number is not None:
                found.append(f"a key was left on the {'user' if ring == USER else 'session'}'s ring")
                host.quietly(call, "keyctl", 9, number, ring)
        return found

    def repair(self):
        if self.shm is not None:
            if host.quietly(call, "shmget", self.key, 0, 0) is None:
                self.shm = call("shmget", self.key, 4096, CREATE | 0o600)
            self._fill_segment()
            call("semctl", self.sem, 0, 16, 0)
        if self.folder:
            self._write_shared()

    def close(self):
        for order in (("shmctl", self.shm, REMOVE, 0), ("semctl", self.sem, 0, REMOVE, 0),
                      ("msgctl", self.msg, REMOVE, 0)):
            if order[1] is not None:
                host.quietly(call, *order)
        if self.queue:
            host.quietly(call, "mq_unlink", ctypes.c_char_p(self.queue.encode()))
        for ring, number in getattr(self, "keys", []):
            host.quietly(call, "keyctl", 9, number, ring)
        if self.folder:
            shutil.rmtree(self.folder, ignore_errors=True)
