"""Little greeting cards."""

from greeting import greet


def card(message, name=None):
    """A greeting on one line and the message on the next."""
    if name is None:
        first_line = greet()
    else:
        first_line = greet(name)
    return first_line + "\n" + message
