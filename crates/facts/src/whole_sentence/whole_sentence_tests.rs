use jiff::civil::date;

use crate::{FactSlot, Finding, KnownNames, SlotKind, extract};

/// The names and facts of a person whose life is known.
fn names() -> KnownNames {
    let mut names = KnownNames::new("Luna");
    for (subject, kind, of, value) in [
        ("", SlotKind::Home, "", "Lyon"),
        ("", SlotKind::Employer, "", "Renault"),
        ("", SlotKind::Pet, "dog", "Max"),
        ("", SlotKind::Thing, "car", "Golf"),
        ("", SlotKind::Diet, "", "vegetarian"),
        ("", SlotKind::Taste, "coffe", "likes"),
        ("", SlotKind::Taste, "opera", "likes"),
        ("", SlotKind::Favourite, "movi", "Alien"),
        ("", SlotKind::Relative, "friend", "Tom"),
        ("friend Tom", SlotKind::Home, "", "Oslo"),
    ] {
        names.record_fact(subject, Some(&FactSlot::of(kind, of)), value);
        names.set_current(subject, &FactSlot::of(kind, of), value);
    }
    names
}

fn found(text: &str) -> Vec<Finding> {
    found_by(text, &names())
}

fn found_by(text: &str, names: &KnownNames) -> Vec<Finding> {
    extract(text, date(2026, 5, 14), names).into_iter().filter(|finding| finding.confidence >= 0.5).collect()
}

#[test]
fn a_change_is_known_by_its_topic_and_its_names() {
    let table: &[(&str, &str)] = &[
        ("Handed my badge back at Renault, Siemens from now on", "Works at Siemens."),
        ("They restructured Renault and I found something at Kestrel", "Works at Kestrel."),
        ("My commute to the new office at Bosch is only ten minutes", "Works at Bosch."),
        ("I've swapped my desk at Renault for one at Bosch", "Works at Bosch."),
        ("Lyon got too expensive, so I've moved out to Turin", "Lives in Turin."),
        ("My new neighbours here in Elmstead are lovely", "Lives in Elmstead."),
        ("since last month my bed is in turin", "Lives in Turin."),
        ("Tom isn't in Oslo anymore, he's in Boston now", "Friend Tom lives in Boston."),
        ("remember our dog Max? She's Olive these days", "Has a dog called Olive."),
        ("my dog listens to olive now instead of max", "Has a dog called Olive."),
        ("The Golf had to go, it's a Tesla now", "Drives a Tesla."),
        ("no longer vegetarian, I'm vegan these days", "Is vegan."),
        ("I've reintroduced meat into my diet", "Eats meat."),
        ("I've gone from coffee to green tea in the mornings", "Switched to green tea."),
        ("My enthusiasm for opera has faded", "Dislikes opera."),
        ("I have a passion for pottery", "Likes pottery."),
        ("Alien has been dethroned, no film beats Jaws", "Favourite film is Jaws."),
        ("no walnuts for me please, allergy", "Is allergic to walnuts."),
        ("they've bumped me up to head nurse", "Works as a head nurse."),
        ("No longer at Renault, I've gone over to Siemens.", "Works at Siemens."),
        ("opera, which I once loved, now just gets on my nerves", "Dislikes opera."),
        ("My love affair with opera is over, I've come to dislike it", "Dislikes opera."),
        (
            "I gave away the last of my coffee, since I've gone over to drinking tea every day",
            "Switched to tea.",
        ),
        ("The kids changed the dog's name from Max to Olive.", "Has a dog called Olive."),
        ("So I caved, chicken and beef are back on my plate for good.", "Eats meat."),
        ("Helped Tom carry boxes all weekend, the new flat is in Madrid.", "Friend Tom lives in Madrid."),
    ];
    for (text, wanted) in table {
        let told: Vec<String> = found(text).into_iter().map(|finding| finding.content).collect();
        assert!(told.iter().any(|told| told == wanted), "{text}\n    wanted {wanted}\n    told   {told:?}");
    }
}

/// Facts that no single sentence states, and facts among suppositions, laughter or words about others.
#[test]
fn a_message_is_read_as_a_whole() {
    let table: &[(&str, &str)] = &[
        ("What do I drive? A Tesla. It's tiny", "Drives a Tesla."),
        ("Have I told you about Biscuit? That's my rabbit", "Has a rabbit called Biscuit."),
        ("Bye bye Lyon lol, my new flat in Turin is tiny", "Lives in Turin."),
        ("I can ask Tom, he's at Siemens, so we get the staff price", "Friend Tom works at Siemens."),
    ];
    for (text, wanted) in table {
        let told: Vec<String> = found(text).into_iter().map(|finding| finding.content).collect();
        assert!(told.iter().any(|told| told == wanted), "{text}\n    wanted {wanted}\n    told   {told:?}");
    }
}

#[test]
fn what_is_over_loses_its_standing() {
    for (text, kind) in [
        ("Renault and I have parted ways, no longer with Renault", SlotKind::Employer),
        ("I couldn't stay in Lyon any longer, no more Lyon for me", SlotKind::Home),
        ("Something about opera has changed for me lately", SlotKind::Taste),
    ] {
        let over = |finding: &Finding| {
            finding.slot.as_ref().is_some_and(|slot| slot.kind == kind)
                && finding.subject.is_empty()
                && (finding.valid_to.is_some() || finding.value == "dislikes")
        };
        let found = found(text);
        assert!(found.iter().any(over), "{text}: {found:?}");
    }
}

#[test]
fn what_others_do_changes_nothing() {
    let table: &[&str] = include!("whole_sentence_negative.in");
    for text in table {
        let own = |finding: &&Finding| {
            finding.subject.is_empty()
                && !finding.is_past()
                && finding.slot.as_ref().is_some_and(|slot| {
                    matches!(
                        slot.kind,
                        SlotKind::Home
                            | SlotKind::Employer
                            | SlotKind::Pet
                            | SlotKind::Diet
                            | SlotKind::Job
                            | SlotKind::Taste
                            | SlotKind::Favourite
                            | SlotKind::Birthday
                            | SlotKind::Allergy
                            | SlotKind::Name
                    ) || slot.kind == SlotKind::Thing && slot.of == "car"
                })
        };
        let all = found(text);
        let changed: Vec<&Finding> = all.iter().filter(own).collect();
        assert!(changed.is_empty(), "{text}: {changed:?}");
        // With nothing known, a value that the sentence presupposes counts as news: *my boss at Renault*.
        let all = found_by(text, &KnownNames::new("Luna"));
        let presupposed = |finding: &&Finding| matches!(finding.value.as_str(), "Golf" | "Renault");
        let new: Vec<&Finding> = all.iter().filter(own).filter(|finding| !presupposed(finding)).collect();
        assert!(new.is_empty(), "with nothing known, {text}: {new:?}");
    }
}

#[test]
fn what_a_sentence_takes_for_granted_is_known_by_it() {
    let nobody = KnownNames::new("Luna");
    let table: &[(&str, &str)] = &[
        (
            "I'd love to travel, but who would look after my dog Nala for three weeks?",
            "Has a dog called Nala.",
        ),
        ("Write me a poem about my cat Mochi", "Has a cat called Mochi."),
        ("The mechanic told me that my Skoda would last another ten years", "Drives a Skoda."),
        ("My Toyota Yaris broke down this morning", "Drives a Toyota Yaris."),
        ("My Dutch lessons are killing me, who invented these verbs?!", "Is learning Dutch."),
    ];
    for (text, content) in table {
        let told: Vec<String> = found_by(text, &nobody).into_iter().map(|finding| finding.content).collect();
        assert!(told.iter().any(|told| told == content), "{text}: {told:?}");
    }
    let nothing = [
        "I miss my old Skoda",
        "We would have named our dog Rex",
        "My English teacher in Hanoi was from Aberdeen",
        "This video of the parrot ordering things off Amazon",
    ];
    for text in nothing {
        assert_eq!(found_by(text, &nobody), [], "{text}");
    }
}

#[test]
fn the_name_of_a_partner_is_not_the_users() {
    let told = found_by("The love of my life goes by the name of Clara", &KnownNames::new("Luna"));
    assert!(
        told.iter().all(|finding| finding.slot.as_ref().is_none_or(|slot| slot.kind != SlotKind::Name)),
        "{told:?}"
    );
}

#[test]
fn what_a_clause_says_of_the_user_is_not_guessed_of_somebody_beside_them() {
    for (text, home) in [
        ("My sister Ines works at Bosch, and I moved to Dublin last week.", "Dublin"),
        ("My friend Tom works at Bosch and I moved to Dublin.", "Dublin"),
        ("My brother Tom is a teacher, and I live in Paris now.", "Paris"),
        ("My sister Ines likes tea, and I moved to Porto.", "Porto"),
    ] {
        let found = found_by(text, &KnownNames::new("Luna"));
        let homes: Vec<_> = found
            .iter()
            .filter(|finding| finding.slot.as_ref().is_some_and(|slot| slot.kind == SlotKind::Home))
            .map(|finding| (finding.subject.as_str(), finding.value.as_str()))
            .collect();
        assert_eq!(homes, [("", home)], "{text}");
    }
}
