"""What a function may ask of its Context."""
from typing import Optional

from pydantic import BaseModel, Field

from mcp.server.fastmcp import Context, FastMCP
from mcp.types import SamplingMessage, TextContent

mcp = FastMCP("context", instructions="Ask away.")


class Booking(BaseModel):
    guests: int = Field(description="How many", ge=1)
    name: str = "unknown"
    confirmed: bool = False


@mcp.tool()
async def logs(ctx: Context) -> str:
    """All levels."""
    await ctx.debug("one")
    await ctx.info("two")
    await ctx.warning("three")
    await ctx.error("four")
    await ctx.log("info", "five", logger_name="mine")
    return ctx.request_id


@mcp.tool()
async def progress(n: int, context: Context) -> str:
    for i in range(n):
        await context.report_progress(i, n)
    return "done"


@mcp.tool()
def plain_with_context(x: int, ctx: Optional[Context] = None) -> str:
    return f"{x} {ctx is not None} {ctx.client_id}"


@mcp.tool()
async def reads(ctx: Context) -> list[str]:
    parts = list(await ctx.read_resource("data://fixed"))
    more = list(await ctx.read_resource("data://part/7"))
    return [parts[0].content, parts[0].mime_type, more[0].content]


@mcp.tool()
async def reads_unknown(ctx: Context) -> str:
    return str(await ctx.read_resource("data://none"))


@mcp.tool()
async def book(ctx: Context) -> str:
    result = await ctx.elicit(message="Please confirm", schema=Booking)
    if result.action == "accept":
        return f"{result.data.guests} {result.data.name} {result.data.confirmed}"
    return result.action


@mcp.tool()
async def sample(text: str, ctx: Context) -> str:
    message = SamplingMessage(role="user", content=TextContent(type="text", text=text))
    result = await ctx.session.create_message(messages=[message], max_tokens=20, system_prompt="Be short")
    return f"{result.model}: {result.content.text}"


@mcp.tool()
async def changed(ctx: Context) -> str:
    await ctx.session.send_tool_list_changed()
    await ctx.session.send_resource_list_changed()
    await ctx.session.send_log_message(level="notice", data={"a": [1]}, logger="own")
    return "told"


@mcp.tool()
async def from_server() -> str:
    return mcp.get_context().request_id


@mcp.resource("data://fixed", name="Fixed", title="A title", description="Words", mime_type="text/markdown")
def fixed() -> str:
    return "# fixed"


@mcp.resource("data://part/{number}")
async def part(number: int, ctx: Context) -> str:
    await ctx.info(f"part {number}")
    return f"part {number + 1}"


@mcp.prompt()
async def asking(ctx: Context, topic: str = "all") -> str:
    await ctx.info("asked")
    return f"about {topic}"


if __name__ == "__main__":
    mcp.run()
