//! Puts what is said into self-contained sentences.

use crate::clause::Clause;
use crate::name_text::capital;
use crate::time::TimeKind;
use crate::verbs::{self, VerbForm};

/// Returns a self-contained sentence.
pub fn sentence(subject: &str, says: &str) -> String {
    let whole = match subject {
        "" => says.to_owned(),
        several if is_several(several) => format!("{several} {}", of_several(says)),
        one => format!("{one} {says}"),
    };
    let whole = capital(whole.trim());
    if whole.ends_with(['.', '!', '?']) { whole } else { whole + "." }
}

fn is_several(subject: &str) -> bool {
    words!("parents children grandparents sons daughters brothers sisters friends in-laws").contains(subject)
}

/// Puts a predicate into the plural: `lives in Spain` becomes `live in Spain`.
fn of_several(says: &str) -> String {
    let (verb, rest) = says.split_once(' ').unwrap_or((says, ""));
    let plural = match verb {
        "is" => "are",
        "was" => "were",
        "has" => "have",
        _ => verbs::lemma(verb).filter(|(_, form)| *form == VerbForm::Third).map_or(verb, |(base, _)| base),
    };
    format!("{plural} {rest}")
}

/// Appends the date that the clause names, so that the sentence is self-contained.
pub fn dated(clause: &Clause<'_>, says: &str) -> String {
    match clause.when(&[TimeKind::At, TimeKind::Until]) {
        // *By next summer* names the last day.
        Some(when) if when.kind == TimeKind::Until => {
            let said = clause.text.get(clause.range.clone()).unwrap_or_default().to_lowercase();
            let until = if said.split(' ').any(|word| word == "by") { "by" } else { "until" };
            let far = (when.to - clause.today).get_days() > 31;
            let day = if far { when.to.strftime("%B %Y").to_string() } else { when.to.to_string() };
            format!("{says} {until} {day}")
        }
        Some(when) if when.from == when.to => format!("{says} on {}", when.from),
        Some(when) if (when.to - when.from).get_days() <= 7 => format!("{says} in the week of {}", when.from),
        Some(when) if (when.to - when.from).get_days() > 300 => format!("{says} in {}", when.from.year()),
        Some(when) => format!("{says} around {}", when.from.strftime("%B %Y")),
        None => says.to_owned(),
    }
}
