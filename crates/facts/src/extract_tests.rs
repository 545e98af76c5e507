use jiff::civil::{Date, date};

use super::*;

/// A Thursday.
const TODAY: Date = date(2026, 5, 14);

fn names() -> Names {
    let mut names = Names::new("Luna");
    names.learn("", Some(&Slot::of(Kind::Pet, "dog")), "Max");
    names.learn("", Some(&Slot::of(Kind::Pet, "cat")), "Mia");
    names.learn("", Some(&Slot::of(Kind::Relative, "sister")), "Anne");
    names.learn("", Some(&Slot::of(Kind::Relative, "friend")), "Tom");
    names
}

/// What was found: `-` before what has ended, `<` before what is past.
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
                && finding.slot.as_ref().is_some_and(|slot| slot.kind != Kind::Relative)
        };
        assert_eq!(found.iter().find(mine), None, "{text}");
    }
}

#[test]
fn what_is_one_thing_is_not_another_too() {
    for (text, kind) in [
        ("My zodiac sign is Leo.", Kind::Name),
        ("My star sign is Virgo.", Kind::Name),
        ("My hometown is Split.", Kind::Home),
        ("My hometown is Leeds, a grey place.", Kind::Home),
    ] {
        let found = extract(text, TODAY, &names());
        let told = |finding: &Finding| finding.slot.as_ref().is_some_and(|slot| slot.kind == kind);
        assert!(!found.iter().any(told), "{text}: {found:?}");
    }
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
        let started = std::time::Instant::now();
        let _ = extract(&text, TODAY, &names());
        assert!(started.elapsed().as_secs() < 5, "{run:?} takes {:?}", started.elapsed());
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
