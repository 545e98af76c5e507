"""Repositories: what a command in the workspace leaves for the user's next `git`.

Each plants a program that makes a file in the victim folder. The judge then plays the user, who looks at the state of
the work and makes a commit.
"""

import os
import shutil
import subprocess

from attempts.core import SHELL, attempt, each, write


def trap(c):
    """The program that must never run on the host."""
    path = c.inside("trap.sh")
    write(path, f"#!/bin/sh\necho trapped > '{c.victim}/trapped'\n", 0o755)
    return path


def config(c, more=""):
    return f"[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tfsmonitor = {trap(c)}\n{more}"


def play(**rest):
    return attempt("git", **({"profiles": SHELL, "look": ("git",), "needs": ("git",)} | rest))


@play(quick=True)
def write_hook(c):
    for name in ("pre-commit", "post-index-change", "post-commit", "reference-transaction"):
        write(c.inside(f".git/hooks/{name}"), open(trap(c)).read(), 0o755)


@play()
def overwrite_hook(c):
    """One that is there."""
    with open(c.inside(".git/hooks/post-commit"), "w") as file:
        file.write(open(trap(c)).read())
    os.chmod(c.inside(".git/hooks/post-commit"), 0o755)


@play()
def move_hooks(c):
    trap(c)
    os.rename(c.inside(".git/hooks"), c.inside(".git/old-hooks"))
    os.mkdir(c.inside(".git/hooks"))
    shutil.copy(c.inside("trap.sh"), c.inside(".git/hooks/pre-commit"))


@play()
def link_hooks(c):
    trap(c)
    os.mkdir(c.inside("mine"))
    shutil.copy(c.inside("trap.sh"), c.inside("mine/pre-commit"))
    shutil.rmtree(c.inside(".git/hooks"))
    os.symlink("../mine", c.inside(".git/hooks"))


@play(quick=True)
def append_to_config(c):
    with open(c.inside(".git/config"), "a") as file:
        file.write(f"[core]\n\tfsmonitor = {trap(c)}\n")


@play()
def replace_config(c):
    """As git itself does it: a new file, moved over the old one."""
    write(c.inside(".git/config.lock"), config(c))
    os.rename(c.inside(".git/config.lock"), c.inside(".git/config"))


@play()
def config_by_command(c):
    words = ["git", "-C", c.work, "-c", f"safe.directory={c.work}", "config", "core.fsmonitor", trap(c)]
    done = subprocess.run(words, capture_output=True)
    os.write(2, done.stderr)


@play(quick=True)
def move_repository(c):
    """Away, and a copy with other settings in its place."""
    os.rename(c.inside(".git"), c.inside("old"))
    shutil.copytree(c.inside("old"), c.inside(".git"))
    write(c.inside(".git/config"), config(c))


@play()
def link_repository(c):
    shutil.copytree(c.inside(".git"), c.inside("mine"))
    write(c.inside("mine/config"), config(c))
    os.rename(c.inside(".git"), c.inside("old"))
    os.symlink("mine", c.inside(".git"))


@play()
def point_repository_elsewhere(c):
    """`.git` may be a file that says where the rest is."""
    shutil.copytree(c.inside(".git"), c.inside("mine"))
    write(c.inside("mine/config"), config(c))
    os.rename(c.inside(".git"), c.inside("old"))
    write(c.inside(".git"), "gitdir: mine\n")


@play(quick=True)
def common_folder(c):
    """`.git/commondir` names another folder, whose settings and hooks are then the ones that count."""
    copy_settings(c)
    write(c.inside(".git/commondir"), "../mine\n")


def copy_settings(c):
    shutil.copytree(c.inside(".git"), c.inside("mine"), dirs_exist_ok=True)
    write(c.inside("mine/config"), config(c))


@play()
def settings_of_worktree(c):
    """Where the repository has settings for each worktree, they are in a file of their own."""
    write(c.inside(".git/config.worktree"), f"[core]\n\tfsmonitor = {trap(c)}\n")


@play()
def settings_of_module(c):
    """A submodule has settings, too, and the state of the whole asks for the state of its parts."""
    append = f"[core]\n\tfsmonitor = {trap(c)}\n"

    def go(path):
        with open(path, "a") as file:
            file.write(append)

    each([c.inside(".git/modules/sub/config"), c.inside("sub/.git/config")], go)


@play()
def module_points_elsewhere(c):
    """The submodule's `.git` is a file in the workspace."""
    shutil.copytree(c.inside(".git/modules/sub"), c.inside("mine"))
    write(c.inside("mine/config"), config(c, f"\tworktree = {c.inside('sub')}\n"))
    write(c.inside("sub/.git"), f"gitdir: {c.inside('mine')}\n")


@play()
def module_moved(c):
    """The whole submodule taken away, and another put in its place."""
    shutil.copytree(c.inside(".git/modules/sub"), c.inside("mine"))
    write(c.inside("mine/config"), config(c, f"\tworktree = {c.inside('sub')}\n"))
    os.rename(c.inside("sub"), c.inside("gone"))
    os.mkdir(c.inside("sub"))
    write(c.inside("sub/.git"), f"gitdir: {c.inside('mine')}\n")


@play(promised=False)
def repository_within(c):
    """A repository of its own, entered as a submodule: the index may be written, and new folders may be made."""
    inner = c.inside("inner")
    quiet = {"GIT_CONFIG_NOSYSTEM": "1", "HOME": c.work, "PATH": os.environ.get("PATH", "/usr/bin:/bin")}
    safe = ["-c", "safe.directory=*", "-c", "user.name=a", "-c", "user.email=a@localhost"]

    def git(*words):
        done = subprocess.run(["git", *safe, *words], capture_output=True, env=quiet, text=True)
        os.write(2, done.stderr.encode())
        return done.stdout.strip()

    git("init", "-q", inner)
    git("-C", inner, "commit", "-q", "--allow-empty", "-m", "x")
    head = git("-C", inner, "rev-parse", "HEAD")
    git("-C", c.work, "update-index", "--add", "--cacheinfo", f"160000,{head},inner")
    with open(os.path.join(inner, ".git/config"), "a") as file:
        file.write(f"[core]\n\tfsmonitor = {trap(c)}\n")


@play(promised=False)
def bare_repository_within(c):
    """A folder that looks like a repository, for a user who steps into it."""
    place = c.inside("fixtures")
    for name in ("objects", "refs"):
        os.makedirs(os.path.join(place, name))
    write(os.path.join(place, "HEAD"), "ref: refs/heads/main\n")
    more = f"\tworktree = {place}\n"
    write(os.path.join(place, "config"), config(c, more))
