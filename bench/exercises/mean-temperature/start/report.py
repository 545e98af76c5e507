"""One line of text about the weather."""

from weather import average


def report(readings):
    """Say how warm it was on average."""
    mean = average(readings)
    if mean is None:
        return "no readings"
    return f"{mean:.1f} degrees"
