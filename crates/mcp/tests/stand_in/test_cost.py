"""What both cost: time from start to the answer to `initialize`, and memory after a call. Printed."""

import time
import unittest

from stand_in.harness import SERVERS, Server, official_python

RUNS = 7
# The largest our own may be. Machines differ, so the limits are loose; the numbers are printed.
MOST_MEGABYTES = 24
MOST_SECONDS = 1.0
CASES = {
    "plain functions": (SERVERS / "unit_converter.py", "convert_length", {"value": 1, "from_unit": "m", "to_unit": "km"}),
    "models": (SERVERS / "recipe_scaler.py", "nice_fraction", {"amount": 0.5}),
    "async": (SERVERS / "countdown.py", "countdown", {"steps": 1}),
}


def measure(flavour, source, tool, arguments):
    """(seconds until initialize is answered, seconds until a tool has answered, megabytes)."""
    start = time.perf_counter()
    server = Server(source, flavour)
    ready = time.perf_counter() - start
    server.request("tools/list")
    server.call(tool, arguments)
    done = time.perf_counter() - start
    memory = _status(server.process.pid)
    server.close()
    return ready, done, memory


def _status(process):
    """Resident memory in megabytes: all of it, and what is the process's own."""
    found = {}
    with open(f"/proc/{process}/status", encoding="ascii") as status:
        for line in status:
            key, _colon, rest = line.partition(":")
            if key in ("VmRSS", "RssAnon"):
                found[key] = int(rest.split()[0]) / 1024
    return found["VmRSS"], found["RssAnon"]


def best(flavour, case):
    """The best of several runs: the rest is what else the machine does."""
    runs = [measure(flavour, *case) for _ in range(RUNS)]
    return min(r[0] for r in runs), min(r[1] for r in runs), min(r[2][0] for r in runs), min(r[2][1] for r in runs)


class Cost(unittest.TestCase):
    def test_cost(self):
        flavours = ["ours", *(["official"] if official_python() else [])]
        print(f"\n{'':18}{'':10}{'initialize':>12}{'first call':>12}{'resident':>12}{'own':>10}")
        for name, case in CASES.items():
            found = {flavour: best(flavour, case) for flavour in flavours}
            for flavour, (ready, done, all_memory, own) in found.items():
                print(f"{name:18}{flavour:10}{ready * 1000:9.0f} ms{done * 1000:9.0f} ms{all_memory:9.1f} MB{own:7.1f} MB")
            if len(found) == 2:
                ratios = [theirs / ours for theirs, ours in zip(found["official"], found["ours"])]
                print(f"{name:18}{'ratio':10}{ratios[0]:11.1f}x{ratios[1]:11.1f}x{ratios[2]:11.1f}x{ratios[3]:9.1f}x")
            self.assertLess(found["ours"][0], MOST_SECONDS)
            self.assertLess(found["ours"][2], MOST_MEGABYTES)


if __name__ == "__main__":
    unittest.main()
