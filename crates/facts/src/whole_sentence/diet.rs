//! The diet of the user, recognised by its name alone.

use std::ops::Range;
use std::sync::LazyLock;

use protocol::FactCategory;

use super::name_mention::is_left;
use super::sentence_draft::SentenceDraft;
use super::sentence_view::SentenceView;
use super::thing_patterns::{ThingPatterns, matches_of, thing_patterns};
use crate::lexicon;
use crate::names::KnownNames;
use crate::rules::{self, FactDraft};
use crate::slot::{FactSlot, SlotKind};

const MEATS: &[&str] = &[
    "meat",
    "steak",
    "steaks",
    "burger",
    "burgers",
    "bacon",
    "carnivore",
    "beef",
    "chicken",
    "sausage",
    "sausages",
    "pork",
    "ham",
    "roast",
    "butcher",
];

/// Returns true for a diet that is over: *The vegan days are over*, *my vegetarian phase is done*.
fn is_phase(view: &SentenceView<'_>, at: usize) -> bool {
    words!("days phase thing chapter era experiment years life").contains(view.word(at + 1))
        && view
            .clause(at)
            .iter()
            .any(|word| words!("over done behind history ended finished gone past").contains(*word))
}

/// Phrasings that make a diet the user's, even in a clause about another person.
static OWN: LazyLock<ThingPatterns> = LazyLock::new(|| {
    thing_patterns(
        "is|are|be|been|someone|somebody|person|people ~ just|- like|as me|myself|i_am
        i have|- joined the ranks of the|people|those who|- are|- ~
        i have|- become|became|turned|gone ~
        it is ~ food|- only for me
        being ~ suits me|works_for_me|agrees_with_me|is_good_for_me
        round|around|with|of|about me being ~
        you can|may|should now|- call me ~
        diet : ~
        dietary change|update|requirement|requirements|preference|restriction effective|as_of|from|- this|- week|month|today|- : ~",
    )
});

fn any_diet(view: &SentenceView<'_>, at: usize) -> Option<Range<usize>> {
    lexicon::is_diet(view.word(at)).then_some(at..at + 1)
}

pub fn own(view: &SentenceView<'_>, names: &KnownNames) -> Vec<SentenceDraft> {
    let matched = matches_of(&OWN, view, any_diet).into_iter().next().filter(|_| view.is_mine());
    let Some(word) = matched.map(|matched| view.word(matched.thing.start)) else { return Vec::new() };
    let draft = rules::diet_draft(word, false).sure(0.75);
    match names.current_value("", SlotKind::Diet, "") {
        Some(held) if held == word => Vec::new(),
        Some(_) => vec![SentenceDraft::changed(draft)],
        None => vec![SentenceDraft::new(draft)],
    }
}

pub fn diet(view: &SentenceView<'_>, names: &KnownNames) -> Vec<SentenceDraft> {
    // *I'm vegetarian when I'm at home* is not a diet.
    if !view.is_mine() || view.is_of_family || view.phrase(&["when", "i", "am"]) {
        return Vec::new();
    }
    let current = names.current_value("", SlotKind::Diet, "");
    let said: Vec<(&str, bool)> = view
        .words
        .iter()
        .enumerate()
        .filter(|(at, word)| {
            let guessed = view.clause(*at).iter().any(|word| matches!(*word, "must" | "seems" | "sounds"));
            lexicon::is_diet(word)
                && !guessed
                && !matches!(
                    view.word(at + 1),
                    "restaurant" | "recipe" | "recipes" | "cafe" | "café" | "burger" | "food"
                )
        })
        .map(|(at, word)| (*word, is_left(&view.words, &(at..at + 1)) || is_phase(view, at)))
        .collect();
    if said.is_empty() && !view.has(MEATS) || !(view.says_me() || view.is_change || current.is_some()) {
        return Vec::new();
    }
    let over = said.iter().any(|(_, left)| *left)
        || view.is_change
        || view.has(&["back", "again"])
        || view.phrase(&["are", "over"])
        || view.phrase(&["is", "over"])
        || view.phrase(&["are", "behind"]);
    let meat = view.has(MEATS)
        && (view.has(&["again", "back", "now", "returned"]) || over)
        && !view.has(&["no", "without", "never", "not"]);
    let eats = meat || view.has(MEATS) && over && view.has(&["again", "back", "eat", "eating"]);
    let plain = view.has(&["meat"])
        && view.says_me()
        && view.has_any(words!("eat eating diet having menu plate have reintroduced"))
        && !view.has_any(words!("no not never without less like he she they you"));
    let eats = eats || plain;
    let held = current.as_deref().is_some_and(|current| current != "meat");
    if eats && held && !said.iter().any(|(word, left)| !left && Some(*word) != current.as_deref()) {
        let draft =
            FactDraft::new(FactCategory::Preference, FactSlot::new(SlotKind::Diet), "meat", "eats meat")
                .important(0.8);
        return vec![SentenceDraft::changed(draft.sure(0.7))];
    }
    let new: Vec<&str> = said
        .iter()
        .filter(|(word, left)| !left && Some(*word) != current.as_deref())
        .map(|(word, _)| *word)
        .collect();
    match new.as_slice() {
        [word] => {
            let draft = rules::diet_draft(word, false).sure(0.65);
            vec![if current.is_some() { SentenceDraft::changed(draft) } else { SentenceDraft::new(draft) }]
        }
        [] if said.iter().any(|(word, left)| *left && Some(*word) == current.as_deref()) => {
            vec![SentenceDraft::new(
                rules::diet_draft(current.as_deref().unwrap_or(""), false).ended().sure(0.6),
            )]
        }
        _ => Vec::new(),
    }
}
