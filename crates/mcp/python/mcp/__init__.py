"""A stand-in for the official `mcp` package: FastMCP servers over stdio, with the standard library only.

It runs where the official package cannot be installed. It serves tools, resources and prompts;
it is no client, and speaks no HTTP. Read `mcp/server/fastmcp/server.py` first.
"""

__version__ = "1.30-standin"

_MODULES = ("server", "shared", "types")
_ELSEWHERE = {"McpError": "mcp.shared.exceptions", "ServerSession": "mcp.server.session"}


def __getattr__(name):
    if name.startswith("_"):
        raise AttributeError(name)
    from importlib import import_module

    if name in _MODULES:
        return import_module(f"mcp.{name}")
    found = getattr(import_module(_ELSEWHERE.get(name, "mcp.types")), name, None)
    if found is None and not name[0].isupper():
        raise AttributeError(name)
    if found is None:
        # A class that an author wants to import: say why it is not there.
        raise ImportError(f"the stand-in for mcp has no {name}: it offers FastMCP servers over stdio and mcp.types")
    return found
