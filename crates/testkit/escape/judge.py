"""Judges a sandbox from outside: starts a world with secrets, lets hostile programs run in the sandbox one by one,
and looks at what became of the world. What a program says about itself does not count.

    judge.py --profile tool --runner 'perigee sandbox run --profile {profile} --work {work} --'
    judge.py --profile control              no sandbox at all: shows that the attempts bite

In the runner, {profile}, {work}, {home} and {data} stand for what the judge chose, and {granted} for the one server
that a program may be let out to. Ends with 0 if nothing got out; in the control, if enough did.
"""

import argparse
import multiprocessing
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from multiprocessing.connection import wait

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.dont_write_bytecode = True

from attempts import ATTEMPTS, BASELINE  # noqa: E402
from outside import report  # noqa: E402
from outside.lane import BROKEN, Lane  # noqa: E402
from outside.world import clear  # noqa: E402

LANES = 2
# What a sandbox must not let be exceeded. The sizes of the attempts lie above.
LIMITS = {"memory": 1200, "pipes": 400, "processes": 256, "threads": 1200, "storage": 500, "entries": 25_000,
          "descriptors": 2_000, "output": 64, "contexts": 2_000, "watches": 100}
SHELL_LIMITS = {"processes": 560}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--profile", choices=["tool", "shell", "control"], required=True)
    parser.add_argument("--runner", default="", help="the command that a program is put behind")
    parser.add_argument("--only", action="append", default=[], metavar="GROUP|NAME", help="may be given several times")
    parser.add_argument("--quick", action="store_true", help="the part that takes half a minute")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of text")
    parser.add_argument("--list", action="store_true", help="name the attempts and end")
    parser.add_argument("--python", default="/usr/bin/python3", help="the interpreter inside")
    parser.add_argument("--base", default="/var/tmp", help="where the world is made; not what the sandbox hides anyway")
    parser.add_argument("--env", action="append", default=[], metavar="NAME=VALUE", help="more for the runner")
    parser.add_argument("--limit", action="append", default=[], metavar="NAME=AMOUNT",
                        help=f"what must not be exceeded: {', '.join(LIMITS)}")
    chosen = parser.parse_args()
    if chosen.profile != "control" and not chosen.runner and not chosen.list:
        parser.error("name the sandbox with --runner")
    return chosen


def choose(chosen):
    def fits(attempt):
        if chosen.profile != "control" and chosen.profile not in attempt.profiles:
            return False
        if chosen.only:
            return attempt.name in chosen.only or attempt.group in chosen.only
        return attempt.quick or not chosen.quick

    return [attempt for attempt in ATTEMPTS.values() if fits(attempt)]


def make_template(base, python):
    """The attempts, compiled for the interpreter inside, and a repository with a submodule."""
    place = os.path.join(base, "template")
    shutil.copytree(os.path.join(HERE, "attempts"), os.path.join(place, "attempts"),
                    ignore=shutil.ignore_patterns("__pycache__"))
    subprocess.run([python, "-I", "-m", "compileall", "-q", os.path.join(place, "attempts")], check=False)
    if shutil.which("git"):
        make_repository(place)


def make_repository(place):
    home = os.path.join(place, "nobody")
    os.mkdir(home)
    environment = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "HOME": home, "GIT_CONFIG_NOSYSTEM": "1"}
    who = ["-c", "user.name=judge", "-c", "user.email=judge@localhost", "-c", "init.defaultBranch=main",
           "-c", "protocol.file.allow=always"]

    def git(*words):
        subprocess.run(["git", *who, *words], env=environment, check=True, capture_output=True)

    part, whole = os.path.join(place, "part"), os.path.join(place, "repository")
    for path in (part, whole):
        git("init", "-q", path)
        with open(os.path.join(path, "note.txt"), "w") as file:
            file.write("a note\n")
        git("-C", path, "add", "note.txt")
        git("-C", path, "commit", "-q", "-m", "a note")
    git("-C", whole, "submodule", "add", "-q", part, "sub")
    git("-C", whole, "commit", "-q", "-m", "a part")
    # As somebody has it who works in several trees.
    git("-C", whole, "config", "extensions.worktreeConfig", "true")
    hook = os.path.join(whole, ".git", "hooks", "post-commit")
    os.makedirs(os.path.dirname(hook), exist_ok=True)
    with open(hook, "w") as file:
        file.write("#!/bin/sh\n")
    os.chmod(hook, 0o755)


def serve(pipe, base, number, options):
    """A lane: judges what it is told to, until there is no more."""
    lane = Lane(base, number, options)
    try:
        while True:
            try:
                name = pipe.recv()
            except EOFError:
                return
            if name is None:
                return
            try:
                pipe.send(lane.judge(name))
            except Exception as error:
                import traceback

                attempt = (ATTEMPTS | BASELINE)[name]
                note = f"the judge failed: {error!r}\n{traceback.format_exc()}"
                pipe.send({"name": name, "group": attempt.group, "profile": options["profile"], "verdict": BROKEN,
                           "seen": [], "note": note, "promised": True, "seconds": 0})
    finally:
        lane.close()


def judge_all(lanes, names, told):
    """Hands out the names, and gives back the results in the order in which they came."""
    results, waiting = [], list(reversed(names))
    busy = {}
    idle = list(lanes)
    while waiting or busy:
        while waiting and idle:
            pipe = idle.pop()
            busy[pipe] = waiting.pop()
            pipe.send(busy[pipe])
        for pipe in wait(list(busy)):
            results.append(pipe.recv())
            told(results[-1])
            del busy[pipe]
            idle.append(pipe)
    return results


def main():
    chosen = arguments()
    attempts = choose(chosen)
    if chosen.list:
        for attempt in attempts:
            print(f"{attempt.group:20} {attempt.name:32} {' '.join(attempt.profiles)}")
        return 0
    # Attempts open many files, and so does who looks at them.
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    limits = LIMITS | (SHELL_LIMITS if chosen.profile == "shell" else {})
    limits |= {name: int(amount) for name, amount in (pair.split("=") for pair in chosen.limit)}
    options = {"profile": chosen.profile, "runner": chosen.runner, "python": chosen.python, "env": chosen.env,
               "limits": limits}
    # Asked to end, it still clears up.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    begun = time.monotonic()
    base = tempfile.mkdtemp(prefix="escape-", dir=chosen.base)
    # Somebody who is nobody must get as far as the programs that are laid out for him.
    os.chmod(base, 0o755)
    processes, lanes = [], []
    try:
        make_template(base, chosen.python)
        context = multiprocessing.get_context("fork")
        for number in range(LANES):
            ours, theirs = context.Pipe()
            process = context.Process(target=serve, args=(theirs, base, number, options))
            process.start()
            theirs.close()
            processes.append(process)
            lanes.append(ours)
        told = (lambda result: None) if chosen.json else report.line
        names = [one.name for one in BASELINE.values() if chosen.profile in (*one.profiles, "control")]
        ground = judge_all(lanes, names, lambda result: None)
        unfit = [one for one in ground if one["verdict"] == BROKEN]
        if unfit:
            return report.unfit(unfit)
        together = [one.name for one in attempts if not one.alone]
        alone = [one.name for one in attempts if one.alone]
        results = judge_all(lanes, together, told) + judge_all(lanes[:1], alone, told)
        return report.whole(results, chosen, time.monotonic() - begun)
    finally:
        for pipe in lanes:
            try:
                pipe.send(None)
            except OSError:
                continue
        for process in processes:
            process.join(40)
        clear(base)


if __name__ == "__main__":
    sys.exit(main())
