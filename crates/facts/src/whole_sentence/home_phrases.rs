//! Phrasings that tell where the user lives: *visit me in Rome*, *the move from Lyon to Rome*.

use std::sync::LazyLock;

use super::current_name::is_somebody;
use super::name_mention::{NameKind, NameMention};
use super::sentence_draft::SentenceDraft;
use super::sentence_patterns::{SentenceMatch, SentencePattern, SentencePatternSearch, sentence_patterns};
use super::sentence_view::SentenceView;
use crate::names::KnownNames;
use crate::rules::wordings;

static STAYS: LazyLock<Vec<SentencePattern>> = LazyLock::new(|| {
    sentence_patterns(
        "!visit|visits|visiting|visited me|us ?here|over|out|down|up in @
        !come|comes|coming|came *2 to see|visit me|us ?here|over|out|down|up in @
        i|we *6 back home to|in @ $
        i|we *6 back home to|in @ and|where
        ^ *1 back home in @
        !live|lives|living in @ like|as i|we|me ?do
        !i|we am|are *2 one of *4 who|that live|lives|reside in @
        !i|we am|are *2 one of *4 living in @
        !i|we am|are *2 one of *4 who|that have lived in @ for|since
        !as someone|somebody who|that lives|resides *2 in @
        !as someone|somebody whose flat|apartment|house|home|place is *5 in|of @
        !what you get for|from living in @
        !what you get for having a|your *2 flat|place|house|home in @
        !@ , where i|we live|reside|sleep $
        !@ , where i|we live|reside since|now|alone
        !@ ?, ?and ?that|which|this is where i|we live|reside|sleep|belong $
        !@ ?, ?and ?that|which|this is where my|our *1 home|house|flat|apartment|bed|kitchen|sofa|room
        @ is where i|we hang my|our hat
        home for me|us is @
        my|our city|town ,|is ?it ?is @ $
        @ , my|our home sweet home
        you are ever in @ #8 my|our flat|place|house|sofa|spare|guest|door
        ^ being|as a local|resident in|of @
        say being a local|resident in|of @
        i|we ?have am|are|been ?a|an @ girl|boy|lad|lass|person|people|folk|folks|guy
        i|we have been a|an @ resident|local|citizen for|since
        never lived anywhere|somewhere but|except|outside|besides ?of @
        never lived anywhere|somewhere other|else than|but @
        i|we had|have|get|got *6 here in @
        my|our street|block|building|stairwell|courtyard in @
        i|we have spent *1 most|all|half|much|part|bulk of my|our *1 life in @
        !how long|many ?years i|we have been living in @
        !how long|many ?years i|we have lived in @
        ^ having lived in @ for|since
        @ #16 here i|we still am|are
        @ #16 guess who never left
        @ #14 i|we have had a|an|my|our *1 flat|house|place|home|apartment here for|since
        !@ #14 how long|many ?years i|we have been living here|there
        !@ #14 how long|many ?years i|we have been living in this city|town|place
        years of @ life
        years of living in @ does|do|has|have|teaches|taught|makes
        !you have been living in @ for",
    )
});

static MOVES: LazyLock<Vec<SentencePattern>> = LazyLock::new(|| {
    sentence_patterns(
        "my|our|the ?big|great|whole move from % to @
        my|our move to @ from %
        i|we *2 packed up my|our|everything *3 in % and *3 started|start|begun|began *3 again|over|anew|afresh in @
        removal|moving van|truck|company|men|firm *4 everything|my|our *3 from % to @
        i|we *2 changed|swapped ?my|our city|cities|town|towns|address|home #4 % #4 @
        ^ change of address|residence|home #3 % #3 @
        ^ my|our change of address|residence|home *2 from % to @
        !told|tell|telling|informed *4 i|we have moved|relocated to @
        !told|tell|telling|informed *4 i|we have been living in @
        i|we have been ?living in @ since the|my|our move
        ^ out of % , into @
        ^ left % *3 , sleeping|living in @
        i|we *2 come|came|gone|went|moved back to|in @ for good
        i|we *2 traded|swapped|exchanged *3 of|in % for *5 @
        !% was not for me|us #6 i|we am|are in @
        not live *2 in % , ?but|and i|we am|are in @
        not live *2 in % , now i|we am|are in @
        i|we am|are ?finally out of % #2 @ is home
        @ is my|our home from now on
        years|time in % , i|we packed up and settled in @
        years|time in % i|we packed up and settled in @
        i|we *1 said *3 goodbye to % #8 @ is where i|we",
    )
});

pub fn living(view: &SentenceView<'_>, _: &KnownNames) -> Vec<SentenceDraft> {
    if !view.is_mine() || !view.names.iter().any(|name| is_place(view, name)) || is_abroad(view) {
        return Vec::new();
    }
    let is_candidate = |name: &NameMention| is_place(view, name);
    let search = SentencePatternSearch { view, is_candidate: &is_candidate, is_person: &|_| false };
    // *The move from Lyon to Rome took Tom a week*
    let is_mine = |found: &SentenceMatch<'_>| found.is_sure || !view.names_another && !is_of_others(view);
    if let Some(SentenceMatch { new: Some(new), old, .. }) = search.first(&MOVES).filter(is_mine) {
        let old = old.filter(|old| old.text != new.text);
        let draft = wordings::lives(&new.text).important(0.75).sure(0.7);
        let mut found = vec![SentenceDraft::changed(draft.replacing(old.map(|old| old.text.clone())))];
        found.extend(old.map(|old| SentenceDraft::new(wordings::lived(&old.text))));
        return found;
    }
    let stays = search.first(&STAYS).filter(|found| found.is_sure || !is_of_others(view));
    let place = stays.and_then(|found| found.new);
    place
        .map(|name| SentenceDraft::new(wordings::lives(&name.text).important(0.75).sure(0.7)))
        .into_iter()
        .collect()
}

/// Returns true if the words are about a journey or a short stay.
fn is_abroad(view: &SentenceView<'_>) -> bool {
    view.has_any(words!(
        "holiday holidays holiday-wise vacation honeymoon airbnb hostel trip hospital airport stuck"
    ))
}

/// Returns true if the words are about a childhood home, a family visit or a company's premises.
fn is_of_others(view: &SentenceView<'_>) -> bool {
    view.has_any(words!(
        "christmas easter thanksgiving parents summer office headquarters company club museum childhood grew born"
    ))
}

/// Returns true if a name is a place or may be one.
pub fn is_place(view: &SentenceView<'_>, name: &NameMention) -> bool {
    name.kind == NameKind::Place || name.kind == NameKind::Unknown && !is_somebody(view, name)
}
