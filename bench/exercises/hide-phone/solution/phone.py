"""Phone numbers on printed forms."""


def hide(number):
    """Put * in place of each digit but the last three.

    Spaces and dashes stay: "030 555-1234" gives "*** ***-*234".
    """
    to_hide = sum(char.isdigit() for char in number) - 3
    result = ""
    for char in number:
        if char.isdigit() and to_hide > 0:
            char = "*"
            to_hide -= 1
        result += char
    return result
