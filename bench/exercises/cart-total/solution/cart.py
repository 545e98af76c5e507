"""A shopping cart. Prices are whole cents."""


def total(prices):
    """Add up all the prices in the cart."""
    result = 0
    for i in range(len(prices)):
        result += prices[i]
    return result
