"""One tool for each kind of result."""
import collections
import dataclasses
import datetime
import decimal
import enum
import pathlib
import uuid
from typing import Annotated, Any, Dict, List, Literal, NamedTuple, Optional, Sequence, Union

from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from mcp.server.fastmcp import Audio, FastMCP, Image
from mcp.types import CallToolResult, ResourceLink, TextContent

mcp = FastMCP("returns")


class Color(enum.Enum):
    RED = "red"


class Word(str, enum.Enum):
    HI = "hi"


@dataclasses.dataclass
class Point:
    x: int
    y: Optional[str] = None
    marks: List[int] = dataclasses.field(default_factory=list)


class Weather(TypedDict):
    degrees: float
    note: Optional[str]


class Plain:
    name: str
    size: int = 3

    def __init__(self):
        self.name = "plain"

    def __str__(self):
        return "a plain object"


class Silent:
    def __str__(self):
        return "silent"


class Model(BaseModel):
    """A model."""

    a: int
    n: Optional[int] = None
    when: datetime.datetime = datetime.datetime(2020, 1, 1, tzinfo=datetime.timezone.utc)
    hidden: int = Field(1, exclude=True)
    renamed: int = Field(2, alias="otherName")


class Node(BaseModel):
    value: int
    children: List["Node"] = []


class Row(NamedTuple):
    a: int


def generate():
    yield from (1, 2)


MANY = {
    "d": decimal.Decimal("1.50"), "u": uuid.UUID(int=1), "c": Color.RED, "p": pathlib.Path("a"), "s": {2},
    "w": Silent(), "t": datetime.time(1, 2), "e": ValueError("x"), "r": [Row(1)], "b": b"q", "z": 1 + 2j, 1: 2,
    None: 3, 2.5: 4, (1, "a"): 5, Color.RED: 6, "span": datetime.timedelta(days=1, seconds=3661, microseconds=5),
    "back": -datetime.timedelta(seconds=90), "day": datetime.date(2020, 1, 2), "empty": [], "none": {},
    "text": 'quote " slash \\ newline \n tab \t ünï 日本 \u2028', "deep": {"list": [1, [2, {"x": None}]]},
}
NUMBERS = {"a": 1e16, "b": 1e-7, "c": 0.1 + 0.2, "d": 1e22, "e": -0.0, "f": 123456789012345680.0, "g": 10**30, "h": 5.0}
NOTHING = object()
RESULTS = [
    (NOTHING, None), (NOTHING, "s"), (NOTHING, 3), (NOTHING, 3.0), (NOTHING, True), (NOTHING, MANY), (NOTHING, NUMBERS),
    (NOTHING, []), (NOTHING, [1, "a", {"k": [1]}, None, [2, [3]]]), (NOTHING, {}), (NOTHING, Point(1)),
    (NOTHING, Model(a=1, otherName=3)), (NOTHING, Silent()), (NOTHING, b"abc"), (NOTHING, {1}), (NOTHING, (1, 2)),
    (NOTHING, datetime.datetime(2020, 1, 1, 1, 2, 3, 500)), (NOTHING, Image(data=b"xx")),
    (NOTHING, ["a", Image(data=b"x", format="JPEG"), {"b": 1}]), (NOTHING, Audio(data=b"x")), (NOTHING, generate),
    (NOTHING, range(3)), (NOTHING, Color.RED), (NOTHING, Word.HI), (NOTHING, Row(4)), (NOTHING, float("inf")),
    (NOTHING, collections.Counter("aab")), (NOTHING, collections.deque([1])), (NOTHING, {"a": 1}.items()),
    (NOTHING, "ünï 日本 \U0001f600"), (NOTHING, TextContent(type="text", text="block")),
    (NOTHING, ResourceLink(type="resource_link", name="n", uri="notes://a")),
    (None, None), (str, "x"), (int, 3), (int, "7"), (int, 3.0), (float, 3), (float, float("nan")), (bool, True),
    (bytes, b"ab"), (list, [1]), (List[int], [1, 2]), (list[str], []), (dict, {"a": 1}), (Dict[str, int], {"a": 1}),
    (dict[str, int], {"a": 1}), (dict[str, Any], {"a": None, "b": {"c": None}}), (dict[int, str], {1: "a"}),
    (Optional[str], None), (Optional[str], "q"), (Optional[dict], {"a": 1}), (str | int, 4), (tuple[int, str], (1, "a")),
    (set[int], {3}), (Point, Point(1)), (Model, Model(a=1)), (Model, {"a": "1"}), (Weather, {"degrees": 1, "note": None}),
    (Plain, Plain()), (Row, Row(1)), (Color, Color.RED), (Literal["a", "b"], "a"), (datetime.date, datetime.date(2020, 1, 1)),
    (Image, Image(data=b"x")), (Any, {"a": 1}), (object, 3), (TextContent, TextContent(type="text", text="hi")),
    (List[TextContent], [TextContent(type="text", text="hi")]), (List[Model], [Model(a=2)]), (dict[str, Model], {"k": Model(a=2)}),
    (Annotated[int, Field(ge=3, description="at least three")], 4), (Silent, Silent()), (decimal.Decimal, decimal.Decimal("1.5")),
    (Node, Node(value=1, children=[Node(value=2)])), (List[Point], [Point(1)]), (Union[Point, str], Point(1)),
    (Sequence[int], [1]), (List[dict[str, Any]], [{"a": None}]), (List[datetime.date], [datetime.date(2020, 1, 1)]),
    (Dict[str, datetime.timedelta], {"a": datetime.timedelta(1)}), (List[Color], [Color.RED]), (Optional[Point], None),
    (CallToolResult, CallToolResult(content=[TextContent(type="text", text="own")], structuredContent={"a": 1}, _meta={"m": 1})),
    (CallToolResult, CallToolResult(content=[], isError=True)),
    (Annotated[CallToolResult, Model], CallToolResult(content=[], structuredContent={"a": 1})),
]
WRONG = [(str, 5), (int, None), (int, "x"), (List[int], ["x"]), (dict[str, int], {"a": "b"}), (Literal["a"], "z"),
         (Annotated[int, Field(ge=3)], 1), (Weather, {"degrees": 1}), (Model, 3), (Point, {"x": 1})]  # fmt: skip


def offer(name, annotation, value):
    def tool():
        return value() if value is generate else value

    tool.__name__ = name
    if annotation is not NOTHING:
        tool.__annotations__ = {"return": annotation}
    mcp.tool()(tool)


for number, (annotation, value) in enumerate(RESULTS):
    offer(f"r{number}", annotation, value)
for number, (annotation, value) in enumerate(WRONG):
    offer(f"w{number}", annotation, value)


@mcp.tool(structured_output=False)
def unstructured() -> dict[str, int]:
    return {"a": 1}


@mcp.tool(structured_output=True, name="forced", title="Forced", meta={"k": "v"})
def structured() -> list[int]:
    """Structured output is asked for.

    The description keeps its lines.
        And its indentation.
    """
    return [1]


if __name__ == "__main__":
    mcp.run()
