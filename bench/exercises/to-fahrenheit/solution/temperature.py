"""Temperatures in Celsius and Fahrenheit."""


def to_fahrenheit(celsius):
    """Turn degrees Celsius into degrees Fahrenheit."""
    return celsius * 9 / 5 + 32


def to_celsius(fahrenheit):
    """Turn degrees Fahrenheit into degrees Celsius."""
    return (fahrenheit - 32) * 5 / 9
