"""A week of temperatures, such as {"Monday": 18, "Tuesday": 21}."""


def warmest_day(temperatures):
    """The name of the day with the highest temperature.

    When two days are equally warm, the first one wins.
    When there are no days, the answer is None.
    """
    if not temperatures:
        return None
    return max(temperatures, key=temperatures.get)
