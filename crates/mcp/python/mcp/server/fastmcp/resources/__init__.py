"""Resources that authors build themselves."""

from .base import BinaryResource, DirectoryResource, FileResource, FunctionResource, Resource, TextResource

__all__ = ["BinaryResource", "DirectoryResource", "FileResource", "FunctionResource", "Resource", "TextResource"]
