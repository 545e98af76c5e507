//! A text without the differences that a matching strategy ignores, with a mapping of each character back to its source
//! position.

mod line_key;

use std::borrow::Cow;
use std::cell::Cell;
use std::ops::Range;

use crate::lines::lines;
pub use line_key::{LineFilter, NO_KEY, key};

/// The differences to ignore.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ignoring {
    /// Only line endings.
    Endings,
    /// Also whitespace at the end of lines.
    Trailing,
    /// Also indentation.
    Indents,
    /// Also typographic forms of quotes, dashes and spaces.
    Typography,
    /// Also all whitespace that does not separate two words.
    Blanks,
    /// Indentation, typography and letter case.
    Case,
}

#[derive(Debug)]
pub struct CanonicalText<'a> {
    pub text: Cow<'a, str>,
    /// The pieces of the text in order. Empty if the text is the source itself.
    pieces: Vec<Piece>,
    /// The piece of the last lookup, since the next one is usually nearby.
    near: Cell<usize>,
}

/// A part of the text and its source position.
#[derive(Debug, Clone, Copy)]
struct Piece {
    at: u32,
    from: u32,
    /// The source end of the one character that the whole piece stands for. `None` if each byte stands for itself.
    to: Option<u32>,
}

impl<'a> CanonicalText<'a> {
    /// Creates the canonical form of a source. `closed` adds an ending to the last line if the source has none.
    pub fn new(source: &'a str, ignoring: Ignoring, closed: bool) -> Self {
        if ignoring == Ignoring::Endings && !source.contains('\r') {
            return Self { text: Cow::Borrowed(source), pieces: Vec::new(), near: Cell::new(0) };
        }
        Self::within(source, 0..source.len(), ignoring, closed)
    }

    /// Creates the canonical form of a range of whole lines.
    pub fn within(source: &str, window: Range<usize>, ignoring: Ignoring, closed: bool) -> Self {
        let (base, source) = (window.start, &source[window]);
        let mut maker =
            Maker { text: String::with_capacity(source.len() + 1), pieces: Vec::new(), ignoring, gap: None };
        for mut line in lines(source) {
            line.start += base;
            let text = match ignoring {
                Ignoring::Endings => line.text,
                _ => line.text.trim_end(),
            };
            let from = match ignoring {
                Ignoring::Endings | Ignoring::Trailing => 0,
                _ => text.len() - text.trim_start().len(),
            };
            maker.line(line.start + from, &text[from..]);
            match line.ending {
                _ if ignoring == Ignoring::Blanks => {
                    maker.gap.get_or_insert(line.start + text.len());
                }
                None if !closed => {}
                ending => maker.end(line.text_end(), ending.map_or(0, |ending| ending.text().len())),
            }
        }
        // An empty list of pieces would mean that the text is the source itself.
        if maker.pieces.is_empty() {
            maker.pieces.push(Piece { at: 0, from: 0, to: None });
        }
        Self { text: Cow::Owned(maker.text), pieces: maker.pieces, near: Cell::new(0) }
    }

    /// Returns the source start of the character that a byte came from.
    pub fn start(&self, byte: usize) -> usize {
        match self.piece(byte) {
            None => byte,
            Some(Piece { at, from, to: None }) => from as usize + (byte - at as usize),
            Some(Piece { from, to: Some(_), .. }) => from as usize,
        }
    }

    /// Returns the source end of the character that a byte came from.
    pub fn end(&self, byte: usize) -> usize {
        match self.piece(byte) {
            Some(Piece { to: Some(to), .. }) => to as usize,
            _ => self.start(byte) + 1,
        }
    }

    /// Returns the first byte that came from the source offset or later.
    pub fn first_from(&self, offset: usize) -> usize {
        if self.pieces.is_empty() {
            return offset;
        }
        let next = self.pieces.partition_point(|piece| piece.from as usize <= offset);
        let end = self.pieces.get(next).map_or(self.text.len(), |piece| piece.at as usize);
        match next.checked_sub(1).map(|last| self.pieces[last]) {
            Some(Piece { at, from, .. }) if from as usize == offset => at as usize,
            Some(Piece { at, from, to: None }) => (at as usize + offset - from as usize).min(end),
            _ => end,
        }
    }

    /// Returns true if two bytes came from one source character, so that the text cannot be cut between them.
    pub fn is_one_sign(&self, one: usize, other: usize) -> bool {
        self.start(one) == self.start(other)
    }

    fn piece(&self, byte: usize) -> Option<Piece> {
        let holds = |place: usize| {
            self.pieces[place].at as usize <= byte
                && self.pieces.get(place + 1).is_none_or(|next| byte < next.at as usize)
        };
        let near = self.near.get();
        let place = match (near..self.pieces.len().min(near + 3)).find(|&place| holds(place)) {
            Some(place) => place,
            None => self.pieces.partition_point(|piece| piece.at as usize <= byte).checked_sub(1)?,
        };
        self.near.set(place);
        Some(self.pieces[place])
    }
}

struct Maker {
    text: String,
    pieces: Vec<Piece>,
    ignoring: Ignoring,
    /// The source position of the whitespace that was skipped last.
    gap: Option<usize>,
}

impl Maker {
    fn line(&mut self, from: usize, text: &str) {
        match self.ignoring {
            Ignoring::Endings | Ignoring::Trailing | Ignoring::Indents => self.run(from, text),
            Ignoring::Typography | Ignoring::Case => self.letters(from, text),
            Ignoring::Blanks => {
                let mut rest = text;
                while !rest.is_empty() {
                    let at = from + text.len() - rest.len();
                    let length = word_length(rest);
                    self.word(at, &rest[..length]);
                    if length < rest.len() {
                        self.gap = Some(at + length);
                    }
                    rest = rest[length..].trim_start();
                }
            }
        }
    }

    /// Adds a run without whitespace, preceded by one space if it must be separated from the previous word.
    fn word(&mut self, from: usize, word: &str) {
        if let Some(gap) = self.gap.take()
            && self.text.chars().next_back().is_some_and(is_word_char)
            && word.chars().flat_map(|letter| keyboard_form(letter).chars()).next().is_some_and(is_word_char)
        {
            self.sign(gap, from, [' ']);
        }
        self.letters(from, word);
    }

    /// Adds characters in the form that the strategy compares. Most of them stand for themselves.
    fn letters(&mut self, from: usize, text: &str) {
        let is_case = self.ignoring == Ignoring::Case;
        let mut rest = text;
        while !rest.is_empty() {
            let at = from + text.len() - rest.len();
            let length = if is_case { small_length(rest) } else { plain_length(rest) };
            let before = self.text.len();
            self.run(at, &rest[..length]);
            if is_case {
                self.text[before..].make_ascii_lowercase();
            }
            rest = &rest[length..];
            if let Some(letter) = rest.chars().next() {
                self.letter(at + length, letter);
                rest = &rest[letter.len_utf8()..];
            }
        }
    }

    fn letter(&mut self, from: usize, letter: char) {
        let to = from + letter.len_utf8();
        if self.ignoring == Ignoring::Case {
            let mut small = keyboard_form(letter).chars().flat_map(char::to_lowercase);
            match (small.next(), small.next()) {
                (Some(one), None) if one.len_utf8() == letter.len_utf8() => {
                    self.run(from, one.encode_utf8(&mut [0; 4]));
                }
                (one, other) => self.sign(from, to, one.into_iter().chain(other).chain(small)),
            }
        } else if let KeyboardForm::One(letter) = keyboard_form(letter) {
            self.run(from, letter.encode_utf8(&mut [0; 4]));
        } else {
            self.sign(from, to, keyboard_form(letter).chars());
        }
    }

    /// Adds text that stands for itself, byte by byte.
    #[allow(clippy::cast_possible_truncation, reason = "the ladder refuses texts of gigabytes")]
    fn run(&mut self, from: usize, text: &str) {
        let at = self.text.len();
        let goes_on =
            |piece: &Piece| piece.to.is_none() && piece.from as usize + (at - piece.at as usize) == from;
        if !text.is_empty() && !self.pieces.last().is_some_and(goes_on) {
            self.pieces.push(Piece { at: at as u32, from: from as u32, to: None });
        }
        self.text.push_str(text);
    }

    /// Adds the replacement of one source character. An empty replacement drops the character.
    #[allow(clippy::cast_possible_truncation, reason = "the ladder refuses texts of gigabytes")]
    fn sign(&mut self, from: usize, to: usize, letters: impl IntoIterator<Item = char>) {
        let at = self.text.len();
        self.text.extend(letters);
        if self.text.len() > at {
            self.pieces.push(Piece { at: at as u32, from: from as u32, to: Some(to as u32) });
        }
    }

    fn end(&mut self, from: usize, length: usize) {
        if length == 1 { self.run(from, "\n") } else { self.sign(from, from + length, ['\n']) }
    }
}

/// Returns the number of bytes before the next whitespace.
fn word_length(text: &str) -> usize {
    let is_end = |byte: &u8| matches!(byte, b'\t'..=b'\r' | b' ') || !byte.is_ascii();
    match text.as_bytes().iter().position(is_end) {
        Some(at) if text.as_bytes()[at].is_ascii() => at,
        Some(at) => text[at..].find(char::is_whitespace).map_or(text.len(), |more| at + more),
        None => text.len(),
    }
}

pub fn is_word_char(letter: char) -> bool {
    match letter {
        '\0'..='\x7f' => letter.is_ascii_alphanumeric() || letter == '_',
        // A fast path: nearly all of these are letters, and the general test below is slow.
        '\u{400}'..='\u{52f}'
        | '\u{3041}'..='\u{30ff}'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7a3}' => true,
        _ => letter.is_alphanumeric(),
    }
}

/// The keyboard form of a character. Invisible characters become empty.
#[derive(Clone, Copy)]
pub enum KeyboardForm {
    One(char),
    Some(&'static str),
}

impl KeyboardForm {
    pub fn chars(self) -> impl Iterator<Item = char> {
        let (one, some) = match self {
            Self::One(letter) => (Some(letter), ""),
            Self::Some(text) => (None, text),
        };
        one.into_iter().chain(some.chars())
    }
}

/// Returns the number of bytes before a character that may have a different keyboard form.
fn plain_length(text: &str) -> usize {
    text.bytes().position(may_be_folded).unwrap_or(text.len())
}

/// Returns the number of bytes before a non-ASCII character that may have a different lower-case or keyboard form.
fn small_length(text: &str) -> usize {
    let mut length = 0;
    loop {
        let rest = &text.as_bytes()[length..];
        length += rest.iter().position(|byte| !byte.is_ascii()).unwrap_or(rest.len());
        match text[length..].chars().next() {
            Some(letter) if is_small(letter) => length += letter.len_utf8(),
            _ => return length,
        }
    }
}

/// A fast check for letters without a different lower-case or keyboard form. It does not cover all of them.
fn is_small(letter: char) -> bool {
    matches!(letter, '\u{430}'..='\u{45f}' | '\u{3041}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}')
}

/// Returns true if a character that begins with this byte may have a different keyboard form.
fn may_be_folded(byte: u8) -> bool {
    matches!(byte, 0xc2 | 0xc3 | 0xe2 | 0xe3 | 0xef)
}

pub fn keyboard_form(letter: char) -> KeyboardForm {
    if letter.is_ascii() {
        return KeyboardForm::One(letter);
    }
    KeyboardForm::Some(match letter {
        '\u{2018}' | '\u{2019}' | '\u{201a}' | '\u{201b}' | '\u{2032}' | '\u{ff07}' => "'",
        '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{201f}' | '\u{2033}' | '\u{ab}' | '\u{bb}' | '\u{ff02}' => {
            "\""
        }
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}' => "-",
        '\u{2026}' => "...",
        '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => " ",
        '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}' | '\u{ad}' => "",
        '\u{fb01}' => "fi",
        '\u{fb02}' => "fl",
        '\u{d7}' => "x",
        _ => return KeyboardForm::One(letter),
    })
}
