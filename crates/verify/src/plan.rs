//! Plans the commands that show whether a project builds and passes its tests.

mod cargo;
mod node;
mod others;
mod project;
mod python;
mod stage;

use crate::project_files::ProjectFiles;
use project::Project;
pub use stage::{PlannedStage, StageKind, Toolchain};

/// The maximum number of projects verified at once.
const MOST_PROJECTS: usize = 8;

/// The commands configured by the user. They override the detected ones; an empty command disables the stage.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ConfiguredCommands {
    pub build: Option<String>,
    pub test: Option<String>,
    /// The run command, which has no default: a started program may never end.
    pub run: Option<String>,
}

/// The extent of the tests.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum TestScope {
    /// The tests related to the changed files, if they can be determined without running anything.
    Changed,
    #[default]
    All,
}

/// Returns the stages for these changes in order: all builds before all tests. Without changes, they cover the whole
/// tree.
pub fn plan(
    files: &dyn ProjectFiles,
    configured: &ConfiguredCommands,
    changed: &[&str],
    scope: TestScope,
) -> Vec<PlannedStage> {
    let needs_projects = configured.build.is_none() || configured.test.is_none();
    let projects = if needs_projects { project::find(files, changed) } else { Vec::new() };
    let found: Vec<PlannedStage> =
        projects.iter().take(MOST_PROJECTS).flat_map(|project| of_project(files, project, scope)).collect();
    let mut stages: Vec<PlannedStage> = Vec::new();
    for (kind, wanted) in [
        (StageKind::Build, &configured.build),
        (StageKind::Test, &configured.test),
        (StageKind::Run, &configured.run),
    ] {
        match wanted.as_deref().map(str::trim) {
            Some("") => {}
            Some(command) => stages.push(PlannedStage {
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

fn of_project(files: &dyn ProjectFiles, project: &Project, scope: TestScope) -> Vec<PlannedStage> {
    let changed: &[String] = if scope == TestScope::Changed { &project.changed } else { &[] };
    match project.toolchain {
        Toolchain::Cargo => cargo::stages(files, &project.folder, changed),
        Toolchain::Node => node::stages(files, &project.folder, changed),
        Toolchain::Python => python::stages(files, &project.folder, changed),
        Toolchain::Go => others::go(files, &project.folder, changed),
        Toolchain::CMake => others::cmake(files, &project.folder),
        Toolchain::Make => others::make(files, &project.folder),
        Toolchain::Gradle => others::gradle(files, &project.folder, changed),
        Toolchain::Maven => others::maven(files, &project.folder, changed),
        Toolchain::Other => Vec::new(),
    }
}

#[cfg(test)]
#[path = "plan_tests.rs"]
mod tests;
