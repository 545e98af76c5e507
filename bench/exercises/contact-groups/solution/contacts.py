"""An address book."""


def by_letter(names):
    """Map each first letter, in upper case, to a sorted list of its names.

    ["Nils", "Amy", "Ada"] gives {"N": ["Nils"], "A": ["Ada", "Amy"]}.
    """
    groups = {}
    for name in sorted(names):
        groups.setdefault(name[0].upper(), []).append(name)
    return groups
