//! The slots that a question asks for.

use crate::slot::SlotKind;

/// A slot that would answer the question, with a weight.
#[derive(Debug, Clone, PartialEq)]
pub struct WantedSlot {
    pub kind: SlotKind,
    /// The item within the kind, as stems; empty for any.
    pub of: String,
    pub weight: f32,
    /// The required value, such as `dislikes`; empty for any.
    pub value: &'static str,
}
