"""The channel to Perigee: one JSON object on each line.

The file's own code shares the process, and prints. So the channel takes copies of descriptors 0 and 1 for itself, and
leaves the null device and standard error in their places: nothing that the code or a program of its prints can get
between two messages.
"""

import fcntl
import json
import os
import sys
import threading

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class Channel:
    def __init__(self):
        # Above 2, even where standard error is closed and its number free.
        self._source = fcntl.fcntl(0, fcntl.F_DUPFD_CLOEXEC, 3)
        self._sink = fcntl.fcntl(1, fcntl.F_DUPFD_CLOEXEC, 3)
        null = os.open(os.devnull, os.O_RDWR)
        os.dup2(null, 0)
        try:
            os.dup2(2, 1)
        except OSError:
            os.dup2(null, 1)
        os.close(null)
        if sys.stdout is not None:
            sys.stdout.reconfigure(line_buffering=True)
        self._writer = open(self._sink, "wb")
        self._writing = threading.Lock()

    def send(self, message):
        """Writes a message. Nothing happens once Perigee has closed the channel."""
        # Half a surrogate pair has no UTF-8 form.
        line = _encode(message).encode("utf-8", "replace") + b"\n"
        with self._writing:
            try:
                self._writer.write(line)
                self._writer.flush()
            except OSError:
                pass

    def messages(self):
        """Yields what Perigee sends, until it closes the channel."""
        with open(self._source, "rb") as source:
            for line in source:
                yield json.loads(line)

    def give_back(self):
        """Makes the channel standard input and output again, for the program that takes over."""
        os.dup2(self._source, 0)
        os.dup2(self._sink, 1)
