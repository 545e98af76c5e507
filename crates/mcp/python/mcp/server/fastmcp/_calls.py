"""One call of the client into the author's code, from its request to its answer."""

import sys

from .context import Context, RequestContext, current

_TRACEBACK_LINES = 14


class Refusal(Exception):
    """An answer that is a JSON-RPC error."""

    def __init__(self, code, message, data=None):
        super().__init__(message)
        self.code, self.message, self.data = code, message, data


class Call:
    """`work` is an async function of the Context; when it awaits nothing it needs no event loop."""

    def __init__(self, protocol, request_id, params, work, is_async):
        self.id, self.is_async = request_id, is_async
        self.dropped = False
        self._protocol, self._work = protocol, work
        meta = params.get("_meta")
        self.meta = meta if isinstance(meta, dict) else {}

    def run(self):
        drive(self.run_async())

    async def run_async(self):
        try:
            answer = await self._working()
        except BaseException as error:  # noqa: BLE001 - nothing an author raises may end the server
            self._fail(error)
        else:
            self._protocol.answer(self, answer)

    def _fail(self, error):
        if isinstance(error, Refusal):
            self._protocol.refuse(self, error)
        else:
            report(error)
            code = getattr(getattr(error, "error", None), "code", 0)
            self._protocol.refuse(self, Refusal(code, plain_words(error)))

    async def _working(self):
        context = Context(RequestContext(self._protocol, self), self._protocol.app)
        token = current.set(context)
        try:
            return await self._work(context)
        finally:
            current.reset(token)


def drive(coroutine):
    """Run a coroutine that has nothing to wait for."""
    try:
        coroutine.send(None)
    except StopIteration as end:
        return end.value
    coroutine.close()
    raise RuntimeError("a plain function returned something that has to be awaited; write it as `async def`")


def plain_words(error):
    """An exception as a sentence. Those that would end a program have no words of their own."""
    if isinstance(error, SystemExit):
        return f"the tool tried to exit the server (SystemExit: {error.code})"
    name = type(error).__name__
    if isinstance(error, Exception):
        return str(error) or name
    return f"{name}: {error}" if str(error) else f"the tool was interrupted ({name})"


def report(error):
    """The end of the traceback on standard error, where the author looks."""
    import traceback

    try:
        frames = error.__traceback__
        while frames is not None and _is_ours(frames):
            frames = frames.tb_next
        lines = "".join(traceback.format_exception(type(error), error, frames)).splitlines()
        if len(lines) > _TRACEBACK_LINES:
            lines = ["…", *lines[-_TRACEBACK_LINES:]]
        print(*lines, sep="\n", file=sys.stderr, flush=True)
    except Exception:
        pass  # An error that cannot be shown must not become a second one.


def _is_ours(frame):
    return frame.tb_frame.f_globals.get("__name__", "").startswith("mcp.")
