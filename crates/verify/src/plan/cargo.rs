//! Rust: builds the whole cargo workspace and tests the changed packages.

use super::stage::{PlannedStage, StageKind, Toolchain, stage, word};
use crate::paths::{beneath, join, upward};
use crate::project_files::ProjectFiles;

/// Commands run without network access. Without `--offline`, cargo would wait for the network and then report a
/// misleading error.
const OFFLINE: &str = "--offline";

pub fn stages(files: &dyn ProjectFiles, folder: &str, changed: &[String]) -> Vec<PlannedStage> {
    let manifest = files.text(&join(folder, "Cargo.toml")).unwrap_or_default();
    let all = if has_table(&manifest, "workspace") { " --workspace" } else { "" };
    let which = match packages(files, folder, changed) {
        Some(names) => {
            format!(" -p {}", names.iter().map(|name| word(name)).collect::<Vec<_>>().join(" -p "))
        }
        None => all.to_owned(),
    };
    let make = |kind, verb, which: &str| {
        stage(kind, Toolchain::Cargo, folder, format!("cargo {verb} {OFFLINE}{which}"))
    };
    // Packages that depend on a changed one must build as well.
    vec![make(StageKind::Build, "build", all), make(StageKind::Test, "test", &which)]
}

/// Returns the packages with the changed files, or `None` if all of them are affected.
fn packages(files: &dyn ProjectFiles, root: &str, changed: &[String]) -> Option<Vec<String>> {
    let mut names: Vec<String> = Vec::new();
    for path in changed {
        let start = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let within = upward(start).take_while(|folder| beneath(folder, root).is_some());
        // A file outside of any package may affect all of them, such as the workspace manifest or the lock file.
        let name = within
            .filter_map(|folder| files.text(&join(folder, "Cargo.toml")))
            .find_map(|manifest| package_name(&manifest))?;
        let is_shared = ["Cargo.lock", "rust-toolchain.toml"].iter().any(|shared| path.ends_with(shared))
            || *path == join(root, "Cargo.toml");
        if is_shared {
            return None;
        }
        if !names.contains(&name) {
            names.push(name);
        }
    }
    (!names.is_empty()).then_some(names)
}

/// Returns true if the folder `above` holds the workspace of the package in `folder`.
pub fn is_workspace_of(files: &dyn ProjectFiles, above: &str, folder: &str) -> bool {
    let Some(manifest) = files.text(&join(above, "Cargo.toml")) else { return false };
    let Some(way) = beneath(folder, above) else { return false };
    let excluded = list_in(&manifest, "exclude");
    has_table(&manifest, "workspace")
        && !excluded.iter().any(|out| beneath(way, out).is_some_and(|_| !out.is_empty()))
}

fn has_table(manifest: &str, name: &str) -> bool {
    manifest.lines().any(|line| {
        let rest = line.trim().strip_prefix('[').and_then(|line| line.strip_prefix(name));
        rest.is_some_and(|rest| rest.starts_with([']', '.']))
    })
}

/// Returns the name from the `[package]` table.
fn package_name(manifest: &str) -> Option<String> {
    let lines = manifest.lines().map(str::trim).skip_while(|line| *line != "[package]").skip(1);
    let mut values = lines.take_while(|line| !line.starts_with('[')).filter_map(|line| line.split_once('='));
    let (_, value) = values.find(|(key, _)| key.trim() == "name")?;
    let quote = value.trim().chars().next().filter(|c| matches!(c, '"' | '\''))?;
    Some(value.trim().split(quote).nth(1)?.to_owned())
}

/// Returns the strings of a list in a manifest, which may span several lines.
fn list_in(manifest: &str, key: &str) -> Vec<String> {
    let is_key = |line: &str| {
        line.trim_start().strip_prefix(key).is_some_and(|rest| rest.trim_start().starts_with('='))
    };
    let mut lines = manifest.lines().skip_while(|line| !is_key(line));
    let mut texts = Vec::new();
    for line in lines.by_ref() {
        let line = line.split('#').next().unwrap_or_default();
        texts.extend(line.split('"').skip(1).step_by(2).map(|text| text.trim_matches('/').to_owned()));
        if line.contains(']') {
            break;
        }
    }
    texts
}
