use std::io::IsTerminal as _;

use crate::painter::Painter;

/// The width in columns if it is unknown or the output is no terminal.
const USUAL_WIDTH: usize = 80;
/// The maximum line width, as very long lines are hard to read.
const WIDEST: usize = 100;
/// The minimum width for any layout.
const NARROWEST: usize = 20;

/// Standard output or standard error: its width and its support for styles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Screen {
    pub painter: Painter,
    /// The width in columns; `None` if the output is no terminal and lines may have any length.
    pub width: Option<usize>,
}

impl Screen {
    pub fn stdout() -> Self {
        let stdout = std::io::stdout();
        let size = terminal_size::terminal_size_of(&stdout);
        Self::new(stdout.is_terminal(), size.map(|(width, _)| usize::from(width.0)))
    }

    pub fn stderr() -> Self {
        let stderr = std::io::stderr();
        let size = terminal_size::terminal_size_of(&stderr);
        Self::new(stderr.is_terminal(), size.map(|(width, _)| usize::from(width.0)))
    }

    fn new(is_terminal: bool, columns: Option<usize>) -> Self {
        let width = is_terminal.then(|| columns.filter(|columns| *columns > 0).unwrap_or(USUAL_WIDTH));
        Self {
            painter: Painter::new(is_terminal && Painter::is_wanted()),
            width: width.map(|width| width.max(NARROWEST)),
        }
    }

    /// Returns the width for wrapped text.
    pub fn text_width(&self) -> usize {
        self.width.unwrap_or(USUAL_WIDTH).min(WIDEST)
    }
}
