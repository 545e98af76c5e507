//! Simulates a year of life with the rules alone: the diary of the benchmark, recorded in a plain list of facts.

use jiff::civil::Date;
use protocol::{FactId, FactStatus};

use super::*;

#[allow(dead_code, reason = "the benchmark uses more of it")]
#[path = "../../../bench/src/life/mod.rs"]
mod life;

use life::{Diary, Wordings, score};

#[derive(Default)]
struct Ledger {
    facts: Vec<KnownFact>,
    names: KnownNames,
}

impl Ledger {
    fn record(&mut self, text: &str, day: Date) {
        for finding in extract(text, day, &self.names) {
            if finding.confidence < 0.5 {
                continue;
            }
            self.names.record(&finding);
            let (mut from, mut to) = (finding.valid_from, finding.valid_to);
            let mut status = if finding.is_past() { FactStatus::Expired } else { FactStatus::Current };
            match reconcile(&self.facts, &finding, day) {
                ReconcileOutcome::Repeat(_) | ReconcileOutcome::Ignore => continue,
                ReconcileOutcome::End { old, on } => {
                    self.end(&old, on, FactStatus::Expired);
                    continue;
                }
                ReconcileOutcome::Supersede { old, on } => {
                    self.end(&old, on, FactStatus::Superseded);
                    from = from.or(Some(day));
                }
                ReconcileOutcome::Earlier { until } => {
                    to = Some(until);
                    status = FactStatus::Expired;
                }
                ReconcileOutcome::New if finding.polarity == Polarity::Ended => to = None,
                ReconcileOutcome::New => {}
            }
            self.facts.push(KnownFact {
                id: FactId::new(i64::try_from(self.facts.len()).unwrap()),
                subject: finding.subject,
                slot: finding.slot,
                value: finding.value,
                content: finding.content,
                confidence: finding.confidence,
                status,
                learned: day,
                valid_from: from,
                valid_to: to,
                expires: finding.expires,
                is_doubted: false,
            });
        }
    }

    fn end(&mut self, old: &[FactId], on: Date, status: FactStatus) {
        for fact in self.facts.iter_mut().filter(|fact| old.contains(&fact.id)) {
            fact.status = status;
            fact.valid_to = Some(on);
        }
    }
}

/// The number of right answers, and of answers that named an outdated value.
fn year(seed: u64, wordings: &Wordings) -> (usize, usize) {
    let diary = Diary::new(seed, wordings);
    let mut ledger = Ledger { names: KnownNames::new("Luna"), ..Ledger::default() };
    for day in &diary.days {
        for message in &day.messages {
            ledger.record(message, day.date);
        }
    }
    let answer = |question: &str| {
        let ranked = rank(question, &ledger.facts, diary.today, |_| 0.0);
        ranked.first().map(|(index, _)| ledger.facts[*index].content.clone())
    };
    let answers: Vec<Option<String>> = diary.questions.iter().map(|asked| answer(&asked.question)).collect();
    let score = score(&diary.questions, answers.iter().map(Option::as_deref));
    assert_eq!(score.asked, 60, "seed {seed}");
    (score.right, score.superseded)
}

#[test]
fn a_year_is_remembered() {
    let usual = Wordings::usual().unwrap();
    for seed in 1..=12 {
        let (right, superseded) = year(seed, &usual);
        assert!(right >= 54, "seed {seed}: {right} of 60");
        assert_eq!(superseded, 0, "seed {seed}");
    }
}

/// Sets of wordings that the patterns were extended for, each after it had been measured unseen.
#[test]
fn a_year_is_remembered_in_other_words() {
    for wordings in Wordings::all().unwrap() {
        let name = &wordings.name;
        for seed in 1..=4 {
            let (right, superseded) = year(seed, &wordings);
            assert!(right >= 50, "{name}, seed {seed}: {right} of 60");
            assert!(superseded <= 1, "{name}, seed {seed}: {superseded} superseded");
        }
    }
}

#[test]
fn a_set_of_wordings_may_leave_kinds_out_but_not_invent_them() {
    let set =
        Wordings::read("own", r#"{"tellings": {"Home": ["{new}, that's home"]}, "questions": {}}"#).unwrap();
    assert!(set.borrowed.iter().any(|kind| kind == "tellings.Moved"));
    assert!(!set.borrowed.iter().any(|kind| kind == "tellings.Home"));
    let wrong = Wordings::read("own", r#"{"tellings": {"Hoem": ["{new}"]}, "questions": {}}"#).unwrap_err();
    assert!(wrong.to_string().contains("unknown variant `Hoem`"), "{wrong}");
}
