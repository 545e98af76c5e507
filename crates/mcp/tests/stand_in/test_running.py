"""How calls run: printing, slow calls, cancellation, tools that try to exit, and the end. Ours alone."""

import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from stand_in.harness import Server, command

HEAD = "from mcp.server.fastmcp import FastMCP, Context\nmcp = FastMCP('running')\n"
SOURCE = HEAD + '''
import asyncio, os, subprocess, sys, threading, time
counter = 0
peak = running = 0
lock = threading.Lock()
@mcp.tool()
def prints() -> str:
    print("to stdout")
    sys.stdout.write("written")
    os.write(1, b"raw write\\n")
    subprocess.run(["echo", "from a child"])
    return "quiet"
@mcp.tool()
def asks() -> str:
    try:
        return input("name? ")
    except EOFError:
        return "no input"
@mcp.tool()
def slow(seconds: float) -> str:
    global peak, running
    with lock:
        running += 1
        peak = max(peak, running)
    time.sleep(seconds)
    with lock:
        running -= 1
    return "slept"
@mcp.tool()
async def slow_async(seconds: float, ctx: Context) -> str:
    for _ in range(int(seconds * 20)):
        await asyncio.sleep(0.05)
        await ctx.info("tick")
    return "slept"
@mcp.tool()
def quick() -> str:
    return "quick"
@mcp.tool()
def most_at_once() -> int:
    return peak
@mcp.tool()
def count() -> int:
    global counter
    seen = counter
    time.sleep(0.01)
    counter = seen + 1
    return counter
@mcp.tool()
def spin() -> str:
    while True:
        pass
@mcp.tool()
def thread() -> bool:
    return threading.current_thread() is threading.main_thread()
@mcp.tool()
async def thread_async() -> bool:
    return threading.current_thread() is threading.main_thread()
@mcp.tool()
async def blocks(seconds: float) -> str:
    time.sleep(seconds)
    return "blocked"
@mcp.tool()
def leave(how: str) -> str:
    if how == "sys.exit":
        sys.exit(3)
    if how == "exit":
        exit()
    if how == "raise":
        raise SystemExit("words")
    if how == "interrupt":
        raise KeyboardInterrupt
    if how == "generator":
        raise GeneratorExit
    return "stayed"
@mcp.tool()
async def leave_async(how: str) -> str:
    await asyncio.sleep(0)
    if how == "cancel":
        raise asyncio.CancelledError
    if how == "task":
        async def child():
            sys.exit(4)
        asyncio.ensure_future(child())
        await asyncio.sleep(0.05)
        return "child is gone"
    return leave(how)
@mcp.tool()
def broken() -> str:
    def inner():
        raise ValueError("deep down")
    inner()
@mcp.tool()
def tells(ctx: Context) -> str:
    ctx.info("without await")
    ctx.report_progress(1, 2)
    return "told"
@mcp.tool()
async def tells_levels(ctx: Context) -> str:
    await asyncio.gather(ctx.debug("a"), ctx.warning("b"))
    await asyncio.create_task(ctx.error("c"))
    return "told"
@mcp.tool()
async def asks_client(ctx: Context) -> str:
    from pydantic import BaseModel
    class Form(BaseModel):
        name: str
    return str(await ctx.elicit("who?", Form))
'''


class Running(unittest.TestCase):
    def setUp(self):
        self.server = Server(SOURCE + "mcp.run()")
        self.addCleanup(self.server.close)

    def begin(self, name, **arguments):
        return self.server.begin("tools/call", {"name": name, "arguments": arguments})

    def test_printing_stays_out_of_the_protocol(self):
        self.assertEqual(self.server.text("prints"), "quiet")
        self.assertEqual(self.server.text("asks"), "no input")
        self.server.close()
        for words in (b"to stdout", b"written", b"raw write", b"from a child", b"name?"):
            self.assertIn(words, self.server.errors)
        self.assertTrue(all(line.startswith(b'{"jsonrpc"') for line in self.server.raw), self.server.raw)

    def test_ping_during_a_slow_call(self):
        slow = self.begin("slow", seconds=0.8)
        start = time.monotonic()
        self.server.request("ping")
        self.server.request("tools/list")
        self.assertLess(time.monotonic() - start, 0.5)
        self.assertIn("result", self.server.answer(slow))

    def test_cancelled_call_is_not_answered(self):
        slow = self.begin("slow", seconds=1)
        self.server.notify("notifications/cancelled", {"requestId": slow, "reason": "changed my mind"})
        start = time.monotonic()
        self.assertEqual(self.server.text("quick"), "quick")
        self.assertLess(time.monotonic() - start, 0.8, "nobody waits behind a cancelled call")
        time.sleep(1.2)
        self.server.request("ping")
        self.assertNotIn(slow, self.server.replies)

    def test_cancelled_while_waiting(self):
        slow, waiting = self.begin("slow", seconds=0.3), self.begin("count")
        self.server.notify("notifications/cancelled", {"requestId": waiting})
        self.server.answer(slow)
        self.assertEqual(self.server.text("count"), "1")
        self.assertNotIn(waiting, self.server.replies)

    def test_cancelled_async_call_stops(self):
        slow = self.begin("slow_async", seconds=30)
        time.sleep(0.5)
        self.server.notify("notifications/cancelled", {"requestId": slow})
        time.sleep(0.3)
        self.server.request("ping")
        ticks = len(self.server.notifications)
        time.sleep(0.3)
        self.server.request("ping")
        self.assertEqual(len(self.server.notifications), ticks)
        self.assertNotIn(slow, self.server.replies)

    def test_short_calls_run_one_after_the_other(self):
        ids = [self.begin("count") for _ in range(60)]
        results = [self.server.answer(each)["result"]["structuredContent"]["result"] for each in ids]
        self.assertEqual(results, list(range(1, 61)))

    def test_a_long_call_does_not_hold_up_the_rest(self):
        spinning = self.begin("spin")
        start = time.monotonic()
        self.assertEqual(self.server.text("quick"), "quick")
        self.assertLess(time.monotonic() - start, 4)
        self.assertNotIn(spinning, self.server.replies)

    def test_eight_at_once(self):
        ids = [self.begin("slow", seconds=14) for _ in range(10)]
        time.sleep(10)
        start = time.monotonic()
        self.server.request("ping")
        self.assertLess(time.monotonic() - start, 0.5)
        for each in ids:
            self.server.answer(each)
        self.assertEqual(self.server.text("most_at_once"), "8")

    def test_async_calls_run_together(self):
        self.server.text("thread_async")
        start = time.monotonic()
        ids = [self.begin("slow_async", seconds=0.5) for _ in range(8)]
        for each in ids:
            self.server.answer(each)
        self.assertLess(time.monotonic() - start, 2)

    def test_a_blocked_loop_does_not_hold_up_plain_functions(self):
        blocked = self.begin("blocks", seconds=6)
        time.sleep(0.3)
        start = time.monotonic()
        self.assertEqual(self.server.text("quick"), "quick")
        self.assertLess(time.monotonic() - start, 4)
        self.server.answer(blocked)

    def test_everything_runs_on_the_main_thread(self):
        self.assertEqual(self.server.text("thread"), "true")
        self.assertEqual(self.server.text("thread_async"), "true")
        self.assertEqual(self.server.text("thread"), "true")

    def test_nothing_a_tool_raises_ends_the_server(self):
        for how in ("sys.exit", "exit", "raise", "interrupt", "generator"):
            for name in ("leave", "leave_async"):
                with self.subTest(how=how, name=name):
                    self.assertTrue(self.server.call(name, {"how": how})["result"]["isError"])
        self.assertTrue(self.server.call("leave_async", {"how": "cancel"})["result"]["isError"])
        self.assertEqual(self.server.text("leave_async", {"how": "task"}), "child is gone")
        self.assertEqual(self.server.text("leave", {"how": "not"}), "stayed")

    def test_traceback_on_stderr(self):
        result = self.server.call("broken")["result"]
        self.assertEqual(result["content"][0]["text"], "Error executing tool broken: deep down")
        self.server.close()
        errors = self.server.errors.decode()
        self.assertIn("in inner", errors)
        self.assertIn("ValueError: deep down", errors)
        self.assertNotIn("_tool.py", errors)

    def test_messages_without_await(self):
        result = self.server.request("tools/call", {"name": "tells", "arguments": {}, "_meta": {"progressToken": 1}})
        self.assertIn("result", result)
        self.assertEqual([n["method"] for n in self.server.notifications], ["notifications/message", "notifications/progress"])

    def test_log_level(self):
        self.server.text("tells_levels")
        self.assertEqual(len(self.server.notifications), 3)
        self.assertEqual(self.server.request("logging/setLevel", {"level": "warning"})["result"], {})
        self.server.notifications = []
        self.server.text("tells_levels")
        self.assertEqual([n["params"]["level"] for n in self.server.notifications], ["warning", "error"])

    def test_questions_need_a_client_that_answers(self):
        self.assertIn("does not offer elicitation", self.server.text("asks_client"))

    def test_answers_without_a_handler(self):
        params = {"ref": {"type": "ref/prompt", "name": "x"}, "argument": {"name": "a", "value": "b"}}
        self.assertEqual(self.server.request("completion/complete", params)["result"], {"completion": {"values": []}})


class Ending(unittest.TestCase):
    def ended(self, source, *calls, within, code=0, hold=0.3):
        server = Server(source)
        for name, arguments in calls:
            server.begin("tools/call", {"name": name, "arguments": arguments})
        time.sleep(hold)
        start = time.monotonic()
        self.assertEqual(server.close(), code, server.errors.decode())
        self.assertLess(time.monotonic() - start, within)
        self.assertNotIn(b"Fatal", server.errors)
        return server.errors.decode()

    def test_idle(self):
        after = "import atexit\natexit.register(lambda: print('at exit'))\nmcp.run()\nprint('after run')"
        errors = self.ended(SOURCE + after, within=1)
        self.assertIn("after run", errors)
        self.assertIn("at exit", errors)

    def test_after_async_use(self):
        self.ended(SOURCE + "mcp.run()", ("thread_async", {}), within=1.5)

    def test_a_call_that_is_nearly_done_is_answered(self):
        server = Server(SOURCE + "mcp.run()")
        number = server.begin("tools/call", {"name": "slow", "arguments": {"seconds": 0.4}})
        server.process.stdin.close()
        self.assertIn("result", server.answer(number))
        self.assertEqual(server.close(), 0)

    def test_sleeping_tool_is_interrupted(self):
        tail = "@mcp.tool()\ndef careful() -> str:\n    try:\n        time.sleep(1000)\n    finally:\n        print('cleaned up')\nmcp.run()"
        self.assertIn("cleaned up", self.ended(SOURCE + tail, ("careful", {}), within=5))

    def test_spinning_tools(self):
        self.ended(SOURCE + "mcp.run()", ("spin", {}), ("spin", {}), ("spin", {}), within=8, hold=4)

    def test_tool_that_refuses_to_stop(self):
        tail = "@mcp.tool()\ndef stubborn() -> str:\n    while True:\n        try:\n            time.sleep(1000)\n        except BaseException:\n            pass\nmcp.run()"
        self.ended(SOURCE + tail, ("stubborn", {}), within=6)

    def test_sleeping_async_tool(self):
        self.ended(SOURCE + "mcp.run()", ("slow_async", {"seconds": 1000}), within=5)

    def test_lifespan_is_left(self):
        source = HEAD.replace("FastMCP('running')", "FastMCP('running', lifespan=life)").replace(
            "mcp = ",
            "from contextlib import asynccontextmanager\n@asynccontextmanager\nasync def life(app):\n    yield {'n': 1}\n    print('left')\nmcp = ",
        )
        tail = "@mcp.tool()\ndef state(ctx: Context) -> int:\n    return ctx.request_context.lifespan_context['n']\nmcp.run()"
        server = Server(source + tail)
        self.assertEqual(server.text("state"), "1")
        self.assertEqual(server.close(), 0)
        self.assertIn(b"left", server.errors)

    def test_client_that_stops_listening(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "server.py"
            path.write_text(SOURCE + "mcp.run()")
            pipe = subprocess.PIPE
            with subprocess.Popen(command("ours", path), stdin=pipe, stdout=pipe, stderr=pipe) as process:
                process.stdin.write(b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n')
                process.stdin.flush()
                process.stdout.readline()
                process.stdout.close()
                process.stdin.write(b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n')
                process.stdin.flush()
                self.assertEqual(process.wait(10), 0)

    def test_other_transport(self):
        server = Server(SOURCE + "mcp.run(transport='streamable-http')", start=False)
        self.assertEqual(server.close(), 1)
        self.assertIn(b"stdio only", server.errors)

    def test_prints_while_loading(self):
        server = Server("print('first', flush=True)\n" + SOURCE + "print('second')\nmcp.run()")
        self.assertEqual(server.text("quick"), "quick")
        server.close()
        self.assertIn(b"first", server.errors)
        self.assertIn(b"second", server.errors)


class Imports(unittest.TestCase):
    def test_nothing_is_loaded_that_is_not_needed(self):
        source = HEAD + "import sys\n@mcp.tool()\ndef loaded(a: int = 1) -> list[str]:\n    return sorted(sys.modules)\nmcp.run()"
        with Server(source) as server:
            modules = {block["text"] for block in server.call("loaded")["result"]["content"]}
        # What the installation loads by itself is not ours.
        bare = subprocess.run([*command("ours", "")[:2], "-c", "import sys; print(*sys.modules)"], capture_output=True, text=True)
        modules -= set(bare.stdout.split())
        for name in ("asyncio", "typing", "inspect", "dataclasses", "logging", "datetime", "traceback", "socket", "ssl", "mcp.types"):
            self.assertNotIn(name, modules)

    def test_usual_imports(self):
        lines = (
            "import mcp", "from mcp import types", "import mcp.types as types", "from mcp.server import FastMCP", "from mcp.server import fastmcp",
            "from mcp.server.fastmcp import Audio, Context, FastMCP, Icon, Image", "from mcp.server.fastmcp.server import Context, FastMCP",
            "from mcp.server.fastmcp.exceptions import ToolError, ResourceError", "from mcp.server.fastmcp.prompts import Prompt, base",
            "from mcp.server.fastmcp.prompts.base import AssistantMessage, Message, UserMessage", "from mcp import McpError, ServerSession",
            "from mcp.server.fastmcp.utilities.types import Image", "from mcp.server.fastmcp.utilities.logging import get_logger",
            "from mcp.server.fastmcp.resources import FileResource, TextResource", "from mcp.shared.exceptions import McpError",
            "from mcp.types import INTERNAL_ERROR, INVALID_PARAMS, ErrorData, TextContent, ToolAnnotations", "from mcp import Tool",
            "from mcp.server.session import ServerSession", "from mcp.server.fastmcp.tools import Tool", "from mcp.server.elicitation import AcceptedElicitation",
            "from pydantic import fields", "from pydantic.fields import FieldInfo", "from pydantic.dataclasses import dataclass",
            "from pydantic import AnyUrl, BaseModel, Field, HttpUrl, PositiveInt, TypeAdapter, conint", "from typing_extensions import Annotated, Self, TypedDict",
        )  # fmt: skip
        server = Server("\n".join(lines), start=False)
        self.assertEqual((server.close(), server.errors), (0, b""))

    def test_missing_names_say_so(self):
        for line, words in (
            ("from pydantic import SecretBytes", b"stand-in"),
            ("from mcp.server import Server", b"FastMCP"),
            ("from mcp import ClientSession", b"FastMCP"),
        ):
            with self.subTest(line=line):
                server = Server(line, start=False)
                self.assertEqual(server.close(), 1)
                self.assertIn(words, server.errors)


if __name__ == "__main__":
    unittest.main()
