from __future__ import annotations

import re
from collections import Counter
from typing import Any, TypedDict

from mcp.server.fastmcp import Context, FastMCP

mcp = FastMCP("text-statistics")


class Stats(TypedDict):
    characters: int
    words: int
    sentences: int
    lines: int
    average_word_length: float


def words_of(text: str) -> list[str]:
    return re.findall(r"[\w']+", text.lower())


@mcp.tool()
def analyze(text: str) -> Stats:
    """Count characters, words, sentences and lines."""
    words = words_of(text)
    return {
        "characters": len(text),
        "words": len(words),
        "sentences": len(re.findall(r"[.!?]+", text)) or (1 if text.strip() else 0),
        "lines": len(text.splitlines()),
        "average_word_length": round(sum(map(len, words)) / len(words), 2) if words else 0.0,
    }


@mcp.tool()
def word_frequency(text: str, top: int = 5, stop_words: set[str] | None = None) -> dict[str, int]:
    """Most frequent words."""
    words = [w for w in words_of(text) if not stop_words or w not in stop_words]
    return dict(Counter(words).most_common(top))


@mcp.tool()
async def compare(first: str, second: str, ctx: Context) -> dict[str, Any]:
    """Compare two texts by their vocabulary."""
    await ctx.info(f"comparing {len(first)} with {len(second)} characters")
    a, b = set(words_of(first)), set(words_of(second))
    union = a | b
    return {"shared": sorted(a & b), "similarity": round(len(a & b) / len(union), 3) if union else None}


@mcp.tool()
def reading_time(text: str, words_per_minute: int = 200) -> str:
    """Estimated reading time."""
    minutes = len(words_of(text)) / words_per_minute
    return f"{minutes:.1f} minutes"


if __name__ == "__main__":
    mcp.run()
