"""The table of differences is true: each is shown on both sides."""

import time
import unittest

from stand_in.differences import DIFFERENCES
from stand_in.harness import Server, official_python

SOURCE = '''
import sys
import time
from enum import Enum
from typing import Literal, Optional
from pydantic import BaseModel, Field
from typing_extensions import TypedDict
from mcp.server.fastmcp import Context, FastMCP, Image
from mcp.types import SamplingMessage, TextContent
mcp = FastMCP("differences")
class Color(Enum):
    RED = "red"
class Part(TypedDict, total=False):
    a: int
    b: str
class Renamed(BaseModel):
    a: int = Field(serialization_alias="A")
class Form(BaseModel):
    name: str
@mcp.tool()
def leave() -> str:
    sys.exit(1)
@mcp.tool()
def log(ctx: Context) -> str:
    ctx.info("said")
    return "x"
@mcp.tool()
def keep(note: Optional[str] = None) -> str:
    return note
@mcp.tool()
def literal(color: Literal[Color.RED]) -> str:
    return color.value
@mcp.tool()
def part() -> Part:
    return {"a": 1}
@mcp.tool()
def renamed() -> Renamed:
    return Renamed(a=1)
@mcp.tool()
async def wait(seconds: float) -> str:
    import asyncio
    await asyncio.sleep(seconds)
    return "waited"
@mcp.tool()
def slow(seconds: float) -> str:
    time.sleep(seconds)
    return "slept"
@mcp.tool()
def quick() -> str:
    return "quick"
@mcp.tool()
async def ask(ctx: Context) -> str:
    return str(await ctx.elicit("who?", Form))
@mcp.tool()
def block() -> TextContent:
    return TextContent(type="text", text="x")
@mcp.resource("fails://{x}")
def fails(x: str) -> str:
    raise ValueError("why")
mcp.run()
'''
COMPLETE = {"ref": {"type": "ref/prompt", "name": "x"}, "argument": {"name": "a", "value": ""}}


@unittest.skipUnless(official_python(), "the official package is not there to compare with")
class Differences(unittest.TestCase):
    shown = set()

    def both(self, name, probe, official, ours):
        """Run a probe on each side; it returns something short to compare."""
        self.shown.add(name)
        self.assertIn(name, DIFFERENCES)
        for flavour, expected in (("official", official), ("ours", ours)):
            with self.subTest(name, flavour=flavour):
                server = Server(SOURCE, flavour)
                try:
                    self.assertEqual(probe(server), expected)
                finally:
                    server.close()

    def code(self, method, params=None):
        return lambda server: server.request(method, params).get("error", {}).get("code")

    def fails(self, tool, arguments=None):
        return lambda server: server.call(tool, arguments)["result"]["isError"]

    def test_protocol(self):
        self.both("logging", self.code("logging/setLevel", {"level": "info"}), -32601, None)
        self.both("logging", lambda s: "logging" in s.introduction["result"]["capabilities"], False, True)
        self.both("completion", self.code("completion/complete", COMPLETE), -32601, None)
        self.both("unknown method", self.code("no/such"), -32602, -32601)
        self.both("version", lambda s: "standin" in s.introduction["result"]["serverInfo"]["version"], False, True)
        self.both("parse error", lambda s: (s.send_bytes(b"{\n"), "error" in s.message())[1], False, True)
        self.both("error words", _first_words, "Error", "the")

    def test_tools(self):
        self.both("exit", _survives, False, True)
        self.both("plain log", lambda s: (s.call("log"), len(s.notifications))[1], 0, 1)
        self.both("json text kept", self.fails("keep", {"note": "[1]"}), True, False)
        self.both("literal enum", self.fails("literal", {"color": "red"}), True, False)
        self.both("partial TypedDict", self.fails("part"), True, False)
        self.both("serialization alias", self.fails("renamed"), True, False)
        self.both("validation words", lambda s: "pydantic" in s.text("keep", {"note": 5}), True, False)
        self.both("content descriptions", _describes_block, True, False)
        self.both("capability asked", lambda s: (s.call("ask"), len(s.asked))[1], 1, 0)

    def test_running(self):
        self.both("cancelled", _answer_after_cancel, True, False)
        self.both("order", _quick_passes_slow, False, True)

    def test_sources_that_do_not_start_officially(self):
        head = "from mcp.server.fastmcp import FastMCP, Image\nmcp = FastMCP('x')\n"
        images = head + "@mcp.tool()\ndef f() -> list[Image]:\n    return [Image(data=b'x')]\nmcp.run()"
        self.assertEqual(self.starts(images), (False, True))
        self.shown.add("opaque list")
        nested = head + "from typing import TypedDict\nclass T(TypedDict):\n    a: int\n@mcp.tool()\ndef f(t: list[T]) -> int:\n    return t[0]['a']\nmcp.run()"
        self.assertEqual(self.starts(nested)[1], True)
        self.shown.add("nested TypedDict")

    def starts(self, source):
        found = []
        for flavour in ("official", "ours"):
            server = Server(source, flavour, start=False)
            server.begin("ping")
            found.append(server.message() is not None)
            server.close()
        return tuple(found)

    @classmethod
    def tearDownClass(cls):
        missing = set(DIFFERENCES) - cls.shown
        if missing:
            raise AssertionError(f"these differences are shown nowhere: {missing}")


def _survives(server):
    server.begin("tools/call", {"name": "leave", "arguments": {}})
    try:
        return bool(server.text("quick"))
    except (AssertionError, OSError):
        return False


def _answer_after_cancel(server):
    number = server.begin("tools/call", {"name": "wait", "arguments": {"seconds": 30}})
    time.sleep(0.5)
    server.notify("notifications/cancelled", {"requestId": number})
    time.sleep(0.5)
    server.request("ping")
    return number in server.replies


def _quick_passes_slow(server):
    slow = server.begin("tools/call", {"name": "slow", "arguments": {"seconds": 6}})
    server.text("quick")
    return slow not in server.replies


def _first_words(server):
    return server.request("resources/read", {"uri": "fails://x"})["error"]["message"].split()[0]


def _describes_block(server):
    tools = {tool["name"]: tool for tool in server.request("tools/list")["result"]["tools"]}
    return "description" in tools["block"]["outputSchema"]


if __name__ == "__main__":
    unittest.main()
