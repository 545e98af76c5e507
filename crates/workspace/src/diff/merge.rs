//! Three-way merge: applies a change to a file that was modified in the meantime.

use super::lines::{TextLines, regions};

/// Applies the change from `base` to `theirs` to `ours`. Returns `None` if the result is ambiguous: both sides change
/// the same or adjacent lines, or one of the three is not text. Identical changes on both sides are refused as well.
pub fn merge_change(base: &[u8], theirs: &[u8], ours: &[u8]) -> Option<Vec<u8>> {
    if ours == base {
        return Some(theirs.to_vec());
    }
    let (base, theirs, ours) = (TextLines::read(base)?, TextLines::read(theirs)?, TextLines::read(ours)?);
    if base.encoding != theirs.encoding || base.encoding != ours.encoding {
        return None;
    }
    let mut changes: Vec<_> = regions(&base, &theirs).into_iter().map(|region| (region, &theirs)).collect();
    changes.extend(regions(&base, &ours).into_iter().map(|region| (region, &ours)));
    changes.sort_by_key(|(region, _)| (region.old.start, region.old.end));
    // Regions of one side never touch, so two that do belong to different sides.
    if changes.is_sorted_by(|(one, _), (other, _)| one.old.end < other.old.start) {
        let (mut out, mut at) = (Vec::new(), 0);
        for (region, side) in changes {
            out.extend(base.lines[at..region.old.start].concat());
            out.extend(side.lines[region.new.clone()].concat());
            at = region.old.end;
        }
        out.extend(base.lines[at..].concat());
        Some(out)
    } else {
        None
    }
}
