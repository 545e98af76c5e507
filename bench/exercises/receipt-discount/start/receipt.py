"""The last line of a receipt."""

from prices import show


def total(items, percent=0):
    """The sum of all items, with the discount taken off the sum."""
    return sum(items)


def last_line(items, percent=0):
    """The total as text."""
    return "Total: " + show(total(items, percent))
