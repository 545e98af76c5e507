//! Resolves the paths in the output of a command.

use crate::paths::join;
use crate::project_files::ProjectFiles;

/// The folders of a command, for resolving paths in its output.
#[derive(Clone, Copy)]
pub struct PathResolver<'a> {
    root: &'a str,
    /// The copy in which the command ran, if there is one.
    copy: &'a str,
    folder: &'a str,
    files: Option<&'a dyn ProjectFiles>,
}

/// Folders with third-party code within a project.
const THIRD_PARTY: [&str; 7] =
    ["node_modules", "site-packages", "dist-packages", ".venv", "venv", ".cargo", ".rustup"];

impl<'a> PathResolver<'a> {
    /// Creates the resolver. `root` is the absolute path of the project as the command saw it.
    pub fn new(root: &'a str) -> Self {
        Self { root: root.trim_end_matches('/'), copy: "", folder: "", files: None }
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
    pub fn files(self, files: &'a dyn ProjectFiles) -> Self {
        Self { files: Some(files), ..self }
    }

    pub fn has(&self, path: &str) -> Option<bool> {
        self.files.map(|files| files.has(path))
    }

    pub fn text(&self, name: &str) -> Option<String> {
        self.files?.text(&join(self.folder, name))
    }

    /// Converts a printed path to one relative to the root, or returns `None` if it is outside of the project. `inside`
    /// is a folder that the program reported entering, absolute or relative to the root.
    pub fn resolve(&self, path: &str, inside: Option<&str>) -> Option<String> {
        let path = path.strip_prefix("file://").unwrap_or(path);
        let is_no_path = |c: char| c.is_control() || matches!(c, '<' | '>' | '"' | '*' | '?' | '|');
        let has_drive = path.get(1..2) == Some(":");
        if path.is_empty() || path.len() > 1_000 || path.contains(is_no_path) || has_drive {
            return None;
        }
        if path.starts_with('/') {
            return normal("", self.below_root(path)?);
        }
        let folder = match inside {
            Some(inside) if inside.starts_with('/') => self.below_root(inside)?,
            Some(inside) => inside,
            None => self.folder,
        };
        let from_folder = normal(folder, path);
        // Some programs print paths relative to the project root regardless of their working directory.
        let from_root = normal("", path).filter(|from_root| self.has(from_root) == Some(true));
        match from_folder {
            Some(from_folder) if from_root.is_none() || self.has(&from_folder) == Some(true) => {
                Some(from_folder)
            }
            _ => from_root,
        }
    }

    fn below_root<'p>(&self, path: &'p str) -> Option<&'p str> {
        self.roots().find_map(|root| {
            let rest = path.strip_prefix(root)?;
            if rest.is_empty() { Some(rest) } else { rest.strip_prefix('/') }
        })
    }

    fn roots(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        [self.copy, self.root].into_iter().filter(|root| !root.is_empty())
    }

    /// Removes the root from all paths in a text.
    pub fn shorten(&self, text: &str) -> String {
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
    let is_ours = !names.is_empty() && !names.iter().any(|name| THIRD_PARTY.contains(name));
    is_ours.then(|| names.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Files(&'static [&'static str]);

    impl ProjectFiles for Files {
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
        let paths = PathResolver::new("/home/ada/project/").folder("web");
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
            assert_eq!(paths.resolve(path, inside).as_deref(), expected, "{path} in {inside:?}");
        }
        let files = Files(&["src/lib.rs", "web/src/main.rs", "web/src/lib.rs"]);
        let paths = paths.files(&files);
        assert_eq!(paths.resolve("src/main.rs", None).as_deref(), Some("web/src/main.rs"));
        assert_eq!(paths.resolve("src/lib.rs", None).as_deref(), Some("web/src/lib.rs"));
        let files = Files(&["src/lib.rs"]);
        assert_eq!(paths.files(&files).resolve("src/lib.rs", None).as_deref(), Some("src/lib.rs"));
        assert_eq!(paths.shorten("at /home/ada/project/a.rs:1"), "at a.rs:1");
        let paths = paths.copied("/data/layer/copy/");
        assert_eq!(paths.resolve("/data/layer/copy/web/a.ts", None).as_deref(), Some("web/a.ts"));
        assert_eq!(paths.resolve("/data/layer/copying/a.ts", None), None);
        assert_eq!(paths.shorten("/data/layer/copy/a.rs and /home/ada/project/b.rs"), "a.rs and b.rs");
    }
}
