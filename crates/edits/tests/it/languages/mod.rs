//! Lines of real programs: from this repository, and a page in each of some other languages.

use std::path::{Path, PathBuf};

/// A text and its language.
pub struct Source {
    pub language: &'static str,
    pub text: String,
}

const PAGES: [(&str, &str); 14] = [
    ("go", include_str!("page.go")),
    ("c", include_str!("page.c")),
    ("java", include_str!("page.java")),
    ("kotlin", include_str!("page.kt")),
    ("c#", include_str!("page.cs")),
    ("ruby", include_str!("page.rb")),
    ("php", include_str!("page.php")),
    ("sql", include_str!("page.sql")),
    ("yaml", include_str!("page.yaml")),
    ("make", include_str!("page.mk")),
    ("swift", include_str!("page.swift")),
    ("haskell", include_str!("page.hs")),
    ("python", include_str!("page.py")),
    ("shell", include_str!("page.sh")),
];

/// The file extensions and folders of this repository.
const OWN: [(&str, &str); 12] = [
    ("rs", "crates"),
    ("ts", "web/src"),
    ("tsx", "web/src"),
    ("css", "web/src"),
    ("mjs", "web/e2e"),
    ("html", "web"),
    ("md", "docs"),
    ("toml", "crates"),
    ("json", "web"),
    ("py", "bench"),
    ("py", "crates"),
    ("sh", "crates"),
];
const FOLDERS_OF_OTHERS: [&str; 4] = ["node_modules", "target", "dist", "coverage"];
/// The maximum number of files of each kind, spread evenly over all of them.
const FILES: usize = 12;

/// Returns the included pages and the files of the repository at `root`.
pub fn sources(root: &Path) -> Vec<Source> {
    let mut sources: Vec<Source> =
        PAGES.iter().map(|(language, text)| Source { language, text: (*text).to_owned() }).collect();
    for (kind, folder) in OWN {
        let mut files = Vec::new();
        collect(&root.join(folder), kind, &mut files);
        files.sort();
        let step = files.len().div_ceil(FILES).max(1);
        let texts = files.iter().step_by(step).filter_map(|path| std::fs::read_to_string(path).ok());
        sources.extend(texts.map(|text| Source { language: kind, text }));
    }
    sources
}

fn collect(folder: &Path, kind: &str, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        if path.is_dir() && !name.starts_with('.') && !FOLDERS_OF_OTHERS.contains(&name.as_str()) {
            collect(&path, kind, files);
        } else if path.extension().is_some_and(|end| end == kind) {
            files.push(path);
        }
    }
}
