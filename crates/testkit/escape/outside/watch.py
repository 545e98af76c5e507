"""Looks at the attempt's processes while they run, through /proc of the host."""

import os
import re
import resource
import subprocess
import time

# What a watch of the sandbox may take to notice, in seconds.
GRACE = 1.5
# For these, the judge must be able to see into the processes, and must have had the time for it.
NEED_SIGHT = {"namespaces", "joined", "namespace-files", "mounts", "tree", "descriptors", "sockets", "devices",
              "writable", "switches", "capable", "gained", "rank", "oom", "rlimits", "traced", "pipes", "many-files"}
MIB = 1 << 20


def table():
    """Every process: pid → (name, state, parent, threads)."""
    found = {}
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat") as file:
                text = file.read()
        except OSError:
            continue
        before, after = text.rsplit(")", 1)
        fields = after.split()
        found[int(name)] = (before.split("(", 1)[1], fields[0], int(fields[1]), int(fields[17]))
    return found


def below(root, left_out, processes=None):
    processes = processes if processes is not None else table()
    children = {}
    for pid, (_, _, parent, _) in processes.items():
        children.setdefault(parent, []).append(pid)
    found, queue = [], [root]
    while queue:
        for pid in children.get(queue.pop(), []):
            if pid not in left_out:
                found.append(pid)
                queue.append(pid)
    return found


def marked(marker):
    """Processes that carry the marker in their command line, wherever they hang."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit() and int(name) != os.getpid():
            text = slurp(f"/proc/{name}/cmdline")
            if marker in text and "judge.py" not in text:
                found.append(int(name))
    return found


def slurp(path):
    try:
        with open(path, errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def link(path):
    try:
        return os.readlink(path)
    except OSError:
        return ""


def field(text, name):
    found = re.search(rf"^{name}:\s*(.*)$", text, re.MULTILINE)
    return found.group(1) if found else ""


class Watch:
    """One attempt, seen from outside."""

    def __init__(self, attempt, world, limits, looks):
        self.attempt, self.world, self.limits, self.looks = attempt, world, limits, looks
        self.findings = {}
        self.over_since = {}
        self.stop = False
        self.glimpses = self.blind = 0
        self.runner = None
        self.tree, self.names = [], {}
        self.host_links = set(world.told["namespaces"].values())

    def find(self, text):
        self.findings.setdefault(text, time.monotonic())

    def tick(self):
        processes = table()
        self.names = {pid: about[0] for pid, about in processes.items()}
        self.states = {pid: about[1] for pid, about in processes.items()}
        self.threads = {pid: about[3] for pid, about in processes.items()}
        self.tree = below(os.getpid(), set(self.world.helpers()), processes)
        self.tried = [pid for pid in self.tree if self.names[pid].startswith("esc-")]
        tracer = field(slurp(f"/proc/{self.world.victim_process.pid}/status"), "TracerPid")
        if tracer not in ("", "0"):
            self.find("the victim process was traced")
        self._count_glimpses()
        for name in self.attempt.look:
            if name in self.looks:
                self.looks[name](self)

    def _count_glimpses(self):
        for pid in self.tried:
            try:
                os.listdir(f"/proc/{pid}/fd")
                self.glimpses += 1
            except PermissionError:
                self.blind += 1
            except OSError:
                continue

    def needs_sight(self):
        return bool(NEED_SIGHT & set(self.attempt.look))

    # --- too much ----------------------------------------------------------------------------------------------------

    def measure(self, name, amount, unit):
        """A limit counts as broken when it has been for a while: a watch that looks now and then may be late."""
        limit = self.limits[name]
        if amount <= limit:
            self.over_since.pop(name, None)
            return
        since = self.over_since.setdefault(name, time.monotonic())
        if time.monotonic() - since >= GRACE:
            self.find(f"{int(amount)} {unit}, where {limit} are the limit")
            self.stop = True

    def ours(self, name):
        return [pid for pid in self.tried if self.names[pid] == name]

    def pairs(self):
        """A process that tried something, and one of the same attempt that did not."""
        base = self.ours("esc-base")
        return [(pid, base[0]) for pid in self.ours("esc-in")] if base else []

    def descriptors(self, pids=None):
        """(pid, number, link) of all that the attempt's processes have open."""
        for pid in pids if pids is not None else self.tried:
            try:
                numbers = os.listdir(f"/proc/{pid}/fd")
            except OSError:
                continue
            for number in numbers:
                yield pid, number, link(f"/proc/{pid}/fd/{number}")

    def is_writable(self, pid, number):
        flags = field(slurp(f"/proc/{pid}/fdinfo/{number}"), "flags")
        return bool(flags) and int(flags, 8) & 3 in (os.O_WRONLY, os.O_RDWR)


def private_memory(pids):
    total = 0
    for pid in pids:
        share = field(slurp(f"/proc/{pid}/smaps_rollup"), "Pss")
        if share:
            total += int(share.split()[0])
            continue
        status = slurp(f"/proc/{pid}/status")
        for name in ("RssAnon", "RssShmem"):
            total += int((field(status, name) or "0").split()[0])
    return total // 1024


def used_by(folder, *options):
    done = subprocess.run(["du", "-s", *options, folder], capture_output=True, text=True)
    return int(done.stdout.split()[0]) if done.stdout else 0


def hard_limits(pid):
    found = {}
    for line in slurp(f"/proc/{pid}/limits").splitlines()[1:]:
        name, rest = line[:25].strip(), line[25:].split()
        found[name] = resource.RLIM_INFINITY if rest[1] == "unlimited" else int(rest[1])
    return found


def rose(now, before):
    """Whether a limit is further away than it was; without an end is furthest."""
    if before == resource.RLIM_INFINITY:
        return False
    return now == resource.RLIM_INFINITY or now > before
