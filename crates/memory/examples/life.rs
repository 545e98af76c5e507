#![allow(clippy::print_stdout, clippy::unwrap_used, dead_code, unused_imports)]
#[path = "../../../bench/src/life/mod.rs"]
mod life;

use jiff::ToSpan;
use jiff::civil::Date;
use life::*;
use memory::facts::*;
use protocol::{FactId, FactStatus};

struct Ledger {
    facts: Vec<Known>,
    names: Names,
    log: Vec<String>,
}

impl Ledger {
    fn hear(&mut self, text: &str, day: Date) {
        let found = extract(text, day, &self.names);
        for finding in found {
            if finding.confidence < 0.5 {
                continue;
            }
            self.names.hear(&finding);
            let outcome = settle(&self.facts, &finding, day);
            self.log
                .push(format!("{day} {text:?} -> {} [{:?}] {outcome:?}", finding.content, finding.polarity));
            let end = |facts: &mut Vec<Known>, ids: &[FactId], on: Date, status: FactStatus| {
                for fact in facts.iter_mut() {
                    if ids.contains(&fact.id) {
                        fact.status = status;
                        fact.valid_to = Some(on);
                    }
                }
            };
            let mut from = finding.valid_from;
            let mut to = finding.valid_to;
            let mut status = if finding.is_past() { FactStatus::Expired } else { FactStatus::Current };
            match outcome {
                Outcome::Repeat(id) => {
                    for fact in &mut self.facts {
                        if fact.id == id {
                            fact.confidence = repeated(fact.confidence);
                        }
                    }
                    continue;
                }
                Outcome::Ignore => continue,
                Outcome::End { old, on } => {
                    end(&mut self.facts, &old, on, FactStatus::Expired);
                    continue;
                }
                Outcome::Supersede { old, on } => {
                    end(&mut self.facts, &old, on, FactStatus::Superseded);
                    from = from.or(Some(day));
                }
                Outcome::Earlier { until } => {
                    to = Some(until);
                    status = FactStatus::Expired;
                }
                Outcome::New => {
                    if finding.polarity == Polarity::Ended {
                        to = None;
                    }
                }
            }
            let id = FactId::new(i64::try_from(self.facts.len()).unwrap() + 1);
            self.facts.push(Known {
                id,
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
            });
        }
    }
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    if args[1] == "ask" {
        let start = jiff::civil::date(2025, 1, 6);
        let mut ledger = Ledger { facts: Vec::new(), names: Names::new("Luna"), log: Vec::new() };
        for (n, line) in std::fs::read_to_string("/tmp/diary.txt").unwrap().lines().enumerate() {
            ledger.hear(line, start.checked_add((7 * n as i64).days()).unwrap());
        }
        let today = jiff::civil::date(2026, 1, 5);
        for f in &ledger.facts {
            println!(
                "  {:?} {} [{}] {:?}..{:?}",
                f.status,
                f.content,
                f.slot.as_ref().map_or(String::new(), ToString::to_string),
                f.valid_from,
                f.valid_to
            );
        }
        let mut bad = 0;
        let mut all = 0;
        for line in std::fs::read_to_string("/tmp/questions.txt").unwrap().lines() {
            let Some((q, want)) = line.split_once('|') else { continue };
            all += 1;
            let top = rank(q, &ledger.facts, today, |_| 0.0)
                .first()
                .map(|(i, s)| (ledger.facts[*i].content.clone(), *s));
            let ok = match (&top, want.trim()) {
                (None, "") => true,
                (Some((c, _)), w) if !w.is_empty() => c.contains(w),
                _ => false,
            };
            if !ok {
                bad += 1;
                println!("WRONG {q} want {want} got {top:?}");
            }
        }
        println!("{bad} wrong of {all}");
        return;
    }
    let from: u64 = args[1].parse().unwrap();
    let to: u64 = args[2].parse().unwrap();
    let wordings = if args.get(3).is_some_and(|a| a == "held") { Wordings::HeldOut } else { Wordings::Usual };
    if args.get(4).is_some_and(|a| a == "s") {
        silent(from, to, wordings);
        return;
    }
    let verbose = args.get(4).is_some();
    let mut rights = Vec::new();
    let mut sup = 0;
    let mut misses: std::collections::BTreeMap<String, usize> = Default::default();
    for seed in from..=to {
        let diary = Diary::new(seed, wordings);
        let mut ledger = Ledger { facts: Vec::new(), names: Names::new("Luna"), log: Vec::new() };
        for day in &diary.days {
            for message in &day.messages {
                ledger.hear(message, day.date);
            }
        }
        let mut answers: Vec<Option<String>> = Vec::new();
        for asked in &diary.questions {
            let ranked = rank(&asked.question, &ledger.facts, diary.today, |_| 0.0);
            let top = ranked.first().map(|(i, _)| ledger.facts[*i].content.clone());
            let v = verdict(asked, top.as_deref());
            if v != Verdict::Right {
                *misses.entry(format!("{:?} {}", asked.time, asked.kind)).or_default() += 1;
                if verbose {
                    println!("seed {seed} {v:?}: {} gold {:?} got {top:?}", asked.question, asked.gold);
                    for l in &ledger.log {
                        if asked
                            .gold
                            .iter()
                            .chain(&asked.wrong)
                            .any(|g| l.to_lowercase().contains(&g.to_lowercase()))
                            && (asked.kind != "taste")
                        {
                            println!("      {l}");
                        }
                    }
                    for d in &diary.days {
                        for m in &d.messages {
                            let low = m.to_lowercase();
                            if asked
                                .gold
                                .iter()
                                .chain(&asked.wrong)
                                .any(|g| asked.kind != "taste" && low.contains(&g.to_lowercase()))
                            {
                                println!("      said {} {m:?}", d.date);
                            } else if asked.kind == "taste"
                                && asked
                                    .question
                                    .to_lowercase()
                                    .trim_end_matches('?')
                                    .split(' ')
                                    .next_back()
                                    .is_some_and(|w| low.contains(w))
                            {
                                println!("      said {} {m:?}", d.date);
                            }
                        }
                    }
                }
            }
            answers.push(top);
        }
        let s = score(&diary.questions, answers.iter().map(Option::as_deref));
        rights.push(s.right);
        sup += s.superseded;
        if s.asked != 60 {
            println!("only {} questions", s.asked);
        }
    }
    rights.sort_unstable();
    let mean = rights.iter().sum::<usize>() as f64 / rights.len() as f64;
    println!(
        "seeds {}: min {} median {} mean {mean:.1} below54 {} superseded {sup}",
        rights.len(),
        rights[0],
        rights[rights.len() / 2],
        rights.iter().filter(|r| **r < 54).count()
    );
    for (k, v) in misses {
        println!("  {k}: {v}");
    }
}

pub fn silent(from: u64, to: u64, wordings: Wordings) {
    let mut seen = std::collections::BTreeSet::new();
    for seed in from..=to {
        let diary = Diary::new(seed, wordings);
        let mut ledger = Ledger { facts: Vec::new(), names: Names::new("Luna"), log: Vec::new() };
        for day in &diary.days {
            for message in &day.messages {
                let found = extract(message, day.date, &ledger.names)
                    .into_iter()
                    .filter(|f| f.confidence >= 0.5)
                    .count();
                let noise = life::is_noise(message);
                if (found == 0) != noise && seen.insert(message.clone()) {
                    println!(
                        "{} {message:?} {:?}",
                        if noise { "NOISE" } else { "SILENT" },
                        extract(message, day.date, &ledger.names)
                            .iter()
                            .map(|f| f.content.clone())
                            .collect::<Vec<_>>()
                    );
                }
                ledger.hear(message, day.date);
            }
        }
    }
}
