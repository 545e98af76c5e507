"""Servers. `FastMCP` is the one there is."""

_MODULES = ("elicitation", "fastmcp", "session")


def __getattr__(name):
    if name.startswith("_"):
        raise AttributeError(name)
    from importlib import import_module

    if name in _MODULES:
        return import_module(f"mcp.server.{name}")
    if name == "FastMCP":
        return import_module("mcp.server.fastmcp").FastMCP
    if not name[0].isupper():
        raise AttributeError(name)
    # A class that an author wants to import: say why it is not there.
    raise ImportError(f"the stand-in for mcp has no mcp.server.{name}: write the server with FastMCP")
