import math
import string
from enum import IntEnum
from typing import NamedTuple

from pydantic import BaseModel, Field

from mcp.server.fastmcp import FastMCP

mcp = FastMCP("password-strength", log_level="ERROR")

COMMON = {"password", "123456", "qwerty", "letmein", "admin", "welcome"}


class Level(IntEnum):
    VERY_WEAK = 0
    WEAK = 1
    FAIR = 2
    STRONG = 3
    EXCELLENT = 4


class Report(BaseModel):
    """How strong a password is."""

    length: int = Field(description="Number of characters", ge=0)
    entropy_bits: float = Field(description="Estimated entropy")
    level: Level
    is_common: bool = False
    suggestions: list[str] = Field(default_factory=list, description="What would make it better")


class Pool(NamedTuple):
    name: str
    size: int


def pools(password: str) -> list[Pool]:
    found = []
    if any(c in string.ascii_lowercase for c in password):
        found.append(Pool("lower", 26))
    if any(c in string.ascii_uppercase for c in password):
        found.append(Pool("upper", 26))
    if any(c in string.digits for c in password):
        found.append(Pool("digit", 10))
    if any(c not in string.ascii_letters + string.digits for c in password):
        found.append(Pool("symbol", 33))
    return found


@mcp.tool()
def check_password(password: str = Field(description="The password to check", min_length=1, max_length=256)) -> Report:
    """Check how strong a password is. Nothing is stored."""
    used = pools(password)
    size = sum(p.size for p in used)
    bits = round(len(password) * math.log2(size), 2) if size else 0.0
    common = password.lower() in COMMON
    level = Level.VERY_WEAK if common else Level(min(4, int(bits // 20)))
    missing = {"lower", "upper", "digit", "symbol"} - {p.name for p in used}
    suggestions = [f"add a {name} character" for name in sorted(missing)]
    if len(password) < 12:
        suggestions.append("use at least 12 characters")
    return Report(length=len(password), entropy_bits=bits, level=level, is_common=common, suggestions=suggestions)


@mcp.tool()
def compare_passwords(passwords: list[str]) -> dict[str, float]:
    """Entropy of several passwords."""
    return {p: round(len(p) * math.log2(sum(x.size for x in pools(p)) or 1), 2) for p in passwords}


@mcp.tool()
def describe_level(level: Level) -> str:
    """Explain a level."""
    return f"{level.value}: {level.name.replace('_', ' ').lower()}"


if __name__ == "__main__":
    mcp.run()
