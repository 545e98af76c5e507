//! Finds weights of recall on some conversations, and measures them on the others.

#![allow(clippy::cast_precision_loss, reason = "counts of a few thousand")]

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use memory::recall::{
    IndexSearch, ItemVectors, NewItem, PreparedQuestion, QuestionParser, RecallIndex, ScoreWeights,
};
use model::EmbeddingModel;
use vectors::encode;

use crate::memory_setup;
use crate::recall::share;
use crate::report::BenchReport;
use crate::talks::{self, RecordedDialogue};

/// The number of conversations for training; the others are for measuring.
const LEARNT_FROM: usize = 3;
const FIRST: usize = 10;
const ROUNDS: usize = 4;
const STEPS: [f32; 7] = [0.0, 0.5, 0.75, 0.9, 1.1, 1.35, 2.0];

/// The initial weights, chosen without knowledge of the data: words and meaning count equally, and everything else a
/// little.
const START: ScoreWeights = ScoreWeights {
    words: 1.0,
    meaning: 1.0,
    speaker: 0.1,
    day: 0.1,
    month: 0.1,
    length: 0.1,
    informativeness: 0.1,
    time: 0.1,
    recency: 0.1,
};

struct Asked {
    prepared: PreparedQuestion,
    vector: Vec<f32>,
    turns: BTreeSet<usize>,
    sessions: BTreeSet<usize>,
}

/// A conversation prepared for searches with any weights.
struct Prepared {
    index: RecallIndex,
    today: Date,
    asked: Vec<Asked>,
}

/// The shares of gold turns and sessions among the first ten.
#[derive(Clone, Copy)]
struct Score {
    turns: f64,
    sessions: f64,
}

impl Score {
    fn sum(self) -> f64 {
        self.turns + self.sessions
    }
}

pub async fn run(data: Option<&Path>) -> anyhow::Result<BenchReport> {
    let Some(model) = memory_setup::embedder() else {
        anyhow::bail!("the embedding model is not here: `cargo xtask test` fetches it")
    };
    let mut talks = Vec::new();
    for talk in talks::read(data.unwrap_or(Path::new(talks::USUAL)))? {
        talks.push(prepare(&talk, model.as_ref()).await?);
    }
    anyhow::ensure!(talks.len() > LEARNT_FROM, "more than {LEARNT_FROM} conversations are needed");
    let (learnt, others) = talks.split_at(LEARNT_FROM);
    let found = climb(learnt);
    let mut report = BenchReport::new(
        "recall-tune",
        format!(
            "Weights found on the first {LEARNT_FROM} conversations alone, one after the other from a start that knows \
             nothing of them, beside the weights in use; the other {} judge. Gold turns and sessions among the first {FIRST}, \
             refused questions counted as not found.",
            others.len()
        ),
    );
    for (key, name, weights) in [
        ("start", "before", START),
        ("found", "weights found", found),
        ("used", "weights in use", ScoreWeights::default()),
    ] {
        for (part, which, talks) in [("learnt", "learnt from", learnt), ("others", "the others", others)] {
            let score = score(talks, &weights);
            let row = |what: &str| (format!("{key}_{part}_{what}"), format!("{name}, {which}: {what}"));
            let (key, what) = row("turns");
            report.row(key, what, score.turns, "%", None);
            let (key, what) = row("sessions");
            report.row(key, what, score.sessions, "%", None);
        }
    }
    for (name, value) in values(&found) {
        report.row(format!("weight_{name}"), format!("found: {name}"), f64::from(value), "", None);
    }
    Ok(report)
}

async fn prepare(talk: &RecordedDialogue, model: &dyn EmbeddingModel) -> anyhow::Result<Prepared> {
    let mut index = RecallIndex::new(QuestionParser::new(talk.speakers.clone()));
    index.load_vectors(ItemVectors::new(model.dimensions()), std::iter::empty());
    let mut by_id: HashMap<&str, (usize, usize)> = HashMap::new();
    let (mut today, mut texts, mut places) = (Date::MIN, Vec::new(), Vec::new());
    for (session, said) in
        talk.sessions.iter().enumerate().flat_map(|(at, all)| all.iter().map(move |said| (at, said)))
    {
        let day = said.at.to_zoned(TimeZone::UTC).date();
        today = today.max(day);
        by_id.insert(&said.id, (places.len(), session));
        texts.push(index.embeddable_text(&said.text));
        places.push(index.add(&NewItem {
            thread: session as u64,
            speaker: &said.speaker,
            day,
            text: &said.text,
        }));
    }
    for (place, vector) in places.iter().zip(model.embed(&texts).await?) {
        index.set_vector(*place, &encode(&vector)?);
    }
    let mut asked = Vec::new();
    for one in talk.questions.iter().filter(|one| one.category != 5) {
        let gold: Vec<(usize, usize)> =
            one.gold.iter().filter_map(|id| by_id.get(id.as_str()).copied()).collect();
        if gold.is_empty() {
            continue;
        }
        let question = index.parse_question(&one.text);
        let vector = model.embed(std::slice::from_ref(&question.first_person)).await?.remove(0);
        let (turns, sessions) = gold.into_iter().unzip();
        asked.push(Asked { prepared: index.prepare(question, Vec::new()), vector, turns, sessions });
    }
    Ok(Prepared { index, today, asked })
}

fn score(talks: &[Prepared], weights: &ScoreWeights) -> Score {
    let (mut turns, mut sessions, mut count) = (0.0, 0.0, 0.0_f64);
    for Prepared { index, today, asked } in talks {
        for one in asked {
            let search = IndexSearch {
                is_embedding: false,
                prepared: &one.prepared,
                vector: Some(&one.vector),
                today: *today,
                weights: *weights,
                leaves_out: &|_| false,
            };
            count += 1.0;
            let ranked = index.search(&search, FIRST);
            if ranked.is_refused() {
                continue;
            }
            let found: Vec<usize> = ranked.found.iter().map(|found| found.position as usize).collect();
            let threads: Vec<usize> = index
                .threads(&search)
                .into_iter()
                .filter_map(|(thread, _)| usize::try_from(thread).ok())
                .collect();
            turns += share(&found, &one.turns, FIRST);
            sessions += share(&threads, &one.sessions, FIRST);
        }
    }
    let percent = |sum: f64| (1000.0 * sum / count.max(1.0)).round() / 10.0;
    Score { turns: percent(turns), sessions: percent(sessions) }
}

/// Optimises one weight after the other for the best score.
fn climb(talks: &[Prepared]) -> ScoreWeights {
    let mut best = START;
    let mut reached = score(talks, &best).sum();
    for _ in 0..ROUNDS {
        let before = reached;
        for which in 0..values(&best).len() {
            let from = best;
            for step in STEPS {
                let mut tried = from;
                *slots(&mut tried)[which] *= step;
                let sum = score(talks, &tried).sum();
                if sum > reached {
                    (best, reached) = (tried, sum);
                }
            }
        }
        if reached <= before {
            break;
        }
    }
    best
}

fn slots(weights: &mut ScoreWeights) -> [&mut f32; 9] {
    let ScoreWeights { words, meaning, speaker, day, month, length, informativeness, time, recency } =
        weights;
    [words, meaning, speaker, day, month, length, informativeness, time, recency]
}

fn values(weights: &ScoreWeights) -> [(&'static str, f32); 9] {
    let ScoreWeights { words, meaning, speaker, day, month, length, informativeness, time, recency } =
        *weights;
    [
        ("words", words),
        ("meaning", meaning),
        ("speaker", speaker),
        ("day", day),
        ("month", month),
        ("length", length),
        ("telling", informativeness),
        ("time", time),
        ("recency", recency),
    ]
}
