"""How calls run: printing, slow calls, cancellation, functions that try to exit, and the end."""

import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from runner.harness import Server, command

FASTMCP = """
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("running")
@mcp.tool()
def quick() -> str:
    return "quick"
"""
PLAIN = '''
import asyncio, os, subprocess, sys, threading, time
from perigee import progress
counter = 0
peak = running = 0
lock = threading.Lock()
def prints() -> str:
    print("to stdout")
    sys.stdout.write("written")
    os.write(1, b"raw write\\n")
    subprocess.run(["echo", "from a child"])
    return "quiet"
def asks() -> str:
    try:
        return input("name? ")
    except EOFError:
        return "no input"
def slow(seconds: float) -> str:
    global peak, running
    with lock:
        running += 1
        peak = max(peak, running)
    time.sleep(seconds)
    with lock:
        running -= 1
    return "slept"
def quick() -> str:
    return "quick"
def most_at_once() -> int:
    return peak
def count() -> int:
    global counter
    seen = counter
    time.sleep(0.01)
    counter = seen + 1
    return counter
def spin() -> str:
    while True:
        pass
def thread() -> bool:
    return threading.current_thread() is threading.main_thread()
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
def broken() -> str:
    def inner():
        raise ValueError("deep down")
    inner()
def tells() -> str:
    progress(1, 2, "half")
    progress(2)
    return "told"
'''
ASYNC = '''async def slow_async(seconds: float) -> str:
    for number in range(int(seconds * 20)):
        await asyncio.sleep(0.05)
        progress(number)
    return "slept"
async def thread_async() -> bool:
    return threading.current_thread() is threading.main_thread()
async def blocks(seconds: float) -> str:
    time.sleep(seconds)
    return "blocked"
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
async def tells_async() -> str:
    await asyncio.gather(*(asyncio.to_thread(progress, 1) for _ in range(2)))
    return "told"
'''


class Common:
    """What holds with an event loop and without."""

    source = PLAIN

    def setUp(self):
        self.server = Server(self.source)
        self.addCleanup(self.server.close)

    def test_printing_stays_out_of_the_protocol(self):
        self.assertEqual(self.server.text("prints"), "quiet")
        self.assertEqual(self.server.text("asks"), "no input")
        self.server.close()
        for words in (b"to stdout", b"written", b"raw write", b"from a child", b"name?"):
            self.assertIn(words, self.server.errors)
        self.assertEqual(len(self.server.raw), 3)

    def test_ping_during_a_slow_call(self):
        slow = self.server.begin("slow", seconds=0.8)
        start = time.monotonic()
        self.server.ping()
        self.assertLess(time.monotonic() - start, 0.5)
        self.assertIn("content", self.server.answer(slow))

    def test_cancelled_call_is_not_answered(self):
        slow = self.server.begin("slow", seconds=1)
        self.server.cancel(slow)
        start = time.monotonic()
        self.assertEqual(self.server.text("quick"), "quick")
        self.assertLess(time.monotonic() - start, 0.8, "nobody waits behind a cancelled call")
        time.sleep(1.2)
        self.server.ping()
        self.assertNotIn(slow, self.server.answers)

    def test_cancelled_while_waiting(self):
        slow, waiting = self.server.begin("slow", seconds=0.3), self.server.begin("count")
        self.server.cancel(waiting)
        self.server.answer(slow)
        self.assertEqual(self.server.text("count"), "1")
        self.assertNotIn(waiting, self.server.answers)

    def test_short_calls_run_one_after_the_other(self):
        ids = [self.server.begin("count") for _ in range(60)]
        results = [self.server.answer(each)["content"] for each in ids]
        self.assertEqual(results, [[str(number)] for number in range(1, 61)])

    def test_a_long_call_does_not_hold_up_the_rest(self):
        spinning = self.server.begin("spin")
        start = time.monotonic()
        self.assertEqual(self.server.text("quick"), "quick")
        self.assertLess(time.monotonic() - start, 4)
        self.assertNotIn(spinning, self.server.answers)

    def test_everything_runs_on_the_main_thread(self):
        for _ in range(2):
            self.assertEqual(self.server.text("thread"), "true")

    def test_nothing_a_tool_raises_ends_the_server(self):
        for how in ("sys.exit", "exit", "raise", "interrupt", "generator"):
            with self.subTest(how=how):
                self.assertIn("error", self.server.call("leave", how=how))
        self.assertEqual(self.server.text("leave", how="not"), "stayed")

    def test_traceback_on_stderr(self):
        self.assertEqual(self.server.call("broken")["error"], "Error executing tool broken: deep down")
        self.server.close()
        errors = self.server.errors.decode()
        self.assertIn("in inner", errors)
        self.assertIn("ValueError: deep down", errors)
        self.assertNotIn("calls.py", errors)

    def test_progress(self):
        number = self.server.begin("tells")
        self.server.answer(number)
        told = [{"id": number, "progress": 1, "total": 2, "message": "half"}, {"id": number, "progress": 2}]
        self.assertEqual(self.server.progress, told)

    def test_too_many_calls_are_refused(self):
        ids = [self.server.begin("slow", seconds=0.01) for _ in range(1100)]
        self.assertIn("too many calls", self.server.answer(ids[-1])["error"])
        self.server.ping()


class WithoutLoop(Common, unittest.TestCase):
    def test_eight_at_once(self):
        ids = [self.server.begin("slow", seconds=9) for _ in range(9)]
        time.sleep(8)
        start = time.monotonic()
        self.server.ping()
        self.assertLess(time.monotonic() - start, 0.5)
        for each in ids:
            self.server.answer(each)
        self.assertEqual(self.server.text("most_at_once"), "8")


class Running(Common, unittest.TestCase):
    source = PLAIN + ASYNC

    def test_cancelled_async_call_stops(self):
        slow = self.server.begin("slow_async", seconds=30)
        time.sleep(0.5)
        self.server.cancel(slow)
        self.server.ping()
        ticks = len(self.server.progress)
        time.sleep(0.3)
        self.server.ping()
        self.assertEqual(len(self.server.progress), ticks)
        self.assertNotIn(slow, self.server.answers)

    def test_async_calls_run_together(self):
        start = time.monotonic()
        ids = [self.server.begin("slow_async", seconds=0.5) for _ in range(8)]
        for each in ids:
            self.server.answer(each)
        self.assertLess(time.monotonic() - start, 2)

    def test_a_blocked_loop_does_not_hold_up_plain_functions(self):
        blocked = self.server.begin("blocks", seconds=6)
        time.sleep(0.3)
        start = time.monotonic()
        self.assertEqual(self.server.text("quick"), "quick")
        self.assertLess(time.monotonic() - start, 4)
        self.server.answer(blocked)

    def test_async_functions_run_on_the_main_thread_too(self):
        self.assertEqual(self.server.text("thread_async"), "true")

    def test_nothing_an_async_tool_raises_ends_the_server(self):
        for how in ("sys.exit", "exit", "raise", "interrupt", "generator", "cancel"):
            with self.subTest(how=how):
                self.assertIn("error", self.server.call("leave_async", how=how))
        self.assertEqual(self.server.text("leave_async", how="task"), "child is gone")
        self.assertEqual(self.server.text("leave_async", how="not"), "stayed")

    def test_progress_belongs_to_its_call_on_other_threads_too(self):
        number = self.server.begin("tells_async")
        self.server.answer(number)
        self.assertEqual(self.server.progress, [{"id": number, "progress": 1}] * 2)


class Ending(unittest.TestCase):
    def ended(self, source, *calls, within, code=0, hold=0.3, printed=b""):
        server = Server(source)
        for name, arguments in calls:
            server.begin(name, **arguments)
        time.sleep(hold)
        while printed not in server.errors:
            time.sleep(0.05)
        start = time.monotonic()
        self.assertEqual(server.close(), code, server.errors.decode())
        self.assertLess(time.monotonic() - start, within)
        self.assertNotIn(b"Fatal", server.errors)
        return server.errors.decode()

    def test_idle(self):
        errors = self.ended(PLAIN + "import atexit\natexit.register(lambda: print('at exit'))", within=1)
        self.assertIn("at exit", errors)

    def test_what_stands_after_run_is_run(self):
        errors = self.ended(FASTMCP + "mcp.run()\nprint('after run')", within=1)
        self.assertIn("after run", errors)

    def test_after_async_use(self):
        self.ended(PLAIN + ASYNC, ("thread_async", {}), within=1.5)

    def test_a_call_that_is_nearly_done_is_answered(self):
        server = Server(PLAIN)
        number = server.begin("slow", seconds=0.4)
        server.process.stdin.close()
        self.assertIn("content", server.answer(number))
        self.assertEqual(server.close(), 0)

    def test_sleeping_tool_is_interrupted(self):
        careful = "def careful() -> str:\n    try:\n        print('began')\n        time.sleep(1000)\n    finally:\n        print('cleaned up')"
        for source in (PLAIN, PLAIN + ASYNC):
            errors = self.ended(source + careful, ("careful", {}), within=5, printed=b"began")
            self.assertIn("cleaned up", errors)

    def test_spinning_tools(self):
        self.ended(PLAIN, ("spin", {}), ("spin", {}), ("spin", {}), within=8, hold=4)

    def test_tool_that_refuses_to_stop(self):
        stubborn = "def stubborn() -> str:\n    while True:\n        try:\n            time.sleep(1000)\n        except BaseException:\n            pass"
        self.ended(PLAIN + stubborn, ("stubborn", {}), within=6)

    def test_sleeping_async_tool(self):
        self.ended(PLAIN + ASYNC, ("slow_async", {"seconds": 1000}), within=5)

    def test_client_that_stops_listening(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "server.py"
            path.write_text(PLAIN)
            pipe = subprocess.PIPE
            with subprocess.Popen(command(path), stdin=pipe, stdout=pipe, stderr=pipe) as process:
                process.stdout.readline()
                process.stdout.close()
                process.stdin.write(b'{"ping": 1}\n')
                process.stdin.close()
                self.assertEqual(process.wait(10), 0)

    def test_other_transport(self):
        server = Server(FASTMCP + "mcp.run(transport='streamable-http')")
        self.assertIsNone(server.greeting)
        self.assertEqual(server.close(), 1)
        self.assertIn(b"stdio only", server.errors)

    def test_prints_while_loading(self):
        server = Server("print('first', flush=True)\n" + PLAIN + "print('second')")
        self.assertEqual(server.text("quick"), "quick")
        server.close()
        self.assertIn(b"first", server.errors)
        self.assertIn(b"second", server.errors)

    def test_what_fails_while_it_loads_is_told_on_stderr(self):
        server = Server("def a(): pass\nimport no_such_module")
        self.assertIsNone(server.greeting)
        self.assertEqual(server.close(), 1)
        self.assertIn(b"No module named 'no_such_module'", server.errors)


class Imports(unittest.TestCase):
    def test_nothing_is_loaded_that_is_not_needed(self):
        source = "import sys\ndef loaded(a: int = 1) -> list[str]:\n    return sorted(sys.modules)"
        with Server(source) as server:
            modules = set(server.call("loaded")["content"])
        # What the installation loads by itself is not ours.
        bare = subprocess.run([sys.executable, "-I", "-c", "import sys; print(*sys.modules)"], capture_output=True, text=True)
        modules -= set(bare.stdout.split())
        for name in ("asyncio", "typing", "inspect", "dataclasses", "logging", "datetime", "traceback", "socket", "ssl"):
            self.assertNotIn(name, modules)

    def test_none_of_our_names_is_in_the_file(self):
        with Server("def names() -> list[str]:\n    return sorted(globals())") as server:
            names = server.call("names")["content"]
        self.assertEqual([name for name in names if not name.startswith("__")], ["names"])


if __name__ == "__main__":
    unittest.main()
