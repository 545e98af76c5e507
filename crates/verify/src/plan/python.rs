//! Python: compiles all files, then runs pytest or, if nothing indicates pytest, unittest.

use super::project::relative_to;
use super::stage::{PlannedStage, StageKind, Toolchain, stage, words};
use crate::paths::{has_ending, join};
use crate::project_files::ProjectFiles;

/// Folders whose Python files do not belong to the project or are invalid on purpose.
const APART: &str =
    r"(^|/)(\.[^/]+|venv|env|node_modules|site-packages|build|dist|fixtures|testdata|templates)/";

pub fn stages(files: &dyn ProjectFiles, folder: &str, changed: &[String]) -> Vec<PlannedStage> {
    let python = interpreter(files, folder);
    let changed = relative_to(changed, folder);
    let make = |kind, command: String| stage(kind, Toolchain::Python, folder, command);
    let there = |path: &&str| has_ending(path, &["py"]) && files.has(&join(folder, path));
    let sources: Vec<&str> = changed.iter().copied().filter(there).collect();
    let compiled = match sources.as_slice() {
        [] => format!("{python} -m compileall -q -x '{APART}' ."),
        sources => format!("{python} -m compileall -q {}", words(sources.iter().copied())),
    };
    let mut stages = vec![make(StageKind::Build, compiled)];
    let tests = Tests::find(files, folder);
    if tests.use_pytest {
        let which =
            related(&changed, &tests.paths).map(|files| format!(" {}", words(files))).unwrap_or_default();
        stages.push(make(StageKind::Test, format!("{python} -m pytest -q{which}")));
    } else if !tests.paths.is_empty() {
        let start = match tests.paths.iter().find_map(|file| file.split_once('/')) {
            // If the tests are a package, its imports start at the project folder.
            Some((tests, _)) if files.has(&join(folder, &format!("{tests}/__init__.py"))) => {
                format!(" -s {tests} -t .")
            }
            Some((tests, _)) => format!(" -s {tests}"),
            None => String::new(),
        };
        stages.push(make(StageKind::Test, format!("{python} -m unittest discover{start}")));
    }
    stages
}

/// Returns the project's own interpreter, which has its dependencies installed.
fn interpreter(files: &dyn ProjectFiles, folder: &str) -> String {
    for name in [".venv", "venv"] {
        if files.has(&join(folder, &format!("{name}/bin/python"))) {
            return format!("{name}/bin/python");
        }
    }
    if files.has(&join(folder, "uv.lock")) {
        "uv run --offline python".to_owned()
    } else if files.has(&join(folder, "poetry.lock")) {
        "poetry run python".to_owned()
    } else {
        "python3".to_owned()
    }
}

struct Tests {
    /// The test files, relative to the project folder.
    paths: Vec<String>,
    use_pytest: bool,
}

impl Tests {
    fn find(files: &dyn ProjectFiles, folder: &str) -> Self {
        let paths: Vec<String> = ["", "tests", "test"]
            .into_iter()
            .flat_map(|place| {
                let names = files.list(&join(folder, place)).into_iter().filter(|name| is_test(name));
                names.map(move |name| join(place, &name)).collect::<Vec<_>>()
            })
            .collect();
        let has = |name: &str| files.has(&join(folder, name));
        let says =
            |name: &str, part: &str| files.text(&join(folder, name)).is_some_and(|text| text.contains(part));
        let use_pytest =
            ["pytest.ini", ".pytest.ini", "conftest.py", "tests/conftest.py"].into_iter().any(has)
                || [
                    ("pyproject.toml", "pytest"),
                    ("setup.cfg", "[tool:pytest]"),
                    ("tox.ini", "pytest"),
                    ("setup.py", "pytest"),
                    ("requirements.txt", "pytest"),
                    ("requirements-dev.txt", "pytest"),
                ]
                .into_iter()
                .any(|(name, part)| says(name, part))
                || paths
                    .iter()
                    .take(50)
                    .any(|path| needs_pytest(&files.text(&join(folder, path)).unwrap_or_default()));
        Self { paths, use_pytest }
    }
}

fn is_test(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    name.strip_suffix(".py").is_some_and(|stem| stem.starts_with("test") || stem.ends_with("_test"))
}

/// Returns true if a test file needs pytest. unittest ignores test functions at the top level.
fn needs_pytest(text: &str) -> bool {
    text.lines().any(|line| {
        ["import pytest", "from pytest", "def test_", "async def test_"]
            .iter()
            .any(|start| line.starts_with(start))
    })
}

/// Returns the tests whose names match the changed files, or `None` if a file has no test.
fn related<'a>(changed: &[&'a str], tests: &'a [String]) -> Option<Vec<&'a str>> {
    let mut files: Vec<&str> = Vec::new();
    for path in changed {
        let stem = path.rsplit('/').next()?.strip_suffix(".py")?;
        let found: Vec<&str> = if is_test(path) {
            // The test file was deleted.
            if !tests.iter().any(|test| test == path) {
                return None;
            }
            vec![path]
        } else {
            let names = [format!("test_{stem}.py"), format!("{stem}_test.py")];
            let fits =
                |test: &&String| names.iter().any(|name| test.rsplit('/').next() == Some(name.as_str()));
            tests.iter().filter(fits).map(String::as_str).collect()
        };
        if found.is_empty() {
            return None;
        }
        files.extend(found.into_iter().filter(|file| !files.contains(file)).collect::<Vec<_>>());
    }
    (!files.is_empty()).then_some(files)
}
