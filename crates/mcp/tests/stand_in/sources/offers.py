"""Resources and prompts of every kind, and errors in them."""
import json
from typing import Annotated

from pydantic import Field

from mcp.server.fastmcp import FastMCP
from mcp.server.fastmcp.prompts.base import AssistantMessage, Message, UserMessage
from mcp.server.fastmcp.resources import TextResource
from mcp.types import Annotations, EmbeddedResource, ImageContent, TextContent, TextResourceContents

mcp = FastMCP("offers")


@mcp.resource("plain://text")
def text():
    """Docstring."""
    return "words ünï"


@mcp.resource("plain://json", mime_type="application/json")
def as_json() -> dict:
    return {"a": [1, None]}


@mcp.resource("plain://bytes", mime_type="application/octet-stream")
def as_bytes() -> bytes:
    return b"\x00\xff"


@mcp.resource("plain://fails")
def fails() -> str:
    raise RuntimeError("the shelf broke")


@mcp.resource("http://example.com", annotations=Annotations(audience=["user"], priority=0.5), meta={"m": 1})
def web() -> str:
    return "web"


@mcp.resource("Upper://Case/Path")
async def upper() -> str:
    return "upper"


@mcp.resource("people://{name}/{age}")
def person(name: str, age: int) -> str:
    """A person."""
    return f"{name} is {age + 1}"


@mcp.resource("people://{name}/file.txt", mime_type="text/html", name="Page", title="Page of a person")
def page(name: str) -> str:
    return f"<b>{name}</b>"


@mcp.resource("bad://{name}")
def bad(name: str) -> str:
    raise ValueError(f"no {name}")


mcp.add_resource(TextResource(uri="made://by-hand", name="By hand", text="made"))


@mcp.prompt()
def simple(topic: str) -> str:
    """A simple prompt."""
    return f"Tell me about {topic}"


@mcp.prompt(name="messages", title="Several", description="Many messages")
def several(count: Annotated[int, Field(description="how many")] = 2) -> list[Message]:
    return [UserMessage(f"{count} questions"), AssistantMessage("go on"), Message("as named", role="user")]


@mcp.prompt()
def dicts(a: str = "x", b: str | None = None) -> list:
    return [
        {"role": "assistant", "content": "plain"},
        {"role": "user", "content": {"type": "text", "text": a}},
        "just text",
    ]


@mcp.prompt()
def rich() -> list:
    resource = TextResourceContents(uri="plain://text", text="inside", mimeType="text/plain")
    return [
        UserMessage(content=EmbeddedResource(type="resource", resource=resource)),
        UserMessage(content=ImageContent(type="image", data="AA==", mimeType="image/png")),
        AssistantMessage(TextContent(type="text", text="block")),
        {"answer": 42} and json.dumps({"answer": 42}),
    ]


@mcp.prompt()
def broken() -> str:
    raise RuntimeError("no inspiration")


@mcp.prompt()
def untyped(a, b="c"):
    return f"{a} {b}"


if __name__ == "__main__":
    mcp.run()
