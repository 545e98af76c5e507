//! Finds the projects of a tree and assigns changed files to them.

use super::stage::Toolchain;
use crate::paths::{beneath, has_ending, join, upward};
use crate::project_files::ProjectFiles;

/// Folders with third-party or generated files.
const NOT_OURS: [&str; 9] =
    ["node_modules", "target", "vendor", "dist", "build", "out", "venv", "__pycache__", "third_party"];
/// The maximum number of folders that are searched for projects.
const MOST_FOLDERS: usize = 200;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    pub toolchain: Toolchain,
    pub folder: String,
    /// The changed files of the project, relative to the root.
    pub changed: Vec<String>,
}

/// Manifests and their toolchains, the most specific first.
static MANIFESTS: [(&str, Toolchain); 16] = [
    ("Cargo.toml", Toolchain::Cargo),
    ("package.json", Toolchain::Node),
    ("go.mod", Toolchain::Go),
    ("pyproject.toml", Toolchain::Python),
    ("setup.py", Toolchain::Python),
    ("setup.cfg", Toolchain::Python),
    ("pytest.ini", Toolchain::Python),
    ("tox.ini", Toolchain::Python),
    ("requirements.txt", Toolchain::Python),
    ("build.gradle", Toolchain::Gradle),
    ("build.gradle.kts", Toolchain::Gradle),
    ("settings.gradle", Toolchain::Gradle),
    ("settings.gradle.kts", Toolchain::Gradle),
    ("pom.xml", Toolchain::Maven),
    ("CMakeLists.txt", Toolchain::CMake),
    ("Makefile", Toolchain::Make),
];

/// Returns the changed projects, or those of the whole tree if there are no changes.
pub fn find(files: &dyn ProjectFiles, changed: &[&str]) -> Vec<Project> {
    let mut projects: Vec<Project> = Vec::new();
    for path in changed {
        let Some((toolchain, folder)) = project_of(files, path) else { continue };
        let found = projects.iter().position(|one| one.toolchain == toolchain && one.folder == folder);
        let at = found.unwrap_or_else(|| {
            projects.push(Project { toolchain, folder, changed: Vec::new() });
            projects.len() - 1
        });
        projects[at].changed.push((*path).to_owned());
    }
    if changed.is_empty() { whole_tree(files) } else { projects }
}

/// Returns the project of a file: the nearest one of its language, or else the nearest one.
fn project_of(files: &dyn ProjectFiles, path: &str) -> Option<(Toolchain, String)> {
    let start = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let speaks = languages(path);
    let mut nearest = None;
    for folder in upward(start) {
        let here = toolchains(files, folder);
        if let Some(toolchain) = here.iter().find(|toolchain| speaks.contains(toolchain)) {
            return Some((*toolchain, root_of(files, *toolchain, folder)));
        }
        nearest = nearest.or_else(|| here.first().map(|toolchain| (*toolchain, folder)));
    }
    // A Python script without a project can still be checked.
    let alone = speaks.contains(&Toolchain::Python).then_some((Toolchain::Python, ""));
    let (toolchain, folder) = nearest.or(alone)?;
    Some((toolchain, root_of(files, toolchain, folder)))
}

/// Returns the toolchains of a folder, the most specific first. A makefile beside a manifest usually only calls that
/// toolchain.
fn toolchains(files: &dyn ProjectFiles, folder: &str) -> Vec<Toolchain> {
    let mut found: Vec<Toolchain> = Vec::new();
    for (name, toolchain) in MANIFESTS {
        if !found.contains(&toolchain) && files.has(&join(folder, name)) {
            found.push(toolchain);
        }
    }
    if !found.contains(&Toolchain::Make) && files.has(&join(folder, "makefile")) {
        found.push(Toolchain::Make);
    }
    // Scripts need no manifest, but a subfolder with scripts is not a project of its own.
    if found.is_empty() && folder.is_empty() {
        let names = files.list(folder);
        let is_python = |name: &String| has_ending(name, &["py"]);
        if names.iter().any(is_python)
            || (names.iter().any(|name| name == "tests") && files.list("tests").iter().any(is_python))
        {
            found.push(Toolchain::Python);
        }
    }
    found
}

/// Returns the folder in which commands run: for toolchains with nested projects, the root project.
fn root_of(files: &dyn ProjectFiles, toolchain: Toolchain, folder: &str) -> String {
    let has_text = |path: String, part: &str| files.text(&path).is_some_and(|text| text.contains(part));
    let is_root = |above: &&str| match toolchain {
        Toolchain::Cargo => super::cargo::is_workspace_of(files, above, folder),
        Toolchain::Gradle => {
            ["settings.gradle", "settings.gradle.kts"].iter().any(|name| files.has(&join(above, name)))
        }
        Toolchain::Maven => has_text(join(above, "pom.xml"), "<modules>"),
        Toolchain::CMake => has_text(join(above, "CMakeLists.txt"), "project("),
        _ => false,
    };
    let mut roots = upward(folder).filter(is_root);
    // For cargo the nearest workspace counts, for the others the outermost.
    let root = if toolchain == Toolchain::Cargo { roots.next() } else { roots.last() };
    root.unwrap_or(folder).to_owned()
}

/// Returns the toolchains for a file name.
fn languages(path: &str) -> &'static [Toolchain] {
    let name = path.rsplit('/').next().unwrap_or_default();
    if let Some((_, toolchain)) = MANIFESTS.iter().find(|(manifest, _)| *manifest == name) {
        return std::slice::from_ref(toolchain);
    }
    match name.rsplit_once('.').map(|(_, ending)| ending).unwrap_or_default() {
        "rs" => &[Toolchain::Cargo],
        "js" | "jsx" | "ts" | "tsx" | "mjs" | "cjs" | "mts" | "cts" | "vue" | "svelte" | "css" | "scss"
        | "html" => &[Toolchain::Node],
        "py" | "pyi" => &[Toolchain::Python],
        "go" => &[Toolchain::Go],
        "java" | "kt" | "kts" | "groovy" | "gradle" | "scala" => &[Toolchain::Gradle, Toolchain::Maven],
        "c" | "h" | "cc" | "cpp" | "cxx" | "hpp" | "hh" | "cmake" => &[Toolchain::CMake, Toolchain::Make],
        _ => &[],
    }
}

/// Returns the projects in the root or, if there are none, in its folders.
fn whole_tree(files: &dyn ProjectFiles) -> Vec<Project> {
    let of = |folder: &str| {
        let mut found = toolchains(files, folder);
        // A makefile is used only if there is no other toolchain.
        if found.len() > 1 {
            found.retain(|toolchain| *toolchain != Toolchain::Make);
        }
        let project = |toolchain| Project { toolchain, folder: folder.to_owned(), changed: Vec::new() };
        found.into_iter().map(project).collect::<Vec<_>>()
    };
    let at_root = of("");
    if !at_root.is_empty() {
        return at_root;
    }
    let is_ours = |name: &String| !name.starts_with('.') && !NOT_OURS.contains(&name.as_str());
    let folders: Vec<String> = files.list("").into_iter().filter(is_ours).take(MOST_FOLDERS).collect();
    let mut projects: Vec<Project> = folders.iter().flat_map(|folder| of(folder)).collect();
    if projects.is_empty() {
        let deeper = folders.iter().flat_map(|folder| {
            let names = files.list(folder).into_iter().filter(is_ours).take(MOST_FOLDERS);
            names.map(|name| join(folder, &name)).collect::<Vec<_>>()
        });
        projects = deeper.take(MOST_FOLDERS).flat_map(|folder| of(&folder)).collect();
    }
    projects
}

/// Returns the changed files in a folder, relative to it.
pub fn relative_to<'a>(changed: &'a [String], folder: &str) -> Vec<&'a str> {
    changed.iter().filter_map(|path| beneath(path, folder)).collect()
}
