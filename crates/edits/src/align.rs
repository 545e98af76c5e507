//! Aligns a quote that differs from the text in some places, line by line, if most lines match.
//!
//! The lines to change must be quoted exactly. Only the lines around them may differ: lines that were forgotten,
//! changed by others, or left out on purpose.

mod chain;

use std::ops::Range;

use similar::DiffTag;

use crate::canon::{Canon, Glance, Ignoring, NO_KEY, key};
use crate::indent::Shifts;
use crate::lines::{Line, indent_of, lines};
use crate::place::Place;
use crate::rewrite::Change;
use chain::{Anchor, Chains, anchors};

/// The weight of a line that has only punctuation, such as a bracket.
const SIGNS: f32 = 0.3;
/// The minimum share of the weight of a quote that must match.
const ENOUGH: f32 = 0.7;
/// The minimum number of matching lines with letters or digits. With fewer, the match may be accidental.
const TELLING: usize = 2;
/// The share of the best weight above which another position makes the quote ambiguous.
const WORSE: f32 = 0.75;
/// The maximum number of lines in a quote. Larger changes should rewrite the file.
const MOST_LINES: usize = 1_000;

pub enum Alignment<'a> {
    One(Place<'a>),
    Several(Vec<Range<usize>>),
}

/// Finds the position of a quote of which most lines match.
pub fn align<'a>(content: &'a str, change: &Change<'a>) -> Option<Alignment<'a>> {
    let old = change.old;
    if old.lines.len() < 3 || old.lines.len() > MOST_LINES || old.text.ends_with('\n') {
        return None;
    }
    let there: Vec<Line<'_>> = lines(content).collect();
    let quoted: Vec<Quoted> = old.lines.iter().map(|line| Quoted::new(line)).collect();
    let glance = Glance::of(&old.lines);
    let key_of = |line: &Line<'_>| if glance.may_have(line.text) { key(line.text) } else { NO_KEY };
    let keys: Vec<u64> = there.iter().map(key_of).collect();
    let anchors = anchors(&quoted, &keys);
    let chains = Chains::new(&quoted, anchors.clone());
    let best = chains.best()?;
    let beside = Beside { there, keys, quoted: &quoted, change };
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
        Touch::Sure => Some(Alignment::One(place)),
        Touch::Either(one, other) => {
            let lines = [one.min(other), one.max(other)];
            let regions = lines.map(|line| beside.there[line].start..beside.there[line].text_end());
            Some(Alignment::Several(regions.to_vec()))
        }
        Touch::Unknown => None,
    }
}

/// A line of a quote.
struct Quoted {
    key: u64,
    weight: f32,
    /// True if the line stands for lines that were left out.
    is_elision: bool,
}

impl Quoted {
    fn new(line: &str) -> Self {
        let is_elision = is_elision(line);
        let has_letters = line.chars().any(char::is_alphanumeric);
        let weight = match () {
            () if is_elision || line.trim().is_empty() => 0.0,
            () if has_letters => 1.0,
            () => SIGNS,
        };
        Self { key: key(line), weight, is_elision }
    }
}

/// Returns true if a line says that others were left out: `...`, `// … existing code …`, `# ... (rest of the
/// function)`.
pub fn is_elision(line: &str) -> bool {
    let line = line.trim();
    let bare = line.trim_start_matches(['/', '#', '-', '*', '<', '!', ';', '%', '{', '(', ' ']);
    let is_comment = line[..line.len() - bare.len()].contains(['/', '#', '-', '*', '!', ';', '%']);
    let Some(after) = bare.strip_prefix("...").or_else(|| bare.strip_prefix('…')) else { return false };
    // `...rest` is program code.
    if !is_comment && after.starts_with(char::is_alphanumeric) {
        return false;
    }
    let after = after.trim_matches(['.', '…', '*', '/', '-', '>', '}', ')', '(', ' ', '\t']);
    let known =
        ["existing", "rest", "code", "unchanged", "same", "omitted", "previous", "remaining", "other"];
    after.is_empty() || known.iter().any(|word| after.to_lowercase().contains(word))
}

/// For each line of the quote, the index of the matching line of the text.
type Pairs = Vec<Option<usize>>;

/// The certainty about the lines to change.
enum Touch {
    Sure,
    /// A line to change matches two lines of the text equally well.
    Either(usize, usize),
    /// A line to change has no reliable match.
    Unknown,
}

/// The text and the quote, with the keys of their lines.
struct Beside<'a, 'b> {
    there: Vec<Line<'a>>,
    keys: Vec<u64>,
    quoted: &'b [Quoted],
    change: &'b Change<'a>,
}

impl<'a> Beside<'a, '_> {
    /// Returns the line pairs for a chain, if enough of the quote matches.
    fn pairs(&self, chain: &[Anchor]) -> Option<Pairs> {
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
    fn filled(&self, chain: &[Anchor]) -> Pairs {
        let (quoted, keys) = (self.quoted, &self.keys);
        let mut pairs: Pairs = vec![None; quoted.len()];
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

    fn place(&self, pairs: &Pairs) -> Place<'a> {
        let range = |&line: &usize| self.there[line].start..self.there[line].text_end();
        let lines: Vec<Option<Range<usize>>> = pairs.iter().map(|pair| pair.as_ref().map(range)).collect();
        let start = lines.iter().flatten().next().map_or(0, |range| range.start);
        let end = lines.iter().flatten().next_back().map_or(start, |range| range.end);
        let indents = self.change.old.lines.iter().zip(pairs).map(|(quoted, pair)| {
            let there = pair.filter(|_| !quoted.trim().is_empty())?;
            Some((indent_of(quoted), indent_of(self.there[there].text)))
        });
        let shifts = Shifts::nearest(&indents.collect::<Vec<_>>());
        Place { region: start..end, lines, shifts, ignoring: Ignoring::Blanks, way: None }
    }

    /// Checks that every removed line has a match, that every insertion is next to a matched line, and that none of
    /// these lines could match elsewhere.
    fn touch(&self, place: &Place<'_>, pairs: &Pairs, chains: &Chains<'_>) -> Touch {
        let known = |line: usize| pairs.get(line).copied().flatten().map(|there| (line, there));
        // Where the indentation shifts differ between lines, a line whose indent differs from the quote may be another
        // one.
        let is_moved_alike = matches!(place.shifts, Shifts::Alike(_));
        let fits = |line: usize, there: usize| {
            let (quoted, there) = (self.change.old.lines[line], self.there[there].text);
            is_moved_alike || quoted.trim().is_empty() || indent_of(quoted) == indent_of(there)
        };
        let sure = |pair: Option<(usize, usize)>| match pair {
            Some((line, there)) => match chains.sureness(pairs, line, there) {
                Touch::Sure if !fits(line, there) => Touch::Unknown,
                touch => touch,
            },
            None => Touch::Unknown,
        };
        for step in &self.change.steps {
            let (old, new) = (step.old_range(), step.new_range());
            if step.tag() == DiffTag::Equal {
                continue;
            }
            if self.change.new.lines[new].iter().any(|line| is_elision(line)) {
                return Touch::Unknown;
            }
            if !old.clone().any(|line| known(line).is_some()) {
                let (before, after) = (old.start.checked_sub(1).and_then(known), known(old.end));
                match (sure(before), sure(after)) {
                    (Touch::Sure, _) | (_, Touch::Sure) => {}
                    (Touch::Unknown, other) | (other, _) => return other,
                }
            }
            for line in old {
                let is_blank = self.change.old.lines[line].trim().is_empty();
                match sure(known(line)) {
                    Touch::Sure => {}
                    Touch::Unknown if is_blank && known(line).is_none() => {}
                    other => return other,
                }
            }
        }
        Touch::Sure
    }

    /// Returns true if the text has too many lines between the matched ones, not counting gaps that the quote marks as
    /// left out.
    fn has_strange_gap(&self, pairs: &Pairs) -> bool {
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
        || Canon::new(one, Ignoring::Blanks, false).text == Canon::new(other, Ignoring::Blanks, false).text
}
