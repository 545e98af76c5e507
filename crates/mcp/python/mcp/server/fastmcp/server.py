"""`FastMCP`: the registry an author fills with tools, resources and prompts, and then runs."""

import atexit
import os
import sys

from mcp import __version__

from ._prompt import Prompt
from ._shelf import Shelf, normal_uri
from ._tool import Tool
from .context import Context, current
from .exceptions import ResourceError, ToolError

_SETTINGS = {"debug": False, "log_level": "INFO", "host": "127.0.0.1", "port": 8000, "dependencies": ()}


class Settings:
    """Settings of the official server. They are kept, and most mean nothing over stdio."""

    def __init__(self, given):
        self.__dict__.update({**_SETTINGS, **given})


class FastMCP:
    def __init__(self, name=None, instructions=None, website_url=None, icons=None, *, tools=None, lifespan=None,
                 **settings):  # fmt: skip
        self.name, self.instructions = name or "FastMCP", instructions
        self.website_url, self.icons = website_url, icons
        self.settings = Settings(settings)
        self.tools, self.prompts = {}, {}
        self.resources = Shelf(self._warn)
        self.completion_handler = None
        self._lifespan = lifespan
        for tool in tools or ():
            self.tools[tool.name] = tool
        # The official server turns logging on; a module that the author did not import needs none.
        if "logging" in sys.modules:
            from .utilities.logging import configure_logging

            configure_logging(self.settings.log_level)

    def __class_getitem__(cls, _parameters):
        return cls

    def _warn(self, words):
        print(words, file=sys.stderr)

    # What the author offers.

    def add_tool(self, fn, name=None, title=None, description=None, annotations=None, icons=None, meta=None,
                 structured_output=None):  # fmt: skip
        tool = Tool(fn, name, title, description, annotations, icons, meta, structured_output)
        if tool.name in self.tools:
            self._warn(f"there is a tool {tool.name} already; the first one is kept")
        else:
            self.tools[tool.name] = tool

    def remove_tool(self, name):
        if name not in self.tools:
            raise ToolError(f"Unknown tool: {name}")
        del self.tools[name]

    def tool(self, name=None, title=None, description=None, annotations=None, icons=None, meta=None,
             structured_output=None):  # fmt: skip
        _must_be_called("tool", name)

        def decorate(fn):
            self.add_tool(fn, name, title, description, annotations, icons, meta, structured_output)
            return fn

        return decorate

    def add_resource(self, resource):
        self.resources.add(resource)

    def resource(self, uri, **told):
        """`@mcp.resource(uri)`; told are name, title, description, mime_type, icons, annotations and meta."""
        _must_be_called("resource", uri, "('uri')")

        def decorate(fn):
            self.resources.add_function(fn, uri, dict(told))
            return fn

        return decorate

    def add_prompt(self, prompt):
        if prompt.name in self.prompts:
            self._warn(f"there is a prompt {prompt.name} already; the first one is kept")
        else:
            self.prompts[prompt.name] = prompt

    def prompt(self, name=None, title=None, description=None, icons=None):
        _must_be_called("prompt", name)

        def decorate(fn):
            self.add_prompt(Prompt(fn, name, title, description, icons))
            return fn

        return decorate

    def completion(self):
        def decorate(fn):
            self.completion_handler = fn
            return fn

        return decorate

    def custom_route(self, *_path, **_options):
        """A route belongs to HTTP. It is accepted, and never reached over stdio."""
        return lambda fn: fn

    def introduction(self):
        """The answer to `initialize` apart from the revision."""
        from ._content import dump

        offered = {
            "experimental": {},
            "logging": {},
            "prompts": {"listChanged": False},
            "resources": {"subscribe": False, "listChanged": False},
            "tools": {"listChanged": False},
        }
        if self.completion_handler:
            offered["completions"] = {}
        info = {"name": self.name, "version": __version__, "websiteUrl": self.website_url, "icons": dump(self.icons)}
        told = {"capabilities": offered, "serverInfo": {k: v for k, v in info.items() if v is not None}}
        return {**told, "instructions": self.instructions} if self.instructions is not None else told

    # In-process use, as the official class allows it.

    def get_context(self):
        return current.get() or Context(None, self)

    async def list_tools(self):
        from mcp.types import Tool as Listed

        return [Listed.model_validate(tool.listed()) for tool in self.tools.values()]

    async def call_tool(self, name, arguments):
        tool = self.tools.get(name)
        if tool is None:
            raise ToolError(f"Unknown tool: {name}")
        try:
            answer = tool.result(await tool.call(arguments, self.get_context()))
        except Exception as error:
            raise ToolError(f"Error executing tool {name}: {error}") from error
        from mcp.types import content_blocks

        blocks = content_blocks(answer["content"])
        return (blocks, answer["structuredContent"]) if "structuredContent" in answer else blocks

    async def read_resource(self, uri):
        address = normal_uri(uri)
        if address is None:
            raise ResourceError(f"there is no resource {uri}")
        return await self.resources.read(address, self.get_context())

    # Running.

    def run(self, transport="stdio", mount_path=None):
        """Serve until the client closes the input."""
        if transport != "stdio":
            raise ValueError(
                f"this server has stdio only, not {transport!r}: write mcp.run() or mcp.run(transport=\"stdio\")"
            )
        self._protocol().serve()

    async def run_stdio_async(self):
        await self._protocol().serve_async()

    async def run_sse_async(self, *_arguments):
        self.run("sse")

    async def run_streamable_http_async(self):
        self.run("streamable-http")

    def _protocol(self):
        from ._protocol import Protocol
        from ._wire import claim

        protocol = Protocol(self, claim())
        if self._lifespan is not None:
            protocol.lanes.lifespan = lambda: self._lifespan(self)
        _served.append(protocol)
        return protocol


def _must_be_called(word, given, example="()"):
    if callable(given):
        raise TypeError(f"write @mcp.{word}{example}: the decorator has to be called, even with nothing in it")


_served = []


@atexit.register
def _leave():
    """A function that is still running would be cut off inside the interpreter's own end, and may crash it.

    Registered while the author's module loads its imports, so it runs after what the author registers.
    """
    if any(protocol.lanes.stuck for protocol in _served):
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except (AttributeError, ValueError, OSError):
                pass
        os._exit(0)
