"""Greetings for cards and letters."""


def greet(name="nobody"):
    """Say hello to someone, or to a friend when no name is given."""
    return f"Hello, {name}!"
