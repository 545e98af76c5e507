"""The same classes, for authors who import from here."""

from .base import BinaryResource, DirectoryResource, FileResource, FunctionResource, TextResource

__all__ = ["BinaryResource", "DirectoryResource", "FileResource", "FunctionResource", "TextResource"]
