//! Matches lines of a quote with lines of a text: the most distinctive ones, in the same order and close to each other.

use std::collections::HashMap;

use super::quoted_line::{LinePairs, MatchCertainty, QuotedLine};

/// The maximum number of occurrences of a line that serves as an anchor.
const RARE: usize = 8;
/// The maximum number of anchors. With more, only rarer lines are used.
const MOST_ANCHORS: usize = 2_000;
/// The cost of each surplus or missing line between two anchors.
const GAP: f32 = 0.12;
/// The score by which a match must be better than any other: the value of being one line closer if an adjacent quoted
/// line is adjacent in the text too, and of one line with letters otherwise.
const CLOSER: f32 = 0.9 * GAP;
const BETTER: f32 = 0.9;

/// A line of the quote and an equal line of the text.
#[derive(Debug, Clone, Copy)]
pub struct Anchor {
    pub quoted: usize,
    pub there: usize,
}

/// Returns the anchors of the distinctive lines, ordered by their position in the text.
pub fn anchors(quoted: &[QuotedLine], keys: &[u64]) -> Vec<Anchor> {
    let mut known: HashMap<u64, Vec<usize>> =
        quoted.iter().filter(|line| line.weight > 0.0).map(|line| (line.key, Vec::new())).collect();
    for (there, key) in keys.iter().enumerate() {
        if let Some(places) = known.get_mut(key)
            && places.len() <= RARE
        {
            places.push(there);
        }
    }
    let rare = |most: usize| {
        let places = quoted.iter().map(|line| known.get(&line.key).filter(|places| places.len() <= most));
        let pairs = places.enumerate().flat_map(|(quoted, places)| {
            places.into_iter().flatten().map(move |&there| Anchor { quoted, there })
        });
        pairs.collect::<Vec<Anchor>>()
    };
    let choices = [RARE, RARE / 2, RARE / 4, 1].map(rare);
    let mut anchors = choices.into_iter().find(|anchors| anchors.len() <= MOST_ANCHORS).unwrap_or_default();
    anchors.sort_unstable_by_key(|anchor| (anchor.there, anchor.quoted));
    anchors
}

/// The best chain of anchors through each anchor.
pub struct Chains<'a> {
    quoted: &'a [QuotedLine],
    anchors: Vec<Anchor>,
    /// The score of the best chain that ends with each anchor, and the previous anchor in it.
    before: Vec<(f32, Option<usize>)>,
    /// The score of the best chain that begins with each anchor.
    after: Vec<f32>,
}

impl<'a> Chains<'a> {
    pub fn new(quoted: &'a [QuotedLine], anchors: Vec<Anchor>) -> Self {
        let elisions: Vec<usize> = quoted
            .iter()
            .scan(0, |count, line| {
                *count += usize::from(line.is_elision);
                Some(*count)
            })
            .collect();
        // The cost of a step between two anchors, if they are in order.
        let cost = |one: &Anchor, other: &Anchor| {
            if one.quoted >= other.quoted || one.there >= other.there {
                return None;
            }
            let is_elided = elisions[other.quoted] > elisions[one.quoted];
            let missing = (other.there - one.there).abs_diff(other.quoted - one.quoted);
            #[allow(clippy::cast_precision_loss, reason = "a count of lines")]
            let cost = GAP * missing as f32;
            Some(if is_elided { 0.0 } else { cost })
        };
        let mut before: Vec<(f32, Option<usize>)> = Vec::with_capacity(anchors.len());
        for (place, anchor) in anchors.iter().enumerate() {
            let weight = quoted[anchor.quoted].weight;
            let mut found = (weight, None);
            for (earlier, (score, _)) in before.iter().enumerate() {
                if weight + score > found.0
                    && let Some(cost) = cost(&anchors[earlier], anchor)
                    && weight + score - cost > found.0
                {
                    found = (weight + score - cost, Some(earlier));
                }
            }
            debug_assert_eq!(before.len(), place);
            before.push(found);
        }
        let mut after: Vec<f32> = vec![0.0; anchors.len()];
        for place in (0..anchors.len()).rev() {
            let weight = quoted[anchors[place].quoted].weight;
            let mut found = weight;
            for later in place + 1..anchors.len() {
                if weight + after[later] > found
                    && let Some(cost) = cost(&anchors[place], &anchors[later])
                {
                    found = found.max(weight + after[later] - cost);
                }
            }
            after[place] = found;
        }
        Self { quoted, anchors, before, after }
    }

    /// Returns the chain with the best score.
    pub fn best(&self) -> Option<Vec<Anchor>> {
        let scores = self.before.iter().enumerate().rev();
        let (mut at, _) = scores.max_by(|(_, one), (_, other)| one.0.total_cmp(&other.0))?;
        let mut chain = vec![self.anchors[at]];
        while let Some(before) = self.before[at].1 {
            at = before;
            chain.push(self.anchors[at]);
        }
        chain.reverse();
        Some(chain)
    }

    /// Returns the score of the best chain through an anchor.
    fn through(&self, place: usize) -> f32 {
        self.before[place].0 + self.after[place] - self.quoted[self.anchors[place].quoted].weight
    }

    /// Checks that a line of the quote matches this line of the text and could not match another. A line that is not an
    /// anchor takes the result of the nearest line that is, if all lines between them are matched one to one.
    pub fn certainty(&self, pairs: &LinePairs, line: usize, there: usize) -> MatchCertainty {
        if let Some(touch) = self.own_certainty(pairs, line, there) {
            return touch;
        }
        let up = (1..=line.min(there)).map(|by| (line - by, there - by));
        let down = (1..pairs.len() - line).map(|by| (line + by, there + by));
        let nearest = |mut lines: &mut dyn Iterator<Item = (usize, usize)>| {
            (&mut lines)
                .take_while(|&(line, there)| pairs[line] == Some(there))
                .find_map(|(line, there)| self.own_certainty(pairs, line, there))
        };
        match (nearest(&mut up.into_iter()), nearest(&mut down.into_iter())) {
            (Some(MatchCertainty::Sure), _) | (_, Some(MatchCertainty::Sure)) => MatchCertainty::Sure,
            (Some(other), _) | (None, Some(other)) => other,
            (None, None) => MatchCertainty::Unknown,
        }
    }

    /// Like [`Self::certainty`], from the occurrences of the line itself. Returns `None` if the pair is not an anchor.
    fn own_certainty(&self, pairs: &LinePairs, line: usize, there: usize) -> Option<MatchCertainty> {
        let places = || (0..self.anchors.len()).filter(|&place| self.anchors[place].quoted == line);
        let own = self.through(places().find(|&place| self.anchors[place].there == there)?);
        let is_beside = |by: isize| {
            let neighbour = line.checked_add_signed(by).filter(|&line| line < pairs.len());
            neighbour.is_some_and(|at| pairs[at].is_some() && pairs[at] == there.checked_add_signed(by))
                && neighbour.is_some_and(|at| self.quoted[at].weight > 0.0)
        };
        let needed = if is_beside(-1) || is_beside(1) { CLOSER } else { BETTER };
        let other =
            places().find(|&place| self.anchors[place].there != there && own - self.through(place) < needed);
        Some(
            other.map_or(MatchCertainty::Sure, |place| {
                MatchCertainty::Either(there, self.anchors[place].there)
            }),
        )
    }
}
