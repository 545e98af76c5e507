use jiff::civil::Date;
use protocol::FactCategory;

use super::slot::FactSlot;

/// The truth value of a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Polarity {
    Holds,
    /// True no longer, or never.
    Ended,
}

/// A statement of a message about the user or another person.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    pub category: FactCategory,
    /// Empty for the user; otherwise `Anna`, `sister Anna`, `sister`, `dog Max`.
    pub subject: String,
    pub slot: Option<FactSlot>,
    /// The value of the slot. Empty if something ended without being named: *I quit my job*.
    pub value: String,
    /// A self-contained sentence, without a subject if about the user: `Lives in Lyon.`, `Sister Anna lives in Rome.`
    pub content: String,
    /// The passage of the message.
    pub quote: String,
    pub confidence: f32,
    pub importance: f32,
    pub valid_from: Option<Date>,
    pub valid_to: Option<Date>,
    pub expires: Option<Date>,
    pub polarity: Polarity,
    /// The value that this one replaces, if the message says so. `Some("")` if it speaks of a change but not from what.
    pub replaces: Option<String>,
}

impl Finding {
    /// Returns true if the statement is about the past.
    pub fn is_past(&self) -> bool {
        self.valid_to.is_some() && self.polarity == Polarity::Holds
    }
}
