"""Strange values, and functions that do what they should not. After each attack the server still answers."""

import unittest

from runner.harness import Server

SOURCE = '''
import os, sys, threading
from typing import Any
def echo(value: Any = None) -> str:
    return repr(value)[:200]
def size(text: str) -> int:
    return len(text)
def give(count: int) -> str:
    return "x" * count
def same(text: str) -> str:
    return text
def numbers() -> dict:
    return {"nan": float("nan"), "inf": [float("-inf")]}
def loop() -> list:
    value = []
    value.append(value)
    return {"value": value}
def deep(depth: int) -> list:
    value = []
    for _ in range(depth):
        value = [value]
    return {"value": value}
def closes() -> str:
    for number in (0, 1, 2):
        os.close(number)
    return "closed"
def takes_streams() -> str:
    sys.stdin = sys.stdout = sys.stderr = None
    return "taken"
def floods() -> str:
    for _ in range(200):
        print("x" * 50_000)
    os.write(1, b"raw" * 1000)
    return "printed"
def exits_in_a_thread() -> str:
    other = threading.Thread(target=sys.exit)
    other.start()
    other.join()
    return "stayed"
def raises(kind: str) -> str:
    class Nameless(Exception):
        def __str__(self):
            raise ValueError("no words")
        __repr__ = __str__
    raise {"recursion": RecursionError, "memory": MemoryError, "nameless": Nameless, "base": BaseException}[kind]
def shows() -> object:
    class Bad:
        def __str__(self):
            raise ValueError("not shown")
    return Bad()
'''


class Hostile(unittest.TestCase):
    def setUp(self):
        self.server = Server(SOURCE)

    def tearDown(self):
        self.assertEqual(self.server.text("echo", value=1), "1")
        self.assertEqual(self.server.close(), 0)
        self.assertTrue(all(line.endswith(b"\n") for line in self.server.raw))

    def test_half_a_surrogate_pair(self):
        self.assertEqual(self.server.text("same", text="a\ud800b"), "a?b")

    def test_numbers_that_json_lacks(self):
        self.assertIn("NaN", self.server.text("numbers"))

    def test_result_that_contains_itself(self):
        self.assertIn("error", self.server.call("loop"))

    def test_result_that_nests_deeply(self):
        self.assertIn("error", self.server.call("deep", depth=100_000))

    def test_strange_arguments(self):
        for arguments in ({"": 1}, {"__class__": 1}, {"value": {"$ref": "#"}}, {"\u0000": []}):
            self.assertIn("content", self.server.call("echo", **arguments))

    def test_line_of_eight_megabytes(self):
        room = 8 * 1024 * 1024
        self.assertEqual(self.server.text("size", text="x" * room), str(room))

    def test_large_result(self):
        self.assertEqual(len(self.server.text("give", count=20_000_000)), 20_000_000)

    def test_functions_that_spoil_the_streams(self):
        for name, answer in (("floods", "printed"), ("takes_streams", "taken"), ("closes", "closed")):
            with self.subTest(name):
                self.assertEqual(self.server.text(name), answer)
                self.assertEqual(self.server.text("echo", value=1), "1")

    def test_exit_in_a_thread(self):
        self.assertEqual(self.server.text("exits_in_a_thread"), "stayed")

    def test_errors_of_every_kind(self):
        for kind in ("recursion", "memory", "nameless", "base"):
            with self.subTest(kind):
                self.assertIn("error", self.server.call("raises", kind=kind))
        self.assertIn("error", self.server.call("shows"))


if __name__ == "__main__":
    unittest.main()
