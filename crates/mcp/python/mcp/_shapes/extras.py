"""The smaller names of pydantic: ready-made limits, adapters, addresses. Loaded when one is asked for."""

from typing import Annotated, List

from .base import Defs, ValidationError, wrong
from .dump import dump_value
from .fields import Field, FieldInfo
from .model import BaseModel, ModelMeta
from .plain import Text
from .resolve import shape_of

PositiveInt = Annotated[int, Field(gt=0)]
NegativeInt = Annotated[int, Field(lt=0)]
NonNegativeInt = Annotated[int, Field(ge=0)]
NonPositiveInt = Annotated[int, Field(le=0)]
PositiveFloat = Annotated[float, Field(gt=0)]
NegativeFloat = Annotated[float, Field(lt=0)]
NonNegativeFloat = Annotated[float, Field(ge=0)]
NonPositiveFloat = Annotated[float, Field(le=0)]
StrictInt = Annotated[int, Field(strict=True)]
StrictFloat = Annotated[float, Field(strict=True)]
StrictStr = Annotated[str, Field(strict=True)]
StrictBool = Annotated[bool, Field(strict=True)]


def conint(**limits):
    return Annotated[int, Field(**limits)]


def confloat(**limits):
    return Annotated[float, Field(**limits)]


def constr(**limits):
    return Annotated[str, Field(**limits)]


def conlist(item_type, **limits):
    return Annotated[List[item_type], Field(**limits)]


class StringConstraints(FieldInfo):
    def __init__(self, **limits):
        super().__init__(**limits)


class AfterValidator:
    def __init__(self, func):
        self.func = func


class BeforeValidator:
    def __init__(self, func):
        self.func = func


class _Address(Text):
    def __init__(self, cls):
        self.cls = cls

    def check(self, value, strict=False):
        text = super().check(value, strict).strip()
        scheme, colon, rest = text.partition(":")
        known = scheme[:1].isalpha() and all(c.isalnum() or c in "+-." for c in scheme)
        if not colon or not rest or not known or (self.cls.schemes and scheme.lower() not in self.cls.schemes):
            raise wrong("url_parsing", "an address such as https://example.org", value)
        return self.cls(text)

    def schema(self, defs):
        body = {"format": "uri", "minLength": 1, "type": "string"}
        return {**body, "maxLength": 2083} if self.cls.schemes else body


class AnyUrl(str):
    """An address. It is text, and stays as it was given."""

    schemes = ()

    @classmethod
    def __shape__(cls, own, names):
        return _Address(own)


class AnyHttpUrl(AnyUrl):
    schemes = ("http", "https")


class HttpUrl(AnyUrl):
    schemes = ("http", "https")


class FileUrl(AnyUrl):
    schemes = ("file",)


class TypeAdapter:
    """Checks and describes any annotation, not only models."""

    def __init__(self, annotation, **_ignored):
        import sys

        names = sys._getframe(1).f_globals
        self._shape = shape_of(annotation, names)
        self._title = getattr(annotation, "__name__", str(annotation))

    def validate_python(self, value, **_ignored):
        try:
            return self._shape.check(value)
        except ValidationError as error:
            raise ValidationError(error.problems, self._title) from None

    def validate_json(self, text, **_ignored):
        import json

        try:
            return self.validate_python(json.loads(text))
        except ValidationError:
            raise
        except ValueError as error:
            raise ValidationError([((), "json_invalid", f"this is not JSON: {error}", text)], self._title) from None

    def dump_python(self, value, *, mode="python", by_alias=False, exclude_none=False, **_ignored):
        options = {"mode": mode, "by_alias": by_alias, "exclude_none": exclude_none}
        return dump_value(value, {**options, "exclude_unset": False, "exclude_defaults": False})

    def dump_json(self, value, *, indent=None, **options):
        import json

        separators = None if indent else (",", ":")
        text = json.dumps(self.dump_python(value, mode="json", **options), indent=indent, separators=separators)
        return text.encode()

    def json_schema(self, **_ignored):
        defs = Defs()
        return defs.around(self._shape.schema(defs))


def create_model(name, *, __base__=None, __config__=None, __doc__=None, __module__=None, **fields):
    """A model class made by a call: field=(type, default) or field=type."""
    body, hints = {"__module__": __module__ or __name__, "__doc__": __doc__}, {}
    for field, given in fields.items():
        hint, default = given if isinstance(given, tuple) else (given, ...)
        hints[field] = hint
        if default is not ...:
            body[field] = default
    body["__annotations__"] = hints
    if __config__:
        body["model_config"] = __config__
    bases = __base__ if isinstance(__base__, tuple) else (__base__ or BaseModel,)
    return ModelMeta(name, bases, body)


NAMES = {
    "AfterValidator", "AnyHttpUrl", "AnyUrl", "BeforeValidator", "FileUrl", "HttpUrl", "NegativeFloat", "NegativeInt",
    "NonNegativeFloat", "NonNegativeInt", "NonPositiveFloat", "NonPositiveInt", "PositiveFloat", "PositiveInt",
    "StrictBool", "StrictFloat", "StrictInt", "StrictStr", "StringConstraints", "TypeAdapter", "conint", "confloat",
    "conlist", "constr", "create_model",
}  # fmt: skip
