"""A file in the runner, in a process of its own, which the tests speak to as Perigee does."""

import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "python" / "run.py"
SERVERS = Path(__file__).resolve().parent / "servers"
PATIENCE = 60


def official_python():
    """A Python that has the official package, or None."""
    named = os.environ.get("MCP_OFFICIAL_PYTHON")
    return named if named and Path(named).exists() else None


def command(path, *more):
    return [sys.executable, "-I", str(SCRIPT), str(path), *more]


class Server:
    """One file that runs. `source` is a path, or the text of a file; `more` are further arguments of the runner."""

    def __init__(self, source, *more):
        self._folder = tempfile.TemporaryDirectory()
        path = source
        if isinstance(source, str):
            path = Path(self._folder.name) / "server.py"
            path.write_text(source, encoding="utf-8")
        sandbox = Path(self._folder.name) / "sandbox"
        sandbox.mkdir()
        environment = {"PATH": os.environ.get("PATH", ""), "MCP_SANDBOX_DIR": str(sandbox), "TZ": "UTC"}
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            command(path, *more), stdin=pipe, stdout=pipe, stderr=pipe, env=environment, cwd=self._folder.name
        )
        self.raw, self.progress, self.answers, self.errors = [], [], {}, b""
        self._arrived = queue.Queue()
        self._next = 0
        self._readers = [threading.Thread(target=self._read), threading.Thread(target=self._read_errors)]
        for reader in self._readers:
            reader.start()
        # The first line; None where the file ended before it.
        self.greeting = self.message()
        listed = (self.greeting or {}).get("tools", [])
        self.tools = {tool["name"]: tool for tool in listed}

    def _read(self):
        for line in self.process.stdout:
            self.raw.append(line)
            self._arrived.put(json.loads(line))
        self._arrived.put(None)

    def _read_errors(self):
        for line in self.process.stderr:
            self.errors += line

    def send(self, message):
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def message(self):
        """The next message of any kind; None at the end."""
        return self._arrived.get(timeout=PATIENCE)

    def begin(self, tool, **arguments):
        """Begins a call and returns its id."""
        self._next += 1
        self.send({"id": self._next, "tool": tool, "arguments": arguments})
        return self._next

    def answer(self, number):
        """The answer to one call. What comes before it is kept."""
        while number not in self.answers:
            message = self.message()
            if message is None:
                raise AssertionError(f"the server ended: {self.errors.decode(errors='replace')[-2000:]}")
            if "progress" in message:
                self.progress.append(message)
            else:
                self.answers[message.get("id", message.get("pong"))] = message
        return self.answers.pop(number)

    def call(self, tool, **arguments):
        return self.answer(self.begin(tool, **arguments))

    def text(self, tool, **arguments):
        """The one text that a tool answers with."""
        answer = self.call(tool, **arguments)
        (text,) = answer.get("content") or [answer]
        return text

    def ping(self):
        self._next += 1
        self.send({"ping": self._next})
        return self.answer(self._next)

    def cancel(self, number):
        self.send({"cancel": number})

    def close(self):
        """Closes the channel and waits. Returns the exit code."""
        if not self.process.stdin.closed:
            try:
                self.process.stdin.close()
            except BrokenPipeError:
                pass
        try:
            code = self.process.wait(PATIENCE)
        finally:
            if self.process.poll() is None:
                self.process.kill()
                self.process.wait()
            for reader in self._readers:
                reader.join(5)
            self.process.stdout.close()
            self.process.stderr.close()
            self._folder.cleanup()
        return code

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        self.close()
