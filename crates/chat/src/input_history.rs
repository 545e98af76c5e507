use std::path::{Path, PathBuf};

/// The maximum number of lines in the file.
const MAX_LINES: usize = 1000;
/// The length limit of a line, in bytes.
const MAX_LINE_BYTES: usize = 10_000;

/// The input history, in a file that only its owner can read.
pub struct InputHistory {
    path: PathBuf,
}

impl InputHistory {
    pub fn new(home: &Path) -> Self {
        Self { path: home.join("chat_history") }
    }

    /// Loads the lines, oldest first.
    pub fn load(&self) -> Vec<String> {
        let text = std::fs::read(&self.path).unwrap_or_default();
        String::from_utf8_lossy(&text).lines().map(unescaped).filter(|line| !line.is_empty()).collect()
    }

    /// Appends a line to the current content of the file: another terminal may have added lines too.
    pub fn add(&self, line: &str) {
        if !should_keep(line) {
            return;
        }
        let mut lines = self.load();
        if lines.last().is_some_and(|last| last == line) {
            return;
        }
        lines.push(line.to_owned());
        let from = lines.len().saturating_sub(MAX_LINES);
        let text: String = lines[from..].iter().map(|line| escaped(line) + "\n").collect();
        if let Err(error) = host::atomic_write_private(&self.path, text.as_bytes()) {
            tracing::debug!(%error, "the line history could not be written");
        }
    }
}

/// Returns false for a settings value, which may be a secret, and for a line that begins with a space.
pub fn should_keep(line: &str) -> bool {
    let sets_value = line.trim_start().starts_with("/config") && line.split_whitespace().count() > 2;
    !line.trim().is_empty() && !line.starts_with(' ') && line.len() <= MAX_LINE_BYTES && !sets_value
}

fn escaped(line: &str) -> String {
    line.replace('\\', "\\\\").replace('\n', "\\n")
}

fn unescaped(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => match characters.next() {
                Some('n') => out.push('\n'),
                Some(other) => out.push(other),
                None => {}
            },
            character => out.push(character),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use testkit::TempHome;

    use super::*;

    #[test]
    fn lines_come_back_as_they_were_typed() {
        let home = TempHome::new();
        let lines = ["Hello", "two\nlines \\n", "C:\\new", "月"];
        for line in lines {
            InputHistory::new(home.path()).add(line);
        }
        assert_eq!(InputHistory::new(home.path()).load(), lines);
        let mode = std::fs::metadata(home.join("chat_history")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }

    #[test]
    fn what_should_not_be_remembered_is_not() {
        let home = TempHome::new();
        let history = InputHistory::new(home.path());
        for line in ["same", "same", " hidden", "/config llm.api_key sk-1", "", "   "] {
            history.add(line);
        }
        assert_eq!(history.load(), ["same"]);
    }

    #[test]
    fn it_does_not_grow_forever_and_survives_damage() {
        let home = TempHome::new();
        let history = InputHistory::new(home.path());
        let numbers: Vec<String> = (0..1500).map(|number| number.to_string()).collect();
        home.write("chat_history", numbers.join("\n") + "\n");
        history.add("last");
        let lines = history.load();
        assert_eq!((lines.len(), lines.last().map(String::as_str)), (MAX_LINES, Some("last")));
        home.write("chat_history", b"ok\n\xff\xfe\\");
        assert_eq!(history.load()[0], "ok");
    }
}
