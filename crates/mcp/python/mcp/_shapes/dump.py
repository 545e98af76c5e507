"""A model as plain data."""

from .jsonable import jsonable, key_text


def dump_model(model, options, include=None, exclude=None):
    cls = type(model)
    specs = cls.__fields__().specs
    serializers = {name: hook for hook in cls.__hooks__.values() if hook.kind == "serializer" for name in hook.names}
    out = {}
    for name, value in values(model):
        spec = specs.get(name)
        if not _wanted(name, include, exclude) or (spec is not None and spec.info.exclude):
            continue
        if options["exclude_none"] and value is None:
            continue
        if options["exclude_unset"] and name not in model.model_fields_set and name not in cls.__hooks__:
            continue
        if options["exclude_defaults"] and spec is not None and _is_default(spec, value):
            continue
        key = spec.dump_key if spec is not None and options["by_alias"] else name
        hook = serializers.get(name) or serializers.get("*")
        if hook is not None:
            value = hook.call(model)(value)
        out[key] = dump_value(value, options, _below(include, name), _below(exclude, name))
    return out


def values(model):
    """Every field with its value, and then what is computed from them."""
    yield from model
    for name, hook in type(model).__hooks__.items():
        if hook.kind == "computed":
            yield name, getattr(model, name)


def dump_value(value, options, include=None, exclude=None):
    cls = type(value)
    if cls in (str, int, float, bool) or value is None:
        return value
    if hasattr(cls, "__hooks__"):
        return dump_model(value, options, include, exclude)
    if cls in (list, tuple, set, frozenset):
        made = [dump_value(v, options) for v in value]
        return made if cls is list or options["mode"] == "json" else cls(made)
    if cls is dict:
        if options["mode"] == "json":
            return {key_text(k): dump_value(v, options) for k, v in value.items()}
        return {k: dump_value(v, options) for k, v in value.items()}
    if hasattr(cls, "__dataclass_fields__"):
        return {name: dump_value(getattr(value, name), options) for name in cls.__dataclass_fields__}
    return jsonable(value, options["by_alias"]) if options["mode"] == "json" else value


def _wanted(name, include, exclude):
    if include is not None and name not in include:
        return False
    if exclude is None or name not in exclude:
        return True
    # {"part": {"inner"}} leaves something out of the part, not the part.
    return isinstance(exclude, dict) and exclude[name] not in (True, ...)


def _below(selection, name):
    part = selection.get(name) if isinstance(selection, dict) else None
    return part if isinstance(part, (set, dict, list, tuple)) else None


def _is_default(spec, value):
    return not spec.required and value == spec.fallback()
