//! Programs that are not meant to run others, and the effects of some of their options.

use super::Objection;
use super::option::{Style, is_among, is_suspicious};
use super::subcommands::{self, Lookup};

/// The properties of a program or of one of its subcommands.
#[derive(Debug, Clone, Copy)]
pub struct Program {
    /// Options that run another program and are never allowed. The second list is for the subcommand.
    pub runs: [&'static str; 2],
    /// Options that write somewhere or change the effect of the program. A rule must spell them out.
    pub spelled: [&'static str; 2],
    pub style: Style,
    pub shape: Shape,
    /// True if the program normally runs code of the project. The sandbox confines that.
    pub project: bool,
    pub suggested: Suggested,
}

/// The constraints on arguments that are not options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    Free,
    /// An unknown program: options that look dangerous must be spelled out.
    Unknown,
    /// All arguments must be spelled out.
    Exact,
    /// An argument that matches a wildcard must be a plain name, since it ends up in a script or sets what is run.
    Tame,
    /// Addresses with `::` name a program that is run for the transport.
    Transport,
    /// Letters without a dash are also options, and a colon in a name means another machine.
    Archive,
    /// Only `sed -n 1,20p FILE` is accepted: other scripts can write files and run commands.
    Printing,
}

/// The scope of the rule that is suggested for a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Suggested {
    /// With any further arguments.
    Rest,
    /// With exactly these arguments.
    Exact,
    /// No rule: the effect cannot be undone or leaves the machine.
    Nothing,
}

const PLAIN: Program = Program {
    runs: [""; 2],
    spelled: [""; 2],
    style: Style::Gnu,
    shape: Shape::Free,
    project: false,
    suggested: Suggested::Exact,
};

const fn reader(runs: &'static str, spelled: &'static str) -> Program {
    Program { runs: [runs, ""], spelled: [spelled, ""], suggested: Suggested::Rest, ..PLAIN }
}

const fn exact(runs: &'static str) -> Program {
    Program { runs: [runs, ""], shape: Shape::Exact, ..PLAIN }
}

const fn builds(runs: &'static str, spelled: &'static str, shape: Shape) -> Program {
    Program { runs: [runs, ""], spelled: [spelled, ""], shape, project: true, ..PLAIN }
}

const KNOWN: &[(&str, Program)] = &[
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
        Program {
            runs: ["-exec -execdir -ok -okdir -delete -fprint -fprint0 -fprintf -fls", ""],
            style: Style::Whole,
            ..reader("", "")
        },
    ),
    ("fd fdfind", reader("-x -X --exec --exec-batch -l --list-details", "")),
    ("sed gsed", Program { shape: Shape::Printing, ..reader("", "") }),
    // Programs that write or send by design: the target must be spelled out.
    ("cp mv ln tee touch mkdir patch uniq xxd base64 split shuf csplit", exact("--filter")),
    ("install", exact("-s --strip-program --strip")),
    ("curl", exact("-K --config -E --engine --proxy-header")),
    ("wget", exact("-e --execute --use-askpass --config")),
    ("rsync", exact("-e --rsh --rsync-path")),
    ("zip unzip zipinfo cpio pax ar", exact("-T -TT --unzip-command --rsh-command -F")),
    (
        "tar bsdtar gtar",
        Program {
            shape: Shape::Archive,
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
        Program { suggested: Suggested::Nothing, ..exact("") },
    ),
    // These programs run commands that the project defines.
    (
        "make gmake",
        builds(
            "--eval -E -f --file --makefile -C --directory -I --include-dir -e --environment-overrides",
            "-o -W --old-file --what-if --new-file --assume-new --assume-old",
            Shape::Tame,
        ),
    ),
    (
        "pytest py.test",
        Program {
            suggested: Suggested::Rest,
            ..builds(
                "-p -c --config-file --rootdir -o --override-ini --pdbcls --pyargs --confcutdir \
                 --import-mode --pdb --trace",
                "--basetemp --junitxml --junit-xml --debug --log-file --pastebin --resultlog",
                Shape::Free,
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
            Shape::Exact,
        ),
    ),
    (
        "eslint prettier ruff mypy black flake8 pylint biome stylelint",
        builds(
            "-c --config --config-file --plugin --plugins --rulesdir --parser \
             --resolve-plugins-relative-to -f --format --python-executable --load-plugins --init-hook",
            "-o --output-file --output --fix",
            Shape::Free,
        ),
    ),
];

/// Looks up a program by its name and the argument after it. Returns the name of the program as an error if it has
/// subcommands and this one cannot be allowed.
pub fn find(name: &str, second: Option<&str>) -> Result<Program, String> {
    let base = name.rsplit('/').next().unwrap_or(name);
    match subcommands::find(base, second) {
        Lookup::Listed(program) => return Ok(program),
        Lookup::Unlisted => return Err(base.to_owned()),
        Lookup::Single => {}
    }
    // Version suffix: `gcc-12`.
    let letters = base.find(|next: char| !(next.is_ascii_alphabetic() || next == '+')).unwrap_or(base.len());
    let by = |wanted: &str| {
        KNOWN
            .iter()
            .find(|(names, _)| names.split(' ').any(|name| name == wanted))
            .map(|(_, program)| *program)
    };
    let unknown = Program { shape: Shape::Unknown, project: name.contains('/'), ..PLAIN };
    Ok(by(base).or_else(|| by(&base[..letters])).unwrap_or(unknown))
}

impl Program {
    /// Creates the entry of a subcommand that has only these options to check.
    pub(super) const fn subcommand(
        runs: [&'static str; 2],
        spelled: [&'static str; 2],
        style: Style,
    ) -> Self {
        Self { runs, spelled, style, ..PLAIN }
    }

    /// Returns the objection to one argument. `place` counts from 0 after the program name.
    pub fn objects(&self, name: &str, place: usize, argument: &str, loose: bool) -> Option<Objection> {
        let (said, owner) = (argument.to_owned(), name.to_owned());
        let among = |lists: [&str; 2]| lists.iter().any(|listed| is_among(listed, argument, self.style));
        if among(self.runs) || self.shape.runs(place, argument, self.runs[0]) {
            return Some(Objection::Runs(said, owner));
        }
        if !loose {
            return None;
        }
        match self.shape {
            Shape::Exact | Shape::Archive => return Some(Objection::NotExact(owner)),
            Shape::Tame if !is_tame(argument) => return Some(Objection::Untame(said, owner)),
            Shape::Unknown if is_suspicious(argument) => return Some(Objection::Unspelled(said, owner)),
            _ if among(self.spelled) => return Some(Objection::Unspelled(said, owner)),
            _ => {}
        }
        (self.project && leads_out(argument)).then_some(Objection::Outside(said))
    }
}

impl Shape {
    fn runs(self, place: usize, argument: &str, runs: &str) -> bool {
        match self {
            Self::Transport => argument.contains("::"),
            Self::Archive => {
                argument.contains(':') || (place == 0 && is_among(runs, &format!("-{argument}"), Style::Gnu))
            }
            _ => false,
        }
    }

    /// Returns the objection to the arguments as a whole.
    pub fn objects(self, name: &str, arguments: &[String]) -> Option<Objection> {
        let prints = match arguments {
            [_, quiet, script, files @ ..] => {
                quiet == "-n" && is_print(script) && !files.iter().any(|file| file.starts_with('-'))
            }
            _ => false,
        };
        (self == Self::Printing && !prints)
            .then(|| Objection::Runs(arguments.get(1).cloned().unwrap_or_default(), name.to_owned()))
    }
}

/// Returns true for a printing script of `sed`: `12p`, `1,20p` or `5,$p`.
fn is_print(script: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let Some(lines) = script.strip_suffix('p') else { return false };
    let (from, to) = lines.split_once(',').unwrap_or((lines, lines));
    is_number(from) && (is_number(to) || (to == "$" && lines.contains(',')))
}

fn is_tame(argument: &str) -> bool {
    argument.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-./,:@+".contains(&byte))
}

/// Returns true if the argument points outside the project, so that other code would run. `@file` stands for a file
/// with further arguments.
fn leads_out(argument: &str) -> bool {
    let value = argument.split_once('=').map_or(argument, |(_, value)| value);
    [argument, value]
        .iter()
        .any(|path| path.starts_with(['/', '~', '@']) || path.split('/').any(|part| part == ".."))
}

#[cfg(test)]
#[path = "known_tests.rs"]
mod tests;
