"""Values with named parts: the fields of a model, a dataclass, a TypedDict, a function's arguments."""

import sys

from .base import MISSING, Shape, ValidationError, docstring, show, wrong
from .fields import FieldInfo, read_metadata
from .jsonable import jsonable


class Spec:
    """One field: its name in Python, its key in JSON, what fits, and what stands in for nothing."""

    __slots__ = ("name", "key", "dump_key", "info", "shape", "annotation", "required", "checks")

    def __init__(self, name, annotation, default, names, optional=False):
        from .resolve import limited, peel, shape_of

        annotation, metadata = peel(annotation, names)
        if isinstance(default, FieldInfo) or type(default).__name__ == "FieldInfo":
            metadata = (*metadata, default)
            default = MISSING
        info = read_metadata(metadata) or FieldInfo()
        if default is not MISSING:
            info.default = default
        self.name, self.info, self.annotation = name, info, annotation
        info.annotation = annotation
        self.key = info.validation_alias or info.alias or name
        self.dump_key = info.serialization_alias or info.alias or name
        self.shape = limited(shape_of(annotation, names), info, metadata)
        self.required = info.is_required() and not optional
        self.checks = ()

    def fallback(self):
        """The value when none was given. Lists and dicts are copied: a default is nobody's to change."""
        default = self.info.get_default()
        if type(default) in (list, dict, set):
            import copy

            return copy.deepcopy(default)
        return default

    def check(self, value, strict=False, others=None):
        """The value for this field. `others` are the fields before it, for the author's own checks."""
        for run in self.checks:
            value = run(value, "before", others)
        value = self.shape.check(value, strict)
        for run in self.checks:
            value = run(value, "after", others)
        return value

    def schema(self, defs):
        body = self.shape.schema(defs)
        if self.shape.titled:
            body["title"] = self.key.title().replace("_", " ").strip()
        body.update(self.info.words())
        if self.info.default is not MISSING and not self.info.default_factory:
            try:
                body["default"] = jsonable(self.info.default)
            except ValueError:
                pass
        return body


class Fields:
    """The fields of one record, in order."""

    def __init__(self, specs, extra="ignore", by_name=False):
        self.specs = {spec.name: spec for spec in specs}
        self.extra, self.by_name = extra, by_name

    def check(self, data, strict=False):
        """(values by Python name, names that were given, what else was given)."""
        values, given, problems, used = {}, set(), [], set()
        for spec in self.specs.values():
            key = spec.key if spec.key in data or not self.by_name else spec.name
            if key in data:
                used.add(key)
                given.add(spec.name)
                try:
                    values[spec.name] = spec.check(data[key], strict, values)
                except ValidationError as error:
                    problems += error.under(spec.key)
            elif spec.required:
                problems.append(((spec.key,), "missing", "a value is required", data))
            elif spec.info.default is not MISSING or spec.info.default_factory:
                values[spec.name] = spec.fallback()
        rest = {k: v for k, v in data.items() if k not in used} if self.extra != "ignore" else {}
        if self.extra == "forbid":
            problems += [((k,), "extra_forbidden", "there is no such field", v) for k, v in rest.items()]
        if problems:
            raise ValidationError(problems)
        return values, given, rest

    def schema(self, defs, title, description=None):
        body = {"properties": {spec.key: spec.schema(defs) for spec in self.specs.values()}}
        required = [spec.key for spec in self.specs.values() if spec.required]
        if required:
            body["required"] = required
        if description:
            body["description"] = description
        if self.extra != "ignore":
            body["additionalProperties"] = self.extra == "allow"
        return {**body, "title": title, "type": "object"}


class Record(Shape):
    """A class whose parts are checked one by one. Subclasses say how it is read and made."""

    titled = False

    def __init__(self, cls, names):
        self.cls, self._names, self._fields = cls, names, None

    @property
    def fields(self):
        # Late, so that classes can mention each other and themselves.
        if self._fields is None:
            self._fields = Fields(self.specs({**self._names, **namespace(self.cls)}))
        return self._fields

    def check(self, value, strict=False):
        if isinstance(value, self.cls):
            return value
        if strict or not isinstance(value, dict):
            raise wrong("record_type", f"an object with the fields of {self.cls.__name__}", value)
        values, _given, _rest = self.fields.check(value)
        return self.make(values)

    def make(self, values):
        try:
            return self.cls(**values)
        except (ValueError, AssertionError, TypeError) as error:
            raise ValidationError.one("value_error", str(error) or "the value is not accepted", show(values)) from None

    def schema(self, defs):
        return defs.ref(self.cls, self.define)

    def define(self, defs):
        return self.fields.schema(defs, self.cls.__name__, docstring(self.cls))


class DataclassRecord(Record):
    def specs(self, names):
        missing = sys.modules["dataclasses"].MISSING
        hints = annotations_of(self.cls, names)
        for name, field in self.cls.__dataclass_fields__.items():
            if not field.init or field._field_type.name != "_FIELD":
                continue
            default = MISSING if field.default is missing else field.default
            if field.default_factory is not missing:
                default = FieldInfo(default_factory=field.default_factory)
            yield Spec(name, hints.get(name, field.type), default, names)


class TypedDictRecord(Record):
    def specs(self, names):
        required = getattr(self.cls, "__required_keys__", None)
        for name, hint in annotations_of(self.cls, names).items():
            words = repr(hint) if not isinstance(hint, str) else hint
            wanted = required is None or name in required
            # Before Python 3.11 the class does not know about Required and NotRequired itself.
            if "NotRequired[" in words:
                wanted = False
            elif "Required[" in words:
                wanted = True
            yield Spec(name, hint, MISSING, names, optional=not wanted)

    def check(self, value, strict=False):
        if not isinstance(value, dict):
            raise wrong("dict_type", f"an object with the fields of {self.cls.__name__}", value)
        return self.fields.check(value, strict)[0]


class NamedTupleRecord(Record):
    def specs(self, names):
        hints, defaults = annotations_of(self.cls, names), self.cls._field_defaults
        from .resolve import ANY

        for name in self.cls._fields:
            yield Spec(name, hints.get(name, ANY), defaults.get(name, MISSING), names)

    def check(self, value, strict=False):
        if not strict and isinstance(value, (list, tuple)) and not isinstance(value, self.cls):
            if len(value) > len(self.cls._fields):
                raise wrong("tuple_type", f"at most {len(self.cls._fields)} items", value)
            value = dict(zip(self.cls._fields, value))
        return super().check(value, strict)

    def define(self, defs):
        specs = list(self.fields.specs.values())
        least = sum(spec.required for spec in specs)
        parts = [spec.schema(defs) for spec in specs]
        return {"maxItems": len(specs), "minItems": least, "prefixItems": parts, "type": "array"}


class ClassRecord(Record):
    """Any class with annotations, as the real package reads a tool's return type: by its attributes."""

    def specs(self, names):
        for name, hint in annotations_of(self.cls, names).items():
            if not name.startswith("_"):
                yield Spec(name, hint, getattr(self.cls, name, MISSING), names)

    def check(self, value, strict=False):
        if not isinstance(value, dict):
            if isinstance(value, (type, str, bytes, int, float, list, tuple, set, type(None))):
                raise wrong("record_type", f"a {self.cls.__name__}", value)
            value = {n: getattr(value, n) for n in self.fields.specs if hasattr(value, n)}
        return self.fields.check(value, strict)[0]

    def schema(self, defs):
        return self.define(defs)

    def define(self, defs):
        return self.fields.schema(defs, self.cls.__name__)


def namespace(cls):
    """Where the names in a class's annotations are looked up."""
    module = sys.modules.get(cls.__module__)
    return {**(vars(module) if module else {}), cls.__name__: cls}


def annotations_of(cls, names):
    """The annotations of a class and its bases, unevaluated, without ClassVar."""
    found = {}
    for base in reversed(cls.__mro__):
        found.update(own_annotations(base))
    return {name: hint for name, hint in found.items() if not is_class_var(hint)}


def own_annotations(cls):
    own = cls.__dict__.get("__annotations__")
    if own is None and sys.version_info >= (3, 14):
        import annotationlib

        own = annotationlib.get_annotations(cls, format=annotationlib.Format.FORWARDREF)
    return own if isinstance(own, dict) else {}


def is_class_var(hint):
    if isinstance(hint, str):
        return hint.replace("typing.", "").startswith("ClassVar")
    return getattr(hint, "__origin__", hint) is getattr(sys.modules.get("typing"), "ClassVar", MISSING)
