"""Draw small PNG images without any library."""
import base64
import os
import struct
import zlib
from typing import Any

from mcp.server.fastmcp import FastMCP, Image
from mcp.types import EmbeddedResource, ImageContent, TextContent, TextResourceContents

mcp = FastMCP("image-maker")


def png(width: int, height: int, pixels: list[tuple[int, int, int]]) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    raw = b""
    for y in range(height):
        raw += b"\0" + b"".join(bytes(p) for p in pixels[y * width : (y + 1) * width])
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(raw, 9)) + chunk(b"IEND", b"")


def parse(color: str) -> tuple[int, int, int]:
    color = color.lstrip("#")
    if len(color) != 6:
        raise ValueError(f"Invalid color: {color}")
    return tuple(int(color[i : i + 2], 16) for i in (0, 2, 4))


@mcp.tool()
def solid(color: str, width: int = 8, height: int = 8) -> Image:
    """A rectangle in one color."""
    return Image(data=png(width, height, [parse(color)] * (width * height)), format="png")


@mcp.tool()
def gradient(start: str, end: str, size: int = 8):
    """A horizontal gradient, with a caption."""
    a, b = parse(start), parse(end)
    row = [tuple(x + (y - x) * i // max(1, size - 1) for x, y in zip(a, b)) for i in range(size)]
    return [f"Gradient from {start} to {end}", Image(data=png(size, size, row * size), format="png")]


@mcp.tool()
def checkerboard(squares: int = 4) -> list[TextContent | ImageContent]:
    """A checkerboard as content objects."""
    pixels = [(255, 255, 255) if (x + y) % 2 else (0, 0, 0) for y in range(squares) for x in range(squares)]
    data = base64.b64encode(png(squares, squares, pixels)).decode()
    return [TextContent(type="text", text=f"{squares}x{squares}"), ImageContent(type="image", data=data, mimeType="image/png")]


@mcp.tool()
def save(color: str, name: str) -> Any:
    """Save an image in the sandbox and return it from the file."""
    path = os.path.join(os.environ["MCP_SANDBOX_DIR"], os.path.basename(name))
    with open(path, "wb") as f:
        f.write(png(2, 2, [parse(color)] * 4))
    return Image(path=path)


@mcp.tool()
def palette_note(colors: list[str]) -> EmbeddedResource:
    """A palette as an embedded text resource."""
    text = "\n".join(colors)
    return EmbeddedResource(
        type="resource", resource=TextResourceContents(uri="palette://current", text=text, mimeType="text/plain")
    )


@mcp.tool()
def raw_bytes() -> bytes:
    """PNG bytes without a wrapper: not text, so this is an error."""
    return png(1, 1, [(0, 0, 0)])


@mcp.resource("image://{color}", mime_type="image/png")
def image_resource(color: str) -> bytes:
    return png(1, 1, [parse(color)])


if __name__ == "__main__":
    mcp.run()
