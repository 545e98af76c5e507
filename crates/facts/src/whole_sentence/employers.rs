//! Employers, recognised by words of work around a name.

use std::sync::LazyLock;

use super::current_name::{SlotWording, WORK, current_and_left, is_noted, is_somebody};
use super::name_mention::{NameKind, NameMention};
use super::sentence_draft::SentenceDraft;
use super::sentence_view::SentenceView;
use crate::lexicon;
use crate::names::KnownNames;
use crate::slot::SlotKind;
use crate::verbs;
use crate::wordlists::WordList;

/// Words of business with a company that is not the employer.
static BUSINESS: WordList = LazyLock::new(|| {
    "meeting client clients customer supplier sent emailed ordered delivered invoice refund released launched \
    announced shares stock parcel school phone app account subscription met called"
        .split_whitespace()
        .collect()
});

pub fn employer(view: &SentenceView<'_>, names: &KnownNames) -> Vec<SentenceDraft> {
    let deals =
        view.names.iter().filter(|name| matches!(name.kind, NameKind::Company | NameKind::Unknown)).any(
            |name| {
                let at = name.range.start;
                view.clause(at).iter().any(|word| BUSINESS.contains(word)) && !view.has_own_beside(at, &WORK)
            },
        );
    // *I need a job at Google*, *I have a contract with Vodafone*
    let sought = (view.phrase(&["not", "get"]) || view.phrase(&["never", "got"]))
        && view.has(&["job", "role", "position"])
        || view.phrase(&["said", "no"])
        || view.phrase(&["where", "i", "worked"])
        // *I switched from Lenovo to Dell for my laptop*
        || view.has(&["switched", "changed"]) && view.phrase(&["for", "my"])
        || view.phrase(&["turned", "down"])
        || view.phrase(&["turned", "it", "down"])
        || view.has(&["need", "needs"]) && view.has(&["job", "work", "role", "position"])
        || view.phrase(&["a", "contract"]) && !view.has(&["signed", "sign", "job"]);
    let once = !view.is_mine() && view.has(&["worked"]) && !view.has(&["works", "now", "still"]);
    if deals || sought || once || view.is_of_family {
        return Vec::new();
    }
    let current = names.current_value(&view.subject, SlotKind::Employer, "");
    // *Boeing is cutting jobs* is news about the company.
    if view.is_mine() && current.is_none() && !view.says_me() && !view.is_terse() {
        return Vec::new();
    }
    let by_name = view.names.iter().any(|name| {
        name.kind == NameKind::Company
            && matches!(
                (view.before(name.range.start, 2), view.before(name.range.start, 1)),
                ("am" | "are", "at" | "with")
                    | ("been", "at" | "with")
                    | ("day" | "week" | "month" | "shift" | "morning", "at" | "with")
            )
            && !view.has(&["spent", "spend", "spending"])
    });
    let hours = view.has(&["hours", "days"]) && view.phrase(&["a", "week"]);
    // *My coworker Darnell*: neither the word nor the name tells where Darnell works.
    let of_work = |word: &&str| {
        WORK.contains(word)
            && (view.is_mine() || lexicon::relation(word).is_none() && !word.starts_with("cowork"))
    };
    let topic = view.speaks_of(&WORK) && view.words.iter().any(of_work)
        || by_name
        || hours
        || view.phrase(&["nine", "to", "five"]);
    let spoken_of = current
        .as_deref()
        .is_some_and(|current| view.names.iter().any(|name| name.text.eq_ignore_ascii_case(current)));
    let home = names.current_value(&view.subject, SlotKind::Home, "");
    let fits = |name: &NameMention| match name.kind {
        NameKind::Company => {
            let before = view.before(name.range.start, 1);
            // *My Tesla would not start*
            let car = lexicon::is_make(view.word(name.range.start))
                && (matches!(before, "a" | "my" | "our")
                    || view.has(&["car", "drive", "driving", "vehicle"]));
            if car && !spoken_of {
                return false;
            }
            // *A podcast on Spotify*, *I paid with PayPal*, *a Dell*: the user of a product does not work for its
            // maker.
            let used = matches!(before, "against" | "on" | "a" | "an" | "via" | "using" | "my")
                || before == "with" && view.has(&["paid", "pay", "ordered", "bought"]);
            name.is_left || !used && (before != "of" || view.before(name.range.start, 2) == "payroll")
        }
        NameKind::Unknown if is_somebody(view, name) => false,
        NameKind::Vehicle
            if matches!(view.before(name.range.start, 1), "a" | "my" | "our" | "the" | "," | ":") =>
        {
            false
        }
        NameKind::Unknown | NameKind::Vehicle => {
            let before = view.before(name.range.start, 1);
            // *I've started a podcast with Jen*
            let among = before == "with"
                && !words!("job work working works worked signed contract role staff")
                    .iter()
                    .any(|word| view.words.contains(word));
            let stands = !among && words!("at for with by from joined is left quit").contains(before)
                || before == "to" && (view.is_change || spoken_of)
                || before == "a" && matches!(view.word(name.range.end), "employee" | "worker" | "staffer")
                || before == "the"
                    && matches!(view.word(name.range.end), "office" | "team" | "payroll" | "factory");
            let leads = name.range.start == 0
                || words!(", and that so but hi hello : now").contains(before)
                || lexicon::is_weekday(before)
                || verbs::lemma(view.word(name.range.end)).is_some() && view.has(&["me", "my"]);
            (topic || spoken_of)
                && (stands || leads)
                && home.as_deref() != Some(name.text.as_str())
                && (before != "in" && before != "to" || current.is_some())
        }
        NameKind::Place => {
            // A city is no employer, apart from names such as `the Boston Consulting office`.
            false
        }
        _ => false,
    };
    let terse =
        view.is_terse() && view.has_any(words!("job employer employee hired working started quit work"));
    let fits = |name: &NameMention| fits(name) || terse && is_noted(view, name) && !is_somebody(view, name);
    let phrases = SlotWording {
        kind: SlotKind::Employer,
        now: "works at",
        then: "worked at",
        gone: "no longer works at",
    };
    current_and_left(view, current.as_deref(), (topic, terse), fits, &phrases)
}
