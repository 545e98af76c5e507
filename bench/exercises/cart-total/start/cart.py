"""A shopping cart. Prices are whole cents."""


def total(prices):
    """Add up all the prices in the cart."""
    result = 0
    for i in range(1, len(prices)):
        result += prices[i]
    return result
