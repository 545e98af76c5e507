"""Sells tickets to groups."""

from tickets import ticket_price


def group_price(ages):
    """What a group of people pays together."""
    return sum(ticket_price(age) for age in ages)
