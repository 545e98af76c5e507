"""Single values: numbers, text, truth, nothing, and choices from a fixed set."""

from .base import Shape, docstring, show, wrong

_TRUE = frozenset(("1", "true", "t", "yes", "y", "on"))
_FALSE = frozenset(("0", "false", "f", "no", "n", "off"))


class Whole(Shape):
    family = "number"

    def check(self, value, strict=False):
        if type(value) is int:
            return value
        if not strict:
            if isinstance(value, bool):
                return int(value)
            if isinstance(value, float) and value.is_integer() and abs(value) < 2**63:
                return int(value)
            if isinstance(value, str):
                number = _whole_from_text(value)
                if number is not None:
                    return number
        if isinstance(value, int) and not isinstance(value, bool):
            return value
        raise wrong("int_type", "a whole number", value)

    def schema(self, defs):
        return {"type": "integer"}


def _whole_from_text(text):
    text = text.strip()
    if not text.isascii() or len(text) > 4300:
        return None
    head, dot, zeros = text.partition(".")
    if dot and (not zeros or zeros.strip("0")):
        return None
    try:
        return int(head)
    except ValueError:
        return None


class Real(Shape):
    family = "number"

    def check(self, value, strict=False):
        if type(value) is float:
            return value
        if not strict:
            try:
                if isinstance(value, (int, float)):
                    return float(value)
                if isinstance(value, str) and value.isascii():
                    return float(value)
            except (ValueError, OverflowError):
                pass
        raise wrong("float_type", "a number", value)

    def schema(self, defs):
        return {"type": "number"}


class Truth(Shape):
    def check(self, value, strict=False):
        if isinstance(value, bool):
            return value
        if not strict:
            if isinstance(value, (int, float)) and value in (0, 1):
                return bool(value)
            if isinstance(value, str):
                word = value.lower()
                if word in _TRUE:
                    return True
                if word in _FALSE:
                    return False
        raise wrong("bool_type", "true or false", value)

    def schema(self, defs):
        return {"type": "boolean"}


class Text(Shape):
    family = "string"

    def check(self, value, strict=False):
        if type(value) is str:
            return value
        if isinstance(value, str):
            # A text enum's member is text; what is wanted is its value.
            return str.__str__(value) if not hasattr(value, "value") else value.value
        if isinstance(value, (bytes, bytearray)) and not strict:
            try:
                return value.decode()
            except UnicodeDecodeError:
                pass
        raise wrong("string_type", "text", value)

    def schema(self, defs):
        return {"type": "string"}


class Bytes(Shape):
    family = "string"

    def check(self, value, strict=False):
        if isinstance(value, bytes):
            return value
        if not strict:
            if isinstance(value, bytearray):
                return bytes(value)
            if isinstance(value, str):
                return value.encode("utf-8", "surrogatepass")
        raise wrong("bytes_type", "bytes or text", value)

    def schema(self, defs):
        return {"format": "binary", "type": "string"}


class Nothing(Shape):
    def check(self, value, strict=False):
        if value is None:
            return None
        raise wrong("none_required", "null", value)

    def schema(self, defs):
        return {"type": "null"}


class Choice(Shape):
    """`Literal[...]`: one of the values that are named."""

    def __init__(self, values):
        self.values = values

    def check(self, value, strict=False):
        kind = type(value)
        for known in self.values:
            if type(known) is kind and known == value:
                return known
        if not strict:
            for known in self.values:
                plain = getattr(known, "value", known) if _is_enum(type(known)) else known
                try:
                    if plain == value:
                        return known
                except Exception:
                    continue
        raise wrong("literal_error", _one_of(self.values), value)

    def schema(self, defs):
        return _choices([v.value if _is_enum(type(v)) else v for v in self.values], single="const")


class Member(Shape):
    """An Enum, given by its value."""

    titled = False

    def __init__(self, cls):
        self.cls = cls

    def check(self, value, strict=False):
        if isinstance(value, self.cls):
            return value
        if not strict:
            member = self._by_value(value)
            if member is not None:
                return member
        raise wrong("enum", _one_of([m.value for m in self.cls]), value)

    def _by_value(self, value):
        try:
            return self.cls(value)
        except (ValueError, TypeError, KeyError):
            pass
        if isinstance(value, str) and issubclass(self.cls, (int, float)):
            try:
                return self.cls(int(value) if issubclass(self.cls, int) else float(value))
            except ValueError:
                pass
        return None

    def schema(self, defs):
        return defs.ref(self.cls, self._define)

    def _define(self, defs):
        from .jsonable import jsonable

        body = _choices([jsonable(m.value) for m in self.cls], single="const")
        text = docstring(self.cls)
        if text:
            body["description"] = text
        body["title"] = self.cls.__name__
        # An enum stays an enum with one member only.
        if "const" in body:
            body["enum"] = [body.pop("const")]
        return body


class Instance(Shape):
    """A class that only its own instances fit. It has no JSON form, and says so."""

    def __init__(self, cls):
        self.cls = cls

    def check(self, value, strict=False):
        if isinstance(value, self.cls):
            return value
        raise wrong("is_instance_of", f"a {self.cls.__name__}", value)

    def schema(self, defs):
        raise TypeError(f"the type {self.cls.__name__} has no JSON form")


class ByCall(Shape):
    """Types that are made from text by calling them: Path, UUID, Decimal, a regular expression."""

    def __init__(self, cls, make, noun, form, sources=(str,)):
        self.cls, self.make, self.noun, self.sources = cls, make, noun, sources
        self.form = form
        self.family = "decimal" if form == "decimal" else None

    def check(self, value, strict=False):
        if isinstance(value, self.cls):
            return value
        counts = self.form != "decimal" or not isinstance(value, bool)
        if not strict and isinstance(value, self.sources) and counts:
            try:
                return self.make(value)
            except Exception:
                pass
        raise wrong("value_error", self.noun, value)

    def schema(self, defs):
        if self.form == "decimal":
            return {"anyOf": [{"type": "number"}, {"type": "string"}]}
        return {"format": self.form, "type": "string"} if self.form else {"type": "string"}


def _is_enum(cls):
    return hasattr(cls, "_member_map_")


def _one_of(values):
    shown = [show(v, 30) for v in values[:12]]
    if len(values) > 12:
        shown.append("…")
    return shown[0] if len(shown) == 1 else f"one of {', '.join(shown)}"


def _choices(values, single):
    body = {single: values[0]} if len(values) == 1 else {"enum": list(values)}
    kinds = {_JSON_KINDS.get(type(v)) for v in values}
    if len(kinds) == 1 and None not in kinds:
        body["type"] = kinds.pop()
    return body


_JSON_KINDS = {str: "string", int: "integer", float: "number", bool: "boolean", list: "array"}
