"""Name tags for visitors."""


def full_name(first, last):
    """First name, a space, last name."""
    return first + " " + first


def list_name(first, last):
    """Last name, a comma, first name, for the visitor list."""
    return last + ", " + first
