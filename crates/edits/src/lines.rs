//! Splits a text into lines with their endings.

/// The ending of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineEnding {
    Unix,
    Windows,
}

impl LineEnding {
    pub fn text(self) -> &'static str {
        match self {
            Self::Unix => "\n",
            Self::Windows => "\r\n",
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub struct TextLine<'a> {
    pub start: usize,
    /// The line without its ending.
    pub text: &'a str,
    /// The ending. `None` for a last line without one.
    pub ending: Option<LineEnding>,
}

impl TextLine<'_> {
    /// Returns the position where the ending begins.
    pub fn text_end(&self) -> usize {
        self.start + self.text.len()
    }

    pub fn end(&self) -> usize {
        self.text_end() + self.ending.map_or(0, |ending| ending.text().len())
    }
}

pub fn lines(text: &str) -> impl Iterator<Item = TextLine<'_>> {
    let mut start = 0;
    let mut ends = memchr::memchr_iter(b'\n', text.as_bytes());
    std::iter::from_fn(move || {
        let from = start;
        let Some(end) = ends.next() else {
            start = text.len();
            return (from < start).then(|| TextLine { start: from, text: &text[from..], ending: None });
        };
        start = end + 1;
        let line = &text[from..end];
        Some(match line.strip_suffix('\r') {
            Some(line) => TextLine { start: from, text: line, ending: Some(LineEnding::Windows) },
            None => TextLine { start: from, text: line, ending: Some(LineEnding::Unix) },
        })
    })
}

/// Returns the most frequent line ending of a text.
pub fn usual_ending(text: &str) -> LineEnding {
    let windows = memchr::memmem::find_iter(text.as_bytes(), b"\r\n").count();
    let all = memchr::memchr_iter(b'\n', text.as_bytes()).count();
    if windows * 2 > all { LineEnding::Windows } else { LineEnding::Unix }
}

/// Returns the ending of the line at an offset, or of the previous line if it has none.
pub fn ending_near(text: &str, offset: usize) -> LineEnding {
    let bytes = text.as_bytes();
    let after = memchr::memchr(b'\n', &bytes[offset..]).map(|at| offset + at);
    let end = after.or_else(|| memchr::memrchr(b'\n', &bytes[..offset]));
    match end {
        Some(at) if at > 0 && bytes[at - 1] == b'\r' => LineEnding::Windows,
        _ => LineEnding::Unix,
    }
}

/// Returns the text with `\n` as the only line ending.
pub fn with_unix_endings(text: &str) -> String {
    text.replace("\r\n", "\n")
}

/// Returns the line number of an offset, counted from one.
pub fn line_number(text: &str, offset: usize) -> usize {
    memchr::memchr_iter(b'\n', &text.as_bytes()[..offset.min(text.len())]).count() + 1
}

/// Returns the start of the line that contains an offset.
pub fn line_start(text: &str, offset: usize) -> usize {
    memchr::memrchr(b'\n', &text.as_bytes()[..offset]).map_or(0, |at| at + 1)
}

/// Returns the spaces and tabs at the start of a line.
pub fn indent_of(line: &str) -> &str {
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}
