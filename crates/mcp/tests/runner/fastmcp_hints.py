import enum
import datetime
from datetime import date, time
from typing import Annotated, Any, Dict, List, Literal, Optional, Sequence, Set, Union, Mapping
from mcp.server.fastmcp import FastMCP, Context
mcp = FastMCP("hints")
class Side(enum.Enum):
    LEFT = "left"
    RIGHT = "right"
class Size(str, enum.Enum):
    """How large."""
    S = "s"
class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2
@mcp.tool()
def basic(a: str, b: int, c: float, d: bool, e: None, f: Any, g: object, h, from_unit: str = "m"): pass
@mcp.tool()
def defaults(a: str = "x", b: int = 3, c: float = 2, d: bool = False, e: None = None, f: Any = None, h=5, i=None): pass
@mcp.tool()
def lists(a: list, b: list[int], c: List[str], d: List, e: list[list[float]], f: Sequence[int], g: set[str], h: Set[int], i: list = [], j: list[str] = ["x"]): pass
@mcp.tool()
def objects(a: dict, b: dict[str, int], c: Dict[str, Any], d: Dict, e: dict[str, list[int]], f: Mapping[str, float], g: dict = {}, h: list[dict[str, str]] = []): pass
@mcp.tool()
def unions(a: int | None, b: Optional[str], c: Union[int, str], d: int | str | None = None, e: Optional[list[int]] = None, f: list[int | None] = [], g: None | int = None, h: Optional[Union[str, int]] = 3): pass
@mcp.tool()
def choices(a: Literal["a"], b: Literal["a", "b"], c: Literal[1, 2], d: Literal[1, "b"], e: Literal["a"] | None = None, f: Literal["a", "b"] = "b", g: Literal[True] = True): pass
@mcp.tool()
def enums(a: Side, b: Size, c: Level, d: Side = Side.LEFT, e: Optional[Size] = None, f: list[Level] = [], g: dict[str, Side] = {}): pass
@mcp.tool()
def mixed(a: Union[Side, int], b: Optional[Union[Side, int]], c: Optional[list[Side]], d: Optional[Level] = None, e: Any = 3, f: Optional[Any] = None): pass
@mcp.tool()
def moments(a: date, b: datetime.datetime, c: time, d: Optional[date] = None, e: date = date(2025, 1, 2)): pass
@mcp.tool()
def annotated(a: Annotated[int, "a number"], b: Annotated[Optional[str], "words"] = None): pass
@mcp.tool(name="other-name", title="Another", description="Said otherwise.")
def named(aB: int, camelCase: int = 1, with__two: int = 1, UPPER: int = 2):
    """Not this one."""
@mcp.tool()
async def waits(seconds: float, ctx: Context) -> str:
    """Waits.

    Indented:
        seconds: how long
    """
@mcp.tool()
def quoted(a: "int", b: "Optional[Side]" = None, *, c: "list[str]", d: int = 4): pass
mcp.run()
