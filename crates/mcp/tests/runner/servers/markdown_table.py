#!/usr/bin/env python3
"""Build and reformat Markdown tables."""
import csv
import io
from enum import Enum
from typing import Any, Dict, List, Union

from mcp.server.fastmcp import FastMCP
from mcp.types import ToolAnnotations

mcp = FastMCP("Markdown Tables")


class Align(str, Enum):
    """Column alignment."""

    left = "left"
    center = "center"
    right = "right"


RULES = {Align.left: ":---", Align.center: ":---:", Align.right: "---:"}


def render(headers: List[str], rows: List[List[str]], align: Align) -> str:
    out = ["| " + " | ".join(headers) + " |", "| " + " | ".join([RULES[align]] * len(headers)) + " |"]
    out += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(out)


@mcp.tool(
    title="Make a Markdown table",
    annotations=ToolAnnotations(title="Make table", readOnlyHint=True, idempotentHint=True),
)
def make_table(headers: List[str], rows: List[List[Union[str, int, float, bool, None]]], align: Align = Align.left) -> str:
    """Make a Markdown table from headers and rows."""
    cells = []
    for number, row in enumerate(rows, 1):
        if len(row) != len(headers):
            raise ValueError(f"Row {number} has {len(row)} cells, expected {len(headers)}")
        cells.append(["" if c is None else str(c).replace("|", "\\|") for c in row])
    return render(headers, cells, align)


@mcp.tool(name="records_to_table", description="Make a table from a list of objects", structured_output=False)
def from_records(records: List[Dict[str, Any]]) -> str:
    headers: List[str] = []
    for record in records:
        headers.extend(k for k in record if k not in headers)
    return render(headers, [[str(r.get(h, "")) for h in headers] for r in records], Align.left)


@mcp.tool()
def csv_to_table(text: str, delimiter: str = ","):
    """Convert CSV text to a Markdown table."""
    rows = list(csv.reader(io.StringIO(text), delimiter=delimiter))
    if not rows:
        return "empty"
    return render(rows[0], rows[1:], Align.left)


@mcp.tool()
def table_size(markdown: str) -> tuple[int, int]:
    """Number of columns and data rows."""
    lines = [line for line in markdown.splitlines() if line.strip().startswith("|")]
    return (lines[0].count("|") - 1 if lines else 0, max(0, len(lines) - 2))


if __name__ == "__main__":
    mcp.run()
