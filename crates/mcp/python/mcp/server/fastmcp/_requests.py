"""One function for each request that needs the server to be initialised.

Each takes (protocol, params) and returns the result, or (work, is_async) where the author's code
has to run: `work` is an async function of the Context.
"""

from mcp.server.session import LEVELS

from ._calls import Refusal
from ._shelf import normal_uri
from ._tool import failure

INVALID_PARAMS = -32602


def _text(params, name):
    value = params.get(name)
    if not isinstance(value, str):
        raise Refusal(INVALID_PARAMS, f"params.{name} is missing or not a text")
    return value


def _object(params, name):
    value = params.get(name)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise Refusal(INVALID_PARAMS, f"params.{name} is not an object")
    return value


def _listing(key, gather):
    return lambda protocol, params: {key: [each.listed() for each in list(gather(protocol.app))]}


def _call_tool(protocol, params):
    name, arguments = _text(params, "name"), _object(params, "arguments")
    tool = protocol.app.tools.get(name)
    if tool is None:
        return failure(f"Unknown tool: {name}")
    return lambda context: tool.answer(arguments, context), tool.is_async


def _read_resource(protocol, params):
    address = normal_uri(_text(params, "uri"))
    if address is None:
        raise Refusal(INVALID_PARAMS, "params.uri is not an address such as notes://today")

    async def work(context):
        contents = await protocol.app.read_resource(address)
        return {"contents": [each.listed(address) for each in contents]}

    return work, protocol.app.resources.is_async(address)


def _get_prompt(protocol, params):
    name, arguments = _text(params, "name"), _object(params, "arguments")
    for key, value in arguments.items():
        if not isinstance(value, str):
            raise Refusal(INVALID_PARAMS, f"params.arguments.{key} is not a text")
    prompt = protocol.app.prompts.get(name)
    if prompt is None:
        raise Refusal(0, f"there is no prompt {name}")
    return lambda context: prompt.answer(arguments, context), prompt.is_async


def _set_level(protocol, params):
    level = _text(params, "level")
    if level not in LEVELS:
        raise Refusal(INVALID_PARAMS, f"params.level is one of {', '.join(LEVELS)}")
    protocol.least_level = level
    return {}


def _complete(protocol, params):
    ref, argument = _object(params, "ref"), _object(params, "argument")
    if not ref or not argument:
        raise Refusal(INVALID_PARAMS, "params.ref and params.argument are missing")
    handler = protocol.app.completion_handler
    if handler is None:
        return {"completion": {"values": []}}

    async def work(context):
        from mcp.types import completed

        return await completed(handler, params)

    return work, True


HANDLERS = {
    "tools/list": _listing("tools", lambda app: app.tools.values()),
    "tools/call": _call_tool,
    "resources/list": _listing("resources", lambda app: app.resources.fixed.values()),
    "resources/templates/list": _listing("resourceTemplates", lambda app: app.resources.templates.values()),
    "resources/read": _read_resource,
    "prompts/list": _listing("prompts", lambda app: app.prompts.values()),
    "prompts/get": _get_prompt,
    "logging/setLevel": _set_level,
    "completion/complete": _complete,
}
