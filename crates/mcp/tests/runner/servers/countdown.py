"""Async countdown with progress reports."""
import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from mcp.server.fastmcp import Context, FastMCP
from mcp.server.session import ServerSession


@dataclass
class AppState:
    started: float
    finished: int = 0


@asynccontextmanager
async def lifespan(server: FastMCP) -> AsyncIterator[AppState]:
    yield AppState(started=time.time())


mcp = FastMCP("Countdown", lifespan=lifespan)


@mcp.tool()
async def countdown(ctx: Context[ServerSession, AppState], steps: int = 3, delay: float = 0.01) -> str:
    """Count down to zero and report progress."""
    for i in range(steps):
        await ctx.report_progress(progress=i + 1, total=steps, message=f"{steps - i - 1} to go")
        await ctx.debug(f"step {i + 1}")
        await asyncio.sleep(delay)
    ctx.request_context.lifespan_context.finished += 1
    return f"Liftoff after {steps} steps"


@mcp.tool()
async def finished_count(ctx: Context) -> int:
    """How many countdowns have finished."""
    return ctx.request_context.lifespan_context.finished


@mcp.tool()
async def parallel(names: list[str]) -> list[str]:
    """Run several countdowns at once."""

    async def one(name: str, wait: float) -> str:
        await asyncio.sleep(wait)
        return f"{name} done"

    return await asyncio.gather(*(one(n, 0.01 * (len(names) - i)) for i, n in enumerate(names)))


@mcp.tool()
async def with_timeout(seconds: float) -> str:
    """Wait at most 0.05 seconds."""
    try:
        await asyncio.wait_for(asyncio.sleep(seconds), timeout=0.05)
    except asyncio.TimeoutError:
        raise RuntimeError("took too long")
    return "in time"


@mcp.resource("countdown://status")
async def status() -> str:
    await asyncio.sleep(0)
    return "idle"


@mcp.tool()
async def read_status(ctx: Context) -> str:
    """Read the status resource from inside a tool."""
    contents = list(await ctx.read_resource("countdown://status"))
    return f"{contents[0].content} ({contents[0].mime_type})"


if __name__ == "__main__":
    mcp.run()
