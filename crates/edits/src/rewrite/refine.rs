//! Rewrites a line that changes only partly. The rest stays as it is in the text.

use std::ops::Range;

use super::Writer;
use super::gaps::{LineRewriter, UnclearBlanks};
use super::tokens::{TokenizedLine, tokens};
use crate::canonical::{CanonicalText, Ignoring, key, keyboard_form};
use crate::lines::indent_of;
use crate::matching::QuoteMapping;

impl Writer<'_> {
    /// Writes the new line in the form that the text uses. Returns false if that is not possible.
    pub(super) fn refine(&mut self, line: usize, new: &str, begins: bool) -> Result<bool, UnclearBlanks> {
        let Some(there) = self.place.lines[line].clone() else { return Ok(false) };
        let old = self.change.old.lines[line];
        let (old_indent, new_indent) = (indent_of(old), indent_of(new));
        let (old_body, new_body) = (&old[old_indent.len()..], &new[new_indent.len()..]);
        if old_body.trim().is_empty() || new_body.trim().is_empty() {
            return Ok(false);
        }
        let text = &self.content[there.clone()];
        let own_indent = indent_of(text);
        let mut body = String::new();
        let is_rewritten = if let Some(way) = self.place.way {
            let at = self.change.old.starts[line] + old_indent.len();
            let own = there.start + own_indent.len()..there.end;
            rewrite_line(self.content, own, way, (at, old_body), new_body, &mut body)?
        } else {
            let (text, quoted) =
                (&text[own_indent.len()..], CanonicalText::new(old_body, self.place.ignoring, false));
            let there = CanonicalText::new(text, self.place.ignoring, false);
            let way = QuoteMapping { there: &there, quoted: &quoted, at: 0 };
            rewrite_line(text, 0..text.len(), way, (0, old_body), new_body, &mut body)?
        };
        if !is_rewritten {
            return Ok(false);
        }
        if self.place.ignoring == Ignoring::Blanks
            && (key(&body) != key(new_body) || hidden(&body) > hidden(text).max(hidden(new_body)))
        {
            return Err(UnclearBlanks);
        }
        match begins {
            _ if old_indent == new_indent => self.out.push_str(own_indent),
            true => self.out.push_str(&self.place.shifts.at(line).apply(new_indent)),
            false if self.out.len() == self.before => self.out.push_str(new_indent),
            false => {}
        }
        self.out.push_str(&body);
        Ok(true)
    }
}

/// Returns the number of invisible characters, such as the joiners within an emoji. The key of a line leaves them out, so
/// one that was written twice shows only here.
fn hidden(text: &str) -> usize {
    text.chars()
        .filter(|&letter| !letter.is_ascii() && keyboard_form(letter).chars().next().is_none())
        .count()
}

/// Writes the replacement of a part of the text: `old`, at position `at` of the quote, becomes `new`. Returns false if
/// nothing was written, such as for changes of whitespace alone, which are written as requested.
fn rewrite_line(
    content: &str,
    own: Range<usize>,
    way: QuoteMapping<'_>,
    (at, old): (usize, &str),
    new: &str,
    out: &mut String,
) -> Result<bool, UnclearBlanks> {
    // Tokens that are one character in the text stay together.
    let mut places: Vec<Range<usize>> = Vec::new();
    for token in tokens(old) {
        match places.last_mut().filter(|_| !way.is_seam_at(at + token.start)) {
            Some(last) => last.end = token.end,
            None => places.push(token),
        }
    }
    let mut from = own.start;
    let there = places.iter().map(|place| {
        let found = way.found(at + place.start..at + place.end).unwrap_or(from..from);
        from = found.end;
        found
    });
    let there: Vec<Range<usize>> = there.collect();
    let quoted = TokenizedLine::by(old, &places, 0..old.len()).ok_or(UnclearBlanks)?;
    let Some(there) = TokenizedLine::by(content, &there, own) else { return Ok(false) };
    let new = TokenizedLine::of(new);
    let rewriter = LineRewriter::new(&quoted, &there, &new);
    if rewriter.is_of_blanks() && quoted.gaps != new.gaps {
        return if rewriter.breaks() { Err(UnclearBlanks) } else { Ok(false) };
    }
    rewriter.write(out)?;
    Ok(true)
}
