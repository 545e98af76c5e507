//! The last check of findings: whether the value can fill the slot.
//!
//! The extraction rules rely on phrasing and take the words where a place, a company or a name usually stands. *Tom is
//! home* and *I've moved to Linux* would yield homes. A finding whose value does not look like its kind is dropped: a
//! wrong fact is worse than none.

use super::finding::{Finding, Polarity};
use super::lexicon;
use super::lexicon::is_function_word;
use super::names::KnownNames;
use super::slot::SlotKind;
use super::verbs::{self, VerbForm};
use super::wordlists::{FAITHS, NO_NAMES, PRODUCTS, STREETS};

/// The confidence of plain statements; guesses have less.
const PLAINLY: f32 = 0.8;

pub(super) fn is_plausible(finding: &Finding, text: &str, names: &KnownNames) -> bool {
    let Some(slot) = &finding.slot else { return true };
    let value = finding.value.as_str();
    let low = value.to_lowercase();
    let fits = match slot.kind {
        _ if value.is_empty() => true,
        SlotKind::Home | SlotKind::Origin | SlotKind::Whereabouts => is_place(value, &low, text, names),
        SlotKind::Property if slot.of == "dwelling" => is_place(value, &low, text, names),
        SlotKind::Plan if matches!(slot.of.as_str(), "move" | "trip") => is_place(value, &low, text, names),
        SlotKind::Plan if slot.of == "job" => is_company(value, &low, text, names),
        SlotKind::Employer => is_company(value, &low, text, names),
        // *I'm Asian*, *we're SAFE*: a name recognised only by its position must be a usual given name.
        SlotKind::Name if finding.confidence < PLAINLY && finding.subject.is_empty() => {
            let is_people = ["an", "ish", "ese", "ist", "ic"].iter().any(|end| low.ends_with(end));
            !is_of_a_tale(text)
                && (lexicon::is_given_name(first_of(&low))
                    || is_written(value, text) && !is_people && !low.contains('-') && is_name(&low))
        }
        // *Call me biased*
        SlotKind::Nickname => is_name(&low) && (lexicon::is_given_name(first_of(&low)) || is_written(value, text)),
        // *My name is none of your business*, *my name is mud after last night*
        SlotKind::Name => {
            is_name(&low)
                && (lexicon::is_given_name(first_of(&low))
                    || value.starts_with(char::is_uppercase) && text.contains(value)
                    || !text.contains(char::is_lowercase)
                    || is_small(text) && ends_clause(&low, text))
        }
        // *Married* adds nothing to what *wife* or *husband* already says.
        SlotKind::Bond if value == "married" && words!("wife husband").contains(first_of(&finding.subject)) => false,
        // *We married in '71. My late husband …*
        SlotKind::Bond if matches!(value, "married" | "engaged") && finding.subject.is_empty() && is_widowed(text) => {
            finding.is_past() || finding.polarity == Polarity::Ended
        }
        SlotKind::Relative => is_name(&low) && !is_elsewhere(&low),
        SlotKind::Pet => low == slot.of || is_name(&low) && !is_elsewhere(&low),
        SlotKind::Taste | SlotKind::Favourite if is_choice(&finding.content) => false,
        // *My religion is love*
        SlotKind::Property if matches!(slot.of.as_str(), "religion" | "faith") => {
            FAITHS.contains(low.as_str()) || value.starts_with(char::is_uppercase)
        }
        // *I hate everyone* and *love my life* express moods.
        SlotKind::Taste
            if words!("everyone everybody everything life people nobody")
                .contains(last_of(&finding.content)) =>
        {
            false
        }
        SlotKind::Taste => {
            (!lexicon::is_given_name(&slot.of) || lexicon::is_likeable(&slot.of))
                && slot.of.contains(char::is_alphabetic)
                && !points(&finding.content)
                && !words!("stuff things thing ones so lot").contains(last_of(&finding.content))
        }
        SlotKind::Habit | SlotKind::Skill | SlotKind::Plan | SlotKind::Favourite if points(&finding.content) => false,
        // *I'm a good cook* describes a skill, not an occupation.
        SlotKind::Job
            if words!("good great bad terrible decent lousy awful excellent amazing better best mediocre poor horrible")
                .contains(first_of(&low)) =>
        {
            false
        }
        // *I work as employees to turn this around*
        SlotKind::Job if finding.content.contains("orks as ") => {
            lexicon::is_occupation(&low.split(' ').collect::<Vec<_>>()) && !points(&low)
        }
        // A headache is temporary.
        SlotKind::Condition
            if matches!(last_of(&low), "headache" | "hangover") || low.starts_with("headache from") =>
        {
            false
        }
        SlotKind::Property => verbs::lemma(&low).is_none_or(|(_, form)| form != VerbForm::Gerund),
        // *I want to lie down in the road* is not a goal.
        SlotKind::Goal
            if words!("lie cry scream die sleep vanish disappear hide nap weep").contains(first_of(&low)) =>
        {
            false
        }
        SlotKind::Goal => !points(&low) && !low.split(' ').any(|word| word == "so"),
        // *I'm allergic to mornings*
        SlotKind::Allergy
            if words!(
                "mornings monday mondays people work homework exercise drama housework stupidity nonsense maths \
                math idiots commitment effort bullshit food everything nothing"
            )
            .contains(last_of(&low)) =>
        {
            false
        }
        SlotKind::Allergy | SlotKind::Condition => !is_vague(first_of(&low)),
        _ => true,
    };
    fits && reads_well(&finding.content)
}

/// Returns true if the message says that the user's partner has died.
fn is_widowed(text: &str) -> bool {
    let low = text.to_lowercase();
    let words: Vec<&str> =
        low.split(|letter: char| !letter.is_alphabetic()).filter(|word| !word.is_empty()).collect();
    words.windows(3).any(|window| {
        matches!(window, ["my", "late", "husband" | "wife" | "partner"])
            || matches!(window, ["i", "am" | "m", "widowed"] | ["lost", "my", "husband" | "wife"])
    }) || words.iter().any(|word| matches!(*word, "widow" | "widower"))
}

/// Returns true if a sentence about a person reads well: it has no first person and does not break off.
fn reads_well(content: &str) -> bool {
    let words: Vec<&str> = content
        .split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '-')
        .filter(|word| !word.is_empty())
        .collect();
    let speaks = words.iter().skip(1).any(|word| {
        words!("i I me my we us our you your him them myself ourselves im I'm I've").contains(*word)
    });
    // *Does bread he does books* consists of two sentences.
    let is_double = words.windows(2).skip(1).any(|pair| {
        matches!(pair[0], "he" | "she")
            && (matches!(pair[1], "is" | "was" | "has" | "does" | "did")
                || verbs::lemma(pair[1])
                    .is_some_and(|(_, form)| matches!(form, VerbForm::Third | VerbForm::Past)))
    });
    let breaks_off = words.last().is_some_and(|last| {
        words!(
            "including and or of with than from the a an St such into because then which for but as is \
            their"
        )
        .contains(*last)
    });
    let nobody = content.starts_with('?');
    let has_picture = content.contains(|letter: char| letter >= '\u{1f000}');
    !speaks && !breaks_off && !has_picture && !nobody && !is_double
}

/// Returns true if words refer to the situation: *seeing this*, *both*, *them*.
fn points(content: &str) -> bool {
    content.trim_end_matches('.').split(' ').any(|word| {
        words!("this that these those it them both same here there such its him yours mine hers ours theirs")
            .contains(word)
    })
}

/// Returns true for a choice between options, which is no lasting taste: *I like the second option better*.
fn is_choice(content: &str) -> bool {
    let words: Vec<&str> = content.trim_end_matches('.').split(' ').collect();
    let is_which = |word: &str| {
        words!("first second third fourth fifth last other former latter next previous").contains(word)
    };
    let is_one = |word: &str| {
        words!(
            "one option version choice idea suggestion draft variant answer proposal design wording picture"
        )
        .contains(word)
    };
    words.windows(2).any(|pair| {
        is_which(pair[0]) && is_one(pair[1])
            || matches!(pair, ["the", "former" | "latter"] | ["option" | "version", _])
    })
}

/// Returns true if the message contains the name capitalised but not in all capitals.
fn is_written(value: &str, text: &str) -> bool {
    text.contains(value) && value.starts_with(char::is_uppercase) && value.contains(char::is_lowercase)
}

/// Returns true if the message is about fiction: *In my novel the hero is called Kai. I am Kai.*
fn is_of_a_tale(text: &str) -> bool {
    text.split(|letter: char| !letter.is_alphabetic()).any(|word| {
        words!("novel hero heroine protagonist villain story campaign larp screenplay fanfic").contains(word)
    })
}

fn is_small(text: &str) -> bool {
    !text.contains(char::is_uppercase)
}

/// Returns true if a word ends its clause.
fn ends_clause(low: &str, text: &str) -> bool {
    text.match_indices(low).any(|(at, _)| {
        let rest = text[at + low.len()..].trim_start();
        rest.is_empty()
            || rest.starts_with(|letter: char| letter.is_ascii_punctuation())
            || rest.starts_with("and ")
    })
}

fn only_begins(value: &str, text: &str) -> bool {
    text.match_indices(value).all(|(at, _)| {
        let before = text[..at].trim_end_matches([' ', '"', '“', '*']);
        before.is_empty() || before.ends_with(['.', '!', '?', '\n', ':', '…'])
    })
}

fn last_of(content: &str) -> &str {
    content.trim_end_matches('.').rsplit(' ').next().unwrap_or_default()
}

fn is_place(value: &str, low: &str, text: &str, names: &KnownNames) -> bool {
    if names.is_place(value) || lexicon::is_city(low) {
        return true;
    }
    let words: Vec<&str> = low.split(' ').collect();
    let first = words[0];
    // A value without capitals is a place if it has an article, or if it is a single word of a message without
    // capitals.
    let described = matches!(first, "the" | "a" | "an");
    let written = text.contains(value) && value.chars().any(char::is_uppercase);
    let alone = is_small(text) && words.len() == 1 && !low.ends_with("ly") && !low.ends_with('s');
    let named =
        written || described || alone || names.is_value(low) || words.len() > 1 && lexicon::is_city(words[0]);
    // *Linear next sprint*: words in lower case after a name are not part of it.
    let trails = value.starts_with(char::is_uppercase)
        && value.split(' ').skip(1).any(|word| {
            word.starts_with(char::is_lowercase)
                && !words!("of the in near upon on de la le du am an der city town area village centre and")
                    .contains(word)
        });
    // *Beautiful week*: the first word of a sentence is capitalised anyway.
    let begins = words.len() == 1 && written && only_begins(value, text) && !names.is_value(low);
    named
        && !begins
        && !first.starts_with(|letter: char| letter.is_ascii_digit())
        && !words
            .iter()
            .any(|word| words!("best worst greatest biggest wrong right same middle").contains(*word))
        && !trails
        && !is_somebody(low, names)
        && !PRODUCTS.contains(first)
        && !lexicon::is_company(low)
        && !is_no_name(low)
        && !lexicon::is_occupation(&words)
}

fn is_company(value: &str, low: &str, text: &str, names: &KnownNames) -> bool {
    if names.is_company(value) || lexicon::is_company(low) {
        return true;
    }
    let first = first_of(low);
    // *Renata found me*: these verbs have a person as their subject.
    let acts =
        ["found", "told", "asked", "drove", "texted", "called", "showed", "kissed", "rang", "woke", "helped"];
    if acts.iter().any(|verb| text.contains(&format!("{value} {verb} me"))) {
        return false;
    }
    if words!("another same different other any every his her their somewhere").contains(first) {
        return false;
    }
    !is_somebody(low, names)
        && !is_no_name(low)
        && (crate::calendar::number(first).is_none() || matches!(first, "a" | "an"))
}

/// Returns true if a name is known only as that of a person or an animal.
fn is_somebody(low: &str, names: &KnownNames) -> bool {
    let first = low.split([' ', '\'']).next().unwrap_or("");
    let known = names.person(low).is_some() || names.pet(low).is_some();
    let given = lexicon::is_given_name(first) && !low.contains(' ');
    (known || given || names.is_companion(low)) && !names.is_value_of_work_or_home(low)
}

/// Returns true if a word may be a person's name.
fn is_name(low: &str) -> bool {
    let first = first_of(low);
    lexicon::is_given_name(first)
        || !lexicon::is_diet(first)
            && !lexicon::is_occupation(&[first])
            && !is_no_name(low)
            && !is_doing(first)
            && !is_vague(first)
}

/// Returns true for names of days, places and streets, which people and animals seldom have.
fn is_elsewhere(low: &str) -> bool {
    let first = first_of(low);
    let last = low.rsplit(' ').next().unwrap_or("");
    !lexicon::is_given_name(first)
        && (lexicon::is_city(low) && !lexicon::is_ambiguous(low)
            || lexicon::is_weekday(first)
            || low.contains(' ') && STREETS.contains(last))
}

fn is_no_name(low: &str) -> bool {
    let first = first_of(low);
    let everyday = is_function_word(first) && !matches!(first, "the" | "a" | "an")
        || NO_NAMES.contains(low)
        || lexicon::is_weekday(first.trim_end_matches('s'))
        || lexicon::is_interjection(first)
        || lexicon::relation(first).is_some()
        || crate::calendar::month(first).is_some() && !low.contains(' ') && !lexicon::is_given_name(first);
    let nobody =
        matches!(first, "someone" | "somebody" | "everyone" | "everybody" | "nobody" | "anyone" | "anybody");
    low.chars().count() < 2 || nobody || everyday || is_doing(first) && !low.contains(' ')
}

/// Returns true for words of action or manner: *raining*, *spelled*, *nicely*.
fn is_doing(word: &str) -> bool {
    let verb = verbs::lemma(word).is_some_and(|(_, form)| form != VerbForm::Base);
    // *Spring* and *king* are no verb forms.
    let is_ing = word.strip_suffix("ing").is_some_and(|stem| stem.contains(['a', 'e', 'i', 'o', 'u', 'y']));
    !lexicon::is_given_name(word) && (verb || is_ing || word.len() > 4 && word.ends_with("ly"))
}

/// Returns true for words that fill no slot on their own.
fn is_vague(word: &str) -> bool {
    words!("it that this bad worse better another lunch dinner breakfast").contains(word)
}

fn first_of(text: &str) -> &str {
    text.split(' ').next().unwrap_or_default()
}
