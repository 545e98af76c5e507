use jiff::civil::date;
use protocol::{FactId, FactStatus};

use crate::{FactSlot, KnownFact, KnownNames, SlotKind, extract, facts_in_doubt};

const LIFE: [(&str, SlotKind, &str, &str); 15] = [
    ("", SlotKind::Home, "", "Lyon"),
    ("", SlotKind::Employer, "", "Renault"),
    ("", SlotKind::Job, "", "nurse"),
    ("", SlotKind::Pet, "dog", "Max"),
    ("", SlotKind::Thing, "car", "Golf"),
    ("", SlotKind::Diet, "", "vegetarian"),
    ("", SlotKind::Taste, "oliv", "dislikes"),
    ("", SlotKind::Taste, "opera", "likes"),
    ("", SlotKind::Favourite, "colour", "green"),
    ("", SlotKind::Favourite, "movi", "Alien"),
    ("", SlotKind::Property, "preferred drink", "coffee"),
    ("", SlotKind::Relative, "friend", "Tom"),
    ("friend Tom", SlotKind::Home, "", "Oslo"),
    ("friend Tom", SlotKind::Employer, "", "Philips"),
    ("", SlotKind::Name, "", "Sam"),
];

/// The slots whose values the message puts in doubt.
fn doubted(text: &str) -> Vec<String> {
    let (told, said) = (date(2026, 1, 1), date(2026, 5, 14));
    let mut names = KnownNames::new("Luna");
    let mut known = Vec::new();
    for (number, (subject, kind, of, value)) in (1..).zip(LIFE) {
        let slot = FactSlot::of(kind, of);
        names.record_fact(subject, Some(&slot), value);
        names.set_current(subject, &slot, value);
        known.push(KnownFact {
            id: FactId::new(number),
            subject: subject.to_owned(),
            slot: Some(slot),
            value: value.to_owned(),
            content: format!("{value}."),
            confidence: 0.9,
            status: FactStatus::Current,
            learned: told,
            valid_from: None,
            valid_to: None,
            expires: None,
            is_doubted: false,
        });
    }
    let found = extract(text, said, &names);
    let ids = facts_in_doubt(text, said, &names, &known, &found);
    let of = |id: &FactId| known.iter().find(|fact| fact.id == *id);
    let label = |fact: &KnownFact| {
        format!("{} {}", fact.subject, fact.slot.as_ref().map_or_else(String::new, ToString::to_string))
    };
    ids.iter().filter_map(of).map(|fact| label(fact).trim().to_owned()).collect()
}

#[test]
fn words_of_a_change_that_nobody_could_read_leave_a_doubt() {
    let table: &[(&str, &str)] = &[
        (
            "The van broke down halfway between Lyon and Dublin, so I spent the first night of my new life in a motorway hotel.",
            "home",
        ),
        ("Would you believe that somebody thought it wise to promote me to team lead?", "job"),
        ("It's official, my email signature says lead designer as of this morning.", "job"),
        ("You'll hear me talk about Ziggy from now on; it's the same old dog, merely renamed.", "pet:dog"),
        ("I never thought I'd write this sentence, but I've come to love olives.", "taste:oliv"),
        ("There's meat on my plate once more and I no longer call myself a vegetarian.", "diet"),
        ("Never saw myself as the pescatarian type, and yet here I am, made the switch last month.", "diet"),
        (
            "There's a silver Fiat Panda standing outside my house, and it's mine: I bought it on Friday.",
            "thing:car",
        ),
        (
            "I keep looking for my friend Tom at the old place, and he is off to Madrid for good.",
            "friend Tom home",
        ),
        (
            "My brother says I'm fickle, only because my favourite colour is suddenly purple.",
            "favourite:colour",
        ),
        (
            "Who'd have guessed that I would ever abandon coffee and become a drinker of matcha?",
            "property:preferred drink",
        ),
    ];
    for (text, slot) in table {
        assert_eq!(doubted(text), [*slot], "{text}");
    }
}

#[test]
fn what_is_read_is_not_in_doubt() {
    for text in [
        "I moved from Lyon to Dublin.",
        "My plants survived the move from Lyon to Dublin better than my crockery did.",
        "Madrid has acquired a new inhabitant, namely my friend Tom, who packed up his whole life.",
        "I left Renault and work at Bosch now.",
        "I've renamed my dog from Max to Ziggy.",
    ] {
        assert_eq!(doubted(text), [""; 0], "{text}");
    }
}

#[test]
fn what_is_no_change_leaves_no_doubt() {
    let table = [
        "We spent a weekend in Dublin, and now I'm tired.",
        "My flight from Lyon to Dublin was late again.",
        "If I ever moved to Dublin, I would miss Lyon.",
        "What is Dublin like these days?",
        "My boss is moving to Dublin in spring, finally some peace.",
        "Paul lives in Dublin now.",
        "I sold my Renault shares and put everything into Bosch.",
        "I switched from Renault to Bosch for my phone contract.",
        "My colleague has switched from coffee to matcha and is unbearable.",
        "My neighbour now drives a Tesla.",
        "My son told everyone he hates opera now.",
        "My son has finally come round to olives, after years of drama.",
        "My dog Max has a new bed.",
        "Max is back from the vet and hungry again.",
        "I'm in Lyon now, waiting for the tram.",
        "We had a steak house next door once.",
        "Do you think I should move to Dublin?",
    ];
    for text in table {
        assert_eq!(doubted(text), [""; 0], "{text}");
    }
}

#[test]
fn what_was_told_later_is_not_in_doubt() {
    let names = KnownNames::new("Luna");
    let day = date(2026, 5, 14);
    let said = "There's meat on my plate once more and I no longer call myself a vegetarian.";
    let diet = |learned| KnownFact {
        id: FactId::new(1),
        subject: String::new(),
        slot: Some(FactSlot::of(SlotKind::Diet, "")),
        value: "vegetarian".to_owned(),
        content: "Is vegetarian.".to_owned(),
        confidence: 0.9,
        status: FactStatus::Current,
        learned,
        valid_from: None,
        valid_to: None,
        expires: None,
        is_doubted: false,
    };
    assert_eq!(facts_in_doubt(said, day, &names, &[diet(day)], &[]), [FactId::new(1)]);
    assert_eq!(facts_in_doubt(said, day, &names, &[diet(date(2026, 5, 15))], &[]), []);
}
