use jiff::civil::Date;
use protocol::FactCategory;

use super::slot::Slot;

/// Whether words say that something holds, or that it does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Polarity {
    Holds,
    /// Not any more, or never.
    Ended,
}

/// Something that a message says about somebody.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    pub category: FactCategory,
    /// Empty for the user; else `Anna`, `sister Anna`, `sister`, `dog Max`.
    pub subject: String,
    pub slot: Option<Slot>,
    /// What fills the slot. Empty where something ended without being named: *I quit my job*.
    pub value: String,
    /// A sentence that stands alone, of the user without a subject: `Lives in Lyon.`, `Sister Anna lives in Rome.`
    pub content: String,
    /// The words of the message.
    pub quote: String,
    pub confidence: f32,
    pub importance: f32,
    pub valid_from: Option<Date>,
    pub valid_to: Option<Date>,
    pub expires: Option<Date>,
    pub polarity: Polarity,
    /// What it takes the place of, where the words say so. `Some("")` if they say that it is a change and not from what.
    pub replaces: Option<String>,
}

impl Finding {
    /// Whether it tells of a time that is over.
    pub fn is_past(&self) -> bool {
        self.valid_to.is_some() && self.polarity == Polarity::Holds
    }
}
