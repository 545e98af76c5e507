//! Names, and introductions.

use protocol::FactCategory;

use super::age_drafts::{aged, number};
use super::draft::FactDraft;
use super::value;
use super::value::begins;
use super::wordings;
use crate::clause::Clause;
use crate::lexicon;
use crate::lexicon::is_function_word;
use crate::mentions::ClauseSubject;
use crate::openings;
use crate::slot::{FactSlot, SlotKind};
use crate::token::WordToken;

/// Returns true if *called* is a participle, not an action of the subject.
pub(super) fn is_passive(clause: &Clause<'_>) -> bool {
    let said = clause.text.get(clause.range.clone()).unwrap_or("").to_lowercase();
    said.split(|c: char| !c.is_alphanumeric())
        .any(|word| words!("am m im is was been get got").contains(word))
}

pub(super) fn named(name: &str) -> FactDraft {
    wordings::called(name).important(0.9).sure(0.9)
}

pub(super) fn nickname(clause: &Clause<'_>, tokens: &[WordToken]) -> Vec<FactDraft> {
    value::name(clause.text, tokens)
        .map(|name| {
            FactDraft::new(
                FactCategory::Personal,
                FactSlot::new(SlotKind::Nickname),
                name.clone(),
                format!("goes by {name}"),
            )
            .important(0.9)
            .past(clause.is_over())
            .ended_if(clause.negated)
        })
        .into_iter()
        .collect()
}

/// Reads `Call me Tom`.
pub fn call_me(clause_text: &str, tokens: &[WordToken]) -> Option<FactDraft> {
    // *Everybody just calls me Tom*
    let adverb = |token: &&WordToken| !words!("just simply usually all mostly").contains(token.low.as_str());
    let tokens: Vec<WordToken> = tokens.iter().filter(adverb).cloned().collect();
    let words: Vec<&str> = tokens.iter().map(|token| token.low.as_str()).collect();
    let skip = begins(
        &words,
        &[
            &["call", "me"],
            &["you", "can", "call", "me"],
            &["you", "may", "call", "me"],
            &["feel", "free", "to", "call", "me"],
            &["everyone", "calls", "me"],
            &["everybody", "calls", "me"],
            &["people", "call", "me"],
            &["my", "friends", "call", "me"],
            &["friends", "call", "me"],
            &["they", "call", "me"],
            &["folks", "call", "me"],
            &["people", "know", "me", "as"],
            &["everyone", "knows", "me", "as"],
            &["most", "know", "me", "as"],
            &["i", "am", "known", "as"],
            &["please", "call", "me"],
            &["most", "people", "call", "me"],
            &["refer", "to", "me", "as"],
            &["address", "me", "as"],
            &["i", "prefer", "to", "be", "called"],
            &["i", "like", "to", "be", "called"],
            &["i", "would", "like", "to", "be", "called"],
            &["i", "want", "to", "be", "called"],
            &["i", "would", "prefer", "to", "be", "called"],
        ],
    )?;
    let skip = skip + usize::from(words.get(skip) == Some(&"by"));
    let (tokens, old) = value::replaced(&tokens[skip..]);
    let name = value::name(clause_text, tokens)?;
    let small = !tokens.first()?.is_capital
        && (tokens.len() > 2
            || is_function_word(&tokens[0].low)
            || words!("back when later crazy maybe old a an lazy stupid").contains(tokens[0].low.as_str()));
    let old = old.and_then(|old| value::name(clause_text, old));
    (!small).then(|| {
        FactDraft::new(
            FactCategory::Personal,
            FactSlot::new(SlotKind::Nickname),
            name.clone(),
            format!("goes by {name}"),
        )
        .important(0.9)
        .replacing(old)
    })
}

/// Returns the name that the user asks to be called by: *can you call me Gus?*
pub fn asked_name(text: &str, tokens: &[WordToken]) -> Option<FactDraft> {
    let tokens = openings::opened(tokens);
    let asks = matches!(tokens.as_slice(), [can, you, call, me, name, ..]
        if matches!(can.low.as_str(), "can" | "could" | "will" | "would")
            && you.low == "you" && call.low == "call" && me.low == "me" && name.is_capital);
    let end = tokens.iter().position(WordToken::is_mark).unwrap_or(tokens.len());
    if asks { call_me(text, &tokens[2..end]) } else { None }
}

pub(super) fn other_named(clause: &Clause<'_>, name: &str) -> Vec<FactDraft> {
    let ClauseSubject::Person(label) = &clause.subject else { return Vec::new() };
    let (what, old) = crate::names::split_subject(label).unwrap_or(("", ""));
    if what.is_empty() || label.contains("'s ") {
        return Vec::new();
    }
    let (_, replaced) = value::replaced(&clause.rest);
    let replaced = replaced.and_then(|old| value::name(clause.text, old));
    let old = replaced.or_else(|| (!old.is_empty() && old != name).then(|| old.to_owned()));
    vec![super::relationships::relative(what, name).of("").replacing(old).past(clause.is_over())]
}

/// Returns true for introductions: `I'm Tom`, `I'm Tom from Leeds`, with a capitalised word that is nothing else.
pub(super) fn is_introduction(clause: &Clause<'_>, words: &[&str]) -> bool {
    let Some(first) = clause.rest.first().filter(|token| token.is_capital) else { return false };
    let length = crate::name_text::name_length(&clause.rest);
    let after = words.get(length).copied().unwrap_or("");
    let plain = matches!(after, "" | "," | "and" | "from" | "by" | "." | "(" | "-");
    let nothing_else = !lexicon::is_nationality(&first.low)
        && !lexicon::is_diet(&first.low)
        && !is_function_word(&first.low)
        && !first.low.ends_with("ing")
        && !first.low.ends_with("ed")
        && !first.low.chars().all(|c| c.is_ascii_digit())
        && crate::verbs::lemma(&first.low).is_none();
    let shouted = clause
        .text
        .get(first.range.clone())
        .is_some_and(|raw| raw.len() > 3 && raw.chars().all(char::is_uppercase));
    let faith = words!(
        "catholic muslim jewish christian buddhist hindu sikh protestant atheist lutheran libra leo aries \
        taurus gemini cancer virgo scorpio sagittarius capricorn aquarius pisces ok sorry fine so just not \
        team"
    )
    .contains(first.low.as_str());
    // *We're Quakers*: a group has no single name.
    let several = said_words(clause).iter().any(|word| matches!(word.as_str(), "we" | "us"));
    plain && nothing_else && !clause.likens() && !shouted && !faith && !several && length <= 3
}

/// Returns the words of a clause as written, in lower case.
fn said_words(clause: &Clause<'_>) -> Vec<String> {
    let said = clause.text.get(clause.range.clone()).unwrap_or("").to_lowercase();
    said.split(|letter: char| !letter.is_alphanumeric()).map(str::to_owned).collect()
}

/// Returns true if the message greets someone on first meeting.
pub(super) fn is_greeting(text: &str) -> bool {
    let text = text.to_lowercase();
    let opens = ["hi", "hello", "hey", "hiya", "good morning", "good evening", "good afternoon"];
    let opened = |greeting: &&str| {
        text.strip_prefix(*greeting).is_some_and(|rest| rest.starts_with([' ', ',', '!', '.']))
    };
    opens.iter().any(opened)
        || text.contains("meet you")
        || text.contains("introduce myself")
        || text.contains("introduced myself")
}

/// Reads the rest of an introduction: `Tom, 34, from Leeds`.
pub(super) fn rest_of_introduction(clause: &Clause<'_>, words: &[&str]) -> Vec<FactDraft> {
    let mut found = Vec::new();
    for (at, word) in words.iter().enumerate().skip(1) {
        let starts = words[at - 1] == ",";
        if starts && let Some(age) = number(word).filter(|age| *age > 12) {
            found.push(aged(clause, age, "years"));
        }
        if *word == "from"
            && let Some(place) = value::place(clause.text, clause.after(at + 1))
        {
            found.push(wordings::comes_from(&place));
        }
        if matches!(*word, "a" | "an") && lexicon::is_occupation(&words[at + 1..]) {
            let tokens =
                value::upto(clause.after(at + 1), |word| matches!(word, "from" | "in" | "at" | "and"));
            let value = value::text_of(clause.text, tokens);
            found.push(FactDraft::new(
                FactCategory::Personal,
                FactSlot::new(SlotKind::Job),
                value.clone(),
                format!("works as {word} {value}"),
            ));
        }
    }
    found
}
