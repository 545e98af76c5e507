//! Handles unreadable arguments after a marker that announces them.

use super::{Section, State};
use crate::Vocabulary;
use crate::candidate::Verdict;
use crate::openings::{At, Opening, Openings, Role, Trust};
use crate::reading::Reading;

impl Section {
    /// Starts skipping the unreadable arguments of this tool. The section becomes text if it may not be meant as a
    /// call.
    pub(super) fn break_off(&mut self, name: &str) -> Verdict {
        let is_meant = matches!(self.trust, Trust::Mark | Trust::Own)
            || self.trust == Trust::Element && self.place.starts_line;
        if !is_meant {
            return Verdict::Text;
        }
        self.state = State::Broken { name: name.to_owned(), mark: None };
        Verdict::Undecided
    }

    /// Skips unreadable arguments up to the end of the line or a marker that closes the call.
    pub(super) fn broken(&mut self, text: &str, next: char, vocabulary: &Vocabulary) -> Verdict {
        let before = text.len() - next.len_utf8();
        let State::Broken { name, mark } = &mut self.state else { return Verdict::Undecided };
        let reading = reading(name);
        match ended_by(mark, text, before, vocabulary) {
            Some((Role::Close, _)) => {
                self.open = self.open.saturating_sub(1);
                self.add(reading, text.len())
            }
            Some((_, from)) => {
                self.add(reading, from);
                self.conclude('\n')
            }
            None if next == '\n' => {
                self.add(reading, before);
                self.broke_line = true;
                Verdict::Undecided
            }
            None => Verdict::Undecided,
        }
    }
}

pub fn reading(name: &str) -> Reading {
    Reading::Flawed(format!(
        "the arguments of {name} cannot be read: brackets or quotes do not fit, or text has none"
    ))
}

/// Returns the marker at the end of a text, if it closes a call or ends a turn, and its start. `begun` stores a partly
/// read marker; the last character begins at `before`.
pub fn ended_by<'a>(
    begun: &mut Option<(At, usize)>,
    text: &str,
    before: usize,
    vocabulary: &'a Vocabulary,
) -> Option<(&'a Role, usize)> {
    let marks = vocabulary.marks();
    let (at, from) = begun.take().unwrap_or((Openings::ROOT, before));
    let walked = marks.walk(at, &text[before..]).map(|(at, _)| (at, from));
    let (at, from) =
        walked.or_else(|| marks.walk(Openings::ROOT, &text[before..]).map(|(at, _)| (at, before)))?;
    match marks.opened(at) {
        Some(Opening::Mark(role @ (Role::Close | Role::End))) => return Some((role, from)),
        Some(_) => {}
        None => *begun = Some((at, from)),
    }
    None
}
