"""Helpers for prices in whole cents."""


def show(cents):
    """A price as text: 1205 gives "12.05"."""
    return f"{cents // 100}.{cents % 100:02}"
