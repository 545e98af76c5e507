//! Plans the commands that show whether a project builds and passes its tests.

mod cargo;
mod node;
mod others;
mod project;
mod python;

use serde::{Deserialize, Serialize};

use super::look::Look;
use crate::path::WorkspacePath;
use project::Project;

/// The maximum number of projects verified at once.
const MOST_PROJECTS: usize = 8;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    Build,
    Test,
    Run,
}

/// The toolchain that produces the output of a command, if known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Toolchain {
    Cargo,
    Node,
    Python,
    Go,
    Make,
    CMake,
    Gradle,
    Maven,
    Other,
}

/// A command that must succeed.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Stage {
    pub kind: Kind,
    /// The shell command line.
    pub command: String,
    /// The working directory relative to the root; empty for the root itself.
    pub folder: String,
    pub toolchain: Toolchain,
}

/// The commands configured by the user. They override the detected ones; an empty command disables the stage.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Configured {
    pub build: Option<String>,
    pub test: Option<String>,
    /// The run command, which has no default: a started program may never end.
    pub run: Option<String>,
}

/// The extent of the tests.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Scope {
    /// The tests related to the changed files, if they can be determined without running anything.
    Changed,
    #[default]
    All,
}

/// Returns the stages for these changes in order: all builds before all tests. Without changes, they cover the whole
/// tree.
pub fn plan(look: &dyn Look, configured: &Configured, changed: &[WorkspacePath], scope: Scope) -> Vec<Stage> {
    let needs_projects = configured.build.is_none() || configured.test.is_none();
    let projects = if needs_projects { project::find(look, changed) } else { Vec::new() };
    let found: Vec<Stage> =
        projects.iter().take(MOST_PROJECTS).flat_map(|project| of_project(look, project, scope)).collect();
    let mut stages: Vec<Stage> = Vec::new();
    for (kind, wanted) in
        [(Kind::Build, &configured.build), (Kind::Test, &configured.test), (Kind::Run, &configured.run)]
    {
        match wanted.as_deref().map(str::trim) {
            Some("") => {}
            Some(command) => stages.push(Stage {
                kind,
                command: command.to_owned(),
                folder: String::new(),
                toolchain: Toolchain::of(command),
            }),
            None => {
                for stage in found.iter().filter(|stage| stage.kind == kind) {
                    if !stages.contains(stage) {
                        stages.push(stage.clone());
                    }
                }
            }
        }
    }
    stages
}

fn of_project(look: &dyn Look, project: &Project, scope: Scope) -> Vec<Stage> {
    let changed: &[String] = if scope == Scope::Changed { &project.changed } else { &[] };
    match project.toolchain {
        Toolchain::Cargo => cargo::stages(look, &project.folder, changed),
        Toolchain::Node => node::stages(look, &project.folder, changed),
        Toolchain::Python => python::stages(look, &project.folder, changed),
        Toolchain::Go => others::go(look, &project.folder, changed),
        Toolchain::CMake => others::cmake(look, &project.folder),
        Toolchain::Make => others::make(look, &project.folder),
        Toolchain::Gradle => others::gradle(look, &project.folder, changed),
        Toolchain::Maven => others::maven(look, &project.folder, changed),
        Toolchain::Other => Vec::new(),
    }
}

impl Toolchain {
    /// Determines the toolchain from the program at the start of a command.
    fn of(command: &str) -> Self {
        let is_setting = |word: &&str| word.contains('=') && !word.starts_with('-');
        let mut words = command.split_whitespace().skip_while(is_setting);
        let program = words.next().unwrap_or_default();
        match program.rsplit('/').next().unwrap_or_default() {
            "cargo" | "rustc" => Self::Cargo,
            "npm" | "npx" | "pnpm" | "yarn" | "bun" | "bunx" | "node" | "deno" | "tsc" | "vitest"
            | "jest" | "eslint" => Self::Node,
            name if name.starts_with("python") => Self::Python,
            "pytest" | "tox" | "uv" | "poetry" => Self::Python,
            "go" => Self::Go,
            "make" | "gmake" | "ninja" | "gcc" | "cc" | "g++" | "clang" | "clang++" => Self::Make,
            "cmake" | "ctest" => Self::CMake,
            "gradle" | "gradlew" => Self::Gradle,
            "mvn" | "mvnw" => Self::Maven,
            "sh" | "bash" => words.next().map_or(Self::Other, |script| match script {
                "./gradlew" | "gradlew" => Self::Gradle,
                "./mvnw" | "mvnw" => Self::Maven,
                _ => Self::Other,
            }),
            _ => Self::Other,
        }
    }
}

impl Kind {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Build => "build",
            Self::Test => "test",
            Self::Run => "run",
        }
    }
}

/// Quotes a word for the shell if needed.
fn word(text: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "_-./@:+=,%".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// Formats file names as arguments. A name that begins with a dash would be read as an option, so it is prefixed with
/// `./`.
fn words<'a>(paths: impl IntoIterator<Item = &'a str>) -> String {
    let plain = |path: &str| word(&if path.starts_with('-') { format!("./{path}") } else { path.to_owned() });
    paths.into_iter().map(plain).collect::<Vec<_>>().join(" ")
}

fn stage(kind: Kind, toolchain: Toolchain, folder: &str, command: impl Into<String>) -> Stage {
    Stage { kind, command: command.into(), folder: folder.to_owned(), toolchain }
}

#[cfg(test)]
#[path = "plan_tests.rs"]
mod tests;
