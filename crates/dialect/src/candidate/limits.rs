//! Length limits of candidates, in bytes.

/// The maximum length of text to hold back.
pub const LONGEST_CANDIDATE: usize = 1 << 18;
/// The maximum amount of whitespace before a call inside another construct.
pub const MOST_SPACE: usize = 64;
/// The maximum length of a tag, of a parameter name or of the head of a call.
pub const LONGEST_TAG: usize = 160;
