"""The guest list of a party."""


def unique_guests(names):
    """Each guest once, in the order they signed up."""
    result = []
    seen = set()
    for name in names:
        name = name.strip()
        if name.lower() not in seen:
            seen.add(name.lower())
            result.append(name)
    return result
