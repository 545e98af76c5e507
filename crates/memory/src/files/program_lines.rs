//! Tracks the lines that a program wrote into a file itself. The program may read them even if they are private:
//! otherwise a program that guesses a private value would learn from a missing line that the guess was right.

use std::collections::HashSet;

/// The program's lines, as they stand after each change, starting from the first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ProgramLines {
    is_there: bool,
    /// True if the program created the file, under a name of its choice. It stays true after the file is deleted.
    pub name: bool,
    lines: HashSet<String>,
}

impl ProgramLines {
    /// Applies a change of the file: by the program, which writes the whole file, or by another author, who may leave
    /// some of the program's lines in it.
    pub fn apply(&mut self, text: Option<&str>, is_by_program: bool) {
        let Some(text) = text else {
            self.is_there = false;
            self.lines.clear();
            return;
        };
        if !self.is_there {
            (self.is_there, self.name) = (true, is_by_program);
        }
        if is_by_program {
            self.lines = text.lines().map(str::to_owned).collect();
        } else if !self.lines.is_empty() {
            let left: HashSet<&str> = text.lines().collect();
            self.lines.retain(|line| left.contains(line.as_str()));
        }
    }

    pub fn contains(&self, line: &str) -> bool {
        self.lines.contains(line.trim_end_matches(['\n', '\r']))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_the_programs_for_as_long_as_it_stands() {
        let mut own = ProgramLines::default();
        for (text, is_by_program, name, lines) in [
            (Some("a\nb"), false, false, ""),
            (Some("b\r\nc\n"), true, false, "bc"),
            (Some("a\nc\nd"), false, false, "c"),
            (Some("b\nc"), false, false, "c"),
            (None, false, false, ""),
            (Some("c"), true, true, "c"),
            (Some("c\nd"), false, true, "c"),
            (None, true, true, ""),
            (Some("c"), false, false, ""),
        ] {
            own.apply(text, is_by_program);
            let has: String = ["a", "b", "c\n", "d"].into_iter().filter(|line| own.contains(line)).collect();
            assert_eq!((own.name, has.replace('\n', "").as_str()), (name, lines), "{text:?}");
        }
    }
}
