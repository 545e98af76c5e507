//! A problem reported by a program, and the resolution of paths in its output.

use serde::{Deserialize, Serialize};

use super::look::{Look, join};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    Error,
    Warning,
}

/// The significance of a problem for the failure of a command, the highest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Standing {
    /// An error that has to be fixed.
    Cause,
    /// A thrown exception that may have been caught: programs also print those that they recovered from.
    Trace,
    /// A line that sounds like an error.
    Hunch,
    /// A message that something failed, without the reason.
    Consequence,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// The path relative to the root, or `None` if it is unknown or outside of the project.
    pub file: Option<String>,
    pub line: Option<u32>,
    pub column: Option<u32>,
    pub severity: Severity,
    /// The code of the program: `E0308`, `TS2322`, `-Wunused`.
    pub code: Option<String>,
    /// The test that failed.
    pub test: Option<String>,
    pub message: String,
    /// The relevant lines of the output.
    pub lines: Vec<String>,
    pub standing: Standing,
}

impl Problem {
    pub fn error(message: impl Into<String>) -> Self {
        Self {
            file: None,
            line: None,
            column: None,
            severity: Severity::Error,
            code: None,
            test: None,
            message: message.into(),
            lines: Vec::new(),
            standing: Standing::Cause,
        }
    }

    pub(super) fn at(self, spot: Option<Spot>) -> Self {
        let Some(spot) = spot else { return self };
        Self { file: Some(spot.file), line: Some(spot.line), column: spot.column, ..self }
    }

    pub(super) fn standing(self, standing: Standing) -> Self {
        Self { standing, ..self }
    }

    pub(super) fn test(self, test: Option<String>) -> Self {
        Self { test, ..self }
    }
}

/// A place in the project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spot {
    pub file: String,
    pub line: u32,
    pub column: Option<u32>,
}

/// The folders of a command, for resolving paths in its output.
#[derive(Clone, Copy)]
pub struct Ground<'a> {
    root: &'a str,
    /// The copy in which the command ran, if there is one.
    copy: &'a str,
    folder: &'a str,
    look: Option<&'a dyn Look>,
}

/// Folders with third-party code within a project.
const OF_OTHERS: [&str; 7] =
    ["node_modules", "site-packages", "dist-packages", ".venv", "venv", ".cargo", ".rustup"];

impl<'a> Ground<'a> {
    /// Creates the context. `root` is the absolute path of the project as the command saw it.
    pub fn new(root: &'a str) -> Self {
        Self { root: root.trim_end_matches('/'), copy: "", folder: "", look: None }
    }

    /// Sets the folder of a copy of the project in which the command may have run.
    #[must_use]
    pub fn copied(self, copy: &'a str) -> Self {
        Self { copy: copy.trim_end_matches('/'), ..self }
    }

    /// Sets the folder in which the command ran, relative to the root.
    #[must_use]
    pub fn folder(self, folder: &'a str) -> Self {
        Self { folder, ..self }
    }

    /// Provides read access to the files, to complete partial paths that some programs print.
    #[must_use]
    pub fn look(self, look: &'a dyn Look) -> Self {
        Self { look: Some(look), ..self }
    }

    pub(super) fn has(&self, path: &str) -> Option<bool> {
        self.look.map(|look| look.has(path))
    }

    pub(super) fn text(&self, name: &str) -> Option<String> {
        self.look?.text(&join(self.folder, name))
    }

    /// Converts a printed path to one relative to the root, or returns `None` if it is outside of the project. `inside`
    /// is a folder that the program reported entering, absolute or relative to the root.
    pub(super) fn resolve(&self, path: &str, inside: Option<&str>) -> Option<String> {
        let path = path.strip_prefix("file://").unwrap_or(path);
        let is_odd = |c: char| c.is_control() || matches!(c, '<' | '>' | '"' | '*' | '?' | '|');
        let is_of_a_drive = path.get(1..2) == Some(":");
        if path.is_empty() || path.len() > 1_000 || path.contains(is_odd) || is_of_a_drive {
            return None;
        }
        if path.starts_with('/') {
            return normal("", self.beneath_root(path)?);
        }
        let folder = match inside {
            Some(inside) if inside.starts_with('/') => self.beneath_root(inside)?,
            Some(inside) => inside,
            None => self.folder,
        };
        let near = normal(folder, path);
        // Some programs print paths relative to the project root regardless of their working directory.
        let far = normal("", path).filter(|far| self.has(far) == Some(true));
        match near {
            Some(near) if far.is_none() || self.has(&near) == Some(true) => Some(near),
            _ => far,
        }
    }

    fn beneath_root<'p>(&self, path: &'p str) -> Option<&'p str> {
        self.roots().find_map(|root| {
            let rest = path.strip_prefix(root)?;
            if rest.is_empty() { Some(rest) } else { rest.strip_prefix('/') }
        })
    }

    fn roots(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        [self.copy, self.root].into_iter().filter(|root| !root.is_empty())
    }

    /// Removes the root from all paths in a text.
    pub(super) fn shorten(&self, text: &str) -> String {
        self.roots().fold(text.to_owned(), |text, root| {
            let root = format!("{root}/");
            text.replace(&format!("file://{root}"), "").replace(&root, "")
        })
    }
}

/// Joins and normalizes a path. Returns `None` if it leaves the project or is third-party code.
fn normal(folder: &str, path: &str) -> Option<String> {
    let mut names: Vec<&str> = Vec::new();
    for name in folder.split('/').chain(path.split('/')) {
        match name {
            "" | "." => {}
            ".." => drop(names.pop()?),
            name => names.push(name),
        }
    }
    let is_ours = !names.is_empty() && !names.iter().any(|name| OF_OTHERS.contains(name));
    is_ours.then(|| names.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Files(&'static [&'static str]);

    impl Look for Files {
        fn text(&self, _: &str) -> Option<String> {
            None
        }

        fn has(&self, path: &str) -> bool {
            self.0.contains(&path)
        }

        fn list(&self, _: &str) -> Vec<String> {
            Vec::new()
        }
    }

    #[test]
    fn paths_are_read_from_the_root_on() {
        let ground = Ground::new("/home/ada/project/").folder("web");
        for (path, inside, expected) in [
            ("src/a.ts", None, Some("web/src/a.ts")),
            ("./src/../a.ts", None, Some("web/a.ts")),
            ("../lib/a.rs", None, Some("lib/a.rs")),
            ("../../else/a.rs", None, None),
            ("/home/ada/project/a.rs", None, Some("a.rs")),
            ("file:///home/ada/project/a.rs", None, Some("a.rs")),
            ("/home/ada/project2/a.rs", None, None),
            ("/usr/include/stdio.h", None, None),
            ("node_modules/x/y.js", None, None),
            ("/home/ada/project/.venv/lib/x.py", None, None),
            ("bad.c", Some("/home/ada/project/sub"), Some("sub/bad.c")),
            ("bad.c", Some("/elsewhere"), None),
            ("<anonymous>", None, None),
            ("C:/a.c", None, None),
            ("", None, None),
        ] {
            assert_eq!(ground.resolve(path, inside).as_deref(), expected, "{path} in {inside:?}");
        }
        let files = Files(&["src/lib.rs", "web/src/main.rs", "web/src/lib.rs"]);
        let ground = ground.look(&files);
        assert_eq!(ground.resolve("src/main.rs", None).as_deref(), Some("web/src/main.rs"));
        assert_eq!(ground.resolve("src/lib.rs", None).as_deref(), Some("web/src/lib.rs"));
        let files = Files(&["src/lib.rs"]);
        assert_eq!(ground.look(&files).resolve("src/lib.rs", None).as_deref(), Some("src/lib.rs"));
        assert_eq!(ground.shorten("at /home/ada/project/a.rs:1"), "at a.rs:1");
        let ground = ground.copied("/data/layer/copy/");
        assert_eq!(ground.resolve("/data/layer/copy/web/a.ts", None).as_deref(), Some("web/a.ts"));
        assert_eq!(ground.resolve("/data/layer/copying/a.ts", None), None);
        assert_eq!(ground.shorten("/data/layer/copy/a.rs and /home/ada/project/b.rs"), "a.rs and b.rs");
    }
}
