//! The decision on a candidate.

use std::ops::Range;

use crate::ending::EndingSearch;
use crate::interpretation::Interpretation;

/// The decision on a candidate, which may have to wait for more text.
#[derive(Debug)]
pub enum Verdict {
    Undecided,
    /// Not a call. The text after its first character is read again, so this is only for short candidates.
    No,
    /// All of the candidate is text.
    Text,
    /// The candidate is complete.
    Read(Interpretation),
    /// A thought begins after the candidate.
    Thought(EndingSearch),
    /// The candidate belongs to the previous thought, which continues after it.
    StillThought(EndingSearch),
    /// The candidate is a complete thought with this content.
    InlineThought(Range<usize>),
    /// The candidate may mention a thought marker or open a thought: no call is made before its
    /// closing marker.
    Mention(Option<EndingSearch>),
}
