use std::io::Write as _;

use crate::clean::clean_line;
use crate::painter::TextStyle;
use crate::screen::Screen;
use crate::wrap::{StyledText, wrap};

/// A temporary status line on standard error.
pub struct StatusLine {
    screen: Screen,
    shown: bool,
}

impl StatusLine {
    pub fn on_stderr() -> Self {
        let mut screen = Screen::stderr();
        if std::env::var_os("TERM").is_some_and(|value| value == "dumb") {
            screen.width = None;
        }
        Self { screen, shown: false }
    }

    pub fn show(&mut self, text: &str) {
        let Some(width) = self.screen.width else { return };
        let first =
            wrap(self.screen.painter, width - 1, &[StyledText::new(TextStyle::DIM, clean_line(text))])
                .swap_remove(0);
        Self::write(&format!("\r\u{1b}[2K{}", first.text));
        self.shown = true;
    }

    pub fn clear(&mut self) {
        if std::mem::take(&mut self.shown) {
            Self::write("\r\u{1b}[2K");
        }
    }

    fn write(text: &str) {
        let mut stderr = std::io::stderr().lock();
        // A status line that cannot be written is no loss.
        let _ = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
    }
}

impl Drop for StatusLine {
    fn drop(&mut self) {
        self.clear();
    }
}
