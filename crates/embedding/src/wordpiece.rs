//! WordPiece tokenizer of uncased BERT models.

use std::collections::HashMap;

use icu_normalizer::DecomposingNormalizerBorrowed;
use serde::Deserialize;
use unicode_general_category::{GeneralCategory as Category, get_general_category};

/// The maximum number of tokens of a text; the model was trained with texts of this length.
const MOST_PIECES: usize = 256;
/// The maximum length of a word in characters; longer words become the unknown token.
const LONGEST_WORD: usize = 100;
/// The maximum number of characters read; more than any text of [`MOST_PIECES`] tokens needs.
const MOST_CHARACTERS: usize = 64 << 10;

/// The vocabulary of the tokenizer.
#[derive(Debug)]
pub(crate) struct WordPieces {
    /// Pieces that begin a word. Pieces that continue one are in `continuations`, without their `##`.
    beginnings: HashMap<Box<str>, i64>,
    continuations: HashMap<Box<str>, i64>,
    begin: i64,
    end: i64,
    unknown: i64,
}

#[derive(Deserialize)]
struct File {
    model: Model,
}

#[derive(Deserialize)]
struct Model {
    vocab: HashMap<Box<str>, i64>,
}

impl WordPieces {
    /// Reads a `tokenizer.json`.
    pub(crate) fn parse(file: &[u8]) -> Option<Self> {
        let vocab = serde_json::from_slice::<File>(file).ok()?.model.vocab;
        let (begin, end, unknown) = (*vocab.get("[CLS]")?, *vocab.get("[SEP]")?, *vocab.get("[UNK]")?);
        let (mut beginnings, mut continuations) = (HashMap::new(), HashMap::new());
        for (piece, id) in vocab {
            match piece.strip_prefix("##") {
                Some(rest) => continuations.insert(rest.into(), id),
                None => beginnings.insert(piece, id),
            };
        }
        Some(Self { beginnings, continuations, begin, end, unknown })
    }

    /// Returns the token ids of a text between the begin and end tokens. Tokens beyond the limit are dropped.
    pub(crate) fn ids(&self, text: &str) -> Vec<i64> {
        let mut ids = vec![self.begin];
        for word in words(text) {
            self.append(&word, &mut ids);
            if ids.len() >= MOST_PIECES {
                break;
            }
        }
        ids.truncate(MOST_PIECES - 1);
        ids.push(self.end);
        ids
    }

    /// Appends the tokens of a word, longest piece first. If a part of the word has no piece, the whole word is
    /// unknown.
    fn append(&self, word: &str, ids: &mut Vec<i64>) {
        let before = ids.len();
        let mut rest = if word.chars().nth(LONGEST_WORD).is_none() { word } else { "" };
        let mut pieces = &self.beginnings;
        while !rest.is_empty() {
            let ends = rest.char_indices().map(|(at, letter)| at + letter.len_utf8());
            let longest = ends.rev().find_map(|end| pieces.get(&rest[..end]).map(|&id| (end, id)));
            let Some((end, id)) = longest else { break };
            ids.push(id);
            rest = &rest[end..];
            pieces = &self.continuations;
        }
        if !rest.is_empty() || ids.len() == before {
            ids.truncate(before);
            ids.push(self.unknown);
        }
    }
}

/// Returns words and punctuation marks, in lower case and without accents.
fn words(text: &str) -> impl Iterator<Item = String> {
    let cleaned =
        text.chars().take(MOST_CHARACTERS).filter(|&letter| !is_dropped(letter)).flat_map(|letter| {
            let is_word = is_ideograph(letter);
            let letter = if letter.is_whitespace() { ' ' } else { letter };
            let space = is_word.then_some(' ');
            space.into_iter().chain([letter]).chain(space)
        });
    let plain = DecomposingNormalizerBorrowed::new_nfd()
        .normalize_iter(cleaned)
        .filter(|&letter| get_general_category(letter) != Category::NonspacingMark)
        .flat_map(char::to_lowercase);
    let mut plain = plain.peekable();
    std::iter::from_fn(move || {
        while plain.next_if(|letter| letter.is_whitespace()).is_some() {}
        let mut word = String::from(plain.next()?);
        if word.chars().any(is_mark) {
            return Some(word);
        }
        while let Some(letter) = plain.next_if(|&letter| !letter.is_whitespace() && !is_mark(letter)) {
            word.push(letter);
        }
        Some(word)
    })
}

fn is_dropped(letter: char) -> bool {
    let other = matches!(
        get_general_category(letter),
        Category::Control | Category::Format | Category::PrivateUse | Category::Unassigned
    );
    letter == '\u{fffd}' || (other && !matches!(letter, '\t' | '\n' | '\r'))
}

fn is_mark(letter: char) -> bool {
    letter.is_ascii_punctuation()
        || matches!(
            get_general_category(letter),
            Category::ConnectorPunctuation
                | Category::DashPunctuation
                | Category::OpenPunctuation
                | Category::ClosePunctuation
                | Category::InitialPunctuation
                | Category::FinalPunctuation
                | Category::OtherPunctuation
        )
}

/// Returns true for ideographs: they are written without spaces, so each counts as a word.
fn is_ideograph(letter: char) -> bool {
    matches!(
        u32::from(letter),
        0x4e00..=0x9fff
            | 0x3400..=0x4dbf
            | 0x20000..=0x2a6df
            | 0x2a700..=0x2b73f
            | 0x2b740..=0x2b81f
            | 0x2b920..=0x2ceaf
            | 0xf900..=0xfaff
            | 0x2f800..=0x2fa1f
    )
}

#[cfg(test)]
#[path = "wordpiece_real.rs"]
mod real;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_piece_is_taken_first() {
        let pieces = ["[UNK]", "[CLS]", "[SEP]", "un", "##able", "##ab", "u", "."];
        let vocab: serde_json::Map<_, _> =
            pieces.iter().zip(0..).map(|(piece, id)| ((*piece).to_owned(), id.into())).collect();
        let file = serde_json::json!({ "model": { "vocab": vocab } }).to_string();
        let pieces = WordPieces::parse(file.as_bytes()).unwrap();
        for (text, expected) in [
            ("Unable.", vec![1, 3, 4, 7, 2]),
            ("unab", vec![1, 3, 5, 2]),
            ("unabc un", vec![1, 0, 3, 2]),
            ("ün", vec![1, 3, 2]),
            ("", vec![1, 2]),
        ] {
            assert_eq!(pieces.ids(text), expected, "{text}");
        }
    }

    #[test]
    fn what_is_no_vocabulary_is_refused() {
        for file in
            [&b""[..], b"{}", br#"{"model":{"vocab":{"a":1}}}"#, br#"{"model":{"vocab":{"[CLS]":-"x"}}}"#]
        {
            assert!(WordPieces::parse(file).is_none());
        }
    }
}
