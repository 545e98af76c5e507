"""Dice rolling server. A seed makes rolls repeatable."""
import random
import re
from dataclasses import dataclass, field
from typing import Annotated, List, Optional

from pydantic import Field

from mcp.server.fastmcp import FastMCP
from mcp.server.fastmcp.exceptions import ToolError

mcp = FastMCP(name="Dice Roller")

NOTATION = re.compile(r"^(\d*)d(\d+)([+-]\d+)?$")


@dataclass
class Roll:
    notation: str
    rolls: List[int]
    modifier: int
    total: int
    note: Optional[str] = None
    history: List[str] = field(default_factory=list)


@mcp.tool()
def roll(
    notation: Annotated[str, Field(description="Dice notation, e.g. 2d6+3")],
    seed: Annotated[int | None, Field(description="Seed for a repeatable roll", ge=0)] = None,
) -> Roll:
    """Roll dice in standard notation."""
    match = NOTATION.match(notation.replace(" ", "").lower())
    if not match:
        raise ToolError(f"Invalid dice notation: {notation!r}. Use something like 2d6+3.")
    count = int(match.group(1) or 1)
    sides = int(match.group(2))
    modifier = int(match.group(3) or 0)
    if count > 100 or sides < 2:
        raise ToolError("Between 1 and 100 dice with at least 2 sides, please.")
    rng = random.Random(seed)
    rolls = [rng.randint(1, sides) for _ in range(count)]
    return Roll(notation, rolls, modifier, sum(rolls) + modifier)


@mcp.tool()
def flip_coin(times: Annotated[int, Field(ge=1, le=20)] = 1, seed: int = 0) -> list[str]:
    """Flip a coin one or more times."""
    rng = random.Random(seed)
    return [rng.choice(["heads", "tails"]) for _ in range(times)]


@mcp.tool()
def probability(target: int, sides: int = 6) -> float:
    """Probability to roll at least `target` on one die."""
    return max(0, min(sides, sides - target + 1)) / sides


if __name__ == "__main__":
    mcp.run()
