"""What the pydantic stand-in does, printed as JSON lines. Run on its own under both."""
import dataclasses
import datetime
import enum
import json
from typing import Annotated, Any, ClassVar, Dict, List, Literal, Optional, Union

import pydantic
from pydantic import (
    AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, PositiveInt, PrivateAttr, StringConstraints, TypeAdapter,
    ValidationError, ValidationInfo, computed_field, conint, constr, create_model, field_serializer, field_validator,
    model_validator,
)  # fmt: skip


def show(name, make):
    try:
        value = make()
    except ValidationError as error:
        value = {"refused": sorted([".".join(map(str, e["loc"])) for e in error.errors()]), "count": error.error_count()}
    except (TypeError, ValueError, AttributeError) as error:
        value = {"error": type(error).__name__}
    print(json.dumps([name, value], default=repr, sort_keys=True))


class Kind(str, enum.Enum):
    A = "a"
    B = "b"


class Inner(BaseModel):
    x: int = 0


class Base(BaseModel):
    """The base."""

    LIMIT: ClassVar[int] = 5
    id: int
    name: str = Field("none", min_length=2, max_length=8, description="a name")
    _secret: int = PrivateAttr(default=7)
    _made: list = PrivateAttr(default_factory=list)


class Child(Base):
    model_config = ConfigDict(extra="allow", populate_by_name=True, validate_assignment=True)
    kind: Kind = Kind.A
    inner: Inner = Field(default_factory=Inner)
    many: List[Inner] = []
    table: Dict[str, Optional[Inner]] = {}
    aliased: int = Field(3, alias="otherName")
    when: Optional[datetime.date] = None
    either: Union[int, str, None] = None

    @field_validator("name")
    @classmethod
    def title(cls, value):
        if value == "bad":
            raise ValueError("a bad name")
        return value.title()

    @field_validator("id", mode="before")
    @classmethod
    def from_text(cls, value):
        return len(value) if isinstance(value, str) and not value.isdigit() else value

    @computed_field
    @property
    def label(self) -> str:
        return f"{self.name}#{self.id}"


class Span(BaseModel):
    start: int
    end: int
    note: str = ""

    @model_validator(mode="before")
    @classmethod
    def pair(cls, data):
        return {"start": data[0], "end": data[1]} if isinstance(data, (list, tuple)) else data

    @model_validator(mode="after")
    def ordered(self):
        if self.end < self.start:
            raise ValueError("the end comes first")
        return self

    @field_validator("note")
    @classmethod
    def with_info(cls, value, info: ValidationInfo):
        return f"{value}{info.field_name}{info.data.get('start')}"

    @field_serializer("note")
    def shout(self, value):
        return value.upper()


class Frozen(BaseModel):
    model_config = ConfigDict(frozen=True)
    a: int = 1


class Late(BaseModel):
    ready: bool = False

    def model_post_init(self, context):
        self.ready = True


class Generous(BaseModel):
    model_config = {"extra": "forbid", "str_strip_whitespace": True}
    text: str
    amount: Annotated[float, Field(gt=0, le=10)] = 1
    tags: Annotated[List[str], Field(max_length=2)] = []
    mode: Literal["x", "y"] = "x"
    positive: PositiveInt = 1
    short: constr(max_length=3, to_lower=True) = "abc"
    small: conint(ge=0, le=3) = 0
    upper: Annotated[str, StringConstraints(to_upper=True)] = "q"
    doubled: Annotated[int, AfterValidator(lambda v: v * 2)] = 0
    listed: Annotated[List[int], BeforeValidator(lambda v: v.split(",") if isinstance(v, str) else v)] = []
    anything: Any = None


class Tree(BaseModel):
    value: int
    children: List["Tree"] = []


@dataclasses.dataclass
class Data:
    a: int
    b: Optional[Inner] = None


class Holder(BaseModel):
    data: Data
    pairs: List[Data] = []


Made = create_model("Made", a=(int, ...), b=(str, "x"))

c = Child(id="4", name="anna", otherName=9, extra_field=[1])
show("repr", lambda: repr(c))
show("str", lambda: str(c))
show("dump", lambda: c.model_dump())
show("dump json", lambda: c.model_dump(mode="json"))
show("dump alias", lambda: c.model_dump(by_alias=True))
show("dump include", lambda: c.model_dump(include={"id", "name"}))
show("dump exclude", lambda: c.model_dump(exclude={"id", "many", "table", "label"}))
show("dump none", lambda: c.model_dump(exclude_none=True))
show("dump unset", lambda: c.model_dump(exclude_unset=True))
show("dump defaults", lambda: c.model_dump(exclude_defaults=True))
show("json", lambda: c.model_dump_json())
show("json indent", lambda: c.model_dump_json(indent=2))
show("json indent 4", lambda: Span(start=1, end=2).model_dump_json(indent=4))
show("set", lambda: sorted(c.model_fields_set))
show("extra", lambda: c.model_extra)
show("class var", lambda: Child.LIMIT)
show("private", lambda: [c._secret, c._made])
show("eq", lambda: [Inner(x=1) == Inner(x=1), Inner(x=1) == Inner(x=2), Inner() == Frozen(a=0)])
show("copy", lambda: c.model_copy(update={"name": "z"}).model_dump(include={"name", "id"}))
show("deep copy", lambda: c.model_copy(deep=True).inner is c.inner)
show("fields", lambda: {n: [f.description, f.is_required()] for n, f in Child.model_fields.items()})
show("iterate", lambda: dict(Span(start=1, end=2)))
show("schema", lambda: Child.model_json_schema())
show("schema tree", lambda: Tree.model_json_schema() and Tree(value=1, children=[{"value": 2}]).model_dump())
show("schema generous", lambda: Generous.model_json_schema())
show("schema holder", lambda: Holder.model_json_schema())
show("missing", lambda: Child())
show("several", lambda: Child(id=[], name="x", inner={"x": "q"}, many=[{"x": 1}, {"x": "z"}], kind="c"))
show("validator", lambda: Child(id=1, name="bad"))
show("before", lambda: Child(id="abcdef").id)
show("assign", lambda: setattr(c, "name", "new") or c.name)
show("assign wrong", lambda: setattr(c, "id", {}))
show("assign unknown", lambda: setattr(Inner(), "y", 1))
show("frozen", lambda: setattr(Frozen(), "a", 2))
show("frozen hash", lambda: hash(Frozen()) == hash(Frozen()))
show("unhashable", lambda: hash(Inner()))
show("no attribute", lambda: Inner().nothing)
show("class attribute", lambda: Inner.x)
show("post init", lambda: Late().model_dump())
show("pair", lambda: Span.model_validate([1, 2]).model_dump())
show("note", lambda: Span(start=1, end=2, note="n").model_dump())
show("ordered", lambda: Span(start=3, end=2))
show("validate json", lambda: Span.model_validate_json('{"start": 1, "end": "2"}').model_dump())
show("validate bad json", lambda: Span.model_validate_json("{"))
show("validate other", lambda: Span.model_validate(5))
show("validate same", lambda: Inner.model_validate(Inner(x=3)).x)
show("strip", lambda: Generous(text="  a  ").text)
show("forbid", lambda: Generous(text="a", other=1))
show("limits", lambda: Generous(text="a", amount=0, tags=["a", "b", "c"], mode="z", positive=0, short="abcd", small=4))
show("tidy", lambda: Generous(text="a", short="ABC", upper="q", doubled=2, listed="1,2").model_dump())
show("tree", lambda: Tree(value=1, children=[Tree(value=2), {"value": 3, "children": [{"value": "4"}]}]).model_dump())
show("tree wrong", lambda: Tree(value=1, children=[{"value": 3, "children": [{"value": "x"}]}]))
show("holder", lambda: Holder(data={"a": "1", "b": {"x": 2}}, pairs=[{"a": 3}]).model_dump())
show("holder wrong", lambda: Holder(data={"b": 1}))
show("made", lambda: Made(a=1).model_dump())
show("made wrong", lambda: Made(b=1))
show("construct", lambda: Inner.model_construct(x="unchecked").model_dump())
show("adapter", lambda: TypeAdapter(List[int]).validate_python(["1", 2]))
show("adapter json", lambda: TypeAdapter(Dict[str, Inner]).validate_json('{"a": {"x": 1}}')["a"].x)
show("adapter wrong", lambda: TypeAdapter(List[int]).validate_python(["x"]))
show("adapter schema", lambda: TypeAdapter(List[Inner]).json_schema())
show("positional", lambda: Inner(1))
show("shared default", lambda: (Child(id=1).many.append(1), Child(id=2).many)[1])
show("old names", lambda: [Inner(x=1).dict(), Inner.parse_obj({"x": 2}).x, Inner(x=1).json()])
show("is value error", lambda: issubclass(ValidationError, ValueError))
show("version", lambda: pydantic.VERSION.startswith("2."))
