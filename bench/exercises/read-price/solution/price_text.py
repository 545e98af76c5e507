"""Reads prices that people typed in."""


def read_price(text):
    """Turn a typed price such as "$1,250.50" into a number."""
    text = text.replace("$", "")
    text = text.replace(",", "")
    return float(text.strip())
