//! The diet of the user, recognised by its name alone.

use std::ops::Range;
use std::sync::LazyLock;

use protocol::FactCategory;

use super::Told;
use super::moulds::{Moulds, fits, moulds};
use super::sight::{Sight, is_left};
use crate::lexicon;
use crate::names::Names;
use crate::rules::{self, Draft};
use crate::slot::{Kind, Slot};

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
fn is_phase(sight: &Sight<'_>, at: usize) -> bool {
    words!("days phase thing chapter era experiment years life").contains(sight.word(at + 1))
        && sight
            .clause(at)
            .iter()
            .any(|word| words!("over done behind history ended finished gone past").contains(*word))
}

/// Phrasings that make a diet the user's, even in a clause about another person.
static OWN: LazyLock<Moulds> = LazyLock::new(|| {
    moulds(
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

fn any_diet(sight: &Sight<'_>, at: usize) -> Option<Range<usize>> {
    lexicon::is_diet(sight.word(at)).then_some(at..at + 1)
}

pub fn own(sight: &Sight<'_>, names: &Names) -> Vec<Told> {
    let fit = fits(&OWN, sight, any_diet).into_iter().next().filter(|_| sight.is_mine());
    let Some(word) = fit.map(|fit| sight.word(fit.thing.start)) else { return Vec::new() };
    let draft = rules::diet_draft(word, false).sure(0.75);
    match names.held("", Kind::Diet, "") {
        Some(held) if held == word => Vec::new(),
        Some(_) => vec![Told::changed(draft)],
        None => vec![Told::new(draft)],
    }
}

pub fn diet(sight: &Sight<'_>, names: &Names) -> Vec<Told> {
    // *I'm vegetarian when I'm at home* is not a diet.
    if !sight.is_mine() || sight.is_of_family || sight.phrase(&["when", "i", "am"]) {
        return Vec::new();
    }
    let current = names.held("", Kind::Diet, "");
    let said: Vec<(&str, bool)> = sight
        .words
        .iter()
        .enumerate()
        .filter(|(at, word)| {
            let guessed = sight.clause(*at).iter().any(|word| matches!(*word, "must" | "seems" | "sounds"));
            lexicon::is_diet(word)
                && !guessed
                && !matches!(
                    sight.word(at + 1),
                    "restaurant" | "recipe" | "recipes" | "cafe" | "café" | "burger" | "food"
                )
        })
        .map(|(at, word)| (*word, is_left(&sight.words, &(at..at + 1)) || is_phase(sight, at)))
        .collect();
    if said.is_empty() && !sight.has(MEATS) || !(sight.says_me() || sight.is_change || current.is_some()) {
        return Vec::new();
    }
    let over = said.iter().any(|(_, left)| *left)
        || sight.is_change
        || sight.has(&["back", "again"])
        || sight.phrase(&["are", "over"])
        || sight.phrase(&["is", "over"])
        || sight.phrase(&["are", "behind"]);
    let meat = sight.has(MEATS)
        && (sight.has(&["again", "back", "now", "returned"]) || over)
        && !sight.has(&["no", "without", "never", "not"]);
    let eats = meat || sight.has(MEATS) && over && sight.has(&["again", "back", "eat", "eating"]);
    let plain = sight.has(&["meat"])
        && sight.says_me()
        && sight.has_any(words!("eat eating diet having menu plate have reintroduced"))
        && !sight.has_any(words!("no not never without less like he she they you"));
    let eats = eats || plain;
    let held = current.as_deref().is_some_and(|current| current != "meat");
    if eats && held && !said.iter().any(|(word, left)| !left && Some(*word) != current.as_deref()) {
        let draft =
            Draft::new(FactCategory::Preference, Slot::new(Kind::Diet), "meat", "eats meat").important(0.8);
        return vec![Told::changed(draft.sure(0.7))];
    }
    let new: Vec<&str> = said
        .iter()
        .filter(|(word, left)| !left && Some(*word) != current.as_deref())
        .map(|(word, _)| *word)
        .collect();
    match new.as_slice() {
        [word] => {
            let draft = rules::diet_draft(word, false).sure(0.65);
            vec![if current.is_some() { Told::changed(draft) } else { Told::new(draft) }]
        }
        [] if said.iter().any(|(word, left)| *left && Some(*word) == current.as_deref()) => {
            vec![Told::new(rules::diet_draft(current.as_deref().unwrap_or(""), false).ended().sure(0.6))]
        }
        _ => Vec::new(),
    }
}
