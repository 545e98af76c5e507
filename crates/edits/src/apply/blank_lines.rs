//! Handles the blank lines that models add around a quote.

use std::ops::Range;

use super::attempt::EditAttempt;
use super::receipt::AppliedEdit;
use super::strategy::{STRATEGIES, Strategy};
use crate::closest::likeness;
use crate::lines::{indent_of, line_start};

/// The minimum likeness of two lines that are versions of the same line.
const ALIKE: f32 = 0.5;

/// A quote without its additional blank lines, and the sides that had them.
pub struct BareQuote {
    pub text: String,
    above: bool,
    below: bool,
}

impl EditAttempt<'_> {
    /// Returns the old text without the blank lines around it that the new text does not have. Models add them, so the
    /// text may not have them either.
    pub(super) fn bare_quote(&self, old: &str, new: &str) -> Option<BareQuote> {
        let above = |text: &str| text.split('\n').take_while(|line| line.trim().is_empty()).count();
        let below = |text: &str| text.split('\n').rev().take_while(|line| line.trim().is_empty()).count();
        if self.steps.is_some() || self.replace_all || old.trim().is_empty() || new.trim().is_empty() {
            return None;
        }
        let above = above(old).saturating_sub(above(new));
        // The last one may be only the ending of the previous line.
        let below = if below(old) > 1 { below(old).saturating_sub(below(new)) } else { 0 };
        let lines: Vec<&str> = old.split('\n').collect();
        (above + below > 0).then(|| BareQuote {
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
    pub(super) fn apply_bare(&self, quote: &BareQuote, new: &str) -> Option<AppliedEdit> {
        let mut strategies = STRATEGIES.into_iter().filter(|(strategy, _)| *strategy != Strategy::Whitespace);
        let found = strategies
            .find_map(|(strategy, ignoring)| self.try_strategy(strategy, ignoring, &quote.text, new))?;
        let is_plain = !self.is_part_of_lines(&found.regions) && !self.has_blanks(quote, &found.regions);
        found.done.ok().filter(|_| is_plain)
    }

    /// Returns true if the text has a blank line where the quote has one, since that may be the quoted one.
    fn has_blanks(&self, quote: &BareQuote, regions: &[Range<usize>]) -> bool {
        let is_blank = |line: Option<&str>| line.is_some_and(|line| line.trim().is_empty());
        regions.iter().any(|region| {
            let above = &self.content[..line_start(self.content, region.start)];
            let rest = &self.content[region.end..];
            let ends_line = self.content[..region.end].ends_with('\n');
            quote.above && is_blank(above.lines().next_back())
                || quote.below && is_blank(rest.lines().nth(usize::from(!ends_line)))
        })
    }
}
