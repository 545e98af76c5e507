"""Python values as JSON: as plain values for the wire, and as the text people read.

What a value is decides, not what it was declared as. Unknown objects become their `str()`.
"""

import sys

_QUOTED = None


class NotJson(ValueError):
    pass


def jsonable(value, by_alias=True, other=None):
    """Only dict, list, str, numbers, bool and None remain. `other` turns an unknown object into one of them."""
    kind = type(value)
    if kind in (str, int, bool, float) or value is None:
        return value
    if kind is list or kind is tuple:
        return [jsonable(v, by_alias, other) for v in value]
    if kind is dict:
        return {key_text(k): jsonable(v, by_alias, other) for k, v in value.items()}
    return _special(value, by_alias, other)


def _special(value, by_alias, other):
    if hasattr(type(value), "_member_map_"):
        return jsonable(value.value, by_alias, other)
    if isinstance(value, (str, int, float)):
        base = next(t for t in (str, int, float) if isinstance(value, t))
        return base(value) if base is not str else str.__str__(value)
    if isinstance(value, (dict, list, tuple, set, frozenset)):
        plain = dict(value) if isinstance(value, dict) else list(value)
        return jsonable(plain, by_alias, other)
    if isinstance(value, (bytes, bytearray)):
        try:
            return bytes(value).decode()
        except UnicodeDecodeError as error:
            raise NotJson(f"these bytes are not UTF-8 text ({error.reason}): return an Image, or base64 text") from None
    cls = type(value)
    if hasattr(cls, "model_dump"):
        return value.model_dump(mode="json", by_alias=by_alias)
    if hasattr(cls, "__dataclass_fields__"):
        return {name: jsonable(getattr(value, name), by_alias, other) for name in cls.__dataclass_fields__}
    clock = sys.modules.get("datetime")
    if clock and isinstance(value, (clock.date, clock.time, clock.timedelta)):
        from .times import iso

        return iso(value)
    if hasattr(cls, "__next__") or isinstance(value, loaded("collections", "deque") or ()):
        return [jsonable(v, by_alias, other) for v in value]
    if cls is complex:
        return str(value).strip("()")
    if isinstance(value, loaded("re", "Pattern") or ()):
        return value.pattern
    if any((base.__module__.partition(".")[0], base.__name__) in _TEXT_LIKE for base in cls.__mro__):
        return str(value)
    if other is not None:
        return other(value)
    raise NotJson(f"a {cls.__name__} has no JSON form")


# Classes whose text is their JSON form, by name so that none of them is imported to ask.
_TEXT_LIKE = {("decimal", "Decimal"), ("uuid", "UUID"), ("pathlib", "PurePath"), ("ipaddress", "_IPAddressBase")}


def key_text(key):
    """A dict key as JSON wants it: text."""
    if type(key) is str:
        return key
    if key is True or key is False:
        return "true" if key else "false"
    if hasattr(type(key), "_member_map_"):
        return key_text(key.value)
    if isinstance(key, str):
        return str.__str__(key)
    if isinstance(key, (int, float)):
        return number_text(key)
    if key is None:
        return "None"
    if isinstance(key, tuple):
        return ",".join(key_text(k) for k in key)
    plain = jsonable(key, other=str)
    return plain if isinstance(plain, str) else json_text(plain)


def number_text(value):
    if isinstance(value, float):
        if value != value:
            return "NaN"
        if value in (float("inf"), float("-inf")):
            return "Infinity" if value > 0 else "-Infinity"
        return repr(value).replace("e-0", "e-")
    return str(int(value))


def json_text(value):
    """The value as JSON text over several lines, for people and models to read."""
    global _QUOTED
    if _QUOTED is None:
        import json

        _QUOTED = json.JSONEncoder(ensure_ascii=False).encode
    pieces = []
    _write(jsonable(value, other=str), "\n", pieces.append)
    return "".join(pieces)


def _write(value, newline, put):
    if value is None or value is True or value is False:
        put("null" if value is None else "true" if value else "false")
    elif isinstance(value, str):
        put(_QUOTED(value))
    elif isinstance(value, (int, float)):
        put(number_text(value))
    elif not value:
        put("{}" if isinstance(value, dict) else "[]")
    else:
        inner, opened = newline + "  ", isinstance(value, dict)
        put("{" if opened else "[")
        for index, item in enumerate(value.items() if opened else value):
            put(("," if index else "") + inner)
            if opened:
                put(_QUOTED(item[0]) + ": ")
                item = item[1]
            _write(item, inner, put)
        put(newline + ("}" if opened else "]"))


def finite(value):
    """The same value with null where a number is not finite: JSON on the wire has no NaN."""
    if isinstance(value, float):
        return value if value - value == 0 else None
    if isinstance(value, dict):
        return {k: finite(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [finite(v) for v in value]
    return value


def loaded(module, name):
    """A class from a module if that module is loaded at all: nothing is imported to ask."""
    found = sys.modules.get(module)
    return getattr(found, name, None) if found else None
