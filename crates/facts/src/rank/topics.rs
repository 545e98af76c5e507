//! Finds the slots that a question is about by its topic, for questions that no phrasing matches.

use text::terms;

use super::wanted_slot::WantedSlot;
use crate::reconcile::KnownFact;
use crate::slot::SlotKind;

/// A slot with the single words and the phrases of its topic.
type Topic = (SlotKind, &'static str, &'static [&'static str], &'static [&'static str]);

const TOPICS: &[Topic] = &[
    (
        SlotKind::Employer,
        "",
        &[
            "wage",
            "wages",
            "paying",
            "pays",
            "payslip",
            "paycheck",
            "paycheque",
            "hired",
            "payroll",
            "salary",
            "employer",
            "employers",
            "workplace",
            "badge",
            "colleagues",
            "employed",
            "employing",
            "firm",
            "company",
            "organisation",
            "organization",
            "corporation",
            "business",
        ],
        &["clock in", "nine to five", "9 to 5", "on the books", "sign my checks", "my boss at"],
    ),
    (
        SlotKind::Job,
        "",
        &["profession", "occupation", "career", "trade", "vocation", "title", "role", "position"],
        &[
            "business card",
            "what my job",
            "do at work",
            "do for a living",
            "earn a crust",
            "my job is",
            "my job now",
            "day job",
            "my work consist",
            "my work",
            "kind of job",
            "sort of job",
            "for work",
            "pay the bills",
            "earn my",
            "make my money",
            "my cv",
            "line of work",
        ],
    ),
    (
        SlotKind::Home,
        "",
        &[
            "mail",
            "postcode",
            "zip",
            "letters",
            "letter",
            "parcel",
            "package",
            "postcard",
            "delivery",
            "deliver",
            "residence",
            "address",
            "residing",
            "inhabit",
            "lodging",
            "neighbours",
            "neighbors",
            "hometown",
            "pad",
            "dwell",
            "city",
            "town",
            "village",
            "home",
            "live",
            "lived",
            "living",
        ],
        &[
            "ended up living",
            "hang my hat",
            "find me",
            "lay my head",
            "my place",
            "living situation",
            "front door",
            "go home to",
            "live now",
            "my city",
            "my town",
            "which city",
            "what city",
            "which town",
            "what town",
            "part of the world",
            "i live",
            "lives where",
            "living where",
            "my flat",
            "my house",
            "my apartment",
        ],
    ),
    (
        SlotKind::Birthday,
        "",
        &["birthday", "congratulate", "candles", "birthdate", "birth", "bday"],
        &["year older", "was i born", "i born"],
    ),
    (
        SlotKind::Thing,
        "car",
        &[
            "parked", "driveway", "garage", "wheels", "car", "drive", "driving", "vehicle", "drove", "ride",
            "whip", "motor",
        ],
        &["get around in", "behind the wheel"],
    ),
    (
        SlotKind::Relative,
        "partner",
        &[
            "dating",
            "soulmate",
            "sweetheart",
            "girlfriend",
            "boyfriend",
            "wife",
            "husband",
            "spouse",
            "partner",
        ],
        &[
            "better half",
            "other half",
            "relationship with",
            "significant other",
            "going out with",
            "in love with",
            "am i seeing",
            "i seeing",
            "together with",
            "love of my life",
            "love life",
            "i'm with",
            "i am with",
            "share my life",
            "am i with",
            "married to",
            "engaged to",
        ],
    ),
    (
        SlotKind::Name,
        "",
        &[],
        &[
            "name did i",
            "know me",
            "call me by",
            "call me",
            "my name",
            "own name",
            "am i called",
            "am i named",
            "who i am",
            "i go by",
            "i'm called",
            "i am called",
            "address me",
        ],
    ),
    (
        SlotKind::Allergy,
        "",
        &["allergic", "allergy", "allergies", "allergens", "anaphylaxis", "intolerance", "intolerances"],
        &[
            "react badly",
            "bad reaction",
            "react to",
            "a rash",
            "stay clear of",
            "sets off",
            "must i avoid",
            "should i avoid",
            "can i not eat",
            "not safe for me",
        ],
    ),
    (
        SlotKind::Language,
        "",
        &["language", "languages", "tongue", "tongues", "speak", "fluent", "bilingual", "multilingual"],
        &["talk in", "chat in", "converse in"],
    ),
    (
        SlotKind::Diet,
        "",
        &[
            "diet",
            "diets",
            "dietary",
            "vegan",
            "vegetarian",
            "pescatarian",
            "meat",
            "steak",
            "carnivore",
            "omnivore",
            "eater",
        ],
        &["eating habits", "way of eating", "eat meat", "how do i eat"],
    ),
    (
        SlotKind::Property,
        "preferred drink",
        &["drink", "drinking", "beverage", "sip", "sipping", "brew", "tipple"],
        &["in my cup", "in my mug", "cup of", "to drink"],
    ),
];

/// Returns the slots of the topics in a question, with a weight that grows with the number of matching words.
pub(super) fn by_topic(low: &[&str], subject: &str) -> Vec<WantedSlot> {
    let joined = format!(" {} ", low.join(" "));
    let mut found = Vec::new();
    for (kind, of, words, phrases) in TOPICS {
        let other = !subject.is_empty()
            && !matches!(
                kind,
                SlotKind::Home
                    | SlotKind::Employer
                    | SlotKind::Job
                    | SlotKind::Birthday
                    | SlotKind::Diet
                    | SlotKind::Language
            );
        if other {
            continue;
        }
        let said = phrases.iter().any(|phrase| joined.contains(&format!(" {phrase} ")));
        // *How should you address me?*
        let addresses = |word: &str| word == "address" && joined.contains(" address me ");
        let named = low.iter().any(|word| words.contains(word) && !addresses(word));
        if said || named {
            let weight = if said { 1.0 } else { 0.9 };
            found.push(WantedSlot { kind: *kind, of: (*of).to_owned(), weight, value: "" });
            if *kind == SlotKind::Relative {
                for what in ["girlfriend", "boyfriend", "wife", "husband", "fiancé"] {
                    found.push(WantedSlot { kind: *kind, of: what.to_owned(), weight, value: "" });
                }
            }
        }
    }
    found
}

/// Returns the slots of known values in the question: things with a known taste, and kinds with a favourite.
pub(super) fn by_known(low: &[&str], facts: &[KnownFact]) -> Vec<WantedSlot> {
    let stems: Vec<String> = low.iter().flat_map(|word| terms(word)).collect();
    let best = low.iter().any(|word| {
        words!(
            "favourite best most top prefer preferred choice number better go-to beloved favour favor pick \
            choose rank"
        )
        .contains(*word)
    });
    let mut found: Vec<WantedSlot> = Vec::new();
    for fact in facts.iter().filter(|fact| fact.subject.is_empty()) {
        let Some(slot) = fact.slot.as_ref().filter(|slot| !slot.of.is_empty()) else { continue };
        let weight = match slot.kind {
            SlotKind::Taste => 0.95,
            SlotKind::Favourite if best => 1.0,
            _ => continue,
        };
        let named = slot.of.split(' ').all(|stem| stems.iter().any(|other| other == stem));
        if named && !found.iter().any(|wanted| wanted.kind == slot.kind && wanted.of == slot.of) {
            found.push(WantedSlot { kind: slot.kind, of: slot.of.clone(), weight, value: "" });
        }
    }
    // A favourite takes precedence over a taste with the same word.
    if found.iter().any(|wanted| wanted.kind == SlotKind::Favourite) {
        found.retain(|wanted| wanted.kind == SlotKind::Favourite);
    }
    found
}

/// Returns the slots for a question with only a name: *where before Turin?*
pub(super) fn by_value(named: &[String], facts: &[KnownFact]) -> Vec<WantedSlot> {
    let name = named.join(" ");
    let slot = facts
        .iter()
        .rev()
        .filter(|fact| fact.subject.is_empty() && fact.value.eq_ignore_ascii_case(&name))
        .find_map(|fact| fact.slot.clone());
    slot.map(|slot| WantedSlot { kind: slot.kind, of: slot.of, weight: 0.9, value: "" }).into_iter().collect()
}
