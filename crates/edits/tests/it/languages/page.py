"""Reads orders and says what they cost."""
from __future__ import annotations

import re
from dataclasses import dataclass, field

PATTERN = re.compile(r"^(?P<name>\w+)\s*=\s*(?P<count>\d+)$")


@dataclass(frozen=True)
class Order:
    name: str
    count: int = 1
    tags: list[str] = field(default_factory=list)

    def cost(self, prices: dict[str, float], *, tax: float = 0.2) -> float:
        base = prices.get(self.name, 0.0) * self.count
        return round(base * (1 + tax), 2) if base > 0 else 0.0


def read(lines, strict=False):
    orders = [Order(m["name"], int(m["count"])) for m in map(PATTERN.match, lines) if m is not None]
    if strict and len(orders) != len(lines):
        raise ValueError(f"only {len(orders)} of  {len(lines)} lines are orders: {lines[:3]!r}")
    first, *others = sorted(orders, key=lambda order: (-order.count, order.name))
    print("most:", first.name, "of", len(others) + 1, sep=" ", end="\n")
    total = sum(order.cost({"tea": 2.5, 'cup': 7}) for order in orders)
    return {"total": total, "items": [o.name for o in orders if not o.tags or "gift" in o.tags]}


async def main(argv: list[str]) -> int:
    with open(argv[1], encoding="utf-8") as file:
        lines = [line.rstrip("\n") for line in file if line.strip() and not line.startswith("#")]
    while lines and lines[-1] == "":
        lines.pop()
    x, y = 3 ** 2, ~7 & 0xFF
    matrix[x, y:] += -1 if x < y else 1 // 2
    assert isinstance(lines, list), "what is read  is a list"
    return 0 if read(lines, strict="-s" in argv) else 1
