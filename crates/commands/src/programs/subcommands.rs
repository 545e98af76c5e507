//! Programs whose first argument selects their action. Only the listed subcommands can be allowed: any other is an
//! alias or an external program, or starts other programs.

use super::known::{Program, Shape, Suggested};
use super::option::Style;

struct Family {
    name: &'static str,
    style: Style,
    /// Options of all its subcommands that run another program.
    runs: &'static str,
    spelled: &'static str,
    /// True if its subcommands run code of the project.
    project: bool,
    members: &'static [Member],
}

struct Member {
    names: &'static str,
    runs: &'static str,
    spelled: &'static str,
    shape: Shape,
    suggested: Suggested,
}

const fn reads(names: &'static str, runs: &'static str, spelled: &'static str) -> Member {
    Member { names, runs, spelled, shape: Shape::Free, suggested: Suggested::Rest }
}

const fn changes(names: &'static str, runs: &'static str) -> Member {
    Member { names, runs, spelled: "", shape: Shape::Free, suggested: Suggested::Exact }
}

const fn gone(names: &'static str, runs: &'static str, shape: Shape) -> Member {
    Member { names, runs, spelled: "", shape, suggested: Suggested::Nothing }
}

const fn tame(names: &'static str) -> Member {
    Member { names, runs: "", spelled: "", shape: Shape::Tame, suggested: Suggested::Rest }
}

const FAMILIES: &[Family] = &[
    Family {
        name: "git",
        style: Style::Gnu,
        runs: "--exec --upload-pack --receive-pack --ext-diff --textconv --filters --open-files-in-pager --help \
               --config --config-env --template --strategy --edit-description --web",
        spelled: "--output --output-directory --no-index --contents",
        project: false,
        members: &[
            reads("status log show diff shortlog whatchanged describe blame annotate version", "", ""),
            reads(
                "rev-parse rev-list ls-files ls-tree cat-file merge-base name-rev show-ref show-branch",
                "",
                "",
            ),
            reads(
                "for-each-ref count-objects diff-tree diff-index diff-files range-diff cherry \
                 check-ignore check-attr",
                "",
                "",
            ),
            reads("grep", "-O", ""),
            // Some of these run hooks of the repository, as they do for the user.
            changes("add", "-e --edit"),
            changes("apply", "--unsafe-paths --directory"),
            changes("commit restore checkout switch mv tag branch stash notes worktree reflog init", ""),
            changes("merge", "-s"),
            changes("cherry-pick revert", ""),
            gone("reset clean rm gc", "", Shape::Free),
            Member { suggested: Suggested::Exact, ..gone("fetch ls-remote remote", "", Shape::Transport) },
            gone("push", "", Shape::Transport),
            Member { suggested: Suggested::Exact, ..gone("pull", "-s", Shape::Transport) },
        ],
    },
    Family {
        name: "cargo",
        style: Style::Long,
        runs: "--config -Z -C --codegen --manifest-path --open --lockfile-path --unit-graph",
        spelled: "--target-dir --artifact-dir --out-dir",
        project: true,
        members: &[
            reads("test check build clippy fmt doc bench tree metadata version locate-project pkgid", "", ""),
            changes("run fetch update clean generate-lockfile", ""),
        ],
    },
    Family {
        name: "npm",
        style: Style::Gnu,
        runs: "--script-shell --node-options --shell --prefix -C --git --editor --viewer --browser --init-module \
               --userconfig --globalconfig --call -c --registry --location --global -g",
        spelled: "",
        project: true,
        members: &[tame("test run run-script"), reads("ls list outdated", "", "")],
    },
    Family {
        name: "pnpm",
        style: Style::Gnu,
        runs: "--script-shell --shell-emulator --node-options --dir -C --prefix --config --registry \
         --global -g",
        spelled: "",
        project: true,
        members: &[tame("test run"), reads("ls list outdated why", "", "")],
    },
    // `yarn run` runs any program, not only the scripts of the project.
    Family {
        name: "yarn",
        style: Style::Gnu,
        runs: "--script-shell --cwd --use-yarnrc --registry --modules-folder",
        spelled: "",
        project: true,
        members: &[tame("test"), reads("list why outdated", "", "")],
    },
    Family {
        name: "go",
        style: Style::Whole,
        runs: "-exec -toolexec -vettool -overlay -ldflags -gcflags -asmflags -gccgoflags -compiler \
         -modfile -C -w -u -http",
        spelled: "-o -cpuprofile -memprofile -coverprofile -blockprofile -mutexprofile -trace -outputdir \
         -pkgdir",
        project: true,
        members: &[reads("build test vet fmt list doc version", "", ""), changes("env mod", "")],
    },
    Family {
        name: "rustup",
        style: Style::Gnu,
        runs: "",
        spelled: "",
        project: false,
        members: &[reads("show check", "", "")],
    },
    Family {
        name: "dotnet",
        style: Style::Gnu,
        runs: "--property -p --logger -l --test-adapter-path --settings -s --collect --diag",
        spelled: "-o --output --artifacts-path",
        project: true,
        members: &[changes("build test clean", "")],
    },
    Family {
        name: "swift",
        style: Style::Gnu,
        runs: "--package-path -X --toolchain --sdk --destination --scratch-path",
        spelled: "",
        project: true,
        members: &[changes("build test", "")],
    },
    Family {
        name: "zig",
        style: Style::Gnu,
        runs: "--build-file --zig-lib-dir -D",
        spelled: "",
        project: true,
        members: &[changes("build fmt", "")],
    },
];

/// The result of looking up a program and its subcommand.
pub enum Lookup {
    /// The program has no subcommands.
    Single,
    /// The program has subcommands, and this one cannot be allowed.
    Unlisted,
    Listed(Program),
}

pub fn has_subcommands(program: &str) -> bool {
    !matches!(find(program.rsplit('/').next().unwrap_or(program), None), Lookup::Single)
}

pub fn find(program: &str, second: Option<&str>) -> Lookup {
    // `git-shell` and `cargo-anything` are the same subcommands under another name.
    if program.starts_with("git-") || program.starts_with("cargo-") {
        return Lookup::Unlisted;
    }
    let Some(family) = FAMILIES.iter().find(|family| family.name == program) else { return Lookup::Single };
    let second = second.unwrap_or_default();
    let member = family.members.iter().find(|member| member.names.split(' ').any(|name| name == second));
    member.map_or(Lookup::Unlisted, |member| {
        Lookup::Listed(Program {
            shape: member.shape,
            project: family.project,
            suggested: member.suggested,
            ..Program::subcommand([family.runs, member.runs], [family.spelled, member.spelled], family.style)
        })
    })
}
