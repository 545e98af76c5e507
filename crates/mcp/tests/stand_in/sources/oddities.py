"""Ways of writing tools that are less usual, and errors in them."""
from __future__ import annotations

import asyncio
import functools
from dataclasses import dataclass
from typing import Optional

from mcp.server.fastmcp import Context, FastMCP
from mcp.server.fastmcp.exceptions import ToolError

mcp = FastMCP(
    "oddities", instructions="", website_url="https://example.org", host="0.0.0.0", port=1234, debug=True, log_level="WARNING"
)


@dataclass
class Later:
    name: str
    next: Optional[Later] = None


@mcp.tool()
def forward(item: Later) -> str:
    return f"{item.name} {item.next.name if item.next else None}"


@mcp.tool()
def deep(matrix: list[list[float]], names: dict[str, list[str]] | None = None) -> float:
    return sum(sum(row) for row in matrix)


def logged(function):
    @functools.wraps(function)
    def inner(*args, **kwargs):
        return function(*args, **kwargs)

    return inner


@mcp.tool()
@logged
def wrapped(a: int, b: int = 2) -> int:
    """Wrapped."""
    return a * b


@mcp.tool()
def keyword_only(*, a: int, b: str = "x") -> str:
    return f"{a}{b}"


class Counter:
    def __init__(self):
        self.value = 0

    def increase(self, by: int = 1) -> int:
        """Increase the counter."""
        self.value += by
        return self.value

    async def wait(self) -> int:
        await asyncio.sleep(0)
        return self.value


counter = Counter()
mcp.add_tool(counter.increase)
mcp.add_tool(counter.wait, name="wait", description="Wait for it")
mcp.add_tool(lambda x: x, name="same", description="The same again")


@mcp.tool()
def fails(kind: str) -> str:
    """Fail in some way."""
    if kind == "key":
        return {}["missing"]
    if kind == "tool":
        raise ToolError("as the author says")
    if kind == "empty":
        raise ValueError
    if kind == "chain":
        try:
            1 / 0
        except ZeroDivisionError as error:
            raise RuntimeError("after another") from error
    if kind == "assert":
        assert kind == "other", "asserted"
    if kind == "recursion":
        return fails(kind)
    if kind == "unicode":
        raise ValueError("ünï 日本")
    return "fine"


@mcp.tool()
async def fails_async(message: str, ctx: Context) -> str:
    await asyncio.sleep(0)
    raise RuntimeError(message)


@mcp.tool()
def first_is_kept() -> str:
    return "first"


@mcp.tool(name="first_is_kept")
def second() -> str:
    return "second"


@mcp.tool(description="With a given description")
def described(self_like: str, cls: int = 1, ctx_like: bool = False, json: str = "{}", type: str = "t", id: int = 0) -> str:
    """Not this one."""
    return f"{self_like} {cls} {ctx_like} {json} {type} {id}"


@mcp.tool()
def no_arguments():
    return "nothing needed"


@mcp.tool()
def remove_me() -> str:
    return "gone"


mcp.remove_tool("remove_me")

if __name__ == "__main__":
    asyncio.run(mcp.run_stdio_async())
