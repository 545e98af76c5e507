"""Prompts: functions that return messages for a conversation."""

from mcp._shapes.base import Defs, ValidationError, show
from mcp._shapes.jsonable import json_text

from ._calls import Refusal, plain_words, report
from ._content import dump, is_block, text_block
from ._signature import Signature

_ROLES = ("user", "assistant")


class Prompt:
    def __init__(self, fn, name=None, title=None, description=None, icons=None):
        self.fn, self.title, self.icons = fn, title, icons
        self.signature = Signature(fn)
        self.name = name or self.signature.name
        if self.name == "<lambda>":
            raise ValueError("a lambda has no name of its own: give one with name=")
        self.description = description or fn.__doc__ or ""
        self.is_async = self.signature.is_async
        self.fields = self.signature.fields()
        body = self.fields.schema(Defs(), "arguments")
        required = body.get("required", ())
        self.arguments = [
            {"name": name, "description": part.get("description"), "required": name in required}
            for name, part in body["properties"].items()
        ]

    @classmethod
    def from_function(cls, fn, **options):
        return cls(fn, **options)

    def listed(self):
        told = {"name": self.name, "title": self.title, "description": self.description, "icons": dump(self.icons)}
        told["arguments"] = [{k: v for k, v in each.items() if v is not None} for each in self.arguments]
        return {key: value for key, value in told.items() if value is not None}

    async def answer(self, arguments, context):
        """The result of `prompts/get`."""
        missing = {each["name"] for each in self.arguments if each["required"]} - set(arguments)
        if missing:
            raise Refusal(0, f"the prompt {self.name} needs {', '.join(sorted(missing))}")
        try:
            values = self._checked(arguments)
            if self.signature.context_name:
                values[self.signature.context_name] = context
            value = self.fn(**values)
            value = await value if self.is_async else value
            parts = value if isinstance(value, (list, tuple)) else [value]
            messages = [_message(part) for part in parts]
        except ValidationError as error:
            words = "\n".join(error.lines("argument"))
            raise Refusal(0, f"the prompt {self.name} failed: {words}") from None
        except BaseException as error:
            if type(error).__name__ == "CancelledError" and context.request_context.call.dropped:
                raise
            report(error)
            raise Refusal(0, f"the prompt {self.name} failed: {plain_words(error)}") from None
        return {"description": self.description, "messages": messages}


    def _checked(self, arguments):
        unknown = set(arguments) - {each["name"] for each in self.arguments}
        if unknown:
            raise ValidationError([((name,), "unknown", "there is no such argument", None) for name in sorted(unknown)])
        return self.fields.check(arguments)[0]


def _message(part):
    """Text is what the user says; a dict or an object names its role itself."""
    if isinstance(part, str):
        return {"role": "user", "content": text_block(part)}
    if isinstance(part, dict):
        role, content = part.get("role", "user"), part.get("content")
    elif hasattr(part, "role") and hasattr(part, "content"):
        role, content = part.role, part.content
    else:
        return {"role": "user", "content": text_block(json_text(part))}
    if isinstance(content, str):
        content = text_block(content)
    elif is_block(content):
        content = dump(content)
    if role not in _ROLES or not isinstance(content, dict) or "type" not in content:
        raise ValueError(f"this is no message for a prompt: {show(part)}")
    return {"role": role, "content": content}
