//! Maps the tools that a skill allows to the names of built-in tools.

/// The names of the same tools in other programs that read skills.
const SAME: [(&str, &str); 9] = [
    ("Read", "read_file"),
    ("Write", "write_file"),
    ("Edit", "write_file"),
    ("MultiEdit", "write_file"),
    ("Glob", "list_files"),
    ("LS", "list_files"),
    ("WebSearch", "web_search"),
    ("WebFetch", "web_fetch"),
    ("Bash", "run_command"),
];
const MOST: usize = 100;
const LONGEST: usize = 200;

/// Splits `Read, Bash(git add:*) WebSearch` at spaces and commas outside brackets.
pub fn split(text: &str) -> Vec<String> {
    let mut depth = 0_usize;
    let parts = text.split(move |c: char| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && (c == ',' || c.is_whitespace())
    });
    parts.filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

/// Returns the built-in names without duplicates. A restriction in brackets is kept, since dropping it would allow the
/// whole tool.
pub fn ours(entries: &[String]) -> Vec<String> {
    let mut tools: Vec<String> = Vec::new();
    for entry in entries.iter().take(MOST) {
        let (name, rest) = match entry.find('(') {
            Some(place) => entry.split_at(place),
            None => (entry.as_str(), ""),
        };
        let name = SAME.iter().find(|(theirs, _)| *theirs == name).map_or(name, |(_, ours)| ours);
        let tool: String = format!("{name}{rest}").chars().take(LONGEST).collect();
        if !tool.is_empty() && !tools.contains(&tool) {
            tools.push(tool);
        }
    }
    tools
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_become_our_tools() {
        let cases: [(&str, &[&str]); 7] = [
            ("web_search widget", &["web_search", "widget"]),
            ("Read, Write,WebSearch", &["read_file", "write_file", "web_search"]),
            ("Bash(git add:*) Bash(git status:*)", &["run_command(git add:*)", "run_command(git status:*)"]),
            ("Bash Read(docs/**)", &["run_command", "read_file(docs/**)"]),
            ("Edit Write NotebookEdit", &["write_file", "NotebookEdit"]),
            ("", &[]),
            ("Bash(unclosed a b", &["run_command(unclosed a b"]),
        ];
        for (text, expected) in cases {
            assert_eq!(ours(&split(text)), expected, "{text}");
        }
        assert_eq!(ours(&split(&"x1 ".repeat(10_000))).len(), 1);
    }
}
