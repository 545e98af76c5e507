"""`Tool`, for authors who build one themselves."""

from .._tool import Tool

__all__ = ["Tool"]
