"""Plans for a trip: a sorted list of dates."""


def trip_days(dates):
    """How many days the trip takes, with the first and the last day."""
    return (dates[-1] - dates[0]).days


def summary(dates):
    """One line such as "2025-05-01 to 2025-05-03, days: 3"."""
    return f"{dates[0]} to {dates[-1]}, days: {trip_days(dates)}"
