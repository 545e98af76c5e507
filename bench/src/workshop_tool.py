from mcp.server.fastmcp import FastMCP

mcp = FastMCP("scales")


@mcp.tool()
def scale(grams: float, portions: int = 1) -> str:
    """Scales an amount to a number of portions."""
    return f"{grams * portions:g} g"


@mcp.tool()
def convert(amount: float, unit: str) -> dict[str, float]:
    """Converts grams or millilitres to the other units of a kitchen."""
    units = {"g": {"ounces": 0.035274, "pounds": 0.0022046}, "ml": {"cups": 0.0042268, "spoons": 0.067628}}
    return {name: amount * factor for name, factor in units[unit].items()}


mcp.run()
