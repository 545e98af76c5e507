//! Reads quotes and `$` expansions: the part of their text that is known, and the commands in them.

use super::found::{Found, Word};
use super::reader::{Reader, read};

/// Reads the command substitutions in a text such as a here-document.
pub fn read_substitutions(text: &str, depth: usize, found: &mut Found) {
    let mut reader = Reader::new(text, depth, found);
    while reader.at < reader.text.len() {
        reader.double_quotes(None);
    }
}

impl Reader<'_> {
    /// Reads a part of a word. Its first character has been taken.
    pub(super) fn piece(&mut self, next: char) {
        match next {
            '\\' => match self.take() {
                Some('\n') | None => {}
                Some(escaped) => self.push(escaped),
            },
            '\'' => self.single_quotes(),
            '"' => self.double_quotes(Some('"')),
            // The delimiter of a here-document is taken literally.
            '`' | '$' if self.is_delimiter() => self.push(next),
            '`' => self.backticks(false),
            '$' => self.dollar(false),
            _ => {
                self.folded |= next == '{';
                self.push(next);
            }
        }
    }

    fn single_quotes(&mut self) {
        self.word.get_or_insert_with(|| Word::known(""));
        while let Some(next) = self.take() {
            if next == '\'' {
                return;
            }
            self.push(next);
        }
        self.found.doubtful = true;
    }

    fn double_quotes(&mut self, end: Option<char>) {
        self.word.get_or_insert_with(|| Word::known(""));
        while let Some(next) = self.take() {
            match next {
                _ if Some(next) == end => return,
                '`' => self.backticks(true),
                '$' => self.dollar(true),
                '\\' => match self.take() {
                    Some('\n') | None => {}
                    Some(escaped @ ('$' | '`' | '"' | '\\')) => self.push(escaped),
                    Some(other) => {
                        self.push('\\');
                        self.push(other);
                    }
                },
                _ => self.push(next),
            }
        }
        self.found.doubtful |= end.is_some();
    }

    fn backticks(&mut self, quoted: bool) {
        let mut script = String::new();
        while let Some(next) = self.take().filter(|next| *next != '`') {
            match self.peek() {
                Some(escaped @ ('`' | '\\' | '$')) if next == '\\' => {
                    self.at += 1;
                    script.push(escaped);
                }
                Some('"') if next == '\\' && quoted => {}
                _ => script.push(next),
            }
        }
        read(&script, self.depth + 1, self.found);
        self.push_unknown();
    }

    /// Reads the expansion after a `$` that has been taken.
    fn dollar(&mut self, quoted: bool) {
        match self.peek() {
            Some('(') => {
                self.at += 1;
                self.nested_list();
                self.push_unknown();
            }
            Some('{') => {
                self.at += 1;
                self.parameter(quoted);
            }
            Some('\'') if !quoted => {
                self.at += 1;
                self.ansi_quotes();
            }
            Some('"') if !quoted => {}
            Some(first) if first.is_ascii_alphabetic() || first == '_' => {
                let name = self.name();
                self.variable(&name, quoted);
            }
            Some(one) if one.is_ascii_digit() || "@*#?-$!".contains(one) => {
                self.at += 1;
                self.push_unknown();
            }
            _ => self.push('$'),
        }
    }

    fn name(&mut self) -> String {
        let mut name = String::new();
        loop {
            match self.peek() {
                Some(next) if next.is_ascii_alphanumeric() || next == '_' => name.push(next),
                Some('\\') if self.text.get(self.at + 1) == Some(&'\n') => self.at += 1,
                _ => return name,
            }
            self.at += 1;
        }
    }

    fn variable(&mut self, name: &str, quoted: bool) {
        match self.found.variable(name) {
            _ if name == "IFS" && !quoted => self.end_word(),
            Some(value) => {
                for next in value.chars() {
                    if next.is_whitespace() && !quoted { self.end_word() } else { self.push(next) }
                }
                self.push_unknown();
            }
            None => self.push_unknown(),
        }
    }

    /// Reads `${name}` or `${name:-word}`. The result is the value of the name if it is known, and otherwise may be the
    /// word.
    fn parameter(&mut self, quoted: bool) {
        let name = self.name();
        if self.took('}') {
            self.variable(&name, quoted);
            return;
        }
        self.push_unknown();
        if self.is_too_deep() {
            return;
        }
        let before = self.word.clone();
        self.took(':');
        let stands_in = matches!(self.peek(), Some('-' | '=' | '+'));
        self.at += usize::from(stands_in);
        self.depth += 1;
        while let Some(next) = self.take().filter(|next| *next != '}') {
            // The context decides if a quote is special here.
            self.found.doubtful |= quoted && matches!(next, '\'' | '"');
            if stands_in && !quoted && next.is_whitespace() { self.end_word() } else { self.piece(next) }
        }
        self.depth -= 1;
        if name == "IFS" || !stands_in || self.found.variable(&name).is_some() {
            self.word = before;
            self.variable(&name, quoted);
        } else {
            self.push_unknown();
        }
    }

    /// Reads an ANSI-C quoted string such as `$'\x72m'`.
    fn ansi_quotes(&mut self) {
        self.word.get_or_insert_with(|| Word::known(""));
        while let Some(next) = self.take().filter(|next| *next != '\'') {
            if next != '\\' {
                self.push(next);
                continue;
            }
            let Some(kind) = self.take() else { return };
            let decoded = match kind {
                'x' => self.code(16, 2),
                'u' => self.code(16, 4),
                'U' => self.code(16, 8),
                '0'..='7' => {
                    self.at -= 1;
                    self.code(8, 3)
                }
                'n' => Some('\n'),
                't' => Some('\t'),
                'r' => Some('\r'),
                'a' | 'b' | 'e' | 'E' | 'f' | 'v' => None,
                'c' => {
                    self.at += 1;
                    None
                }
                other => Some(other),
            };
            match decoded {
                Some(character) => self.push(character),
                None => self.push_unknown(),
            }
        }
    }

    /// Reads a character code of at most `most` digits.
    fn code(&mut self, base: u32, most: usize) -> Option<char> {
        let mut number = 0_u32;
        for _ in 0..most {
            let Some(digit) = self.peek().and_then(|next| next.to_digit(base)) else { break };
            number = number.wrapping_mul(base).wrapping_add(digit);
            self.at += 1;
        }
        char::from_u32(number)
    }
}
