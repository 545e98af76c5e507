//! Reads the characters of a script one after another.

/// The characters of a script and a position among them.
pub struct ScriptScanner {
    text: Vec<char>,
    at: usize,
}

impl ScriptScanner {
    pub fn new(script: &str) -> Self {
        Self { text: script.chars().collect(), at: 0 }
    }

    pub fn is_at_end(&self) -> bool {
        self.at >= self.text.len()
    }

    pub fn peek(&self) -> Option<char> {
        self.text.get(self.at).copied()
    }

    pub fn take(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += 1;
        Some(next)
    }

    /// Takes the next character if it is the wanted one. Returns true if it was.
    pub fn take_if(&mut self, wanted: char) -> bool {
        let is_there = self.peek() == Some(wanted);
        self.at += usize::from(is_there);
        is_there
    }

    pub fn skip_while(&mut self, skips: impl Fn(char) -> bool) {
        while self.peek().is_some_and(&skips) {
            self.at += 1;
        }
    }

    /// Takes the rest of the current line, without its end.
    pub fn take_line(&mut self) -> String {
        let begin = self.at;
        self.skip_while(|next| next != '\n');
        let line = self.text[begin..self.at].iter().collect();
        self.take();
        line
    }

    /// Returns everything that has not been taken.
    pub fn rest(&self) -> String {
        self.text[self.at..].iter().collect()
    }

    /// Takes the name of a variable, which may be empty. A line continuation inside it is skipped.
    pub fn take_name(&mut self) -> String {
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

    /// Takes an ANSI-C quoted string such as `\x72m'` up to its closing quote. `None` stands for a character that is
    /// not known.
    pub fn take_ansi_quoted(&mut self) -> Vec<Option<char>> {
        let mut characters = Vec::new();
        while let Some(next) = self.take().filter(|next| *next != '\'') {
            if next != '\\' {
                characters.push(Some(next));
                continue;
            }
            let Some(kind) = self.take() else { break };
            characters.push(match kind {
                'x' => self.take_code(16, 2),
                'u' => self.take_code(16, 4),
                'U' => self.take_code(16, 8),
                '0'..='7' => {
                    self.at -= 1;
                    self.take_code(8, 3)
                }
                'n' => Some('\n'),
                't' => Some('\t'),
                'r' => Some('\r'),
                'a' | 'b' | 'e' | 'E' | 'f' | 'v' => None,
                'c' => {
                    self.take();
                    None
                }
                other => Some(other),
            });
        }
        characters
    }

    /// Takes a character code of at most `most` digits.
    fn take_code(&mut self, base: u32, most: usize) -> Option<char> {
        let mut number = 0_u32;
        for _ in 0..most {
            let Some(digit) = self.peek().and_then(|next| next.to_digit(base)) else { break };
            number = number.wrapping_mul(base).wrapping_add(digit);
            self.at += 1;
        }
        char::from_u32(number)
    }
}
