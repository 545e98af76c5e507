//! A line of which only a part differs: the rest of it stays as the text has it.

use super::Writer;
use crate::canon::{Canon, Ignoring, key, of_word};
use crate::lines::indent_of;
use crate::place::Way;

impl Writer<'_> {
    /// Writes the new line in the text's own spelling, or nothing where that might not say the same.
    pub(super) fn refine(&mut self, line: usize, new: &str, begins: bool) -> Option<()> {
        let there = self.place.lines[line].clone()?;
        let old = self.change.old.lines[line];
        let (old_indent, new_indent) = (indent_of(old), indent_of(new));
        let (old_body, new_body) = (&old[old_indent.len()..], &new[new_indent.len()..]);
        if old_body.trim().is_empty() || new_body.trim().is_empty() {
            return None;
        }
        let text = &self.content[there.clone()];
        let own_indent = indent_of(text);
        let [head, come, tail] = if let Some(way) = self.place.way {
            let line_from: usize = self.change.old.lines[..line].iter().map(|line| line.len() + 1).sum();
            let from = there.start + own_indent.len();
            let is_any_case = self.place.ignoring == Ignoring::Case;
            let body = Body { content: self.content, way, from, to: there.end, is_any_case };
            body.changed(line_from + old_indent.len(), old_body, new_body)?
        } else {
            let (text, quoted) =
                (&text[own_indent.len()..], Canon::new(old_body, self.place.ignoring, false));
            let there = Canon::new(text, self.place.ignoring, false);
            let way = Way { there: &there, quoted: &quoted, at: 0 };
            let body = Body { content: text, way, from: 0, to: text.len(), is_any_case: false };
            body.changed(0, old_body, new_body)?
        };
        let before = self.out.len();
        match begins {
            _ if old_indent == new_indent => self.out.push_str(own_indent),
            true => self.out.push_str(&self.place.shifts.at(line).apply(new_indent)),
            false if before == self.before => self.out.push_str(new_indent),
            false => {}
        }
        let body_from = self.out.len();
        for part in [head, come, tail] {
            self.out.push_str(part);
        }
        // Blanks that nobody looked at may have kept two words apart.
        if self.place.ignoring == Ignoring::Blanks && key(&self.out[body_from..]) != key(new_body) {
            self.out.truncate(before);
            return None;
        }
        Some(())
    }
}

/// A line of the text without its indent, and the way to it.
struct Body<'a, 'b> {
    content: &'a str,
    way: Way<'b>,
    from: usize,
    to: usize,
    is_any_case: bool,
}

impl<'a> Body<'a, '_> {
    /// What it becomes, in three parts, where `old`, which begins there in the quote, becomes `new`.
    fn changed(&self, at: usize, old: &str, new: &'a str) -> Option<[&'a str; 3]> {
        let (same, tail) = self.shared(at, old, new);
        let (gone, come) = (&old[same..old.len() - tail], &new[same..new.len() - tail]);
        // A change of blanks alone says nothing where blanks are not looked at.
        if gone.trim().is_empty() && (!gone.is_empty() || come.trim().is_empty()) {
            return None;
        }
        let (head_to, tail_from, line_to) = (at + same, at + old.len() - tail, at + old.len());
        let head_end = self.way.end_before(head_to, at, self.from)?;
        let tail_start = self.way.start_after(tail_from, line_to, self.to)?;
        let (head_end, tail_start) = if gone.is_empty() {
            self.seam(head_end, tail_start, come, (&old[..same], &old[same..]))?
        } else {
            // The blanks around what goes are the text's own affair, but for those that go too.
            let starts = !gone.starts_with(char::is_whitespace);
            let first = if starts { self.way.start_after(head_to, line_to, head_end)? } else { head_end };
            let ends = !gone.ends_with(char::is_whitespace);
            let last = if ends { self.way.end_before(tail_from, at, tail_start)? } else { tail_start };
            (first, last)
        };
        let (head, rest) = (self.content.get(self.from..head_end)?, self.content.get(tail_start..self.to)?);
        Some([head, come, rest])
    }

    /// How much of both stays at the beginning and at the end. Half of a sign cannot, and of a word whose letters may be
    /// others, none.
    fn shared(&self, at: usize, old: &str, new: &str) -> (usize, usize) {
        let mut same = common_prefix(old, new);
        let mut tail = common_suffix(&old[same..], &new[same..]);
        let is_cut = |offset: usize, in_new: usize| {
            let in_word = self.is_any_case && (is_in_word(old, offset) || is_in_word(new, in_new));
            in_word || !self.way.is_seam_at(at + offset)
        };
        while let Some(letter) = old[..same].chars().next_back().filter(|_| is_cut(same, same)) {
            same -= letter.len_utf8();
        }
        let ends = |tail: usize| (old.len() - tail, new.len() - tail);
        while let Some(letter) =
            old[ends(tail).0..].chars().next().filter(|_| is_cut(ends(tail).0, ends(tail).1))
        {
            tail -= letter.len_utf8();
        }
        (same, tail)
    }

    /// Where something comes in between two signs: before or behind the blanks that the text has there.
    fn seam(
        &self,
        before: usize,
        after: usize,
        come: &str,
        (head, tail): (&str, &str),
    ) -> Option<(usize, usize)> {
        if self.content.get(before..after)?.is_empty() {
            return Some((before, after));
        }
        let is_behind = match (head.ends_with(char::is_whitespace), tail.starts_with(char::is_whitespace)) {
            (true, _) => true,
            (false, true) => false,
            (false, false) => come.ends_with(char::is_whitespace),
        };
        Some(if is_behind { (after, after) } else { (before, before) })
    }
}

fn is_in_word(text: &str, at: usize) -> bool {
    text[..at].chars().next_back().is_some_and(of_word) && text[at..].chars().next().is_some_and(of_word)
}

pub(super) fn common_prefix(one: &str, other: &str) -> usize {
    one.char_indices()
        .zip(other.chars())
        .find(|((_, one), other)| one != other)
        .map_or_else(|| one.len().min(other.len()), |((at, _), _)| at)
}

pub(super) fn common_suffix(one: &str, other: &str) -> usize {
    let letters = one.chars().rev().zip(other.chars().rev());
    letters.take_while(|(one, other)| one == other).map(|(letter, _)| letter.len_utf8()).sum()
}
