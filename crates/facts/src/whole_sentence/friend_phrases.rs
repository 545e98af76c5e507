//! Phrasings that tell where a friend lives or works: *my friend Tom's place in Rome*, *Lego is where Tom works*.

use std::sync::LazyLock;

use super::home_phrases::is_place;
use super::name_mention::{NameKind, NameMention};
use super::sentence_draft::SentenceDraft;
use super::sentence_patterns::{SentenceMatch, SentencePattern, SentencePatternSearch, sentence_patterns};
use super::sentence_view::SentenceView;
use super::work_phrases::is_company;
use crate::lexicon;
use crate::names::KnownNames;
use crate::rules::{is_bought, wordings};

static LIVES: LazyLock<Vec<SentencePattern>> = LazyLock::new(|| {
    sentence_patterns(
        "& 's|is *1 place|flat|house|home|apartment|studio|housewarming in @
        !@ *12 stay|crash|sleep at|with *3 & 's|is place|house|flat|apartment
        & lives|resides *4 in @
        !@ #20 & *1 lives|resides there
        !@ #20 & has his|her|a|an *2 home|flat|house|place|apartment there
        @ #12 that is where *4 & lives|resides
        @ is where *2 & lives|resides
        & is all the way over|up|down|out in @
        !& was not all the way over|up|down|out in @
        friend|mate|pal|buddy *3 in @ is|, *1 &
        friend|mate|pal|buddy *3 in @ *1 called|named &
        & *1 : *4 resident in|of @
        & , *5 , is based in @
        & , who is based in @
        & *3 a citizen|resident of @",
    )
});

/// Phrasings about a person who was named before and is referred to by a pronoun.
static THEY_LIVE: LazyLock<Vec<SentencePattern>> = LazyLock::new(|| {
    sentence_patterns(
        "his|her *1 flat|house|home|apartment|studio ?is in @
        !@ #20 he|she *1 lives|resides there
        !@ #16 his|her *1 house|flat|home|place|apartment there
        @ #12 has|got a|an|his|her *1 house|flat|home|place|apartment there
        he|she lives|resides in @
        @ is home for|to him|her
        !him|her making|make his|her home in @
        friend *2 lives|living there
        friend was|is a citizen|resident of @",
    )
});

static MOVES: LazyLock<Vec<SentencePattern>> = LazyLock::new(|| {
    sentence_patterns(
        "& *2 transferred|moved|shifted his|her residence|home|life to @
        & *2 swapped|traded|exchanged his|her *3 for @
        & *2 upped sticks to @
        & *12 upped sticks and *2 to|in @
        & *3 packed up *4 and went|gone|moved|settled *2 to|in @
        & *4 gone|went|off to live in @
        i|we|^ *2 helped|helping & move ?over to @
        i|we|^ *2 helped|helping & move from % to @
        i|we|^ *2 helped|helping & *14 new flat|apartment|house|place ?is in @
        & with the|his|her new address *5 in @
        & *2 made the|his|her move to @
        & *2 made the|his|her move from % to @
        & *3 relocating|relocated to @
        & ?, off|gone to @ for good
        & *6 be found in @
        @ has|gained|got|acquired *3 new inhabitant|resident|citizen *4 &
        & is in @ , not %
        & is in @ , he|she left %
        & is not in % ?any anymore|more|longer , ?but|and it|he|she is ?in @
        & no longer lives in % , it is @
        & does not live in % ?any anymore|more|longer but in @
        & has relocated|moved #4 : @
        that|as|because|since & lives in @ now",
    )
});

static WORKS: LazyLock<Vec<SentencePattern>> = LazyLock::new(|| {
    sentence_patterns(
        "someone|somebody|friend|mate *2 at @ , *3 &
        & , my|a *1 friend|mate|buddy|pal at @
        friend|mate|buddy|pal & from @ $
        friend|mate|buddy|pal & from @ got|told|said|says|has|gave|sent|helped|can
        & works *2 at|for|with @
        !@ #14 & *1 works|working there
        @ #14 & ?, who *3 works|worked|working there
        @ *14 & *3 on ?the staff there
        @ is where *2 & works
        @ #8 that is where *3 & works
        & 's|is *1 boss|manager|job|office|colleagues|employer at|from|with|: @
        & has|got|found|landed ?got a|an *2 job|position|role at|with @
        & *3 ended|end up with a|an *1 job|position|role at @
        & being|is ?employed|working employed|working at|for|with @
        & , *6 works *2 at|for @
        & *10 the boss over|up|down at @",
    )
});

static THEY_WORK: LazyLock<Vec<SentencePattern>> = LazyLock::new(|| {
    sentence_patterns(
        "his|her *1 boss|manager|job|colleagues|desk at|with|from @
        !@ #14 he|she *1 works|working there
        !@ #10 he|she ?clearly likes|loves|hates working there
        !@ #10 he|she is|has ?been on ?the staff there
        !@ #14 that is where my friend|mate works|spends
        @ ?office , ?where he|she *1 works
        @ ?office , ?where he|she is on the staff
        !@ *12 who has worked there
        @ has|keeps|had him|her working|slaving",
    )
});

static IS_AT: LazyLock<Vec<SentencePattern>> = LazyLock::new(|| sentence_patterns("& is at|with @"));

pub fn friend(view: &SentenceView<'_>, names: &KnownNames) -> Vec<SentenceDraft> {
    if !view.is_mine() {
        return Vec::new();
    }
    let is_person = |name: &NameMention| {
        name.kind == NameKind::Person && !name.is_close
            || name.kind == NameKind::Unknown
                && name.range.len() == 1
                && lexicon::is_given_name(view.word(name.range.start))
    };
    let people: Vec<&NameMention> = view.names.iter().filter(|name| is_person(name)).collect();
    // With two people in the message, *he* is ambiguous.
    let [person] = people.as_slice() else { return Vec::new() };
    // *Since we were kids* is not about children.
    let of_others = view.words.iter().enumerate().any(|(at, word)| {
        lexicon::relation(word)
            .filter(|_| view.before(at, 1) != "were")
            .is_some_and(|what| !matches!(what, "friend" | "friends" | "best friend" | "boss" | "colleague"))
            || lexicon::animal(word).is_some()
    });
    if of_others || !matches!(person.what, "" | "friend" | "best friend" | "colleague") {
        return Vec::new();
    }
    let is_away = view.has_any(words!(
        "holiday vacation trip weekend conference novel song story king saint actor footballer wedding"
    ));
    // *Tom quit his job at Lego*
    let is_over = view.says_over();
    let label = || format!("{} {}", person.what, person.text).trim().to_owned();
    let subject = names.person(&person.text).unwrap_or_else(label);
    let place = |name: &NameMention| name.text != person.text && is_place(view, name);
    let company = |name: &NameMention| name.text != person.text && is_company(view, name);
    let maker = |name: &NameMention| name.kind == NameKind::Company && !is_bought(&name.text.to_lowercase());
    let homes = SentencePatternSearch { view, is_candidate: &place, is_person: &is_person };
    let posts = SentencePatternSearch { view, is_candidate: &company, is_person: &is_person };
    // *Tom is at Tesco* means that he is shopping.
    let makers = SentencePatternSearch { view, is_candidate: &maker, is_person: &is_person };
    let mut found = Vec::new();
    if let Some(SentenceMatch { new: Some(new), old, .. }) = homes.first(&MOVES) {
        let draft = wordings::lives(&new.text).of(&subject).important(0.6).sure(0.7);
        found.push(SentenceDraft::changed(draft.replacing(old.map(|old| old.text.clone()))));
    } else if let Some(new) = homes
        .first(&LIVES)
        .or_else(|| homes.first(&THEY_LIVE))
        .filter(|found| !is_over && (found.is_sure || !is_away))
        .and_then(|found| found.new)
    {
        found.push(SentenceDraft::new(wordings::lives(&new.text).of(&subject).important(0.6).sure(0.7)));
    }
    let work = posts.first(&WORKS).or_else(|| posts.first(&THEY_WORK)).or_else(|| makers.first(&IS_AT));
    if let Some(new) = work.filter(|_| !is_over).and_then(|found| found.new) {
        found.push(SentenceDraft::new(wordings::works_at(&new.text).of(&subject).important(0.6).sure(0.7)));
    }
    found
}
