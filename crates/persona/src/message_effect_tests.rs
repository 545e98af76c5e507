use jiff::civil::date;

use super::*;
use crate::{decay, read, tone};

fn noon() -> MessageContext {
    MessageContext { now: date(2026, 5, 1).at(12, 0, 0, 0), since_last: None, reaction: None }
}

/// Formats the changes after a first message: `humor+ you laughed`.
fn moved(message: &str, context: &MessageContext) -> Vec<String> {
    told(&apply_message(&mut PersonalityState::default(), &read(message), context))
}

fn told(moves: &[PersonalityChange]) -> Vec<String> {
    let sign = |one: &PersonalityChange| if one.to > one.from { '+' } else { '-' };
    moves.iter().map(|one| format!("{:?}{} {}", one.dimension, sign(one), one.why).to_lowercase()).collect()
}

#[test]
fn a_message_moves_what_it_should_and_says_why() {
    for (message, expected) in [
        ("What is the capital of France?", &[][..]),
        ("haha that one got me", &["mood+ you laughed", "humor+ you laughed"]),
        (
            "I told you already, that's wrong",
            &[
                "mood- you were annoyed",
                "humor- you were annoyed",
                "supportneed+ you sounded unhappy",
                "questionfrequency- you were annoyed",
            ],
        ),
        ("could you please be brief", &["verbosity- you asked for shorter answers"]),
        (
            "tell me more about it",
            &["verbosity+ you asked for more words", "depth+ you asked for more detail"],
        ),
        ("please stop asking questions", &["questionfrequency- you asked for fewer questions"]),
        ("could you be serious please", &["humor- you asked me to be serious"]),
        ("you are way too formal", &["formality- you asked me to be less formal"]),
        ("yo dude where is it", &["formality- you write casually"]),
        ("I am going to bed", &["energy- you were tired"]),
        ("why does the moon shine", &["depth+ you wanted to know why"]),
        ("ok", &["verbosity- you write in few words"]),
        (
            "my grandmother passed away yesterday",
            &[
                "energy- you had a hard time",
                "humor- you had a hard time",
                "supportneed+ you had a hard time",
            ],
        ),
        (
            "sometimes I want to die",
            &["humor- you were in great need", "supportneed+ you were in great need"],
        ),
    ] {
        assert_eq!(moved(message, &noon()), expected, "{message}");
    }
}

#[test]
fn circumstances_count_too() {
    let plain = "let me think about it for a while";
    let context = noon();
    let since = |secs| Some(SignedDuration::from_secs(secs));
    for (context, expected) in [
        (context, &[][..]),
        (MessageContext { now: date(2026, 5, 1).at(23, 30, 0, 0), ..context }, &["energy- it was late"]),
        (MessageContext { now: date(2026, 5, 1).at(3, 0, 0, 0), ..context }, &["energy- it was late"]),
        (MessageContext { since_last: since(5), ..context }, &["energy+ you answered at once"]),
        (MessageContext { since_last: since(-5), ..context }, &[]),
        (MessageContext { since_last: since(900), ..context }, &[]),
        (MessageContext { since_last: since(3 * 86400), ..context }, &["mood+ you came back"]),
        (
            MessageContext { reaction: Some(Reaction::Stopped), ..context },
            &["verbosity- you stopped my answer"],
        ),
        (
            MessageContext { reaction: Some(Reaction::Edited), ..context },
            &["questionfrequency+ you had to say it again"],
        ),
        (
            MessageContext { reaction: Some(Reaction::Regenerated), ..context },
            &["mood- you wanted another answer", "depth+ you wanted another answer"],
        ),
    ] {
        assert_eq!(moved(plain, &context), expected, "{context:?}");
    }
    let stopped = MessageContext { reaction: Some(Reaction::Stopped), ..context };
    assert_eq!(moved("", &stopped), ["verbosity- you stopped my answer"]);
}

#[test]
fn one_wish_shows_and_a_mood_takes_its_time() {
    let mut state = PersonalityState::default();
    apply_message(&mut state, &read("please be brief"), &noon());
    assert_eq!(tone(&state).text, "Keep your answers short.");
    apply_message(&mut state, &read("too long"), &noon());
    assert_eq!(tone(&state).text, "Answer in one or two short sentences.");

    let mut state = PersonalityState::default();
    apply_message(&mut state, &read("hahaha you are so funny 😂😂😂!!!"), &noon());
    assert_eq!(tone(&state).text, "");
}

#[test]
fn one_joke_is_no_wish_for_more_humor() {
    let (mut state, joke) = (PersonalityState::default(), read("Tell me a joke"));
    assert_eq!(told(&apply_message(&mut state, &joke, &noon())), [""; 0]);
    assert_eq!(told(&apply_message(&mut state, &joke, &noon())), ["humor+ you keep asking for jokes"]);
    assert!(state.value(Dimension::Humor) < 0.55, "a little at a time: {state:?}");
    let tomorrow = MessageContext { now: date(2026, 5, 2).at(12, 0, 0, 0), ..noon() };
    assert_eq!(told(&apply_message(&mut state, &joke, &tomorrow)), [""; 0], "another day, another joke");
    let wish = read("I'd like you to joke more");
    assert_eq!(
        told(&apply_message(&mut PersonalityState::default(), &wish, &noon())),
        ["humor+ you asked for more humor"]
    );
}

#[test]
fn a_day_has_an_end_and_begins_at_four() {
    let mut state = PersonalityState::default();
    let at = |day, hour| MessageContext { now: date(2026, 5, day).at(hour, 0, 0, 0), ..noon() };
    let brief = read("please be brief");
    for _ in 0..10 {
        apply_message(&mut state, &brief, &at(1, 23));
    }
    let value = |state: &PersonalityState| format!("{:.2}", state.value(Dimension::Verbosity));
    assert_eq!(value(&state), "0.20");
    apply_message(&mut state, &brief, &at(2, 3));
    assert_eq!(value(&state), "0.20", "the night belongs to the day before");
    apply_message(&mut state, &brief, &at(1, 12));
    assert_eq!(value(&state), "0.20", "a clock set back begins no day");
    apply_message(&mut state, &brief, &at(2, 5));
    assert_eq!(value(&state), "0.05");
}

#[test]
fn locked_ones_stay() {
    let mut state = PersonalityState::default();
    state.lock(Dimension::Verbosity, true);
    state.lock(Dimension::Mood, true);
    let moves = apply_message(&mut state, &read("haha please be brief, I love you"), &noon());
    let locked = [Dimension::Verbosity, Dimension::Mood];
    assert!(moves.iter().all(|one| !locked.contains(&one.dimension)), "{moves:?}");
    assert!(moves.iter().any(|one| one.dimension == Dimension::Humor), "{moves:?}");
}

#[test]
fn a_wish_is_not_overruled_by_a_habit() {
    let mut state = PersonalityState::default();
    let long = format!("please be brief. {}", "and then I went on and on about my day. ".repeat(12));
    let moves = apply_message(&mut state, &read(&long), &noon());
    let verbosity = moves.iter().find(|one| one.dimension == Dimension::Verbosity).unwrap();
    assert_eq!((verbosity.to, verbosity.why), (0.35, "you asked for shorter answers"));
}

#[test]
fn a_habit_leads_to_a_point_and_not_to_the_end() {
    let mut state = PersonalityState::default();
    let slang = read("yo dude whats up with that");
    for day in 0..60 {
        for _ in 0..20 {
            let now = date(2026, 1, 1).at(12, 0, 0, 0).checked_add(jiff::Span::new().days(day)).unwrap();
            decay(&mut state, now);
            apply_message(&mut state, &slang, &MessageContext { now, ..noon() });
        }
    }
    let value = state.value(Dimension::Formality);
    assert!((0.19..0.30).contains(&value), "{value}");
}

#[test]
fn long_talk_tires() {
    let mut state = PersonalityState::default();
    let plain = read("let me think about it for a while");
    let moves: Vec<PersonalityChange> =
        (0..40).flat_map(|_| apply_message(&mut state, &plain, &noon())).collect();
    assert_eq!(
        told(&moves),
        ["energy- we had talked a lot that day", "energy- we had talked a lot that day"]
    );
}
