"""`BaseModel`: a class whose annotations are checked when an instance is made.

The part of pydantic's model that authors of tools use: fields, defaults, nesting, validators,
dumping. Fields are resolved on first use, because models may mention models defined below them.
"""

from .base import MISSING, Defs, Shape, ValidationError, docstring, wrong
from .dump import dump_model, values
from .hooks import Hook, field_runner, run_model_hooks
from .jsonable import json_text
from .records import Fields, Spec, annotations_of, is_class_var, namespace, own_annotations


class ModelMeta(type):
    def __new__(mcs, name, bases, body, **config):
        hooks = {key: value for key, value in body.items() if isinstance(value, Hook)}
        for key, hook in hooks.items():
            body[key] = hook.function
        cls = super().__new__(mcs, name, bases, body)
        inherited = [b for b in cls.__mro__[1:] if isinstance(b, ModelMeta)]
        cls.__hooks__ = {k: h for b in reversed(inherited) for k, h in vars(b)["__hooks__"].items()}
        cls.__hooks__.update(hooks)
        cls.__defaults__ = dict(inherited[0].__defaults__) if inherited else {}
        cls.__private__ = dict(inherited[0].__private__) if inherited else {}
        cls.model_config = {**(inherited[0].model_config if inherited else {}), **_own_config(body), **config}
        mcs._take_defaults(cls, body)
        cls.__resolved__ = None
        return cls

    def _take_defaults(cls, body):
        """A field's default is not an attribute of the class: an instance always has its own."""
        for key, hint in own_annotations(cls).items():
            if is_class_var(hint) or key == "model_config":
                continue
            default = body.get(key, MISSING)
            if key.startswith("_"):
                cls.__private__[key] = default
            elif default is not MISSING:
                cls.__defaults__[key] = default
            if key in body:
                delattr(cls, key)
        for key, value in body.items():
            if isinstance(value, PrivateAttr):
                cls.__private__[key] = value

    @property
    def model_fields(cls):
        return {name: spec.info for name, spec in cls.__fields__().specs.items()}

    def __fields__(cls):
        if cls.__resolved__ is None:
            # What the annotations may name is known where the model is defined and where it is used.
            names = {**(cls.__dict__.get("__used_in__") or {}), **namespace(cls)}
            hints = annotations_of(cls, names)
            specs = [
                Spec(name, hint, cls.__defaults__.get(name, MISSING), names)
                for name, hint in hints.items()
                if not name.startswith("_") and name != "model_config"
            ]
            config = cls.model_config
            for spec in specs:
                spec.checks = field_runner(cls, spec)
            by_name = config.get("populate_by_name") or config.get("validate_by_name")
            cls.__resolved__ = Fields(specs, config.get("extra", "ignore"), bool(by_name))
        return cls.__resolved__


def _own_config(body):
    config = dict(body.get("model_config") or {})
    old = body.get("Config")
    if old is not None:
        config.update({k: v for k, v in vars(old).items() if not k.startswith("_")})
    return config


class PrivateAttr:
    def __init__(self, default=MISSING, *, default_factory=None):
        self.default, self.default_factory = default, default_factory

    def value(self):
        return self.default_factory() if self.default_factory else self.default


class ModelShape(Shape):
    titled = False

    def __init__(self, cls, names):
        self.cls = cls
        cls.__used_in__ = names

    def check(self, value, strict=False):
        if isinstance(value, self.cls):
            return value
        if strict:
            raise wrong("model_type", f"a {self.cls.__name__}", value)
        return _validated(self.cls, value)

    def schema(self, defs):
        return defs.ref(self.cls, self.define)

    def define(self, defs):
        config = self.cls.model_config
        fields = self.cls.__fields__()
        body = fields.schema(defs, config.get("title") or self.cls.__name__, docstring(self.cls))
        extra = config.get("json_schema_extra")
        return {**body, **extra} if isinstance(extra, dict) else body


def _validated(cls, data, from_attributes=False, self=None):
    """An instance from untrusted data: a new one, or the one being initialised."""
    data = run_model_hooks(cls, "before", data)
    if isinstance(data, cls):
        return data
    if not isinstance(data, dict):
        attributes = from_attributes or cls.model_config.get("from_attributes")
        if not attributes or isinstance(data, (str, bytes, int, float, list, tuple, type(None))):
            raise wrong("model_type", f"an object with the fields of {cls.__name__}", data)
        data = {n: getattr(data, n) for n in cls.__fields__().specs if hasattr(data, n)}
    if cls.model_config.get("str_strip_whitespace"):
        data = {k: v.strip() if isinstance(v, str) else v for k, v in data.items()}
    self = cls.__new__(cls) if self is None else self
    _fill(self, *cls.__fields__().check(data))
    return run_model_hooks(cls, "after", self)


def _fill(self, values, given, rest):
    state = self.__dict__
    state.update(values)
    if self.__fields_extra__() == "allow":
        state.update(rest)
        given = given | set(rest)
    object.__setattr__(self, "__given__", set(given))
    for key, default in type(self).__private__.items():
        value = default.value() if isinstance(default, PrivateAttr) else default
        if value is not MISSING:
            object.__setattr__(self, key, value)
    self.model_post_init(None)


class BaseModel(metaclass=ModelMeta):
    __slots__ = ("__dict__", "__given__", "__weakref__")
    model_config = {}

    def __init__(self, /, **data):
        try:
            _validated(type(self), data, self=self)
        except ValidationError as error:
            raise ValidationError(error.problems, type(self).__name__) from None

    def __fields_extra__(self):
        return type(self).model_config.get("extra", "ignore")

    def model_post_init(self, context, /):
        """For authors to override."""

    @classmethod
    def __shape__(cls, own, names):
        return ModelShape(own, names)

    @classmethod
    def model_validate(cls, obj, *, from_attributes=False, **_ignored):
        try:
            return _validated(cls, obj, from_attributes)
        except ValidationError as error:
            raise ValidationError(error.problems, cls.__name__) from None

    @classmethod
    def model_validate_json(cls, text, **_ignored):
        import json

        try:
            data = json.loads(text)
        except ValueError as error:
            raise ValidationError([((), "json_invalid", f"this is not JSON: {error}", text)], cls.__name__) from None
        return cls.model_validate(data)

    @classmethod
    def model_construct(cls, _fields_set=None, **values):
        """An instance without any check."""
        self = cls.__new__(cls)
        given = set(values) if _fields_set is None else set(_fields_set)
        for spec in cls.__fields__().specs.values():
            if spec.name not in values and not spec.required:
                values[spec.name] = spec.fallback()
        _fill(self, values, given, {})
        return self

    @classmethod
    def model_json_schema(cls, **_ignored):
        defs = Defs()
        from .resolve import shape_of

        shape = shape_of(cls, {})
        body = shape.define(defs)
        # A model that mentions itself stands among its own definitions.
        return defs.around(body)

    @property
    def model_fields_set(self):
        return set(self.__given__)

    @property
    def model_extra(self):
        if self.__fields_extra__() != "allow":
            return None
        return {k: v for k, v in self if k not in type(self).__fields__().specs}

    def model_dump(self, *, mode="python", include=None, exclude=None, by_alias=False, exclude_none=False,
                   exclude_unset=False, exclude_defaults=False, **_ignored):  # fmt: skip
        options = {"mode": mode, "by_alias": bool(by_alias), "exclude_none": exclude_none}
        options.update(exclude_unset=exclude_unset, exclude_defaults=exclude_defaults)
        return dump_model(self, options, include, exclude)

    def model_dump_json(self, *, indent=None, **options):
        import json

        options["mode"] = "json"
        data = self.model_dump(**options)
        if indent == 2:
            return json_text(data)
        separators = None if indent else (",", ":")
        return json.dumps(data, indent=indent, ensure_ascii=False, separators=separators)

    def model_copy(self, *, update=None, deep=False):
        import copy

        new = type(self).__new__(type(self))
        new.__dict__.update(copy.deepcopy(self.__dict__) if deep else self.__dict__)
        new.__dict__.update(update or {})
        object.__setattr__(new, "__given__", set(self.__given__) | set(update or ()))
        return new

    # The names of pydantic's first version, which models still write.
    dict = model_dump
    json = model_dump_json
    copy = model_copy
    parse_obj = model_validate
    parse_raw = model_validate_json
    schema = model_json_schema

    def __setattr__(self, name, value):
        cls = type(self)
        if name.startswith("_") or isinstance(getattr(cls, name, None), property):
            return object.__setattr__(self, name, value)
        if cls.model_config.get("frozen"):
            raise ValidationError([((name,), "frozen_instance", "the model cannot be changed", value)], cls.__name__)
        spec = cls.__fields__().specs.get(name)
        if spec is None and self.__fields_extra__() != "allow":
            raise ValueError(f'"{cls.__name__}" object has no field "{name}"')
        if spec is not None and cls.model_config.get("validate_assignment"):
            try:
                value = spec.check(value)
            except ValidationError as error:
                raise ValidationError(error.under(name), cls.__name__) from None
        self.__dict__[name] = value
        self.__given__.add(name)

    def __eq__(self, other):
        if not isinstance(other, BaseModel):
            return NotImplemented
        return type(self) is type(other) and self.__dict__ == other.__dict__

    def __hash__(self):
        if type(self).model_config.get("frozen"):
            return hash((type(self), *self.__dict__.values()))
        raise TypeError(f"unhashable type: '{type(self).__name__}'")

    def __iter__(self):
        return iter([(k, v) for k, v in self.__dict__.items() if not k.startswith("_")])

    def _shown(self, joint):
        return joint.join(f"{k}={v!r}" for k, v in values(self))

    def __repr__(self):
        return f"{type(self).__name__}({self._shown(', ')})"

    def __str__(self):
        return self._shown(" ")

