"""Structured output: whether a tool has it, its schema, and its value for one result.

What the return annotation is decides. A model, a TypedDict or a class with annotations is the
output itself; `dict[str, T]` too; anything else that has a schema is wrapped as {"result": ...};
a class that says nothing about itself gives no structured output.
"""

from mcp._shapes.base import MISSING, Defs, ValidationError
from mcp._shapes.jsonable import jsonable
from mcp._shapes.records import ClassRecord, Fields, Spec, TypedDictRecord, annotations_of, namespace
from mcp._shapes.resolve import is_union, peel, shape_of

from .exceptions import InvalidSignature

_WRAPPED = (str, int, float, bool, bytes, type(None))


class Output:
    def __init__(self, schema, check, wrapped=False):
        self.schema, self._check, self._wrapped = schema, check, wrapped

    def value(self, result):
        """The structured content for a result, or ValidationError."""
        try:
            checked = self._check(result)
        except ValidationError as error:
            problems = error.under("result") if self._wrapped else error.problems
            raise ValidationError(problems) from None
        plain = jsonable(checked)
        return {"result": plain} if self._wrapped else plain


def output_of(signature, wanted=None):
    """The Output of a tool, or None. `wanted` is the author's structured_output: None decides by itself."""
    if wanted is False:
        return None
    hint = signature.returns
    if hint is MISSING:
        if wanted:
            raise InvalidSignature(f"{signature.name} needs a return annotation for structured output")
        return None
    base, metadata = peel(hint, signature.names)
    if _is_whole_answer(base):
        if not metadata:
            return None
        hint = base = metadata[0]
    elif is_union(base) and any(_is_whole_answer(part) for part in base.__args__):
        raise InvalidSignature(f"{signature.name} cannot return CallToolResult or something else; return CallToolResult")
    try:
        output = _make(signature, hint, base)
    except (TypeError, ValueError, NameError, AttributeError) as error:
        if wanted:
            raise InvalidSignature(f"what {signature.name} returns has no schema: {error}") from error
        output = None
    if output is None and wanted:
        raise InvalidSignature(f"what {signature.name} returns has no schema, so its output cannot be structured")
    return output


def _is_whole_answer(cls):
    return isinstance(cls, type) and cls.__name__ == "CallToolResult" and cls.__module__ == "mcp.types"


def _make(signature, hint, base):
    names = signature.names
    # Any is a class from Python 3.11 on; before that it says as little.
    if getattr(base, "_name", None) == "Any":
        return None
    if isinstance(base, type) and not hasattr(base, "__origin__") and base not in _WRAPPED:
        return _of_class(base, names)
    if type(base).__name__ == "GenericAlias" and base.__origin__ is dict and base.__args__[0] is str:
        shape, defs = shape_of(base, names), Defs()
        body = defs.around({**shape.schema(defs), "title": f"{signature.name}DictOutput"})
        return Output(body, shape.check)
    spec, defs = Spec("result", hint, MISSING, names), Defs()
    body = Fields([spec]).schema(defs, f"{signature.name}Output")
    return Output(defs.around(body), spec.check, wrapped=True)


def _of_class(cls, names):
    if hasattr(cls, "model_json_schema"):
        shape = shape_of(cls, names)
        return Output(_with_root(cls.model_json_schema()), shape.check)
    if issubclass(cls, dict) and hasattr(cls, "__total__"):
        shape = _PartialRecord(cls, names)
    elif hasattr(cls, "_fields") or hasattr(cls, "_member_map_") or cls.__name__ == "Any":
        return None
    elif annotations_of(cls, namespace(cls)):
        shape = ClassRecord(cls, names)
    else:
        return None
    defs = Defs()
    return Output(defs.around(shape.define(defs)), shape.check)


def _with_root(schema):
    """The real pydantic describes a model that mentions itself by a bare reference; clients want an object."""
    name = schema.get("$ref", "").rpartition("/")[2]
    return {**schema["$defs"][name], "$defs": schema["$defs"]} if name else schema


class _PartialRecord(TypedDictRecord):
    """A TypedDict as output: keys that may be absent are described with a default of null."""

    def specs(self, names):
        for spec in super().specs(names):
            if not spec.required:
                spec.info.default = None
            yield spec

    def check(self, value, strict=False):
        checked = super().check(value, strict)
        return {key: item for key, item in checked.items() if key in value}

    def define(self, defs):
        return self.fields.schema(defs, self.cls.__name__)
