"""Time zone arithmetic with fixed UTC offsets."""
from datetime import datetime, time, timedelta, timezone
from typing import Optional

from mcp.server.fastmcp import FastMCP

mcp = FastMCP("Timezone Math")


def zone(offset_hours: float) -> timezone:
    if not -14 <= offset_hours <= 14:
        raise ValueError("offset must be between -14 and +14 hours")
    return timezone(timedelta(hours=offset_hours))


@mcp.tool()
def convert(moment: datetime, to_offset: float, from_offset: Optional[float] = None) -> str:
    """Convert a moment to another UTC offset. A moment without zone needs from_offset."""
    if moment.tzinfo is None:
        if from_offset is None:
            raise ValueError("moment has no time zone; give from_offset")
        moment = moment.replace(tzinfo=zone(from_offset))
    return moment.astimezone(zone(to_offset)).isoformat()


@mcp.tool()
def add_duration(moment: datetime, duration: timedelta) -> dict:
    """Add a duration (ISO 8601 or seconds) to a moment."""
    end = moment + duration
    return {"start": moment, "end": end, "duration": duration, "weekday": end.strftime("%A")}


@mcp.tool()
def difference(start: datetime, end: datetime) -> dict[str, float]:
    """Difference between two moments in several units."""
    seconds = (end - start).total_seconds()
    return {"seconds": seconds, "minutes": seconds / 60, "hours": seconds / 3600, "days": seconds / 86400}


@mcp.tool()
def overlap(start_a: time, end_a: time, start_b: time, end_b: time) -> Optional[str]:
    """Overlap of two time ranges on the same day, or nothing."""
    start, end = max(start_a, start_b), min(end_a, end_b)
    if start >= end:
        return None
    return f"{start:%H:%M} to {end:%H:%M}"


if __name__ == "__main__":
    mcp.run()
