"""Type hints: the JSON Schema that describes them, and the conversion of JSON into values of them.

Perigee has checked a value against the schema before it is converted. `typing` is not imported: its objects carry their
parts in `__origin__` and `__args__`, and a file that uses it has loaded it.
"""

BASIC = {str: "string", int: "integer", float: "number", bool: "boolean", None: "null", type(None): "null"}
LISTS = {"list": list, "set": set, "frozenset": frozenset, "Sequence": list, "Iterable": list}
MOMENTS = {"date": "date", "datetime": "date-time", "time": "time"}


class NotPlain(Exception):
    """Something that the runner cannot describe, in words."""


def form(hint, names, definitions):
    """The schema of a hint, and a function that converts a value, or None where the value stays as it is.

    `names` are those that a hint in quotes may use. What the schema refers to is added to `definitions`.
    """
    if isinstance(hint, str):
        try:
            hint = eval(hint, names)
        except Exception as error:
            raise NotPlain(f"the hint {hint!r}, which cannot be read ({error})") from None
    origin = getattr(hint, "__origin__", hint)
    # Before Python 3.9, bare containers of `typing` carried type variables.
    parts = [each for each in getattr(hint, "__args__", ()) if type(each).__name__ != "TypeVar"]
    word = getattr(origin, "_name", None) or getattr(origin, "__name__", "")
    if hint is object or word == "Any":
        return {}, None
    if hint is None or isinstance(hint, type) and hint in BASIC:
        return {"type": BASIC[hint]}, _number if hint is float else None
    if hasattr(hint, "__metadata__") and all(isinstance(note, str) for note in hint.__metadata__):
        return form(origin, names, definitions)
    if word == "Union" or type(hint).__name__ == "UnionType":
        return _union([form(each, names, definitions) for each in parts])
    if word == "Literal":
        return _choice(parts, "const"), None
    if word in LISTS and not hasattr(hint, "__metadata__"):
        return _list(LISTS[word], *(form(parts[0], names, definitions) if parts else ({}, None)))
    if word in ("dict", "Mapping") and (not parts or parts[0] is str):
        return _object(*(form(parts[1], names, definitions) if parts else ({}, None)))
    if hasattr(hint, "_member_map_"):
        return _enum(hint, definitions), hint
    if getattr(hint, "__module__", "") == "datetime" and word in MOMENTS:
        return {"format": MOMENTS[word], "type": "string"}, _moment(hint)
    raise NotPlain(f"the hint {hint if parts else word or hint}")


def _union(forms):
    choices = []
    for schema, _convert in forms:
        choices += [each for each in schema.get("anyOf", [schema]) if each not in choices]
    # Null stands last.
    choices.sort(key=lambda each: each == {"type": "null"})
    conversions = [convert for _schema, convert in forms if convert]

    def convert(value):
        for each in conversions:
            try:
                return each(value)
            except (TypeError, ValueError, AttributeError):
                continue
        return value

    return {"anyOf": choices}, convert if conversions else None


def _list(make, item, convert):
    schema = {"items": item, "type": "array"}
    if make is not list:
        schema["uniqueItems"] = True
    elif convert is None:
        return schema, None
    return schema, lambda values: make(map(convert, values) if convert else values)


def _object(value, convert):
    schema = {"additionalProperties": value or True, "type": "object"}
    return schema, convert and (lambda values: {key: convert(each) for key, each in values.items()})


def _choice(values, word_for_one):
    kinds = {BASIC.get(type(each)) for each in values}
    if None in kinds:
        raise NotPlain(f"a choice of {', '.join(map(repr, values))}")
    one = values[0] if word_for_one == "const" else values
    schema = {word_for_one: one} if len(values) == 1 else {"enum": values}
    return {**schema, "type": kinds.pop()} if len(kinds) == 1 else schema


def _enum(kind, definitions):
    name, about = kind.__name__, kind.__dict__.get("__doc__")
    schema = {**_choice([member.value for member in kind], "enum"), "title": name}
    # Before Python 3.11, an Enum without a docstring has this one.
    if about and about != "An enumeration.":
        schema["description"] = about.strip()
    if definitions.setdefault(name, schema) != schema:
        raise NotPlain(f"two classes named {name}")
    return {"$ref": f"#/$defs/{name}"}


def _number(value):
    if isinstance(value, str):
        raise TypeError("a text is no number")
    return float(value)


def _moment(kind):
    def convert(text):
        # Before Python 3.11, the Z is not understood.
        return kind.fromisoformat(text[:-1] + "+00:00" if text[-1:] in ("Z", "z") else text)

    return convert
