"""Splits a restaurant bill. Amounts are whole cents."""


def split(cents, people):
    """A list with what each person pays, adding up to the whole bill.

    Cents that are left over go to the first people, one each:
    split(1000, 3) gives [334, 333, 333].
    """
    share = cents // people
    left = cents % people
    return [share + 1] * left + [share] * (people - left)
