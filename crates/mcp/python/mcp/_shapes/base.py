"""The Shape every annotation turns into, the error it raises, and the table of `$defs`."""

MISSING = type("MISSING", (), {"__repr__": lambda self: "MISSING", "__bool__": lambda self: False})()


class ValidationError(ValueError):
    """One or more values did not fit. Each problem is (place, kind, sentence, value)."""

    def __init__(self, problems, title="value"):
        super().__init__(title)
        self.problems = problems
        self.title = title

    @classmethod
    def one(cls, kind, sentence, value):
        return cls([((), kind, sentence, value)])

    def under(self, step):
        """The same problems, seen from one level further out."""
        return [((step, *place), *rest) for place, *rest in self.problems]

    def errors(self, **_ignored):
        return [
            {"type": kind, "loc": place, "msg": sentence, "input": value}
            for place, kind, sentence, value in self.problems
        ]

    def error_count(self):
        return len(self.problems)

    def lines(self, noun=""):
        """One line for each problem, with the name of the place it concerns."""
        for place, _kind, sentence, _value in self.problems:
            where = path(place)
            label = f"{noun} '{where}'" if noun and where else where
            yield f"{label}: {sentence}" if label else sentence

    def __str__(self):
        count = len(self.problems)
        head = f"{count} problem{'' if count == 1 else 's'} with {self.title}"
        return "\n  ".join([head, *self.lines()])


def path(place):
    """('items', 0, 'name') reads as items[0].name."""
    text = ""
    for step in place:
        if isinstance(step, int):
            text += f"[{step}]"
        else:
            text += f".{step}" if text else str(step)
    return text


def show(value, room=60):
    """A value as it may stand in a message: short, whatever its repr does."""
    try:
        text = repr(value)
    except Exception:
        text = f"<{type(value).__name__}>"
    return text if len(text) <= room else text[: room - 1] + "…"


def wrong(kind, expected, value):
    """The usual complaint: what was expected and what came."""
    return ValidationError.one(kind, f"expected {expected}, got {show(value)}", value)


class Shape:
    """What an annotation accepts. Subclasses say it twice: in Python and in JSON Schema."""

    # The family of the value, which decides how limits are spelled in JSON Schema.
    family = None
    # A reference to a shared definition carries its own title, so its property has none.
    titled = True

    def check(self, value, strict=False):
        """The value as the annotated type, or ValidationError. Strict means without conversion."""
        return value

    def schema(self, defs):
        return {}


class Anything(Shape):
    pass


class Untyped(Shape):
    """A parameter without an annotation: anything goes, and it is presented as text."""

    titled = False

    def __init__(self, name):
        self.name = name

    def schema(self, defs):
        return {"title": self.name, "type": "string"}


class Around(Shape):
    """A shape that adds something to another one and is otherwise the same."""

    def __init__(self, shape):
        self.shape = shape

    @property
    def family(self):
        return self.shape.family

    @property
    def titled(self):
        return self.shape.titled

    def check(self, value, strict=False):
        return self.shape.check(value, strict)

    def schema(self, defs):
        return self.shape.schema(defs)


class Later(Around):
    """A name that may not exist yet (a model that mentions itself). Resolved on first use."""

    def __init__(self, find):
        self._find = find
        self._shape = None

    @property
    def shape(self):
        if self._shape is None:
            self._shape = self._find()
        return self._shape


class Defs:
    """The `$defs` of one schema. A definition is built once and referred to by name."""

    def __init__(self):
        self._names = {}
        self._built = {}

    def ref(self, cls, build):
        name = self._names.get(cls)
        if name is None:
            name = self._free_name(cls)
            self._names[cls] = name
            # Named before it is built, so that a definition can refer to itself.
            self._built[name] = None
            self._built[name] = build(self)
        return {"$ref": f"#/$defs/{name}"}

    def _free_name(self, cls):
        name = _plain_name(cls.__name__)
        if name not in self._built:
            return name
        long = _plain_name(f"{cls.__module__}__{cls.__qualname__}")
        number, free = 2, long
        while free in self._built:
            number, free = number + 1, f"{long}__{number}"
        return free

    def around(self, schema):
        """The schema together with the definitions it refers to."""
        return {"$defs": dict(sorted(self._built.items())), **schema} if self._built else schema


def _plain_name(name):
    return "".join(c if c.isalnum() or c in "_.-" else "_" for c in name)


def docstring(cls):
    """A class's own docstring without its indentation, or None.

    Dataclasses and enums write a docstring of their own when the author wrote none;
    that one describes nothing.
    """
    text = cls.__dict__.get("__doc__")
    if not text or text == "An enumeration.":
        return None
    if "__dataclass_fields__" in cls.__dict__ and text.startswith(f"{cls.__name__}("):
        return None
    return clean(text)


def clean(text):
    """A docstring without the indentation its place in the source gave it."""
    lines = text.expandtabs().splitlines()
    margin = min((len(line) - len(line.lstrip()) for line in lines[1:] if line.strip()), default=0)
    lines = [lines[0].lstrip(), *(line[margin:] for line in lines[1:])] if lines else []
    while lines and not lines[-1].strip():
        lines.pop()
    while lines and not lines[0].strip():
        lines.pop(0)
    return "\n".join(lines)
