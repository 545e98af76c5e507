"""Listeners on the host. Whoever reaches one has got out, whether or not it says something."""

import array
import os
import select
import socket
import threading
import time


class Ears:
    """All listeners of one lane, and what they heard."""

    def __init__(self, folder, loud_token, handed_file):
        self.heard = []
        self.handed = handed_file
        self.folder = folder
        self.closed = False
        self.sockets = []
        self.tcp4 = self._stream("TCP", socket.AF_INET, ("127.0.0.1", 0))[1]
        self.tcp6 = self._maybe(self._stream, "TCP over IPv6", socket.AF_INET6, ("::1", 0))
        self.udp4 = self._datagram("UDP", socket.AF_INET, ("127.0.0.1", 0))[1]
        self.udp6 = self._maybe(self._datagram, "UDP over IPv6", socket.AF_INET6, ("::1", 0))
        self.path = self._stream("a unix socket", socket.AF_UNIX, os.path.join(folder, "stream"))
        self.door = self._stream("a unix socket in the work folder", socket.AF_UNIX, os.path.join(folder, "door"))
        self.datagram = self._datagram("a unix datagram socket", socket.AF_UNIX, os.path.join(folder, "datagram"))
        self.abstract = "escape-" + os.urandom(8).hex()
        self._stream("an abstract unix socket", socket.AF_UNIX, "\0" + self.abstract)
        self.vsock = self._maybe(self._stream, "vsock", getattr(socket, "AF_VSOCK", 40), (1, 0xFFFFFFFF))
        self.own_address, self.tcp_own = "", 0
        self.granted = self._granted()
        # The far end is left open in the runner.
        self.left_open, near = socket.socketpair()
        self.sockets += [self.left_open, near]
        self._start(self._serve, "the inherited socket", near)
        self._start(self._whisper, loud_token)

    def at_own_address(self, address):
        self.own_address = address
        self.tcp_own = self._stream("TCP at the machine's own address", socket.AF_INET, (address, 0))[1]

    def tcp_inode(self):
        return os.fstat(self.sockets[0].fileno()).st_ino

    def _maybe(self, make, name, family, address):
        try:
            return make(name, family, address)[1]
        except OSError:
            return 0

    def _start(self, run, *arguments):
        threading.Thread(target=run, args=arguments, daemon=True).start()

    def _stream(self, name, family, address):
        door = socket.socket(family, socket.SOCK_STREAM)
        door.bind(address)
        door.listen(64)
        self.sockets.append(door)
        self._start(self._accept, name, door)
        return door.getsockname()

    def _granted(self):
        """The one server that a program may be let out to. It sends everybody on to one that nobody may reach."""
        door = socket.create_server(("127.0.0.1", 0))
        self.sockets.append(door)
        answer = f"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:{self.tcp4}/\r\nContent-Length: 0\r\n\r\n"

        def serve():
            while not self.closed:
                try:
                    line, _ = door.accept()
                    with line:
                        line.settimeout(1)
                        line.recv(4096)
                        line.sendall(answer.encode())
                except TimeoutError:
                    continue
                except OSError:
                    if door.fileno() < 0:
                        return

        self._start(serve)
        return f"127.0.0.1:{door.getsockname()[1]}"

    def _datagram(self, name, family, address):
        line = socket.socket(family, socket.SOCK_DGRAM)
        line.bind(address)
        self.sockets.append(line)
        self._start(self._receive, name, line)
        return line.getsockname()

    def _accept(self, name, door):
        while not self.closed:
            try:
                line, _ = door.accept()
            except OSError:
                return
            self.heard.append(f"{name} was reached")
            self._start(self._serve, name, line)

    def _serve(self, name, line):
        """Hands an open file to whoever calls by a unix socket: a helpful program of the host."""
        try:
            line.settimeout(None if "inherited" in name else 3)
            while True:
                if "inherited" not in name and line.family == socket.AF_UNIX:
                    self._hand(line)
                data = line.recv(4096)
                if not data:
                    return
                self.heard.append(f"{name} got {len(data)} bytes")
                if "inherited" in name:
                    self._hand(line)
        except OSError:
            return
        finally:
            if "inherited" not in name:
                line.close()

    def _hand(self, line):
        rights = (socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [self.handed]))
        line.sendmsg([b"here"], [rights])

    def _receive(self, name, line):
        while not self.closed:
            try:
                data = line.recv(65536)
            except OSError:
                return
            # The judge's own whisper comes back to it.
            if not data.startswith(b"whisper"):
                self.heard.append(f"{name} got {len(data)} bytes")

    def _whisper(self, token):
        """Says a secret on the loopback, for those who can overhear it."""
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
            while not self.closed:
                try:
                    line.sendto(b"whisper " + token.encode(), ("127.0.0.1", self.udp4))
                except OSError:
                    pass
                time.sleep(0.15)

    def take(self):
        # What has arrived and not been taken yet is waited for: a busy machine must not pass for a tight sandbox.
        end = time.monotonic() + 1
        try:
            while self.left_open.recv(4096, socket.MSG_DONTWAIT):
                pass
        except OSError:
            pass
        ours = [one for one in self.sockets if one is not self.left_open]
        while select.select(ours, [], [], 0)[0] and time.monotonic() < end:
            time.sleep(0.005)
        heard, self.heard = self.heard, []
        return sorted(set(heard))

    def close(self):
        self.closed = True
        for one in self.sockets:
            one.close()
