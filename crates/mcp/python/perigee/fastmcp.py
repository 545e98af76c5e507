"""The part of the official package `mcp` that earlier versions of Perigee told its servers to use: `FastMCP` with tools.

The official package serves a file that uses more of it, if that package is there. Otherwise the file is told what it
needs.
"""

import sys

from . import progress as tell
from . import start
from .hints import NotPlain
from .tools import Tool

# Settings that mean nothing here.
SETTINGS = {"debug", "log_level", "host", "port", "website_url", "dependencies", "warn_on_duplicate_tools"}
# What a Context has beside the methods below.
CONTEXT = {"client_id", "elicit", "elicit_url", "fastmcp", "read_resource", "request_context", "request_id", "session"}


class FastMCP:
    def __init__(self, name=None, instructions=None, **settings):
        for setting in settings.keys() - SETTINGS:
            start.hand_over(f"FastMCP(…, {setting}=…)")
        self.name, self.instructions, self._tools = name or "FastMCP", instructions, {}
        # The official package turns logging on. A module that the file did not import needs none.
        if "logging" in sys.modules:
            sys.modules["logging"].basicConfig(level=settings.get("log_level", "INFO"), format="%(message)s")
        start.server = self

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        start.hand_over(f"FastMCP.{name}")

    def tool(self, name=None, title=None, description=None, **options):
        if callable(name):
            raise TypeError("write @mcp.tool(): the decorator has to be called, even with nothing in it")

        def decorate(function):
            self.add_tool(function, name, title, description, **options)
            return function

        return decorate

    def add_tool(self, fn, name=None, title=None, description=None, structured_output=None, **options):
        for option in options:
            start.hand_over(f"@mcp.tool(…, {option}=…)")
        try:
            tool = Tool(fn, name, title, description, Context)
        except NotPlain as error:
            start.hand_over(str(error))
        for name in CONTEXT.intersection(fn.__code__.co_names if tool.takes_context else ()):
            start.hand_over(f"Context.{name}")
        if tool.name in self._tools:
            print(f"there is a tool {tool.name} already; the first one is kept", file=sys.stderr)
        self._tools.setdefault(tool.name, tool)

    def run(self, transport="stdio"):
        """Serves until Perigee closes the channel."""
        if transport != "stdio":
            raise ValueError(f"this server has stdio only, not {transport!r}: write mcp.run()")
        start.serve(self._tools, name=self.name, instructions=self.instructions)


class Context:
    """What a function tells during a call. Its methods can be awaited, and need not be."""

    def __class_getitem__(cls, _parameters):
        return cls

    def report_progress(self, progress, total=None, message=None):
        tell(progress, total, message)
        return _Done()

    def log(self, _level, message, **_options):
        print(message, file=sys.stderr, flush=True)
        return _Done()

    def info(self, message, **_options):
        return self.log("info", message)

    debug = warning = error = info


class _Done:
    """Something to await that is done already."""

    def __await__(self):
        return iter(())


class ToolError(Exception):
    """A tool says what went wrong."""


NAMES = {
    "mcp": {},
    "mcp.server": {"FastMCP": FastMCP},
    "mcp.server.fastmcp": {"FastMCP": FastMCP, "Context": Context},
    "mcp.server.fastmcp.server": {"FastMCP": FastMCP, "Context": Context},
    "mcp.server.fastmcp.exceptions": {"ToolError": ToolError},
}


class _Finder:
    """Finds the modules above, ahead of an installed package."""

    def __init__(self, is_official):
        self._is_official = is_official

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] != "mcp":
            return None
        if self._is_official or name not in NAMES:
            start.hand_over(f"the module {name}")
        from importlib.machinery import ModuleSpec

        return ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        def missing(name):
            if name.startswith("__") or f"{module.__name__}.{name}" in NAMES:
                raise AttributeError(name)
            start.hand_over(f"{name} of {module.__name__}")

        module.__dict__.update(NAMES[module.__name__], __getattr__=missing)


def install(is_official):
    sys.meta_path.insert(0, _Finder(is_official))
