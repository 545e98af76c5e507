//! The items of the index.

use jiff::civil::Date;

/// An item to add to the index: a turn of a conversation, or a standalone text.
#[derive(Debug, Clone)]
pub struct NewItem<'a> {
    /// The thread in which neighbours are looked for.
    pub thread: u64,
    pub speaker: &'a str,
    pub day: Date,
    pub text: &'a str,
}

/// The position of an item in the index, stable for as long as the item exists.
pub type ItemPosition = u32;

/// The speaker as a number, since a question is compared with every item.
pub(super) type SpeakerNumber = u16;

#[derive(Debug, Clone)]
pub(super) struct IndexedItem {
    pub(super) thread: u64,
    pub(super) speaker: SpeakerNumber,
    pub(super) day: Date,
    /// The day as a number, for arithmetic.
    pub(super) day_number: i32,
    /// The significant words, by number, each with its count.
    pub(super) terms: Vec<(u32, u16)>,
    pub(super) length: f32,
    /// The amount of content, on a scale that grows more slowly than the length.
    pub(super) size: f32,
    pub(super) is_question: bool,
    pub(super) informativeness: f32,
    /// True if it names a time, so that it can answer *when*.
    pub(super) names_time: bool,
    /// True if it speaks of a change.
    pub(super) reports_change: bool,
    pub(super) before: Option<ItemPosition>,
    pub(super) after: Option<ItemPosition>,
    /// The weighted length of the item and its neighbours, for the wide and the narrow reach.
    pub(super) weighted_length: [f32; 2],
}

impl IndexedItem {
    /// Yields the significant words, by number.
    pub(super) fn terms(&self) -> impl Iterator<Item = u32> + '_ {
        self.terms.iter().map(|&(term, _)| term)
    }
}
