"""`Prompt`, for authors who build one themselves. The messages are in `base`."""

from .._prompt import Prompt

__all__ = ["Prompt"]
