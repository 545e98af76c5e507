"""A tool: a function, the description of its arguments, and its call."""

from .hints import NotPlain, form
from .results import plain

# Flags of code objects.
_COROUTINE = 0x80 | 0x100
_STARRED = 0x04 | 0x08
_MISSING = object()


class Tool:
    """`context` is a class of which a parameter with that hint gets an instance."""

    def __init__(self, function, name=None, title=None, description=None, context=None):
        written = function
        while hasattr(written, "__wrapped__"):
            written = written.__wrapped__
        self.name = name or getattr(written, "__name__", "a tool")
        if not hasattr(written, "__code__") or hasattr(written, "__self__") or self.name == "<lambda>":
            raise NotPlain(f"{self.name} as a tool, which is no function with a name")
        if written.__code__.co_flags & _STARRED:
            raise NotPlain(f"arguments with a star in {self.name}")
        self._function, self.title = function, title
        self.description = description or function.__doc__ or ""
        self.is_async = bool(getattr(function, "__code__", written.__code__).co_flags & _COROUTINE)
        self._conversions, self._given = {}, {}
        self.parameters = self._describe(written, context)

    def _describe(self, function, context):
        """The schema of the arguments."""
        properties, required, definitions = {}, [], {}
        for name, default in _parameters(function.__code__, function):
            hint = function.__annotations__.get(name, _MISSING)
            if context is not None and _means(hint, context):
                self._given[name] = context()
                continue
            if name.startswith("_"):
                raise NotPlain(f"the parameter {name} of {self.name}, which begins with _")
            if hint is _MISSING:
                schema = {"title": name, "type": "string"}
            else:
                schema, self._conversions[name] = form(hint, function.__globals__, definitions)
                if not _is_reference(schema):
                    schema = {**schema, "title": name.title().replace("_", " ").strip()}
            if default is _MISSING:
                required.append(name)
            else:
                schema = {**schema, "default": plain(default, other=self._refuse)}
            properties[name] = schema
        described = {"properties": properties, "title": f"{function.__name__}Arguments", "type": "object"}
        if required:
            described["required"] = required
        if definitions:
            described["$defs"] = definitions
        return described

    def _refuse(self, default):
        raise NotPlain(f"a default of the type {type(default).__name__} in {self.name}")

    @property
    def takes_context(self):
        return bool(self._given)

    def listed(self):
        told = {"name": self.name, "description": self.description, "parameters": self.parameters}
        return told if self.title is None else {**told, "title": self.title}

    def begin(self, arguments):
        """Calls the function. Returns its result, or what has to be awaited for it."""
        values = dict(self._given)
        for name in arguments.keys() & self.parameters["properties"].keys():
            convert = self._conversions.get(name)
            values[name] = convert(arguments[name]) if convert else arguments[name]
        return self._function(**values)


def public_functions(names):
    """The functions that a file defines, as tools, but for those whose names begin with `_`."""
    found = {}
    for name, value in names.items():
        is_own = hasattr(value, "__code__") and value.__module__ == "__main__"
        if is_own and not name.startswith("_"):
            found[name] = Tool(value, name)
    return found


def _parameters(code, function):
    """The parameters with their defaults."""
    positional, names = code.co_argcount, code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    given = function.__defaults__ or ()
    defaults = dict(zip(names[positional - len(given) : positional], given))
    defaults.update(function.__kwdefaults__ or {})
    return [(name, defaults.get(name, _MISSING)) for name in names]


def _is_reference(schema):
    """True if the title stands in the definition that is referred to."""
    choices = [each for each in schema.get("anyOf", [schema]) if each != {"type": "null"}]
    return len(choices) == 1 and "$ref" in choices[0]


def _means(hint, context):
    if isinstance(hint, str):
        return hint.partition("[")[0].rpartition(".")[2] == context.__name__
    return isinstance(hint, type) and issubclass(hint, context)
