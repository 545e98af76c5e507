"""The guest list of a party."""


def unique_guests(names):
    """Each guest once, in the order they signed up."""
    result = []
    for name in names:
        if name not in result:
            result.append(name)
    return result
