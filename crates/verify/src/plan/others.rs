//! Go, C and C++, and the JVM.

use super::project::relative_to;
use super::stage::{PlannedStage, StageKind, Toolchain, stage, word, words};
use crate::paths::{has_ending, join, upward};
use crate::project_files::ProjectFiles;

/// Returns the stages of a Go project. `go test` runs the reliable checks of `go vet` itself, so vet needs no stage.
pub fn go(files: &dyn ProjectFiles, folder: &str, changed: &[String]) -> Vec<PlannedStage> {
    let changed = relative_to(changed, folder);
    let packages: Option<Vec<String>> = changed.iter().map(|path| package(files, folder, path)).collect();
    let which = match packages {
        Some(mut packages) if !packages.is_empty() => {
            packages.sort_unstable();
            packages.dedup();
            words(packages.iter().map(String::as_str))
        }
        _ => "./...".to_owned(),
    };
    vec![
        stage(StageKind::Build, Toolchain::Go, folder, "go build ./..."),
        stage(StageKind::Test, Toolchain::Go, folder, format!("go test {which}")),
    ]
}

fn package(files: &dyn ProjectFiles, folder: &str, path: &str) -> Option<String> {
    let at = path.rsplit_once('/').map_or("", |(at, _)| at);
    let still_has_go = || files.list(&join(folder, at)).iter().any(|name| has_ending(name, &["go"]));
    (has_ending(path, &["go"]) && still_has_go())
        .then(|| if at.is_empty() { ".".to_owned() } else { format!("./{at}") })
}

/// Targets with side effects outside of the build, or without use for it.
const NOT_A_BUILD: [&str; 14] = [
    "help", "install", "deploy", "publish", "release", "clean", "run", "start", "serve", "push", "upload",
    "dev", "watch", "up",
];

pub fn make(files: &dyn ProjectFiles, folder: &str) -> Vec<PlannedStage> {
    let text = ["Makefile", "makefile"].iter().find_map(|name| files.text(&join(folder, name)));
    let targets = text.as_deref().map(targets).unwrap_or_default();
    let has = |name: &&str| targets.iter().any(|target| target == name);
    let make = |kind, command: String| stage(kind, Toolchain::Make, folder, command);
    let mut stages = Vec::new();
    if let Some(name) = ["all", "build"].into_iter().find(has) {
        stages.push(make(StageKind::Build, format!("make {name}")));
    } else if targets
        .first()
        .is_some_and(|first| !NOT_A_BUILD.contains(first) && !["test", "check"].contains(first))
    {
        stages.push(make(StageKind::Build, "make".to_owned()));
    }
    if let Some(name) = ["test", "check"].into_iter().find(has) {
        stages.push(make(StageKind::Test, format!("make {name}")));
    }
    stages
}

/// Returns the targets of a makefile in order, without patterns, variables and names that begin with a dot.
fn targets(makefile: &str) -> Vec<&str> {
    let rules = makefile.lines().filter(|line| !line.starts_with(['\t', ' ', '#']));
    let heads = rules.filter_map(|line| {
        let (head, rest) = line.split_once(':')?;
        (!rest.starts_with('=') && !rest.starts_with(":=") && !head.contains('=')).then_some(head)
    });
    let names = heads.flat_map(str::split_whitespace);
    names.filter(|name| !name.starts_with('.') && !name.contains(['%', '$', '(', '/'])).collect()
}

/// The build folder used if git ignores none of the usual ones. It contains a `.gitignore` that ignores the folder
/// itself.
const OWN_FOLDER: &str = ".cmake-verify";

pub fn cmake(files: &dyn ProjectFiles, folder: &str) -> Vec<PlannedStage> {
    let into = ["build", "_build", "out", "cmake-build-debug"]
        .into_iter()
        .find(|name| is_ignored(files, folder, name))
        .unwrap_or(OWN_FOLDER);
    let is_ready = into != OWN_FOLDER || files.has(&join(folder, &format!("{OWN_FOLDER}/.gitignore")));
    let first = if is_ready {
        String::new()
    } else {
        format!("mkdir -p {OWN_FOLDER} && echo '*' > {OWN_FOLDER}/.gitignore && ")
    };
    let make = |kind, command: String| stage(kind, Toolchain::CMake, folder, command);
    let mut stages = vec![
        make(StageKind::Build, format!("{first}cmake -S . -B {into}")),
        make(StageKind::Build, format!("cmake --build {into}")),
    ];
    let text = files.text(&join(folder, "CMakeLists.txt")).unwrap_or_default().to_ascii_lowercase();
    if ["enable_testing", "add_test", "include(ctest)"].iter().any(|part| text.contains(part)) {
        stages.push(make(StageKind::Test, format!("ctest --test-dir {into} --output-on-failure")));
    }
    stages
}

fn is_ignored(files: &dyn ProjectFiles, folder: &str, name: &str) -> bool {
    let lists = upward(folder).filter_map(|above| files.text(&join(above, ".gitignore")));
    let fits = |line: &str| {
        let line = line.trim().trim_start_matches("**/").trim_matches('/').trim_end_matches("/*");
        line == name
            || line.strip_suffix('*').is_some_and(|start| !start.is_empty() && name.starts_with(start))
    };
    lists.into_iter().any(|text| text.lines().any(fits))
}

pub fn gradle(files: &dyn ProjectFiles, folder: &str, changed: &[String]) -> Vec<PlannedStage> {
    // The wrapper may lack the executable bit.
    let program = if files.has(&join(folder, "gradlew")) { "sh ./gradlew" } else { "gradle" };
    let modules = modules(files, folder, changed, &["build.gradle", "build.gradle.kts"]);
    let tests = modules.map_or_else(
        || "test".to_owned(),
        |modules| {
            let tasks: Vec<String> =
                modules.iter().map(|module| format!(":{}:test", module.replace('/', ":"))).collect();
            words(tasks.iter().map(String::as_str))
        },
    );
    let make = |kind, tasks: &str| {
        stage(kind, Toolchain::Gradle, folder, format!("{program} --offline --console=plain {tasks}"))
    };
    vec![make(StageKind::Build, "assemble"), make(StageKind::Test, &tests)]
}

pub fn maven(files: &dyn ProjectFiles, folder: &str, changed: &[String]) -> Vec<PlannedStage> {
    let program = if files.has(&join(folder, "mvnw")) { "sh ./mvnw" } else { "mvn" };
    let modules = modules(files, folder, changed, &["pom.xml"]);
    let which = modules.map_or_else(String::new, |modules| format!(" -pl {} -am", word(&modules.join(","))));
    let make =
        |kind, goal: String| stage(kind, Toolchain::Maven, folder, format!("{program} -o -q -B{goal}"));
    vec![make(StageKind::Build, " test-compile".to_owned()), make(StageKind::Test, format!("{which} test"))]
}

/// Returns the modules with the changed files, or `None` if the whole project is affected.
fn modules(
    files: &dyn ProjectFiles,
    folder: &str,
    changed: &[String],
    manifests: &[&str],
) -> Option<Vec<String>> {
    let mut modules: Vec<String> = Vec::new();
    for path in relative_to(changed, folder) {
        let at = path.rsplit_once('/').map_or("", |(at, _)| at);
        let is_module =
            |inner: &&str| manifests.iter().any(|name| files.has(&join(&join(folder, inner), name)));
        let module = upward(at).find(is_module).filter(|module| !module.is_empty())?;
        if !modules.iter().any(|known| known == module) {
            modules.push(module.to_owned());
        }
    }
    (!modules.is_empty()).then_some(modules)
}
