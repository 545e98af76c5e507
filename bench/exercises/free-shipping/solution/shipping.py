"""Shipping fees. Amounts are whole cents."""

FREE_FROM = 5000
FEE = 490


def shipping_fee(amount):
    """Orders of FREE_FROM or more ship for free."""
    if amount >= FREE_FROM:
        return 0
    return FEE


def to_pay(amount):
    """The order together with its shipping fee."""
    return amount + shipping_fee(amount)
