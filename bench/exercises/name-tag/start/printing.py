"""Puts a frame around a name tag."""

from tags import full_name


def framed(first, last):
    """The full name between two bars."""
    return "| " + full_name(first, last) + " |"
