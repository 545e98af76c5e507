"""Runs a Python file whose functions are tools. Perigee speaks the Model Context Protocol for it.

Such a file may write `from perigee import progress`, and tell during a call how far it is.
"""


def progress(done, total=None, message=None):
    """Tells how far the current call is. Outside of a call, nothing happens."""
    from .calls import current

    call = current.get()
    if call is not None:
        call.tell(progress=done, total=total, message=message)
