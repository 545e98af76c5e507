"""An error in the protocol's own terms."""


class McpError(Exception):
    def __init__(self, error):
        super().__init__(error.message)
        self.error = error

    @classmethod
    def received(cls, error):
        """From the error object of an answer, whatever is in it."""
        from mcp.types import ErrorData

        told = error if isinstance(error, dict) else {}
        code = told.get("code")
        code = code if isinstance(code, int) else 0
        return cls(ErrorData(code=code, message=str(told.get("message", "")), data=told.get("data")))
