"""Cinema tickets. Prices are whole cents."""


def ticket_price(age):
    """Under 6: 0. From 6 to 17: 500. From 18 to 64: 900. From 65 on: 600."""
    if age < 6:
        return 0
    if age < 18:
        return 500
    if age < 65:
        return 900
    return 600
