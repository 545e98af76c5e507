"""Greetings for cards and letters."""


def greet(name="friend"):
    """Say hello to someone, or to a friend when no name is given."""
    return f"Hello, {name}!"
