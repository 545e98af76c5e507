"""Runs one attempt after the other in a world of their own, and decides from outside what came of each.

A lane is a process of its own. Whatever an attempt disowns becomes the lane's child, so nothing gets lost.
"""

import ctypes
import os
import secrets
import shlex
import signal
import subprocess
import sys
import threading
import time

from attempts import ATTEMPTS, BASELINE
from outside import host, objects, readback
from outside.looks import LOOKS
from outside.watch import Watch, below, marked, table
from outside.world import HERE, World

HELD, ESCAPED, NOT_APPLICABLE, BROKEN = "held", "escaped", "not applicable", "broken"
# So much of what it says is kept.
KEPT = 4 << 20
TICK = 0.06
# Seconds that the last process may take to be gone.
PATIENCE = 2.5


class Drain:
    """Reads what comes out, counts it, and keeps the beginning."""

    def __init__(self, fd, limit, too_much):
        self.data, self.total, self.ended = bytearray(), 0, False
        self.fd, self.limit, self.too_much = fd, limit, too_much
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self):
        while True:
            try:
                block = os.read(self.fd, 1 << 16)
            except OSError:
                break
            if not block:
                break
            self.total += len(block)
            self.data += block[:max(0, KEPT - len(self.data))]
            if self.total > self.limit:
                self.too_much(self.total)
                break
        self.ended = True


class Lane:
    def __init__(self, base, number, options):
        # PR_SET_CHILD_SUBREAPER
        ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
        self.options = options
        self.profile = options["profile"]
        self.world = World(base, number, self.profile, os.path.join(base, "template"), "{layer}" in options["runner"])

    def close(self):
        self.world.close()

    # --- one attempt -------------------------------------------------------------------------------------------------

    def judge(self, name):
        attempt = (ATTEMPTS | BASELINE)[name]
        begun = time.monotonic()
        why = self._why_not(attempt)
        if why:
            return self._result(attempt, NOT_APPLICABLE, [], why, begun)
        seen, told, notes = self._run(attempt)
        if not seen and self._saw_too_little(told):
            seen, told, notes = self._run(attempt)
        if attempt.group == "baseline":
            written = any(host.quietly(host.content, os.path.join(place, "works")) for place in self.world.written())
            works = "\nworks esc" in "\n" + told or written
            return self._result(attempt, HELD if works else BROKEN, [], told[-300:], begun)
        return self._verdict(attempt, seen, told, notes, begun)

    def _why_not(self, attempt):
        if self.profile == "control" and not attempt.control:
            return "never run without a sandbox"
        return next((why for need in attempt.needs if (why := host.lacking(need, self.world))), None)

    def _saw_too_little(self, told):
        """On a machine that is busy with other things, an attempt may have come and gone between two looks."""
        return self.watch.needs_sight() and self.watch.glimpses < 3 and "refused" not in told

    def _verdict(self, attempt, seen, told, notes, begun):
        if seen:
            return self._result(attempt, ESCAPED, seen, "; ".join(notes), begun)
        words = last_words(told)
        if f"began {attempt.name}" not in told:
            return self._result(attempt, BROKEN, [], f"it did not start: {told[-300:]}", begun)
        if "bug: " in told:
            return self._result(attempt, BROKEN, [], told[told.index("bug: "):][:1500], begun)
        if self.watch.needs_sight() and self.watch.blind and not self.watch.glimpses:
            return self._result(attempt, BROKEN, [], "the judge may not look into the processes", begun)
        if self.profile == "control":
            return self._result(attempt, NOT_APPLICABLE, [], f"the control could not do it: {words}", begun)
        return self._result(attempt, HELD, [], "; ".join([*notes, words] if words else notes), begun)

    def _result(self, attempt, verdict, seen, note, begun):
        return {
            "name": attempt.name, "group": attempt.group, "profile": self.profile, "verdict": verdict, "seen": seen,
            "note": note, "promised": attempt.promised, "seconds": round(time.monotonic() - begun, 2),
        }

    def _run(self, attempt):
        """(what was seen from outside, what the attempt said, notes)."""
        marker = "esc" + secrets.token_hex(10)
        context = self.world.prepare(attempt, marker)
        before = host.state()
        watch = Watch(attempt, self.world, self.options["limits"], LOOKS)
        watch.context = context
        self.watch = watch
        output, notes = b"", []
        for _ in range(attempt.times):
            run = Run(self, attempt, marker, watch)
            try:
                run.start()
                run.watch_until_end()
                run.look_for_survivors()
            finally:
                run.end_all()
            output += run.output() + b"\n"
            notes += run.notes
        self._look_after(attempt, watch, marker, before, output, notes)
        seen = list(watch.findings)
        self.world.repair()
        host.restore(before, self.world.work)
        return seen, output.decode(errors="replace"), notes

    def _look_after(self, attempt, watch, marker, before, output, notes):
        world, find = self.world, watch.find
        objects.unmount_below(world.folder)
        for what in readback.leaked(world, output, fresh=True):
            find(f"{what} came out")
        for what in world.damage(marker):
            find(what)
        is_control = self.profile == "control"
        note = find if is_control else notes.append
        if "reader" in attempt.look:
            readback.careful(world, find)
            readback.careless(world, note)
        if "writer" in attempt.look:
            readback.writer(world, find, True)
            readback.writer(world, note, False)
        if "left" in attempt.look:
            readback.left_rights(world, find)
        if "git" in attempt.look:
            readback.git(world, find)
        if "left-ipc" in attempt.look:
            for what in world.objects.left(marker):
                find(what)
        if "left-key" in attempt.look:
            for what in world.objects.left_keys(marker):
                find(what)
        if "host" in attempt.look:
            for what in host.changes(before):
                find(what)
        if not {"storage", "entries"} & set(attempt.look):
            readback.left_secrets(world, find)


def last_words(told):
    lines = [line for line in told.splitlines() if "refused" in line]
    return lines[-1][:160] if lines else ""


class Run:
    """The processes of one attempt, from the start to the last of them."""

    def __init__(self, lane, attempt, marker, watch):
        self.lane, self.attempt, self.marker, self.watch = lane, attempt, marker, watch
        self.world, self.options = lane.world, lane.options
        self.drains, self.notes, self.runner, self.report = [], [], None, None
        self.flooded = None

    def start(self):
        world, work = self.world, self.world.work
        words = [self.options["python"], "-I", "-B", os.path.join(work, "attempts", "run.py"), self.attempt.name,
                 os.path.join(work, "context.json"), self.marker]
        command = [*self._runner(), *words]
        more = dict(pair.format(**self._places()).split("=", 1) for pair in self.options["env"])
        rest = {
            "env": world.environment(more), "cwd": world.data, "close_fds": True,
            "pass_fds": (world.left_open, world.left_folder, world.ears.left_open.fileno()),
        }
        if self.attempt.terminal:
            self._start_on_terminal(command, rest)
        else:
            self._start_on_pipes(command, rest)
        self.watch.runner = self.runner

    def _places(self):
        world = self.world
        profile = "tool" if self.lane.profile == "control" else self.lane.profile
        return {"profile": profile, "work": world.work, "home": world.home, "data": world.data,
                "granted": world.ears.granted, "layer": world.layer or ""}

    def _runner(self):
        if self.lane.profile == "control":
            return [sys.executable, "-I", os.path.join(HERE, "plain.py")]
        return [word.format(**self._places()) for word in shlex.split(self.options["runner"])]

    def _start_on_pipes(self, command, rest):
        stdin = open(self.world.path("stdin/input")) if self.attempt.stdin == "file" else subprocess.DEVNULL
        pipe = subprocess.PIPE
        self.runner = subprocess.Popen(command, stdin=stdin, stdout=pipe, stderr=pipe,
                                       process_group=self.world.start_neighbour(), **rest)
        if self.attempt.stdin == "file":
            stdin.close()
        limit = self.options["limits"]["output"] << 20
        for stream in (self.runner.stdout, self.runner.stderr):
            self.drains.append(Drain(stream.fileno(), limit, self._too_much))

    def _start_on_terminal(self, command, rest):
        self.master, slave = os.openpty()
        self.report = self.world.path("cache", "typed")
        path = os.ttyname(slave)
        leader = [sys.executable, "-I", os.path.join(HERE, "session.py"), path, self.report]
        # The attempt is told which terminal is its own.
        context = os.path.join(self.world.work, "context.json")
        text = open(context).read().replace('"own_terminal": ""', f'"own_terminal": "{path}"')
        with open(context, "w") as file:
            file.write(text)
        self.runner = subprocess.Popen([*leader, *command], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL, start_new_session=True, **rest)
        self.slave = slave
        self.drains.append(Drain(self.master, self.options["limits"]["output"] << 20, self._too_much))

    def _too_much(self, total):
        self.flooded = total

    def watch_until_end(self):
        end = time.monotonic() + self.attempt.limit
        asked = False
        ready = [os.path.join(place, "ready") for place in self.world.written()]
        while self.runner.poll() is None:
            self.watch.tick()
            if self.flooded:
                self.watch.find(f"more than {self.flooded >> 20} MiB of output arrived")
                return
            if self.watch.stop:
                return
            if self.attempt.ending and not asked and any(map(os.path.exists, ready)):
                asked = True
                self.runner.send_signal(signal.SIGKILL if self.attempt.ending == "kill" else signal.SIGTERM)
            if time.monotonic() > end:
                self.notes.append("ended at its time limit")
                return
            time.sleep(TICK)

    def survivors(self):
        processes = table()
        left_out = set(self.world.helpers())
        known = {*below(os.getpid(), left_out, processes), *marked(self.marker)} - left_out
        known.discard(self.runner.pid)
        alive = [pid for pid in known if processes.get(pid, ("", "Z"))[1] not in "ZX"]
        for pid in known - set(alive):
            if processes.get(pid, ("", "", 0))[2] == os.getpid():
                host.quietly(os.waitpid, pid, os.WNOHANG)
        return alive

    def look_for_survivors(self):
        """The runner has ended by itself, or was killed. Nothing of the attempt may be there soon after."""
        if self.runner.poll() is None:
            return
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            self.watch.tick()
            alive = self.survivors()
            if not alive and all(drain.ended for drain in self.drains if not self.attempt.terminal):
                return
            if self.flooded or self.watch.stop:
                break
            time.sleep(0.04)
        if self.flooded:
            self.watch.find(f"more than {self.flooded >> 20} MiB of output arrived")
        names = sorted({self.watch.names.get(pid, "?") for pid in self.survivors()})
        if names:
            self.watch.find(f"after the runner's end there were processes left: {', '.join(names)[:80]}")

    def end_all(self):
        """Stops them first, so that none can make another while the rest are ended."""
        if self.runner is None:
            return
        stopped = set()
        for _ in range(60):
            fresh = set(self._everybody()) - stopped
            if not fresh:
                break
            for pid in fresh:
                host.quietly(os.kill, pid, signal.SIGSTOP)
            stopped |= fresh
        for _ in range(40):
            everybody = self._everybody()
            if not everybody:
                break
            for pid in everybody:
                host.quietly(os.kill, pid, signal.SIGKILL)
            self.survivors()
            time.sleep(0.01)
        self.runner.wait()
        self._close()

    def _everybody(self):
        found = self.survivors()
        return [*found, self.runner.pid] if self.runner.poll() is None else found

    def _close(self):
        if self.attempt.terminal:
            # What the attempt said comes out as long as the terminal is there.
            time.sleep(0.05)
            os.close(self.slave)
            self.drains[0].thread.join(1)
            os.close(self.master)
            typed = host.quietly(host.content, self.report) or b""
            if self.marker.encode() in typed:
                self.watch.find("something was typed into the terminal")
            host.quietly(os.unlink, self.report)
            return
        for drain, stream in zip(self.drains, (self.runner.stdout, self.runner.stderr)):
            drain.thread.join(1)
            stream.close()

    def output(self):
        return b"\n".join(bytes(drain.data) for drain in self.drains)
