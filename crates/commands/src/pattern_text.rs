//! Parses the text of a pattern.

use std::str::FromStr;

use crate::pattern::{CommandPattern, PatternError, PatternPart};
use crate::plain::is_hidden;

/// One character of a part. A quoted character is literal.
struct Letter {
    character: char,
    quoted: bool,
}

/// The text between two spaces. `quoted` is true if any of it is in quotes, since `''` is an argument too.
#[derive(Default)]
struct Piece {
    letters: Vec<Letter>,
    quoted: bool,
}

impl FromStr for CommandPattern {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Self, PatternError> {
        if text.chars().any(|next| next.is_control() || is_hidden(next)) {
            return Err(PatternError::Unreadable);
        }
        let parts = cut(text)?.iter().map(|piece| part(piece)).collect::<Result<Vec<_>, _>>()?;
        match parts.iter().position(|part| *part == PatternPart::Rest) {
            _ if parts.is_empty() => Err(PatternError::Empty),
            Some(position) if position == 0 || position + 1 < parts.len() => Err(PatternError::RestNotLast),
            _ => Ok(Self::trusted(parts)),
        }
    }
}

impl TryFrom<String> for CommandPattern {
    type Error = PatternError;

    fn try_from(text: String) -> Result<Self, PatternError> {
        text.parse()
    }
}

impl From<CommandPattern> for String {
    fn from(pattern: CommandPattern) -> Self {
        pattern.to_string()
    }
}

/// Splits the text into arguments, and each argument into its alternatives.
fn cut(text: &str) -> Result<Vec<Vec<Piece>>, PatternError> {
    let mut arguments = Vec::new();
    let mut pieces: Vec<Piece> = Vec::new();
    let mut characters = text.chars();
    while let Some(next) = characters.next() {
        match next {
            ' ' => arguments.extend((!pieces.is_empty()).then(|| std::mem::take(&mut pieces))),
            '|' => {
                if pieces.is_empty() {
                    pieces.push(Piece::default());
                }
                pieces.push(Piece::default());
            }
            '\'' => {
                let piece = last(&mut pieces);
                piece.quoted = true;
                loop {
                    match characters.next().ok_or(PatternError::Unbalanced)? {
                        '\'' => break,
                        character => piece.letters.push(Letter { character, quoted: true }),
                    }
                }
            }
            '\\' => {
                let character = characters.next().ok_or(PatternError::Unbalanced)?;
                let piece = last(&mut pieces);
                piece.quoted = true;
                piece.letters.push(Letter { character, quoted: true });
            }
            character => last(&mut pieces).letters.push(Letter { character, quoted: false }),
        }
    }
    arguments.extend((!pieces.is_empty()).then_some(pieces));
    Ok(arguments)
}

fn last(pieces: &mut Vec<Piece>) -> &mut Piece {
    if pieces.is_empty() {
        pieces.push(Piece::default());
    }
    let last = pieces.len() - 1;
    &mut pieces[last]
}

fn part(pieces: &[Piece]) -> Result<PatternPart, PatternError> {
    let text = |piece: &Piece| piece.letters.iter().map(|letter| letter.character).collect::<String>();
    if let [piece] = pieces
        && !piece.quoted
    {
        match text(piece).as_str() {
            "*" => return Ok(PatternPart::Any),
            "-*" => return Ok(PatternPart::AnyOption),
            "..." => return Ok(PatternPart::Rest),
            _ => {}
        }
    }
    for piece in pieces {
        if piece.letters.is_empty() && !piece.quoted {
            return Err(PatternError::EmptyAlternative(
                pieces.iter().map(text).collect::<Vec<_>>().join("|"),
            ));
        }
        let dots = !piece.quoted && text(piece) == "...";
        if dots || piece.letters.iter().any(|letter| !letter.quoted && letter.character == '*') {
            return Err(PatternError::Mixed(text(piece)));
        }
    }
    let mut words: Vec<String> = pieces.iter().map(text).collect();
    Ok(if words.len() == 1 { PatternPart::Word(words.swap_remove(0)) } else { PatternPart::OneOf(words) })
}
