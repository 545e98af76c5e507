"""Loads a server's file, and decides what serves it: the runner, or the official package `mcp`."""

import os
import sys

from .channel import Channel
from .hints import NotPlain

# The official package, and packages that are installed with it.
OFFICIAL = ("mcp", "pydantic", "pydantic_core", "annotated_types", "typing_extensions", "anyio")
WITHOUT_OFFICIAL = (
    "which needs the official package `mcp`. Write it without, or have that package downloaded: "
    "`perigee config set builtin_tools.mcp_servers_package official`, and start Perigee again"
)
HINTS = (
    "which a tool cannot have. There are str, int, float, bool, list, set, dict, Any, Literal, Enum, date, time, datetime, "
    "and unions of these"
)

_channel = _packages = None
# The last FastMCP that the file has made.
server = None
_has_served = False


def run(path, packages=None, preference=None):
    """Loads the file, and serves its tools until Perigee closes the channel."""
    global _channel, _packages
    from . import fastmcp

    _channel, _packages = Channel(), packages
    fastmcp.install(is_official=preference == "official")
    sys.argv[:] = [path]
    with open(path, "rb") as file:
        code = compile(file.read(), path, "exec")
    # The names of the file are those of `__main__`, and none of ours is among them.
    main = type(sys)("__main__")
    main.__file__ = path
    sys.modules["__main__"] = main
    try:
        exec(code, main.__dict__)
    except ImportError as error:
        if (error.name or "").partition(".")[0] in OFFICIAL:
            hand_over(f"the module {error.name}")
        raise
    if server is not None:
        server.run()
    else:
        from .tools import public_functions

        try:
            serve(public_functions(vars(main)))
        except NotPlain as error:
            _fail(f"it uses {error}, {HINTS}")


def serve(tools, **about):
    """Serves tools until Perigee closes the channel."""
    global _has_served
    if _has_served:
        return
    _has_served = True
    from .calls import Calls

    listed = [tool.listed() for tool in tools.values()]
    Calls(_channel, tools).serve({"serves": "tools", "tools": listed, **about})


def hand_over(what):
    """Lets the official package serve the file from its beginning, since the runner lacks something. Never returns."""
    if _packages is None:
        _fail(f"it uses {what}, {WITHOUT_OFFICIAL}")
    _channel.send({"serves": "mcp"})
    _channel.give_back()
    official = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "official.py")
    os.execv(sys.executable, [sys.executable, "-I", official, _packages, *sys.argv])


def _fail(why):
    _channel.send({"serves": "nothing", "why": why})
    sys.stderr.flush()
    os._exit(1)
