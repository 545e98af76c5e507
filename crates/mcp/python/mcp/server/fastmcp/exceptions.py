"""The errors that authors raise and catch."""


class FastMCPError(Exception):
    """Any error of the server."""


class ToolError(FastMCPError):
    """A tool says what went wrong; the words go to the client."""


class ResourceError(FastMCPError):
    """A resource cannot be read."""


class ValidationError(FastMCPError):
    """A value does not fit."""


class InvalidSignature(Exception):
    """A function cannot be offered as it is written."""
