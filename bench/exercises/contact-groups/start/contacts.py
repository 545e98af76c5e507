"""An address book."""


def by_letter(names):
    """Map each first letter, in upper case, to a sorted list of its names.

    ["Nils", "Amy", "Ada"] gives {"N": ["Nils"], "A": ["Ada", "Amy"]}.
    """
    raise NotImplementedError
