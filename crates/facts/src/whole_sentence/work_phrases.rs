//! Phrasings that tell where the user works: *Lego took me on*, *our summer party at Lego*.

use std::sync::LazyLock;

use super::current_name::{WORK, is_somebody};
use super::name_mention::{NameKind, NameMention};
use super::sentence_draft::SentenceDraft;
use super::sentence_patterns::{SentenceMatch, SentencePattern, SentencePatternSearch, sentence_patterns};
use super::sentence_view::SentenceView;
use crate::lexicon;
use crate::names::KnownNames;
use crate::rules::{is_bought, wordings};

static STAYS: LazyLock<Vec<SentencePattern>> = LazyLock::new(|| {
    sentence_patterns(
        "@ *2 us employees|staff|workers
        !at|for|with @ *9 me|myself included
        @ , my|our employer|workplace
        ^ we at @
        here at @ we
        those|all|many|some|most|both of us ?here at @
        @ pays|treats its *6 i am one of them
        !@ , where i|we work
        !@ , ?and ?that|which is where i|we work
        @ is where i|we work
        i work in|for|at a|an *3 company|firm|corporation #9 called|named @
        pays|signs|pay my|our *2 ? @
        @ owns my|me *2 soul|life|evenings|monday
        @ gets its money 's worth out of me|us
        @ has|keeps|had me|us working|slaving|grinding
        i|we spend my|our *2 days|weekdays|hours|week at|with @
        who pay|pays my|our salary|wages|bills|rent is|are ?called @
        our|my *1 summer|annual|office|staff|christmas|company|work|team *1 party|picnic|outing at @
        i|we work for|at and|, i answer|say|reply @
        i am ?just|only a|an *1 @ employee|staffer|worker
        ^ as a|an @ employee|staffer|worker
        ^ as an employee of|at|with @
        my|our @ ?staff|work|company|security badge|lanyard|payslip|uniform|colleagues|colleague|coworkers",
    )
});

static STARTS: LazyLock<Vec<SentencePattern>> = LazyLock::new(|| {
    sentence_patterns(
        "!at|from|with|left|of|for % #8 i|we *1 gone|moved|switched|jumped|hopped|crossed|went ?over to @
        i|we *2 switched|changed|gone|moved|transitioned|jumped|hopped|transferred|crossed ?over from % ?over to @
        ^ gone|moved|switched|hopped|jumped ?over from % ?over to @
        i|we *2 swapped|traded|exchanged % for @
        ^ swapped|traded|exchanged % for @
        ^ switched|moved to @ , done with|at %
        my last|final *3 at % *5 my first ?day|week|shift at @
        today|yesterday|monday was|is my first ?day|shift at @
        ^ ?my|the first day|week|shift at|with @ $
        ^ ?my|the first day|week|shift at|with @ today|done
        my first ?day|week|shift at|with @ was|is|went
        i am *2 days|weeks|months in|into at|with @
        i belong to @ now
        @ ?has|have took|taken me|us on $
        @ ?has|have took|taken me|us on right|straight|as|immediately|full-time|after|last|this|in|,
        i *3 taken on by|at @
        @ ?has|have hired|recruited|poached|headhunted|snapped me|us
        @ said yes #6 i have started there
        i have changed employers|jobs|companies *3 with|at @
        ^ *3 bye|goodbye % , hi|hello|hey @",
    )
});

pub fn posts(view: &SentenceView<'_>, _: &KnownNames) -> Vec<SentenceDraft> {
    if !view.is_mine() || !view.names.iter().any(|name| is_company(view, name)) {
        return Vec::new();
    }
    let is_candidate = |name: &NameMention| is_company(view, name);
    let search = SentencePatternSearch { view, is_candidate: &is_candidate, is_person: &|_| false };
    let of_work = view.has_any(&WORK);
    if let Some(SentenceMatch { new: Some(new), old, .. }) = search.first(&STARTS) {
        // *I switched from Nike to Adidas* is about shoes, and *from Renault to Toyota* about cars.
        let bought = old.is_some_and(|old| {
            let low = [&new.text, &old.text].map(|name| name.to_lowercase());
            low.iter().any(|name| is_bought(name)) || low.iter().all(|name| lexicon::is_make(name))
        });
        let another = old.is_some_and(|old| new.kind == NameKind::Unknown && old.kind == NameKind::Unknown);
        if (bought || another) && !of_work || is_deal(view) {
            return Vec::new();
        }
        let old = old.filter(|old| old.text != new.text);
        let draft = wordings::works_at(&new.text).important(0.75).sure(0.7);
        let mut found = vec![SentenceDraft::changed(draft.replacing(old.map(|old| old.text.clone())))];
        found.extend(old.map(|old| SentenceDraft::new(wordings::worked_at(&old.text))));
        return found;
    }
    match search.first(&STAYS).and_then(|found| found.new) {
        Some(new) if !is_deal(view) => {
            vec![SentenceDraft::new(wordings::works_at(&new.text).important(0.75).sure(0.7))]
        }
        _ => Vec::new(),
    }
}

/// Returns true if the words are about a purchase or a customer relationship, not work.
fn is_deal(view: &SentenceView<'_>) -> bool {
    view.phrase(&["for", "my"])
        || view.has_any(words!(
        "supplier broadband internet subscription account tariff insurance insurer shares stock bank provider \
        electricity client customer brand tour volunteer kids park rides tickets"
    ))
}

/// Returns true if a name is a company or may be one.
pub fn is_company(view: &SentenceView<'_>, name: &NameMention) -> bool {
    matches!(name.kind, NameKind::Company | NameKind::Vehicle)
        || name.kind == NameKind::Unknown && !is_somebody(view, name)
}
