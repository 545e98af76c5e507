//! Programs without subcommands that are not meant to run others, and the effects of some of their options.

use super::option::OptionStyle;
use super::program::{ArgumentShape, PLAIN, ProgramProperties, SuggestedScope};

const fn reader(forbidden: &'static str, explicit_only: &'static str) -> ProgramProperties {
    ProgramProperties {
        forbidden: [forbidden, ""],
        explicit_only: [explicit_only, ""],
        suggested: SuggestedScope::Rest,
        ..PLAIN
    }
}

const fn exact(forbidden: &'static str) -> ProgramProperties {
    ProgramProperties { forbidden: [forbidden, ""], shape: ArgumentShape::Exact, ..PLAIN }
}

const fn builds(
    forbidden: &'static str,
    explicit_only: &'static str,
    shape: ArgumentShape,
) -> ProgramProperties {
    ProgramProperties {
        forbidden: [forbidden, ""],
        explicit_only: [explicit_only, ""],
        shape,
        project: true,
        ..PLAIN
    }
}

const KNOWN: &[(&str, ProgramProperties)] = &[
    // Programs that only read and report.
    (
        "ls dir vdir cat tac head tail wc nl du df stat pwd basename dirname realpath readlink cut tr rev \
         fold",
        reader("", ""),
    ),
    (
        "grep egrep fgrep comm cmp cksum md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum",
        reader("", ""),
    ),
    (
        "echo true false seq uname whoami id groups nproc uptime free which whereis jq strings od tty",
        reader("", ""),
    ),
    // `-v` evaluates an array index, including any command in it.
    ("printf test", reader("-v -R", "")),
    ("date", reader("", "-s --set")),
    ("tree", reader("-R", "-o")),
    (
        "file",
        reader("-z -Z --uncompress --uncompress-noreport -S --no-sandbox", "-C --compile -m --magic-file"),
    ),
    ("rg", reader("--pre --hostname-bin -z --search-zip", "")),
    ("diff", reader("-l --paginate", "")),
    ("sort", reader("--compress-program", "-o --output -T --temporary-directory")),
    (
        "find gfind",
        ProgramProperties {
            forbidden: ["-exec -execdir -ok -okdir -delete -fprint -fprint0 -fprintf -fls", ""],
            style: OptionStyle::Whole,
            ..reader("", "")
        },
    ),
    ("fd fdfind", reader("-x -X --exec --exec-batch -l --list-details", "")),
    ("sed gsed", ProgramProperties { shape: ArgumentShape::SedPrint, ..reader("", "") }),
    // Programs that write or send by design: the target must be spelled out.
    ("cp mv ln tee touch mkdir patch uniq xxd base64 split shuf csplit", exact("--filter")),
    ("install", exact("-s --strip-program --strip")),
    ("curl", exact("-K --config -E --engine --proxy-header")),
    ("wget", exact("-e --execute --use-askpass --config")),
    ("rsync", exact("-e --rsh --rsync-path")),
    ("zip unzip zipinfo cpio pax ar", exact("-T -TT --unzip-command --rsh-command -F")),
    (
        "tar bsdtar gtar",
        ProgramProperties {
            shape: ArgumentShape::Archive,
            ..exact(
                "-I -F --use-compress-program --to-command --checkpoint-action --info-script \
                 --new-volume-script --rsh-command --rmt-command",
            )
        },
    ),
    (
        "gcc g++ cc c++ clang clang++ rustc javac tsc swiftc ghc nasm as ip gh openssl gpg hostname \
         convert magick ffmpeg pandoc",
        exact("-fplugin -wrapper -specs -B --config -C -engine"),
    ),
    // The effects of these programs cannot be undone.
    (
        "rm rmdir unlink shred dd truncate chmod chown chgrp kill pkill killall mkfifo mknod",
        ProgramProperties { suggested: SuggestedScope::Nothing, ..exact("") },
    ),
    // These programs run commands that the project defines.
    (
        "make gmake",
        builds(
            "--eval -E -f --file --makefile -C --directory -I --include-dir -e --environment-overrides",
            "-o -W --old-file --what-if --new-file --assume-new --assume-old",
            ArgumentShape::PlainNames,
        ),
    ),
    (
        "pytest py.test",
        ProgramProperties {
            suggested: SuggestedScope::Rest,
            ..builds(
                "-p -c --config-file --rootdir -o --override-ini --pdbcls --pyargs --confcutdir \
                 --import-mode --pdb --trace",
                "--basetemp --junitxml --junit-xml --debug --log-file --pastebin --resultlog",
                ArgumentShape::Free,
            )
        },
    ),
    (
        "ninja meson bazel cmake ctest just task rake ant gradle gradlew mvn mvnw sbt lein flutter dart \
         tox nox jest vitest mocha",
        builds(
            "-P -E -D --define --init-script -I --eval --shell --shell-arg --command --chooser --globals \
             --config --preset",
            "",
            ArgumentShape::Exact,
        ),
    ),
    (
        "eslint prettier ruff mypy black flake8 pylint biome stylelint",
        builds(
            "-c --config --config-file --plugin --plugins --rulesdir --parser \
             --resolve-plugins-relative-to -f --format --python-executable --load-plugins --init-hook",
            "-o --output-file --output --fix",
            ArgumentShape::Free,
        ),
    ),
];

/// Looks up a program that has no subcommands.
pub fn properties(name: &str) -> ProgramProperties {
    let base = name.rsplit('/').next().unwrap_or(name);
    // Version suffix: `gcc-12`.
    let letters = base.find(|next: char| !(next.is_ascii_alphabetic() || next == '+')).unwrap_or(base.len());
    let by = |wanted: &str| {
        KNOWN
            .iter()
            .find(|(names, _)| names.split(' ').any(|name| name == wanted))
            .map(|(_, program)| *program)
    };
    let unknown = ProgramProperties { shape: ArgumentShape::Unknown, project: name.contains('/'), ..PLAIN };
    by(base).or_else(|| by(&base[..letters])).unwrap_or(unknown)
}

#[cfg(test)]
#[path = "known_tests.rs"]
mod tests;
