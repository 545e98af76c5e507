"""`ServerSession`: what a function may send to the client by itself."""

LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")


class Sent:
    """What a send returns: it is done already, so there is nothing to wait for.

    It has the methods of a coroutine, so that `await`, `asyncio.gather` and `create_task` accept it,
    and unlike a coroutine it does not complain when it is left alone.
    """

    def __await__(self):
        return self

    def __iter__(self):
        return self

    def __next__(self):
        raise StopIteration

    def send(self, _value):
        raise StopIteration

    def throw(self, error, *_more):
        raise error

    def close(self):
        pass


SENT = Sent()


class ServerSession:
    def __init__(self, protocol, call):
        self._protocol, self._call = protocol, call

    @property
    def client_params(self):
        return self._protocol.client

    def check_client_capability(self, capability):
        wanted = capability if isinstance(capability, dict) else capability.model_dump(exclude_none=True)
        return _covers(self._protocol.client.capabilities, wanted)

    def send_log_message(self, level, data, logger=None, related_request_id=None):
        least = self._protocol.least_level
        known = level in LEVELS
        if least in LEVELS and known and LEVELS.index(level) < LEVELS.index(least):
            return SENT
        return self._notify("notifications/message", level=level, data=data, logger=logger)

    def send_progress_notification(self, progress_token, progress, total=None, message=None, related_request_id=None):
        told = {"progress": progress, "total": total, "message": message}
        return self._notify("notifications/progress", progressToken=progress_token, **told)

    def send_resource_updated(self, uri):
        return self._notify("notifications/resources/updated", uri=str(uri))

    def send_resource_list_changed(self):
        return self._notify("notifications/resources/list_changed")

    def send_tool_list_changed(self):
        return self._notify("notifications/tools/list_changed")

    def send_prompt_list_changed(self):
        return self._notify("notifications/prompts/list_changed")

    def _notify(self, method, **params):
        # A call that was cancelled has nobody left to tell.
        if not self._call.dropped:
            self._protocol.notify(method, {k: v for k, v in params.items() if v is not None})
        return SENT

    # Questions to the client. Each needs the client to have said that it answers such questions.

    async def create_message(self, messages, *, max_tokens, system_prompt=None, include_context=None, temperature=None,
                             stop_sequences=None, metadata=None, model_preferences=None, **_ignored):  # fmt: skip
        from mcp.types import CreateMessageResult, dumped

        params = {"messages": dumped(list(messages)), "maxTokens": max_tokens, "systemPrompt": system_prompt}
        params.update(includeContext=include_context, temperature=temperature, stopSequences=stop_sequences)
        params.update(metadata=metadata, modelPreferences=dumped(model_preferences))
        return CreateMessageResult.model_validate(await self._ask("sampling", "sampling/createMessage", params))

    async def elicit(self, message, requestedSchema, related_request_id=None):  # noqa: N803 - the official spelling
        from mcp.types import ElicitResult

        params = {"mode": "form", "message": message, "requestedSchema": requestedSchema}
        return ElicitResult.model_validate(await self._ask("elicitation", "elicitation/create", params))

    elicit_form = elicit

    async def list_roots(self):
        from mcp.types import ListRootsResult

        return ListRootsResult.model_validate(await self._ask("roots", "roots/list", {}))

    async def send_ping(self):
        from mcp.types import EmptyResult

        return EmptyResult.model_validate(await self._protocol.ask("ping", {}))

    async def _ask(self, capability, method, params):
        if self._protocol.client.capabilities.get(capability) is None:
            from mcp.shared.exceptions import McpError
            from mcp.types import ErrorData

            words = f"the client does not offer {capability}, so {method} cannot be asked"
            raise McpError(ErrorData(code=-32600, message=words))
        return await self._protocol.ask(method, {k: v for k, v in params.items() if v is not None})


def _covers(offered, wanted):
    if isinstance(wanted, dict):
        return isinstance(offered, dict) and all(k in offered and _covers(offered[k], v) for k, v in wanted.items())
    return offered == wanted
