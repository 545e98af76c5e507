"""The other side of `workshop`: the official client. It does what each line of its input says, and answers with one line.

{"open": NAME, "command": [PROGRAM, ...]}      starts a server, greets it and lists its tools: how long that took
{"open": NAME, "url": URL}                     the same by streamable HTTP
{"call": NAME, "tool": TOOL, "arguments": {}, "times": N}      how long each call took
{"close": NAME}
"""

import asyncio
import contextlib
import json
import sys
import time

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client


class Server:
    """One that is talked with. What opened it has to close it, so that it is a task of its own."""

    def __init__(self, order):
        self.order = order
        self.opened = asyncio.get_running_loop().create_future()
        self.closing = asyncio.Event()
        self.task = asyncio.create_task(self.keep())

    def transport(self):
        if "url" in self.order:
            return streamable_http_client(self.order["url"])
        program, *arguments = self.order["command"]
        return stdio_client(StdioServerParameters(command=program, args=arguments))

    async def keep(self):
        try:
            async with contextlib.AsyncExitStack() as stack:
                begun = time.perf_counter()
                streams = await stack.enter_async_context(self.transport())
                session = await stack.enter_async_context(ClientSession(streams[0], streams[1]))
                await session.initialize()
                await session.list_tools()
                self.opened.set_result((session, time.perf_counter() - begun))
                await self.closing.wait()
        except Exception as error:
            if self.opened.done():
                raise
            self.opened.set_exception(error)


async def call(session, order):
    times = []
    for _ in range(order["times"]):
        begun = time.perf_counter()
        result = await session.call_tool(order["tool"], order["arguments"])
        times.append(time.perf_counter() - begun)
        if result.isError:
            raise RuntimeError(result.content)
    return times


async def obey(order, servers):
    if "open" in order:
        server = servers[order["open"]] = Server(order)
        _, seconds = await server.opened
        return {"seconds": seconds}
    if "call" in order:
        session, _ = await servers[order["call"]].opened
        return {"times": await call(session, order)}
    server = servers.pop(order["close"])
    server.closing.set()
    await server.task
    return {}


async def main():
    servers = {}
    while line := await asyncio.to_thread(sys.stdin.readline):
        try:
            answer = await obey(json.loads(line), servers)
        except Exception as error:
            answer = {"error": repr(error)}
        print(json.dumps(answer), flush=True)
    for server in servers.values():
        server.closing.set()
    await asyncio.gather(*(server.task for server in servers.values()), return_exceptions=True)


asyncio.run(main())
