"""Shows how long songs are."""


def format_length(seconds):
    """Minutes and seconds like "3:05", from one hour on like "1:02:05"."""
    minutes = seconds // 60
    rest = seconds % 60
    return f"{minutes}:{rest}"
