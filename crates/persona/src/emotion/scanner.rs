//! Detection of sentence ends, character by character and without lookahead.

use super::words::is_picture;

/// A longer sentence is cut at its next space, or at twice this length.
const MOST_LETTERS: usize = 1000;
/// A bracket open for longer is no link.
const LONGEST_LINK: usize = 500;
/// A length above that of any abbreviation.
const LONGEST_SHORT_FORM: usize = 8;

/// Abbreviations whose dot does not end a sentence.
const SHORT_FORMS: [&str; 24] = [
    "dr", "mr", "mrs", "ms", "prof", "st", "jr", "sr", "vs", "e.g", "i.e", "eg", "ie", "cf", "approx", "gen",
    "col", "capt", "lt", "rev", "hon", "mt", "dept", "resp",
];
/// Abbreviations whose dot ends a sentence if a capital letter follows.
const OFTEN_LAST: [&str; 10] = ["etc", "a.m", "p.m", "inc", "ltd", "co", "corp", "u.s", "u.k", "al"];
/// Abbreviations whose dot does not end a sentence if a number follows.
const BEFORE_NUMBERS: [&str; 4] = ["no", "fig", "vol", "pp"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SentenceKind {
    Said,
    Code,
}

/// The state at the end of the text scanned so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum End {
    #[default]
    Open,
    /// A mark that ends a sentence if a space follows.
    Mark(Mark),
    /// Such a mark with its space.
    Space(Mark),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    /// `!`, `?`, or the dot after a plain word.
    Full,
    /// An ellipsis that may only be a pause, or the dot of an abbreviation that often ends a sentence.
    Pause,
    /// A dot that may be part of a number.
    Number,
    /// A full stop of a language that puts no space after it.
    Wide,
}

/// A link, from its `[` to its `)`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Link {
    #[default]
    None,
    Text,
    Turn,
    Target,
}

#[derive(Debug)]
pub(super) struct Scanner {
    end: End,
    /// The lengths of the current sentence and of the link in it, in characters.
    letters: usize,
    link_letters: usize,
    link: Link,
    /// The current word in lower case.
    word: String,
    word_capital: bool,
    /// True if there is only a number so far, as in a list: `1.`
    only_number: bool,
    /// True while the line has only spaces and then the marks of a fence.
    line_begins: bool,
    fence_marks: usize,
    fence: Option<char>,
    fence_closes: bool,
    inline_code: bool,
}

impl Default for Scanner {
    fn default() -> Self {
        Self {
            end: End::Open,
            letters: 0,
            link_letters: 0,
            link: Link::None,
            word: String::new(),
            word_capital: false,
            only_number: true,
            line_begins: true,
            fence_marks: 0,
            fence: None,
            fence_closes: false,
            inline_code: false,
        }
    }
}

impl Scanner {
    pub(super) fn kind(&self) -> SentenceKind {
        if self.fence.is_some() { SentenceKind::Code } else { SentenceKind::Said }
    }

    /// Processes a character. If a sentence ends before it, returns the kind of that sentence.
    pub(super) fn step(&mut self, letter: char) -> Option<SentenceKind> {
        if letter == '\n' {
            return self.line_ends();
        }
        self.find_fence(letter);
        if self.fence.is_some() {
            return None;
        }
        let ends = self.ends_before(letter) || self.is_too_long(letter);
        if ends {
            self.begin();
        }
        self.letters += 1;
        self.follow_link(letter);
        self.inline_code ^= letter == '`';
        self.end = self.end_after(letter);
        self.follow_word(letter);
        ends.then_some(SentenceKind::Said)
    }

    fn line_ends(&mut self) -> Option<SentenceKind> {
        let kind = self.kind();
        self.line_begins = true;
        self.fence_marks = 0;
        if kind == SentenceKind::Code && !self.fence_closes {
            return None;
        }
        self.fence = None;
        self.fence_closes = false;
        self.begin();
        Some(kind)
    }

    fn begin(&mut self) {
        self.end = End::Open;
        self.letters = 0;
        self.link = Link::None;
        self.inline_code = false;
        self.word.clear();
        self.only_number = true;
    }

    fn find_fence(&mut self, letter: char) {
        if !self.line_begins || (letter.is_whitespace() && self.fence_marks == 0) {
            return;
        }
        let wanted = self.fence.map_or(matches!(letter, '`' | '~'), |mark| mark == letter);
        self.fence_marks += usize::from(wanted);
        self.line_begins = wanted && self.fence_marks < 3;
        if self.fence_marks == 3 {
            self.fence_closes = self.fence.is_some();
            self.fence = Some(letter);
        }
    }

    fn ends_before(&self, letter: char) -> bool {
        match self.end {
            End::Mark(Mark::Wide) => !is_end_mark(letter) && !is_closing(letter) && !is_picture(letter),
            End::Space(_) if letter.is_whitespace() || is_picture(letter) || is_joiner(letter) => false,
            End::Space(Mark::Pause) => letter.is_uppercase() || letter.is_ascii_digit(),
            End::Space(Mark::Number) => !letter.is_ascii_digit(),
            End::Space(_) => true,
            End::Open | End::Mark(_) => false,
        }
    }

    fn is_too_long(&self, letter: char) -> bool {
        self.letters >= MOST_LETTERS * 2 || (self.letters >= MOST_LETTERS && letter.is_whitespace())
    }

    fn end_after(&self, letter: char) -> End {
        if self.inline_code || matches!(self.link, Link::Text | Link::Target) {
            return End::Open;
        }
        match (letter, self.end) {
            ('.', End::Mark(Mark::Full | Mark::Pause | Mark::Number)) | ('…', _) => End::Mark(Mark::Pause),
            ('.', End::Mark(Mark::Wide)) => self.end,
            ('.', _) => self.after_dot(),
            ('!' | '?', _) => End::Mark(Mark::Full),
            ('。' | '！' | '？', _) => End::Mark(Mark::Wide),
            (_, End::Mark(_)) if is_closing(letter) => self.end,
            (_, End::Mark(mark)) if is_picture(letter) || is_joiner(letter) => End::Mark(mark),
            (_, End::Mark(mark) | End::Space(mark)) if letter.is_whitespace() => End::Space(mark),
            (_, End::Space(_)) if is_picture(letter) || is_joiner(letter) => self.end,
            _ => End::Open,
        }
    }

    fn after_dot(&self) -> End {
        let word = self.word.as_str();
        let initial = self.word_capital && word != "i" && word.chars().count() == 1;
        if self.only_number || initial || SHORT_FORMS.contains(&word) {
            End::Open
        } else if OFTEN_LAST.contains(&word) {
            End::Mark(Mark::Pause)
        } else if BEFORE_NUMBERS.contains(&word) {
            End::Mark(Mark::Number)
        } else {
            End::Mark(Mark::Full)
        }
    }

    fn follow_word(&mut self, letter: char) {
        let listed =
            letter.is_ascii_digit() || letter.is_whitespace() || matches!(letter, '.' | ')' | '-' | '*');
        self.only_number &= listed;
        if letter.is_alphanumeric() || (letter == '.' && !self.word.is_empty()) {
            if self.word.is_empty() {
                self.word_capital = letter.is_uppercase();
            }
            if self.word.chars().count() < LONGEST_SHORT_FORM {
                self.word.extend(letter.to_lowercase());
            }
        } else {
            self.word.clear();
        }
    }

    fn follow_link(&mut self, letter: char) {
        self.link_letters += 1;
        let lost = self.link_letters > LONGEST_LINK;
        self.link = match (self.link, letter) {
            (Link::None | Link::Turn, '[') => {
                self.link_letters = 0;
                Link::Text
            }
            (Link::Text, ']') => Link::Turn,
            (Link::Turn, '(') => Link::Target,
            (Link::Target, ')') | (Link::Turn, _) => Link::None,
            (Link::Text | Link::Target, _) if lost => Link::None,
            (link, _) => link,
        };
    }
}

fn is_end_mark(letter: char) -> bool {
    matches!(letter, '.' | '!' | '?' | '…' | '。' | '！' | '？')
}

fn is_closing(letter: char) -> bool {
    matches!(letter, '"' | '\'' | ')' | ']' | '*' | '_' | '”' | '’' | '»' | '」' | '』' | '）')
}

/// Returns true for a character that belongs to the emoji before it.
fn is_joiner(letter: char) -> bool {
    matches!(letter, '\u{200d}' | '\u{fe0f}' | '\u{1f3fb}'..='\u{1f3ff}')
}
