"""The messages a prompt is made of."""

from typing import Any

from mcp._shapes.model import BaseModel

from .._prompt import Prompt


class Message(BaseModel):
    role: str
    content: Any

    def __init__(self, content, **told):
        if isinstance(content, str):
            from mcp.types import TextContent

            content = TextContent(type="text", text=content)
        super().__init__(content=content, **told)


class UserMessage(Message):
    role: str = "user"


class AssistantMessage(Message):
    role: str = "assistant"


__all__ = ["AssistantMessage", "Message", "Prompt", "UserMessage"]
