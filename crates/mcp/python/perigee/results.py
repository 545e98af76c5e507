"""What a function returned, as texts."""

import json


def texts(value):
    """One text for each thing: a list is taken apart, and None is no text at all."""
    if value is None:
        return []
    if isinstance(value, (list, tuple)) and not hasattr(value, "_asdict"):
        return [text for each in value for text in texts(each)]
    value = plain(value)
    return [value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2)]


def plain(value, other=str):
    """The value in JSON's own types. `other` converts what has no form in JSON."""
    kind = type(value)
    if value is None or kind in (str, int, float, bool):
        return value
    if isinstance(value, dict):
        return {_key(key): plain(each, other) for key, each in value.items()}
    if hasattr(kind, "_member_map_"):
        return plain(value.value, other)
    if hasattr(kind, "__dataclass_fields__"):
        return {name: plain(getattr(value, name), other) for name in kind.__dataclass_fields__}
    if hasattr(value, "_asdict"):
        return plain(value._asdict(), other)
    if hasattr(value, "isoformat"):
        return value.isoformat()
    if isinstance(value, (bytes, bytearray)):
        return value.decode()
    for basic in (str, int, float):
        if isinstance(value, basic):
            return basic(value)
    if hasattr(value, "__iter__"):
        return [plain(each, other) for each in value]
    return other(value)


def _key(key):
    key = plain(key)
    return key if isinstance(key, str) else json.dumps(key, ensure_ascii=False)
