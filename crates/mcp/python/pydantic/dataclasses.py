"""`pydantic.dataclasses`: the standard dataclass, whose fields are checked where a tool receives one."""

from dataclasses import dataclass, field

__all__ = ["dataclass", "field"]
