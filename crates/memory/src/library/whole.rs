//! Recall of everything that the user said, if it is little enough to be read completely. Nothing is then left out
//! because it does not seem relevant.

use std::collections::BTreeSet;

use protocol::{FactStatus, Role};
use store::{SaidMessage, StoredFact};

use super::over::is_corrected;
use super::{Asked, Hit, Key, Library, Shelved};
use crate::recall::{Found, Parts, Place, is_mere_question};

/// The characters that a line takes in addition to its text: its day and its speaker.
const LINE: usize = 40;

/// The score that the last of a few messages gains over the first.
const LATER: f32 = 0.6;
/// The number of messages up to which this bonus applies in full. With more, most later messages are about something
/// else, and an old answer is as good as a new one.
const FEW: usize = 4;

/// Everything that the user said, and the number of characters still available.
#[derive(Debug)]
pub(crate) struct Whole {
    /// The hits, best first.
    pub hits: Vec<Hit>,
    pub room: usize,
}

impl Whole {
    /// Reserves the room for a text, if there is enough.
    pub fn takes(&mut self, text: &str) -> bool {
        let left = self.room.checked_sub(text.chars().count() + LINE);
        self.room = left.unwrap_or(self.room);
        left.is_some()
    }

    pub fn has(&self, key: Key) -> bool {
        self.hits.iter().any(|hit| hit.shelved.key() == key)
    }
}

/// The places of everything that the user said, and the number of characters still available.
pub(super) struct Told {
    places: BTreeSet<Place>,
    room: usize,
}

/// Returns the number of characters of a message that state something about the user. The companion's messages do not
/// count: they are based on the user's or on other content, and are longer. Imported role-play and mere questions do
/// not count either.
pub(super) fn letters_told(message: &SaidMessage) -> Option<usize> {
    let tells = message.role == Role::User && !message.is_foreign && !is_mere_question(&message.content);
    tells.then(|| message.content.chars().count())
}

impl Library {
    /// Returns the places of everything that the user said and the reader may see, if there is room for all of it.
    /// Messages in the model's context already are left out, and so is what was corrected by hand or has faded.
    /// Messages about facts that are over are included, since they may say more than the fact.
    pub(super) fn told(&self, asked: &Asked<'_>) -> Option<Told> {
        let mut told = Told { places: BTreeSet::new(), room: asked.room };
        if told.room == 0 {
            return None;
        }
        let is_gone = |fact: &StoredFact| is_corrected(fact) || fact.said.status == FactStatus::Faded;
        let gone = self.told_of_nothing_else(is_gone);
        for (place, shelved) in (0..).zip(&self.shelf) {
            let Some(Shelved::Message { id, told: Some(letters), .. }) = shelved else { continue };
            if asked.known.contains(id) || gone.contains(id) || asked.heard.hides(place) {
                continue;
            }
            told.room = told.room.checked_sub(letters + LINE)?;
            told.places.insert(place);
        }
        Some(told)
    }

    /// Returns the same messages with their scores for the question.
    pub(super) fn whole(&self, told: Told, found: &[Found], is_of_then: bool) -> Whole {
        let Told { mut places, room } = told;
        let weighed: Vec<&Found> = found.iter().filter(|found| places.remove(&found.place)).collect();
        let mut hits = self.hits(weighed);
        // Messages about facts that are over were not scored; they are returned with a note on what has become of
        // those.
        let rest = places.into_iter().filter_map(|place| self.shelved(place)).cloned();
        hits.extend(rest.map(|shelved| Hit { shelved, parts: Parts::default(), score: 0.0 }));
        if !is_of_then {
            raise_later(&mut hits);
        }
        hits.sort_by(|one, other| other.score.total_cmp(&one.score));
        Whole { hits, room }
    }
}

/// Raises the later of a few messages, which tell better how things are today.
fn raise_later(hits: &mut [Hit]) {
    let said: BTreeSet<Key> = hits.iter().map(|hit| hit.shelved.key()).collect();
    let said: Vec<Key> = said.into_iter().collect();
    let last = said.len().saturating_sub(1).max(1);
    #[allow(clippy::cast_precision_loss, reason = "as many messages as are read whole")]
    let most = LATER * FEW as f32 / said.len().max(FEW) as f32;
    for hit in hits {
        if let Ok(place) = said.binary_search(&hit.shelved.key()) {
            #[allow(clippy::cast_precision_loss, reason = "as many messages as are read whole")]
            let later = most * place as f32 / last as f32;
            hit.score += later;
            hit.parts.recency += later;
        }
    }
}
