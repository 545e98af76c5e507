//! The difference between two lists, such as the lines of two texts or the words of two lines.

use std::ops::Range;

use imara_diff::{Algorithm, Diff, InternedInput};

/// A step from the old list to the new one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiffStep {
    pub old: Range<usize>,
    pub new: Range<usize>,
    /// True if both ranges are equal. Otherwise the new one replaces the old one, and one of them may be empty.
    pub is_kept: bool,
}

impl DiffStep {
    pub fn kept(old: Range<usize>, new: Range<usize>) -> Self {
        Self { old, new, is_kept: true }
    }

    pub fn changed(old: Range<usize>, new: Range<usize>) -> Self {
        Self { old, new, is_kept: false }
    }
}

/// Returns the steps that lead from `old` to `new`, in order and without gaps. The same lists always give the same
/// steps.
pub fn diff(old: &[&str], new: &[&str]) -> Vec<DiffStep> {
    let mut input = InternedInput::default();
    input.update_before(old.iter().copied());
    input.update_after(new.iter().copied());
    let mut diff = Diff::compute(Algorithm::MyersMinimal, &input);
    diff.postprocess_no_heuristic(&input);
    let mut steps = Vec::new();
    let (mut old_end, mut new_end) = (0, 0);
    for hunk in diff.hunks() {
        let (old, new) = (range(&hunk.before), range(&hunk.after));
        if old_end < old.start {
            steps.push(DiffStep::kept(old_end..old.start, new_end..new.start));
        }
        (old_end, new_end) = (old.end, new.end);
        steps.push(DiffStep::changed(old, new));
    }
    if old_end < old.len() {
        steps.push(DiffStep::kept(old_end..old.len(), new_end..new.len()));
    }
    steps
}

fn range(range: &Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_lead_from_one_list_to_the_other() {
        for (old, new, expected) in [
            ("", "", &[][..]),
            ("abc", "abc", &[(0..3, 0..3, true)]),
            ("", "ab", &[(0..0, 0..2, false)]),
            ("ab", "", &[(0..2, 0..0, false)]),
            ("abc", "axc", &[(0..1, 0..1, true), (1..2, 1..2, false), (2..3, 2..3, true)]),
            ("abcd", "acd", &[(0..1, 0..1, true), (1..2, 1..1, false), (2..4, 1..3, true)]),
        ] {
            let letters = |text: &'static str| text.split("").filter(|letter| !letter.is_empty()).collect();
            let (old, new): (Vec<&str>, Vec<&str>) = (letters(old), letters(new));
            let steps: Vec<_> =
                diff(&old, &new).into_iter().map(|step| (step.old, step.new, step.is_kept)).collect();
            assert_eq!(steps, expected, "{old:?} -> {new:?}");
        }
    }
}
