//! Tracks the position in a Markdown text, since a call in code or in a quotation is only an example.

/// The first byte of `◁` in UTF-8.
const LOZENGE: u8 = 0xe2;

/// The state of the current line. Calls are ignored in code (fences, code spans and indented blocks) and in `>`
/// quotations.
#[derive(Debug)]
pub struct MarkdownLine {
    start: Start,
    indent: usize,
    /// True if indented code may begin here: the previous line is blank or indented code.
    may_be_code: bool,
    quoted: bool,
    /// True if an odd number of backslashes precedes the next character.
    escaped: bool,
    previous: Option<char>,
    /// The last character on this line that is not whitespace.
    last_visible: Option<char>,
    /// The current run of backticks or tildes.
    run: Option<Run>,
    /// The number of backticks that opened the current code span, or 0.
    span: usize,
    fence: Option<Fence>,
}

/// The beginning of the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Start {
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
    start: Start,
}

#[derive(Debug, Clone, Copy)]
struct Fence {
    mark: char,
    length: usize,
    stage: Stage,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// In the rest of the opening line.
    Opening,
    Open,
    /// On a line that closes the fence so far.
    Closing,
}

impl Default for MarkdownLine {
    fn default() -> Self {
        Self {
            start: Start::Blank,
            indent: 0,
            may_be_code: true,
            quoted: false,
            escaped: false,
            previous: None,
            last_visible: None,
            run: None,
            span: 0,
            fence: None,
        }
    }
}

impl MarkdownLine {
    /// Returns the state after a thought. The line may not have begun there, so its indent is ignored.
    pub fn after_thought() -> Self {
        Self { may_be_code: false, ..Self::default() }
    }

    /// Passes the part at the beginning of a text that has no Markdown meaning here and begins no call. Returns its
    /// length in bytes.
    pub fn pass_inert(&mut self, text: &str, begins_call: impl Fn(&str) -> bool) -> usize {
        if self.start != Start::Past || self.run.is_some() || self.escaped || self.closes_fence() {
            return 0;
        }
        let shows = self.is_code_or_quotation();
        let special = |(place, byte): &(usize, u8)| match *byte {
            b'\n' | b'`' | b'\\' => true,
            b'[' | b'<' | b'{' | LOZENGE => !shows && begins_call(&text[*place..]),
            _ => false,
        };
        let inert = text.bytes().enumerate().find(special).map_or(text.len(), |(place, _)| place);
        if let Some(last) = text[..inert].chars().next_back() {
            self.previous = Some(last);
            self.last_visible = text[..inert].trim_end().chars().next_back().or(self.last_visible);
        }
        inert
    }

    /// Returns true if a call may begin with the next character.
    pub fn may_call(&mut self, next: char) -> bool {
        self.end_run(next);
        !self.escaped && !self.is_code_or_quotation()
    }

    /// Returns true if a fence is closed here, unless text follows on the line.
    pub fn closes_fence(&self) -> bool {
        self.fence.is_some_and(|fence| fence.stage == Stage::Closing)
    }

    pub fn is_at_start(&self) -> bool {
        self.start == Start::Blank
    }

    pub fn previous(&self) -> Option<char> {
        self.previous
    }

    pub fn last_visible(&self) -> Option<char> {
        self.last_visible
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
    fn is_code_or_quotation(&self) -> bool {
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
        if self.start != Start::Past {
            self.begin(next);
        }
        // More text follows on the line, so it does not close the fence.
        if let Some(fence) = self.fence.as_mut().filter(|fence| fence.stage == Stage::Closing)
            && !next.is_whitespace()
        {
            fence.stage = Stage::Open;
        }
        self.escaped = next == '\\' && !self.escaped;
        self.previous = Some(next);
        self.last_visible = Some(next).filter(|next| !next.is_whitespace()).or(self.last_visible);
    }

    fn begin(&mut self, next: char) {
        let begins_block = matches!(self.start, Start::Blank | Start::Item);
        match next {
            ' ' if self.is_at_start() => self.indent += 1,
            '\t' if self.is_at_start() => self.indent += 4,
            _ if next.is_whitespace() && begins_block => {}
            ' ' | '\t' if self.start == Start::Mark => self.start = Start::Item,
            '-' | '*' | '+' if begins_block => self.start = Start::Mark,
            '0'..='9' if begins_block || self.start == Start::Number => self.start = Start::Number,
            '.' | ')' if self.start == Start::Number => self.start = Start::Mark,
            _ => {
                self.quoted = next == '>' && begins_block;
                self.start = Start::Past;
            }
        }
    }

    fn is_indented_code(&self) -> bool {
        self.indent >= 4 && self.may_be_code
    }

    fn break_line(&mut self) {
        let open = self.fence.filter(|fence| fence.stage != Stage::Closing);
        let fence = open.map(|fence| Fence { stage: Stage::Open, ..fence });
        let may_be_code = self.is_at_start() || self.is_indented_code();
        *self = Self { may_be_code, fence, previous: Some('\n'), ..Self::default() };
    }

    fn count(&mut self, mark: char) {
        match &mut self.run {
            Some(run) => run.length += 1,
            // A run of tildes within a line has no meaning.
            None if mark == '`' || self.start != Start::Past => {
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
            Some(fence) if fence.stage == Stage::Opening && fence.mark == '`' && ticks => {
                self.fence = None;
                self.span = if fence.length == run.length { 0 } else { fence.length };
            }
            Some(fence)
                if run.start == Start::Blank && fence.mark == run.mark && run.length >= fence.length =>
            {
                self.fence = Some(Fence { stage: Stage::Closing, ..fence });
            }
            None if matches!(run.start, Start::Blank | Start::Item) && run.length >= 3 => {
                self.fence = Some(Fence { mark: run.mark, length: run.length, stage: Stage::Opening });
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

    /// Returns, for each position marked with `!`, true if a call may begin there.
    fn open_places(text: &str) -> Vec<bool> {
        let mut line = MarkdownLine::default();
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
