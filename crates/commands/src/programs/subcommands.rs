//! Programs whose first argument selects their action. Only the listed subcommands can be allowed: any other is an
//! alias or an external program, or starts other programs.

use super::option::OptionStyle;
use super::program::{ArgumentShape, ProgramProperties, SuggestedScope};

/// A program and its subcommands.
struct Family {
    name: &'static str,
    style: OptionStyle,
    /// Options of all its subcommands that run another program.
    forbidden: &'static str,
    /// Options of all its subcommands that a rule must spell out.
    explicit_only: &'static str,
    /// True if its subcommands run code of the project.
    project: bool,
    members: &'static [Member],
}

/// Subcommands of the same kind.
struct Member {
    names: &'static str,
    forbidden: &'static str,
    explicit_only: &'static str,
    shape: ArgumentShape,
    suggested: SuggestedScope,
}

const fn reads(names: &'static str, forbidden: &'static str, explicit_only: &'static str) -> Member {
    Member { names, forbidden, explicit_only, shape: ArgumentShape::Free, suggested: SuggestedScope::Rest }
}

const fn changes(names: &'static str, forbidden: &'static str) -> Member {
    Member {
        names,
        forbidden,
        explicit_only: "",
        shape: ArgumentShape::Free,
        suggested: SuggestedScope::Exact,
    }
}

const fn irreversible(names: &'static str, forbidden: &'static str, shape: ArgumentShape) -> Member {
    Member { names, forbidden, explicit_only: "", shape, suggested: SuggestedScope::Nothing }
}

const fn plain_names(names: &'static str) -> Member {
    Member {
        names,
        forbidden: "",
        explicit_only: "",
        shape: ArgumentShape::PlainNames,
        suggested: SuggestedScope::Rest,
    }
}

const FAMILIES: &[Family] = &[
    Family {
        name: "git",
        style: OptionStyle::Gnu,
        forbidden: "--exec --upload-pack --receive-pack --ext-diff --textconv --filters --open-files-in-pager --help \
               --config --config-env --template --strategy --edit-description --web",
        explicit_only: "--output --output-directory --no-index --contents",
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
            irreversible("reset clean rm gc", "", ArgumentShape::Free),
            Member {
                suggested: SuggestedScope::Exact,
                ..irreversible("fetch ls-remote remote", "", ArgumentShape::Transport)
            },
            irreversible("push", "", ArgumentShape::Transport),
            Member {
                suggested: SuggestedScope::Exact,
                ..irreversible("pull", "-s", ArgumentShape::Transport)
            },
        ],
    },
    Family {
        name: "cargo",
        style: OptionStyle::Long,
        forbidden: "--config -Z -C --codegen --manifest-path --open --lockfile-path --unit-graph",
        explicit_only: "--target-dir --artifact-dir --out-dir",
        project: true,
        members: &[
            reads("test check build clippy fmt doc bench tree metadata version locate-project pkgid", "", ""),
            changes("run fetch update clean generate-lockfile", ""),
        ],
    },
    Family {
        name: "npm",
        style: OptionStyle::Gnu,
        forbidden: "--script-shell --node-options --shell --prefix -C --git --editor --viewer --browser --init-module \
               --userconfig --globalconfig --call -c --registry --location --global -g",
        explicit_only: "",
        project: true,
        members: &[plain_names("test run run-script"), reads("ls list outdated", "", "")],
    },
    Family {
        name: "pnpm",
        style: OptionStyle::Gnu,
        forbidden: "--script-shell --shell-emulator --node-options --dir -C --prefix --config --registry \
         --global -g",
        explicit_only: "",
        project: true,
        members: &[plain_names("test run"), reads("ls list outdated why", "", "")],
    },
    // `yarn run` runs any program, not only the scripts of the project.
    Family {
        name: "yarn",
        style: OptionStyle::Gnu,
        forbidden: "--script-shell --cwd --use-yarnrc --registry --modules-folder",
        explicit_only: "",
        project: true,
        members: &[plain_names("test"), reads("list why outdated", "", "")],
    },
    Family {
        name: "go",
        style: OptionStyle::Whole,
        forbidden: "-exec -toolexec -vettool -overlay -ldflags -gcflags -asmflags -gccgoflags -compiler \
         -modfile -C -w -u -http",
        explicit_only: "-o -cpuprofile -memprofile -coverprofile -blockprofile -mutexprofile -trace -outputdir \
         -pkgdir",
        project: true,
        members: &[reads("build test vet fmt list doc version", "", ""), changes("env mod", "")],
    },
    Family {
        name: "rustup",
        style: OptionStyle::Gnu,
        forbidden: "",
        explicit_only: "",
        project: false,
        members: &[reads("show check", "", "")],
    },
    Family {
        name: "dotnet",
        style: OptionStyle::Gnu,
        forbidden: "--property -p --logger -l --test-adapter-path --settings -s --collect --diag",
        explicit_only: "-o --output --artifacts-path",
        project: true,
        members: &[changes("build test clean", "")],
    },
    Family {
        name: "swift",
        style: OptionStyle::Gnu,
        forbidden: "--package-path -X --toolchain --sdk --destination --scratch-path",
        explicit_only: "",
        project: true,
        members: &[changes("build test", "")],
    },
    Family {
        name: "zig",
        style: OptionStyle::Gnu,
        forbidden: "--build-file --zig-lib-dir -D",
        explicit_only: "",
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
    Listed(ProgramProperties),
}

/// Returns true if the first argument of a program selects its action.
pub fn has_subcommands(program: &str) -> bool {
    !matches!(find(program.rsplit('/').next().unwrap_or(program), None), Lookup::Single)
}

/// Looks up a subcommand by the name of its program and the argument after it.
pub fn find(program: &str, second: Option<&str>) -> Lookup {
    // `git-shell` and `cargo-anything` are the same subcommands under another name.
    if program.starts_with("git-") || program.starts_with("cargo-") {
        return Lookup::Unlisted;
    }
    let Some(family) = FAMILIES.iter().find(|family| family.name == program) else { return Lookup::Single };
    let second = second.unwrap_or_default();
    let member = family.members.iter().find(|member| member.names.split(' ').any(|name| name == second));
    member.map_or(Lookup::Unlisted, |member| {
        Lookup::Listed(ProgramProperties {
            shape: member.shape,
            project: family.project,
            suggested: member.suggested,
            ..ProgramProperties::subcommand(
                [family.forbidden, member.forbidden],
                [family.explicit_only, member.explicit_only],
                family.style,
            )
        })
    })
}
