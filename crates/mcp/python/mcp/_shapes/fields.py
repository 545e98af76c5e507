"""`Field(...)`: a default, words for people, and limits; and how limits are checked and written."""

from .base import MISSING, Around, ValidationError, show

# limit -> (key in JSON Schema by family of the value)
_NUMBER = {"ge": "minimum", "gt": "exclusiveMinimum", "le": "maximum", "lt": "exclusiveMaximum", "multiple_of": "multipleOf"}
_SCHEMA_KEYS = {
    "number": _NUMBER,
    "decimal": _NUMBER,
    "string": {"min_length": "minLength", "max_length": "maxLength", "pattern": "pattern"},
    "array": {"min_length": "minItems", "max_length": "maxItems"},
    "object": {"min_length": "minProperties", "max_length": "maxProperties"},
}
LIMITS = ("ge", "gt", "le", "lt", "multiple_of", "min_length", "max_length", "pattern")
_WORDS = ("title", "description", "examples", "deprecated", "json_schema_extra")


class FieldInfo:
    """What `Field(...)` was told. Also what a tool learns about one argument."""

    def __init__(self, default=MISSING, **told):
        self.default = MISSING if default is ... else default
        self.default_factory = told.pop("default_factory", None)
        self.annotation = None
        self.told = {name: value for name, value in told.items() if value is not None}

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return self.told.get(name)

    def is_required(self):
        return self.default is MISSING and self.default_factory is None

    def limits(self):
        found = {name: self.told[name] for name in LIMITS if name in self.told}
        # Old spellings that models still write.
        for old, name in (("min_items", "min_length"), ("max_items", "max_length"), ("regex", "pattern")):
            if old in self.told:
                found.setdefault(name, self.told[old])
        return found

    def words(self):
        """The keys that describe a value without changing what it accepts."""
        found = {name: self.told[name] for name in _WORDS if name in self.told}
        extra = found.pop("json_schema_extra", None)
        if isinstance(extra, dict):
            found.update(extra)
        if found.get("deprecated") not in (None, True, False):
            found["deprecated"] = True
        return found

    def get_default(self, **_ignored):
        return self.default_factory() if self.default_factory else self.default

    def __repr__(self):
        told = ", ".join(f"{k}={v!r}" for k, v in self.told.items())
        return f"FieldInfo(default={self.default!r}{', ' if told else ''}{told})"


def Field(default=MISSING, **told):  # noqa: N802 - the name authors write
    return FieldInfo(default, **told)


def read_metadata(items):
    """One FieldInfo out of everything in an `Annotated[...]`; later items win.

    Objects are read by what they carry, so `annotated_types.Ge(ge=0)` and a FieldInfo of the
    real pydantic work as ours do.
    """
    merged, found = FieldInfo(), False
    for item in items:
        if isinstance(item, FieldInfo):
            parts, told = (item,), dict(item.told)
            if item.default is not MISSING:
                merged.default = item.default
            merged.default_factory = item.default_factory or merged.default_factory
        else:
            parts = (item, *(getattr(item, "metadata", None) or ()))
            told = {
                name: value
                for part in parts
                for name in (*LIMITS, *_WORDS, "strict", "alias", "to_lower", "to_upper", "strip_whitespace")
                if (value := _carried(part, name)) is not None
            }
            if hasattr(item, "default_factory") and hasattr(item, "default"):
                merged.default_factory = item.default_factory or merged.default_factory
                if "Undefined" not in type(item.default).__name__:
                    merged.default = item.default
        if told or isinstance(item, FieldInfo):
            merged.told.update(told)
            found = True
    return merged if found else None


def _carried(part, name):
    value = getattr(part, name, None) if not isinstance(part, (str, bytes, type)) else None
    return None if callable(value) and name != "json_schema_extra" else value


class Limited(Around):
    """A shape with limits on it."""

    def __init__(self, shape, limits, told):
        super().__init__(shape)
        self.limits = limits
        self.strict = bool(told.get("strict"))
        self.tidy = {name for name in ("to_lower", "to_upper", "strip_whitespace") if told.get(name)}
        self._pattern = None
        if "pattern" in limits:
            import re

            self._pattern = re.compile(limits["pattern"])

    def check(self, value, strict=False):
        value = self.shape.check(value, strict or self.strict)
        if self.tidy and isinstance(value, str):
            value = value.strip() if "strip_whitespace" in self.tidy else value
            value = value.lower() if "to_lower" in self.tidy else value
            value = value.upper() if "to_upper" in self.tidy else value
        for name, limit in self.limits.items():
            try:
                complaint = self._complaint(name, limit, value)
            except TypeError:
                complaint = f"expected a value that can be compared with {show(limit)}"
            if complaint:
                raise ValidationError.one(name, f"{complaint}, got {show(value)}", value)
        return value

    def _complaint(self, name, limit, value):
        if name == "ge":
            return None if value >= limit else f"expected {limit} or more"
        if name == "gt":
            return None if value > limit else f"expected more than {limit}"
        if name == "le":
            return None if value <= limit else f"expected {limit} or less"
        if name == "lt":
            return None if value < limit else f"expected less than {limit}"
        if name == "multiple_of":
            rest = value % limit
            fits = min(abs(rest), abs(limit - rest)) < 1e-9 * max(1, abs(value)) if isinstance(rest, float) else rest == 0
            return None if fits else f"expected a multiple of {limit}"
        unit = "characters" if isinstance(value, (str, bytes)) else "items"
        if name == "min_length":
            return None if len(value) >= limit else f"expected at least {limit} {unit}"
        if name == "max_length":
            return None if len(value) <= limit else f"expected at most {limit} {unit}"
        return None if self._pattern.search(value) else f"expected text that matches {limit}"

    def schema(self, defs):
        body = self.shape.schema(defs)
        keys = _SCHEMA_KEYS.get(self.family)
        if keys is None and type(self.shape).__name__ != "Either":
            return body
        target = body["anyOf"][0] if self.family == "decimal" else body
        for name, limit in self.limits.items():
            target[(keys or {}).get(name, name)] = float(limit) if self.family == "decimal" else limit
        return body


class Worded(Around):
    """A shape inside another one (a list's items, say) that carries a description of its own."""

    def __init__(self, shape, words):
        super().__init__(shape)
        self.words = words

    def schema(self, defs):
        return {**self.shape.schema(defs), **self.words}


class Through(Around):
    """A shape with the author's own function before or after it."""

    def __init__(self, shape, function, first):
        super().__init__(shape)
        self.function, self.first = function, first

    def check(self, value, strict=False):
        if self.first:
            return self.shape.check(guarded(self.function, value), strict)
        return guarded(self.function, self.shape.check(value, strict))


def guarded(function, value, *more):
    """An author's check says no by raising ValueError or AssertionError."""
    try:
        return function(value, *more)
    except ValidationError:
        raise
    except (ValueError, AssertionError) as error:
        raise ValidationError.one("value_error", str(error) or "the value is not accepted", value) from None
