//! Tracks the position in a Markdown text, to decide if a call there would be meant or is only shown.

/// The first byte of `◁` in UTF-8.
const LOZENGE: u8 = 0xe2;

/// The state of the current line. Calls are ignored in code (fences, code spans and indented blocks) and in `>`
/// quotations.
#[derive(Debug)]
pub struct Line {
    start: LineStart,
    indent: usize,
    /// True if indented code may begin here: the previous line is blank or indented code.
    may_be_code: bool,
    quoted: bool,
    /// True if an odd number of backslashes precedes the next character.
    escaped: bool,
    previous: Option<char>,
    /// The last character on this line that is not whitespace.
    behind: Option<char>,
    /// The current run of backticks or tildes.
    run: Option<Run>,
    /// The number of backticks that opened the current code span, or 0.
    span: usize,
    fence: Option<Fence>,
}

/// The beginning of the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LineStart {
    /// Only whitespace so far.
    Blank,
    /// A number, which begins a list item if a point or a parenthesis follows.
    Number,
    /// A list marker, which begins an item if whitespace follows.
    Mark,
    /// The beginning of a list item, where a new block begins.
    Item,
    /// Within the line.
    Past,
}

#[derive(Debug, Clone, Copy)]
struct Run {
    mark: char,
    length: usize,
    start: LineStart,
}

#[derive(Debug, Clone, Copy)]
struct Fence {
    mark: char,
    length: usize,
    state: FenceState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FenceState {
    /// In the rest of the opening line.
    Opening,
    Open,
    /// On a line that closes the fence so far.
    Closing,
}

impl Default for Line {
    fn default() -> Self {
        Self {
            start: LineStart::Blank,
            indent: 0,
            may_be_code: true,
            quoted: false,
            escaped: false,
            previous: None,
            behind: None,
            run: None,
            span: 0,
            fence: None,
        }
    }
}

impl Line {
    /// Returns the state after a thought. The line may not have begun there, so its indent is ignored.
    pub fn after_thought() -> Self {
        Self { may_be_code: false, ..Self::default() }
    }

    /// Passes the part at the beginning of a text that has no Markdown meaning here and begins no call. Returns its
    /// length in bytes.
    pub fn pass_inert(&mut self, text: &str, begins_call: impl Fn(&str) -> bool) -> usize {
        if self.start != LineStart::Past || self.run.is_some() || self.escaped || self.closes_fence() {
            return 0;
        }
        let is_shown_only = self.is_shown_only();
        let special = |(place, byte): &(usize, u8)| match *byte {
            b'\n' | b'`' | b'\\' => true,
            b'[' | b'<' | b'{' | LOZENGE => !is_shown_only && begins_call(&text[*place..]),
            _ => false,
        };
        let inert = text.bytes().enumerate().find(special).map_or(text.len(), |(place, _)| place);
        if let Some(last) = text[..inert].chars().next_back() {
            self.previous = Some(last);
            self.behind = text[..inert].trim_end().chars().next_back().or(self.behind);
        }
        inert
    }

    /// Returns true if a call that begins with the next character would be meant.
    pub fn may_call(&mut self, next: char) -> bool {
        self.end_run(next);
        !self.escaped && !self.is_shown_only()
    }

    /// Returns true if a fence is closed here, unless text follows on the line.
    pub fn closes_fence(&self) -> bool {
        self.fence.is_some_and(|fence| fence.state == FenceState::Closing)
    }

    pub fn is_at_start(&self) -> bool {
        self.start == LineStart::Blank
    }

    pub fn previous(&self) -> Option<char> {
        self.previous
    }

    pub fn behind(&self) -> Option<char> {
        self.behind
    }

    /// Passes text.
    pub fn pass(&mut self, text: &str) {
        let mut rest = text;
        loop {
            rest = &rest[self.pass_inert(rest, |_| false)..];
            let Some(next) = rest.chars().next() else { return };
            self.pass_character(next);
            rest = &rest[next.len_utf8()..];
        }
    }

    /// Passes a call, which leaves no text except the optional spoken words. `spoken` is their last character.
    pub fn pass_call(&mut self, spoken: Option<char>) {
        self.previous = spoken;
        self.escaped = false;
    }

    /// Returns true in code and in quotations.
    fn is_shown_only(&self) -> bool {
        self.fence.is_some() || self.span > 0 || self.quoted || self.is_indented_code()
    }

    pub fn pass_character(&mut self, next: char) {
        self.end_run(next);
        if next == '\n' {
            self.break_line();
            return;
        }
        if matches!(next, '`' | '~') {
            self.count(next);
        }
        if self.start != LineStart::Past {
            self.begin(next);
        }
        // More text follows on the line, so it does not close the fence.
        if let Some(fence) = self.fence.as_mut().filter(|fence| fence.state == FenceState::Closing)
            && !next.is_whitespace()
        {
            fence.state = FenceState::Open;
        }
        self.escaped = next == '\\' && !self.escaped;
        self.previous = Some(next);
        self.behind = Some(next).filter(|next| !next.is_whitespace()).or(self.behind);
    }

    fn begin(&mut self, next: char) {
        let begins_block = matches!(self.start, LineStart::Blank | LineStart::Item);
        match next {
            ' ' if self.is_at_start() => self.indent += 1,
            '\t' if self.is_at_start() => self.indent += 4,
            _ if next.is_whitespace() && begins_block => {}
            ' ' | '\t' if self.start == LineStart::Mark => self.start = LineStart::Item,
            '-' | '*' | '+' if begins_block => self.start = LineStart::Mark,
            '0'..='9' if begins_block || self.start == LineStart::Number => self.start = LineStart::Number,
            '.' | ')' if self.start == LineStart::Number => self.start = LineStart::Mark,
            _ => {
                self.quoted = next == '>' && begins_block;
                self.start = LineStart::Past;
            }
        }
    }

    fn is_indented_code(&self) -> bool {
        self.indent >= 4 && self.may_be_code
    }

    fn break_line(&mut self) {
        let open = self.fence.filter(|fence| fence.state != FenceState::Closing);
        let fence = open.map(|fence| Fence { state: FenceState::Open, ..fence });
        let may_be_code = self.is_at_start() || self.is_indented_code();
        *self = Self { may_be_code, fence, previous: Some('\n'), ..Self::default() };
    }

    fn count(&mut self, mark: char) {
        match &mut self.run {
            Some(run) => run.length += 1,
            // A run of tildes within a line has no meaning.
            None if mark == '`' || self.start != LineStart::Past => {
                self.run = Some(Run { mark, length: 1, start: self.start });
            }
            None => {}
        }
    }

    /// Ends a run of backticks or tildes at the first other character.
    fn end_run(&mut self, next: char) {
        let Some(run) = self.run.take_if(|run| run.mark != next) else { return };
        let ticks = run.mark == '`';
        match self.fence {
            // Further backticks on the opening line mean that it is a code span, not a fence.
            Some(fence) if fence.state == FenceState::Opening && fence.mark == '`' && ticks => {
                self.fence = None;
                self.span = if fence.length == run.length { 0 } else { fence.length };
            }
            Some(fence)
                if run.start == LineStart::Blank && fence.mark == run.mark && run.length >= fence.length =>
            {
                self.fence = Some(Fence { state: FenceState::Closing, ..fence });
            }
            None if matches!(run.start, LineStart::Blank | LineStart::Item) && run.length >= 3 => {
                self.fence = Some(Fence { mark: run.mark, length: run.length, state: FenceState::Opening });
            }
            None if ticks && self.span == 0 => self.span = run.length,
            None if ticks && self.span == run.length => self.span = 0,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns, for each position marked with `!`, true if a call there would be meant.
    fn open_places(text: &str) -> Vec<bool> {
        let mut line = Line::default();
        let mut places = Vec::new();
        let mut parts = text.split('!').peekable();
        while let Some(part) = parts.next() {
            line.pass(part);
            if parts.peek().is_some() {
                places.push(line.may_call('['));
            }
        }
        places
    }

    #[test]
    fn code_and_quotes_are_shown_and_the_rest_is_meant() {
        let cases: [(&str, &[bool]); 24] = [
            ("!a !", &[true, true]),
            ("a `!` b !", &[false, true]),
            ("``a ` !`` !", &[false, true]),
            ("an open ` ! tick\n!", &[false, true]),
            ("```\n!\n```\n!", &[false, true]),
            ("```rust\nx ! ``` !\n```  \n!", &[false, false, true]),
            ("```\n``` no\n!\n```\n!", &[false, true]),
            ("~~~\n```\n!\n~~~\n!", &[false, true]),
            ("````\n```\n!\n````\n!", &[false, true]),
            ("  ```\n!\n  ```\n!", &[false, true]),
            ("- ```\n  !\n  ```\n!", &[false, true]),
            ("12. ```\n    !\n    ```\n!", &[false, true]),
            ("a - ```\n!", &[true]),
            ("```code``` !", &[true]),
            ("> ! quoted\n!", &[false, true]),
            ("- > ! quoted\n!", &[false, true]),
            ("a > ! b", &[true]),
            ("\\! \\\\!", &[false, true]),
            ("text\n\n    !indented", &[false]),
            ("text\n\n    one\n    !two\n!", &[false, true]),
            ("- list\n    !indented", &[true]),
            ("a ~~~ ! b", &[true]),
            ("1.5 !", &[true]),
            ("*! stars*", &[true]),
        ];
        for (text, expected) in cases {
            assert_eq!(open_places(text), expected, "{text:?}");
        }
    }
}
