//! Chooses the whitespace between the tokens of a changed line: that of the text, unless the edit changes it, and the
//! requested whitespace next to new tokens.

use super::partners::{common_prefix, common_suffix};
use super::tokens::{TokenizedLine, is_word, pairs};
use crate::canonical::{is_word_char, keyboard_form};

/// The error for whitespace that cannot be determined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnclearBlanks;

/// A line as quoted, as it is in the text, and as requested. The first two have the same tokens.
pub struct LineRewriter<'a, 'b> {
    old: &'b TokenizedLine<'a>,
    there: &'b TokenizedLine<'a>,
    new: &'b TokenizedLine<'a>,
    /// For each gap of the quote, true if it is in a literal, where all whitespace counts.
    literals: Vec<bool>,
}

/// A position between unchanged and changed tokens: the indices of the next old and the next new token. The end of the
/// line counts as a token.
#[derive(Clone, Copy)]
struct TokenSeam {
    old: usize,
    new: usize,
}

impl<'a, 'b> LineRewriter<'a, 'b> {
    pub fn new(old: &'b TokenizedLine<'a>, there: &'b TokenizedLine<'a>, new: &'b TokenizedLine<'a>) -> Self {
        Self { old, there, new, literals: old.literals() }
    }

    /// Returns true if only whitespace changes.
    pub fn is_of_blanks(&self) -> bool {
        self.old.tokens == self.new.tokens
    }

    /// Returns true if the text has line breaks within the quoted line.
    pub fn breaks(&self) -> bool {
        self.there.gaps.iter().any(|gap| gap.contains('\n'))
    }

    /// Writes the new line in the form that the text uses.
    pub fn write(&self, out: &mut String) -> Result<(), UnclearBlanks> {
        let mut stays = pairs(&self.old.tokens, &self.new.tokens);
        stays.push((self.old.tokens.len(), self.new.tokens.len()));
        let mut from = TokenSeam { old: 0, new: 0 };
        for (old, new) in stays {
            let to = TokenSeam { old, new };
            match (from.old == old, from.new == new) {
                (true, true) => out.push_str(self.kept(old, new)?),
                (false, true) => out.push_str(self.removed(from, to)?),
                (is_pure, false) => {
                    let (before, after) =
                        if is_pure { self.inserted(from, to)? } else { self.replaced(from, to)? };
                    out.push_str(before);
                    self.run(from, to, out);
                    out.push_str(after);
                }
            }
            out.push_str(self.there.tokens.get(old).copied().unwrap_or_default());
            from = TokenSeam { old: old + 1, new: new + 1 };
        }
        Ok(())
    }

    /// Writes new tokens without the gaps around them. If they have the same structure as the replaced ones, the gaps
    /// of the text are kept.
    fn run(&self, from: TokenSeam, to: TokenSeam, out: &mut String) {
        let is_alike = to.old - from.old == to.new - from.new
            && (0..to.new - from.new).all(|by| {
                let (old, new) = (self.old.tokens[from.old + by], self.new.tokens[from.new + by]);
                is_word(old) == is_word(new)
            })
            && (1..to.new - from.new).all(|by| self.old.gaps[from.old + by] == self.new.gaps[from.new + by]);
        for (by, at) in (from.new..to.new).enumerate() {
            if by > 0 {
                let own = self.new.gaps[at];
                let is_kept = is_alike && !self.literals[from.old + by];
                let kept = || self.apart(self.there.gaps[from.old + by], from.old + by, at);
                out.push_str(if is_kept { kept() } else { own });
            }
            let new = self.new.tokens[at];
            if is_alike {
                carry(self.old.tokens[from.old + by], self.there.tokens[from.old + by], new, out);
            } else {
                out.push_str(new);
            }
        }
    }

    /// Returns the gap between two tokens that stay adjacent.
    fn kept(&self, old: usize, new: usize) -> Result<&'a str, UnclearBlanks> {
        self.settled(self.new.gaps[new], old)
    }

    /// Returns the gap of the text, unless the edit changes the quoted gap. A gap of the text with a line break is
    /// always kept.
    fn settled(&self, asked: &'a str, old: usize) -> Result<&'a str, UnclearBlanks> {
        let (quoted, there) = (self.old.gaps[old], self.there.gaps[old]);
        match () {
            () if asked == quoted || asked == there => Ok(there),
            () if there.contains('\n') => Ok(there),
            () if self.literals[old] && quoted != there => Err(UnclearBlanks),
            () => Ok(asked),
        }
    }

    /// Returns a gap of the text before a new token, or the requested gap if the tokens would otherwise join and did
    /// not touch before.
    fn apart(&self, gap: &'a str, old: usize, new: usize) -> &'a str {
        let touches = self.there.gaps[old].is_empty() && would_join(&self.there.tokens, old);
        let joins = would_join(&self.new.tokens, new);
        if gap.is_empty() && joins && !touches { self.new.gaps[new] } else { gap }
    }

    /// Returns the gaps around replacing tokens.
    fn replaced(&self, from: TokenSeam, to: TokenSeam) -> Result<(&'a str, &'a str), UnclearBlanks> {
        let before = self.settled(self.new.gaps[from.new], from.old)?;
        let after = self.settled(self.new.gaps[to.new], to.old)?;
        Ok((self.apart(before, from.old, from.new), self.apart(after, to.old, to.new)))
    }

    /// Returns the gaps around tokens inserted between two adjacent ones. The gap of the text goes to one side.
    fn inserted(&self, from: TokenSeam, to: TokenSeam) -> Result<(&'a str, &'a str), UnclearBlanks> {
        let (quoted, there) = (self.old.gaps[to.old], self.there.gaps[to.old]);
        let (before, after) = (self.new.gaps[from.new], self.new.gaps[to.new]);
        if there == quoted {
            return Ok((before, after));
        }
        if self.literals[to.old] {
            return Err(UnclearBlanks);
        }
        let ahead = |gap| (self.apart(gap, to.old, from.new), after);
        let behind = |gap| (before, self.apart(gap, to.old, to.new));
        let (left, right) = (self.token_before(to.old), self.token_at(to.old));
        if there.contains('\n') {
            // The insertion could belong to the comment or to the line below it.
            if self.is_remark_before(to.old) {
                return Err(UnclearBlanks);
            }
            let last = self.new.tokens[to.new - 1];
            let is_item = begins_item(left) && matches!(last, ";" | "," | "}");
            return Ok(match () {
                () if closes(right) => behind(there),
                () if is_item => (there, there),
                () => ahead(there),
            });
        }
        Ok(match (before == quoted, after == quoted) {
            (true, false) => ahead(there),
            (false, true) => behind(there),
            (true, true) if left.is_none_or(binds_right) => ahead(there),
            (true, true) if !there.is_empty() && !quoted.is_empty() => ahead(there),
            (true, true) if !there.is_empty() => behind(there),
            _ => (before, after),
        })
    }

    /// Returns the gap that replaces removed tokens.
    fn removed(&self, from: TokenSeam, to: TokenSeam) -> Result<&'a str, UnclearBlanks> {
        let asked = self.new.gaps[to.new];
        let (first, last) = (from.old, to.old);
        let (quoted_first, quoted_last) = (self.old.gaps[first], self.old.gaps[last]);
        let (there_first, there_last) = (self.there.gaps[first], self.there.gaps[last]);
        if there_first == quoted_first && there_last == quoted_last {
            return Ok(asked);
        }
        if self.literals[first] || self.literals[last] {
            return Err(UnclearBlanks);
        }
        let (left, right) = (self.token_before(first), self.token_at(last));
        let (does_open, does_close) = (left.is_none_or(opens), closes(right));
        let (breaks_first, breaks_last) = (there_first.contains('\n'), there_last.contains('\n'));
        let chosen = match (asked == quoted_first, asked == quoted_last) {
            // The brackets become empty.
            _ if left.is_some_and(opens) && right.is_some() && does_close => asked,
            (true, true) if does_close => there_last,
            (true, true) if does_open => there_first,
            _ if breaks_first && breaks_last && there_first != there_last => return Err(UnclearBlanks),
            _ if breaks_first => there_first,
            _ if breaks_last => there_last,
            (true, true) if there_last == asked => there_last,
            (true, _) => there_first,
            (false, true) => there_last,
            (false, false) => asked,
        };
        Ok(self.apart(chosen, first, to.new))
    }

    fn token_before(&self, old: usize) -> Option<&'a str> {
        old.checked_sub(1).map(|before| self.old.tokens[before])
    }

    fn token_at(&self, old: usize) -> Option<&'a str> {
        self.old.tokens.get(old).copied()
    }

    /// Returns true if the line of the text before a gap contains a comment.
    fn is_remark_before(&self, old: usize) -> bool {
        let begin = (0..old).rev().find(|&at| self.there.gaps[at].contains('\n')).unwrap_or(0);
        let line = &self.there.tokens[begin..old];
        let is_pair = |at: usize, sign: &str| {
            line[at] == sign && line.get(at + 1) == Some(&sign) && self.there.gaps[begin + at + 1].is_empty()
        };
        (0..line.len()).any(|at| line[at] == "#" || is_pair(at, "/") || is_pair(at, "-"))
    }
}

/// Writes a new word in place of an old one. If the text has the old word in other characters, the shared parts keep
/// them.
fn carry(old: &str, there: &str, new: &str, out: &mut String) {
    let is_other =
        old != there && there.chars().flat_map(|letter| keyboard_form(letter).chars()).eq(old.chars());
    let same = if is_other { common_prefix(old, new) } else { 0 };
    let tail = if is_other { common_suffix(&old[same..], &new[same..]) } else { 0 };
    // For each character of the text, the end of the corresponding part of the old word and its own end.
    let ends = there.char_indices().scan(0, |length, (at, letter)| {
        *length += keyboard_form(letter).chars().map(char::len_utf8).sum::<usize>();
        Some((*length, at + letter.len_utf8()))
    });
    let ends: Vec<(usize, usize)> = std::iter::once((0, 0)).chain(ends).collect();
    let head = ends.iter().rev().find(|(length, _)| *length <= same).copied().unwrap_or_default();
    let rest = ends.iter().find(|(length, _)| *length >= old.len() - tail).copied();
    let (rest, to) = rest.filter(|_| tail > 0).unwrap_or((old.len(), there.len()));
    out.push_str(&there[..head.1]);
    out.push_str(&new[head.0..new.len() - (old.len() - rest)]);
    out.push_str(&there[to..]);
}

fn opens(token: &str) -> bool {
    matches!(token, "(" | "[" | "{")
}

/// Returns true for a closing bracket or the end of the line.
fn closes(token: Option<&str>) -> bool {
    token.is_none_or(|token| matches!(token, ")" | "]" | "}"))
}

/// Returns true for punctuation that belongs to the token after it rather than the one before it.
fn binds_right(token: &str) -> bool {
    !is_word(token) && !closes(Some(token)) && !matches!(token, "\"" | "'" | "`" | "\u{201d}" | "\u{2019}")
}

fn begins_item(token: Option<&str>) -> bool {
    token.is_some_and(|token| opens(token) || matches!(token, ";" | "," | "}"))
}

/// Returns true if a token would merge with the previous one without whitespace between them.
fn would_join(tokens: &[&str], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| tokens.get(before));
    before.zip(tokens.get(at)).is_some_and(|(before, after)| join(before, after))
}

/// Returns true if two adjacent tokens would be read as one word or one operator.
pub fn join(before: &str, after: &str) -> bool {
    let is_sign = |letter: char| "+-*/<>=&|!:.%^~?$@#\\".contains(letter);
    let ends = |kind: fn(char) -> bool| before.ends_with(kind) && after.starts_with(kind);
    ends(is_word_char) || before.ends_with(is_sign) && after.starts_with(is_sign)
}
