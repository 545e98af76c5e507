"""A typed shopping list: one price per line."""

from price_text import read_price


def list_total(lines):
    """Add up the prices of all lines."""
    return sum(read_price(line) for line in lines)
