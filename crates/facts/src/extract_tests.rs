use std::time::{Duration, Instant};

use jiff::civil::{Date, date};

use super::*;

/// A Thursday.
const TODAY: Date = date(2026, 5, 14);

fn names() -> KnownNames {
    let mut names = KnownNames::new("Luna");
    names.record_fact("", Some(&FactSlot::of(SlotKind::Pet, "dog")), "Max");
    names.record_fact("", Some(&FactSlot::of(SlotKind::Pet, "cat")), "Mia");
    names.record_fact("", Some(&FactSlot::of(SlotKind::Relative, "sister")), "Anne");
    names.record_fact("", Some(&FactSlot::of(SlotKind::Relative, "friend")), "Tom");
    names
}

/// The findings of a message: `-` marks ended facts, `<` past ones.
fn told(text: &str) -> Vec<String> {
    let mark = |finding: &Finding| match finding.polarity {
        Polarity::Ended => "-",
        Polarity::Holds if finding.is_past() => "<",
        Polarity::Holds => "",
    };
    let found = extract(text, TODAY, &names());
    for finding in &found {
        assert!(text.contains(&finding.quote), "{text}: the quote is not of the message: {}", finding.quote);
        assert!(!finding.quote.is_empty(), "{text}: no quote");
    }
    found
        .iter()
        .filter(|finding| finding.confidence >= 0.5)
        .map(|finding| format!("{}{}", mark(finding), finding.content))
        .collect()
}

fn check(table: &[(&str, &str)]) {
    let mut wrong = Vec::new();
    for (text, wanted) in table {
        let told = told(text);
        let missing: Vec<&str> =
            wanted.split(" | ").filter(|one| !told.iter().any(|told| told == one)).collect();
        if !missing.is_empty() {
            wrong.push(format!("{text}\n    wanted {missing:?}\n    told   {told:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {} wrong:\n{}", wrong.len(), table.len(), wrong.join("\n"));
}

#[test]
fn what_is_told_is_found() {
    check(include!("extract_positive.in"));
}

#[test]
fn what_is_no_fact_is_not_found() {
    let table: &[&str] = include!("extract_negative.in");
    let mut wrong = Vec::new();
    for text in table {
        let told = told(text);
        if !told.is_empty() {
            wrong.push(format!("{text}\n    told {told:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {} wrong:\n{}", wrong.len(), table.len(), wrong.join("\n"));
}

#[test]
fn dates_say_since_when_and_until_when() {
    for (text, from, to, expires) in [
        ("I moved to Lyon last week", Some(date(2026, 5, 4)), None, None),
        ("I've lived in Lyon since 2019", Some(date(2019, 1, 1)), None, None),
        ("Back in 2015 I lived in Rome", Some(date(2015, 1, 1)), Some(date(2015, 12, 31)), None),
        ("I'm in Paris until Friday", None, None, Some(date(2026, 5, 16))),
        ("I have a cold", None, None, Some(date(2026, 5, 21))),
        ("I have a meeting tomorrow", Some(date(2026, 5, 15)), None, Some(date(2026, 5, 16))),
    ] {
        let found = extract(text, TODAY, &names());
        let first = found.first().unwrap_or_else(|| panic!("{text} tells nothing"));
        assert_eq!((first.valid_from, first.valid_to, first.expires), (from, to, expires), "{text}");
    }
}

#[test]
fn a_day_without_a_year_is_in_the_year_of_its_tense() {
    for (text, content, from) in [
        ("I'm getting married in June.", "Is getting married around June 2027.", Some(date(2027, 6, 1))),
        ("I'm moving to Oslo in June.", "Plans to move to Oslo around June 2027.", Some(date(2027, 6, 1))),
        ("I moved to Leipzig in March", "Lives in Leipzig.", Some(date(2026, 3, 1))),
        ("I started at Siemens in February.", "Works at Siemens.", Some(date(2026, 2, 1))),
        ("We got a dog called Rex last April.", "Has a dog called Rex.", Some(date(2026, 4, 1))),
        ("I want to learn Portuguese by next summer", "Wants to learn Portuguese by August 2027.", None),
        ("I want to finish my book by Friday", "Wants to finish their book by 2026-11-20.", None),
    ] {
        let found = extract(text, date(2026, 11, 16), &names());
        let first = found.first().unwrap_or_else(|| panic!("{text} tells nothing"));
        assert_eq!((first.content.as_str(), first.valid_from), (content, from), "{text}");
    }
    for text in ["My boss is great, he retires in June", "My boss retires on 3 May."] {
        assert_eq!(extract(text, date(2026, 11, 16), &names()), Vec::new(), "{text}");
    }
}

#[test]
fn facts_of_others_stay_theirs() {
    for (text, subject) in [
        ("My sister Anna lives in Rome", "sister Anna"),
        ("Tom hates olives", "friend Tom"),
        ("My boss has a dog called Rex", "boss"),
        ("My neighbour's cat is called Leo", "neighbour"),
        ("Tom told me he moved to Oslo", "friend Tom"),
    ] {
        let found = extract(text, TODAY, &names());
        assert!(found.iter().any(|finding| finding.subject == subject), "{text}: {found:?}");
        let mine = |finding: &&Finding| {
            finding.subject.is_empty()
                && finding.slot.as_ref().is_some_and(|slot| slot.kind != SlotKind::Relative)
        };
        assert_eq!(found.iter().find(mine), None, "{text}");
    }
}

#[test]
fn bold_words_are_read_like_any_other() {
    check(&[
        ("I love **dark chocolate** and I hate coriander.", "Likes dark chocolate. | Dislikes coriander."),
        ("My dog is called **Rex**.", "Has a dog called Rex."),
        ("**I live in Lyon.**", "Lives in Lyon."),
        ("I'm ***not*** vegetarian, and I love **smoked paprika**.", "Likes smoked paprika."),
    ]);
    assert_eq!(told("I love **dark chocolate** and I hate coriander.").len(), 2);
}

#[test]
fn what_is_one_thing_is_not_another_too() {
    for (text, kind) in [
        ("My zodiac sign is Leo.", SlotKind::Name),
        ("My star sign is Virgo.", SlotKind::Name),
        ("My hometown is Split.", SlotKind::Home),
        ("My hometown is Leeds, a grey place.", SlotKind::Home),
    ] {
        let found = extract(text, TODAY, &names());
        let told = |finding: &Finding| finding.slot.as_ref().is_some_and(|slot| slot.kind == kind);
        assert!(!found.iter().any(told), "{text}: {found:?}");
    }
}

/// Returns the CPU time of this thread, which other processes on the machine do not affect; where the system does not
/// report it, the time since `begun`.
fn worked(begun: Instant) -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|told| told.split_whitespace().next()?.parse().ok());
    nanoseconds.map_or_else(|| begun.elapsed(), Duration::from_nanos)
}

#[test]
fn hostile_messages_cost_little_and_break_nothing() {
    let runs = [
        "my ",
        "my my ",
        "I ",
        "\"",
        "“",
        "'",
        "> ",
        "`",
        "```\n",
        "*",
        "(",
        "no, ",
        "not ",
        "i live in ",
        "my sister's ",
        "is ",
        "? ",
        ". ",
        "in 2019 ",
        "for two ",
        "renamed ",
        "🐕 ",
        "\u{1}",
        "’s ",
        "and ",
        "if ",
        "when i ",
        ", my dog, ",
        ": ",
        "favourite : ",
        "é",
        "of ",
    ];
    for run in runs {
        let text = run.repeat(1_000_000 / run.len());
        let begun = Instant::now();
        let before = worked(begun);
        let _ = extract(&text, TODAY, &names());
        let took = worked(begun).saturating_sub(before);
        assert!(took.as_secs() < 5, "{run:?} takes {took:?}");
    }
}

#[test]
fn no_order_of_words_breaks_it() {
    let table: &[(&str, &str)] = include!("extract_positive.in");
    let words: Vec<&str> = table.iter().flat_map(|(text, _)| text.split_inclusive(' ')).collect();
    let mut state = 7_usize;
    for _ in 0..20_000 {
        let mut text = String::new();
        for _ in 0..9 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            text.push_str(words[(state >> 33) % words.len()]);
            text.push(if state.is_multiple_of(11) { ',' } else { ' ' });
        }
        for finding in extract(&text, TODAY, &names()) {
            assert!(text.contains(&finding.quote), "{text}: {}", finding.quote);
            let _ = rank(&text, &[], TODAY, |_| 0.0);
        }
    }
}

/// Checks that no message gives the unwanted findings listed with it.
fn spare(table: &[(&str, &str)]) {
    let mut wrong = Vec::new();
    for (text, unwanted) in table {
        let told = told(text);
        if told.iter().any(|told| unwanted.split(" | ").any(|one| told.trim_start_matches('-').contains(one)))
        {
            wrong.push(format!("{text}\n    told {told:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {} wrong:\n{}", wrong.len(), table.len(), wrong.join("\n"));
}

#[test]
fn what_is_told_of_one_is_not_guessed_of_another() {
    spare(&[
        // Relatives without *my*, and relatives in other languages.
        ("Dad moved into a care home in Leeds in May. My cousin Nora is selling his flat.", "Nora lives"),
        ("ma soeur lives in Lille and my brother Paul is still at school", "Lives in Lille"),
        ("mi hija Sol is starting school in June and my son Leo already goes there", "works at"),
        // A person who was named earlier.
        ("I have two girls. Aoibhe is the elder and she's out in Lyon, Emma is a guard", "Emma lives"),
        ("My best friend Priya and I share a studio in Graz, she sculpts", "lives in Graz | Lives in Graz"),
        // A birth mother is a different person from the mother.
        ("my birth mother lives in Lagos", "Lives in Lagos"),
        ("My foster dad lives in Lagos", "Lives in Lagos"),
        // The allergy of another person.
        ("Jaspreet has a sesame allergy, so no hummus in our house. Myself I love sesame", "Is allergic"),
        ("Odhran's been diagnosed with a nut allergy and we have two EpiPens", "Is allergic"),
        // The birth of another person.
        ("We named him Otis. 8lb 1oz, born 3:20 this morning", "Was born"),
        // The boyfriend's name is not that of the user's school.
        ("vegan since college, my bf's a butcher", "College"),
        ("My cousin Elias danced at her wedding. His husband is Marwan, a baker.", "cousin called Marwan"),
    ]);
    check(&[
        ("my birth mother lives in Lagos", "Birth mother lives in Lagos."),
        ("mi hermana Sol lives in Quito", "Has a sister called Sol. | Sister Sol lives in Quito."),
        ("me mam lives in Cork", "Mother lives in Cork."),
        ("my brother in law lives in Ohio", "Brother-in-law lives in Ohio."),
        ("my stepdad Leon works at Bosch", "Has a stepfather called Leon. | Stepfather Leon works at Bosch."),
        ("My cousin Nora lives in Rome and works as a nurse", "Cousin Nora works as a nurse."),
        ("my moms a nurse", "Mother works as a nurse."),
        ("wifes name is Tammy", "Has a wife called Tammy."),
        ("our daughter's fourteen", "Daughter is 14 years old."),
        ("my cousin is 22 she works at Bosch", "Cousin is 22 years old. | Cousin works at Bosch."),
        (
            "Jonas isn't my husband lol he's my stepbrother, my husband is Felix",
            "Has a husband called Felix.",
        ),
    ]);
}

#[test]
fn a_name_is_of_what_is_called_so() {
    spare(&[
        ("I sing in a choir called Loud Larks, my cousin conducts", "cousin called"),
        (
            "husband got a post in Dallas so off we go with 2 kids and a robot named Oscar",
            "partner called Oscar",
        ),
        ("My ex kept the dog and I kept the cat, Lady Bracknell", "dog called"),
        ("We're Quakers, so no presents", "called Quakers"),
        ("That's my uncle's dog. I'm into reptiles, got an iguanodon called Basil.", "dog called"),
        ("I take Mondays, Bianca the rest. Nonno calls us both by the dog's name.", "called Bianca"),
        ("i think my hamster is bored", "called Bored"),
        ("Our Shona is back in May with a fiancé we've never met", "partner called"),
        ("We are Adventists", "called Adventists"),
        ("I teach at a school in Salem, Oregon.", "Works at Oregon"),
    ]);
    check(&[
        ("My ex kept the dog and I kept the cat, Lady Bracknell", "Has a cat called Lady Bracknell."),
        ("hey can you call me Gus instead of August?", "Goes by Gus."),
        ("My partner is called Clara", "Has a partner called Clara."),
    ]);
    spare(&[("can you call me Monday?", "Monday"), ("could you call me back later", "Goes by")]);
}

#[test]
fn what_is_over_or_yet_to_come_is_not_today() {
    check(&[
        ("my cat Bowie passed on friday", "-The cat Bowie died. | <Had a cat called Bowie."),
        ("my boss Ingrid quit last week", "<Boss was called Ingrid."),
        ("My flatmate Jo moved out in April", "<Had a flatmate called Jo."),
        ("I lost my mum in 2019", "Mother died in 2019."),
        ("They took me off the warfarin", "-No longer takes warfarin."),
    ]);
    spare(&[
        ("my cat Bowie passed on friday", "Has a cat"),
        ("i dont have a sister anymore. we stopped talking", "Has no sister"),
        ("we signed for the flat in Ghent!! keys on the 14th of august", "Lives in Ghent"),
        ("So I'm off to Porto on Erasmus! Flat found, sept to june", "Lives in Porto"),
        ("I was raised Baptist, married Methodist. My late wife was neither.", "Is married"),
        ("I lost my brother in the crowd", "died"),
        ("I lost my sister's keys", "died"),
        ("can follow polish but please dont make me talk in it", "Speaks Polish"),
        ("My flatmate eats my yoghurts", "eats"),
        ("We've a new vicar, Fr. Conor, thirty years of age", "Works as"),
        ("You be the waiter, I'll be the guest. I want to practise ordering.", "Works as"),
        ("I gave notice on the flat in Graz", "that job"),
        ("I do cakes every day he does bread", "he does"),
    ]);
}

#[test]
fn what_people_text_about_themselves_is_found() {
    check(&[
        ("i cant have penicillin", "Cannot take penicillin."),
        ("we can't have shellfish at ours, I can't have sesame", "Cannot eat sesame."),
        ("diagnosed type 1 diabetic in 2019", "Is type 1 diabetic."),
        ("I've got a stutter", "Has a stutter."),
        ("I have tinnitus in my right ear from the drums", "Has tinnitus in their right ear."),
        ("im right handed", "Is right-handed."),
        ("The doc put me on metformin", "Takes metformin."),
        ("never smoked", "Has never smoked."),
        ("I don't drink, never have", "Does not drink alcohol."),
        ("I am engineer, not actor", "Works as an engineer."),
        ("I took early retirement in March", "Is retired."),
        ("I have three girls", "Has three girls."),
        ("I support Leeds United", "Supports Leeds United."),
        ("my gf is allergic to cats lol", "Girlfriend is allergic to cats."),
    ]);
    spare(&[
        ("I can't have another meeting like that", "Cannot"),
        ("I can't take it any more", "Cannot"),
        ("I can't have cats in this flat", "Cannot"),
        ("My gran put meat on the table and i put my coat on", "Dislikes"),
        ("he put me on hold", "Takes"),
    ]);
}

#[test]
fn a_time_is_of_the_clause_that_it_stands_with() {
    for (text, content, from) in [
        ("I'm autistic, late diagnosis, in therapy since last year", "Is autistic.", None),
        (
            "Tom works at Bosch, and as of last month I'm living in Rome",
            "Lives in Rome.",
            Some(date(2026, 4, 1)),
        ),
        ("I come from Oslo but since six years I live in Rome", "Lives in Rome.", Some(date(2020, 5, 15))),
        ("Since first of March we have flat in Vienna now", "Lives in Vienna.", Some(date(2026, 3, 1))),
        ("I have been learning the cello since I was ten", "Is learning the cello.", None),
        ("I've got asthma", "Has asthma.", None),
    ] {
        let found = extract(text, TODAY, &names());
        let told = found.iter().find(|finding| finding.content == content);
        assert_eq!(told.map(|finding| finding.valid_from), Some(from), "{text}: {found:?}");
    }
    let found = extract("I'm in Porto until the 30th", TODAY, &names());
    assert_eq!(found[0].expires, Some(date(2026, 5, 31)));
}
