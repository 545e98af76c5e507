//! A change laid onto a file that somebody has changed meanwhile.

use super::lines::{Text, regions};

/// What `ours` becomes when what leads from `base` to `theirs` is done to it. Nothing where that is not clear: where both
/// change the same lines, or lines that touch, or where one of the three is no text. Two changes that are the same are none that
/// can be told apart, and refused as well.
pub fn relay(base: &[u8], theirs: &[u8], ours: &[u8]) -> Option<Vec<u8>> {
    if ours == base {
        return Some(theirs.to_vec());
    }
    let (base, theirs, ours) = (Text::read(base)?, Text::read(theirs)?, Text::read(ours)?);
    if base.encoding != theirs.encoding || base.encoding != ours.encoding {
        return None;
    }
    let mut changes: Vec<_> = regions(&base, &theirs).into_iter().map(|region| (region, &theirs)).collect();
    changes.extend(regions(&base, &ours).into_iter().map(|region| (region, &ours)));
    changes.sort_by_key(|(region, _)| (region.old.start, region.old.end));
    // Two of one side never touch, so those that do are of both.
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
