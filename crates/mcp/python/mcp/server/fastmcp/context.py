"""`Context`: what a function may ask of the server while it serves a request."""

from contextvars import ContextVar

from mcp.server.session import SENT, ServerSession

current = ContextVar("mcp_context", default=None)


class RequestContext:
    """The request being served."""

    def __init__(self, protocol, call):
        self.request_id = call.id
        self.session = ServerSession(protocol, call)
        self.meta = Meta(call.meta) if call.meta else None
        self.lifespan_context = protocol.lanes.lifespan_state
        self.request = None
        self.call = call


class Meta:
    """`_meta` of a request, by attribute."""

    def __init__(self, values):
        self.progressToken = values.get("progressToken")
        self.__dict__.update((k, v) for k, v in values.items() if isinstance(k, str))


class Context:
    def __init__(self, request_context=None, fastmcp=None, **_ignored):
        self._request_context, self._fastmcp = request_context, fastmcp

    def __class_getitem__(cls, _parameters):
        # Context[ServerSession, None] says more to a type checker and nothing to us.
        return cls

    @property
    def request_context(self):
        if self._request_context is None:
            raise ValueError("there is a Context only while a request is served")
        return self._request_context

    @property
    def fastmcp(self):
        if self._fastmcp is None:
            raise ValueError("there is a Context only while a request is served")
        return self._fastmcp

    @property
    def session(self):
        return self.request_context.session

    @property
    def request_id(self):
        return str(self.request_context.request_id)

    @property
    def client_id(self):
        return getattr(self.request_context.meta, "client_id", None)

    # These send when they are called. `await` is for authors who write it; without it, in a plain
    # function, the message is sent all the same.

    def log(self, level, message, *, logger_name=None, **_extra):
        return self.session.send_log_message(level, message, logger_name)

    def debug(self, message, **extra):
        return self.log("debug", message, **extra)

    def info(self, message, **extra):
        return self.log("info", message, **extra)

    def warning(self, message, **extra):
        return self.log("warning", message, **extra)

    def error(self, message, **extra):
        return self.log("error", message, **extra)

    def report_progress(self, progress, total=None, message=None):
        token = self.request_context.meta.progressToken if self.request_context.meta else None
        if token is None:
            return SENT
        return self.session.send_progress_notification(token, progress, total, message)

    async def read_resource(self, uri):
        return await self.fastmcp.read_resource(uri)

    async def elicit(self, message, schema):
        """Ask the person at the client for the fields of a model."""
        from mcp.server.elicitation import elicit_with_validation

        return await elicit_with_validation(self.session, message, schema)

    async def close_sse_stream(self):
        """There is no such stream over stdio."""

    async def close_standalone_sse_stream(self):
        """There is no such stream over stdio."""
