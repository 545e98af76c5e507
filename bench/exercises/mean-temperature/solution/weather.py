"""Readings from the thermometer in the garden."""


def average(readings):
    """The mean of the readings; missing ones (None) do not count."""
    known = [reading for reading in readings if reading is not None]
    if not known:
        return None
    return sum(known) / len(known)
