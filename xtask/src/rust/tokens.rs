//! Splits Rust source into tokens.

/// The kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// An identifier or a keyword.
    Word,
    /// A punctuation character, or `::`.
    Mark,
    /// A number, a character or a string.
    Literal,
    Lifetime,
    /// A line of documentation, `///` or `//!`, without its slashes.
    Doc,
    /// Any other comment, with its slashes.
    Comment,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RustToken<'a> {
    pub kind: TokenKind,
    pub text: &'a str,
    /// The number of its first line, counted from one.
    pub line: usize,
}

impl RustToken<'_> {
    pub fn is(&self, text: &str) -> bool {
        self.text == text && matches!(self.kind, TokenKind::Word | TokenKind::Mark)
    }

    pub fn is_word(&self) -> bool {
        self.kind == TokenKind::Word
    }

    /// Returns true for documentation and other comments, which are not code.
    pub fn is_comment(&self) -> bool {
        matches!(self.kind, TokenKind::Doc | TokenKind::Comment)
    }
}

/// Splits the source into tokens, including comments. Text that is not valid Rust yields tokens as well.
///
/// This program is built without optimization, so the code works on bytes and compares few of them.
pub fn tokens(source: &str) -> Vec<RustToken<'_>> {
    let mut reader = Reader { source, bytes: source.as_bytes(), at: 0, line: 1 };
    let mut tokens = Vec::with_capacity(source.len() / 5);
    while let Some(token) = reader.next() {
        tokens.push(token);
    }
    tokens
}

struct Reader<'a> {
    source: &'a str,
    bytes: &'a [u8],
    at: usize,
    line: usize,
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> Option<RustToken<'a>> {
        while let Some(b' ' | b'\n' | b'\t' | b'\r') = self.byte(0) {
            if self.byte(0) == Some(b'\n') {
                self.line += 1;
            }
            self.at += 1;
        }
        let (start, line) = (self.at, self.line);
        let kind = match self.byte(0)? {
            b'/' if self.byte(1) == Some(b'/') => return Some(self.comment()),
            b'/' if self.byte(1) == Some(b'*') => self.block_comment(),
            b'"' => self.quoted(b'"'),
            b'\'' => self.character_or_lifetime(),
            b'0'..=b'9' => self.word(TokenKind::Literal),
            b'b' | b'c' | b'r' => self.word_or_literal(),
            byte if is_in_word(byte) => self.word(TokenKind::Word),
            b':' if self.byte(1) == Some(b':') => self.mark(2),
            _ => self.mark(1),
        };
        // The prefix of a raw identifier is not part of its name.
        let raw = usize::from(kind == TokenKind::Word && self.bytes.get(start + 1) == Some(&b'#')) * 2;
        Some(RustToken { kind, text: self.source.get(start + raw..self.at)?, line })
    }

    fn byte(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    fn mark(&mut self, length: usize) -> TokenKind {
        self.at += length;
        TokenKind::Mark
    }

    fn word(&mut self, kind: TokenKind) -> TokenKind {
        while self.byte(0).is_some_and(is_in_word) {
            self.at += 1;
        }
        kind
    }

    /// Reads a word that may be the prefix of a literal or of a raw identifier.
    fn word_or_literal(&mut self) -> TokenKind {
        let start = self.at;
        self.word(TokenKind::Word);
        let is_raw = match self.bytes.get(start..self.at) {
            Some(b"r" | b"br" | b"cr") => true,
            Some(b"b" | b"c") => false,
            _ => return TokenKind::Word,
        };
        match self.byte(0) {
            Some(b'"' | b'#') if is_raw => {
                let hashes = self.bytes.iter().skip(self.at).take_while(|byte| **byte == b'#').count();
                if self.byte(hashes) != Some(b'"') {
                    self.at += 1;
                    return self.word(TokenKind::Word);
                }
                let end = format!("\"{}", "#".repeat(hashes));
                let inside = self.at + hashes + 1;
                let length = self.source.get(inside..).and_then(|rest| rest.find(&end));
                self.move_to(length.map_or(self.bytes.len(), |length| inside + length + end.len()));
                TokenKind::Literal
            }
            Some(quote @ (b'"' | b'\'')) => self.quoted(quote),
            _ => TokenKind::Word,
        }
    }

    /// Reads a literal, including its closing quote.
    fn quoted(&mut self, quote: u8) -> TokenKind {
        let mut end = self.at + 1;
        while let Some(byte) = self.bytes.get(end).filter(|byte| **byte != quote) {
            end += if *byte == b'\\' { 2 } else { 1 };
        }
        self.move_to((end + 1).min(self.bytes.len()));
        TokenKind::Literal
    }

    /// Reads a lifetime, such as `'a`, or a character, such as `'a'` or `'\n'`.
    fn character_or_lifetime(&mut self) -> TokenKind {
        let inside = self.source.get(self.at + 1..).and_then(|rest| rest.chars().next());
        let length = inside.map_or(0, char::len_utf8);
        if inside == Some('\\') || self.byte(1 + length) == Some(b'\'') {
            return self.quoted(b'\'');
        }
        self.at += 1;
        self.word(TokenKind::Lifetime)
    }

    fn comment(&mut self) -> RustToken<'a> {
        let rest = self.source.get(self.at..).unwrap_or_default();
        let text = rest.split('\n').next().unwrap_or_default();
        self.at += text.len();
        let is_doc = text.starts_with("//!") || text.starts_with("///") && !text.starts_with("////");
        let (kind, text) =
            if is_doc { (TokenKind::Doc, text.get(3..)) } else { (TokenKind::Comment, Some(text)) };
        RustToken { kind, text: text.unwrap_or_default().trim(), line: self.line }
    }

    /// Reads a block comment, which may contain others.
    fn block_comment(&mut self) -> TokenKind {
        let (mut depth, mut at) = (0_usize, self.at);
        while at < self.bytes.len() {
            match self.bytes.get(at..at + 2) {
                Some(b"/*") => (depth, at) = (depth + 1, at + 2),
                Some(b"*/") => (depth, at) = (depth - 1, at + 2),
                _ => at += 1,
            }
            if depth == 0 {
                break;
            }
        }
        self.move_to(at);
        TokenKind::Comment
    }

    /// Moves to the end of a token that may span several lines.
    fn move_to(&mut self, end: usize) {
        let passed = self.source.get(self.at..end).unwrap_or_default();
        self.line += passed.matches('\n').count();
        self.at = end;
    }
}

/// Returns true for a byte of a word. Outside of strings, bytes beyond ASCII are always letters.
fn is_in_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(source: &str) -> Vec<(TokenKind, &str)> {
        tokens(source).iter().map(|token| (token.kind, token.text)).collect()
    }

    #[test]
    fn words_marks_and_paths_are_told_apart() {
        use TokenKind::{Lifetime, Mark, Word};
        assert_eq!(
            read("use a::{b}; fn r#type<'a>(x: &'a u8)"),
            [
                (Word, "use"),
                (Word, "a"),
                (Mark, "::"),
                (Mark, "{"),
                (Word, "b"),
                (Mark, "}"),
                (Mark, ";"),
                (Word, "fn"),
                (Word, "type"),
                (Mark, "<"),
                (Lifetime, "'a"),
                (Mark, ">"),
                (Mark, "("),
                (Word, "x"),
                (Mark, ":"),
                (Mark, "&"),
                (Lifetime, "'a"),
                (Word, "u8"),
                (Mark, ")"),
            ]
        );
    }

    #[test]
    fn literals_hide_what_looks_like_code() {
        for literal in [
            "\"a \\\" b\"",
            "r\"a \\\"",
            "r#\"a \" b\"#",
            "b\"use x\"",
            "br##\"x \"# y\"##",
            "'\\''",
            "'\"'",
            "b'{'",
            "'ß'",
            "1_000u64",
        ] {
            let source = format!("{literal} end");
            assert_eq!(read(&source), [(TokenKind::Literal, literal), (TokenKind::Word, "end")], "{literal}");
        }
        assert_eq!(read("r").first(), Some(&(TokenKind::Word, "r")));
        assert_eq!(read("\"never closed").len(), 1);
    }

    #[test]
    fn comments_keep_their_kind_and_their_line() {
        let source = "//! A crate.\n/// A name.\n//// A rule.\n// A reason.\n/* a /* b */ c */ x";
        let read: Vec<_> = tokens(source).iter().map(|token| (token.kind, token.text, token.line)).collect();
        assert_eq!(
            read,
            [
                (TokenKind::Doc, "A crate.", 1),
                (TokenKind::Doc, "A name.", 2),
                (TokenKind::Comment, "//// A rule.", 3),
                (TokenKind::Comment, "// A reason.", 4),
                (TokenKind::Comment, "/* a /* b */ c */", 5),
                (TokenKind::Word, "x", 5),
            ]
        );
    }
}
