//! Homes, recognised by words of home around a name.

use std::sync::LazyLock;

use jiff::ToSpan;

use super::current_name::{DWELLING, SlotWording, WORK, current_and_left, is_noted, is_somebody};
use super::name_mention::{NameKind, NameMention};
use super::sentence_draft::SentenceDraft;
use super::sentence_view::SentenceView;
use crate::calendar::month;
use crate::clause::take_times;
use crate::lexicon;
use crate::names::KnownNames;
use crate::slot::SlotKind;
use crate::time::TimeKind;
use crate::wordlists::WordList;

static HOME: WordList = LazyLock::new(|| {
    "crib digs gaff pad household live lives living reside resides home flat apartment house landlord landlady neighbour neighbours neighbor \
    neighbors neighbourhood neighborhood address lease moved move relocated relocate settled resident local based \
    unpacked unpacking unpack boxes removal movers tenant housewarming mortgage rent renting hometown living-room \
    kitchen balcony postcode residence roots keys studio townhouse cottage place upped transplant citizen bungalow \
    dwelling residence registration registered flatmates flatmate housemate housemates roommates roommate tenancy locals residents mover van doorstep \
    unloaded council hood sofa homeowner renovating decorating"
        .split_whitespace()
        .collect()
});

/// Words of travel: a place named with them is not a home.
static TRAVEL: WordList = LazyLock::new(|| {
    "visit visiting visited trip holiday holidays vacation flight flying fly flew conference airport hotel train \
    tour concert layover match travel travelling traveling airbnb hostel film movie book news flights drove drive \
    walked cycled tickets ticket bus journey road weekend stayed servers won lost beat against honeymoon restaurant \
    lunch dinner yesterday station"
        .split_whitespace()
        .collect()
});

pub fn home(view: &SentenceView<'_>, names: &KnownNames) -> Vec<SentenceDraft> {
    let current = names.current_value(&view.subject, SlotKind::Home, "");
    let long = view.phrase(&["have", "been", "since"])
        || view.phrase(&["have", "lived", "in"])
        || view.phrase(&["ended", "up", "in"]) && !view.has(&["supposed", "honeymoon"])
        || view.phrase(&["never", "left"])
        || view.names.iter().any(|name| name.kind == NameKind::Place && is_lasting(view, name));
    let by_name = !view.is_mine()
        && view.names.iter().any(|name| {
            name.kind == NameKind::Place
                && view.before(name.range.start, 1) == "in"
                && (matches!(view.before(name.range.start, 2), "over" | "down" | "up" | "out" | "back")
                    || lexicon::relation(view.before(name.range.start, 2)).is_some())
        });
    // *Since May my bed is in Rome*: people live where their belongings are and where they spend their days.
    let lasting = view.has(&["now", "nowadays", "since", "permanently"])
        || view.phrase(&["these", "days"])
        || view.phrase(&["from", "tonight"])
        || view.phrase(&["from", "today"])
        || view.phrase(&["as", "of"]);
    let stays = lasting
        && view.is_mine()
        && view.says_me()
        && !view.has_any(&WORK)
        && view.names.iter().any(|name| {
            name.kind == NameKind::Place
                && view.before(name.range.start, 1) == "in"
                && words!("am is are sleep wake life over up here down again")
                    .contains(view.before(name.range.start, 2))
        });
    let moves = view.has_any(words!("moved move moving relocated removal boxes lease live living"));
    // *I've got a friend living in Bristol*
    if view.is_mine() && (view.phrase(&["a", "friend"]) || view.phrase(&["friend", "living"])) {
        return Vec::new();
    }
    // *We moved our office to Rome*: the object moved, not the people.
    let moves_a_thing = view.words.windows(3).any(|window| {
        matches!(window[0], "moved" | "move" | "moving" | "relocated" | "transferred")
            && words!("our my the his her their a an this").contains(window[1])
            && !DWELLING.contains(window[2])
            && !words!("things stuff belongings furniture new whole entire move").contains(window[2])
    });
    if moves_a_thing {
        return Vec::new();
    }
    // *Berlin, where I used to live*
    if view.phrase(&["used", "to", "live"]) && !view.has(&["now", "these"]) {
        return Vec::new();
    }
    // *Rent in Dublin is higher than in Lyon* is a comparison.
    let compares =
        view.words.iter().enumerate().any(|(at, word)| {
            *word == "than" && !(view.before(at, 1) == "more" && is_amount(view.word(at + 1)))
        });
    if compares && !view.has(&["moved", "rather"]) {
        return Vec::new();
    }
    // *We moved on to Rome on day five*, *I was moved by that film*, *we were supposed to move*
    let unmoved = [
        ["moved", "on"],
        ["moved", "by"],
        ["supposed", "to"],
        ["been", "moved"],
        ["was", "moved"],
        ["helped", "my"],
    ];
    let parted = view.phrase(&["moved", "away", "from", "there"]);
    if view.is_mine() && (parted || unmoved.iter().any(|pair| view.phrase(pair))) {
        return Vec::new();
    }
    // *We signed for the house* is before the handover, and *we share a studio* may only be for painting.
    let unsettled = view.phrase(&["signed", "for"]) || view.phrase(&["share", "a", "studio"]);
    if view.is_mine() && (is_ahead(view) || unsettled) {
        return Vec::new();
    }
    let week = view.has(&["spent"]) && view.has(&["week", "days", "night", "nights", "month", "afternoon"]);
    let moves = moves || view.phrase(&["is", "home"]) || view.phrase(&["home", "now"]);
    // *The train to Rome* is a journey; *my flat in Rome, where I hear every train* is not.
    let travels = view
        .names
        .iter()
        .filter(|name| matches!(name.kind, NameKind::Place | NameKind::Unknown))
        .any(|name| {
            let at = name.range.start;
            view.clause(at).iter().any(|word| TRAVEL.contains(word)) && !view.has_own_beside(at, &DWELLING)
        });
    if view.is_mine() && (week || travels && !long && !(moves && view.has(&["i", "we"]))) {
        return Vec::new();
    }
    let topic = view.speaks_of(&HOME) || long || by_name || stays;
    // *Our company moved to Rome* does not tell where the user lives.
    let own = view.has(&["i", "we", "me", "us"])
        || view.has_own(&DWELLING)
        || !view.is_mine()
        || !view.has(&["our", "my"]);
    if !own {
        return Vec::new();
    }
    let of_work = view.has_any(&WORK) && !view.has(&["moved", "live", "living", "flat", "home", "house"]);
    let spoken_of = current
        .as_deref()
        .is_some_and(|current| view.names.iter().any(|name| name.text.eq_ignore_ascii_case(current)));
    let of_work = of_work && !spoken_of;
    // `the city where I live, Elmstead, is lovely`, `the noise of Lyon for quiet Elmstead`
    let aside = |name: &NameMention| {
        let (start, end) = (name.range.start, name.range.end);
        topic && view.before(start, 1) == "," && view.word(end) == "," && view.has(&["live", "city", "town"])
            || spoken_of && matches!(view.before(start, 2), "for" | "to" | "in") && view.is_mine()
    };
    let fits =
        |name: &NameMention| match name.kind {
            NameKind::Place => true,
            NameKind::Unknown if is_somebody(view, name) => false,
            NameKind::Unknown if aside(name) => true,
            NameKind::Unknown => !view.has(&["name", "named", "called", "call"])
                && !of_work
                && (topic || current.is_some())
                && (current.is_some() || is_near(view, name))
                && name.range.start > 0
                && words!(
                    "in to into from of near for left leaving is called goodbye bye hello a made make call \
                    chose"
                )
                .contains(view.before(name.range.start, 1))
                || topic
                    && !view.words.iter().any(|word| lexicon::animal(word).is_some())
                    && name.range.start == 0
                    && (current.is_some() || matches!(view.word(name.range.end), "is" | "has" | "'s")),
            _ => false,
        };
    let terse =
        view.is_terse() && view.has_any(words!("home address moved settled based boxes unpacked living"));
    // *Moved out of my mum's in Rotherham*
    let anothers = |name: &NameMention| {
        matches!(view.before(name.range.start, 2), "'s" | "is")
            && view.is_mine()
            && lexicon::relation(view.before(name.range.start, 3)).is_some()
    };
    let fits = |name: &NameMention| {
        (fits(name) || terse && is_noted(view, name) && !is_somebody(view, name)) && !anothers(name)
    };
    let phrases =
        SlotWording { kind: SlotKind::Home, now: "lives in", then: "lived in", gone: "no longer lives in" };
    current_and_left(view, current.as_deref(), (topic, terse), fits, &phrases)
}

/// Returns true if a move is still to come or a stay is limited: *keys on the 14th*, *Porto, September to June*.
fn is_ahead(view: &SentenceView<'_>) -> bool {
    let is_here =
        view.has_any(words!("moved live lives living lived settled relocated unpacked now since home"));
    let (_, whens) = take_times(view.tokens, view.today);
    // A weekday may be the last one as well as the next.
    let soon = view.today.checked_add(6.days()).unwrap_or(view.today);
    let comes = whens.iter().any(|(_, when)| when.kind == TimeKind::At && when.from > soon);
    let stays = view.words.windows(3).any(|window| {
        month(window[0]).is_some() && matches!(window[1], "to" | "until" | "-") && month(window[2]).is_some()
    });
    (comes || stays) && !is_here
}

/// Returns true for words of an amount: *more than a decade*, *more than ten years*.
fn is_amount(word: &str) -> bool {
    matches!(word, "a" | "half") || crate::calendar::number(word).is_some()
}

/// Returns true if a word of home is near a name in its clause, unlike in *my house took four feet of water in
/// Katrina*, which names a storm.
fn is_near(view: &SentenceView<'_>, name: &NameMention) -> bool {
    let near = name.range.start.saturating_sub(6)..(name.range.end + 6).min(view.words.len());
    view.words[near].iter().any(|word| HOME.contains(word))
}

/// Returns true if a place has a long duration or a first time next to it: *ten years in Rome*, *first week in Rome*.
fn is_lasting(view: &SentenceView<'_>, name: &NameMention) -> bool {
    let clause = view.clause(name.range.start);
    let place = matches!(view.before(name.range.start, 1), "in" | "here" | "at");
    let long = clause
        .iter()
        .any(|word| words!("years ages decade decades forever months year yonks").contains(*word));
    // *I've been following a baker in Rome for years* tells where the baker is.
    let near = (2..=4).any(|back| {
        words!("years ages decade decades months year been lived living live here am are based settled home back stayed")
            .contains(view.before(name.range.start, back))
    });
    let first = clause.windows(2).any(|pair| {
        pair[0] == "first" && matches!(pair[1], "week" | "night" | "day" | "month" | "morning" | "weekend")
    });
    let gone = view.phrase(&["used", "to"])
        || clause.iter().any(|word| matches!(*word, "was" | "were" | "spent" | "ago"));
    place && (long && near || first && !view.has_any(&TRAVEL)) && !gone
}
