"""The protocol: what each message means, in which state it is allowed, and how it is answered.

Messages are read on a thread of their own, so that a ping or a cancellation is answered while a
call runs. Only what runs the author's code leaves that thread: it goes to the lanes.
"""

import json
import os
import threading

from . import _requests
from ._calls import Call, Refusal
from ._lanes import Lanes
from ._wire import MAX_LINE, TOO_LONG

REVISIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
PARSE_ERROR, INVALID_REQUEST, UNKNOWN_METHOD, INVALID_PARAMS, INTERNAL = -32700, -32600, -32601, -32602, -32603
# At the end of input, calls that are nearly done may finish.
_GRACE = 1.0


class Client:
    """What the client said about itself."""

    def __init__(self, params):
        offered = params.get("capabilities")
        self.capabilities = offered if isinstance(offered, dict) else {}
        self.clientInfo = params.get("clientInfo")
        self.protocolVersion = params.get("protocolVersion")


class Protocol:
    def __init__(self, app, wire):
        self.app, self.wire, self.lanes = app, wire, Lanes()
        self.client = Client({})
        self.revision = REVISIONS[-1]
        self.least_level = None
        self._initialized = False
        self._calls = {}
        self._asked = {}
        self._next_number = 0
        self._guard = threading.Lock()
        self._over = threading.Event()
        self._home = None
        wire.when_gone = self.lanes.stop

    # From start to end.

    def serve(self):
        """Serve on the calling thread until the input ends."""
        self._home = threading.current_thread()
        try:
            self.lanes.run(self.start_reading)
        except KeyboardInterrupt:
            self.lanes.stop()
        finally:
            self._over.set()

    async def serve_async(self):
        """Serve on an event loop that is the author's."""
        try:
            await self.lanes.serve(self.start_reading)
        finally:
            self._over.set()

    def start_reading(self):
        threading.Thread(target=self._read, name="reader", daemon=True).start()

    def _read(self):
        try:
            for line in self.wire.lines():
                self.take(line)
        finally:
            self._end()

    def _end(self):
        """The client is gone. Nothing may keep the process alive, not even a function that never returns."""
        for settle in list(self._asked.values()):
            settle({"error": {"code": -32000, "message": "the client closed the connection"}})
        self.lanes.wait_idle(_GRACE)
        self.lanes.stop()
        if self._over.wait(_GRACE) or self._home is not threading.main_thread():
            return
        import signal

        # The main thread is inside a tool. Interrupt it as Ctrl-C would, so that it can clean up.
        signal.pthread_kill(self._home.ident, signal.SIGINT)
        if not self._over.wait(_GRACE):
            os._exit(0)

    # Messages that come in.

    def take(self, line):
        """Deal with one line. It never raises: there is no line that may end the server."""
        request_id = None
        try:
            message = self._parsed(line)
            if message is None:
                return
            request_id = _usable_id(message.get("id"))
            self._take_message(message, request_id)
        except Refusal as refusal:
            self._send_error(request_id, refusal)
        except Exception as error:  # noqa: BLE001
            from ._calls import report

            report(error)
            self._send_error(request_id, Refusal(INTERNAL, f"the server failed on this message: {type(error).__name__}"))

    def _parsed(self, line):
        if line is TOO_LONG:
            raise Refusal(PARSE_ERROR, f"the line is longer than {MAX_LINE} bytes and was skipped")
        text = line.decode("utf-8", "replace").strip()
        if not text:
            return None
        try:
            message = json.loads(text)
        except (ValueError, RecursionError, MemoryError) as error:
            raise Refusal(PARSE_ERROR, f"the line is not JSON: {str(error)[:200]}") from None
        if isinstance(message, list):
            raise Refusal(INVALID_REQUEST, "batches are not supported: send each message on its own line")
        if not isinstance(message, dict):
            raise Refusal(INVALID_REQUEST, "a message is a JSON object")
        return message

    def _take_message(self, message, request_id):
        if message.get("jsonrpc") != "2.0":
            raise Refusal(INVALID_REQUEST, 'a message carries "jsonrpc": "2.0"')
        method = message.get("method")
        if method is None and ("result" in message or "error" in message):
            return self._take_answer(message)
        if not isinstance(method, str):
            raise Refusal(INVALID_REQUEST, "a message carries the name of its method as text")
        params = message.get("params")
        if "id" not in message:
            return self._take_notification(method, params if isinstance(params, dict) else {})
        if request_id is None:
            raise Refusal(INVALID_REQUEST, "the id of a request is a text or a whole number")
        if params is not None and not isinstance(params, dict):
            raise Refusal(INVALID_PARAMS, "params is a JSON object")
        return self._take_request(method, request_id, params or {})

    def _take_request(self, method, request_id, params):
        if method == "initialize":
            return self._send_result(request_id, self._initialize(params))
        if method == "ping":
            return self._send_result(request_id, {})
        if not self._initialized:
            raise Refusal(INVALID_PARAMS, f"{method} came before initialize")
        handler = _requests.HANDLERS.get(method)
        if handler is None:
            raise Refusal(UNKNOWN_METHOD, f"there is no method {method[:100]}")
        found = handler(self, params)
        if isinstance(found, dict):
            return self._send_result(request_id, found)
        work, is_async = found
        call = Call(self, request_id, params, work, is_async)
        with self._guard:
            if request_id in self._calls:
                raise Refusal(INVALID_REQUEST, "a request with this id is still running")
            self._calls[request_id] = call
        if not self.lanes.submit(call):
            self._calls.pop(request_id, None)
            raise Refusal(INTERNAL, "too many calls are waiting; try again later")
        return None

    def _initialize(self, params):
        asked = params.get("protocolVersion")
        if not isinstance(asked, str) or not isinstance(params.get("clientInfo", {}), dict):
            raise Refusal(INVALID_PARAMS, "initialize carries protocolVersion, capabilities and clientInfo")
        self.client = Client(params)
        self.revision = asked if asked in REVISIONS else REVISIONS[-1]
        self._initialized = True
        return {"protocolVersion": self.revision, **self.app.introduction()}

    def _take_notification(self, method, params):
        if method != "notifications/cancelled":
            return
        request_id = params.get("requestId")
        call = self._calls.pop(request_id, None) if _usable_id(request_id) is not None else None
        if call is not None:
            call.dropped = True
            self.lanes.drop(call)

    def _take_answer(self, message):
        settle = self._asked.get(message["id"]) if _usable_id(message.get("id")) is not None else None
        if settle is not None:
            settle(message)

    # Messages that go out.

    def answer(self, call, result):
        with self._guard:
            wanted = self._calls.pop(call.id, None) is call
        if wanted and not call.dropped:
            self._send_result(call.id, result)

    def refuse(self, call, refusal):
        with self._guard:
            wanted = self._calls.pop(call.id, None) is call
        if wanted and not call.dropped:
            self._send_error(call.id, refusal)

    def notify(self, method, params):
        self.wire.send({"jsonrpc": "2.0", "method": method, **({"params": params} if params else {})})

    async def ask(self, method, params):
        """Send a request to the client and wait for its answer, on the event loop."""
        import asyncio

        loop = asyncio.get_running_loop()
        waiting = loop.create_future()
        with self._guard:
            number, self._next_number = self._next_number, self._next_number + 1

        def settle(message):
            loop.call_soon_threadsafe(lambda: waiting.done() or waiting.set_result(message))

        self._asked[number] = settle
        try:
            self.wire.send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
            message = await waiting
        finally:
            self._asked.pop(number, None)
        if "error" in message:
            from mcp.shared.exceptions import McpError

            raise McpError.received(message["error"])
        return message.get("result") or {}

    def _send_result(self, request_id, result):
        try:
            self.wire.send({"jsonrpc": "2.0", "id": request_id, "result": result})
        except (ValueError, TypeError, RecursionError) as error:
            self._send_error(request_id, Refusal(INTERNAL, f"the result has no JSON form: {error}"))

    def _send_error(self, request_id, refusal):
        error = {"code": refusal.code, "message": refusal.message}
        if refusal.data is not None:
            error["data"] = refusal.data
        self.wire.send({"jsonrpc": "2.0", "id": request_id, "error": error})


def _usable_id(value):
    return value if isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool)) else None
