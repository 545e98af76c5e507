//! Extracts whole files that a reply contains in fenced code blocks, each with its name. Every model knows this format.

use symbols::Language;

/// A file in a reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FencedFile {
    pub path: String,
    pub content: String,
}

const FENCES: [&str; 2] = ["```", "~~~"];

/// Returns the files in a reply. The name of a block stands behind its fence, alone on the line before it, or alone on
/// its first line. Of two blocks with the same name, the later one counts. The first unnamed block in the language of
/// `meant` is that file, unless another block names it.
pub fn files(reply: &str, meant: Option<&str>) -> Vec<FencedFile> {
    let mut found: Vec<FencedFile> = Vec::new();
    let mut unnamed = None;
    let mut before = "";
    let mut lines = reply.lines();
    while let Some(line) = lines.next() {
        let Some((fence, info)) = opening(line) else {
            if !line.trim().is_empty() {
                before = line;
            }
            continue;
        };
        let mut content = String::new();
        let mut closed = false;
        for line in lines.by_ref() {
            if line.trim() == fence {
                closed = true;
                break;
            }
            content.push_str(line);
            content.push('\n');
        }
        let path = named(info).or_else(|| alone(before));
        before = "";
        // A block that breaks off may lack the end of the file.
        if !closed {
            continue;
        }
        let Some(path) = path.or_else(|| within(&mut content)) else {
            if unnamed.is_none()
                && !content.trim().is_empty()
                && meant.is_some_and(|meant| is_language(info, meant))
            {
                unnamed = Some(content);
            }
            continue;
        };
        found.retain(|file| file.path != path);
        found.push(FencedFile { path, content });
    }
    if let (Some(content), Some(meant)) = (unnamed, meant)
        && !found.iter().any(|file| file.path == meant)
    {
        found.push(FencedFile { path: meant.to_owned(), content });
    }
    found
}

/// Removes and returns the name on the first line of a block, either in a comment or bare.
fn within(content: &mut String) -> Option<String> {
    let (first, rest) = content.split_once('\n')?;
    let bare = first.trim().trim_start_matches(['#', '/', '-', '*', '<', '!', ' ']);
    let path = alone(bare.trim_end_matches(['>', '*', '-', '/', ' ']))?;
    *content = rest.to_owned();
    Some(path)
}

/// Returns true if a block with this info string may be the file at `path`.
fn is_language(info: &str, path: &str) -> bool {
    let word = info.split_whitespace().next().unwrap_or_default();
    let of = |name: &str| Language::of(name, "");
    word.is_empty() || path.ends_with(&format!(".{word}")) || of(path).name().eq_ignore_ascii_case(word)
}

/// Returns the top-level definitions of a file that are missing in its new text.
pub fn left_out(path: &str, before: &str, after: &str) -> Vec<String> {
    let defined = |text: &str| {
        let language = Language::of(path, text.lines().next().unwrap_or_default());
        let all = symbols::outline(language, text).definitions.into_iter();
        all.filter(|one| one.container.is_none()).map(|one| one.name.into_string()).collect::<Vec<_>>()
    };
    let after = defined(after);
    let mut missing: Vec<String> = defined(before).into_iter().filter(|name| !after.contains(name)).collect();
    missing.dedup();
    missing
}

/// Returns the fence that a line opens, and its info string.
fn opening(line: &str) -> Option<(&str, &str)> {
    let line = line.trim();
    FENCES.iter().find_map(|fence| {
        let sign = fence.chars().next()?;
        let rest = line.trim_start_matches(sign);
        let length = line.len() - rest.len();
        (length >= fence.len() && !rest.contains(sign)).then(|| (&line[..length], rest.trim()))
    })
}

/// Finds a path in an info string: `python src/a.py`, `src/a.py`, `python:src/a.py`, `python title="src/a.py"`.
fn named(info: &str) -> Option<String> {
    let words = info.split([' ', '\t', '=', '"', '\'']).flat_map(|word| {
        match word.split_once(':') {
            Some((_, path)) => path,
            None => word,
        }
        .split_whitespace()
    });
    words.rev().find(|word| is_path(word)).map(ToOwned::to_owned)
}

/// Returns the path on a line that holds nothing else: `**src/a.py**`, `### src/a.py:`, `File: src/a.py`.
fn alone(line: &str) -> Option<String> {
    let line = line.trim().trim_matches(['#', '*', '`', ':', ' ', '/']);
    let line = ["file:", "file", "path:"]
        .iter()
        .find_map(|word| {
            line.get(..word.len())
                .filter(|start| start.eq_ignore_ascii_case(word))
                .map(|_| &line[word.len()..])
        })
        .unwrap_or(line);
    let name = line.trim().trim_matches(['`', '*', ':', '"']);
    is_path(name).then(|| name.to_owned())
}

/// Returns true if a word looks like a path: it has an extension or a folder, and no unusual characters.
fn is_path(word: &str) -> bool {
    let last = word.rsplit('/').next().unwrap_or_default();
    let ends = last.rsplit_once('.').is_some_and(|(stem, ending)| {
        (1..=10).contains(&ending.len())
            && ending.chars().all(char::is_alphanumeric)
            && ending.chars().any(char::is_alphabetic)
            && !stem.is_empty() | last.starts_with('.')
    });
    let known = matches!(last, "Makefile" | "Dockerfile" | "Cargo.lock" | "LICENSE" | "README");
    let plain = |sign: char| sign.is_alphanumeric() || "/._-+@$[]()".contains(sign);
    !word.is_empty() && word.chars().all(plain) && (ends || known) && !word.starts_with("http")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_by_their_names() {
        for (reply, found) in [
            ("```python src/a.py\nx = 1\n```", &[("src/a.py", "x = 1\n")][..]),
            ("```src/a.py\nx = 1\n```", &[("src/a.py", "x = 1\n")]),
            ("```python:src/a.py\nx = 1\n```", &[("src/a.py", "x = 1\n")]),
            ("```python title=\"src/a.py\"\nx\n```", &[("src/a.py", "x\n")]),
            ("Here it is.\n\n**src/a.py**\n\n```python\nx = 1\n```\nDone.", &[("src/a.py", "x = 1\n")]),
            ("### `a.c`:\n```c\nint x;\n```", &[("a.c", "int x;\n")]),
            ("File: lib/b.ts\n```ts\nlet x;\n```", &[("lib/b.ts", "let x;\n")]),
            ("```Makefile\nall:\n\tcc a.c\n```", &[("Makefile", "all:\n\tcc a.c\n")]),
            ("```a.py\n1\n```\n```b.py\n2\n```\n```a.py\n3\n```", &[("b.py", "2\n"), ("a.py", "3\n")]),
            ("````md README.md\n```\ninner\n```\n````", &[("README.md", "```\ninner\n```\n")]),
            ("~~~a.py\nx\n~~~", &[("a.py", "x\n")]),
            ("```a.py\n```", &[("a.py", "")]),
            ("```python\nsrc/a.py\nx = 1\n```", &[("src/a.py", "x = 1\n")]),
            ("```python\n# src/a.py\nx = 1\n```", &[("src/a.py", "x = 1\n")]),
            ("```ts\n// a.ts\nlet x\n```", &[("a.ts", "let x\n")]),
            ("```html\n<!-- a.html -->\n<p>\n```", &[("a.html", "<p>\n")]),
            // Code that is only shown.
            ("```python\nx = 1\n```", &[]),
            ("Run this:\n```bash\ncargo test\n```", &[]),
            ("I changed a.py as follows and more:\n```python\nx\n```", &[]),
            ("```a.py\nx = 1", &[]),
            ("```text 3.14 1.0e5!\nx\n```", &[]),
            ("", &[]),
        ] {
            let told = files(reply, None);
            let told: Vec<(&str, &str)> =
                told.iter().map(|file| (file.path.as_str(), file.content.as_str())).collect();
            assert_eq!(told, found, "{reply}");
        }
    }

    #[test]
    fn a_block_without_a_name_is_the_file_that_was_meant() {
        for (reply, found) in [
            ("```python\nx = 1\n```", &[("a.py", "x = 1\n")][..]),
            ("```py\nx = 1\n```\nUse it so:\n```python\nprint(x)\n```", &[("a.py", "x = 1\n")]),
            ("```\nx = 1\n```", &[("a.py", "x = 1\n")]),
            ("```python\nx = 1\n```\n```b.py\ny = 2\n```", &[("b.py", "y = 2\n"), ("a.py", "x = 1\n")]),
            ("```a.py\nx = 1\n```\n```python\nprint(x)\n```", &[("a.py", "x = 1\n")]),
            ("Run:\n```bash\npython a.py\n```", &[]),
            ("```rust\nfn x() {}\n```", &[]),
            ("```python\nx = 1", &[]),
        ] {
            let told = files(reply, Some("a.py"));
            let told: Vec<(&str, &str)> =
                told.iter().map(|file| (file.path.as_str(), file.content.as_str())).collect();
            assert_eq!(told, found, "{reply}");
        }
    }

    #[test]
    fn what_a_file_comes_back_without_is_seen() {
        let before =
            "import os\n\ndef one():\n    def inner(): pass\n\nclass Two:\n    def three(self): pass\n";
        for (after, missing) in [
            (before, &[][..]),
            ("def one():\n    return 2\n\nclass Two: pass\n", &[]),
            ("class Two: pass\n", &["one"]),
            ("", &["one", "Two"]),
        ] {
            assert_eq!(left_out("a.py", before, after), missing, "{after}");
        }
    }

    #[test]
    fn a_long_reply_takes_little_time() {
        let long = "```\n".repeat(200_000) + &"`".repeat(500_000);
        assert!(files(&long, Some("a.py")).is_empty());
    }
}
