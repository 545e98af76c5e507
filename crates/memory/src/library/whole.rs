//! All that the user told, where that is little enough to be read whole. Nothing of it is kept back because it does not
//! seem to answer.

use std::collections::BTreeSet;

use protocol::{FactStatus, Role};
use store::{SaidMessage, StoredFact};

use super::over::is_corrected;
use super::{Asked, Hit, Key, Library, Shelved};
use crate::recall::{Found, Parts, Place, is_mere_question};

/// What a line takes beside its words: its day, and who said it.
const LINE: usize = 40;

/// What the last of a few things that were said counts more than the first of them.
const LATER: f32 = 0.6;
/// So many are a few. Most of what comes later among more is about something else, and an old answer is none the worse.
const FEW: usize = 4;

/// All that the user told, and the letters that there is still room for.
#[derive(Debug)]
pub(crate) struct Whole {
    /// Best first.
    pub hits: Vec<Hit>,
    pub room: usize,
}

impl Whole {
    /// Takes the room for a text, if there is as much.
    pub fn takes(&mut self, text: &str) -> bool {
        let left = self.room.checked_sub(text.chars().count() + LINE);
        self.room = left.unwrap_or(self.room);
        left.is_some()
    }

    pub fn has(&self, key: Key) -> bool {
        self.hits.iter().any(|hit| hit.shelved.key() == key)
    }
}

/// Where all of it stands, and the letters that there is still room for.
pub(super) struct Told {
    places: BTreeSet<Place>,
    room: usize,
}

/// How many letters of a message tell something of the user's. Her own words are none of that: they rest on the user's, or
/// on somebody else's, and are the longer ones. Neither is a play that was brought along, nor what only asks.
pub(super) fn letters_told(message: &SaidMessage) -> Option<usize> {
    let tells = message.role == Role::User && !message.is_foreign && !is_mere_question(&message.content);
    tells.then(|| message.content.chars().count())
}

impl Library {
    /// Where all stands that the user told and the asker may read, if there is room for as much. What the model reads
    /// anyhow is not told again, and what was put right by hand or has faded does not come back. What is over is among it:
    /// a message may say more than the fact that is.
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

    /// The same with what each is worth for the question.
    pub(super) fn whole(&self, told: Told, found: &[Found], is_of_then: bool) -> Whole {
        let Told { mut places, room } = told;
        let weighed: Vec<&Found> = found.iter().filter(|found| places.remove(&found.place)).collect();
        let mut hits = self.hits(weighed);
        // What tells of something that is over was not weighed, and is told with what has become of that.
        let rest = places.into_iter().filter_map(|place| self.shelved(place)).cloned();
        hits.extend(rest.map(|shelved| Hit { shelved, parts: Parts::default(), score: 0.0 }));
        if !is_of_then {
            raise_later(&mut hits);
        }
        hits.sort_by(|one, other| other.score.total_cmp(&one.score));
        Whole { hits, room }
    }
}

/// Of a few things that were said, the later ones tell better how things are.
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
