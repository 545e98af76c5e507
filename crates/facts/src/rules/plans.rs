//! Goals, plans and events.

use jiff::ToSpan;
use protocol::FactCategory;

use super::draft::FactDraft;
use super::sentence_text::dated;
use super::value;
use crate::clause::{Clause, Tense};
use crate::slot::{FactSlot, SlotKind};
use crate::time::TimeKind;
use crate::token::WordToken;
use crate::verbs;

/// Returns true for occasions that have a date.
fn is_occasion(word: &str) -> bool {
    words!(
        "meeting appointment exam interview wedding party flight concert test presentation deadline surgery \
        operation date dinner lunch conference race marathon match game trip holiday vacation checkup \
        check-up viewing lesson class workshop audition trial hearing festival graduation funeral \
        anniversary train call reunion recital gig birthday ceremony dentist haircut demo review barbecue \
        bbq course finals mri scan"
    )
    .contains(word)
}

fn goal(value: &str, says: String) -> FactDraft {
    FactDraft::new(FactCategory::Goal, FactSlot::of(SlotKind::Goal, super::topic(value)), value, says)
        .important(0.6)
}

pub fn read(clause: &Clause<'_>) -> Vec<FactDraft> {
    let words = clause.words();
    let yes = !clause.negated;
    match (clause.verb, words.as_slice()) {
        (
            "want" | "hope" | "aim" | "intend" | "plan" | "like" | "love" | "need" | "decide",
            ["to", verb, ..],
        ) if verbs::lemma(verb).is_some() => {
            let wishing = matches!(clause.verb, "like" | "love");
            if wishing != clause.wishes
                || clause.is_over()
                || clause.tense == Tense::Past && clause.verb != "decide"
                || clause.verb == "need" && clause.whens.is_empty()
            {
                return Vec::new();
            }
            if words!(
                "know say tell ask see thank talk hear be cry die scream do think show share add point \
                clarify correct understand try chat get make have go sleep eat order watch sit help \
                apologise apologize hug punch"
            )
            .contains(*verb)
                && matches!(
                    words.get(2),
                    None | Some(
                        &("it"
                            | "you"
                            | "that"
                            | "if"
                            | "how"
                            | "what"
                            | "why"
                            | "this"
                            | "something"
                            | "more"
                            | "about"
                            | "a"
                            | "in"
                            | "to"
                            | "home"
                            | "sure"
                            | "some"
                            | "the"
                            | "my"
                            | "up"
                            | "out"
                            | "on"
                            | "there"
                            | "back"
                            | "him"
                            | "her")
                    )
                )
                && !is_large(&words)
            {
                return Vec::new();
            }
            // Few wishes are goals, but decisions are.
            let aims = matches!(clause.verb, "decide" | "plan" | "aim" | "intend")
                || is_aim(verb)
                || is_large(&words);
            let tokens = goal_tokens(clause.after(1));
            let value = value::text_of(clause.text, tokens);
            if value.is_empty() || value::has_blank(tokens) || tokens.len() < 2 || !aims {
                return Vec::new();
            }
            let value = value.replace(" my ", " their ").replace(" our ", " their ");
            let says = if clause.verb == "decide" || clause.verb == "plan" {
                format!("plans to {value}")
            } else {
                format!("wants to {value}")
            };
            if !yes {
                return vec![
                    goal(&value, format!("does not want to {value}")).ended_if(clause.hints.is_over),
                ];
            }
            vec![goal(&value, dated(clause, &says)).sure(if clause.wishes { 0.7 } else { 0.8 })]
        }
        ("plan" | "dream" | "think", ["on" | "of" | "about", ..])
            if yes && clause.tense == Tense::Present && clause.verb != "think" =>
        {
            let tokens = goal_tokens(clause.after(1));
            let value = value::text_of(clause.text, tokens);
            if value.is_empty()
                || matches!(words.get(1), Some(&("you" | "it" | "that" | "this" | "a" | "the")))
            {
                Vec::new()
            } else {
                vec![goal(
                    &value,
                    format!("dreams of {value}")
                        .replace("dreams of", if clause.verb == "plan" { "plans on" } else { "dreams of" }),
                )]
            }
        }
        ("train", ["for", ..])
        | ("save", ["for", ..])
        | ("save", ["up", "for", ..])
        | ("prepare", ["for", ..])
        | ("study", ["for", ..])
            if clause.progressive && yes && clause.tense != Tense::Past =>
        {
            let skip = words.iter().position(|word| *word == "for").unwrap_or(0) + 1;
            let Some(value) = value::object(clause.text, clause.after(skip)) else { return Vec::new() };
            let value = value::in_third_person(&value);
            let verb = if clause.verb == "save" {
                "is saving for"
            } else if clause.verb == "train" {
                "is training for"
            } else {
                "is preparing for"
            };
            vec![goal(&value, format!("{verb} {value}"))]
        }
        ("try", ["to", verb, ..])
            if clause.progressive
                && yes
                && clause.tense == Tense::Present
                && words!(
                    "lose quit stop learn save eat drink get gain cut become find sell buy run sleep write"
                )
                .contains(*verb)
                && words.len() > 2 =>
        {
            let value = value::text_of(clause.text, goal_tokens(clause.after(1)));
            vec![goal(&value, format!("is trying to {value}"))]
        }
        ("have" | "get", _) if clause.tense != Tense::Past => event(clause, &words),
        (
            "be" | "meet" | "see" | "visit" | "fly" | "start" | "leave" | "go" | "sit" | "take" | "run"
            | "attend" | "give" | "play" | "host" | "throw",
            _,
        ) if clause.is_ahead() || clause.progressive => coming(clause, &words),
        _ => Vec::new(),
    }
}

/// Returns true for verbs of goals that take weeks to reach.
fn is_aim(verb: &str) -> bool {
    words!(
        "learn become buy move travel visit write start run build quit lose save study finish open launch adopt marry \
        retire master publish climb own stop pass apply renovate emigrate train improve earn reduce grow"
    )
    .contains(verb)
}

fn is_large(words: &[&str]) -> bool {
    words.iter().any(|word| {
        words!(
            "marathon house degree phd married fit shape business company novel book country dog cat puppy \
            licence license university abroad world family baby children kids film album promotion"
        )
        .contains(*word)
    })
}

fn goal_tokens(tokens: &[WordToken]) -> &[WordToken] {
    let end = tokens
        .iter()
        .position(|token| {
            words!("because so but if when since which though as").contains(token.low.as_str())
                || (token.is_mark() && token.low != "\u{1}")
        })
        .unwrap_or(tokens.len());
    value::trim(&tokens[..end.min(12)])
}

/// Reads `I have a meeting tomorrow`.
fn event(clause: &Clause<'_>, words: &[&str]) -> Vec<FactDraft> {
    let Some(when) = clause.when(&[TimeKind::At, TimeKind::Until]).filter(|when| when.to >= clause.today)
    else {
        return Vec::new();
    };
    let Some(at) = words.iter().take(7).position(|word| is_occasion(word)) else { return Vec::new() };
    let _ = when;
    let tokens = goal_tokens(&clause.rest);
    if clause.negated || tokens.len() <= at || value::has_blank(tokens) {
        return Vec::new();
    }
    let value = value::in_third_person(&value::text_of(clause.text, tokens));
    vec![
        FactDraft::new(
            FactCategory::Event,
            FactSlot::of(SlotKind::Plan, super::topic(&value)),
            value.clone(),
            dated(clause, &format!("has {value}")),
        )
        .event()
        .important(0.6),
    ]
}

/// Reads `I'm meeting Anna on Friday`, `we're going to a concert tomorrow`.
fn coming(clause: &Clause<'_>, words: &[&str]) -> Vec<FactDraft> {
    let dated_ahead = clause
        .when(&[TimeKind::At])
        .is_some_and(|when| when.to > clause.today || (when.to == clause.today && clause.progressive));
    if !dated_ahead
        || clause.negated
        || words.is_empty()
        || clause.tense == Tense::Past
        || clause.tense == Tense::Perfect
    {
        return Vec::new();
    }
    let tokens = goal_tokens(&clause.rest);
    if tokens.is_empty()
        || value::has_blank(tokens)
        || words!("it that happy excited tired nervous so not fine busy from again down with over")
            .contains(tokens[0].low.as_str())
        || (clause.verb == "be" && !matches!(tokens[0].low.as_str(), "off" | "on" | "away" | "at" | "in"))
    {
        return Vec::new();
    }
    let value = value::text_of(clause.text, tokens).replace("my ", "their ");
    let verb = verbs::of_another(clause.verb);
    vec![
        FactDraft::new(
            FactCategory::Event,
            FactSlot::of(SlotKind::Plan, super::topic(&value)),
            value.clone(),
            dated(clause, &format!("{verb} {value}")),
        )
        .event()
        .sure(0.75),
    ]
}

/// Reads `my flight is on Friday`, `the wedding is in June`, `my goal is to run a marathon`.
pub fn of_thing(clause: &Clause<'_>, owner: &str, words: &[WordToken]) -> Vec<FactDraft> {
    let Some(last) = words.last() else { return Vec::new() };
    let rest = clause.words();
    if matches!(last.low.as_str(), "goal" | "dream" | "plan" | "resolution" | "ambition" | "aim")
        && clause.verb == "be"
        && clause.tense == Tense::Present
        && owner != "the"
    {
        let skip = usize::from(matches!(rest.first(), Some(&"to")));
        let value = value::text_of(clause.text, goal_tokens(clause.after(skip)));
        return if value.is_empty()
            || clause.negated
            || skip == 0 && !rest.first().is_some_and(|word| word.ends_with("ing"))
        {
            Vec::new()
        } else {
            vec![goal(
                &value,
                format!("wants to {value}")
                    .replace("wants to", if skip == 1 { "wants to" } else { "dreams of" }),
            )]
        };
    }
    let Some(when) = clause.when(&[TimeKind::At]) else { return Vec::new() };
    if !is_occasion(&last.low)
        || !words!("be leave start move book reschedule postpone schedule").contains(clause.verb)
        || clause.negated
        || clause.tense == Tense::Past && clause.verb == "be"
    {
        return Vec::new();
    }
    let what = value::text_of(clause.text, words);
    let whose = if owner.is_empty() || owner == "the" { String::new() } else { format!("{owner}'s ") };
    let value =
        if when.from == when.to { when.from.to_string() } else { when.from.strftime("%B %Y").to_string() };
    let slot = FactSlot::of(SlotKind::Plan, super::topic(&format!("{whose}{what}")));
    let content = super::sentence(
        "",
        &dated(
            clause,
            &format!("the {whose}{what} is").replace(
                &format!("the {whose}"),
                &if whose.is_empty() { "the ".to_owned() } else { whose.clone() },
            ),
        ),
    );
    let expires = when.to.checked_add(1.day()).unwrap_or(when.to);
    vec![
        FactDraft::new(FactCategory::Event, slot, value, "")
            .in_full(content)
            .event()
            .expiring(expires)
            .of(if owner == "the" { "" } else { owner }),
    ]
}
