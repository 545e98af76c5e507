"""The author's own functions on a model: validators, computed fields, serializers."""

from .base import ValidationError, wrong
from .fields import guarded


class Hook:
    """A decorated method, found by the model's metaclass."""

    def __init__(self, kind, function, names=(), mode="after"):
        self.kind, self.names, self.mode = kind, names, mode
        self.function = function

    def call(self, owner):
        """The function ready to be called on a class or an instance."""
        return self.function.__get__(owner, owner) if isinstance(owner, type) else self.function.__get__(owner, type(owner))


class Info:
    """What a validator may ask about the field it is called for."""

    def __init__(self, field_name=None, data=None):
        self.field_name, self.data, self.context, self.mode = field_name, data or {}, None, "python"


def field_validator(*names, mode="after", check_fields=None):
    if mode not in ("before", "after", "plain", "wrap"):
        raise TypeError(f"field_validator has no mode {mode!r}")

    def decorate(function):
        if not isinstance(function, (classmethod, staticmethod)):
            function = classmethod(function)
        return Hook("field", function, names, mode)

    return decorate


def validator(*names, pre=False, **_ignored):
    """The spelling of pydantic's first version."""
    return field_validator(*names, mode="before" if pre else "after")


def model_validator(*, mode="after"):
    def decorate(function):
        if mode != "after" and not isinstance(function, (classmethod, staticmethod)):
            function = classmethod(function)
        return Hook("model", function, mode=mode)

    return decorate


def field_serializer(*names, **_ignored):
    return lambda function: Hook("serializer", function, names)


def computed_field(function=None, **_ignored):
    if function is None:
        return computed_field
    if not isinstance(function, property):
        function = property(function)
    return Hook("computed", function)


def field_runner(cls, spec):
    """The functions to run on one field: each takes (value, "before" or "after", earlier fields)."""
    runners = []
    for hook in cls.__hooks__.values():
        if hook.kind != "field" or not ({spec.name, "*"} & set(hook.names)):
            continue
        runners.append(_runner(hook.call(cls), hook.mode, spec))
    return tuple(runners)


def _runner(function, mode, spec):
    count = _parameters(function)
    stage = "before" if mode == "before" else "after"

    def run(value, now, others):
        if now != stage:
            return value
        info = Info(spec.name, others)
        if mode == "wrap":
            # The field's own check has run already; the handler has nothing left to do.
            return guarded(function, value, lambda inner: inner, *[info][: count - 2])
        return guarded(function, value, *[info][: count - 1])

    return run


def _parameters(function):
    """How many arguments a validator takes besides its class."""
    inner = getattr(function, "__func__", function)
    code = getattr(inner, "__code__", None)
    if code is None:
        return 1
    return code.co_argcount - (1 if hasattr(function, "__self__") else 0)


def run_model_hooks(cls, mode, value):
    for hook in cls.__hooks__.values():
        if hook.kind != "model" or hook.mode != mode:
            continue
        if mode == "before":
            function = hook.call(cls)
            value = guarded(function, value, *[Info()][: _parameters(function) - 1])
        else:
            value = _run_after(hook, cls, value)
    return value


def _run_after(hook, cls, self):
    is_class_method = isinstance(hook.function, (classmethod, staticmethod))
    try:
        result = hook.call(cls)(self) if is_class_method else hook.call(self)()
    except ValidationError:
        raise
    except (ValueError, AssertionError) as error:
        raise ValidationError.one("value_error", str(error) or "the value is not accepted", self) from None
    if not isinstance(result, cls):
        raise wrong("model_validator", "the model itself from a model_validator (is `return self` missing?)", result)
    return result
