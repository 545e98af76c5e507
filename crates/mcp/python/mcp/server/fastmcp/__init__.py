"""FastMCP over stdio. Start with `server.py`."""

from .context import Context
from .server import FastMCP
from .utilities.types import Audio, Image


def __getattr__(name):
    if name == "Icon":
        from mcp.types import Icon

        return Icon
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = ["Audio", "Context", "FastMCP", "Icon", "Image"]
