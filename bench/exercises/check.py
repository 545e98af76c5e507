"""Checks the exercises beside this file.

For every exercise, in a temporary folder: the start must fail the visible and
the hidden tests, and the start with the solution must pass both. Names whatever
does not, and exits with 1.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
PARTS = ["task.txt", "start", "hidden/test_hidden.py", "solution"]
SECONDS = 20
NO_BYTECODE = dict(os.environ, PYTHONDONTWRITEBYTECODE="1")


def run_tests(folder, *names):
    """Run unittest in a folder and return "pass", "fail" or what went wrong."""
    command = [sys.executable, "-m", "unittest", *names]
    try:
        done = subprocess.run(
            command, cwd=folder, env=NO_BYTECODE, timeout=SECONDS,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )
    except subprocess.TimeoutExpired:
        return "time out"
    ran = re.search(r"^Ran (\d+) test", done.stdout, re.MULTILINE)
    if ran is None or ran.group(1) == "0":
        return "run no tests"
    if "unittest.loader._FailedTest" in done.stdout:
        return "not load"
    return "pass" if done.returncode == 0 else "fail"


def problems_of(exercise):
    """The things that are wrong with one exercise, as a list of sentences."""
    missing = [part for part in PARTS if not (exercise / part).exists()]
    if missing:
        return [f"{part} is missing" for part in missing]
    problems = []
    for state, expected in [("start", "fail"), ("solution", "pass")]:
        with tempfile.TemporaryDirectory() as temporary:
            workspace = Path(temporary) / "workspace"
            shutil.copytree(exercise / "start", workspace)
            if state == "solution":
                shutil.copytree(exercise / "solution", workspace, dirs_exist_ok=True)
            visible = run_tests(workspace)
            shutil.copy(exercise / "hidden" / "test_hidden.py", workspace)
            hidden = run_tests(workspace, "test_hidden")
        for kind, result in [("visible", visible), ("hidden", hidden)]:
            if result != expected:
                problems.append(f"{kind} tests {result} on {state}, should {expected}")
    return problems


def main():
    exercises = sorted(path for path in HERE.iterdir() if path.is_dir())
    bad = 0
    for exercise in exercises:
        problems = problems_of(exercise)
        bad += bool(problems)
        print(exercise.name + ": " + ("; ".join(problems) or "ok"))
    print(f"{len(exercises) - bad} of {len(exercises)} exercises are good")
    return 1 if bad or not exercises else 0


if __name__ == "__main__":
    sys.exit(main())
