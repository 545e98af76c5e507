"""Memory, queues and semaphores that processes share by name or number."""

import ctypes
import os
import struct

from attempts.core import attempt, call, libc, read, say, write

CREATE = 0o1000


def attach(number):
    libc.shmat.restype = ctypes.c_void_p
    place = libc.shmat(number, None, 0)
    if place in (None, ctypes.c_void_p(-1).value):
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return place


@attempt("ipc", needs=("sysv",), quick=True)
def read_segment(c):
    say(ctypes.string_at(attach(call("shmget", c.shm_key, 0, 0)), 64))


@attempt("ipc", needs=("sysv",))
def read_segment_by_number(c):
    """Numbers are small, and a key is not needed."""
    say(ctypes.string_at(attach(c.shm_id), 64))


@attempt("ipc", needs=("sysv",))
def write_segment(c):
    ctypes.memmove(attach(c.shm_id), b"xxxx", 4)


@attempt("ipc", needs=("sysv",))
def remove_segment(c):
    call("shmctl", c.shm_id, 0, 0)


@attempt("ipc", needs=("sysv",), look=("left-ipc",))
def leave_segment(c):
    call("shmget", c.left_key, 4096, CREATE | 0o600)


@attempt("ipc", needs=("sysv",))
def change_semaphore(c):
    # SETVAL
    call("semctl", c.sem_id, 0, 16, 5)


@attempt("ipc", needs=("sysv",), look=("left-ipc",))
def leave_semaphore(c):
    call("semget", c.left_key, 1, CREATE | 0o600)


@attempt("ipc", needs=("sysv",), quick=True)
def send_message(c):
    text = c.marker.encode()
    call("msgsnd", c.msg_id, ctypes.create_string_buffer(struct.pack("=q", 1) + text), len(text), 0o4000)


@attempt("ipc", needs=("sysv",), look=("left-ipc",))
def leave_queue(c):
    call("msgget", c.left_key, CREATE | 0o600)


@attempt("ipc", needs=("mqueue",), quick=True)
def send_to_named_queue(c):
    fd = call("mq_open", ctypes.c_char_p(c.queue.encode()), os.O_WRONLY, 0, 0)
    text = c.marker.encode()
    call("mq_timedsend", fd, ctypes.create_string_buffer(text), len(text), 0, 0)


@attempt("ipc", needs=("mqueue",), look=("left-ipc",))
def leave_named_queue(c):
    call("mq_open", ctypes.c_char_p((c.marker + "-left").encode()), os.O_RDWR | os.O_CREAT, 0o600, 0)


@attempt("ipc", needs=("devshm",), quick=True)
def read_shared_folder(c):
    say(read(c.devshm_file))


@attempt("ipc", needs=("devshm",))
def write_shared_folder(c):
    with open(c.devshm_file, "ab") as file:
        file.write(c.marker.encode())


@attempt("ipc", needs=("devshm",))
def leave_in_shared_folder(c):
    write(os.path.join(c.devshm, "left"), c.marker)
