"""A stand-in for `typing_extensions`: the names of `typing`, and the few that older Pythons lack.

The official mcp package brings typing_extensions with it, so authors may import from it.
"""

import typing


class _Marker:
    """Required[T] and its like on Pythons whose `typing` has none: T, with a name to know it by."""

    def __init__(self, name):
        self.name = name

    def __getitem__(self, item):
        return typing.Annotated[item, _Mark(f"{self.name}[")]


class _Mark:
    def __init__(self, text):
        self.text = text

    def __repr__(self):
        return self.text


def _older():
    names = {name: _Marker(name) for name in ("Required", "NotRequired", "ReadOnly")}
    names.update({name: typing.Any for name in ("Self", "TypeAlias", "LiteralString", "Never")})
    names["override"] = lambda function: function
    names["deprecated"] = lambda *_words, **_options: lambda function: function
    return names


def __getattr__(name):
    if hasattr(typing, name):
        return getattr(typing, name)
    older = _older()
    if name in older:
        return older[name]
    raise AttributeError(f"the stand-in for typing_extensions has no {name}")
