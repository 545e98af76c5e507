"""Amounts in a recipe, as a dictionary such as {"flour": 200, "eggs": 2}."""


def scale(amounts, serves, people):
    """Amounts for so many people, from a recipe that serves so many.

    Each amount is multiplied by people and divided by serves.
    Returns a new dictionary and leaves the old one as it is.
    """
    return {name: amount * people / serves for name, amount in amounts.items()}
