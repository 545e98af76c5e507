"""Type hints: how the arguments of a tool are described, and what a function is given."""

import json
import subprocess
import unittest
from pathlib import Path

from runner.harness import Server, official_python

FOLDER = Path(__file__).resolve().parent
HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "tests", "version": "1"}}

HEAD = """
import enum, datetime
from datetime import date, time
from typing import Annotated, Any, Dict, List, Literal, Mapping, Optional, Sequence, Set, Union
class Side(enum.Enum):
    LEFT = "left"
class Level(enum.IntEnum):
    LOW = 1
"""

# (hint, what the call gives, what the function gets as text)
GIVEN = [
    ("int", 3, "3"),
    ("float", 3, "3.0"),
    ("float", 2.5, "2.5"),
    ("str", "3", "'3'"),
    ("bool", True, "True"),
    ("None", None, "None"),
    ("Any", {"a": [1]}, "{'a': [1]}"),
    ("list[float]", [1, 2.5], "[1.0, 2.5]"),
    ("Sequence[int]", [1], "[1]"),
    ("set[str]", ["a"], "{'a'}"),
    ("Set[float]", [1], "{1.0}"),
    ("dict[str, float]", {"a": 1}, "{'a': 1.0}"),
    ("Dict[str, List[Side]]", {"a": ["left"]}, "{'a': [<Side.LEFT: 'left'>]}"),
    ("Optional[float]", None, "None"),
    ("Optional[float]", 1, "1.0"),
    ("float | str", 1, "1.0"),
    ("float | str", "1", "'1'"),
    ("int | str", "x", "'x'"),
    ("Union[Side, int]", "left", "<Side.LEFT: 'left'>"),
    ("Union[Side, int]", 3, "3"),
    ("Literal['a', 1]", 1, "1"),
    ("Side", "left", "<Side.LEFT: 'left'>"),
    ("Level", 1, "<Level.LOW: 1>"),
    ("date", "2025-01-31", "datetime.date(2025, 1, 31)"),
    ("datetime.datetime", "2025-01-31T12:00:00Z", "datetime.datetime(2025, 1, 31, 12, 0, tzinfo=datetime.timezone.utc)"),
    ("time", "12:30", "datetime.time(12, 30)"),
    ("Optional[date]", None, "None"),
    ("'Optional[Side]'", "left", "<Side.LEFT: 'left'>"),
    ("Annotated[float, 'words']", 1, "1.0"),
]

# (function, words of the reason why it cannot be a tool)
REFUSED = [
    ("def f(a: bytes): pass", "the hint bytes"),
    ("def f(a: dict[int, str]): pass", "the hint dict[int, str]"),
    ("def f(a: tuple[int, str]): pass", "the hint tuple[int, str]"),
    ("def f(a: Missing): pass\n", "NameError"),
    ("def f(a: 'Missing'): pass", "the hint 'Missing'"),
    ("def f(*a): pass", "arguments with a star in f"),
    ("def f(**a): pass", "arguments with a star in f"),
    ("def f(_a: int): pass", "the parameter _a of f"),
    ("def f(a=object()): pass", "a default of the type object in f"),
    ("class C: pass\ndef f(a: C): pass", "the hint C"),
    ("def f(a: Literal[b'x']): pass", "a choice of b'x'"),
]

# (what is returned, the texts of the answer)
RETURNED = [
    ("None", []),
    ("'text'", ["text"]),
    ("3", ["3"]),
    ("3.5", ["3.5"]),
    ("True", ["true"]),
    ("[]", []),
    ("[1, 'a', None, [2, {'b': 1}]]", ["1", "a", "2", '{\n  "b": 1\n}']),
    ("(1, 2)", ["1", "2"]),
    ("{'ü': [1, None]}", ['{\n  "ü": [\n    1,\n    null\n  ]\n}']),
    ("{1: 2, (1, 2): {3}, Side.LEFT: 4}", ['{\n  "1": 2,\n  "[1, 2]": [\n    3\n  ],\n  "left": 4\n}']),
    ("Side.LEFT", ["left"]),
    ("Level.LOW", ["1"]),
    ("b'bytes'", ["bytes"]),
    ("date(2025, 1, 31)", ["2025-01-31"]),
    ("Point(1)", ['{\n  "x": 1\n}']),
    ("Row(1)", ['{\n  "a": 1\n}']),
    ("(n for n in (1, 2))", ["[\n  1,\n  2\n]"]),
    ("Decimal('1.50')", ["1.50"]),
    ("Path('a/b')", ["a/b"]),
]


class Hints(unittest.TestCase):
    def test_a_function_gets_values_of_its_hints(self):
        functions = [f"def f{n}(value: {hint}): return repr(value)" for n, (hint, *_) in enumerate(GIVEN)]
        with Server(HEAD + "\n".join(functions)) as server:
            for number, (hint, given, expected) in enumerate(GIVEN):
                with self.subTest(hint=hint, given=given):
                    self.assertEqual(server.text(f"f{number}", value=given), expected)

    def test_what_cannot_be_described_is_told(self):
        for function, words in REFUSED:
            with self.subTest(function):
                server = Server(HEAD + function)
                self.assertEqual(server.close(), 1)
                told = server.greeting["why"] if server.greeting else server.errors.decode()
                self.assertIn(words, told)

    def test_results_become_texts(self):
        head = HEAD + (
            "import dataclasses\nfrom collections import namedtuple\nfrom decimal import Decimal\nfrom pathlib import Path\n"
            "@dataclasses.dataclass\nclass Point:\n    x: int\nRow = namedtuple('Row', 'a')\n"
        )
        functions = [f"def f{n}(): return {value}" for n, (value, _) in enumerate(RETURNED)]
        with Server(head + "\n".join(functions)) as server:
            for number, (value, texts) in enumerate(RETURNED):
                with self.subTest(value):
                    self.assertEqual(server.call(f"f{number}"), {"id": number + 1, "content": texts})

    def test_defaults_and_keywords_stay_with_the_function(self):
        source = "def f(a: int, b: int = 2, *, c: int, d: int = 4): return [a, b, c, d]"
        with Server(source) as server:
            self.assertEqual(server.call("f", a=1, c=3)["content"], ["1", "2", "3", "4"])
            self.assertEqual(server.call("f", a=1, b=5, c=3, d=6, e=7)["content"], ["1", "5", "3", "6"])

    def test_public_functions_are_tools(self):
        source = (
            "from math import sqrt\nfrom textwrap import dedent\nimport functools\n"
            "def _hidden(): pass\nclass Hidden:\n    def method(self): pass\n"
            "def keep(function):\n    @functools.wraps(function)\n    def inner(*a, **k): return function(*a, **k)\n    return inner\n"
            "del Hidden\n"
            'def one(a: int):\n    """Does one thing."""\n@keep\ndef two(b: str): return b\nasync def three(): pass\n_keep = keep\ndel keep\n'
        )
        with Server(source) as server:
            self.assertEqual(list(server.tools), ["one", "two", "three"])
            self.assertEqual(server.tools["one"]["description"], "Does one thing.")
            self.assertEqual(server.text("two", b="x"), "x")


class Approved(unittest.TestCase):
    """Descriptions of tools are a part of what people have approved, so they stay those of the official package."""

    maxDiff = None
    source, golden = FOLDER / "fastmcp_hints.py", FOLDER / "fastmcp_tools.json"

    def test_tools_are_described_as_the_official_package_does(self):
        expected = json.loads(self.golden.read_text(encoding="utf-8"))
        with Server(self.source) as server:
            for tool, (name, found) in zip(expected, server.tools.items()):
                with self.subTest(name):
                    self.assertEqual({"title": None, **found}, tool)
            self.assertEqual(len(server.tools), len(expected))

    @unittest.skipUnless(official_python(), "the official package is not there to compare with")
    def test_the_official_package_does_so(self):
        messages = [
            {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO},
            {"jsonrpc": "2.0", "method": "notifications/initialized"},
            {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
        ]
        process = subprocess.Popen(
            [official_python(), "-I", str(self.source)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        with process:
            for message in messages:
                print(json.dumps(message), file=process.stdin, flush=True)
            process.stdout.readline()
            listed = json.loads(process.stdout.readline())["result"]["tools"]
            process.stdin.close()
        tools = [
            {key: tool.get(key) for key in ("name", "description", "title")} | {"parameters": tool["inputSchema"]}
            for tool in listed
        ]
        self.assertEqual(tools, json.loads(self.golden.read_text(encoding="utf-8")))


if __name__ == "__main__":
    unittest.main()
