"""A tool: a function, its schema, the check of its arguments, and the answer made of its result."""

import json

from mcp._shapes.base import Defs, ValidationError

from ._calls import plain_words, report
from ._content import dump, text_block, to_content
from ._output import output_of
from ._signature import Signature


class Tool:
    def __init__(self, fn, name=None, title=None, description=None, annotations=None, icons=None, meta=None,
                 structured_output=None):  # fmt: skip
        self.fn, self.title = fn, title
        self.signature = Signature(fn)
        self.name = name or self.signature.name
        if self.name == "<lambda>":
            raise ValueError("a lambda has no name of its own: give one with name=")
        self.description = description or fn.__doc__ or ""
        self.annotations, self.icons, self.meta = annotations, icons, meta
        self.is_async = self.signature.is_async
        self.fields = self.signature.fields()
        defs = Defs()
        try:
            self.parameters = defs.around(self.fields.schema(defs, f"{self.signature.name}Arguments"))
        except TypeError as error:
            from .exceptions import InvalidSignature

            raise InvalidSignature(f"the tool {self.name} cannot be described: {error}") from error
        self.output = output_of(self.signature, structured_output)

    @classmethod
    def from_function(cls, fn, **options):
        return cls(fn, **options)

    @property
    def output_schema(self):
        return self.output.schema if self.output else None

    def listed(self):
        told = {"name": self.name, "title": self.title, "description": self.description}
        told.update(inputSchema=self.parameters, outputSchema=self.output_schema)
        told.update(annotations=dump(self.annotations), icons=dump(self.icons), _meta=self.meta)
        return {key: value for key, value in told.items() if value is not None}

    async def answer(self, arguments, context):
        """The result of `tools/call`. Whatever the function does, there is one."""
        try:
            return self.result(await self.call(arguments, context))
        except ValidationError as error:
            return failure(f"Error executing tool {self.name}: {_told(error)}")
        except BaseException as error:
            if _is_cancellation(error) and context.request_context.call.dropped:
                raise
            report(error)
            return failure(f"Error executing tool {self.name}: {plain_words(error)}")

    async def call(self, arguments, context):
        """What the function returns for these arguments."""
        try:
            values, _given, _rest = self.fields.check(self._unpacked(arguments))
        except ValidationError as error:
            raise _Arguments(error.problems) from None
        if self.signature.context_name:
            values[self.signature.context_name] = context
        value = self.fn(**values)
        return await value if self.is_async else value

    def _unpacked(self, arguments):
        """Models give lists and objects as JSON inside a text now and then; take them out of it."""
        found = dict(arguments)
        for spec in self.fields.specs.values():
            given = arguments.get(spec.key)
            if not isinstance(given, str) or spec.annotation is str:
                continue
            try:
                inner = json.loads(given)
            except (ValueError, RecursionError):
                continue
            # A number or a text inside a text is more likely meant as the text it is.
            if not isinstance(inner, (str, int, float)) and self._fits_better(spec, inner, given):
                found[spec.key] = inner
        return found

    def _fits_better(self, spec, inner, given):
        """Text stays text where only the text fits: `note: str | None` may well be given JSON to keep."""
        try:
            spec.shape.check(inner)
            return True
        except ValidationError:
            pass
        try:
            spec.shape.check(given)
            return False
        except ValidationError:
            return True

    def result(self, value):
        """The answer for a value the function returned."""
        whole = _whole_answer(value)
        if whole is not None:
            if self.output is not None:
                self.output._check(whole.get("structuredContent"))
            return whole
        content = to_content(value)
        answer = {"content": content, "isError": False}
        if self.output is not None:
            answer["structuredContent"] = self.output.value(value)
        return answer


class _Arguments(ValidationError):
    """What is wrong with the arguments, as opposed to with a value inside the tool."""


def _told(error):
    if isinstance(error, _Arguments):
        return "\n".join(error.lines("argument"))
    if error.title == "value":
        return "what the tool returned does not fit its annotation: " + "\n".join(error.lines())
    # The author's own model refused something while the tool ran.
    report(error)
    return str(error)


def failure(words):
    return {"content": [text_block(words)], "isError": True}


def _whole_answer(value):
    cls = type(value)
    return dump(value) if cls.__name__ == "CallToolResult" and hasattr(cls, "model_dump") else None


def _is_cancellation(error):
    return type(error).__name__ == "CancelledError"
