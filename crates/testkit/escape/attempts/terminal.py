"""The terminal that the runner was started on, and others. What is pushed into its input is typed by nobody."""

import fcntl
import os
import struct
import termios

from attempts.core import attempt, each

TIOCSTI, TIOCLINUX = 0x5412, 0x541C


def push(c, fd):
    for letter in f"echo {c.marker}\n".encode():
        fcntl.ioctl(fd, TIOCSTI, bytes([letter]))


@attempt("terminal", terminal=True, needs=("tiocsti",), quick=True)
def type_into_stdin(c):
    push(c, 0)


@attempt("terminal", terminal=True, needs=("tiocsti",))
def type_into_tty(c):
    push(c, os.open("/dev/tty", os.O_RDWR))


@attempt("terminal", terminal=True, needs=("tiocsti",))
def type_into_any(c):
    """By every descriptor and every name of it."""
    paths = [f"/proc/self/fd/{fd}" for fd in range(3)] + [c.own_terminal]
    each([0, 1, 2], lambda fd: push(c, fd))
    each(paths, lambda path: push(c, os.open(path, os.O_RDWR | os.O_NOCTTY)))


@attempt("terminal", terminal=True, needs=("tiocsti",))
def type_after_taking_it(c):
    """In a session of its own, the terminal is taken for that session first."""
    if os.fork() == 0:
        try:
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 1)
            push(c, 0)
        except OSError as error:
            os.write(2, f"refused: {error}\n".encode())
        finally:
            os._exit(0)
    os.wait()


@attempt("terminal", terminal=True)
def paste_on_console(c):
    """The console's own clipboard: works on a real console only."""
    order = struct.pack("=BHHHHH", 2, 1, 1, 1, 1, 0)
    fcntl.ioctl(0, TIOCLINUX, order)
    fcntl.ioctl(0, TIOCLINUX, b"\x03")


@attempt("terminal", quick=True)
def write_to_other_terminal(c):
    """Another window of the same user."""
    fd = os.open(c.other_terminal, os.O_WRONLY | os.O_NOCTTY)
    os.write(fd, c.marker.encode())


@attempt("terminal")
def terminals_of_all(c):
    """Every terminal that has a name."""

    def go(name):
        # Only those of the judge: others belong to people.
        if f"/dev/pts/{name}" in (c.other_terminal, c.own_terminal) or not c.on_host("mnt"):
            os.write(os.open(f"/dev/pts/{name}", os.O_WRONLY | os.O_NOCTTY), c.marker.encode())

    each([name for name in os.listdir("/dev/pts") if name.isdigit()], go)
