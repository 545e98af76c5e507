//! A year of life in the real memory: told day by day, tidied by the maintenance, and then asked about.

use std::path::Path;

use anyhow::Context;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use memory::{RecallRequest, Recipient, SpeakerNames};
use protocol::{MemoryKind, Role};
use serde_json::{Value, json};

use crate::life::{AnswerVerdict, Diary, Score, Wordings, score, verdict};
use crate::memory_setup::{self, DatedMessage, MemorySetup};
use crate::report::{BenchReport, Goal};

/// A diary after it was told, with its answers and score.
struct Lived {
    diary: Diary,
    answers: Vec<Option<String>>,
    score: Score,
}

async fn live(seed: u64, wordings: &Wordings) -> anyhow::Result<Lived> {
    let diary = Diary::new(seed, wordings);
    let noon = |day: Date| -> anyhow::Result<Timestamp> {
        Ok(day.at(12, 0, 0, 0).to_zoned(TimeZone::UTC)?.timestamp())
    };
    let first = diary.days.first().map_or(diary.today, |day| day.date);
    let names = SpeakerNames { user: "You".into(), companion: "Luna".into() };
    let setup = MemorySetup::new(names, &noon(first)?.to_string(), memory_setup::embedder()).await?;
    for day in diary.days.iter().filter(|day| !day.messages.is_empty()) {
        let at = noon(day.date)?;
        setup.clock.set(&at.to_string());
        let line = |text: &String| DatedMessage { role: Role::User, text: text.clone(), at };
        let lines: Vec<DatedMessage> = day.messages.iter().map(line).collect();
        setup.tell(&day.date.to_string(), &lines).await?;
        while !setup.memory.learn_from_unread(50).await?.is_empty() {}
        setup.memory.maintain_facts(setup.user).await?;
    }
    setup.clock.set(&noon(diary.today)?.to_string());
    setup.memory.maintain_facts(setup.user).await?;
    setup.embed_all().await?;
    let mut answers: Vec<Option<String>> = Vec::new();
    for asked in &diary.questions {
        let recall = RecallRequest::new(asked.question.clone(), Recipient::Person);
        let recalled = setup.memory.recall(setup.user, recall).await?;
        let top = recalled.items.into_iter().find(|item| item.kind == MemoryKind::Fact);
        answers.push(top.map(|item| item.text));
    }
    let score = score(&diary.questions, answers.iter().map(Option::as_deref));
    Ok(Lived { diary, answers, score })
}

/// Measures the year in the sets of the repository, or in the wordings of a file.
pub async fn run(seed: u64, file: Option<&Path>) -> anyhow::Result<BenchReport> {
    let sets = file.map_or_else(|| Ok(Wordings::all()?), |file| Ok::<_, anyhow::Error>(vec![read(file)?]))?;
    let Some((first, others)) = sets.split_first() else { anyhow::bail!("there are no wordings") };
    let Lived { diary, answers, score: result } = live(seed, first).await?;
    let mut report = BenchReport::new(
        "life",
        format!(
            "A generated diary of 365 days (seed {seed}), told to the real memory day by day without a language model, \
             then {} questions about today and about then, scored on the first fact that recall brings, in the wordings \
             “{}”. The patterns were widened by every one of the sets of the repository, after each had been measured unseen.",
            result.asked, first.name
        ),
    );
    let number = |count: usize| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
    report.row("right", "questions answered rightly", number(result.right), "", Some(Goal::AtLeast(54.0)));
    report.row("asked", "questions asked", number(result.asked), "", None);
    report.row(
        "superseded",
        "superseded facts stated as current",
        number(result.superseded),
        "",
        Some(Goal::AtMost(0.0)),
    );
    for wordings in others {
        let score = live(seed, wordings).await?.score;
        let name = &wordings.name;
        let (right, superseded) = (number(score.right), number(score.superseded));
        report.row(format!("{name}_right"), format!("right, in the wordings “{name}”"), right, "", None);
        report.row(
            format!("{name}_superseded"),
            "superseded ones stated as current there",
            superseded,
            "",
            None,
        );
    }
    let wrong: Vec<Value> = diary
        .questions
        .iter()
        .zip(&answers)
        .filter(|(asked, answer)| verdict(asked, answer.as_deref()) != AnswerVerdict::Right)
        .map(|(asked, answer)| json!({"question": asked.question, "gold": asked.gold, "answer": answer, "kind": asked.kind}))
        .collect();
    report.detail("wrong", Value::Array(wrong));
    report.detail("seed", json!(seed));
    report.detail("wordings", json!(first.name));
    report.detail("in_usual_words", json!(first.borrowed));
    Ok(report)
}

fn read(file: &Path) -> anyhow::Result<Wordings> {
    let text = std::fs::read_to_string(file).with_context(|| format!("{} cannot be read", file.display()))?;
    let name = file.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    Wordings::read(&name, &text).with_context(|| {
        format!(
            "{} is no set of wordings: it needs {{\"tellings\": {{KIND: [..]}}, \"questions\": {{KIND: [..]}}}}",
            file.display()
        )
    })
}
