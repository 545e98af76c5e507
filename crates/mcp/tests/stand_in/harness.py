"""A server in a process of its own, spoken to over its standard streams."""

import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2] / "python"
BOOTSTRAP = PROJECT / "bootstrap.py"
SERVERS = Path(__file__).resolve().parent / "servers"
PATIENCE = 60
HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "tests", "version": "1"},
}


def official_python():
    """A Python that has the official package, or None."""
    named = os.environ.get("MCP_OFFICIAL_PYTHON")
    return named if named and Path(named).exists() else None


def plain_python():
    """The Python for ours: MCP_OUR_PYTHON, or the one that has the official package (so that both run on the same)."""
    return os.environ.get("MCP_OUR_PYTHON") or official_python() or sys.executable


def command(flavour, source):
    if flavour == "official":
        return [official_python(), "-I", str(source)]
    return [plain_python(), "-I", str(BOOTSTRAP), str(source)]


class Server:
    """One running server. `source` is a path, or the text of a server."""

    def __init__(self, source, flavour="ours", hello=None, start=True, env=None):
        self._folder = tempfile.TemporaryDirectory()
        if isinstance(source, str):
            path = Path(self._folder.name) / "server.py"
            path.write_text(source, encoding="utf-8")
        else:
            path = source
        sandbox = Path(self._folder.name) / "sandbox"
        sandbox.mkdir()
        environment = {"PATH": os.environ.get("PATH", ""), "MCP_SANDBOX_DIR": str(sandbox), "TZ": "UTC", **(env or {})}
        self.process = subprocess.Popen(
            command(flavour, path),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
            cwd=self._folder.name,
        )
        self.raw, self.notifications, self.asked = [], [], []
        self.errors = b""
        self.replies = {}
        self._arrived = queue.Queue()
        self._next = 0
        self._readers = [threading.Thread(target=self._read), threading.Thread(target=self._read_errors)]
        for reader in self._readers:
            reader.start()
        if start:
            self.introduction = self.request("initialize", hello or HELLO)
            self.notify("notifications/initialized")

    def _read(self):
        for line in self.process.stdout:
            self.raw.append(line)
            try:
                message = json.loads(line)
            except ValueError:
                message = {"broken": line}
            self._arrived.put(message)
        self._arrived.put(None)

    def _read_errors(self):
        for line in self.process.stderr:
            self.errors += line

    # Sending.

    def send_bytes(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message):
        self.send_bytes(json.dumps(message).encode() + b"\n")

    def notify(self, method, params=None):
        self.send({"jsonrpc": "2.0", "method": method, **({"params": params} if params is not None else {})})

    def begin(self, method, params=None):
        """Send a request and return its id."""
        self._next += 1
        message = {"jsonrpc": "2.0", "id": self._next, "method": method}
        self.send({**message, "params": params} if params is not None else message)
        return self._next

    # Receiving.

    def message(self, timeout=PATIENCE):
        """The next message of any kind; None at the end of output."""
        return self._arrived.get(timeout=timeout)

    def answer(self, request_id, timeout=PATIENCE):
        """The answer to one request. Whatever comes before it is kept."""
        while request_id not in self.replies:
            message = self.message(timeout)
            if message is None:
                raise AssertionError(f"the server ended: {self.errors.decode(errors='replace')[-2000:]}")
            if "method" in message and "id" in message:
                self._reply_to(message)
            elif "method" in message:
                self.notifications.append(message)
            else:
                self.replies[message.get("id")] = message
        return self.replies.pop(request_id)

    def _reply_to(self, message):
        """The server asks the client something: answer as the test laid down."""
        self.asked.append(message)
        result = getattr(self, "answers", {}).get(message["method"])
        if result is None:
            self.send({"jsonrpc": "2.0", "id": message["id"], "error": {"code": -32601, "message": "no"}})
        else:
            self.send({"jsonrpc": "2.0", "id": message["id"], "result": result})

    def request(self, method, params=None, timeout=PATIENCE):
        return self.answer(self.begin(method, params), timeout)

    def call(self, name, arguments=None, **extra):
        return self.request("tools/call", {"name": name, "arguments": arguments or {}, **extra})

    def text(self, name, arguments=None):
        """The first text a tool answers with."""
        return self.call(name, arguments)["result"]["content"][0]["text"]

    # The end.

    def close(self, timeout=PATIENCE):
        """Close the input and wait. Returns the exit code."""
        if not self.process.stdin.closed:
            try:
                self.process.stdin.close()
            except BrokenPipeError:
                pass
        try:
            code = self.process.wait(timeout)
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
