//! Finds the facts that answer a question about the present or the past.

mod asked_time;
mod likes;
mod question;
mod slots;
mod topics;
mod wanted_slot;

use jiff::ToSpan;
use jiff::civil::Date;
use protocol::FactStatus;
use text::terms;

use self::asked_time::AskedTime;
use self::question::{FactQuestion, is_about};
use self::wanted_slot::WantedSlot;
use super::fade::MIN_CONFIDENCE;
use super::lexicon;
use super::reconcile::KnownFact;
use super::same::same_value;
use super::slot::SlotKind;

/// The score below which a fact does not answer a question.
pub const MIN_ANSWER_SCORE: f32 = 0.35;

/// A question compared with the facts, as far as possible before its vector is available.
#[derive(Debug)]
pub struct FactComparison {
    pub facts: Vec<KnownFact>,
    asked: FactQuestion,
    today: Date,
    /// The likeness of each fact to the question; `None` if it cannot answer.
    likenesses: Vec<Option<QuestionMatch>>,
}

impl FactComparison {
    pub fn new(question: &str, facts: Vec<KnownFact>, today: Date) -> Self {
        let asked = question::read(question, &facts, today);
        let question_match = |fact: &KnownFact| {
            (!asked.is_elsewhere && may_answer(fact, &facts, &asked, today))
                .then(|| question_match(&asked, fact))?
        };
        let likenesses = facts.iter().map(question_match).collect();
        Self { facts, asked, today, likenesses }
    }

    /// Returns true if a fact would be stated as current although a message put it in doubt.
    pub fn is_in_doubt(&self, index: usize) -> bool {
        let fact = &self.facts[index];
        fact.is_doubted && fact.holds_on(self.today) && matches!(self.asked.moment, AskedTime::Now)
    }

    /// Returns the facts that answer the question, best first, each with a score between 0 and 1 that is comparable
    /// between questions. Empty if no known fact answers it, so that the companion can say that it does not know.
    pub fn rank(&self, near: impl Fn(usize) -> f32) -> Vec<(usize, f32)> {
        let mut scored: Vec<(usize, f32, Date)> = Vec::new();
        for (index, (fact, question_match)) in self.facts.iter().zip(&self.likenesses).enumerate() {
            let score =
                question_match.as_ref().map_or(0.0, |question_match| question_match.score(fact, near(index)));
            if score >= MIN_ANSWER_SCORE {
                scored.push((index, score, fact.since()));
            }
        }
        if let Some(best) = at_asked_time(&self.asked, &self.facts, &scored, self.today) {
            scored = best;
        }
        scored.sort_by(|one, other| other.1.total_cmp(&one.1).then(other.2.cmp(&one.2)));
        scored.into_iter().map(|(index, score, _)| (index, score)).collect()
    }
}

#[cfg(test)]
pub fn rank(
    question: &str,
    facts: &[KnownFact],
    today: Date,
    near: impl Fn(usize) -> f32,
) -> Vec<(usize, f32)> {
    FactComparison::new(question, facts.to_vec(), today).rank(near)
}

/// Returns true if a fact may answer for the time that the question is about.
fn may_answer(fact: &KnownFact, facts: &[KnownFact], asked: &FactQuestion, today: Date) -> bool {
    match &asked.moment {
        AskedTime::Now => {
            fact.holds_on(today)
                && fact.confidence >= MIN_CONFIDENCE
                && fact.valid_from.is_none_or(|from| {
                    from <= today || fact.slot.as_ref().is_some_and(|slot| slot.kind == SlotKind::Plan)
                })
        }
        AskedTime::At(from, to) => {
            !matches!(fact.status, FactStatus::Merged | FactStatus::Unconfirmed)
                && overlap(fact, facts, *from, *to) > 0
        }
        _ => !matches!(fact.status, FactStatus::Merged | FactStatus::Unconfirmed),
    }
}

/// Returns the number of days that a fact held within a period. Without a known start, it is assumed to have held for
/// half a year before it was told, unless another value preceded it.
fn overlap(fact: &KnownFact, facts: &[KnownFact], from: Date, to: Date) -> i32 {
    if fact.is_vague_past() {
        return 0;
    }
    let follows = |other: &KnownFact| {
        other.learned < fact.learned
            && other.slot == fact.slot
            && other.subject == fact.subject
            && !other.is_vague_past()
    };
    let start = fact.valid_from.unwrap_or_else(|| {
        if facts.iter().any(follows) {
            return fact.learned;
        }
        let known = fact.learned.min(fact.valid_to.unwrap_or(fact.learned));
        known.checked_sub(183.days()).unwrap_or(known)
    });
    let end = [fact.valid_to, fact.expires].into_iter().flatten().min();
    let first = start.max(from);
    let last = end.map_or(to, |end| end.checked_sub(1.day()).unwrap_or(end).min(to));
    // A fact that ended on the day in question also held on that day.
    let last = if end == Some(from) { from } else { last };
    (last - first).get_days() + 1
}

/// The likeness of a fact to a question.
#[derive(Debug)]
struct QuestionMatch {
    /// The quality of its match with a requested slot.
    fit: f32,
    /// The share of the question's terms that it contains.
    shared: f32,
    /// True if the requested slot is certain.
    sure: bool,
}

fn question_match(asked: &FactQuestion, fact: &KnownFact) -> Option<QuestionMatch> {
    if !is_about(asked, fact) {
        let relative = asked.wanted.iter().any(|wanted| matches!(wanted.kind, SlotKind::Relative));
        if !(relative && fact.subject.is_empty()) {
            return None;
        }
    }
    let fit = asked.wanted.iter().filter_map(|wanted| slot_match(wanted, fact)).fold(0.0, f32::max);
    // A fact in another slot than the requested one must contain the terms of the question.
    let sure = asked.wanted.iter().any(|wanted| wanted.weight >= 0.9);
    if sure && fit <= 0.0 && asked.terms.len() < 2 {
        return None;
    }
    Some(QuestionMatch { fit, shared: shared(asked, fact), sure })
}

impl QuestionMatch {
    fn score(&self, fact: &KnownFact, near: f32) -> f32 {
        let Self { fit, shared, sure } = *self;
        let near = near.clamp(0.0, 1.0);
        // If the requested slot is uncertain, the fact must also contain terms of the question.
        if fit >= 0.5 || fit > 0.0 && shared >= 0.5 {
            return (0.55 + 0.25 * fit + 0.12 * shared + 0.04 * near + 0.04 * fact.confidence).min(1.0);
        }
        if sure {
            return if shared >= 0.99 { 0.4 } else { 0.0 };
        }
        // *Goes by Sam* does not answer *Which gym do I go to?*
        let words = if shared > 0.5 { 0.2 + 0.4 * shared } else { 0.0 };
        let meaning = if near >= 0.5 { 0.1 + 0.5 * near } else { 0.0 };
        words.max(meaning).min(0.75)
    }
}

/// Returns the share of the question's terms that the fact contains.
fn shared(asked: &FactQuestion, fact: &KnownFact) -> f32 {
    if asked.terms.is_empty() {
        return 0.0;
    }
    let mut own = terms(&fact.content);
    own.extend(fact.slot.iter().flat_map(|slot| terms(&slot.of)));
    own.extend(lexicon::family_of(&fact.content).map(str::to_owned));
    let found = asked.terms.iter().filter(|term| own.contains(term)).count();
    #[allow(clippy::cast_precision_loss, reason = "a question has few words")]
    let share = found as f32 / asked.terms.len() as f32;
    share
}

/// Returns the quality of the match between a fact and a requested slot.
fn slot_match(wanted: &WantedSlot, fact: &KnownFact) -> Option<f32> {
    let slot = fact.slot.as_ref().filter(|slot| slot.kind == wanted.kind)?;
    if !wanted.value.is_empty() && fact.value != wanted.value {
        return None;
    }
    // A negated habit does not answer a question about habits.
    let denies = ["Stopped ", "Does not ", "Gave up ", "No longer "]
        .iter()
        .any(|start| fact.content.starts_with(start));
    if denies && slot.kind == SlotKind::Habit && (wanted.of.is_empty() || wanted.of.starts_with('~')) {
        return None;
    }
    if let Some(family) = wanted.of.strip_prefix('~') {
        let of = match family {
            "beverage" => "drink",
            "dish" | "meal" => "food",
            other => other,
        };
        let inside = slot.of.split(' ').next() == Some(of) || lexicon::family_of(&fact.content) == Some(of);
        return inside.then_some(wanted.weight);
    }
    if wanted.of.is_empty() || wanted.of == slot.of || slot.kind == SlotKind::Pet && slot.of == "pet" {
        // A job's location is not the job, and the kind of an unnamed pet is not its name.
        let aside = slot.kind == SlotKind::Job && slot.of == "place"
            || slot.kind == SlotKind::Pet && fact.value == slot.of;
        return Some(if aside { wanted.weight * 0.6 } else { wanted.weight });
    }
    let (want, have): (Vec<&str>, Vec<&str>) = (wanted.of.split(' ').collect(), slot.of.split(' ').collect());
    let inner = want.iter().all(|word| have.contains(word)) || have.iter().all(|word| want.contains(word));
    (inner && slot.kind != SlotKind::Property && slot.kind != SlotKind::Relative)
        .then_some(wanted.weight * 0.85)
}

/// Selects the fact of the time in question: the previous one, the first, or the one within the given days.
fn at_asked_time(
    asked: &FactQuestion,
    facts: &[KnownFact],
    scored: &[(usize, f32, Date)],
    today: Date,
) -> Option<Vec<(usize, f32, Date)>> {
    let best = scored.iter().map(|(_, score, _)| *score).fold(0.0, f32::max);
    // Only facts with the best slot match are compared: employers, but not job titles.
    let fit = |index: usize| {
        asked.wanted.iter().filter_map(|wanted| slot_match(wanted, &facts[index])).fold(0.0, f32::max)
    };
    let closest = scored.iter().map(|(index, _, _)| fit(*index)).fold(0.0, f32::max);
    let is_close = |index: usize, score: f32| {
        if closest > 0.0 { fit(index) >= closest - 0.02 } else { score >= best - 0.1 }
    };
    let close: Vec<(usize, f32, Date)> =
        scored.iter().copied().filter(|(index, score, _)| is_close(*index, *score)).collect();
    let end = |fact: &KnownFact| [fact.valid_to, fact.expires].into_iter().flatten().min();
    let lift = |chosen: usize| -> Vec<(usize, f32, Date)> {
        let rest = scored
            .iter()
            .copied()
            .filter(|(index, _, _)| *index != chosen)
            .map(|(index, score, day)| (index, (score - 0.25).max(0.0), day));
        let first = scored.iter().copied().filter(|(index, _, _)| *index == chosen);
        first.chain(rest).filter(|(_, score, _)| *score >= MIN_ANSWER_SCORE).collect()
    };
    match &asked.moment {
        AskedTime::Now | AskedTime::Any => None,
        AskedTime::At(from, to) => {
            let most = close
                .iter()
                .max_by_key(|(index, _, day)| (overlap(&facts[*index], facts, *from, *to), *day))?;
            Some(lift(most.0))
        }
        AskedTime::First => {
            close.iter().min_by_key(|(index, _, day)| (*day, *index)).map(|first| lift(first.0))
        }
        AskedTime::Previous => {
            let over = |fact: &KnownFact| !fact.holds_on(today);
            let mut ended: Vec<&(usize, f32, Date)> =
                close.iter().filter(|(index, _, _)| over(&facts[*index])).collect();
            ended.sort_by_key(|(index, _, day)| (!facts[*index].is_vague_past(), end(&facts[*index]), *day));
            match ended.last() {
                Some(last) => {
                    let kept = lift(last.0);
                    Some(kept.into_iter().filter(|(index, _, _)| over(&facts[*index])).collect())
                }
                // *What was my dog called* may be about something that still holds.
                None => None,
            }
        }
        AskedTime::Before(named) | AskedTime::After(named) => {
            let name = named.join(" ");
            let kind = |index: usize| facts[index].slot.as_ref().map_or(SlotKind::Property, |slot| slot.kind);
            let names_it = |fact: &KnownFact, kind: SlotKind| {
                same_value(kind, &fact.value, &name)
                    || terms(&name).iter().all(|term| terms(&fact.content).contains(term))
                        && !terms(&name).is_empty()
            };
            let named_in = |list: &[(usize, f32, Date)]| {
                list.iter()
                    .copied()
                    .filter(|(index, _, _)| names_it(&facts[*index], kind(*index)))
                    .max_by_key(|(_, _, day)| *day)
            };
            let anchor = named_in(&close).or_else(|| named_in(scored));
            let Some(anchor) = anchor else {
                let over: Vec<_> =
                    close.iter().filter(|(index, _, _)| !facts[*index].holds_on(today)).collect();
                // The name is in another slot; its start date selects the fact that held then.
                let event =
                    facts.iter().filter(|fact| names_it(fact, SlotKind::Home)).map(KnownFact::since).max();
                let chosen = match (event, &asked.moment) {
                    (Some(day), AskedTime::Before(_)) => close
                        .iter()
                        .filter(|(index, _, since)| {
                            *since < day && end(&facts[*index]).is_none_or(|end| end >= day)
                                || end(&facts[*index]).is_some_and(|end| end <= day)
                        })
                        .max_by_key(|(_, _, since)| *since),
                    _ => None,
                };
                let last = chosen.or_else(|| {
                    over.iter().copied().max_by_key(|(index, _, day)| (end(&facts[*index]), *day))
                });
                return last.map(|last| lift(last.0));
            };
            let same_slot =
                |index: usize| facts[index].slot == facts[anchor.0].slot || kind(index) == kind(anchor.0);
            let others = scored.iter().filter(|(index, _, _)| {
                *index != anchor.0
                    && same_slot(*index)
                    && !same_value(kind(*index), &facts[*index].value, &facts[anchor.0].value)
            });
            let chosen = if matches!(asked.moment, AskedTime::Before(_)) {
                others.filter(|(_, _, day)| *day <= anchor.2).max_by_key(|(index, _, day)| (*day, *index))
            } else {
                others.filter(|(_, _, day)| *day >= anchor.2).min_by_key(|(index, _, day)| (*day, *index))
            };
            // The earlier value may be in another slot: *likes coffee* before *switched to tea*.
            let other = || {
                let ended = scored.iter().filter(|(index, _, _)| {
                    !same_slot(*index)
                        && end(&facts[*index]).is_some_and(|end| end <= anchor.2)
                        && fit(*index) > 0.0
                });
                ended
                    .max_by_key(|(index, _, _)| end(&facts[*index]))
                    .filter(|_| matches!(asked.moment, AskedTime::Before(_)))
            };
            Some(chosen.or_else(other).map_or_else(Vec::new, |chosen| lift(chosen.0)))
        }
    }
}

#[cfg(test)]
#[path = "rank_tests.rs"]
mod tests;
