"""What one command lays out for the next: whoever prepares the second walks over what the first has left.

Each is run twice in the same workspace. The first time it lays a link where a guard of repositories looks; the second
time it tries what that may have opened.
"""

import os

from attempts.core import SHELL, attempt, each, read, say, write


def trap(name, target, quick=False):
    """A repository of which one part is a link."""

    def run(c):
        place = c.inside("s/.git")
        if os.path.isdir(place):
            return spring(c)
        os.makedirs(place)
        # A relative one: it means the same wherever it is looked at from.
        os.symlink(os.path.relpath(target(c), place), os.path.join(place, name))

    attempt("trap", profiles=SHELL, times=2, quick=quick, name=f"trap-{name.replace('.', '-')}-{target.__name__}")(run)


def spring(c):
    each([c.dotfile, c.data_file], lambda path: say(read(path)))
    each([c.dotfile, c.victim_file, os.path.join(c.home, ".bashrc")], lambda path: write(path, c.marker))


def home(c):
    return c.home


def nothing(c):
    """Whoever writes there makes it."""
    return os.path.join(c.victim, "made")


for part in ("hooks", "modules", "worktrees", "rebase-merge", "config", "config.worktree", "commondir"):
    trap(part, home, quick=part in ("hooks", "modules"))
    trap(part, nothing, quick=part == "commondir")


@attempt("trap", profiles=SHELL, times=2)
def trap_repository_itself(c):
    """The whole of it is a link."""
    if os.path.islink(c.inside("s/.git")):
        return spring(c)
    os.makedirs(c.inside("s"))
    os.symlink(os.path.relpath(c.home, c.inside("s")), c.inside("s/.git"))


@attempt("trap", profiles=SHELL, times=2)
def trap_on_the_way(c):
    """A folder above one that is looked at."""
    if os.path.islink(c.inside("a")):
        return spring(c)
    os.makedirs(c.inside("b/.git/hooks"))
    os.symlink(os.path.relpath(c.home, c.work), c.inside("a"))
