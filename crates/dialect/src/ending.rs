/// Notices a closing tag, character by character.
///
/// No closing tag has another `<` in it, so one place in it is all there is to know.
#[derive(Debug)]
pub struct Ending {
    text: &'static str,
    matched: usize,
}

impl Ending {
    pub fn new(text: &'static str) -> Self {
        Self { text, matched: 0 }
    }

    /// Whether this was its last character.
    pub fn feed(&mut self, next: char) -> bool {
        if self.matched == 0 && next != '<' {
            return false;
        }
        self.matched = if self.text[self.matched..].starts_with(next) {
            self.matched + next.len_utf8()
        } else if self.text.starts_with(next) {
            next.len_utf8()
        } else {
            0
        };
        let whole = self.matched == self.text.len();
        if whole {
            self.matched = 0;
        }
        whole
    }

    /// What has been read of it so far.
    pub fn begun(&self) -> &'static str {
        &self.text[..self.matched]
    }

    pub fn text(&self) -> &'static str {
        self.text
    }
}
