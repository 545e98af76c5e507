use std::io::{self, Write as _};
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::AsyncWrite;

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
    let mut stdout = io::stdout().lock();
    if stdout.write_all(bytes).and_then(|()| stdout.flush()).is_err() {
        std::process::exit(BROKEN_PIPE);
    }
}

/// Standard output as an asynchronous stream. A write waits for the reader, and the task with it.
#[derive(Debug)]
pub struct OutputStream;

impl AsyncWrite for OutputStream {
    fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Poll::Ready(io::stdout().write(bytes))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(io::stdout().flush())
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll_flush(context)
    }
}

/// Prints a line like `println!`, but handles a closed pipe.
#[macro_export]
macro_rules! print_line {
    ($($text:tt)*) => { $crate::print(&format!("{}\n", format_args!($($text)*))) };
}

/// Writes a line to standard error. If nobody reads it, it is lost.
pub fn print_error(line: &str) {
    let mut stderr = io::stderr().lock();
    let _ = stderr.write_all(format!("{line}\n").as_bytes()).and_then(|()| stderr.flush());
}

/// Prints untrusted text, wrapped and made safe.
pub fn print_paragraph(style: TextStyle, text: &str) {
    print(&paragraph(Screen::stdout(), style, &clean(text)));
}
