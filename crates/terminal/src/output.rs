use std::io::Write as _;

use crate::clean::clean;
use crate::painter::TextStyle;
use crate::screen::Screen;
use crate::wrap::paragraph;

/// The exit code that a shell reports for a program ended by a closed pipe.
const BROKEN_PIPE: i32 = 141;

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
#[macro_export]
macro_rules! print_line {
    ($($text:tt)*) => { $crate::print(&format!("{}\n", format_args!($($text)*))) };
}

/// Writes a line to standard error. If nobody reads it, it is lost.
pub fn print_error(line: &str) {
    let mut stderr = std::io::stderr().lock();
    let _ = stderr.write_all(format!("{line}\n").as_bytes()).and_then(|()| stderr.flush());
}

/// Prints untrusted text, wrapped and made safe.
pub fn print_paragraph(style: TextStyle, text: &str) {
    print(&paragraph(Screen::stdout(), style, &clean(text)));
}
