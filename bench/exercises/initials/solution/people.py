"""Small helpers for the names of people."""


def initials(name):
    """The first letter of each word in upper case, each followed by a dot.

    "maria del mar" gives "M.D.M."
    """
    return "".join(word[0].upper() + "." for word in name.split())
