//! Output to a terminal and input from it: styles, wrapping, tables, Markdown, single keys, and sizes and times in
//! words.
//!
//! Everything here takes values and knows nothing of the server, its API or the companion. Text from elsewhere is made
//! harmless by [`clean`] before it is printed, so that it cannot steer the terminal.
//!
//! Start with [`Screen`], which tells how wide the output is and whether it can show styles, and [`print_paragraph`].
//! [`MarkdownRenderer`] shows a reply while it arrives.

#![cfg_attr(test, allow(clippy::disallowed_methods))]

mod clean;
mod input;
mod keys;
mod markdown;
mod output;
mod painter;
mod qr;
mod screen;
mod signals;
mod status;
mod table;
mod wording;
mod wrap;

pub use clean::{clean, clean_line};
pub use input::{confirm, input_lines, input_stream, is_interactive};
pub use keys::{EchoOff, KeyReader, TerminalMode};
pub use markdown::MarkdownRenderer;
pub use output::{OutputStream, print, print_bytes, print_error, print_paragraph};
pub use painter::{AnsiColour, Painter, TextStyle};
pub use qr::{qr, qr_width};
pub use screen::Screen;
pub use signals::{INTERRUPTED, TERMINATED, interrupted, terminated};
pub use status::StatusLine;
pub use table::{Align, Table, TableCell};
pub use wording::{ago, amount, bytes, count, duration, short_time};
pub use wrap::{StyledText, WordWrapper, WrappedLine, paragraph, wrap};
