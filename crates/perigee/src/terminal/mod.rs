//! Terminal output: styles, wrapping, tables, and sizes and times in words.

mod clean;
mod flow;
mod keys;
mod paint;
mod qr;
mod status;
mod table;
mod words;

use std::io::{IsTerminal as _, Write as _};

pub use clean::{clean, clean_line};
pub use flow::{Flow, Line, Span, paragraph, wrap};
pub use keys::{Keys, QuietKeys, TerminalMode};
pub use paint::{Colour, Paint, Style};
pub use qr::{qr, qr_width};
pub use status::StatusLine;
pub use table::{Align, Cell, Table};
pub use words::{ago, amount, bytes, count, duration, sentence, short_time};

/// The width in columns if it is unknown or the output is no terminal.
const USUAL_WIDTH: usize = 80;
/// The maximum line width, as very long lines are hard to read.
const WIDEST: usize = 100;
/// The minimum width for any layout.
const NARROWEST: usize = 20;

/// Standard output or standard error: its width and its support for styles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Screen {
    pub paint: Paint,
    /// The width in columns; `None` if the output is no terminal and lines may have any length.
    pub width: Option<usize>,
}

impl Screen {
    pub fn stdout() -> Self {
        let stdout = std::io::stdout();
        let size = terminal_size::terminal_size_of(&stdout);
        Self::of(stdout.is_terminal(), size.map(|(width, _)| usize::from(width.0)))
    }

    pub fn stderr() -> Self {
        let stderr = std::io::stderr();
        let size = terminal_size::terminal_size_of(&stderr);
        Self::of(stderr.is_terminal(), size.map(|(width, _)| usize::from(width.0)))
    }

    fn of(terminal: bool, columns: Option<usize>) -> Self {
        let width = terminal.then(|| columns.filter(|columns| *columns > 0).unwrap_or(USUAL_WIDTH));
        Self {
            paint: Paint::new(terminal && Paint::is_wanted()),
            width: width.map(|width| width.max(NARROWEST)),
        }
    }

    /// Returns the width for wrapped text.
    pub fn measure(&self) -> usize {
        self.width.unwrap_or(USUAL_WIDTH).min(WIDEST)
    }
}

/// Returns true if standard input and output are a terminal, so that the user can be asked.
pub fn is_interactive() -> bool {
    std::io::stdin().is_terminal() && std::io::stdout().is_terminal()
}

/// Reads the lines of standard input on a separate thread, which ends with the program.
pub fn input_lines() -> tokio::sync::mpsc::Receiver<String> {
    let (sender, lines) = tokio::sync::mpsc::channel(16);
    std::thread::spawn(move || {
        for line in std::io::stdin().lines().map_while(Result::ok) {
            if sender.blocking_send(line).is_err() {
                return;
            }
        }
    });
    lines
}

/// Writes to standard output and flushes. A closed pipe ends the program silently, as with other tools.
pub fn print(text: &str) {
    print_bytes(text.as_bytes());
}

pub fn print_bytes(bytes: &[u8]) {
    let mut stdout = std::io::stdout().lock();
    if stdout.write_all(bytes).and_then(|()| stdout.flush()).is_err() {
        std::process::exit(BROKEN_PIPE);
    }
}

/// Prints a line like `println!`, but handles a closed pipe.
macro_rules! say {
    ($($text:tt)*) => { $crate::terminal::print(&format!("{}\n", format_args!($($text)*))) };
}
pub(crate) use say;

/// Prints untrusted text, wrapped and made safe.
pub fn tell(style: Style, text: &str) {
    print(&paragraph(Screen::stdout(), style, &clean(text)));
}

/// The exit code that a shell reports for a program ended by a closed pipe.
const BROKEN_PIPE: i32 = 141;

/// Asks a yes-or-no question. An empty answer or the end of input is a no.
pub fn confirm(question: &str) -> bool {
    print(&format!("{question} [y/N] "));
    let mut answer = String::new();
    let read = std::io::stdin().read_line(&mut answer);
    read.is_ok() && matches!(answer.trim().to_lowercase().as_str(), "y" | "yes")
}
