"""From an annotation to its Shape.

`typing` is never imported: objects of it carry their parts in `__origin__` and `__args__`, and
where an author uses it, it is in `sys.modules` already.
"""

import sys

from .base import Anything, Later, Shape, ValidationError
from .fields import FieldInfo, Limited, Through, Worded, read_metadata
from .jsonable import loaded
from .many import Either, Many, Nullable, Row, Table
from .plain import ByCall, Bytes, Choice, Instance, Member, Nothing, Real, Text, Truth, Whole

ANY = object
_PLAIN = {int: Whole, float: Real, str: Text, bool: Truth, bytes: Bytes, object: Anything, None: Nothing, type(None): Nothing}
_QUALIFIERS = ("Required", "NotRequired", "Final", "ReadOnly", "ClassVar")
_OPAQUE = ("Callable", "Iterator", "Generator", "AsyncIterator", "Awaitable", "Coroutine")
# One Shape for each class, so that a class that mentions itself ends.
_records = {}


def shape_of(annotation, names):
    """The Shape for an annotation. `names` is where the names in quoted annotations are looked up."""
    plain = _PLAIN.get(annotation) if _hashable(annotation) else None
    if plain:
        return plain()
    if isinstance(annotation, str):
        return Later(lambda: shape_of(evaluate(annotation, names), names))
    if _kind(annotation) == "ForwardRef":
        return shape_of(annotation.__forward_arg__, names)
    if hasattr(annotation, "__metadata__"):
        base, metadata = peel(annotation, names)
        info = read_metadata(metadata) or FieldInfo()
        shape = limited(shape_of(base, names), info, metadata)
        return Worded(shape, info.words()) if info.words() else shape
    origin = getattr(annotation, "__origin__", None)
    if is_union(annotation):
        return _union(annotation.__args__, names)
    if origin is not None and not isinstance(origin, type):
        return _special_form(annotation, origin, names)
    if origin is not None:
        return _generic(origin, getattr(annotation, "__args__", None), names)
    if isinstance(annotation, type):
        return _class(annotation, names)
    return _named_form(annotation, names)


def is_union(annotation):
    if type(annotation).__name__ in ("UnionType", "Union"):
        return True
    origin = getattr(annotation, "__origin__", None)
    return origin is not None and origin is loaded("typing", "Union")


def peel(annotation, names):
    """An annotation without its Annotated, Required and Final wrappings, and the metadata in them."""
    metadata = ()
    if isinstance(annotation, str):
        annotation = evaluate(annotation, names)
    while True:
        if hasattr(annotation, "__metadata__"):
            metadata = (*annotation.__metadata__, *metadata)
            annotation = annotation.__origin__
        elif _kind(getattr(annotation, "__origin__", None)) in _QUALIFIERS:
            annotation = annotation.__args__[0]
        else:
            return annotation, metadata


def limited(shape, info, metadata=()):
    """The shape with the limits of its Field. Those of an Optional belong to what is inside it."""
    if isinstance(shape, Nullable):
        return Nullable(limited(shape.shape, info, metadata))
    limits = info.limits()
    if limits or any(info.told.get(n) for n in ("strict", "to_lower", "to_upper", "strip_whitespace")):
        shape = Limited(shape, limits, info.told)
    for item in metadata:
        if type(item).__name__ in ("AfterValidator", "BeforeValidator"):
            shape = Through(shape, item.func, type(item).__name__ == "BeforeValidator")
    return shape


def evaluate(text, names):
    """A quoted annotation as the object it names."""
    try:
        return eval(text, names)  # noqa: S307 - the author's own annotation, as Python itself would evaluate it
    except TypeError:
        if sys.version_info >= (3, 10):
            raise
        return _evaluate_with_unions(text, names)


def _evaluate_with_unions(text, names):
    """`int | None` in quotes, for Python 3.9, which has no such operator."""
    import ast
    import typing

    class Rewrite(ast.NodeTransformer):
        def visit_BinOp(self, node):  # noqa: N802 - the name the visitor looks for
            self.generic_visit(node)
            if not isinstance(node.op, ast.BitOr):
                return node
            both = ast.Tuple([node.left, node.right], ast.Load())
            return ast.Subscript(ast.Name("__union__", ast.Load()), both, ast.Load())

    tree = ast.fix_missing_locations(Rewrite().visit(ast.parse(text.strip(), mode="eval")))
    return eval(compile(tree, "<annotation>", "eval"), {**names, "__union__": typing.Union})  # noqa: S307


def _union(args, names):
    shapes, null = [], False
    for arg in args:
        if arg is None or arg is type(None):
            null = True
        else:
            shapes.append(shape_of(arg, names))
    if not shapes:
        return Nothing()
    shape = shapes[0] if len(shapes) == 1 else Either(shapes)
    return Nullable(shape) if null else shape


def _special_form(annotation, origin, names):
    kind = _kind(origin)
    if kind == "Literal":
        return Choice(_flat(annotation.__args__))
    if kind in _QUALIFIERS:
        return shape_of(annotation.__args__[0], names)
    raise TypeError(f"the annotation {annotation} is not understood")


def _generic(origin, args, names):
    if origin is tuple:
        return _tuple(args, names)
    # A bare List or Dict has no arguments; before Python 3.9's own generics it had type variables.
    args = tuple(a for a in args or () if type(a).__name__ != "TypeVar")
    name = origin.__name__
    if issubclass(origin, dict) or name in ("Mapping", "MutableMapping"):
        make = origin if issubclass(origin, dict) and name != "defaultdict" else dict
        if name == "Counter":
            return Table(shape_of(args[0] if args else ANY, names), Whole(), origin)
        key, value = args if len(args) == 2 else (ANY, ANY)
        return Table(shape_of(key, names), shape_of(value, names), make)
    item = shape_of(args[0], names) if args else Anything()
    if issubclass(origin, (set, frozenset)) or name in ("Set", "MutableSet"):
        return Many(item, frozenset if issubclass(origin, frozenset) else set, "a list without repeats", unique=True)
    if issubclass(origin, list) or name in ("Iterable", "Collection", "MutableSequence"):
        return Many(item)
    if name == "Sequence":
        return Many(item, keep=(list, tuple))
    if name == "deque":
        return Many(item, origin)
    if name == "Hashable":
        return Anything()
    # A generic class of the author's: what fills its parameters is not followed.
    return Instance(origin) if name in _OPAQUE else _class(origin, names)


def _tuple(args, names):
    if args is None:
        return Many(Anything(), tuple)
    if len(args) == 2 and args[1] is ...:
        return Many(shape_of(args[0], names), tuple)
    if args == ((),):
        args = ()
    return Row([shape_of(a, names) for a in args])


def _class(cls, names):
    known = _records.get(cls)
    if known is None:
        known = _make(cls, names)
        if _hashable(cls):
            _records[cls] = known
    return known


def _make(cls, names):
    from . import records

    if cls.__name__ == "Any" and cls.__module__ == "typing":
        return Anything()
    custom = getattr(cls, "__shape__", None)
    if custom:
        return custom(cls, names)
    if hasattr(cls, "_member_map_"):
        return Member(cls)
    if cls.__module__ == "datetime":
        from .times import SHAPES

        if cls in SHAPES:
            return SHAPES[cls]()
    if hasattr(cls, "__dataclass_fields__"):
        return records.DataclassRecord(cls, names)
    if issubclass(cls, dict) and hasattr(cls, "__total__"):
        return records.TypedDictRecord(cls, names)
    if issubclass(cls, tuple) and hasattr(cls, "_fields"):
        return records.NamedTupleRecord(cls, names)
    if hasattr(cls, "model_json_schema") and hasattr(cls, "model_validate"):
        return Foreign(cls)
    if cls in (list, set, frozenset, dict, tuple) or cls.__module__ in ("collections", "collections.abc"):
        return Instance(cls) if cls.__name__ in _OPAQUE else _generic(cls, None, names)
    return _text_made(cls) or Instance(cls)


def _text_made(cls):
    module, name = cls.__module__.partition(".")[0], cls.__name__
    if module == "pathlib" and name in ("Path", "PurePath", "PosixPath"):
        return ByCall(cls, cls, "a path", "path")
    if (module, name) == ("uuid", "UUID"):
        return ByCall(cls, cls, "a UUID", "uuid")
    if name == "Decimal" and module.lstrip("_") in ("decimal", "pydecimal"):
        return ByCall(cls, lambda v: _finite(cls(str(v).strip())), "a decimal number", "decimal", (str, int, float))
    if cls is complex:
        return ByCall(cls, complex, "a complex number", None, (str, int, float))
    if (module, name) == ("re", "Pattern"):
        import re

        return ByCall(cls, re.compile, "a regular expression", "regex")
    return None


def _finite(number):
    if not number.is_finite():
        raise ValueError("not finite")
    return number


def _named_form(annotation, names):
    """What is left: Any before Python 3.11, NewType, TypeVar, type aliases."""
    kind = _kind(annotation)
    if kind in ("Any", "Hashable", "LiteralString", "Self"):
        return Anything()
    if hasattr(annotation, "__supertype__"):
        return shape_of(annotation.__supertype__, names)
    if kind == "TypeVar":
        if annotation.__constraints__:
            return _union(annotation.__constraints__, names)
        return shape_of(annotation.__bound__, names) if annotation.__bound__ else Anything()
    if hasattr(annotation, "__value__"):
        return shape_of(annotation.__value__, names)
    raise TypeError(f"the annotation {annotation!r} is not understood")


class Foreign(Shape):
    """A model of the real pydantic, where that is installed and the real mcp is not."""

    titled = False

    def __init__(self, cls):
        self.cls = cls

    def check(self, value, strict=False):
        try:
            return self.cls.model_validate(value)
        except ValueError as error:
            raise ValidationError.one("value_error", str(error), value) from None

    def schema(self, defs):
        def define(outer):
            body = self.cls.model_json_schema()
            for name, part in (body.pop("$defs", None) or {}).items():
                outer._built.setdefault(name, part)
            return body

        return defs.ref(self.cls, define)


def _kind(annotation):
    """The name of a `typing` object: Literal, Final, TypeVar; '' for anything else."""
    cls = type(annotation)
    if cls.__module__ not in ("typing", "typing_extensions"):
        return ""
    name = getattr(annotation, "_name", None) or getattr(annotation, "__name__", None)
    return cls.__name__ if cls.__name__ in ("TypeVar", "ForwardRef") else (name or "")


def _flat(values):
    """Literal inside Literal is one list of values."""
    flat = []
    for value in values:
        flat += _flat(value.__args__) if _kind(getattr(value, "__origin__", None)) == "Literal" else [value]
    return flat


def _hashable(value):
    try:
        hash(value)
    except TypeError:
        return False
    return True
