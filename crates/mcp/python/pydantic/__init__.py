"""A stand-in for the parts of pydantic that tool servers use, where pydantic cannot be installed.

It offers models, fields, limits and validators. What it lacks raises an ImportError that says so.
The work is done in `mcp._shapes`.
"""

from mcp._shapes.base import ValidationError
from mcp._shapes.fields import Field
from mcp._shapes.hooks import computed_field, field_serializer, field_validator, model_validator, validator
from mcp._shapes.hooks import Info as ValidationInfo
from mcp._shapes.model import BaseModel, PrivateAttr

VERSION = "2.0-standin"
__version__ = VERSION
ConfigDict = dict


def __getattr__(name):
    if name.startswith("_"):
        raise AttributeError(name)
    if name in ("dataclasses", "fields"):
        from importlib import import_module

        return import_module(f"pydantic.{name}")
    from mcp._shapes import extras

    if name in extras.NAMES:
        return getattr(extras, name)
    if not name[0].isupper():
        raise AttributeError(name)
    # A class that an author wants to import: say why it is not there.
    raise ImportError(f"pydantic is not installed, and the stand-in in its place has no {name}. Write the tool without it.")


__all__ = [
    "BaseModel", "ConfigDict", "Field", "PrivateAttr", "ValidationError", "ValidationInfo",
    "computed_field", "field_serializer", "field_validator", "model_validator", "validator",
]  # fmt: skip
