"""Unit converter MCP server."""
from typing import Literal

from mcp.server.fastmcp import FastMCP

mcp = FastMCP("Unit Converter", instructions="Convert between common units of length, mass and temperature.")

LENGTH = {"m": 1.0, "km": 1000.0, "cm": 0.01, "mm": 0.001, "mi": 1609.344, "yd": 0.9144, "ft": 0.3048, "in": 0.0254}
MASS = {"kg": 1.0, "g": 0.001, "lb": 0.45359237, "oz": 0.028349523125}


@mcp.tool()
def convert_length(value: float, from_unit: str, to_unit: str) -> float:
    """Convert a length from one unit to another.

    Args:
        value: The number to convert
        from_unit: Unit of the value (m, km, cm, mm, mi, yd, ft, in)
        to_unit: Target unit
    """
    if from_unit not in LENGTH or to_unit not in LENGTH:
        raise ValueError(f"Unknown unit. Supported units: {', '.join(LENGTH)}")
    return round(value * LENGTH[from_unit] / LENGTH[to_unit], 6)


@mcp.tool()
def convert_mass(value: float, from_unit: Literal["kg", "g", "lb", "oz"], to_unit: Literal["kg", "g", "lb", "oz"]) -> dict:
    """Convert a mass."""
    result = value * MASS[from_unit] / MASS[to_unit]
    return {"value": value, "from": from_unit, "to": to_unit, "result": round(result, 6)}


@mcp.tool()
def convert_temperature(value: float, from_unit: Literal["C", "F", "K"], to_unit: Literal["C", "F", "K"] = "C") -> str:
    """Convert a temperature between Celsius, Fahrenheit and Kelvin."""
    celsius = {"C": value, "F": (value - 32) * 5 / 9, "K": value - 273.15}[from_unit]
    if celsius < -273.15:
        raise ValueError("Temperature below absolute zero")
    result = {"C": celsius, "F": celsius * 9 / 5 + 32, "K": celsius + 273.15}[to_unit]
    return f"{value:g}°{from_unit} = {result:.2f}°{to_unit}"


@mcp.resource("units://all")
def all_units() -> dict[str, list[str]]:
    """All supported units."""
    return {"length": list(LENGTH), "mass": list(MASS), "temperature": ["C", "F", "K"]}


if __name__ == "__main__":
    mcp.run()
