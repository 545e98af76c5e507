use jiff::civil::{Date, date};
use protocol::{FactId, FactStatus};

use super::*;

const TODAY: Date = date(2026, 5, 14);

/// The known facts and names from sentences that were told earlier, all on the same day.
struct SentenceDraft {
    known: Vec<KnownFact>,
    names: KnownNames,
}

fn told(sentences: &[&str]) -> SentenceDraft {
    let mut told = SentenceDraft { known: Vec::new(), names: KnownNames::new("Luna") };
    for sentence in sentences {
        let found = extract(sentence, date(2026, 1, 5), &told.names);
        assert!(!found.is_empty(), "{sentence} tells nothing");
        for finding in found {
            told.names.record(&finding);
            let id = FactId::new(i64::try_from(told.known.len()).unwrap() + 1);
            told.known.push(KnownFact {
                id,
                subject: finding.subject,
                slot: finding.slot,
                value: finding.value,
                content: finding.content,
                confidence: finding.confidence,
                status: FactStatus::Current,
                learned: date(2026, 1, 5),
                valid_from: finding.valid_from,
                valid_to: finding.valid_to,
                expires: finding.expires,
                is_doubted: false,
            });
        }
    }
    told
}

fn outcome(known: &[&str], said: &str) -> ReconcileOutcome {
    let told = told(known);
    let found = extract(said, TODAY, &told.names);
    let first = found.first().unwrap_or_else(|| panic!("{said} tells nothing"));
    reconcile(&told.known, first, TODAY)
}

fn supersedes(ids: &[i64]) -> ReconcileOutcome {
    ReconcileOutcome::Supersede { old: ids.iter().copied().map(FactId::new).collect(), on: TODAY }
}

fn ends(ids: &[i64]) -> ReconcileOutcome {
    ReconcileOutcome::End { old: ids.iter().copied().map(FactId::new).collect(), on: TODAY }
}

#[test]
fn what_becomes_of_what_is_said() {
    let one = || FactId::new(1);
    for (known, said, wanted) in [
        (&["I live in Berlin"][..], "I moved to Lyon", supersedes(&[1])),
        (&["I live in Berlin"], "I live in Berlin", ReconcileOutcome::Repeat(one())),
        (&["I live in Berlin, Germany"], "I live in Berlin", ReconcileOutcome::Repeat(one())),
        (&["I live in Berlin"], "I don't live in Berlin any more", ends(&[1])),
        (&["I live in Berlin"], "I don't live in Rome any more", ReconcileOutcome::Ignore),
        (&["I live in Berlin"], "I used to live in Berlin", ends(&[1])),
        (&["I live in Berlin"], "I used to live in Rome", ReconcileOutcome::New),
        (&["I live in Berlin"], "Back in 2015 I lived in Rome", ReconcileOutcome::New),
        (
            &["I live in Berlin"],
            "I moved to Rome in 2015",
            ReconcileOutcome::Earlier { until: date(2026, 1, 5) },
        ),
        (&["I live in Berlin"], "My sister Anna lives in Rome", ReconcileOutcome::New),
        (&["My sister Anna lives in Rome"], "Anna moved to Milan", supersedes(&[1])),
        (&["My sister Anna lives in Rome"], "I live in Milan", ReconcileOutcome::New),
        (&["I work at Renault"], "I quit my job", ends(&[1])),
        (&["I'm retired"], "I work at Renault now", supersedes(&[1])),
        (&["My dog is called Max"], "I have a dog", ReconcileOutcome::Repeat(one())),
        (&["I have a dog"], "My dog is called Max", supersedes(&[1])),
        (&["My dog is called Max"], "We renamed the dog Rex", supersedes(&[1])),
        (&["My dog is called Max"], "We got another dog called Rex", ReconcileOutcome::New),
        (&["My dog is called Max", "My cat is called Mia"], "Max died", ends(&[1])),
        (&["I love coffee"], "I can't stand coffee any more", supersedes(&[1])),
        (&["I love coffee"], "I love tea", ReconcileOutcome::New),
        (&["I'm vegetarian"], "I'm vegan now", supersedes(&[1])),
        (&["I'm allergic to nuts"], "I'm allergic to eggs", ReconcileOutcome::New),
        (&["My favourite colour is red"], "My favourite colour is green", supersedes(&[1])),
        (&["My favourite colour is red"], "My favourite film is Alien", ReconcileOutcome::New),
        (&["I smoke"], "I quit smoking", ends(&[1])),
        (&["I drive a Golf"], "I sold my car", ends(&[1])),
    ] {
        assert_eq!(outcome(known, said), wanted, "{known:?}, then {said}");
    }
}

#[test]
fn what_is_half_heard_takes_nothing_from_what_is_sure() {
    let told = told(&["I live in Berlin", "I smoke"]);
    let settled = |said: &str, heard: f32, known: f32| {
        let mut facts = told.known.clone();
        for fact in &mut facts {
            fact.confidence = known;
        }
        let mut finding = extract(said, TODAY, &told.names).remove(0);
        finding.confidence = heard;
        reconcile(&facts, &finding, TODAY)
    };
    for (said, change) in [("I moved to Lyon", supersedes(&[1])), ("I quit smoking", ends(&[2]))] {
        assert_eq!(settled(said, 0.5, 0.95), ReconcileOutcome::Ignore, "{said}");
        assert_eq!(settled(said, 0.5, 0.8), change, "{said}: neither is sure");
        assert_eq!(settled(said, 0.85, 0.95), change, "{said}: it is clear");
    }
    assert_eq!(settled("I live in Berlin", 0.5, 0.95), ReconcileOutcome::Repeat(FactId::new(1)));
}

#[test]
fn what_waits_for_a_yes_is_not_known() {
    let mut facts = told(&["I live in Berlin"]).known;
    facts[0].status = FactStatus::Unconfirmed;
    for (said, awaits) in
        [("I live in Berlin", true), ("I moved to Lyon", false), ("I used to live in Berlin", false)]
    {
        let finding = extract(said, TODAY, &KnownNames::new("Luna")).remove(0);
        assert_eq!(facts[0].awaits(&finding), awaits, "{said}");
        assert_eq!(reconcile(&facts, &finding, TODAY), ReconcileOutcome::New, "{said}");
    }
}

#[test]
fn confidence_grows_within_bounds_and_fades_by_kind() {
    let mut confidence = 0.5;
    for _ in 0..50 {
        let more = confidence_after_repetition(confidence);
        assert!(more >= confidence && more <= 0.98);
        confidence = more;
    }
    let name = FactSlot::new(SlotKind::Name);
    let taste = FactSlot::of(SlotKind::Taste, "tea");
    let personal = protocol::FactCategory::Personal;
    assert_eq!(half_life_days(personal, Some(&name)), None);
    assert!(fade(0.9, 3650, None) > 0.89);
    let days = half_life_days(protocol::FactCategory::Preference, Some(&taste)).unwrap();
    assert!((fade(0.8, days, Some(days)) - 0.4).abs() < 0.001);
    assert!(is_promoted(0.95, 3, 40) && !is_promoted(0.95, 1, 400) && !is_promoted(0.5, 9, 400));
    assert_eq!(expiry(personal, Some(&FactSlot::new(SlotKind::Whereabouts)), TODAY), Some(date(2026, 5, 21)));
    assert_eq!(expiry(personal, Some(&name), TODAY), None);
}

#[test]
fn the_same_in_other_words() {
    for (one, other, wanted) in [
        ("Lives in Lyon.", "Lives in Lyon", true),
        ("Has a dog called Max.", "Has a dog called Rex.", false),
        ("Likes long walks on the beach.", "Likes long walks at the beach.", true),
        ("Likes coffee.", "Dislikes coffee.", false),
        ("Eats meat.", "Does not eat meat.", false),
        ("Has an exam on 3 May.", "Has an exam on 4 May.", false),
    ] {
        assert_eq!(same(one, other), wanted, "{one} / {other}");
    }
}

#[test]
fn a_slot_has_one_key() {
    for key in ["home", "pet:dog", "favourite:colour", "relative:best friend"] {
        assert_eq!(key.parse::<FactSlot>().unwrap().to_string(), key);
    }
    assert!("nonsense:x".parse::<FactSlot>().is_err());
}

#[test]
fn what_is_read_late_does_not_replace_what_is_known_since() {
    let known = told(&["I moved to Lyon.", "I work at Initech."]).known;
    let long_ago = date(2023, 5, 13);
    for sentence in ["I moved to Berlin.", "I live in Berlin.", "I work at Globex."] {
        let finding = extract(sentence, long_ago, &KnownNames::new("Luna")).remove(0);
        let outcome = reconcile(&known, &finding, long_ago);
        assert!(matches!(outcome, ReconcileOutcome::Earlier { .. }), "{sentence}: {outcome:?}");
    }
    let gone = extract("I quit my job.", long_ago, &KnownNames::new("Luna")).remove(0);
    let ended = reconcile(&known, &gone, long_ago);
    assert!(!matches!(&ended, ReconcileOutcome::End { old, .. } if !old.is_empty()), "{ended:?}");
}

/// The outcomes of all findings in a sentence.
fn outcomes(known: &[&str], said: &str) -> Vec<ReconcileOutcome> {
    let told = told(known);
    extract(said, TODAY, &told.names)
        .iter()
        .filter(|finding| finding.confidence >= 0.5)
        .map(|finding| reconcile(&told.known, finding, TODAY))
        .collect()
}

#[test]
fn what_says_nothing_of_what_is_known_leaves_it() {
    for (known, said) in [
        ("My dog is called Max", "I don't have a dog in this fight."),
        ("My dog is called Max", "As soon as I have a dog I'll call him Otto."),
        ("My dog is called Max", "Once I have a dog, I'll walk more."),
        ("My cat is called Mia", "I won't be happy until I have a cat."),
        ("My name is Sam", "My name is none of your business."),
        ("My name is Sam", "My name is on the list."),
        ("My name is Sam", "I am Groot."),
        ("I'm Sam", "I am Groot."),
        ("My name is Sam", "I am Spartacus!"),
        ("I live in Lyon", "We moved our office to Paris."),
        ("I live in Lyon", "They moved our team to Paris."),
        ("I live in Lyon", "I live in a small flat."),
        ("I live in Lyon", "I live in an old house with a garden."),
        ("I live in Lyon", "I live in France."),
        ("I live in London", "We live in the UK."),
        ("I live in Elmstead", "I live in England."),
        ("I live in Lyon", "I lied when I said that I live in Lyon."),
        ("I live in Lyon", "It's not true that I live in Lyon."),
        ("I was born in the USA", "I grew up in Kenya."),
        ("I was born in the USA", "I'm from Split."),
        ("My friend Max lives in Bern", "I have a friend who lives in Goa."),
        ("My brother Ben works at Lego", "I have a brother who works at Siemens."),
        ("My sister is called Clara", "My other sister is called Anna."),
        ("My sister Clara lives in Rome", "My second sister lives in Oslo."),
        ("I like dogs", "I hate hot dogs."),
        ("I like cheese", "I don't like blue cheese."),
        ("I love coffee", "Instant coffee is disgusting."),
        ("I love opera", "I hate soap operas."),
        ("I'm 34", "I feel like I'm 100 years old."),
        ("I'm 34", "I look like I'm 12 years old."),
        ("My birthday is 3 May", "I was born yesterday, you know."),
        ("My birthday is 3 May", "It feels like I was born last week."),
        ("I'm single", "I'm engaged in a project."),
        ("I'm vegan", "I'm vegetarian when I'm at home."),
        ("I like sailing", "Sailing is on pause for now."),
        ("I like coffee", "My coffee must be strong for now."),
        ("I love coffee", "I am trying a new coffee now."),
    ] {
        let changed = outcomes(&[known], said);
        let kept =
            changed.iter().all(|outcome| matches!(outcome, ReconcileOutcome::New | ReconcileOutcome::Ignore));
        assert!(kept, "{known}, then {said}: {changed:?}");
    }
    assert_eq!(outcome(&["I'm vegan"], "I no longer eat meat."), ReconcileOutcome::Repeat(FactId::new(1)));
    assert_eq!(outcome(&["I live in Lyon"], "I live in Spain."), supersedes(&[1]));
    assert_eq!(outcome(&["I'm learning Spanish"], "I gave up on Spanish."), ends(&[1]));
    assert_eq!(outcome(&["I'm learning French"], "I quit French."), ends(&[1]));
}

#[test]
fn what_cannot_be_beside_what_is_said_is_over() {
    for (known, said) in [
        ("I'm allergic to penicillin", "It turned out I'm not allergic to penicillin."),
        ("I'm allergic to penicillin", "I am not allergic to anything."),
        ("I'm allergic to nuts", "I don't have any allergies."),
        ("I have two kids", "I don't have any children."),
        ("I have three brothers", "I don't have any brothers."),
        ("My son is called Oscar", "I have no kids."),
        ("I'm pregnant", "I had a miscarriage."),
        ("I'm pregnant", "I'm not pregnant."),
        ("I'm pregnant", "I gave birth last week."),
        ("My wife is called Beth", "My wife left me."),
        ("My wife is called Beth", "Beth divorced me."),
        ("My girlfriend is called Sue", "Sue broke up with me."),
        ("My wife is called Beth", "We got divorced."),
        ("My mother lives in Genoa", "My mother died last month."),
        ("My brother Ben works at Lego", "Ben passed away."),
        ("I drink coffee every morning", "I don't drink coffee."),
        ("I drink coffee every morning", "I stopped drinking coffee."),
        ("I don't drink coffee", "I drink coffee every morning."),
    ] {
        let changed = outcomes(&[known], said);
        let over = |outcome: &ReconcileOutcome| matches!(outcome, ReconcileOutcome::Supersede { old, .. } | ReconcileOutcome::End { old, .. } if old.contains(&FactId::new(1)));
        assert!(changed.iter().any(over), "{known}, then {said}: {changed:?}");
    }
    for (known, said) in [
        ("My wife is called Beth", "My wife left me a note."),
        ("My wife is called Beth", "I got divorced in 2015."),
        ("My mother lives in Genoa", "My mother nearly died."),
        ("My sister Anna lives in Rome", "My sister died laughing."),
        ("My friend Max lives in Bern", "I have a friend who died."),
        ("I drink coffee every morning", "I don't drink coffee in the evening."),
        ("I'm pregnant", "I had a miscarriage in 2019."),
    ] {
        let changed = outcomes(&[known], said);
        let kept =
            changed.iter().all(|outcome| matches!(outcome, ReconcileOutcome::New | ReconcileOutcome::Ignore));
        assert!(kept, "{known}, then {said}: {changed:?}");
    }
}
