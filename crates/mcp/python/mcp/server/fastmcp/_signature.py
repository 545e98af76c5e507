"""What a function takes and returns, read from its code object.

`inspect` would say the same and costs a tenth of a second on a slow disk; it is asked only about
callables that are not plain functions.
"""

from mcp._shapes.base import MISSING, Untyped
from mcp._shapes.records import Fields, Spec
from mcp._shapes.resolve import evaluate, is_union

from .exceptions import InvalidSignature

_COROUTINE = 0x80 | 0x100  # async def, or a generator marked as a coroutine
_VARARGS, _VARKEYWORDS = 0x04, 0x08


class Signature:
    """The parameters of a function apart from its Context, and its return annotation."""

    def __init__(self, function):
        self.name = getattr(function, "__name__", type(function).__name__)
        inner = _plain(function)
        self.is_async = _is_async(function)
        self.names = getattr(inner or getattr(function, "func", function), "__globals__", {})
        hints, params = _from_code(inner) if inner is not None else _from_inspect(function)
        self.returns = self._evaluate(hints.get("return", MISSING))
        self.context_name = None
        self._params = []
        for name, default in params:
            hint = self._evaluate(hints.get(name, MISSING))
            if self.context_name is None and _takes_context(hint):
                self.context_name = name
            else:
                self._params.append((name, hint, default))

    def _evaluate(self, hint):
        if not isinstance(hint, str):
            return hint
        try:
            return evaluate(hint, self.names)
        except Exception as error:
            raise InvalidSignature(f"the annotation {hint!r} of {self.name} cannot be read: {error}") from error

    @property
    def parameter_names(self):
        return [name for name, _hint, _default in self._params]

    @property
    def takes_anything(self):
        return bool(self._params or self.context_name)

    def fields(self):
        """The parameters as fields that can be checked and described."""
        return Fields([self._field(*param) for param in self._params])

    def _field(self, name, hint, default):
        if name.startswith("_"):
            raise InvalidSignature(f"the parameter {name} of {self.name} cannot start with '_'")
        try:
            if hint is MISSING:
                return _untyped(name, default)
            return Spec(name, hint, default, self.names)
        except InvalidSignature:
            raise
        except Exception as error:
            raise InvalidSignature(f"the parameter {name} of {self.name}: {error}") from error


def _untyped(name, default):
    spec = Spec(name, object, default, {})
    spec.shape = Untyped(name)
    return spec


def _plain(function):
    """The Python function whose code says what is taken, or None where there is no such thing."""
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    return function if type(function).__name__ == "function" else None


def _is_async(function):
    code = getattr(function, "__code__", None)
    if code is not None:
        return bool(code.co_flags & _COROUTINE)
    if hasattr(function, "func"):
        return _is_async(function.func)
    if hasattr(function, "__func__"):
        return _is_async(function.__func__)
    call = getattr(type(function), "__call__", None)
    return bool(getattr(getattr(call, "__code__", None), "co_flags", 0) & _COROUTINE)


def _from_code(function):
    code = function.__code__
    count, keyword_only = code.co_argcount, code.co_kwonlyargcount
    names = code.co_varnames
    defaults = function.__defaults__ or ()
    params = [(n, MISSING) for n in names[: count - len(defaults)]]
    params += zip(names[count - len(defaults) : count], defaults)
    after = count + keyword_only
    if code.co_flags & _VARARGS:
        params.append((names[after], MISSING))
        after += 1
    params += [(n, (function.__kwdefaults__ or {}).get(n, MISSING)) for n in names[count : count + keyword_only]]
    if code.co_flags & _VARKEYWORDS:
        params.append((names[after], MISSING))
    return function.__annotations__, params


def _from_inspect(function):
    import inspect

    empty = inspect.Parameter.empty
    signature = inspect.signature(function)
    params = [(p.name, MISSING if p.default is empty else p.default) for p in signature.parameters.values()]
    hints = {p.name: p.annotation for p in signature.parameters.values() if p.annotation is not empty}
    if signature.return_annotation is not empty:
        hints["return"] = signature.return_annotation
    return hints, params


def _takes_context(hint):
    from .context import Context

    if hasattr(hint, "__metadata__"):
        hint = hint.__origin__
    parts = hint.__args__ if is_union(hint) else (hint,)
    return any(isinstance(part, type) and issubclass(part, Context) for part in parts)
