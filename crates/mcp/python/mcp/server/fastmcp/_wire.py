"""The protocol's own file descriptors, and messages on them: one JSON object on each line.

The author's code shares the process, and prints. So the protocol takes copies of descriptors 0 and 1
for itself, and leaves the null device and standard error in their places: nothing the author
prints, and nothing a subprocess prints, can fall between two messages.
"""

import fcntl
import json
import os
import sys
import threading

from mcp._shapes.jsonable import finite

MAX_LINE = 8 * 1024 * 1024
_CHUNK = 64 * 1024
TOO_LONG = object()

_claimed = None


def claim():
    """Take standard input and output for the protocol. Safe to call twice; the first call counts.

    A bootstrap may call it before the author's source runs, so that even a flushed print while the
    source loads stays out of the protocol.
    """
    global _claimed
    if _claimed is None:
        # Above 2, even where standard error is closed and its number free.
        _claimed = Wire(fcntl.fcntl(0, fcntl.F_DUPFD_CLOEXEC, 3), fcntl.fcntl(1, fcntl.F_DUPFD_CLOEXEC, 3))
        null = os.open(os.devnull, os.O_RDWR)
        os.dup2(null, 0)
        try:
            os.dup2(2, 1)
        except OSError:
            os.dup2(null, 1)  # There is no standard error either.
        os.close(null)
        # What was printed so far still sits in the buffer: now it can go where it belongs.
        try:
            sys.stdout.flush()
            sys.stdout.reconfigure(line_buffering=True)
        except (AttributeError, ValueError, OSError):
            pass
    return _claimed


class Wire:
    def __init__(self, source, sink):
        self._source, self._sink = source, sink
        self._writing = threading.Lock()
        self._encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=str).encode
        self.gone = False
        self.when_gone = None

    def lines(self):
        """Every line that comes, as bytes, or TOO_LONG in place of one that is larger than MAX_LINE."""
        held, scanned, skipping = bytearray(), 0, False
        while True:
            chunk = self._read()
            if not chunk:
                if held and not skipping:
                    yield bytes(held)
                return
            held += chunk
            while True:
                end = held.find(b"\n", scanned)
                if end < 0:
                    break
                line = bytes(held[:end])
                del held[: end + 1]
                scanned = 0
                if not skipping:
                    yield line if len(line) <= MAX_LINE else TOO_LONG
                skipping = False
            scanned = len(held)
            if skipping or scanned > MAX_LINE:
                if not skipping:
                    yield TOO_LONG
                held, scanned, skipping = bytearray(), 0, True

    def _read(self):
        while True:
            try:
                return os.read(self._source, _CHUNK)
            except BlockingIOError:
                _wait(self._source, reading=True)
            except OSError:
                return b""

    def send(self, message):
        """Write one message. After the reader has gone nothing more is written."""
        data = self._encoded(message) + b"\n"
        with self._writing:
            if self.gone:
                return
            try:
                self._write(memoryview(data))
                return
            except OSError:
                self.gone = True
        if self.when_gone:
            self.when_gone()

    def _encoded(self, message):
        try:
            text = self._encode(message)
        except ValueError:
            # NaN and infinity have no JSON form.
            text = self._encode(finite(message))
        # Half a surrogate pair has no UTF-8 form.
        return text.encode("utf-8", "replace")

    def _write(self, data):
        while data:
            try:
                data = data[os.write(self._sink, data) :]
            except BlockingIOError:
                _wait(self._sink, reading=False)


def _wait(descriptor, reading):
    """Someone set the pipe to non-blocking; pipes are shared, so it may not have been us."""
    import select

    watched = [descriptor]
    select.select(watched if reading else [], [] if reading else watched, [])
