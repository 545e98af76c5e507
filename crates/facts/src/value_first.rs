//! Sentences that begin with the value: `Blue is my favourite colour`.

use protocol::FactCategory;

use super::lexicon;
use super::rules::FactDraft;
use super::rules::wordings;
use super::slot::{FactSlot, SlotKind};
use super::token::WordToken;

/// Reads `Blue is my favourite colour`, `Tom is my name`, `Lyon is home now`.
pub(super) fn upside_down(text: &str, tokens: &[WordToken]) -> Option<FactDraft> {
    let words: Vec<&str> = tokens.iter().map(|token| token.low.as_str()).collect();
    let at = words
        .iter()
        .position(|word| words!("is are 's was became become remains been").contains(*word))
        .filter(|at| (1..=6).contains(at))?;
    let end = if matches!(words[at], "become" | "been") && at > 1 && matches!(words[at - 1], "has" | "have") {
        at - 1
    } else {
        at
    };
    // `of all, blue is …`
    let start = words[..end].iter().rposition(|word| *word == ",").map_or(0, |comma| comma + 1);
    let tokens = &tokens[start..];
    let words = &words[start..];
    let (at, end) = (at - start, end - start);
    let value = text.get(tokens.first()?.range.start..tokens.get(end.checked_sub(1)?)?.range.end)?.to_owned();
    let value = value.trim_end_matches("'s").to_owned();
    let first = words[0];
    // `The book I like best is Dune`
    if let ["the", of, "i", "like" | "love" | "enjoy" | "prefer", "best" | "most", "is", ..] = words {
        let value = text
            .get(
                tokens.get(6)?.range.start
                    ..tokens
                        .iter()
                        .skip(6)
                        .take_while(|token| token.low != "," && !token.is_mark())
                        .last()?
                        .range
                        .end,
            )?
            .to_owned();
        let slot = FactSlot::of(SlotKind::Favourite, text::terms(of).join(" "));
        return Some(
            FactDraft::new(
                FactCategory::Preference,
                slot,
                value.clone(),
                format!("favourite {of} is {value}"),
            )
            .important(0.6),
        );
    }
    if words!("my it this that she he what where which there i his her our here you your who").contains(first)
    {
        return None;
    }
    let is_small = !text.chars().any(char::is_uppercase)
        && (1..=2).contains(&at)
        && !lexicon::is_function_word(first)
        && (at == 2 || lexicon::family(first).is_none());
    let is_name = tokens[0].is_capital
        || (is_small && !matches!(first, "home" | "name" | "work" | "everything" | "nothing"));
    let value = if is_small && is_name {
        value.split(' ').map(super::name_text::capital).collect::<Vec<_>>().join(" ")
    } else {
        value
    };
    let skip = words[at + 1..]
        .iter()
        .take_while(|word| {
            words!("by far definitely still easily currently probably now always clearly").contains(**word)
        })
        .count();
    let at = at + skip;
    let past = words[at - skip] == "was" || words[at + 1..].starts_with(&["used", "to"]);
    match words[at + 1..] {
        ["my", "new" | "all-time" | "absolute", "favourite", ref of @ ..]
        | ["my", "favourite", ref of @ ..]
            if !of.is_empty() && of.len() <= 4 =>
        {
            let of = of.join(" ");
            let value = if lexicon::family(first).is_some() { value.to_lowercase() } else { value };
            let slot = FactSlot::of(SlotKind::Favourite, text::terms(&of).join(" "));
            Some(
                FactDraft::new(
                    FactCategory::Preference,
                    slot,
                    value.clone(),
                    format!("favourite {of} is {value}"),
                )
                .important(0.6)
                .past(past),
            )
        }
        ["my", "second" | "first" | "native" | "third", "language", ..] | ["my", "mother", "tongue", ..]
            if lexicon::is_language(first) =>
        {
            let name = super::name_text::capital(first);
            Some(FactDraft::new(
                FactCategory::Personal,
                FactSlot::of(SlotKind::Language, first),
                name.clone(),
                format!("speaks {name}"),
            ))
        }
        ["my", "name"] if tokens[0].is_capital => Some(wordings::called(&value).important(0.9)),
        ["home"]
        | ["my", "home"]
        | ["my", "new", "home"]
        | ["our", "home"]
        | ["our", "new", "home"]
        | ["where", "i" | "we", "live"]
        | ["where", "i" | "we", "live", "now"]
        | ["where", "i", "am", "living"]
        | ["where", "i" | "we", "am" | "are", "based"]
            if is_name && !past =>
        {
            Some(wordings::lives(&value).important(0.8))
        }
        ["my", "employer"]
        | ["my", "new", "employer"]
        | ["where", "i", "work"]
        | ["where", "i", "work", "now"]
            if is_name && !past =>
        {
            Some(wordings::works_at(&value).important(0.75))
        }
        ["not", "my", "favourite", ..] | ["not", "for", "me"] | ["disgusting"] | ["gross"]
            if lexicon::family(first).is_some() =>
        {
            let slot = FactSlot::of(SlotKind::Taste, text::terms(&value).join(" "));
            Some(FactDraft::new(FactCategory::Preference, slot, "dislikes", format!("dislikes {value}")))
        }
        _ => None,
    }
}
