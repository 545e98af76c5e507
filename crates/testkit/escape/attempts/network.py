"""Ways to be heard outside: the judge listens on the host's loopback, and on unix sockets."""

import array
import os
import re
import socket
import struct
import time

from attempts.core import TOOL, attempt, each, hold, pids, prove, read, say, tokens_in


def tell(c, family, address, kind=socket.SOCK_STREAM, protocol=0):
    with socket.socket(family, kind, protocol) as line:
        line.settimeout(2)
        line.connect(address)
        line.sendall(c.marker.encode())


@attempt("network", quick=True)
def tcp(c):
    tell(c, socket.AF_INET, ("127.0.0.1", c.tcp4))


@attempt("network", needs=("ipv6",), quick=True)
def tcp_over_ipv6(c):
    tell(c, socket.AF_INET6, ("::1", c.tcp6))


@attempt("network")
def tcp_to_zero(c):
    """0.0.0.0 is this machine, too."""
    tell(c, socket.AF_INET, ("0.0.0.0", c.tcp4))


@attempt("network", needs=("ipv6",))
def tcp_mapped(c):
    tell(c, socket.AF_INET6, ("::ffff:127.0.0.1", c.tcp4))


@attempt("network", needs=("own-address",))
def tcp_to_own_address(c):
    """The machine under the address that others know it by."""
    tell(c, socket.AF_INET, (c.own_address, c.tcp_own))


@attempt("network")
def tcp_fast_open(c):
    """The connection is made by sending: no call of `connect`."""
    with socket.socket() as line:
        line.settimeout(2)
        line.sendto(c.marker.encode(), socket.MSG_FASTOPEN, ("127.0.0.1", c.tcp4))


@attempt("network")
def mptcp(c):
    tell(c, socket.AF_INET, ("127.0.0.1", c.tcp4), protocol=262)


@attempt("network", look=("listen",))
def listen(c):
    """Waits to be called from outside."""
    with socket.socket() as door:
        door.bind(("127.0.0.1", c.free_port))
        door.listen()
        hold(0.8)


@attempt("network", quick=True)
def udp(c):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        line.sendto(c.marker.encode(), ("127.0.0.1", c.udp4))


@attempt("network", needs=("ipv6",))
def udp_over_ipv6(c):
    with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as line:
        line.sendto(c.marker.encode(), ("::1", c.udp6))


@attempt("network")
def udp_by_message(c):
    """`sendmsg` carries the address, and a filter may think of `sendto` only."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        line.sendmsg([c.marker.encode()], [], 0, ("127.0.0.1", c.udp4))


@attempt("network")
def dns(c):
    """A question whose name is the message."""
    label = c.marker.encode()
    question = struct.pack("!6H", 7, 0x100, 1, 0, 0, 0) + bytes([len(label)]) + label + b"\0" + struct.pack("!2H", 1, 1)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        line.sendto(question, ("127.0.0.1", c.udp4))


@attempt("network", needs=("root",))
def raw_packet(c):
    """A datagram with all its headers made by hand."""
    data = c.marker.encode()
    here = socket.inet_aton("127.0.0.1")
    udp_part = struct.pack("!4H", 9, c.udp4, 8 + len(data), 0) + data
    ip_part = struct.pack("!2B3H2BH4s4s", 0x45, 0, 20 + len(udp_part), 1, 0, 64, 17, 0, here, here)
    with socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_RAW) as line:
        line.sendto(ip_part + udp_part, ("127.0.0.1", 0))


@attempt("network", needs=("root",))
def sniff(c):
    """The judge whispers a secret on the loopback all the time."""
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3)) as line:
        line.settimeout(0.2)
        end = time.monotonic() + 1.0
        while time.monotonic() < end:
            try:
                tokens_in(line.recv(65536))
            except TimeoutError:
                continue


@attempt("network", profiles=TOOL, needs=("mac",))
def ask_netlink(c):
    """The names and addresses of the host's network cards."""
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0) as line:
        line.settimeout(1)
        # RTM_GETLINK, request and dump.
        line.send(struct.pack("=IHHII", 32, 18, 0x301, 1, 0) + bytes(16))
        for _ in range(8):
            answer = line.recv(65536)
            # IFLA_ADDRESS with six bytes.
            for found in re.finditer(rb"\x0a\x00\x01\x00(.{6})", answer, re.DOTALL):
                prove(found.group(1))
            if struct.unpack_from("=H", answer, 4)[0] == 3:
                return


@attempt("network", profiles=TOOL, needs=("mac",))
def ask_sysfs(c):
    cards = [f"/sys/class/net/{name}/address" for name in os.listdir("/sys/class/net")]
    each(cards, lambda path: prove(bytes.fromhex(read(path).decode().strip().replace(":", ""))))


@attempt("network")
def list_connections(c):
    """The tables of another network namespace, through whichever process is in it."""

    def look(pid):
        for line in read(f"/proc/{pid}/net/tcp", 1 << 20).decode().splitlines()[1:]:
            fields = line.split()
            if int(fields[1].split(":")[1], 16) == c.tcp4 and fields[3] == "0A":
                prove(f"{c.tcp4}:{fields[9]}".encode())

    each(["self", *pids()[:400]], look)


@attempt("network", needs=("vsock",))
def vsock(c):
    tell(c, socket.AF_VSOCK, (1, c.vsock))


@attempt("network", profiles=TOOL, look=("sockets",), quick=True)
def odd_sockets(c):
    """Families that nobody needs, and in which the kernel has had most of its holes."""
    kept = []
    families = {
        "packet": (socket.AF_PACKET, socket.SOCK_RAW, 0),
        "alg": (38, socket.SOCK_SEQPACKET, 0),
        "vsock": (40, socket.SOCK_STREAM, 0),
        "key": (15, socket.SOCK_RAW, 2),
        "xdp": (44, socket.SOCK_RAW, 0),
        "tipc": (30, socket.SOCK_RDM, 0),
        "bluetooth": (31, socket.SOCK_RAW, 1),
        "can": (29, socket.SOCK_RAW, 1),
        "rds": (21, socket.SOCK_SEQPACKET, 0),
        "audit": (16, socket.SOCK_RAW, 9),
        "netfilter": (16, socket.SOCK_RAW, 12),
        "raw": (socket.AF_INET, socket.SOCK_RAW, 1),
    }
    each(families, lambda name: kept.append(socket.socket(*families[name])))
    hold()


# --- unix sockets ----------------------------------------------------------------------------------------------------


@attempt("unix sockets", quick=True)
def unix_path(c):
    """A socket is reached through a read-only mount as well: such are a session bus, an agent for keys, docker."""
    tell(c, socket.AF_UNIX, c.unix_path)


@attempt("unix sockets", quick=True)
def unix_abstract(c):
    tell(c, socket.AF_UNIX, "\0" + c.unix_abstract)


@attempt("unix sockets")
def unix_datagram(c):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.sendto(c.marker.encode(), c.unix_datagram)


@attempt("unix sockets", profiles=TOOL)
def unix_in_work(c):
    """A door that somebody left open in the work folder itself."""
    os.chdir(c.work)
    tell(c, socket.AF_UNIX, "door")


@attempt("unix sockets")
def unix_by_proc(c):
    roots = ["self", "1", os.getppid(), c.victim_pid]
    each(roots, lambda who: tell(c, socket.AF_UNIX, f"/proc/{who}/root{c.unix_path}"))


@attempt("unix sockets", look=("listen",))
def unix_listen(c):
    """An abstract name that the host's programs can call."""
    with socket.socket(socket.AF_UNIX) as door:
        door.bind("\0" + c.marker + "-listen")
        door.listen()
        hold(0.8)


def receive_file(line):
    line.settimeout(2)
    _, extra, _, _ = line.recvmsg(64, socket.CMSG_SPACE(4))
    for _, _, data in extra:
        fds = array.array("i", data[:4])
        say(os.pread(fds[0], 4096, 0))


@attempt("unix sockets", quick=True)
def receive_a_file(c):
    """An open file of the host, handed in through a socket."""
    with socket.socket(socket.AF_UNIX) as line:
        line.settimeout(2)
        line.connect(c.unix_path)
        receive_file(line)


@attempt("unix sockets")
def receive_by_inherited(c):
    """The same through a socket that was left open."""
    line = socket.socket(fileno=c.fd_socket)
    line.send(c.marker.encode())
    receive_file(line)
