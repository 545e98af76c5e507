//! Things that a person gets, has and sells.

use protocol::FactCategory;

use super::draft::FactDraft;
use super::taste_drafts::topic;
use super::value;
use super::wordings;
use crate::clause::{Clause, Tense};
use crate::lexicon;
use crate::slot::{FactSlot, SlotKind};
use crate::token::WordToken;

pub fn owns(kind: &str, value: &str) -> FactDraft {
    let bare = value.trim_start_matches("a ").trim_start_matches("an ").trim_start_matches("new ").to_owned();
    let says = match kind {
        // Makes and models take an article: *a Yaris*, *a Mercedes*.
        "car" if bare.split(' ').any(|word| lexicon::is_make(&word.to_lowercase())) => {
            format!("drives {} {bare}", wordings::article(&bare))
        }
        "car" => format!("drives {}", with_article(&bare)),
        _ => format!("has {}", with_article(&bare)),
    };
    FactDraft::new(FactCategory::Personal, FactSlot::of(SlotKind::Thing, kind), bare, says).important(0.45)
}

pub(super) fn with_article(value: &str) -> String {
    if value.starts_with("the ")
        || value.starts_with("two ")
        || value.ends_with('s') && !value.ends_with("ss")
    {
        return value.to_owned();
    }
    format!("{} {value}", wordings::article(value))
}

/// Reads `I have a new favourite book: Dune`.
fn new_favourite(clause: &Clause<'_>, words: &[&str]) -> Option<FactDraft> {
    let at = words.iter().take(4).position(|word| *word == "favourite")?;
    if matches!(clause.verb, "change" | "switch") {
        let to = words.iter().position(|word| *word == "to").filter(|to| *to > at + 1)?;
        let end = words.iter().position(|word| *word == "from").map_or(to, |from| from.min(to));
        let of = words[at + 1..end].join(" ");
        let value = value::object(clause.text, clause.after(to + 1))?;
        let slot = FactSlot::of(SlotKind::Favourite, topic(&of));
        let says = format!("favourite {of} is {value}");
        return Some(
            FactDraft::new(FactCategory::Preference, slot, value, says).important(0.6).begins().changed(),
        );
    }
    let joint = words
        .iter()
        .position(|word| matches!(*word, ":" | "," | "is" | "-"))
        .filter(|joint| *joint > at + 1)?;
    let of = words[at + 1..joint].join(" ");
    let value = value::object(clause.text, clause.after(joint + 1))?;
    let slot = FactSlot::of(SlotKind::Favourite, topic(&of));
    Some(
        FactDraft::new(FactCategory::Preference, slot, value.clone(), format!("favourite {of} is {value}"))
            .important(0.6)
            .begins()
            .changed(),
    )
}

/// Reads `I drive a Golf`, `I bought a new bike`, `I sold my car`.
pub fn read(clause: &Clause<'_>) -> Vec<FactDraft> {
    let words = clause.words();
    if clause.wishes || clause.is_ahead() || clause.tense == Tense::Future {
        return Vec::new();
    }
    let past =
        clause.is_over() || (clause.tense == Tense::Past && matches!(clause.verb, "have" | "own" | "drive"));
    if matches!(clause.verb, "have" | "get" | "find" | "change" | "switch")
        && words.contains(&"favourite")
        && !clause.negated
    {
        return new_favourite(clause, &words).into_iter().collect();
    }
    match clause.verb {
        "drive" | "own" | "have" | "get" | "buy" | "purchase" | "pick" | "treat" => {
            if words.starts_with(&["rid", "of"]) && !clause.negated {
                let tokens = value::upto(clause.after(2), value::is_stop);
                let body: Vec<&str> = tokens.iter().map(|token| token.low.as_str()).collect();
                let kind = if lexicon::is_vehicle(&body) {
                    Some("car")
                } else {
                    body.iter().rev().find_map(|word| lexicon::thing(word))
                };
                return kind
                    .filter(|_| body.first() == Some(&"my"))
                    .map(|kind| {
                        FactDraft::new(
                            FactCategory::Personal,
                            FactSlot::of(SlotKind::Thing, kind),
                            "",
                            format!("no longer has the {kind}"),
                        )
                        .ended()
                    })
                    .into_iter()
                    .collect();
            }
            // `my new car, a Tesla`
            let apposed = clause
                .rest
                .windows(2)
                .position(|pair| pair[0].low == "," && matches!(pair[1].low.as_str(), "a" | "an"))
                .filter(|at| words[..*at].contains(&"car"));
            let around = usize::from(words.starts_with(&["around", "in"])) * 2;
            let skip = around
                + words[around..]
                    .iter()
                    .take_while(|word| matches!(**word, "myself" | "ourselves" | "up" | "to"))
                    .count();
            let (tokens, old) = value::replaced(clause.after(apposed.map_or(skip, |at| at + 1)));
            let tokens = value::upto(tokens, |word| {
                value::is_stop(word)
                    || words!("for from to and in on that parked outside standing at").contains(word)
            });
            let body: Vec<&str> = tokens.iter().map(|token| token.low.as_str()).collect();
            let owned =
                body.first().is_some_and(|word| words!("a an my another two this the our").contains(*word));
            if !owned
                || words.contains(&"booked")
                || body.len() < 2
                || body.len() > 7
                || value::has_blank(tokens)
            {
                return Vec::new();
            }
            let last = body[body.len() - 1];
            let kind = if is_car(tokens, clause.verb == "drive" || words.contains(&"car")) {
                Some("car")
            } else {
                lexicon::thing(last)
                    .or_else(|| body.iter().find_map(|word| lexicon::thing(word)).filter(|_| body.len() <= 4))
            };
            let Some(kind) = kind else { return Vec::new() };
            if kind == "car"
                && matches!(clause.verb, "get" | "have")
                && words!("accident crash trouble problems service ride insurance repair").contains(last)
                || (clause.verb == "drive" && matches!(body[0], "the" | "my" | "our"))
            {
                return Vec::new();
            }
            let value = value::text_of(clause.text, &tokens[1..]);
            if clause.negated {
                return if clause.verb == "have" || clause.verb == "own" {
                    vec![
                        FactDraft::new(
                            FactCategory::Personal,
                            FactSlot::of(SlotKind::Thing, kind),
                            "",
                            format!("has no {kind}"),
                        )
                        .ended(),
                    ]
                } else {
                    Vec::new()
                };
            }
            let value = value
                .trim_start_matches("new ")
                .trim_start_matches("brand-new ")
                .trim_start_matches("second-hand ")
                .trim_start_matches("used ")
                .to_owned();
            let mut draft = owns(kind, &value).begins();
            if past {
                draft.says = draft.says.replacen("drives", "drove", 1).replacen("has ", "had ", 1);
                draft = draft.past(true);
            } else if matches!(clause.verb, "get" | "buy" | "purchase") && words.contains(&"new") {
                draft = draft.changed();
            }
            let old = old.map(|old| value::text_of(clause.text, old));
            vec![draft.replacing(old)]
        }
        "sell" | "crash" | "lose" | "scrap" | "total" | "trade" | "swap" | "replace" | "upgrade"
        | "switch" | "exchange"
            if matches!(clause.tense, Tense::Past | Tense::Perfect) && !clause.negated =>
        {
            let at = words.iter().position(|word| matches!(*word, "for" | "with" | "to"));
            let skip = usize::from(words.first() == Some(&"in"));
            let end = at.unwrap_or(clause.rest.len()).max(skip);
            let old_tokens = value::upto(&clause.rest[skip..end], |word| {
                value::is_stop(word) || matches!(word, "in" | "on" | "to")
            });
            let body: Vec<&str> = old_tokens.iter().map(|token| token.low.as_str()).collect();
            if !matches!(body.first(), Some(&("my" | "our" | "the"))) || body.len() < 2 {
                return Vec::new();
            }
            let kind = if lexicon::is_vehicle(&body) {
                Some("car")
            } else {
                body.iter().rev().find_map(|word| lexicon::thing(word))
            };
            let Some(kind) = kind else { return Vec::new() };
            let old = value::text_of(clause.text, &old_tokens[1..]);
            let old = if old == kind || old.ends_with(&format!("old {kind}")) { String::new() } else { old };
            let new = at
                .filter(|_| {
                    matches!(clause.verb, "trade" | "swap" | "replace" | "upgrade" | "switch" | "exchange")
                })
                .and_then(|at| value::object(clause.text, clause.after(at + 1)));
            match new {
                Some(new) => vec![owns(kind, &new).replacing(Some(old)).begins()],
                None if clause.verb != "lose" && clause.verb != "upgrade" => vec![
                    FactDraft::new(
                        FactCategory::Personal,
                        FactSlot::of(SlotKind::Thing, kind),
                        old,
                        format!("no longer has the {kind}"),
                    )
                    .ended(),
                ],
                None => Vec::new(),
            }
        }
        _ => Vec::new(),
    }
}

/// Returns true if words name a car: *a blue Golf*, but not *a golf lesson*.
fn is_car(tokens: &[WordToken], spoken_of: bool) -> bool {
    tokens.iter().enumerate().any(|(at, token)| {
        let sure = token.is_capital || spoken_of || !lexicon::is_ambiguous_make(&token.low);
        let head = tokens.get(at + 1).is_none_or(|next| {
            next.is_capital
                || next.is_mark()
                || next.is_number()
                || lexicon::is_vehicle(&[&next.low])
                || spoken_of
        });
        lexicon::is_vehicle(&[&token.low]) && sure && head
    })
}
