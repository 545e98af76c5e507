//! The text around a candidate, which tells if it is meant or only mentioned.

use crate::openings::{Opening, OpeningTree, TreePosition};

/// The text before a candidate.
#[derive(Debug, Clone, Copy)]
pub struct CandidateContext {
    /// True if only whitespace and calls precede it on its line.
    pub starts_line: bool,
    /// The character right before it.
    pub previous: Option<char>,
    /// The last character before it on its line that is not whitespace.
    pub last_visible: Option<char>,
    /// True if the line closes a fence, provided that only meaningless markers follow.
    pub closes_fence: bool,
}

impl CandidateContext {
    /// Returns true if the candidate does not continue a sentence. A marker that is only mentioned has a space or a
    /// quote before it.
    pub fn is_apart(self) -> bool {
        let ends_word = |previous: char| previous.is_alphanumeric() || previous == ':';
        self.starts_line
            || self.previous.is_some_and(ends_word)
            || !self.last_visible.is_some_and(continues_sentence)
    }

    /// Follows a text through the openings. Returns the position reached and the number of bytes matched. An opening
    /// that requires the start of a line matches only there.
    pub fn walk(
        self,
        openings: &OpeningTree,
        from: TreePosition,
        text: &str,
    ) -> Option<(TreePosition, usize)> {
        let (at, length) = openings.walk(from, text)?;
        let suits = self.starts_line || !openings.opened(at).is_some_and(Opening::starts_line);
        suits.then_some((at, length))
    }
}

/// Returns true if a sentence may continue after this character.
pub fn continues_sentence(last: char) -> bool {
    last.is_alphanumeric()
        || matches!(last, ',' | ':' | '(' | '/' | '&' | '+' | '*' | '_')
        || closing_quote(last).is_some()
}

/// Returns the quote that closes a quotation opened right before a call.
pub fn closing_quote(opening: char) -> Option<char> {
    Some(match opening {
        '"' | '\'' => opening,
        '“' => '”',
        '‘' => '’',
        '«' => '»',
        '»' => '«',
        '„' => '“',
        '‚' => '‘',
        '「' => '」',
        _ => return None,
    })
}
