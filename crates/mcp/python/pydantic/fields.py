"""`pydantic.fields`, for authors who import from there."""

from mcp._shapes.fields import Field, FieldInfo
from mcp._shapes.model import PrivateAttr

__all__ = ["Field", "FieldInfo", "PrivateAttr"]
