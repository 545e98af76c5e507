//! Whole files that a reply writes out between fences, each under its name. It is the one form that every model knows.

/// A file of a reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FencedFile {
    pub path: String,
    pub content: String,
}

const FENCES: [&str; 2] = ["```", "~~~"];

/// The files of a reply. A block counts where its name stands on its first line, or alone on the line before it; of two
/// of one name, the later.
pub fn files(reply: &str) -> Vec<FencedFile> {
    let mut found: Vec<FencedFile> = Vec::new();
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
        // One that breaks off may lack its end.
        let Some(path) = path.filter(|_| closed) else { continue };
        found.retain(|file| file.path != path);
        found.push(FencedFile { path, content });
    }
    found
}

/// The fence that a line opens, and what stands behind it.
fn opening(line: &str) -> Option<(&str, &str)> {
    let line = line.trim();
    FENCES.iter().find_map(|fence| {
        let sign = fence.chars().next()?;
        let rest = line.trim_start_matches(sign);
        let length = line.len() - rest.len();
        (length >= fence.len() && !rest.contains(sign)).then(|| (&line[..length], rest.trim()))
    })
}

/// `python src/a.py`, `src/a.py`, `python:src/a.py`, `python title="src/a.py"`.
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

/// A line that says nothing but a name: `**src/a.py**`, `### src/a.py:`, `File: src/a.py`.
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

/// Whether a word is the name of a file: it has an ending or a folder, and nothing odd.
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
            // What is only shown.
            ("```python\nx = 1\n```", &[]),
            ("Run this:\n```bash\ncargo test\n```", &[]),
            ("I changed a.py as follows and more:\n```python\nx\n```", &[]),
            ("```a.py\nx = 1", &[]),
            ("```text 3.14 1.0e5!\nx\n```", &[]),
            ("", &[]),
        ] {
            let told = files(reply);
            let told: Vec<(&str, &str)> =
                told.iter().map(|file| (file.path.as_str(), file.content.as_str())).collect();
            assert_eq!(told, found, "{reply}");
        }
    }

    #[test]
    fn a_long_reply_takes_little_time() {
        let long = "```\n".repeat(200_000) + &"`".repeat(500_000);
        assert!(files(&long).is_empty());
    }
}
