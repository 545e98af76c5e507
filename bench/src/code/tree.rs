//! A folder of 10,000 parseable files, with names of their own and shared ones.

use std::fmt::Write as _;
use std::path::Path;

const WORDS: [&str; 24] = [
    "parse", "date", "login", "user", "render", "cache", "token", "stream", "index", "file", "walk", "merge",
    "score", "rank", "draw", "queue", "event", "socket", "buffer", "config", "vector", "graph", "commit",
    "policy",
];

/// Creates the files, and returns their total size in bytes.
#[expect(clippy::disallowed_methods, reason = "a folder of its own")]
pub fn plant(root: &Path, files: usize) -> anyhow::Result<usize> {
    let mut bytes = 0;
    for number in 0..files {
        let path = root.join(name(number));
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let text = source(number, 0);
        bytes += text.len();
        std::fs::write(path, text)?;
    }
    Ok(bytes)
}

pub fn name(number: usize) -> String {
    let ending = ["rs", "py", "ts"][number % 3];
    format!("part{}/{}/{}_{number}.{ending}", number % 37, word(number / 37), word(number))
}

fn word(number: usize) -> &'static str {
    WORDS[number % WORDS.len()]
}

/// Returns about 6 KB of parseable source, with names of its own and shared ones.
pub fn source(number: usize, round: usize) -> String {
    let mut text = String::new();
    for part in 0..24 {
        let (one, two) = (word(number + part), word(number * 7 + part * 3));
        let used = format!("{}_{}_{}", word(part * 5 + number), word(part), (number + part) % 997);
        let _ = match number % 3 {
            0 => writeln!(
                text,
                "/// How a {one} becomes a {two}, after round {round}.\npub fn {one}_{two}_{part}(input: &str) -> \
                 Option<usize> {{\n    let {two} = {used}(input, {part})?;\n    // Nothing of {two} is left here.\n    \
                 if {two} > {number} {{ return None; }}\n    Some({two} + input.len())\n}}\n"
            ),
            1 => writeln!(
                text,
                "def {one}_{two}_{part}(text, count={round}):\n    \"\"\"How a {one} becomes a {two}.\"\"\"\n    {two} = \
                 {used}(text, {part})\n    # Nothing of it is left here.\n    if {two} is None:\n        return {number}\n    \
                 return {two} + len(text)\n"
            ),
            _ => writeln!(
                text,
                "/** How a {one} becomes a {two}, after round {round}. */\nexport function {one}_{two}_{part}(text: \
                 string): number | null {{\n  const {two} = {used}(text, {part});\n  // Nothing of it is left here.\n  \
                 if ({two} === null) return {number};\n  return {two} + text.length;\n}}\n"
            ),
        };
    }
    text
}
