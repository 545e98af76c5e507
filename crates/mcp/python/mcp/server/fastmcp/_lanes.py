"""Where calls run: which thread, in what order, how many at once.

Authors write tools as if one ran at a time: a list kept in a global, a file that is read, changed
and written, a database connection opened while the module loads. The official package runs every
function on the main thread, so this holds there, and it holds here: calls run on the main thread,
one after the other. But a call that has been running for PATIENCE no longer holds up the others:
they go on beside it on threads of their own, AT_ONCE at most.

Async functions share one event loop on the main thread, started when the first one is called.
"""

import threading
import time
from collections import deque

AT_ONCE = 8
PATIENCE = 1.0
MOST_WAITING = 1000
_SPARE_LIFE = 5.0
_LONG_AGO = float("-inf")


class Lanes:
    def __init__(self):
        self._changed = threading.Condition()
        self._waiting = deque()
        self._waiting_async = deque()
        self._running = {}
        self._tasks = {}
        self._idle_spares = 0
        # When the main thread took up what it is doing; None while it waits for work.
        self._main_since = None
        self._main_call = None
        self._loop = None
        self._ended = None
        self._stopping = False
        self.lifespan = None
        self.lifespan_state = {}

    # From the reader's thread.

    def submit(self, call):
        """Queue a call. False when too many wait already."""
        with self._changed:
            if len(self._waiting) + len(self._waiting_async) >= MOST_WAITING:
                return False
            (self._waiting_async if call.is_async else self._waiting).append(call)
            if self._loop is not None:
                if self._main_since is None:
                    self._main_since = time.monotonic()
                self._on_loop(self._pump)
            self._want_spare()
            self._changed.notify_all()
        return True

    def drop(self, call):
        """Nobody waits for this call any more, so nobody waits behind it either."""
        with self._changed:
            for queue in (self._waiting, self._waiting_async):
                if call in queue:
                    queue.remove(call)
            if call in self._running:
                self._running[call] = _LONG_AGO
            if call is self._main_call:
                self._main_since = _LONG_AGO
                self._want_spare()
            task = self._tasks.get(call)
            if task is not None:
                self._on_loop(task.cancel)
            self._changed.notify_all()

    def wait_idle(self, seconds):
        with self._changed:
            return self._changed.wait_for(self._is_idle, seconds)

    def stop(self):
        with self._changed:
            self._stopping = True
            if self._loop is not None:
                self._on_loop(self._end_loop)
            self._changed.notify_all()

    @property
    def stuck(self):
        """Whether a function is still running on some thread."""
        return bool(self._running)

    def _is_idle(self):
        return not (self._waiting or self._waiting_async or self._running or self._tasks)

    # The main thread.

    def run(self, ready):
        """Work until stopped. `ready` is called once calls can be taken."""
        if self.lifespan is not None:
            return self._run_own_loop(ready)
        ready()
        while True:
            call = self._next_on_main()
            if call is not None:
                self._run(call)
            elif self._stopping:
                return None
            else:
                return self._run_own_loop(None)

    def _next_on_main(self):
        """The next call, or None when it is time to stop or to start the event loop."""
        with self._changed:
            self._main_since = self._main_call = None
            while not self._stopping and not self._waiting_async:
                if self._waiting and (pause := self._pause()) <= 0:
                    self._main_since = time.monotonic()
                    self._main_call = self._take()
                    return self._main_call
                self._changed.wait(pause if self._waiting else None)
            return None

    def _pause(self):
        """Seconds until another call may start: none starts beside one that is still young."""
        if len(self._running) >= AT_ONCE:
            return 60.0
        youngest = max(self._running.values(), default=_LONG_AGO)
        return youngest + PATIENCE - time.monotonic()

    def _take(self):
        call = self._waiting.popleft()
        self._running[call] = time.monotonic()
        # Those behind it may have to go past it.
        self._want_spare()
        return call

    def _run(self, call):
        try:
            call.run()
        finally:
            with self._changed:
                self._running.pop(call, None)
                self._changed.notify_all()

    # Spare threads, for calls behind one that takes long.

    def _want_spare(self):
        busy = self._main_since is not None
        if busy and self._waiting and not self._idle_spares and len(self._running) < AT_ONCE:
            try:
                threading.Thread(target=self._spare, name="spare lane", daemon=True).start()
            except RuntimeError:
                return  # The sandbox allows no more threads: the call waits for its turn.
            self._idle_spares += 1

    def _spare(self):
        while True:
            with self._changed:
                call = self._next_on_spare()
                if call is None:
                    self._idle_spares -= 1
                    return
            self._run(call)
            with self._changed:
                self._idle_spares += 1

    def _next_on_spare(self):
        until = time.monotonic() + _SPARE_LIFE
        while not self._stopping:
            now = time.monotonic()
            pause = until - now
            if self._waiting and self._main_since is not None:
                pause = max(self._main_since + PATIENCE - now, self._pause())
                if pause <= 0:
                    self._idle_spares -= 1
                    return self._take()
            elif pause <= 0:
                return None
            self._changed.wait(pause)
        return None

    # The event loop, on the main thread too.

    def _run_own_loop(self, ready):
        import asyncio

        loop = asyncio.new_event_loop()
        asyncio.set_event_loop(loop)
        serving = loop.create_task(self.serve(ready))
        try:
            while not serving.done():
                try:
                    loop.run_until_complete(serving)
                except SystemExit:
                    # A task that an author's code started asked to exit. The server stays.
                    continue
        finally:
            _close(loop)

    async def serve(self, ready):
        """Work on the running event loop until stopped."""
        import asyncio

        if self.lifespan is not None:
            async with self.lifespan() as state:
                self.lifespan_state = state
                self.lifespan = None
                return await self.serve(ready)
        self._ended = asyncio.get_running_loop().create_future()
        with self._changed:
            self._loop = asyncio.get_running_loop()
        if ready:
            ready()
        self._pump()
        if not self._stopping:
            await self._ended
        for task in self._tasks.values():
            task.cancel()
        if self._tasks:
            await asyncio.wait(set(self._tasks.values()), timeout=PATIENCE)

    def _on_loop(self, function):
        try:
            self._loop.call_soon_threadsafe(function)
        except RuntimeError:
            pass  # The loop is closed: the server is on its way out.

    def _end_loop(self):
        if not self._ended.done():
            self._ended.set_result(None)

    def _pump(self):
        """Start what may start. A plain function runs here and holds the loop, as it would officially."""
        with self._changed:
            self._main_since = time.monotonic()
            while self._waiting_async and len(self._tasks) < AT_ONCE and not self._stopping:
                call = self._waiting_async.popleft()
                self._tasks[call] = self._loop.create_task(self._run_async(call))
            may_start = self._waiting and self._pause() <= 0 and not self._stopping
            call = self._main_call = self._take() if may_start else None
        if call is not None:
            self._run(call)
        with self._changed:
            self._main_since = self._main_call = None
            if self._waiting:
                self._loop.call_later(max(0, min(self._pause(), PATIENCE)), self._pump)

    async def _run_async(self, call):
        try:
            await call.run_async()
        finally:
            with self._changed:
                self._tasks.pop(call, None)
                if self._waiting_async:
                    self._on_loop(self._pump)
                self._changed.notify_all()


def _close(loop):
    """Give what is left on the loop a moment to end, then close it."""
    import asyncio

    try:
        left = [task for task in asyncio.all_tasks(loop) if not task.done()]
        for task in left:
            task.cancel()
        if left:
            loop.run_until_complete(asyncio.wait(left, timeout=PATIENCE))
        loop.run_until_complete(loop.shutdown_asyncgens())
    except BaseException:  # noqa: BLE001 - the process is ending; nothing here may stop that
        pass
    finally:
        asyncio.set_event_loop(None)
        loop.close()
