#!/usr/bin/env python3
"""A queue."""
from dataclasses import dataclass, field as f
import os.path

MAX_JOBS = 4
_default = None


@dataclass
class Job(Base, mixins.Timed):
    """One thing to do."""

    name: str
    retries: int = 0

    @property
    def label(self) -> str:
        return format_label(self.name)

    async def run(
        self,
        queue: "Queue",
    ) -> Result:
        def inner():
            return os.path.join("a")
        return await queue.submit(inner, MAX_JOBS)


def test_job():
    assert Job("x").label == "x"


type Pair = tuple[int, int]

if True:
    def guarded(a, b=1): return a
