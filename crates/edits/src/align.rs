//! Aligns a quote that differs from the text in some places, line by line, if most lines match.
//!
//! The lines to change must be quoted exactly. Only the lines around them may differ: lines that were forgotten,
//! changed by others, or left out on purpose.

mod chain;
mod quoted_line;

use std::ops::Range;

use crate::canonical::{CanonicalText, Ignoring, LineFilter, NO_KEY, key};
use crate::indent::Shifts;
use crate::lines::{TextLine, indent_of, lines};
use crate::matching::QuoteMatch;
use crate::rewrite::EditDiff;
use chain::{Anchor, Chains, anchors};
pub use quoted_line::is_elision;
use quoted_line::{LinePairs, MatchCertainty, QuotedLine};

/// The minimum share of the weight of a quote that must match.
const ENOUGH: f32 = 0.7;
/// The minimum number of matching lines with letters or digits. With fewer, the match may be accidental.
const TELLING: usize = 2;
/// The share of the best weight above which another position makes the quote ambiguous.
const WORSE: f32 = 0.75;
/// The maximum number of lines in a quote. Larger changes should rewrite the file.
const MOST_LINES: usize = 1_000;

pub enum Alignment<'a> {
    One(QuoteMatch<'a>),
    Several(Vec<Range<usize>>),
}

/// Finds the position of a quote of which most lines match.
pub fn align<'a>(content: &'a str, change: &EditDiff<'a>) -> Option<Alignment<'a>> {
    let old = change.old;
    if old.lines.len() < 3 || old.lines.len() > MOST_LINES || old.text.ends_with('\n') {
        return None;
    }
    let there: Vec<TextLine<'_>> = lines(content).collect();
    let quoted: Vec<QuotedLine> = old.lines.iter().map(|line| QuotedLine::new(line)).collect();
    let filter = LineFilter::of(&old.lines);
    let key_of = |line: &TextLine<'_>| if filter.may_have(line.text) { key(line.text) } else { NO_KEY };
    let keys: Vec<u64> = there.iter().map(key_of).collect();
    let anchors = anchors(&quoted, &keys);
    let chains = Chains::new(&quoted, anchors.clone());
    let best = chains.best()?;
    let beside = LineAligner { there, keys, quoted: &quoted, change };
    let pairs = beside.pairs(&best)?;
    let place = beside.place(&pairs);
    let span = best.first()?.there..=best.last()?.there;
    let outside: Vec<Anchor> = anchors.into_iter().filter(|anchor| !span.contains(&anchor.there)).collect();
    let weight = |chain: &[Anchor]| chain.iter().map(|anchor| quoted[anchor.quoted].weight).sum::<f32>();
    if let Some(other) =
        Chains::new(&quoted, outside).best().filter(|other| weight(other) > WORSE * weight(&best))
        && let Some(other) = beside.pairs(&other)
    {
        return Some(Alignment::Several(vec![place.region, beside.place(&other).region]));
    }
    if beside.has_strange_gap(&pairs) {
        return None;
    }
    match beside.touch(&place, &pairs, &chains) {
        MatchCertainty::Sure => Some(Alignment::One(place)),
        MatchCertainty::Either(one, other) => {
            let lines = [one.min(other), one.max(other)];
            let regions = lines.map(|line| beside.there[line].start..beside.there[line].text_end());
            Some(Alignment::Several(regions.to_vec()))
        }
        MatchCertainty::Unknown => None,
    }
}

/// The text and the quote, with the keys of their lines.
struct LineAligner<'a, 'b> {
    there: Vec<TextLine<'a>>,
    keys: Vec<u64>,
    quoted: &'b [QuotedLine],
    change: &'b EditDiff<'a>,
}

impl<'a> LineAligner<'a, '_> {
    /// Returns the line pairs for a chain, if enough of the quote matches.
    fn pairs(&self, chain: &[Anchor]) -> Option<LinePairs> {
        let mut pairs = self.filled(chain);
        for (quoted, pair) in self.change.old.lines.iter().zip(&mut pairs) {
            *pair = pair.filter(|&there| is_same(quoted, self.there[there].text));
        }
        let known =
            || pairs.iter().zip(self.quoted).filter(|(pair, _)| pair.is_some()).map(|(_, line)| line.weight);
        let total: f32 = self.quoted.iter().map(|line| line.weight).sum();
        let is_enough = known().sum::<f32>() >= ENOUGH * total;
        (is_enough && known().filter(|weight| *weight >= 1.0).count() >= TELLING).then_some(pairs)
    }

    /// Returns the line pairs of a chain, extended by equal lines around and between the anchors.
    fn filled(&self, chain: &[Anchor]) -> LinePairs {
        let (quoted, keys) = (self.quoted, &self.keys);
        let mut pairs: LinePairs = vec![None; quoted.len()];
        for anchor in chain {
            pairs[anchor.quoted] = Some(anchor.there);
        }
        let Some(first) = chain.first() else { return pairs };
        let (mut at, mut is_elided) = (*first, false);
        for line in first.quoted + 1..quoted.len() {
            if let Some(there) = pairs[line] {
                (at, is_elided) = (Anchor { quoted: line, there }, false);
                continue;
            }
            if quoted[line].is_elision {
                is_elided = true;
                continue;
            }
            let next = pairs[line + 1..].iter().flatten().next().copied().unwrap_or(keys.len());
            let apart = line - at.quoted;
            let reach = match quoted[line].weight > 0.0 {
                true if is_elided => usize::MAX,
                true => apart + quoted.len() / 4 + 2,
                // A distant blank line is a different one.
                false => apart,
            };
            let limit = next.min(at.there.saturating_add(reach).saturating_add(1));
            if let Some(there) = (at.there + 1..limit).find(|&there| keys[there] == quoted[line].key) {
                pairs[line] = Some(there);
                (at, is_elided) = (Anchor { quoted: line, there }, false);
            }
        }
        let mut above = *first;
        for line in (0..first.quoted).rev() {
            let Some(there) = above.there.checked_sub(above.quoted - line) else { break };
            if keys[there] == quoted[line].key && !quoted[line].is_elision {
                pairs[line] = Some(there);
                above = Anchor { quoted: line, there };
            }
        }
        pairs
    }

    fn place(&self, pairs: &LinePairs) -> QuoteMatch<'a> {
        let range = |&line: &usize| self.there[line].start..self.there[line].text_end();
        let lines: Vec<Option<Range<usize>>> = pairs.iter().map(|pair| pair.as_ref().map(range)).collect();
        let start = lines.iter().flatten().next().map_or(0, |range| range.start);
        let end = lines.iter().flatten().next_back().map_or(start, |range| range.end);
        let indents = self.change.old.lines.iter().zip(pairs).map(|(quoted, pair)| {
            let there = pair.filter(|_| !quoted.trim().is_empty())?;
            Some((indent_of(quoted), indent_of(self.there[there].text)))
        });
        let shifts = Shifts::nearest(&indents.collect::<Vec<_>>());
        QuoteMatch { region: start..end, lines, shifts, ignoring: Ignoring::Blanks, way: None }
    }

    /// Checks that every removed line has a match, that every insertion is next to a matched line, and that none of
    /// these lines could match elsewhere.
    fn touch(&self, place: &QuoteMatch<'_>, pairs: &LinePairs, chains: &Chains<'_>) -> MatchCertainty {
        let known = |line: usize| pairs.get(line).copied().flatten().map(|there| (line, there));
        // Where the indentation shifts differ between lines, a line whose indent differs from the quote may be another
        // one.
        let is_moved_alike = matches!(place.shifts, Shifts::Alike(_));
        let fits = |line: usize, there: usize| {
            let (quoted, there) = (self.change.old.lines[line], self.there[there].text);
            is_moved_alike || quoted.trim().is_empty() || indent_of(quoted) == indent_of(there)
        };
        let sure = |pair: Option<(usize, usize)>| match pair {
            Some((line, there)) => match chains.certainty(pairs, line, there) {
                MatchCertainty::Sure if !fits(line, there) => MatchCertainty::Unknown,
                touch => touch,
            },
            None => MatchCertainty::Unknown,
        };
        for step in &self.change.steps {
            let (old, new) = (step.old.clone(), step.new.clone());
            if step.is_kept {
                continue;
            }
            if self.change.new.lines[new].iter().any(|line| is_elision(line)) {
                return MatchCertainty::Unknown;
            }
            if !old.clone().any(|line| known(line).is_some()) {
                let (before, after) = (old.start.checked_sub(1).and_then(known), known(old.end));
                match (sure(before), sure(after)) {
                    (MatchCertainty::Sure, _) | (_, MatchCertainty::Sure) => {}
                    (MatchCertainty::Unknown, other) | (other, _) => return other,
                }
            }
            for line in old {
                let is_blank = self.change.old.lines[line].trim().is_empty();
                match sure(known(line)) {
                    MatchCertainty::Sure => {}
                    MatchCertainty::Unknown if is_blank && known(line).is_none() => {}
                    other => return other,
                }
            }
        }
        MatchCertainty::Sure
    }

    /// Returns true if the text has too many lines between the matched ones, not counting gaps that the quote marks as
    /// left out.
    fn has_strange_gap(&self, pairs: &LinePairs) -> bool {
        let known: Vec<(usize, usize)> =
            pairs.iter().enumerate().filter_map(|(line, there)| Some((line, (*there)?))).collect();
        let mut strange = 0;
        for pair in known.windows(2) {
            let ((first, one), (second, other)) = (pair[0], pair[1]);
            let is_elided = self.quoted[first..second].iter().any(|line| line.is_elision);
            if is_elided {
                continue;
            }
            let extra = self.there[one + 1..other].iter().filter(|line| !line.text.trim().is_empty()).count();
            let missing = self.quoted[first + 1..second].iter().filter(|line| line.weight > 0.0).count();
            strange += extra.saturating_sub(missing);
        }
        strange > self.quoted.len() / 4 + 1
    }
}

/// Returns true if two lines are equal apart from whitespace and typography.
fn is_same(one: &str, other: &str) -> bool {
    one == other
        || CanonicalText::new(one, Ignoring::Blanks, false).text
            == CanonicalText::new(other, Ignoring::Blanks, false).text
}
