#!/usr/bin/env python3
"""Successive releases of public packages as git repositories, for the question "which files matter for this request".

    python3 releases.py --to FOLDER       make one repository per package in FOLDER
    python3 releases.py --count FOLDER    say how many commits and usable cases they hold

In each repository the first commit is the tree of an early release. Every further commit is the tree of the next
release, and its subject is what the changelog says about that release: the request, with the answer in the diff.
The changelog itself is left out of the trees, and so are version numbers, since both would give the answer away.
A release without a changelog entry has no commit of its own; its changes go into the commit of the next one. Later
fixes to an older line are left out, since the next release does not build on them.

Packages come through the ordinary clients, pip and npm. Downloads stay in FOLDER/.cache and a package already made
is left as it is, so an interrupted run goes on where it stopped. A package that fails is named and skipped.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path, PurePosixPath
from typing import NamedTuple


class Package(NamedTuple):
    client: str
    name: str
    # Only releases before this one: later ones ship no changelog, or built files in place of the sources.
    below: str = ""


PACKAGES = [
    Package("npm", "axios"),
    Package("npm", "express", "5.1"),
    Package("npm", "fast-xml-parser"),
    Package("npm", "knex"),
    Package("npm", "node-gyp"),
    Package("npm", "nodemailer", "10"),
    Package("npm", "qs"),
    Package("npm", "tape"),
    Package("npm", "yargs", "15.4"),
    Package("pip", "anyio"),
    Package("pip", "click"),
    Package("pip", "flask"),
    Package("pip", "httpx"),
    Package("pip", "pytest"),
    Package("pip", "requests"),
    Package("pip", "sqlparse"),
    Package("pip", "urllib3"),
    Package("pip", "werkzeug"),
]

# pip asks an sdist for its metadata before it hands the file over. With the usual build backends at hand it need not
# install them anew for every release.
BACKENDS = ["setuptools", "setuptools-scm", "wheel", "hatchling", "hatch-vcs", "hatch-fancy-pypi-readme", "flit_core",
            "poetry-core", "pdm-backend", "trove-classifiers"]

# A download from pip takes several times as long as one from npm.
RELEASES = {"pip": 17, "npm": 25}

SUBJECT_LENGTH = 600
LARGEST_FILE = 1_000_000
# A line longer than this was written by a bundler or another program.
LONGEST_LINE = 5_000
SOURCE_ENDINGS = {".rs", ".ts", ".tsx", ".js", ".mjs", ".py", ".css", ".sql", ".sh", ".go"}
MOST_FILES = 8

CHANGELOG_NAME = re.compile(
    r"(change-?log|changes|history|news|releases?|release[-_]notes|version_?history|whats[-_]?new)(\.(md|rst|txt))?",
    re.IGNORECASE)
# Change notes that wait for the next release, and release announcements, repeat the changelog.
LEFT_OUT_FOLDERS = {"node_modules", "dist", "build", "vendor", "vendored", "_vendor", "_vendored", "third_party",
                    "extern", "min", "changelog", "changelog.d", "changes", "newsfragments", "announce"}
# PKG-INFO repeats the readme, sometimes with the changelog; .gitattributes would make git rewrite files.
LEFT_OUT_FILES = {"PKG-INFO", ".gitattributes"}

VERSION_FILES = re.compile(
    r"pyproject\.toml|setup\.cfg|setup\.py|package\.json|__init__\.py|_*version_*\.py|_*about_*\.\w+")


# Releases and their archives

def run(command, **options):
    """Run a command and give its output; what it had to say is part of the error when it fails."""
    done = subprocess.run(command, capture_output=True, text=True, **options)
    if done.returncode:
        said = (done.stderr.strip() or done.stdout.strip()).splitlines()[-1:]
        raise RuntimeError(f"{' '.join(map(str, command[:4]))} ...: {' '.join(said)}")
    return done.stdout


def python_with_backends(cache):
    """A virtual environment of our own, for pip and the build backends."""
    python = cache / "venv" / "bin" / "python"
    ready = cache / "venv" / "ready"
    if not ready.exists():
        run([sys.executable, "-m", "venv", cache / "venv"])
        run([python, "-m", "pip", "install", "--quiet", "--upgrade", *BACKENDS])
        ready.touch()
    return python


def version_key(version):
    return tuple(int(part) for part in version.split("."))


def is_final(version):
    return re.fullmatch(r"\d+(\.\d+)*", version) is not None


def pip_versions(python, name):
    listing = run([python, "-m", "pip", "index", "versions", "--no-binary", ":all:", name])
    found = re.search(r"^Available versions: (.*)$", listing, re.MULTILINE)
    return sorted(filter(is_final, found.group(1).split(", ")), key=version_key) if found else []


def npm_versions(name):
    listing = json.loads(run(["npm", "view", name, "versions", "--json"]))
    return sorted(filter(is_final, listing), key=version_key)


def cached_archive(cache, package, version):
    return next((cache / package.name).glob(f"*-{version}.t*gz"), None)


def download(cache, package, versions):
    """Fetch what is not in the cache yet, one archive at a time."""
    missing = [version for version in versions if not cached_archive(cache, package, version)]
    folder = cache / package.name
    folder.mkdir(parents=True, exist_ok=True)
    if package.client == "npm" and missing:
        specs = [f"{package.name}@{version}" for version in missing]
        run(["npm", "pack", "--silent", "--pack-destination", folder, *specs])
        return
    for version in missing:
        print(f"  {package.name} {version}", flush=True)
        run([python_with_backends(cache), "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:",
             "--no-build-isolation", "--dest", folder, f"{package.name}=={version}"])


def choose_versions(cache, package):
    if package.client == "npm":
        versions = npm_versions(package.name)
    else:
        versions = pip_versions(python_with_backends(cache), package.name)
    if package.below:
        versions = [version for version in versions if version_key(version) < version_key(package.below)]
    return versions[-RELEASES[package.client]:]


# Trees

def read_archive(archive):
    """The text files of an archive by their path, without the folder that holds them all."""
    files = {}
    with tarfile.open(archive) as tar:
        for member in tar:
            path = "/".join(PurePosixPath(member.name).parts[1:])
            if not path or not member.isfile() or member.size >= LARGEST_FILE:
                continue
            data = tar.extractfile(member).read()
            try:
                text = data.decode("utf-8")
            except UnicodeDecodeError:
                continue
            if "\0" in text or max(map(len, text.split("\n"))) > LONGEST_LINE:
                continue
            # Some releases were packed on another system; line ends are no change.
            files[path] = text.replace("\r\n", "\n")
    return files


def is_changelog(path):
    return CHANGELOG_NAME.fullmatch(PurePosixPath(path).name) is not None


def belongs(path):
    *folders, name = PurePosixPath(path).parts
    if name in LEFT_OUT_FILES or ".min." in name or is_changelog(path):
        return False
    return not any(folder in LEFT_OUT_FOLDERS or folder in ("..", ".git") or folder.endswith(".egg-info")
                   for folder in folders)


def without_version(path, text, version):
    """Write the release's own number as 0.0.0, so that a file with no other change counts as unchanged."""
    exact = rf"(?<![\d.]){re.escape(version)}(?!\.?\d)"
    if VERSION_FILES.fullmatch(PurePosixPath(path).name):
        numbers = r",\s*".join(version.split("."))
        text = re.sub(rf"\(\s*{numbers}\b", "(0, 0, 0", text)
        text = re.sub(r"(__build__\s*=\s*)\w+", r"\g<1>0", text)
        return re.sub(exact, "0.0.0", text)
    return re.sub(rf"(?i)(version\W{{1,8}}v?){exact}", r"\g<1>0.0.0", text)


def is_generated_version(path, text):
    """A version file the build wrote changes with the tool that wrote it, not with the package."""
    return VERSION_FILES.fullmatch(PurePosixPath(path).name) and "file generated by" in text[:200].lower()


def clean_tree(files, version):
    return {path: without_version(path, text, version) for path, text in files.items()
            if belongs(path) and not is_generated_version(path, text)}


# Changelogs

RULE = re.compile(r"([=\-~^*+\"'#])\1{2,}\s*")
BULLET = re.compile(r"\s*(?:[-*+•]|\d+\.)\s+(?=\S)")
BOLD_LINE = re.compile(r"\*\*[^*]+\*\*:?\s*")
PEOPLE = re.compile(r"(?i)contributors|thank|acknowledg|authors|credits|new contributor")


def entry_key(version):
    """Changelogs do not agree with the index on whether it is 8.0 or 8.0.0."""
    return re.sub(r"(\.0)+$", "", version)


def version_heading(line, following, name):
    """The version a heading line is about, or None. A pre-release counts as the release it led to."""
    marked = line.startswith(("#", "**")) or RULE.fullmatch(following)
    match = re.match(
        rf"(?i)[#*\s]*(?:(?:version|release|{re.escape(name)})\s+)*\[?v?(\d+(?:\.\d+)+)"
        r"(?:[-.]?(?:a|b|c|rc|alpha|beta|pre|dev)[-.]?\d*(?:\.\d+)*)?(?![\w.])", line)
    if not marked or not match or len(re.sub(r"\(.*", "", line)) > 80:
        return None
    return entry_key(match.group(1))


def changelog_entries(text, name):
    """The lines of a changelog by version."""
    lines = text.splitlines()
    entries = {}
    current = None
    for line, following in zip(lines, lines[1:] + [""]):
        version = version_heading(line, following, name)
        if version:
            current = entries.setdefault(version, [])
        elif current is not None:
            current.append(line)
    return entries


def entry_items(lines):
    """The bullets of an entry, each on one line; where there are none, its paragraphs."""
    bullets, paragraphs = [], []
    target = None
    people = False
    for line, following in zip(lines, lines[1:] + [""]):
        titled = line.strip() and RULE.fullmatch(following)
        if titled or line.startswith("#") or BOLD_LINE.fullmatch(line):
            people = PEOPLE.search(line) is not None
            target = None
        elif people or not line.strip() or RULE.fullmatch(line):
            target = None
        elif BULLET.match(line):
            bullets.append(BULLET.sub("", line, count=1))
            target = bullets
        elif target is not None:
            target[-1] += " " + line.strip()
        elif not line.startswith((" ", "\t", "..", "[", "<", "```")) and not re.match(r"[_*]*Released\b", line):
            paragraphs.append(line.strip())
            target = paragraphs
    return bullets or paragraphs


# What names an issue, a commit or a person becomes this mark first, so that brackets left empty by taking it out can be
# told from brackets that were empty before.
MARK = "\0"

# In this order: the markup of a reference must be gone before the number it leaves behind can be recognised.
CLEANING = [(re.compile(pattern), replacement) for pattern, replacement in [
    # Roles of reStructuredText and MyST that name an issue or a person, then those that name something in the code.
    (r":(?:issue|pr|pull|gh|ghsa|cve|user|commit)\w*:`[^`]*`", MARK),
    (r"\{(?:issue|pr|pull|gh|ghsa|cve|user|commit)\w*\}`[^`]*`", MARK),
    (r"(?::[\w:+.-]+:|\{[\w:+.-]+\})`[~!]?([^`<]+?)(?:\s*<[^>`]*>)?`", r"\1"),
    # Links and tags.
    (r"!\[[^\]]*\]\([^)]*\)", ""),
    (r"\[`?[0-9a-f]{7,40}`?\]\([^)]*\)", MARK),
    (r"\[((?:[^\[\]]|\[[^\]]*\])*)\]\([^)\s]*(?:\s+['\"][^)]*)?\)", r"\1"),
    (r"\[([^\]]+)\]\[[^\]]*\]", r"\1"),
    (r"`([^`<]+?)\s*<[^`>]+>`_{1,2}(?!\w)", r"\1"),
    (r"`([^`]+)`_{1,2}(?!\w)", r"\1"),
    (r"</?(?:a|b|br|code|details|em|i|img|p|small|strong|sub|summary|sup)\b[^>]*>|<!--.*?-->", ""),
    (r"<?\bhttps?://[^\s)>]+>?", MARK),
    # People, while backticks still tell a name from a decorator.
    (r"(?i)\s*\((?:by|thanks|patch|reported|contributed|courtesy|prs?\b|pull|issues?\b|issue\d|pr\d|bug\s?\d|"
     r"\[?#\d|gh-?\d|\[?@)[^()]*\)", ""),
    (r"(?i)\s*\[(?:by|thanks)\b[^\[\]]*\]", ""),
    (r"(?i)[,;]?\s*\b(?:(?:thanks(?: to)?|by|from)\s+)(?:(?:and |& |, ?)?\[?@[\w-]+\]?\s?)+", f" {MARK} "),
    (r"(?i)\b(?:many )?(?:thanks to|patch(?:es)? by|contributed by|reported by|courtesy of)\b[^.;]*\.?", MARK),
    # Plain text from here on: code, emphasis, escapes.
    (r"`+", ""),
    (r"(?<!\w)(\*{1,2})([^*\s][^*]*?)\1(?!\w)", r"\2"),
    (r"\\(.)", r"\1"),
    # Issues, advisories, commits, with the word that leads to them.
    (r"(?i)(?:\b[\w.-]+/[\w.-]+)?#\d+|\bgh-\d+\b|\bghsa(?:-\w{4}){3}|\b(?:issue|pr)\d+\b", MARK),
    (r"\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}\b", MARK),
    (rf"{MARK}(?:[\s,;&]*(?:and )?{MARK})+", MARK),
    (rf"(?i)\b(?:see|via|by|in|refs?|closes?|resolves?|issues?|prs?|pull requests?)\s+{MARK}", MARK),
    (rf"(?i)(?<=[(.,–-])\s*(?:fix(?:e[sd])?|closes)\s+{MARK}", MARK),
    # What is left around the things taken out.
    (rf"[(\[](?=[^)\]]*{MARK})[{MARK}\s,;:&._]*(?:and[{MARK}\s]*)?[)\]]", MARK),
    (rf"\.\s*{MARK}[{MARK}\s]*\.", "."),
    (rf"\s*{MARK}[{MARK}\s]*(?=[,.;:)])", ""),
    (MARK, ""),
    (r"\s+", " "),
    (r"([,;:])(?:\s*[,;:.])+", r"\1"),
    (r"^(?:[\s:,;.)\-–—]+(?=\s)|[\s:,;)]+)|[\s:,;(\-–—]+\.?$", ""),
]]


def plain(text):
    for pattern, replacement in CLEANING:
        text = pattern.sub(replacement, text)
    return text.strip()


def shorten(items):
    """As many items as fit into one line; at least the beginning of the first."""
    line = items[0]
    if len(line) > SUBJECT_LENGTH:
        return line[:SUBJECT_LENGTH].rsplit(" ", 1)[0]
    for item in items[1:]:
        if len(line) + len(item) + 2 > SUBJECT_LENGTH:
            break
        line += "; " + item
    return line


def subject_of(version, changelogs):
    """What the first changelog that knows a version says of it, in one line; empty when none says anything."""
    for entries in changelogs:
        lines = entries.get(entry_key(version), [])
        items = [plain(item).rstrip(".") for item in entry_items(lines)]
        items = [item for item in items if len(re.findall(r"[A-Za-z]", item)) > 4]
        if items:
            return shorten(list(dict.fromkeys(items)))
    return ""


def read_changelog(files, name):
    """All entries of a release's changelog files. One that only includes another has none and does no harm."""
    entries = {}
    for path in sorted(filter(is_changelog, files), reverse=True):
        entries.update(changelog_entries(files[path], name))
    return entries


class Release(NamedTuple):
    version: str
    files: dict
    entries: dict


def read_release(archive, package, version):
    files = read_archive(archive)
    return Release(version, files, read_changelog(files, package.name))


def mainline(releases):
    """Leave out releases that have an entry of their own which the changelog of the next one does not know.

    They are fixes to an older line that came out later: the next release does not build on them, and its diff would
    take them back.
    """
    kept = releases[-1:]
    for release in reversed(releases[:-1]):
        key = entry_key(release.version)
        # A release packed without its changelog says nothing about those before it.
        if not kept[0].entries or key in kept[0].entries or key not in release.entries:
            kept.insert(0, release)
    return kept


# Repositories

GIT_ENVIRONMENT = {
    **os.environ,
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "releases",
    "GIT_AUTHOR_EMAIL": "releases@localhost",
    "GIT_COMMITTER_NAME": "releases",
    "GIT_COMMITTER_EMAIL": "releases@localhost",
}


def git(repository, *arguments, date=None):
    dates = {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date} if date else {}
    return run(["git", "-C", repository, *arguments], env={**GIT_ENVIRONMENT, **dates})


def write_tree(repository, tree):
    for entry in repository.iterdir():
        if entry.is_file():
            entry.unlink()
        elif entry.name != ".git":
            shutil.rmtree(entry)
    for path, text in tree.items():
        target = repository / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode("utf-8"))


def commit_tree(repository, tree, subject, number):
    """Commit a tree, unless it is the one already there. Dates are made up, so that every run gives the same ids."""
    write_tree(repository, tree)
    git(repository, "add", "--all", "--force")
    if not git(repository, "status", "--porcelain"):
        return False
    git(repository, "commit", "--quiet", "--no-gpg-sign", "--no-verify", "--cleanup=verbatim", "-m", subject,
        date=f"{1_600_000_000 + number * 86_400} +0000")
    return True


def make_repository(folder, package):
    """Make one package's repository beside the finished ones and move it there when it is complete."""
    cache = folder / ".cache"
    versions = choose_versions(cache, package)
    download(cache, package, versions)
    archives = [cached_archive(cache, package, version) for version in versions]
    releases = mainline([read_release(archive, package, version) for archive, version in zip(archives, versions)])
    changelogs = [release.entries for release in releases]
    if not any(changelogs):
        raise RuntimeError("no changelog in its releases")

    repository = cache / "unfinished" / package.name
    shutil.rmtree(repository, ignore_errors=True)
    repository.mkdir(parents=True)
    git(repository, "init", "--quiet", "--initial-branch=main")
    committed = []
    for number, release in enumerate(releases):
        # A release's own changelog comes first; an older one could only have told of plans.
        subject = subject_of(release.version, changelogs[number:]) if number else f"release {release.version}"
        if subject and commit_tree(repository, clean_tree(release.files, release.version), subject, number):
            committed.append(release.version)
    if len(committed) < 2:
        raise RuntimeError("no changelog entries for its releases")
    repository.rename(folder / package.name)
    without = [version for version in versions if version not in committed]
    note = f", without a commit: {' '.join(without)}" if without else ""
    print(f"{package.name}: {len(committed)} commits, {versions[0]} to {versions[-1]}{note}", flush=True)


def make_all(folder):
    (folder / ".cache").mkdir(parents=True, exist_ok=True)
    failed = []
    for package in PACKAGES:
        if (folder / package.name).exists():
            print(f"{package.name}: already there", flush=True)
            continue
        try:
            make_repository(folder, package)
        except (RuntimeError, OSError, tarfile.TarError, ValueError) as error:
            print(f"{package.name}: skipped, {error}", flush=True)
            failed.append(package.name)
    if failed:
        print(f"skipped: {' '.join(failed)}")


# Counting

def changed_sources(repository):
    """For each commit but the first, how many source files it changes or removes that were there before."""
    counts = []
    log = git(repository, "log", "--reverse", "--no-renames", "--name-status", "--format=tformat:commit")
    for line in log.splitlines():
        if line == "commit":
            counts.append(0)
        elif line[:2] in ("M\t", "D\t") and PurePosixPath(line[2:].strip('"')).suffix in SOURCE_ENDINGS:
            counts[-1] += 1
    return counts[1:]


def count_all(folder):
    commits = usable = 0
    print(f"{'package':<20}{'commits':>8}{'usable':>8}")
    for repository in sorted(path.parent for path in folder.glob("*/.git")):
        counts = changed_sources(repository)
        fitting = sum(1 <= count <= MOST_FILES for count in counts)
        print(f"{repository.name:<20}{len(counts):>8}{fitting:>8}")
        commits += len(counts)
        usable += fitting
    print(f"{'total':<20}{commits:>8}{usable:>8}")
    print(f"(commits after the first; usable: 1 to {MOST_FILES} source files touched that were there before)")


def main():
    parser = argparse.ArgumentParser(description="Releases of public packages as git repositories with requests.")
    action = parser.add_mutually_exclusive_group(required=True)
    action.add_argument("--to", type=Path, metavar="FOLDER", help="make the repositories in this folder")
    action.add_argument("--count", type=Path, metavar="FOLDER", help="count commits and usable cases in this folder")
    arguments = parser.parse_args()
    if arguments.to:
        make_all(arguments.to.resolve())
    else:
        count_all(arguments.count.resolve())


if __name__ == "__main__":
    main()
