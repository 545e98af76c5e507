"""What the hotel costs, in whole cents."""

from trip import trip_days


def hotel_cost(dates, per_night):
    """One night less than there are days, but never less than none."""
    nights = max(trip_days(dates) - 1, 0)
    return nights * per_night
