use std::path::Path;

use host::{EntryKind, RootDir};
use icu_normalizer::ComposingNormalizer;
use tools::ToolError;
use tools::blocking::failed;

/// The memories folder, relative to a user's folder.
pub const FOLDER: &str = "memories";

/// The name of a memory file: valid on every system, not hidden, and without path components.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemoryName(String);

const LONGEST: usize = 100;

impl MemoryName {
    /// Parses a name; `.md` is added if it is missing.
    pub fn read(written: &str) -> Result<Self, ToolError> {
        let refused = |why: &str| {
            ToolError::Impossible(format!(
                "A memory cannot be called {written:?}: {why}. Choose a plain name such as people.md."
            ))
        };
        let written = written.trim();
        let stem = match written.len().checked_sub(3).and_then(|end| written.split_at_checked(end)) {
            Some((stem, end)) if end.eq_ignore_ascii_case(".md") => stem,
            _ => written,
        };
        if stem.is_empty() || stem.chars().all(|c| c == '.') {
            return Err(refused("it is empty"));
        }
        if stem.len() > LONGEST {
            return Err(ToolError::Impossible(format!(
                "The name of a memory has at most {LONGEST} characters. Choose a shorter one."
            )));
        }
        if stem.starts_with('.') {
            return Err(refused("it would be hidden"));
        }
        if stem.contains(['/', '\\']) {
            return Err(refused("memories lie in one folder, without folders in it"));
        }
        if stem.contains(['<', '>', ':', '"', '|', '?', '*']) || stem.chars().any(is_invisible) {
            return Err(refused("it has a character that no file name may have"));
        }
        if stem.ends_with([' ', '.']) || stem.starts_with('-') || is_reserved(stem) {
            return Err(refused("not every system can keep such a name"));
        }
        Ok(Self(format!("{stem}.md")))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn path(&self) -> String {
        format!("{FOLDER}/{}", self.0)
    }

    /// Returns the existing file with this name. Names that differ only in letter case or in how accents are composed
    /// count as the same, since some systems do not distinguish them.
    pub fn existing(&self, folder: &RootDir) -> Result<Option<Self>, ToolError> {
        let all = existing(folder)?;
        let plain = self.plain();
        let exact = all.iter().find(|name| name.0 == self.0);
        Ok(exact.or_else(|| all.iter().find(|name| name.plain() == plain)).cloned())
    }

    fn plain(&self) -> String {
        ComposingNormalizer::new_nfc().normalize(&self.0.to_lowercase()).into_owned()
    }
}

/// Returns all memory files, by name.
pub fn existing(folder: &RootDir) -> Result<Vec<MemoryName>, ToolError> {
    let entries = folder.list(FOLDER).map_err(failed)?;
    let names = entries.into_iter().filter(|(_, info)| info.kind == EntryKind::File);
    let names = names.filter_map(|(name, _)| name.into_string().ok());
    Ok(names.filter(|name| is_markdown(name) && !name.starts_with('.')).map(MemoryName).collect())
}

fn is_markdown(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|ending| ending.eq_ignore_ascii_case("md"))
}

/// Returns true for control characters and for characters that change the reading direction or have no width.
fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

fn is_reserved(stem: &str) -> bool {
    let first = stem.split('.').next().unwrap_or(stem).trim_end().to_ascii_lowercase();
    let numbered = |word: &str| {
        first.strip_prefix(word).is_some_and(|rest| rest.len() == 1 && rest.as_bytes()[0].is_ascii_digit())
    };
    matches!(first.as_str(), "con" | "prn" | "aux" | "nul") || numbered("com") || numbered("lpt")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_kept() {
        for (written, kept) in [
            ("people", "people.md"),
            ("people.md", "people.md"),
            ("People.MD", "People.md"),
            ("  trip to Rome ", "trip to Rome.md"),
            ("notes.txt", "notes.txt.md"),
            ("Привет", "Привет.md"),
            ("md", "md.md"),
            ("é", "é.md"),
            ("conference", "conference.md"),
        ] {
            assert_eq!(MemoryName::read(written).unwrap().as_str(), kept, "{written}");
        }
    }

    #[test]
    fn names_that_are_refused() {
        let long = "a".repeat(101);
        for written in [
            "",
            "  ",
            ".md",
            "..",
            "../secrets",
            "a/b",
            "a\\b",
            "/etc/passwd",
            ".git",
            ".hidden.md",
            "a\0b",
            "a\nb",
            "CON",
            "nul.md",
            "com1.txt",
            "LPT9",
            "a:b",
            "a?",
            "a*",
            "-rf",
            "dot.",
            "\u{202e}txt",
            &long,
            "..md.md",
        ] {
            assert!(MemoryName::read(written).is_err(), "{written:?}");
        }
    }
}
