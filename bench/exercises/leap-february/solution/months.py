"""How long the months are."""


def is_leap(year):
    """Every 4th year is a leap year, but not every 100th, except every 400th."""
    return year % 400 == 0 or (year % 4 == 0 and year % 100 != 0)


def days_in_february(year):
    """29 in a leap year, otherwise 28."""
    if is_leap(year):
        return 29
    return 28
