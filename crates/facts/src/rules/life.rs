//! Names, ages, birthdays, nationality and languages.

use jiff::ToSpan;
use protocol::FactCategory;

use super::age_drafts::{aged, number};
use super::death::{bereaved, died};
use super::draft::FactDraft;
use super::naming::{
    is_greeting, is_introduction, is_passive, named, nickname, other_named, rest_of_introduction,
};
use super::value::begins;
use super::value::{self, object};
use crate::clause::{Clause, Tense};
use crate::lexicon;
use crate::lexicon::is_function_word;
use crate::mentions::ClauseSubject;
use crate::slot::{FactSlot, SlotKind};
use crate::time::TimeKind;
use crate::token::WordToken;
use crate::verbs::VerbForm;
use crate::wordlists::FAITHS;

pub fn read(clause: &Clause<'_>) -> Vec<FactDraft> {
    let words = clause.words();
    let mine = clause.subject == ClauseSubject::Me;
    match (clause.verb, words.as_slice()) {
        ("be", _) => is(clause, &words, mine),
        ("turn" | "become", [age, ..]) if number(age).is_some() => turned(clause, age),
        ("have", ["turned", age, ..]) if number(age).is_some() => turned(clause, age),
        ("celebrate", ["my" | "his" | "her" | "their", "birthday", ..])
            if !clause.negated && matches!(clause.tense, Tense::Present | Tense::Future) =>
        {
            clause.when(&[TimeKind::At]).and_then(super::born_on).into_iter().collect()
        }
        ("have", ["my" | "his" | "her" | "their", "birthday", ..]) if !clause.negated => {
            clause.when(&[TimeKind::At]).and_then(super::born_on).into_iter().collect()
        }
        ("turn", ["a", "year", "older", ..]) => {
            clause.when(&[TimeKind::At]).and_then(super::born_on).into_iter().collect()
        }
        ("bear", _) => born(clause, &words),
        ("lose", _) if mine && matches!(clause.tense, Tense::Past | Tense::Perfect) && !clause.negated => {
            bereaved(clause, &words)
        }
        ("die", _) | ("pass", ["away" | "on", ..]) if !mine => died(clause, &words),
        ("go", ["by", ..]) if mine && clause.tense != Tense::Future => {
            let skip = if words.starts_with(&["by", "the", "name"]) {
                3 + usize::from(words.get(3) == Some(&"of"))
            } else {
                1
            };
            nickname(clause, clause.after(skip))
        }
        ("call" | "name", _) if clause.form != VerbForm::Base || clause.progressive => {
            match value::name(clause.text, &clause.rest) {
                Some(name)
                    if mine
                        && !clause.negated
                        && is_passive(clause)
                        && !lexicon::is_occupation(&clause.words()) =>
                {
                    // A name given by the parents still holds.
                    let past = clause.tense == Tense::Past && clause.verb != "name";
                    vec![named(&name).past(clause.is_over() || past)]
                }
                Some(name) if !mine && !clause.negated => other_named(clause, &name),
                _ => Vec::new(),
            }
        }
        ("change", ["my", "name", rest @ ..]) if mine => {
            let Some(to) = rest.iter().position(|word| *word == "to") else { return Vec::new() };
            value::name(clause.text, clause.after(3 + to))
                .map(|name| named(&name).changed().begins())
                .into_iter()
                .collect()
        }
        ("speak", _) => speaks(clause, &words),
        ("grow", ["up", "speaking" | "with", language, ..]) if lexicon::is_language(language) => {
            speaks(clause, &words)
        }
        ("take" | "have" | "attend", [language, "lessons" | "classes" | "course", ..])
            if lexicon::is_language(language) && !clause.negated && clause.tense != Tense::Past =>
        {
            vec![super::habits::learns(clause, &crate::name_text::capital(language))]
        }
        ("learn", ["to", "speak", ..]) if clause.tense != Tense::Present => speaks(clause, &words),
        ("know", [language, ..]) if lexicon::is_language(language) => speaks(clause, &words),
        ("learn", [what, ..])
            if clause.progressive
                && (lexicon::is_language(what) || words.len() <= 6)
                && !clause.negated
                && !words!("a that about from so more it new").contains(*what) =>
        {
            let skip = if words.starts_with(&["to", "play", "the"]) {
                3
            } else if words.starts_with(&["how", "to"]) {
                2
            } else {
                usize::from(*what == "to")
            };
            let whole = object(clause.text, clause.after(skip));
            whole
                .map(|what| {
                    super::habits::learns(clause, &what).past(clause.is_over() || clause.tense == Tense::Past)
                })
                .into_iter()
                .collect()
        }
        _ if clause.able
            && !clause.negated
            && clause.tense == Tense::Present
            && clause.hints == crate::clause::ClauseHints::default() =>
        {
            able(clause, &words)
        }
        _ => Vec::new(),
    }
}

fn is(clause: &Clause<'_>, words: &[&str], mine: bool) -> Vec<FactDraft> {
    if clause.tense == Tense::Future {
        return Vec::new();
    }
    let over = clause.is_over() || clause.tense == Tense::Past;
    // *My kids are 4 and 7*
    let several = matches!(&clause.subject, ClauseSubject::Person(label) if label.ends_with('s') || label == "children");
    if let ([one, "and", other, ..], true) = (words, several)
        && let (Some(one), Some(other)) = (number(one), number(other))
    {
        let value = format!("{one} and {other}");
        let draft = FactDraft::new(
            FactCategory::Personal,
            FactSlot::new(SlotKind::Age),
            value.clone(),
            format!("are {value} years old"),
        );
        let expires = clause.today.checked_add(365.days()).unwrap_or(clause.today);
        return if over || clause.negated {
            Vec::new()
        } else {
            vec![draft.important(0.6).expiring(expires)]
        };
    }
    // `six foot two`
    if let [feet, "foot" | "feet" | "ft", inches, ..] = words
        && let (Some(feet), Some(inches)) = (number(feet), number(inches))
    {
        let value = format!("{feet} foot {inches}");
        return vec![FactDraft::new(
            FactCategory::Personal,
            FactSlot::of(SlotKind::Property, "height"),
            value.clone(),
            format!("is {value} tall"),
        )];
    }
    // `34`, `34 years old`, `almost 34`; but not `5 minutes away`.
    if let Some(age) = words.first().and_then(|word| number(word).map(|age| (age, *word))) {
        let next = words.get(1).copied().unwrap_or("");
        // *My brother is one*: here *one* is no age.
        if age.1 == "one" && !matches!(next, "year" | "and") {
            return Vec::new();
        }
        let plain = matches!(
            next,
            "" | "years" | "year" | "yrs" | "yo" | "and" | "," | "y/o" | "months" | "going" | "now"
        ) && !words.contains(&"late")
            && !words.contains(&"away")
            && !words.contains(&"into");
        let months = next == "months";
        if plain
            && !over
            && !clause.negated
            && !clause.is_ahead()
            && clause.when(&[TimeKind::At]).is_none()
            && (next != "months" || words.get(2) == Some(&"old"))
            && !(next == "year" && words.get(2) != Some(&"old"))
            && !(next == "years" && words.get(2) != Some(&"old") && words.len() > 2)
        {
            return vec![aged(clause, age.0, if months { "months" } else { "years" })];
        }
        return Vec::new();
    }
    if let [
        "in",
        "my" | "his" | "her" | "their",
        decade @ ("twenties" | "thirties" | "forties" | "fifties" | "sixties" | "seventies" | "eighties"),
        ..,
    ] = words
    {
        return vec![
            FactDraft::new(
                FactCategory::Personal,
                FactSlot::new(SlotKind::Age),
                format!("in their {decade}"),
                format!("is in their {decade}"),
            )
            .past(over),
        ];
    }
    // `Catholic`, `a Baptist`
    let believer = match words {
        ["a" | "an", faith] | ["a" | "an", faith, "," | "and" | "but" | "so", ..] => Some(*faith),
        [faith] | [faith, "," | "and" | "but" | "so", ..] => Some(*faith),
        _ => None,
    };
    if let Some(faith) = believer.filter(|faith| FAITHS.contains(faith)) {
        let name = if matches!(faith, "atheist" | "agnostic") {
            faith.to_owned()
        } else {
            crate::name_text::capital(faith)
        };
        let article = if words[0] == faith { String::new() } else { format!("{} ", words[0]) };
        let says = if over { "was" } else { "is" };
        return vec![
            FactDraft::new(
                FactCategory::Personal,
                FactSlot::of(SlotKind::Property, "faith"),
                name.clone(),
                format!("{says} {article}{name}"),
            )
            .past(over)
            .ended_if(clause.negated && !over),
        ];
    }
    // `5'11` and `178 cm tall` are heights.
    if let [height, "cm" | "m" | "ft" | "feet" | "foot", rest @ ..] = words
        && (rest.contains(&"tall") || words.len() == 2)
    {
        return vec![FactDraft::new(
            FactCategory::Personal,
            FactSlot::of(SlotKind::Property, "height"),
            format!("{height} {}", words[1]),
            format!("is {height} {} tall", words[1]),
        )];
    }
    let first = words.first().copied().unwrap_or("");
    let half = usize::from(matches!(first, "half" | "part" | "a" | "an" | "originally" | "partly"));
    if let Some(word) = words.get(half).filter(|word| lexicon::is_nationality(word))
        && matches!(
            words.get(half + 1).copied().unwrap_or(""),
            "" | "and" | "," | "by" | "citizen" | "but" | "national" | "guy" | "girl" | "woman" | "man"
        )
    {
        let both: Vec<&str> = words.iter().copied().filter(|word| lexicon::is_nationality(word)).collect();
        let value = if first == "half" { format!("half {word}") } else { both.join(" and ") };
        let value = value
            .split(' ')
            .map(|word| {
                if lexicon::is_nationality(word) { crate::name_text::capital(word) } else { word.to_owned() }
            })
            .collect::<Vec<_>>()
            .join(" ");
        return vec![
            FactDraft::new(
                FactCategory::Personal,
                FactSlot::new(SlotKind::Nationality),
                value.clone(),
                format!("is {value}"),
            )
            .important(0.65)
            .ended_if(clause.negated),
        ];
    }
    if let Some(skip) = begins(
        words,
        &[
            &["fluent", "in"],
            &["native", "in"],
            &["a", "fluent", "speaker", "of"],
            &["a", "native", "speaker", "of"],
            &["a", "speaker", "of"],
        ],
    ) {
        return languages(clause, clause.after(skip), "speaks");
    }
    if let Some(skip) = begins(
        words,
        &[
            &["good", "at"],
            &["great", "at"],
            &["skilled", "at"],
            &["skilled", "in"],
            &["terrible", "at"],
            &["bad", "at"],
        ],
    ) {
        let good = !matches!(words[0], "terrible" | "bad") != clause.negated;
        return object(clause.text, clause.after(skip))
            .map(|what| {
                FactDraft::new(
                    FactCategory::Behaviour,
                    FactSlot::of(SlotKind::Skill, format!("good {}", super::topic(&what))),
                    what.clone(),
                    format!("is {} at {what}", if good { "good" } else { "bad" }),
                )
                .past(over)
                .sure(0.7)
            })
            .into_iter()
            .collect();
    }
    // *My husband is Felix*
    if !mine
        && !over
        && !clause.negated
        && lexicon::is_given_name(first)
        && clause.rest[0].is_capital
        && words.get(1).is_none_or(|next| words!(", and but . ( -").contains(*next))
        && let Some(name) = value::name(clause.text, &clause.rest[..1])
    {
        return other_named(clause, &name);
    }
    if mine && !over && !clause.negated && is_introduction(clause, words) {
        let name = value::name(clause.text, &clause.rest);
        // *I'm Marta* may be a role; *hi, I'm Marta, nice to meet you* is an introduction.
        let is_given = lexicon::is_given_name(words[0]);
        let others = rest_of_introduction(clause, words);
        // *I am Groot* is more likely a quotation from a film than an uncommon name.
        let sure = match (is_greeting(clause.text), is_given || !others.is_empty()) {
            (true, _) => 0.9,
            (false, true) => 0.75,
            (false, false) => 0.55,
        };
        let is_cried = clause.text.get(clause.range.end..).is_some_and(|rest| rest.starts_with('!'));
        let name = name.filter(|_| sure > 0.6 || !is_cried);
        let mut found: Vec<FactDraft> = name.iter().map(|name| named(name).sure(sure)).collect();
        found.extend(others);
        return found;
    }
    Vec::new()
}

fn turned(clause: &Clause<'_>, word: &str) -> Vec<FactDraft> {
    let Some(age) = number(word) else { return Vec::new() };
    if clause.negated
        || clause.rest.get(1).is_some_and(|next| {
            // *I turned two pages*
            !next.is_mark()
                && !is_function_word(&next.low)
                && !matches!(
                    next.low.as_str(),
                    "years" | "today" | "yesterday" | "recently" | "already" | "next"
                )
        })
    {
        return Vec::new();
    }
    let coming = clause.is_ahead() || clause.progressive;
    if coming {
        return vec![
            FactDraft::new(
                FactCategory::Event,
                FactSlot::of(SlotKind::Plan, "birthday"),
                age.to_string(),
                super::sentence_text::dated(clause, &format!("turns {age}")),
            )
            .event(),
        ];
    }
    if clause.when(&[TimeKind::At]).is_some_and(|when| (clause.today - when.from).get_days() > 365)
        || clause.is_over()
    {
        return Vec::new();
    }
    vec![aged(clause, age, "years")]
}

fn born(clause: &Clause<'_>, words: &[&str]) -> Vec<FactDraft> {
    if clause.verb == "bear" && clause.form == VerbForm::Base {
        return Vec::new();
    }
    let mut found = Vec::new();
    if let Some(when) = clause.when(&[TimeKind::At]) {
        let days = (when.to - when.from).get_days();
        let value = match days {
            0 => when.from.strftime("%-d %B %Y").to_string(),
            1..=31 => when.from.strftime("%B %Y").to_string(),
            _ => when.from.strftime("%Y").to_string(),
        };
        let recent = (clause.today - when.from).get_days() < 200 && clause.subject == ClauseSubject::Me;
        let spoken = clause.text.get(clause.range.clone()).unwrap_or("");
        // *I was born last week* names no birthday.
        let names_day = spoken.contains(|letter: char| letter.is_ascii_digit());
        if !recent || days == 0 && names_day {
            // If the year was not stated, the year of the computed date means nothing.
            let value = if days == 0 && !spoken.contains(&when.from.year().to_string()) {
                when.from.strftime("%-d %B").to_string()
            } else {
                value
            };
            found.push(
                FactDraft::new(
                    FactCategory::Personal,
                    FactSlot::new(SlotKind::Birthday),
                    value.clone(),
                    format!("was born on {value}").replace("on ", if days == 0 { "on " } else { "in " }),
                )
                .important(0.8),
            );
        }
    }
    let place = begins(words, &[&["and", "raised", "in"], &["and", "bred", "in"], &["in"]])
        .and_then(|skip| value::place(clause.text, clause.after(skip)));
    found.extend(place.map(|place| {
        FactDraft::new(
            FactCategory::Personal,
            FactSlot::new(SlotKind::Origin),
            place.clone(),
            format!("was born in {place}"),
        )
        .important(0.65)
    }));
    found
}

fn speaks(clause: &Clause<'_>, words: &[&str]) -> Vec<FactDraft> {
    let skip = words.iter().take(4).position(|word| lexicon::is_language(word)).unwrap_or(usize::MAX);
    if skip == usize::MAX || clause.tense == Tense::Future {
        return Vec::new();
    }
    languages(clause, clause.after(skip), "speaks")
}

fn languages(clause: &Clause<'_>, tokens: &[WordToken], verb: &str) -> Vec<FactDraft> {
    let those = tokens.iter().filter(|token| lexicon::is_language(&token.low) && token.low != "sign");
    those
        .map(|token| {
            let name = crate::name_text::capital(&token.low);
            let says =
                if clause.negated { format!("does not speak {name}") } else { format!("{verb} {name}") };
            let draft = FactDraft::new(
                FactCategory::Personal,
                FactSlot::of(SlotKind::Language, token.low.clone()),
                name,
                says,
            );
            if clause.negated && !clause.hints.is_over {
                draft.sure(0.8)
            } else {
                draft.ended_if(clause.negated)
            }
            .past(clause.is_over())
        })
        .collect()
}

fn able(clause: &Clause<'_>, words: &[&str]) -> Vec<FactDraft> {
    let known = words!("play swim cook drive juggle code program sing dance ski sail knit bake surf")
        .contains(clause.verb);
    if !known || words.contains(&"you") {
        return Vec::new();
    }
    let what = object(clause.text, &clause.rest).unwrap_or_default();
    let value = format!("{} {what}", clause.verb).trim().to_owned();
    vec![
        FactDraft::new(
            FactCategory::Behaviour,
            FactSlot::of(SlotKind::Skill, super::topic(&value)),
            value.clone(),
            format!("can {value}"),
        )
        .sure(0.7),
    ]
}
