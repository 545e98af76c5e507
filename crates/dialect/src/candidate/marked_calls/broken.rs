//! Handles unreadable arguments after a marker that announces them.

use super::{MarkedCalls, State};
use crate::candidate::verdict::Verdict;
use crate::interpretation::Interpretation;
use crate::openings::{MarkerRole, MarkerTrust, Opening, OpeningTree, TreePosition};
use crate::vocabulary::ReplyVocabulary;

impl MarkedCalls {
    /// Starts skipping the unreadable arguments of this tool. The block becomes text if it may be only
    /// mentioned.
    pub(super) fn break_off(&mut self, name: &str) -> Verdict {
        let is_meant = matches!(self.trust, MarkerTrust::Marker | MarkerTrust::Own)
            || self.trust == MarkerTrust::Element && self.context.starts_line;
        if !is_meant {
            return Verdict::Text;
        }
        self.state = State::Broken { name: name.to_owned(), marker: None };
        Verdict::Undecided
    }

    /// Skips unreadable arguments up to the end of the line or a marker that closes the call.
    pub(super) fn broken(&mut self, text: &str, next: char, vocabulary: &ReplyVocabulary) -> Verdict {
        let before = text.len() - next.len_utf8();
        let State::Broken { name, marker } = &mut self.state else { return Verdict::Undecided };
        let interpretation = Interpretation::unreadable_arguments(name);
        match ended_by(marker, text, before, vocabulary) {
            Some((MarkerRole::Close, _)) => {
                self.open = self.open.saturating_sub(1);
                self.add(interpretation, text.len())
            }
            Some((_, from)) => {
                self.add(interpretation, from);
                self.conclude('\n')
            }
            None if next == '\n' => {
                self.add(interpretation, before);
                self.broke_line = true;
                Verdict::Undecided
            }
            None => Verdict::Undecided,
        }
    }
}

/// Returns the marker at the end of a text, if it closes a call or ends a turn, and its start. `begun` stores a partly
/// read marker; the last character begins at `before`.
pub fn ended_by<'a>(
    begun: &mut Option<(TreePosition, usize)>,
    text: &str,
    before: usize,
    vocabulary: &'a ReplyVocabulary,
) -> Option<(&'a MarkerRole, usize)> {
    let markers = vocabulary.call_markers();
    let (at, from) = begun.take().unwrap_or((OpeningTree::ROOT, before));
    let walked = markers.walk(at, &text[before..]).map(|(at, _)| (at, from));
    let (at, from) =
        walked.or_else(|| markers.walk(OpeningTree::ROOT, &text[before..]).map(|(at, _)| (at, before)))?;
    match markers.opened(at) {
        Some(Opening::CallMarker(role @ (MarkerRole::Close | MarkerRole::End))) => return Some((role, from)),
        Some(_) => {}
        None => *begun = Some((at, from)),
    }
    None
}
