"""Plans for a trip: a sorted list of dates."""


def trip_days(dates):
    """How many days the trip takes, with the first and the last day."""
    if not dates:
        return 0
    return (dates[-1] - dates[0]).days + 1


def summary(dates):
    """One line such as "2025-05-01 to 2025-05-03, days: 3"."""
    if not dates:
        return "no dates yet"
    return f"{dates[0]} to {dates[-1]}, days: {trip_days(dates)}"
