//! What the commands write with: styles, wrapping, tables, sizes and times in words.

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

/// Where a width is not known, or nobody looks.
const USUAL_WIDTH: usize = 80;
/// Very long lines are hard to read.
const WIDEST: usize = 100;
/// Below this nothing can be laid out.
const NARROWEST: usize = 20;

/// One of the two outputs: how wide it is, and whether it shows styles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Screen {
    pub paint: Paint,
    /// Columns to be filled; `None` where the output is no terminal, and lines may have any length.
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

    /// How wide text for reading should be.
    pub fn measure(&self) -> usize {
        self.width.unwrap_or(USUAL_WIDTH).min(WIDEST)
    }
}

/// Whether a person sits at the other end of both, who can be asked.
pub fn is_interactive() -> bool {
    std::io::stdin().is_terminal() && std::io::stdout().is_terminal()
}

/// The lines of the input as they come. Whoever reads them waits in a thread of its own, which ends with the program.
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

/// Writes to standard output at once. A reader that has gone away ends the program quietly, as it does with
/// other tools.
pub fn print(text: &str) {
    print_bytes(text.as_bytes());
}

pub fn print_bytes(bytes: &[u8]) {
    let mut stdout = std::io::stdout().lock();
    if stdout.write_all(bytes).and_then(|()| stdout.flush()).is_err() {
        std::process::exit(BROKEN_PIPE);
    }
}

/// Prints a line, as `println!` does, but for the closed pipe.
macro_rules! say {
    ($($text:tt)*) => { $crate::terminal::print(&format!("{}\n", format_args!($($text)*))) };
}
pub(crate) use say;

/// Prints a text for reading: wrapped, and safe whoever it came from.
pub fn tell(style: Style, text: &str) {
    print(&paragraph(Screen::stdout(), style, &clean(text)));
}

/// What a shell reports for a program that a closed pipe has ended.
const BROKEN_PIPE: i32 = 141;

/// Asks for a yes. An empty answer, and the end of input, is a no.
pub fn confirm(question: &str) -> bool {
    print(&format!("{question} [y/N] "));
    let mut answer = String::new();
    let read = std::io::stdin().read_line(&mut answer);
    read.is_ok() && matches!(answer.trim().to_lowercase().as_str(), "y" | "yes")
}
