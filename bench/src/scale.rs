//! The total cost of recall in a turn, over a lifetime of messages.

#![allow(clippy::cast_precision_loss, reason = "random numbers, and a few hundred of them")]

use std::sync::Arc;
use std::time::Instant;

use async_trait::async_trait;
use jiff::ToSpan as _;
use jiff::tz::TimeZone;
use memory::{RecallRequest, Recipient, SpeakerNames};
use model::{EmbeddingModel, ModelError};
use protocol::Role;

use crate::life::{Diary, Wordings};
use crate::memory_setup::{self, DatedMessage, MemorySetup};
use crate::report::{BenchReport, Goal};
use crate::statistics::percentile;

const SIZES: [usize; 2] = [10_000, 100_000];
/// The number of sentences that are really embedded; the vectors of the others are derived from theirs.
const REAL: usize = 2_000;
/// The distance of a derived vector, as a share of the vector's length.
const AWAY: f32 = 0.35;
const QUESTIONS: usize = 200;
/// The number of lines of one conversation.
const LONG: usize = 40;

/// Embeds questions with the shipped model, and derives the vectors of messages: a hundred thousand real ones would
/// take the better part of an hour.
struct Quick {
    real: Arc<dyn EmbeddingModel>,
    known: Vec<Vec<f32>>,
}

#[async_trait]
impl EmbeddingModel for Quick {
    fn name(&self) -> String {
        self.real.name()
    }

    fn dimensions(&self) -> usize {
        self.real.dimensions()
    }

    fn is_here(&self) -> bool {
        self.real.is_here()
    }

    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, ModelError> {
        if let [_] = texts {
            return self.real.embed(texts).await;
        }
        Ok(texts.iter().map(|text| self.near_one(text)).collect())
    }
}

impl Quick {
    /// Derives a vector from the text itself, so that the same text always gets the same one.
    fn near_one(&self, text: &str) -> Vec<f32> {
        let mut state = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state >> 33
        };
        #[allow(clippy::cast_possible_truncation, reason = "a place in a list")]
        let one = &self.known[next() as usize % self.known.len()];
        let mut noise = || (next() as f32 / (1_u64 << 31) as f32 - 0.5) * 2.0;
        let spread = AWAY * (3.0 / one.len() as f32).sqrt();
        one.iter().map(|number| number + spread * noise()).collect()
    }
}

pub async fn run() -> anyhow::Result<BenchReport> {
    let mut report = BenchReport::new(
        "recall-cost",
        "The whole recall of a turn: reading the question, its vector by the shipped model, words, vectors, people and \
         dates over all messages, and the facts. The messages are those of generated diaries; the vectors of all but the \
         first 2,000 are made up near those. One at a time, as a turn asks, and after each the question's vector alone: \
         the rest is what recall itself takes."
            .to_owned(),
    );
    let Some(real) = memory_setup::embedder() else {
        anyhow::bail!("the embedding model is not here: `cargo xtask test` fetches it")
    };
    for size in SIZES {
        let Measured { millis, alone, facts, waking, first } = at(size, &real).await?;
        let goal = (size == 100_000).then_some(Goal::AtMost(15.0));
        let name = format!("{size} messages and {facts} facts");
        report.row(format!("p50_{size}"), format!("{name}: p50"), percentile(&millis, 50.0), "ms", None);
        report.row(format!("p95_{size}"), format!("{name}: p95"), percentile(&millis, 95.0), "ms", goal);
        let vector = percentile(&alone, 50.0);
        report.row(
            format!("vector_{size}"),
            format!("{name}: of that, the question's vector, p50"),
            vector,
            "ms",
            None,
        );
        let rest = percentile(&millis, 50.0) - vector;
        report.row(format!("rest_{size}"), format!("{name}: the rest, p50"), rest, "ms", None);
        report.row(format!("waking_{size}"), format!("{name}: read when a page opens"), waking, "ms", None);
        report.row(format!("first_{size}"), format!("{name}: the first after that"), first, "ms", None);
    }
    Ok(report)
}

struct Measured {
    millis: Vec<f64>,
    /// The times of the questions' vectors alone, in milliseconds.
    alone: Vec<f64>,
    facts: u32,
    /// The milliseconds for loading all stored data when a page opens after a start.
    waking: f64,
    /// The milliseconds of the first recall after that.
    first: f64,
}

async fn at(size: usize, real: &Arc<dyn EmbeddingModel>) -> anyhow::Result<Measured> {
    let (mut texts, mut questions) = (Vec::with_capacity(size), Vec::new());
    let usual = Wordings::usual()?;
    for seed in 1.. {
        let diary = Diary::new(seed, &usual);
        questions.extend(diary.questions.into_iter().map(|asked| asked.question));
        texts.extend(diary.days.into_iter().flat_map(|day| day.messages));
        if texts.len() >= size {
            break;
        }
    }
    texts.truncate(size);
    let known = real.embed(&texts[..REAL.min(size)]).await?;
    let quick: Arc<dyn EmbeddingModel> = Arc::new(Quick { real: Arc::clone(real), known });
    let now = jiff::civil::date(2026, 1, 1).at(12, 0, 0, 0).to_zoned(TimeZone::UTC)?;
    let names = SpeakerNames { user: "You".into(), companion: "Luna".into() };
    let setup = MemorySetup::new(names, &now.timestamp().to_string(), Some(quick)).await?;
    for (place, lines) in texts.chunks(LONG).enumerate() {
        let back = i64::try_from(place % 2_000)?;
        let at = now.checked_sub(back.days())?.timestamp();
        let line = |text: &String| DatedMessage { role: Role::User, text: text.clone(), at };
        setup.tell(&format!("Day {place}"), &lines.iter().map(line).collect::<Vec<_>>()).await?;
    }
    // Only the facts of one life are learned, because a hundred lives would contradict each other.
    for _ in 0..20 {
        setup.memory.learn_from_unread(50).await?;
    }
    setup.embed_all().await?;
    let facts = setup.memory.facts(setup.user, Recipient::Person, memory::FactQuery::default()).await?.total;
    let recall = |text: &str| RecallRequest::new(text, Recipient::Person);
    let (mut millis, mut alone) = (Vec::with_capacity(QUESTIONS), Vec::with_capacity(QUESTIONS));
    for text in questions.iter().take(QUESTIONS) {
        let began = Instant::now();
        setup.memory.recall(setup.user, recall(text)).await?;
        millis.push(began.elapsed().as_secs_f64() * 1000.0);
        let began = Instant::now();
        real.embed(std::slice::from_ref(text)).await?;
        alone.push(began.elapsed().as_secs_f64() * 1000.0);
    }
    let started = setup.started();
    let began = Instant::now();
    started.warm_up(setup.user).await?;
    let waking = began.elapsed().as_secs_f64() * 1000.0;
    let began = Instant::now();
    started.recall(setup.user, recall(&questions[0])).await?;
    let first = began.elapsed().as_secs_f64() * 1000.0;
    Ok(Measured { millis, alone, facts, waking, first })
}
