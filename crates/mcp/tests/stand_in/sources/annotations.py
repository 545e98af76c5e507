"""One tool for each annotation. Each says what it received."""
import collections
import dataclasses
import datetime
import decimal
import enum
import pathlib
import uuid
from typing import (
    Annotated, Any, Deque, Dict, FrozenSet, Iterable, List, Literal, Mapping, NamedTuple, NewType, Optional, Sequence,
    Set, Tuple, Union,
)

from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import NotRequired, Required, TypedDict

from mcp.server.fastmcp import FastMCP

mcp = FastMCP("annotations")


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Size(str, enum.Enum):
    """How large."""

    S = "s"
    L = "l"


class Rank(enum.IntEnum):
    LOW = 1
    HIGH = 2


class Mixed(enum.Enum):
    A = 1
    B = "x"


class Single(enum.Enum):
    ONLY = "only"


@dataclasses.dataclass
class Point:
    x: int
    y: Optional[float] = None
    marks: List[int] = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Line:
    """A line between two points.

    With a second paragraph.
    """

    start: Point
    end: Point = dataclasses.field(default_factory=lambda: Point(0))


class Pair(NamedTuple):
    first: int
    second: str = "b"


class Options(TypedDict, total=False):
    """Some options."""

    depth: Required[int]
    name: str


class Strict(TypedDict):
    a: int
    b: NotRequired[List[str]]


class Item(BaseModel):
    """An item."""

    model_config = ConfigDict(extra="forbid")
    name: str = Field(min_length=1, description="its name")
    price: float = Field(0.0, ge=0)
    size: Size = Size.S
    inner: Optional["Item"] = None
    aliased: int = Field(1, alias="other_name")


class Box(BaseModel):
    items: List[Item]
    where: Point = Field(description="where it is")
    when: datetime.datetime = datetime.datetime(2020, 1, 2, 3, 4, 5, tzinfo=datetime.timezone.utc)


UserId = NewType("UserId", int)
ANNOTATIONS = [
    int, float, str, bool, None, bytes, Any, object, list, List, list[int], List[str], dict, Dict, dict[str, int],
    Dict[int, str], Dict[str, Any], tuple, Tuple, tuple[int, str], Tuple[int, ...], tuple[()], set, Set[int],
    FrozenSet[str], Optional[int], Optional[str], Union[int, str], Union[str, int, None], Union[int, float],
    Union[float, int], Union[bool, int], int | None, list[int] | int, Literal["a", "b"], Literal[1], Literal[1, "a"],
    Literal["a", None], Literal[True], Literal[Color.RED], Color, Size, Rank, Mixed, Single, Optional[Color],
    List[Color], Point, Line, List[Point], Pair, Options, Strict, Item, Box, Optional[Item], Dict[str, Point],
    Union[Point, Item], datetime.datetime, datetime.date, datetime.time, datetime.timedelta, decimal.Decimal,
    uuid.UUID, pathlib.Path, Sequence[int], collections.abc.Sequence[str], Mapping[str, int], Deque[int],
    collections.OrderedDict[str, int], Annotated[int, Field(ge=0, le=10, description="small")],
    Annotated[Optional[int], Field(ge=0)], Annotated[str, Field(min_length=1, max_length=5, pattern="^a")],
    Annotated[List[int], Field(min_length=1, max_length=2)], Annotated[Dict[str, int], Field(min_length=1)],
    Annotated[float, Field(gt=0, lt=1)], Annotated[int, Field(multiple_of=5)], Annotated[str, "only a note"],
    Annotated[int, Field(title="Own title", examples=[1, 2], json_schema_extra={"x-unit": "cm"})],
    List[Annotated[int, Field(ge=0, description="inner")]], Annotated[Color, Field(description="a color")],
    Annotated[Item, Field(description="an item")], Annotated[Optional[Item], Field(description="maybe")], UserId,
    Annotated[Set[int], Field(max_length=2)], dict[str, list[dict[str, int]]], Dict[Color, int],
    Dict[datetime.date, int], List[Union[int, str]], List[Optional[int]], Tuple[int, Item], Union[datetime.date, str],
    Union[Color, str], Annotated[bool, Field(strict=True)], Annotated[decimal.Decimal, Field(ge=0)], Text := str,
    Union[str, List[str]], List[Tuple[int, str]], Union[Color, int], complex,
]
DEFAULTS = [
    (int, 5), (Optional[int], None), (str, None), (Color, Color.RED), (Point, Point(1)), (List[int], [1, 2]),
    (Set[int], {1}), (Tuple[int, int], (1, 2)), (pathlib.Path, pathlib.Path("a/b")), (float, 1), (int, "unusual"),
    (datetime.date, datetime.date(2020, 1, 1)), (datetime.timedelta, datetime.timedelta(hours=1)),
    (decimal.Decimal, decimal.Decimal("1.5")), (Dict[str, int], {"a": 1}), (int, Field(3, description="three", ge=1)),
    (int, Field(description="needed")), (List[str], Field(default_factory=list)),
    (Annotated[int, Field(description="noted")], 4), (Annotated[int, Field(ge=2)], Field(3, le=4)),
    (Optional[Item], None), (bytes, b"x"), (bool, True), (Any, object()), (Literal["a", "b"], "b"), (Rank, Rank.HIGH),
    (Item, Item(name="x")), (List[Color], [Color.BLUE]),
]


def seen(value):
    if isinstance(value, (set, frozenset)):
        return f"{type(value).__name__}:{sorted(value, key=repr)!r}"
    text = repr(dict(value) if isinstance(value, dict) else value)
    # The classes of time zones differ; what they say does not.
    if isinstance(value, (datetime.datetime, datetime.time)):
        text = value.isoformat()
    return f"{type(value).__name__}:{text}"


def offer(name, annotation, *default):
    def tool(value):
        return seen(value)

    tool.__name__ = name
    tool.__annotations__ = {"value": annotation}
    tool.__defaults__ = default
    mcp.add_tool(tool)


for number, annotation in enumerate(ANNOTATIONS):
    offer(f"a{number}", annotation)
for number, (annotation, default) in enumerate(DEFAULTS):
    offer(f"d{number}", annotation, default)


@mcp.tool()
def untyped(a, b="x", *, json: dict = None, schema: int = 3, copy: str = "c") -> str:
    return f"{seen(a)} {seen(b)} {seen(json)} {schema} {copy}"


@mcp.tool()
def mutable(items: List[int] = []) -> int:
    items.append(1)
    return len(items)


if __name__ == "__main__":
    mcp.run()
