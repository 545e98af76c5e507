//! Recall of everything that the user said, if it is little enough to be read completely. Nothing is then left out
//! because it does not seem relevant.

use std::collections::BTreeSet;

use protocol::FactStatus;
use store::StoredFact;

use super::UserMemory;
use super::item::{ItemKey, RecallItem};
use super::outdated::is_corrected;
use super::search::{EverythingSaid, LINE, RecallHit, SearchInput};
use crate::recall::{ItemPosition, ScoreParts, ScoredItem};

/// The score that the last of a few messages gains over the first.
const LATER: f32 = 0.6;
/// The number of messages up to which this bonus applies in full. With more, most later messages are about something
/// else, and an old answer is as good as a new one.
const FEW: usize = 4;

/// The positions of everything that the user said, and the number of characters still available.
pub(super) struct StatementPositions {
    positions: BTreeSet<ItemPosition>,
    room: usize,
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
