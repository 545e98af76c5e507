//! The result of an edit and its record.

use std::fmt::Write as _;

use serde::Serialize;
use sha2::{Digest as _, Sha256};

use super::strategy::Strategy;
use crate::lines::line_number;

/// A record of an applied edit, for review and undo.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Receipt {
    pub strategy: Strategy,
    pub confidence: f32,
    /// The first and last line of each match before the change, counted from one.
    pub lines: Vec<(usize, usize)>,
    /// The SHA-256 digest of the text before the change; `after` is that after the change.
    pub before: String,
    pub after: String,
}

#[derive(Debug, Clone, PartialEq)]
pub struct AppliedEdit {
    pub content: String,
    pub receipt: Receipt,
}

/// Replaces a whole text by another.
pub fn whole(before: &str, after: String) -> AppliedEdit {
    let strategy = Strategy::Whole;
    let lines = vec![(1, line_number(before, before.len()))];
    let receipt = Receipt {
        strategy,
        confidence: strategy.confidence(),
        lines,
        before: digest(before),
        after: digest(&after),
    };
    AppliedEdit { content: after, receipt }
}

pub fn digest(text: &str) -> String {
    let mut out = String::with_capacity(64);
    for byte in Sha256::digest(text.as_bytes()) {
        let _ = write!(out, "{byte:02x}");
    }
    out
}
