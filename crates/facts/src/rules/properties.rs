//! Statements about named properties: a shoe size, a password, a plate.

use protocol::FactCategory;

use super::draft::FactDraft;
use super::sentence_text::sentence;
use super::value;
use crate::clause::Clause;
use crate::slot::{FactSlot, SlotKind};

/// Returns true for properties that are worth keeping, by their last word.
pub fn is_property(word: &str) -> bool {
    words!(
        "size type number code password sign group brand team address email plate pin height weight surname \
        hobby hobbies religion pronouns gender username handle timezone zodiac birthstone zip postcode \
        major salary rent locker combination blood e-mail mail landline mobile language tongue anniversary \
        wifi licence genre instrument specialty speciality shift commute colour middle initials"
    )
    .contains(word)
}

/// Reads a statement about a property: `my blood group is A`.
pub fn property(clause: &Clause<'_>, names: &[&str], owner: &str) -> Vec<FactDraft> {
    let (tokens, old) = value::replaced(&clause.rest);
    let end = tokens
        .iter()
        .position(|token| {
            token.low == "," || matches!(token.low.as_str(), "but" | "because" | "so" | "do" | "please")
        })
        .unwrap_or(tokens.len());
    let tokens = value::trim(&tokens[..end.min(8)]);
    let value = value::text_of(clause.text, tokens);
    let vague = tokens.is_empty()
        || value::has_blank(tokens)
        || words!("that not so too going a what how ready broken great bad full wrong slow")
            .contains(tokens[0].low.as_str());
    if vague || clause.negated {
        return Vec::new();
    }
    let of = names.join(" ");
    let whole = sentence(
        &if owner.is_empty() { String::new() } else { format!("{owner}'s") },
        &format!("{of} {} {value}", if is_several(&of) { "are" } else { "is" }),
    );
    let old = old.map(|old| value::text_of(clause.text, old));
    let draft = FactDraft::new(FactCategory::Personal, FactSlot::of(SlotKind::Property, of), value, "")
        .in_full(whole)
        .important(0.6)
        .replacing(old);
    vec![if owner.is_empty() { draft } else { draft.of(owner) }]
}

/// Returns true for nouns with several values: *My hobbies are chess and sailing*.
fn is_several(name: &str) -> bool {
    words!("hobbies pronouns initials").contains(name.rsplit(' ').next().unwrap_or_default())
}

/// Stores a property that the user asked to remember: `remember that the garage code is 4711`.
pub fn noted(clause: &Clause<'_>, names: &[&str]) -> Vec<FactDraft> {
    let tokens = value::trim(&clause.rest);
    let value = value::text_of(clause.text, tokens);
    if value.is_empty() || names.is_empty() || value::has_blank(tokens) {
        return Vec::new();
    }
    let of = names.join(" ");
    let not = if clause.negated { "not " } else { "" };
    vec![
        FactDraft::new(
            FactCategory::Context,
            FactSlot::of(SlotKind::Property, of.clone()),
            value.clone(),
            "",
        )
        .in_full(sentence("the", &format!("{of} is {not}{value}")))
        .important(0.85),
    ]
}
