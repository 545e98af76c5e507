//! Pairs the new lines of a block with the old ones.

/// The maximum number of lines of a block that are compared for similarity.
const LONG: usize = 50;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Partner {
    /// The index of the old line that the new one corresponds to.
    pub line: usize,
    /// True if the new line is a version of the old one.
    pub is_same: bool,
}

/// Returns the old line for each new line. Each old line has at most one new version, and versions keep their order.
pub fn partners(old: &[&str], new: &[&str]) -> Vec<Partner> {
    let is_even = old.len() == new.len();
    let by_number = |number: usize| number.min(old.len().saturating_sub(1));
    if old.len() == 1 && is_even || old.len().max(new.len()) > LONG {
        return (0..new.len()).map(|line| Partner { line: by_number(line), is_same: is_even }).collect();
    }
    let shared: Vec<Vec<usize>> =
        new.iter().map(|new| old.iter().map(|old| shared(old.trim(), new.trim())).collect()).collect();
    let score = |at: usize, line: usize| {
        let (shared, shorter) = (shared[at][line], old[line].trim().len().min(new[at].trim().len()));
        match () {
            () if is_even && at == line => shared + 1,
            () if shared > 0 && 2 * shared >= shorter => shared,
            () => 0,
        }
    };
    // The best score of the remaining lines from each pair of lines on.
    let mut best = vec![vec![0; old.len() + 1]; new.len() + 1];
    for at in (0..new.len()).rev() {
        for line in (0..old.len()).rev() {
            let paired = if score(at, line) > 0 { score(at, line) + best[at + 1][line + 1] } else { 0 };
            best[at][line] = paired.max(best[at + 1][line]).max(best[at][line + 1]);
        }
    }
    let mut partners = Vec::with_capacity(new.len());
    let mut line = 0;
    for (at, likeness) in shared.iter().enumerate() {
        let is_paired =
            |line: usize| score(at, line) > 0 && best[at][line] == score(at, line) + best[at + 1][line + 1];
        let found = (line..old.len())
            .take_while(|&other| best[at][other] == best[at][line])
            .find(|&line| is_paired(line))
            .filter(|_| best[at][line] > best[at + 1][line]);
        if let Some(found) = found {
            partners.push(Partner { line: found, is_same: true });
            line = found + 1;
        } else {
            let nearest = (0..old.len()).rev().max_by_key(|&line| (likeness[line], line == by_number(at)));
            partners.push(Partner { line: nearest.unwrap_or_default(), is_same: false });
        }
    }
    partners
}

/// Returns the length of the common prefix and suffix of two lines, in bytes.
fn shared(one: &str, other: &str) -> usize {
    let same = common_prefix(one, other);
    same + common_suffix(&one[same..], &other[same..])
}

pub fn common_prefix(one: &str, other: &str) -> usize {
    one.char_indices()
        .zip(other.chars())
        .find(|((_, one), other)| one != other)
        .map_or_else(|| one.len().min(other.len()), |((at, _), _)| at)
}

pub fn common_suffix(one: &str, other: &str) -> usize {
    let letters = one.chars().rev().zip(other.chars().rev());
    letters.take_while(|(one, other)| one == other).map(|(letter, _)| letter.len_utf8()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_lines_are_made_of_old_ones() {
        for (old, new, expected) in [
            (&["(a)"][..], &["xyz"][..], &[Some(0)][..]),
            (&["alpha(1)", "beta(2)"], &["gamma(3)", "delta(4)"], &[Some(0), Some(1)]),
            (&["alpha(1)", "beta(2)"], &["first", "alpha(3)"], &[None, Some(0)]),
            (&["alpha(1)"], &["alpha(2)", "gamma(1)"], &[Some(0), None]),
            (&["alpha(1)"], &["gamma()", "alpha(2)"], &[None, Some(0)]),
            (&["alpha(1)", "beta(2)"], &["beta(3)"], &[Some(1)]),
            (&["alpha(1)", "beta(2)"], &["gamma"], &[None]),
        ] {
            let found: Vec<Option<usize>> =
                partners(old, new).iter().map(|partner| partner.is_same.then_some(partner.line)).collect();
            assert_eq!(found, expected, "{old:?} -> {new:?}");
        }
    }
}
