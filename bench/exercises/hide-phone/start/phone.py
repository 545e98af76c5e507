"""Phone numbers on printed forms."""


def hide(number):
    """Put * in place of each digit but the last three.

    Spaces and dashes stay: "030 555-1234" gives "*** ***-*234".
    """
    raise NotImplementedError
