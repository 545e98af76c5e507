"""Twelve files as language models write them for the official package, and what serves each."""

import json
import unittest
from pathlib import Path

from runner.harness import SERVERS, Server, official_python

# The file, and why the official package serves it; None where the runner does. Where that package has to come first is
# what is told without it.
SAMPLES = {
    "countdown": "the module mcp.server.session",
    "dice": "Field",
    "flash_cards": "the module mcp.server.fastmcp.prompts",
    "habit_tracker": "FastMCP.resource",
    "image_maker": "Image of mcp.server.fastmcp",
    "markdown_table": "the module mcp.types",
    "password_strength": "Field",
    "recipe_scaler": "the hint Recipe",
    "text_stats": None,
    "timezone_math": "the hint timedelta",
    "todo_list": "FastMCP.resource",
    "unit_converter": "FastMCP.resource",
}
# What is told where pydantic is not there.
WITHOUT_PYDANTIC = "the module pydantic"

FASTMCP = """
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("sample", instructions="Use it well.")
@mcp.tool()
def greet(name: str) -> str:
    '''Greets.'''
    return f"Hello, {name}"
def not_a_tool(): pass
"""

# (what stands after the head, what is told where the official package is not there)
BEYOND = [
    ("import mcp.types", "the module mcp.types"),
    ("from mcp import types", "types of mcp"),
    ("from mcp import ClientSession", "ClientSession of mcp"),
    ("from mcp.server import Server", "Server of mcp.server"),
    ("from mcp.server.fastmcp import Image", "Image of mcp.server.fastmcp"),
    ("FastMCP('x', lifespan=print)", "FastMCP(…, lifespan=…)"),
    ("@mcp.prompt()\ndef p(): pass", "FastMCP.prompt"),
    ("@mcp.tool(meta={})\ndef p(): pass", "@mcp.tool(…, meta=…)"),
    ("@mcp.tool()\ndef p(a: bytes): pass", "the hint bytes"),
    ("from mcp.server.fastmcp import Context\n@mcp.tool()\ndef p(c: Context): c.elicit('x', 1)", "Context.elicit"),
    ("import annotated_types_of_mine", None),
]


class Samples(unittest.TestCase):
    def test_each_is_served_or_says_what_it_needs(self):
        for name, needs in SAMPLES.items():
            with self.subTest(name):
                server = Server(SERVERS / f"{name}.py")
                code = server.close()
                if needs is None:
                    self.assertEqual((server.greeting["serves"], code), ("tools", 0))
                    continue
                self.assertEqual((server.greeting["serves"], code), ("nothing", 1))
                why = server.greeting["why"]
                self.assertTrue(needs in why or WITHOUT_PYDANTIC in why, why)
                self.assertIn("perigee config set builtin_tools.mcp_servers_package official", why)

    def test_what_is_beyond_the_runner_is_told(self):
        for source, needs in BEYOND:
            with self.subTest(source):
                server = Server(FASTMCP + source)
                self.assertEqual(server.close(), 1)
                if needs is None:
                    self.assertIsNone(server.greeting)
                else:
                    self.assertIn(f"it uses {needs}, which needs the official package", server.greeting["why"])

    @unittest.skipUnless(official_python(), "the official package is not there")
    def test_the_official_package_serves_the_others(self):
        packages = next(Path(official_python()).parents[1].glob("lib/python*/site-packages"))
        for name, needs in SAMPLES.items():
            with self.subTest(name):
                server = Server(SERVERS / f"{name}.py", str(packages))
                self.assertEqual(server.greeting["serves"], "mcp" if needs else "tools")
                if needs:
                    self.assertIn("result", _greeted(server))
                self.assertEqual(server.close(), 0, server.errors.decode())

    @unittest.skipUnless(official_python(), "the official package is not there")
    def test_the_official_package_serves_all_that_import_it_where_it_is_preferred(self):
        packages = next(Path(official_python()).parents[1].glob("lib/python*/site-packages"))
        for source, serves in ((FASTMCP + "mcp.run()", "mcp"), ("def plain(): pass", "tools")):
            server = Server(source, str(packages), "official")
            self.assertEqual(server.greeting["serves"], serves)
            if serves == "mcp":
                self.assertEqual(_greeted(server)["result"]["serverInfo"]["name"], "sample")
            server.close()


def _greeted(server):
    params = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "tests", "version": "1"}}
    server.send({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params})
    return server.message()


class FastMcp(unittest.TestCase):
    def test_its_tools_are_served(self):
        for end in ("mcp.run()", "if __name__ == '__main__':\n    mcp.run(transport='stdio')", ""):
            with self.subTest(end), Server(FASTMCP + end) as server:
                about = {key: server.greeting[key] for key in ("serves", "name", "instructions")}
                self.assertEqual(about, {"serves": "tools", "name": "sample", "instructions": "Use it well."})
                self.assertEqual(list(server.tools), ["greet"])
                self.assertEqual(server.text("greet", name="Ada"), "Hello, Ada")

    def test_text_stats(self):
        with Server(SERVERS / "text_stats.py") as server:
            told = json.loads(server.text("analyze", text="Hello world. How are you?\nFine!"))
            self.assertEqual((told["words"], told["sentences"], told["lines"]), (6, 3, 2))
            self.assertEqual(json.loads(server.text("word_frequency", text="a b a", stop_words=["b"])), {"a": 2})
            self.assertEqual(json.loads(server.text("compare", first="one two", second="two"))["shared"], ["two"])
            self.assertIn("division by zero", server.call("reading_time", text="x", words_per_minute=0)["error"])
            server.close()
            self.assertIn(b"comparing 7 with 3 characters", server.errors)

    def test_a_context_tells_progress_and_writes_to_the_log(self):
        source = """
from mcp.server.fastmcp import Context, FastMCP
from mcp.server.fastmcp.exceptions import ToolError
mcp = FastMCP("context")
@mcp.tool()
async def waits(ctx: Context, steps: int = 2) -> str:
    for step in range(steps):
        await ctx.report_progress(progress=step + 1, total=steps, message="on")
    await ctx.info("awaited")
    return "done"
@mcp.tool()
def plain(steps: int, ctx: Context[None, None] = None) -> str:
    ctx.report_progress(1)
    ctx.warning("not awaited")
    raise ToolError("as it says")
mcp.run()
"""
        with Server(source) as server:
            self.assertEqual(list(server.tools["plain"]["parameters"]["properties"]), ["steps"])
            self.assertEqual(server.text("waits"), "done")
            told = [{"progress": 1, "total": 2, "message": "on"}, {"progress": 2, "total": 2, "message": "on"}]
            self.assertEqual([{k: v for k, v in each.items() if k != "id"} for each in server.progress], told)
            self.assertEqual(server.call("plain", steps=1)["error"], "Error executing tool plain: as it says")
            server.close()
            self.assertIn(b"awaited\n", server.errors)
            self.assertIn(b"not awaited\n", server.errors)

    def test_tools_by_other_names(self):
        source = (
            "from mcp.server.fastmcp.server import FastMCP\nmcp = FastMCP()\n"
            "@mcp.tool('a', description='A.')\ndef one(): return 1\n@mcp.tool(name='a')\ndef two(): return 2\n"
            "mcp.add_tool(two, structured_output=False)\nmcp.run()"
        )
        with Server(source) as server:
            self.assertEqual({name: tool["description"] for name, tool in server.tools.items()}, {"a": "A.", "two": ""})
            self.assertEqual(server.text("a"), "1")
            server.close()
            self.assertIn(b"there is a tool a already", server.errors)

    def test_a_decorator_that_is_not_called(self):
        server = Server("from mcp.server.fastmcp import FastMCP\nmcp = FastMCP('x')\n@mcp.tool\ndef a(): pass")
        self.assertEqual(server.close(), 1)
        self.assertIn(b"write @mcp.tool()", server.errors)


if __name__ == "__main__":
    unittest.main()
