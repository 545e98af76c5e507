//! The references of a text, merged from the uses of names in it.

use std::collections::HashMap;
use std::ops::Range;

use memchr::memchr_iter;

use crate::outline::{MOST_REFERENCES, Reference};

/// A use of a name.
#[derive(Clone)]
pub struct NameUse {
    pub range: Range<usize>,
    pub member: bool,
}

/// Merges uses of the same name and sorts them by name. The uses must come in text order.
pub fn merge_uses(text: &str, named: impl Iterator<Item = NameUse>) -> Vec<Reference> {
    let mut by_name: HashMap<&str, Reference> = HashMap::new();
    let (mut line, mut counted_to) = (1_u32, 0);
    for NameUse { range, member } in named {
        let between = text.as_bytes().get(counted_to..range.start).unwrap_or_default();
        let lines = memchr_iter(b'\n', between).count();
        line = line.saturating_add(u32::try_from(lines).unwrap_or(u32::MAX));
        counted_to = range.start;
        let Some(name) = text.get(range) else { continue };
        if let Some(known) = by_name.get_mut(name) {
            known.count = known.count.saturating_add(1);
            known.member &= member;
        } else if by_name.len() < MOST_REFERENCES {
            by_name.insert(name, Reference { name: name.into(), line, count: 1, member });
        }
    }
    let mut references: Vec<Reference> = by_name.into_values().collect();
    references.sort_unstable_by(|one, other| one.name.cmp(&other.name));
    references
}
