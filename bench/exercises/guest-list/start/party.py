"""Plans the party."""

from guests import unique_guests


def chairs_needed(names):
    """One chair for each guest, and one for the host."""
    return len(unique_guests(names)) + 1
