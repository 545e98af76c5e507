//! JavaScript and TypeScript: runs the scripts of `package.json` with the package manager of the lock file.

use serde_json::{Map, Value};

use super::project::relative_to;
use super::stage::{PlannedStage, StageKind, Toolchain, stage, word, words};
use crate::paths::{join, upward};
use crate::project_files::ProjectFiles;

/// The text of the script that `npm init` writes if there are no tests.
const PLACEHOLDER: &str = "no test specified";
const CHECKS: [&str; 5] = ["typecheck", "type-check", "check-types", "check:types", "tsc"];
const TESTS: [&str; 5] = ["test", "test:unit", "test:ci", "test:run", "unit"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Manager {
    Npm,
    Pnpm,
    Yarn,
    Bun,
}

impl Manager {
    fn of(files: &dyn ProjectFiles, folder: &str) -> Self {
        let locks = [
            ("pnpm-lock.yaml", Self::Pnpm),
            ("yarn.lock", Self::Yarn),
            ("bun.lock", Self::Bun),
            ("bun.lockb", Self::Bun),
            ("package-lock.json", Self::Npm),
        ];
        // A workspace has one lock file, in its root.
        let mut nearest =
            upward(folder).flat_map(|folder| locks.map(|(name, one)| (join(folder, name), one)));
        nearest.find(|(path, _)| files.has(path)).map_or(Self::Npm, |(_, manager)| manager)
    }

    fn script(self, name: &str, arguments: &str) -> String {
        let name = word(name);
        match (self, arguments) {
            (Self::Npm, "") if name == "test" => "npm test".to_owned(),
            (Self::Npm, "") => format!("npm run {name}"),
            (Self::Npm, arguments) => format!("npm run {name} -- {arguments}"),
            (Self::Pnpm, arguments) => format!("pnpm run {name} {arguments}").trim_end().to_owned(),
            (Self::Yarn, arguments) => format!("yarn run {name} {arguments}").trim_end().to_owned(),
            (Self::Bun, arguments) => format!("bun run {name} {arguments}").trim_end().to_owned(),
        }
    }

    /// Returns the command for a program installed in the project; nothing is downloaded.
    fn program(self, line: &str) -> String {
        match self {
            Self::Npm => format!("npx --no-install {line}"),
            Self::Pnpm => format!("pnpm exec {line}"),
            Self::Yarn => format!("yarn run {line}"),
            Self::Bun => format!("bunx --no-install {line}"),
        }
    }
}

pub fn stages(files: &dyn ProjectFiles, folder: &str, changed: &[String]) -> Vec<PlannedStage> {
    let folder = nearest_with_scripts(files, folder);
    let manager = Manager::of(files, folder);
    let scripts = scripts(files, folder);
    let script =
        |name: &str| scripts.get(name).and_then(Value::as_str).filter(|line| !line.trim().is_empty());
    let make = |kind, command: String| stage(kind, Toolchain::Node, folder, command);
    let mut stages = Vec::new();
    let check = CHECKS.into_iter().find(|name| script(name).is_some_and(ends));
    let build = script("build").filter(|line| ends(line));
    if let Some(name) = check {
        stages.push(make(StageKind::Build, manager.script(name, "")));
    } else if files.has(&join(folder, "tsconfig.json")) && !build.is_some_and(checks_types) {
        stages.push(make(StageKind::Build, manager.program("tsc --noEmit")));
    }
    if build.is_some() {
        stages.push(make(StageKind::Build, manager.script("build", "")));
    }
    let is_test = |line: &str| !line.contains(PLACEHOLDER) && ends(line);
    if let Some(name) = TESTS.into_iter().find(|name| script(name).is_some_and(is_test)) {
        let line = script(name).unwrap_or_default();
        stages.push(make(StageKind::Test, test(manager, name, line, &relative_to(changed, folder))));
    }
    stages
}

/// Returns the nearest folder with scripts: a package without any is checked by its parent.
fn nearest_with_scripts<'a>(files: &dyn ProjectFiles, folder: &'a str) -> &'a str {
    let says = |folder: &&str| {
        let scripts = scripts(files, folder);
        let known = CHECKS.iter().chain(&TESTS).chain(&["build"]);
        files.has(&join(folder, "tsconfig.json"))
            || known.into_iter().any(|name| {
                scripts.get(*name).and_then(Value::as_str).is_some_and(|line| !line.contains(PLACEHOLDER))
            })
    };
    upward(folder).find(says).unwrap_or(folder)
}

fn scripts(files: &dyn ProjectFiles, folder: &str) -> Map<String, Value> {
    let text = files.text(&join(folder, "package.json")).unwrap_or_default();
    let package: Value = serde_json::from_str(&text).unwrap_or_default();
    package.get("scripts").and_then(Value::as_object).cloned().unwrap_or_default()
}

/// Returns false for a script that watches files, since it never ends.
fn ends(line: &str) -> bool {
    let watches =
        line.split_whitespace().any(|word| matches!(word, "--watch" | "--watchAll" | "-w" | "watch"));
    !watches && !line.contains("vite dev") && !line.contains("next dev")
}

fn checks_types(line: &str) -> bool {
    line.split(|c: char| !c.is_ascii_alphanumeric() && c != '-')
        .any(|word| matches!(word, "tsc" | "vue-tsc" | "next"))
}

/// Returns the test command, restricted to the changed files if the test runner supports that.
fn test(manager: Manager, name: &str, line: &str, changed: &[&str]) -> String {
    // `react-scripts` watches files unless told otherwise.
    let arguments = if line.contains("react-scripts test") { "--watchAll=false" } else { "" };
    let is_code = |path: &&str| {
        let ending = path.rsplit_once('.').map(|(_, ending)| ending).unwrap_or_default();
        matches!(ending, "js" | "jsx" | "ts" | "tsx" | "mjs" | "cjs" | "mts" | "cts" | "vue" | "svelte")
    };
    let is_all_code = !changed.is_empty() && changed.iter().all(is_code);
    match line.trim() {
        "vitest" | "vitest run" if is_all_code => {
            manager.program(&format!("vitest related --run {}", words(changed.iter().copied())))
        }
        "jest" if is_all_code => {
            manager.program(&format!("jest --findRelatedTests {}", words(changed.iter().copied())))
        }
        _ => manager.script(name, arguments),
    }
}
