//! Output for the user: plain lines, one live line that is repainted in place, and questions.
//!
//! Progress messages go to standard error. Standard output is for results: a closing line, or the output of a program
//! that was run (`bench --json`).

use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Write};
use std::process::{Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::failure::TaskResult;

/// The interval of progress messages in a log without a terminal (continuous integration).
const PLAIN_INTERVAL: Duration = Duration::from_secs(30);

/// The reader of the output: a user who can answer questions, or a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TerminalAudience {
    Person,
    Log,
}

pub struct Terminal {
    audience: TerminalAudience,
    width: usize,
    line: Mutex<LiveLine>,
}

/// The parts of the live line by job, because build and download run at the same time.
#[derive(Default)]
struct LiveLine {
    parts: BTreeMap<&'static str, String>,
    painted: bool,
    last_plain: Option<Instant>,
}

impl Terminal {
    pub fn open() -> Self {
        let interactive = io::stderr().is_terminal() && io::stdin().is_terminal() && !in_ci();
        let audience = if interactive { TerminalAudience::Person } else { TerminalAudience::Log };
        let width = if interactive { columns() } else { usize::MAX };
        Self { audience, width, line: Mutex::default() }
    }

    pub fn audience(&self) -> TerminalAudience {
        self.audience
    }

    /// Prints a permanent line.
    pub fn say(&self, text: impl AsRef<str>) {
        let mut line = self.lock();
        line.erase();
        write(&format!("{}\n", text.as_ref()));
        if self.audience == TerminalAudience::Person {
            line.paint(self.width);
        }
    }

    /// Prints the result of a command, which may be piped elsewhere.
    pub fn conclude(&self, text: &str) {
        self.lock().erase();
        let mut stdout = io::stdout().lock();
        // As with `write`, a closed output is not an error.
        let _ = writeln!(stdout, "{text}").and_then(|()| stdout.flush());
    }

    /// Sets the part of the live line for a job.
    pub fn show(&self, job: &'static str, text: &str) {
        let mut line = self.lock();
        if line.parts.insert(job, text.to_owned()).as_deref() == Some(text) {
            return;
        }
        match self.audience {
            TerminalAudience::Person => line.paint(self.width),
            TerminalAudience::Log => line.log(),
        }
    }

    /// Removes a finished job from the live line.
    pub fn clear(&self, job: &'static str) {
        let mut line = self.lock();
        line.parts.remove(job);
        line.erase();
        if self.audience == TerminalAudience::Person {
            line.paint(self.width);
        }
    }

    /// Asks the user. In a log the answer is yes, since there is no user.
    pub fn confirm(&self, question: &str) -> TaskResult<bool> {
        if self.audience == TerminalAudience::Log {
            return Ok(true);
        }
        self.lock().erase();
        write(&format!("{question} [Y/n] "));
        let mut answer = String::new();
        let ended = io::stdin().read_line(&mut answer)? == 0;
        Ok(!ended && is_yes(&answer))
    }

    fn lock(&self) -> MutexGuard<'_, LiveLine> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl LiveLine {
    fn text(&self) -> String {
        let parts: Vec<&str> = self.parts.values().map(String::as_str).collect();
        parts.join(" · ")
    }

    fn erase(&mut self) {
        if self.painted {
            write("\r\x1b[K");
            self.painted = false;
        }
    }

    fn paint(&mut self, width: usize) {
        self.erase();
        if !self.parts.is_empty() {
            write(&cut(&self.text(), width.saturating_sub(1)));
            self.painted = true;
        }
    }

    fn log(&mut self) {
        if self.last_plain.is_none_or(|at| at.elapsed() >= PLAIN_INTERVAL) {
            self.last_plain = Some(Instant::now());
            write(&format!("{}\n", self.text()));
        }
    }
}

/// Returns true in continuous integration, which sets `CI`.
pub fn in_ci() -> bool {
    std::env::var_os("CI").is_some_and(|value| !value.is_empty() && value != "false")
}

/// Writes to standard error. A closed terminal must not stop the work, so errors are ignored.
fn write(text: &str) {
    let mut stderr = io::stderr().lock();
    let _ = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
}

fn is_yes(answer: &str) -> bool {
    matches!(answer.trim().to_ascii_lowercase().as_str(), "" | "y" | "yes")
}

fn columns() -> usize {
    let size = Command::new("stty").arg("size").stdin(Stdio::inherit()).stderr(Stdio::null()).output();
    let text = size.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    text.split_whitespace().nth(1).and_then(|columns| columns.parse().ok()).filter(|n| *n > 20).unwrap_or(80)
}

fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let kept: String = text.chars().take(width.saturating_sub(1)).collect();
    format!("{kept}…")
}

/// Formats a duration roughly, as in `6 min` or `40 s`.
pub fn in_words(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..=89 => format!("{} s", seconds.max(1)),
        90..=5399 => format!("{} min", (seconds + 30) / 60),
        _ => format!("{} h {} min", seconds / 3600, seconds % 3600 / 60),
    }
}

/// Removes colour codes, so the summary of a test runner can be parsed.
pub fn without_colour(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        if character == '\x1b' {
            // An escape sequence ends with its first letter.
            characters.by_ref().find(char::is_ascii_alphabetic);
        } else {
            plain.push(character);
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_read_as_a_person_says_them() {
        for (seconds, words) in
            [(0, "1 s"), (40, "40 s"), (90, "2 min"), (370, "6 min"), (3600, "60 min"), (7260, "2 h 1 min")]
        {
            assert_eq!(in_words(Duration::from_secs(seconds)), words);
        }
    }

    #[test]
    fn a_long_line_is_cut_to_the_width() {
        assert_eq!(cut("moonlight", 9), "moonlight");
        assert_eq!(cut("moonlight", 5), "moon…");
        assert_eq!(cut("mööön", 3), "mö…");
    }

    #[test]
    fn colour_codes_go_and_text_stays() {
        assert_eq!(without_colour("\x1b[32;1m     Summary\x1b[0m [ 0.1s]\x1b[K"), "     Summary [ 0.1s]");
        assert_eq!(without_colour("cut \x1b["), "cut ");
    }

    #[test]
    fn an_empty_answer_is_yes_and_anything_else_is_no() {
        for (answer, yes) in [("\n", true), ("Y\n", true), ("yes\n", true), ("n\n", false), ("what\n", false)]
        {
            assert_eq!(is_yes(answer), yes, "{answer:?}");
        }
    }
}
