//! Recall of everything that the user said, if it is little enough to be read completely. Nothing is then left out
//! because it does not seem relevant.

use std::collections::BTreeSet;

use protocol::{FactStatus, Role};
use store::{RecallableMessage, StoredFact};

use super::outdated::is_corrected;
use super::{ItemKey, RecallHit, RecallItem, SearchInput, UserMemory};
use crate::recall::{ItemPosition, ScoreParts, ScoredItem, is_mere_question};

/// The characters that a line takes in addition to its text: its day and its speaker.
const LINE: usize = 40;

/// The score that the last of a few messages gains over the first.
const LATER: f32 = 0.6;
/// The number of messages up to which this bonus applies in full. With more, most later messages are about something
/// else, and an old answer is as good as a new one.
const FEW: usize = 4;

/// Everything that the user said, and the number of characters still available.
#[derive(Debug)]
pub(crate) struct EverythingSaid {
    /// The hits, best first.
    pub hits: Vec<RecallHit>,
    pub room: usize,
}

impl EverythingSaid {
    /// Reserves the room for a text, if there is enough.
    pub fn takes(&mut self, text: &str) -> bool {
        let left = self.room.checked_sub(text.chars().count() + LINE);
        self.room = left.unwrap_or(self.room);
        left.is_some()
    }

    pub fn contains(&self, key: ItemKey) -> bool {
        self.hits.iter().any(|hit| hit.item.key() == key)
    }
}

/// The positions of everything that the user said, and the number of characters still available.
pub(super) struct StatementPositions {
    positions: BTreeSet<ItemPosition>,
    room: usize,
}

/// Returns the number of characters of a message that state something about the user. The companion's messages do not
/// count: they are based on the user's or on other content, and are longer. Imported role-play and mere questions do
/// not count either.
pub(super) fn stated_chars(message: &RecallableMessage) -> Option<usize> {
    let tells = message.role == Role::User && !message.is_foreign && !is_mere_question(&message.content);
    tells.then(|| message.content.chars().count())
}

impl UserMemory {
    /// Returns the positions of everything that the user said and the recipient may see, if there is room for all of it.
    /// Messages in the model's context already are left out, and so is what was corrected by hand or has faded.
    /// Messages about facts that are over are included, since they may say more than the fact.
    pub(super) fn statement_positions(&self, input: &SearchInput<'_>) -> Option<StatementPositions> {
        let mut statements = StatementPositions { positions: BTreeSet::new(), room: input.room };
        if statements.room == 0 {
            return None;
        }
        let is_gone = |fact: &StoredFact| is_corrected(fact) || fact.said.status == FactStatus::Faded;
        let gone = self.messages_only_about(is_gone);
        for (position, item) in (0..).zip(&self.items) {
            let Some(RecallItem::Message { id, stated_chars: Some(chars), .. }) = item else { continue };
            if input.in_context.contains(id) || gone.contains(id) || input.prepared.hides(position) {
                continue;
            }
            statements.room = statements.room.checked_sub(chars + LINE)?;
            statements.positions.insert(position);
        }
        Some(statements)
    }

    /// Returns the same messages with their scores for the question.
    pub(super) fn everything_said(
        &self,
        statements: StatementPositions,
        found: &[ScoredItem],
        is_about_past: bool,
    ) -> EverythingSaid {
        let StatementPositions { mut positions, room } = statements;
        let scored: Vec<&ScoredItem> =
            found.iter().filter(|found| positions.remove(&found.position)).collect();
        let mut hits = self.hits(scored);
        // Messages about facts that are over were not scored; they are returned with a note on what has become of
        // those.
        let rest = positions.into_iter().filter_map(|position| self.item(position)).cloned();
        hits.extend(rest.map(|item| RecallHit { item, parts: ScoreParts::default(), score: 0.0 }));
        if !is_about_past {
            raise_later(&mut hits);
        }
        hits.sort_by(|one, other| other.score.total_cmp(&one.score));
        EverythingSaid { hits, room }
    }
}

/// Raises the later of a few messages, which tell better how things are today.
fn raise_later(hits: &mut [RecallHit]) {
    let said: BTreeSet<ItemKey> = hits.iter().map(|hit| hit.item.key()).collect();
    let said: Vec<ItemKey> = said.into_iter().collect();
    let last = said.len().saturating_sub(1).max(1);
    #[allow(clippy::cast_precision_loss, reason = "as many messages as are read whole")]
    let most = LATER * FEW as f32 / said.len().max(FEW) as f32;
    for hit in hits {
        if let Ok(position) = said.binary_search(&hit.item.key()) {
            #[allow(clippy::cast_precision_loss, reason = "as many messages as are read whole")]
            let later = most * position as f32 / last as f32;
            hit.score += later;
            hit.parts.recency += later;
        }
    }
}
