//! Operations on paths relative to the root, with `/` as separator. The empty path is the root.

/// Joins a folder and a name. Both may be empty.
pub fn join(folder: &str, name: &str) -> String {
    match (folder, name) {
        ("", name) => name.to_owned(),
        (folder, "") => folder.to_owned(),
        (folder, name) => format!("{folder}/{name}"),
    }
}

/// Returns a folder and its parents, the root last.
pub fn upward(folder: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(folder), |folder: &&str| parent(folder))
}

fn parent(folder: &str) -> Option<&str> {
    match folder.rsplit_once('/') {
        Some((parent, _)) => Some(parent),
        None if folder.is_empty() => None,
        None => Some(""),
    }
}

/// Returns true if a path has one of these extensions, such as `py` for `a.py`.
pub fn has_ending(path: &str, endings: &[&str]) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    name.rsplit_once('.').is_some_and(|(stem, ending)| !stem.is_empty() && endings.contains(&ending))
}

/// Returns the path relative to a folder, or `None` if it is not in it.
pub fn beneath<'a>(path: &'a str, folder: &str) -> Option<&'a str> {
    if folder.is_empty() || path == folder {
        return Some(if path == folder { "" } else { path });
    }
    path.strip_prefix(folder)?.strip_prefix('/')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_walked_and_joined() {
        assert_eq!(upward("a/b").collect::<Vec<_>>(), ["a/b", "a", ""]);
        assert_eq!(upward("").collect::<Vec<_>>(), [""]);
        for (path, folder, rest) in [
            ("a/b/c", "a/b", Some("c")),
            ("a/bc", "a/b", None),
            ("a", "", Some("a")),
            ("a", "a", Some("")),
            ("", "", Some("")),
        ] {
            assert_eq!(beneath(path, folder), rest, "{path} in {folder}");
        }
        assert_eq!([join("", "a"), join("a", ""), join("a", "b")], ["a", "a", "a/b"]);
    }
}
