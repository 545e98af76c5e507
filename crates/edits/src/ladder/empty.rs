//! Handles the blank lines that models add around a quote.

use std::ops::Range;

use super::{Applied, Ladder, RUNGS, Strategy};
use crate::closest::likeness;
use crate::lines::{indent_of, line_start};

/// The minimum likeness of two lines that are versions of the same line.
const ALIKE: f32 = 0.5;

/// A quote without its additional blank lines, and the sides that had them.
pub struct Bare {
    text: String,
    above: bool,
    below: bool,
}

impl Ladder<'_> {
    /// Returns the old text without the blank lines around it that the new text does not have. Models add them, so the
    /// text may not have them either.
    pub(super) fn without_blanks_of_its_own(&self, old: &str, new: &str) -> Option<Bare> {
        let above = |text: &str| text.split('\n').take_while(|line| line.trim().is_empty()).count();
        let below = |text: &str| text.split('\n').rev().take_while(|line| line.trim().is_empty()).count();
        if self.steps.is_some() || self.replace_all || old.trim().is_empty() || new.trim().is_empty() {
            return None;
        }
        let above = above(old).saturating_sub(above(new));
        // The last one may be only the ending of the previous line.
        let below = if below(old) > 1 { below(old).saturating_sub(below(new)) } else { 0 };
        let lines: Vec<&str> = old.split('\n').collect();
        (above + below > 0).then(|| Bare {
            text: lines[above..lines.len() - below].join("\n"),
            above: above > 0,
            below: below > 0,
        })
    }

    /// Returns true if the edit would join the line above the match with a line that stays mostly the same.
    pub(super) fn would_take_a_line_end(&self, regions: &[Range<usize>], old: &str, new: &str) -> bool {
        let [region] = regions else { return false };
        let above = &self.content[line_start(self.content, region.start)..region.start];
        let first = |text: &str| text.split('\n').find(|line| !line.trim().is_empty()).map(ToOwned::to_owned);
        let (Some(one), Some(other)) = (first(old), first(new)) else { return false };
        old.starts_with('\n')
            && !above.trim().is_empty()
            && indent_of(&one) == indent_of(&other)
            && likeness(&one, &other) >= ALIKE
    }

    /// Applies the edit without the additional blank lines, if the result is unambiguous.
    pub(super) fn bare(&self, bare: &Bare, new: &str) -> Option<Applied> {
        let mut rungs = RUNGS.into_iter().filter(|(strategy, _)| *strategy != Strategy::Whitespace);
        let found = rungs.find_map(|(strategy, ignoring)| self.rung(strategy, ignoring, &bare.text, new))?;
        let is_plain = !self.is_part_of_lines(&found.regions) && !self.has_them(bare, &found.regions);
        found.done.ok().filter(|_| is_plain)
    }

    /// Returns true if the text has a blank line where the quote has one, since that may be the quoted one.
    fn has_them(&self, bare: &Bare, regions: &[Range<usize>]) -> bool {
        let is_blank = |line: Option<&str>| line.is_some_and(|line| line.trim().is_empty());
        regions.iter().any(|region| {
            let above = &self.content[..line_start(self.content, region.start)];
            let rest = &self.content[region.end..];
            let ends_line = self.content[..region.end].ends_with('\n');
            bare.above && is_blank(above.lines().next_back())
                || bare.below && is_blank(rest.lines().nth(usize::from(!ends_line)))
        })
    }
}

/// Removes the blank lines with which both texts begin and end, since models add them.
pub fn without_common_blanks<'a>(mut old: &'a str, mut new: &'a str) -> (&'a str, &'a str) {
    let is_common = |one: &str, other: &str| one == other && one.trim().is_empty();
    while let (Some((old_line, old_rest)), Some((new_line, new_rest))) =
        (old.split_once('\n'), new.split_once('\n'))
        && is_common(old_line, new_line)
    {
        (old, new) = (old_rest, new_rest);
    }
    while let (Some((old_rest, old_line)), Some((new_rest, new_line))) =
        (old.rsplit_once('\n'), new.rsplit_once('\n'))
        && is_common(old_line, new_line)
    {
        (old, new) = (old_rest, new_rest);
    }
    (old, new)
}
