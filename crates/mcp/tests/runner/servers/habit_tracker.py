"""Habit tracker with SQLite storage."""
import logging
import os
import sqlite3
from datetime import date, timedelta

from mcp.server.fastmcp import FastMCP

logging.basicConfig(level=logging.INFO)
logger = logging.getLogger("habits")

mcp = FastMCP("Habit Tracker")
db = sqlite3.connect(os.path.join(os.environ.get("MCP_SANDBOX_DIR", "."), "habits.db"))
db.execute("CREATE TABLE IF NOT EXISTS habits (name TEXT PRIMARY KEY, goal INTEGER NOT NULL)")
db.execute("CREATE TABLE IF NOT EXISTS checks (habit TEXT, day TEXT, PRIMARY KEY (habit, day))")
db.commit()


@mcp.tool()
def create_habit(name: str, weekly_goal: int = 7) -> str:
    """Create a habit with a weekly goal (days per week)."""
    try:
        with db:
            db.execute("INSERT INTO habits VALUES (?, ?)", (name, weekly_goal))
    except sqlite3.IntegrityError:
        raise ValueError(f"Habit '{name}' already exists")
    logger.info("created %s", name)
    return f"Created habit '{name}' with a goal of {weekly_goal} days a week."


@mcp.tool()
def check_in(name: str, day: date) -> dict:
    """Record that a habit was done on a day."""
    if not db.execute("SELECT 1 FROM habits WHERE name = ?", (name,)).fetchone():
        raise ValueError(f"Unknown habit '{name}'")
    with db:
        db.execute("INSERT OR IGNORE INTO checks VALUES (?, ?)", (name, day.isoformat()))
    return {"habit": name, "day": day, "streak": streak(name, day)}


def streak(name: str, day: date) -> int:
    days = {row[0] for row in db.execute("SELECT day FROM checks WHERE habit = ?", (name,))}
    length = 0
    while day.isoformat() in days:
        length += 1
        day -= timedelta(days=1)
    return length


@mcp.tool()
async def summary(week_start: date) -> list[dict[str, str | int | bool]]:
    """Progress of every habit in the week that starts on the given day."""
    end = week_start + timedelta(days=6)
    out = []
    for name, goal in db.execute("SELECT name, goal FROM habits ORDER BY name"):
        done = db.execute(
            "SELECT COUNT(*) FROM checks WHERE habit = ? AND day BETWEEN ? AND ?",
            (name, week_start.isoformat(), end.isoformat()),
        ).fetchone()[0]
        out.append({"habit": name, "done": done, "goal": goal, "reached": done >= goal})
    return out


@mcp.resource("habits://list", mime_type="application/json", title="All habits")
def habits() -> list[str]:
    return [row[0] for row in db.execute("SELECT name FROM habits ORDER BY name")]


if __name__ == "__main__":
    mcp.run()
