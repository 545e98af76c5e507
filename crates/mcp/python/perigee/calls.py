"""Calls: in which order they run, on which thread, and how each ends.

Tools are written as if one ran at a time: a list in a global, a file that is read, changed and written, a database that
is opened while the file loads. So calls run on the main thread, one after the other. But a call that takes longer than
SLOW_AFTER does not hold up the others: they run beside it, on at most AT_ONCE threads.

Async functions share one event loop on the main thread.
"""

import atexit
import os
import sys
import threading
import time
from collections import deque
from contextlib import suppress
from contextvars import ContextVar

from .results import texts

# In seconds.
SLOW_AFTER = 1.0
EXIT_TIMEOUT = 1.0
AT_ONCE = 8
MOST_WAITING = 1000
_TRACEBACK_LINES = 14
LONG_AGO = float("-inf")

current = ContextVar("call", default=None)


class Call:
    def __init__(self, channel, message, tool):
        self.id, self.tool = message["id"], tool
        self._channel, self._arguments = channel, message["arguments"]
        self.task, self.is_dropped = None, False

    def tell(self, **told):
        if not self.is_dropped:
            self._channel.send({"id": self.id, **{key: value for key, value in told.items() if value is not None}})

    def run(self):
        token = current.set(self)
        try:
            self.tell(content=texts(self.tool.begin(self._arguments)))
        except BaseException as error:
            self._fail(error)
        finally:
            current.reset(token)

    async def run_async(self):
        current.set(self)
        try:
            self.tell(content=texts(await self.tool.begin(self._arguments)))
        except BaseException as error:
            self._fail(error)

    def _fail(self, error):
        if self.is_dropped:
            return
        # An error that cannot be shown must not become a second one.
        with suppress(Exception):
            _report(error)
        words = ""
        with suppress(Exception):
            words = str(error)
        if isinstance(error, SystemExit):
            words = f"the tool tried to exit the server (SystemExit: {words})"
        self.tell(error=f"Error executing tool {self.tool.name}: {words or type(error).__name__}")


class Calls:
    def __init__(self, channel, tools):
        self._channel, self._tools = channel, tools
        self._changed = threading.Condition()
        # All calls by their ids, the plain ones that wait, and the start times of those that run.
        self._known, self._waiting, self._running = {}, deque(), {}
        # The time since which the main thread has not taken another call.
        self._main_since = None
        self._has_starter = False
        self._loop = None
        self._is_over, self._has_left = False, threading.Event()

    def serve(self, greeting):
        """Serves on the main thread until Perigee closes the channel."""
        atexit.register(self._leave)
        if any(tool.is_async for tool in self._tools.values()):
            self._serve_on_a_loop(greeting)
        else:
            self._greet(greeting)
            while (call := self._next(is_main=True)) is not None:
                self._run(call)
        self._has_left.set()

    def _greet(self, greeting):
        self._channel.send(greeting)
        _begin_thread(self._read)

    def _leave(self):
        """Ends the process at once if a function runs on another thread, which the interpreter's exit would cut off."""
        if self._running:
            with suppress(Exception):
                sys.stdout.flush()
                sys.stderr.flush()
            os._exit(0)

    # The thread that reads.

    def _read(self):
        for message in self._channel.messages():
            if "ping" in message:
                self._channel.send({"pong": message["ping"]})
            elif "cancel" in message:
                self._drop(message["cancel"])
            else:
                self._submit(message)
        self._end()

    def _submit(self, message):
        call = Call(self._channel, message, self._tools[message["tool"]])
        with self._changed:
            if len(self._known) >= MOST_WAITING:
                return call.tell(error="too many calls are waiting; try again later")
            self._known[call.id] = call
            if call.tool.is_async:
                return self._on_loop(self._start, call)
            self._waiting.append(call)
            self._main_since = self._main_since or time.monotonic()
            if len(self._known) > 1 and not self._has_starter:
                self._has_starter = _begin_thread(self._start_beside)
            self._wake()

    def _drop(self, id):
        """Drops a cancelled call, which must not hold up the others either."""
        with self._changed:
            call = self._known.get(id)
            if call is None:
                return
            call.is_dropped = True
            if call in self._waiting:
                self._waiting.remove(call)
                del self._known[id]
            if call in self._running:
                self._running[call] = LONG_AGO
                self._main_since = LONG_AGO
            if call.task is not None:
                self._on_loop(call.task.cancel)
            self._wake()

    def _end(self):
        """Ends the process once Perigee has closed the channel, even if a function never returns."""
        with self._changed:
            self._changed.wait_for(lambda: not self._known, EXIT_TIMEOUT)
            self._is_over = True
            self._wake()
        self._on_loop(lambda: self._loop.stop())
        if self._has_left.wait(EXIT_TIMEOUT):
            return
        import signal

        # The main thread is inside a function. It is interrupted as by Ctrl-C, so that the function can clean up.
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
        if not self._has_left.wait(EXIT_TIMEOUT):
            os._exit(0)

    def _wake(self):
        self._changed.notify_all()
        self._on_loop(self._pump)

    # Plain functions: on the main thread, and on others beside it.

    def _next(self, is_main):
        """Waits for the next call; None when there is nothing left to do on this thread."""
        with self._changed:
            if is_main:
                self._main_since = time.monotonic() if self._waiting else None
            while not self._is_over and (is_main or self._waiting):
                pause = self._pause(is_main)
                if pause is not None and pause <= 0:
                    return self._take(is_main)
                self._changed.wait(pause)
            if not is_main:
                self._has_starter = False
            return None

    def _pause(self, is_main):
        """The seconds until a call may start, None for as long as nothing changes: none starts beside a young one."""
        if not self._waiting or len(self._running) >= AT_ONCE:
            return None
        since = [*self._running.values(), *([] if is_main else [self._main_since])]
        return max(since, default=LONG_AGO) + SLOW_AFTER - time.monotonic()

    def _take(self, is_main):
        call = self._waiting.popleft()
        self._running[call] = time.monotonic()
        if is_main:
            self._main_since = self._running[call]
        return call

    def _run(self, call):
        call.run()
        with self._changed:
            del self._running[call], self._known[call.id]
            self._wake()

    def _start_beside(self):
        """Starts the calls behind one that takes long, each on a thread of its own."""
        while (call := self._next(is_main=False)) is not None:
            if not _begin_thread(self._run, call):
                self._run(call)

    # Async functions: on an event loop, on the main thread too.

    def _serve_on_a_loop(self, greeting):
        import asyncio

        self._loop = asyncio.new_event_loop()
        asyncio.set_event_loop(self._loop)
        self._loop.call_soon(self._greet, greeting)
        while not self._is_over:
            try:
                self._loop.run_forever()
            except SystemExit:
                # A task that a function has started asked to exit. The server stays.
                continue
        left = asyncio.all_tasks(self._loop)
        for task in left:
            task.cancel()
        if left:
            self._loop.run_until_complete(asyncio.wait(left, timeout=EXIT_TIMEOUT))
        self._loop.close()

    def _on_loop(self, function, *arguments):
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(function, *arguments)

    def _start(self, call):
        call.task = self._loop.create_task(call.run_async())
        call.task.add_done_callback(lambda _task: self._forget(call))

    def _forget(self, call):
        with self._changed:
            del self._known[call.id]
            self._changed.notify_all()

    def _pump(self):
        """Runs the next plain call on the loop, which it holds up meanwhile."""
        with self._changed:
            self._main_since = time.monotonic() if self._waiting else None
            pause = self._pause(is_main=True)
            call = self._take(is_main=True) if pause is not None and pause <= 0 else None
        if call is not None:
            self._run(call)
        elif pause is not None:
            self._loop.call_later(pause, self._pump)


def _begin_thread(function, *arguments):
    """False where the sandbox allows no more threads."""
    try:
        threading.Thread(target=function, args=arguments, daemon=True).start()
    except RuntimeError:
        return False
    return True


def _report(error):
    """Prints the end of the traceback, without our own frames, to standard error, where it is kept as the log."""
    import traceback

    frames = error.__traceback__
    while frames is not None and frames.tb_frame.f_globals.get("__package__") == __package__:
        frames = frames.tb_next
    lines = "".join(traceback.format_exception(type(error), error, frames)).splitlines()
    if len(lines) > _TRACEBACK_LINES:
        lines = ["…", *lines[-_TRACEBACK_LINES:]]
    print(*lines, sep="\n", file=sys.stderr, flush=True)
