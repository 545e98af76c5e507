import json
import os
from datetime import date
from pathlib import Path
from typing import Optional

from mcp.server.fastmcp import FastMCP

mcp = FastMCP("todo")
DATA_FILE = Path(os.environ["MCP_SANDBOX_DIR"]) / "todos.json"


def load() -> list[dict]:
    if DATA_FILE.exists():
        return json.loads(DATA_FILE.read_text())
    return []


def save(todos: list[dict]) -> None:
    DATA_FILE.write_text(json.dumps(todos, indent=2))


@mcp.tool()
def add_todo(title: str, priority: int = 3, due: Optional[date] = None, tags: list[str] = []) -> dict:
    """Add a new todo item. Priority is 1 (high) to 5 (low)."""
    if not 1 <= priority <= 5:
        raise ValueError("priority must be between 1 and 5")
    todos = load()
    item = {
        "id": max((t["id"] for t in todos), default=0) + 1,
        "title": title,
        "priority": priority,
        "due": due.isoformat() if due else None,
        "tags": tags,
        "done": False,
    }
    todos.append(item)
    save(todos)
    return item


@mcp.tool()
def list_todos(include_done: bool = False, tag: str | None = None) -> list[dict]:
    """List todos, sorted by priority."""
    found = [t for t in load() if include_done or not t["done"]]
    if tag:
        found = [t for t in found if tag in t["tags"]]
    return sorted(found, key=lambda t: (t["priority"], t["id"]))


@mcp.tool()
def complete_todo(todo_id: int) -> str:
    """Mark a todo as done."""
    todos = load()
    for t in todos:
        if t["id"] == todo_id:
            t["done"] = True
            save(todos)
            return f"Completed: {t['title']}"
    raise ValueError(f"No todo with id {todo_id}")


@mcp.tool()
def clear_done() -> int:
    """Remove all completed todos and return how many were removed."""
    todos = load()
    left = [t for t in todos if not t["done"]]
    save(left)
    return len(todos) - len(left)


@mcp.resource("todo://{todo_id}")
def todo_resource(todo_id: int) -> str:
    """One todo as text."""
    for t in load():
        if t["id"] == todo_id:
            return f"[{'x' if t['done'] else ' '}] {t['title']}"
    return "not found"


@mcp.prompt()
def plan_day(hours: int = 8) -> str:
    """Plan a day around the open todos."""
    titles = ", ".join(t["title"] for t in load() if not t["done"]) or "nothing"
    return f"I have {hours} hours and these todos: {titles}. Plan my day."


if __name__ == "__main__":
    mcp.run(transport="stdio")
