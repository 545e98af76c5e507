"""Values made of values: lists, sets, tuples, dicts, and either-or."""

from .base import Around, Shape, ValidationError, wrong


class Many(Shape):
    """list, set, frozenset, tuple[T, ...], Sequence, deque: any number of the same kind."""

    family = "array"

    def __init__(self, item, make=list, noun="a list", unique=False, keep=None):
        self.item, self.make, self.noun, self.unique = item, make, noun, unique
        # Sequence keeps the container that came; the others make their own.
        self.keep = keep

    def check(self, value, strict=False):
        wanted = isinstance(value, self.keep or self.make)
        if not wanted and (strict or not isinstance(value, _SOURCES) and not _is_stream(value)):
            raise wrong("list_type", self.noun, value)
        out, problems = [], []
        for index, item in enumerate(value):
            try:
                out.append(self.item.check(item, strict))
            except ValidationError as error:
                problems += error.under(index)
        if problems:
            raise ValidationError(problems)
        try:
            return (type(value) if self.keep and wanted else self.make)(out)
        except TypeError:
            raise wrong("set_item_not_hashable", f"{self.noun} of single values", value) from None

    def schema(self, defs):
        body = {"items": self.item.schema(defs), "type": "array"}
        if self.unique:
            body["uniqueItems"] = True
        return body


class Row(Shape):
    """tuple[A, B]: a fixed number, each of its own kind."""

    family = "array"

    def __init__(self, items):
        self.items = items

    def check(self, value, strict=False):
        count = len(self.items)
        noun = f"a list of {count}" if count != 1 else "a list of one"
        if not isinstance(value, tuple if strict else _SOURCES) or len(value) != count:
            raise wrong("tuple_type", noun, value)
        out, problems = [], []
        for index, (shape, item) in enumerate(zip(self.items, value)):
            try:
                out.append(shape.check(item, strict))
            except ValidationError as error:
                problems += error.under(index)
        if problems:
            raise ValidationError(problems)
        return tuple(out)

    def schema(self, defs):
        count = len(self.items)
        body = {"maxItems": count, "minItems": count, "type": "array"}
        if count:
            body["prefixItems"] = [shape.schema(defs) for shape in self.items]
        return body


class Table(Shape):
    """dict[K, V] and its relatives."""

    family = "object"

    def __init__(self, key, value, make=dict):
        self.key, self.value, self.make = key, value, make

    def check(self, value, strict=False):
        if not isinstance(value, dict):
            if strict or not hasattr(value, "keys"):
                raise wrong("dict_type", "an object", value)
            value = {k: value[k] for k in value.keys()}
        out, problems = {}, []
        for key, item in value.items():
            try:
                key = self.key.check(key, strict)
            except ValidationError as error:
                problems += error.under(f"{key} (key)")
                continue
            try:
                out[key] = self.value.check(item, strict)
            except ValidationError as error:
                problems += error.under(key if isinstance(key, (str, int)) else str(key))
        if problems:
            raise ValidationError(problems)
        return out if self.make is dict else self.make(out)

    def schema(self, defs):
        body = {"additionalProperties": self.value.schema(defs) or True, "type": "object"}
        names = self.key.schema(defs)
        # JSON keys are always text: to say so would say nothing. The real library leaves numbers out too.
        if names.pop("type", "string") == "string" and names:
            body["propertyNames"] = names
        return body


class Either(Shape):
    """A union. What fits without conversion wins; then the first that fits with it."""

    def __init__(self, options):
        self.options = options

    def check(self, value, strict=False):
        for shape in self.options:
            try:
                return shape.check(value, True)
            except ValidationError:
                continue
        if strict:
            raise wrong("union_error", "one of several kinds", value)
        best, score, problems = None, -1, []
        for shape in self.options:
            try:
                found = shape.check(value)
            except ValidationError as error:
                problems += error.problems
                continue
            # Of several records that fit, the one that uses most of what was given is meant.
            used = _fields_used(found, value)
            if used > score:
                best, score = found, used
            if not used:
                break
        if score >= 0:
            return best
        raise ValidationError(_without_twins(problems))

    def schema(self, defs):
        choices = []
        for shape in self.options:
            body = shape.schema(defs)
            for each in body["anyOf"] if set(body) == {"anyOf"} else [body]:
                if each not in choices:
                    choices.append(each)
        return choices[0] if len(choices) == 1 else {"anyOf": choices}


class Nullable(Around):
    """Optional[T]. Kept apart from other unions: limits and titles belong to the T inside."""

    family = None

    def check(self, value, strict=False):
        return None if value is None else self.shape.check(value, strict)

    def schema(self, defs):
        body = self.shape.schema(defs)
        choices = body["anyOf"] if set(body) == {"anyOf"} else [body]
        null = {"type": "null"}
        return {"anyOf": choices if null in choices else [*choices, null]}


_SOURCES = (list, tuple, set, frozenset)


def _is_stream(value):
    """Generators, dict views and deques may fill a list; text and dicts may not."""
    return hasattr(value, "__iter__") and not isinstance(value, (str, bytes, bytearray, dict)) and (
        hasattr(value, "__next__") or type(value).__name__ in ("deque", "dict_keys", "dict_values", "dict_items")
    )


def _fields_used(found, given):
    if not isinstance(given, dict) or type(found) is dict:
        return 0
    names = getattr(found, "model_fields_set", None)
    if names is None:
        names = getattr(type(found), "__dataclass_fields__", ())
    return sum(name in given for name in names)


def _without_twins(problems):
    seen, kept = set(), []
    for problem in problems:
        if (problem[0], problem[2]) not in seen:
            seen.add((problem[0], problem[2]))
            kept.append(problem)
    return kept
