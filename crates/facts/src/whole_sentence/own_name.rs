//! Phrasings that tell the user's name: *my friends know me as Jamie*, *this is Morgan writing*.

use std::sync::LazyLock;

use super::name_mention::{NameKind, NameMention};
use super::sentence_draft::SentenceDraft;
use super::sentence_patterns::{SentencePattern, SentencePatternSearch, sentence_patterns};
use super::sentence_view::SentenceView;
use crate::lexicon;
use crate::names::KnownNames;
use crate::rules::wordings;

static CALLED: LazyLock<Vec<SentencePattern>> = LazyLock::new(|| {
    sentence_patterns(
        "friends|people|everyone|everybody|mates|family|colleagues know|knows me as @
        ^ this is @ writing|typing|speaking|again|here $
        @ is what it says on my passport|id|badge|licence|card
        my passport|badge|licence says @
        !my parents|mum|mom|mother|dad|father *3 went|going|go with @ for me $
        !my parents|mum|mom|mother|dad|father *3 picked|chose|chosen @ for me $
        !my parents|mum|mom|mother|dad|father *3 picked|chose|chosen @ for me after
        my parents *16 settled on @ . i have been
        my name wrong #5 . it is @
        my name #8 how hard *5 write|spell|say @
        no nicknames *6 #1 ?just @
        ^ just @ , no nicknames
        ^ @ , pleased|nice|lovely|delighted|good to meet you
        who knows me says @ $
        just says @ to me
        ask who i am , i say @
        !by name , it is @
        of us called|named @ in my|our
        ^ yo|hey|hi|hiya|hello ?, it is @ $",
    )
});

pub fn called(view: &SentenceView<'_>, _: &KnownNames) -> Vec<SentenceDraft> {
    let is_candidate = |name: &NameMention| {
        name.range.len() == 1
            && matches!(name.kind, NameKind::Unknown | NameKind::Person)
            && lexicon::is_given_name(view.word(name.range.start))
    };
    let mut people = view.names.iter().filter(|name| is_candidate(name));
    if !view.is_mine() || people.next().is_none() {
        return Vec::new();
    }
    let search = SentencePatternSearch { view, is_candidate: &is_candidate, is_person: &|_| false };
    let found = search.first(&CALLED).and_then(|found| found.new);
    found
        .map(|name| SentenceDraft::new(wordings::called(&name.text).important(0.9).sure(0.7)))
        .into_iter()
        .collect()
}
