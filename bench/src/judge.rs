//! Trains the judge of extracted facts, and measures it on data that it was not trained on.
//!
//! Right examples come from the wordings and from the notes of everyday messages; wrong ones from messages without
//! notes and, if present, from comments of GoEmotions. `cargo xtask bench judge` writes the weights that are built into
//! the program.

#![allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "counts of a few thousand")]

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use facts::judge::{FEATURES, features};
use facts::{self, Finding, KnownNames};
use model::EmbeddingModel;

use crate::everyday::{self, NotedMessage};
use crate::life::random::Random;
use crate::life::wordings::{TellingKind, Wordings};
use crate::memory_setup;
use crate::report::BenchReport;

const COMMENTS: &str = "../shared/data/goemotions-ekman-train.tsv";
const WEIGHTS: &str = "crates/facts/src/judge.f32";
/// The sets of messages for training; the others are for measuring.
const LEARNED: [&str; 2] = ["bench/everyday/one.jsonl", "bench/everyday/two.jsonl"];
const FILLINGS: usize = 3;
const VALUES: &str = include_str!("../judge/values.json");
const PLAIN: &str = include_str!("../judge/plain.json");
const KIN: [&str; 8] = ["sister", "dad", "wife", "husband", "best friend", "cousin", "flatmate", "uncle"];
/// The confidence from which a finding is based on explicit words and is not a guess.
const SURE: f32 = 0.77;
/// The percentage of right guesses that may be lost.
const LOST: usize = 3;
const FOLDS: [&str; 5] = ["aside", "plain", "warm", "everyday", "comments-apart"];

const ROUNDS: usize = 3000;
const RATE: f32 = 0.4;
const MOMENTUM: f32 = 0.9;
const DECAY: f32 = 0.3;

/// An extracted fact, and whether the message states it.
struct Example {
    finding: Finding,
    is_right: bool,
    /// The set that it comes from.
    set: String,
}

impl Example {
    fn is_guess(&self) -> bool {
        self.finding.confidence < SURE
    }
}

pub async fn run(comments: Option<&Path>) -> anyhow::Result<BenchReport> {
    let embedder = memory_setup::embedder().context("the judge is trained with the embedding model")?;
    let mut examples = said()?;
    examples.extend(everyday()?);
    let comments = comments.map_or_else(|| PathBuf::from(COMMENTS), Path::to_owned);
    if comments.exists() {
        examples.extend(unsaid(&comments)?);
    } else {
        eprintln!(
            "bench: {} is not here, and the judge will know less of what is not said",
            comments.display()
        );
    }
    let right = examples.iter().filter(|example| example.is_right).count();
    eprintln!("bench: {right} right and {} wrong readings …", examples.len() - right);
    let seen = seen(embedder.as_ref(), &examples).await?;

    let mut report = BenchReport::new(
        "judge",
        "What was only guessed, judged by one line of weights. Each set of wordings is judged by weights that were trained \
         without it, and a quarter of the wrong readings by weights without them. A guess out of a comment counts as \
         wrong, which most are; the quarter is measured at the score that loses three right guesses in a hundred.",
    );
    let folds: Vec<Vec<f32>> = std::thread::scope(|scope| {
        let (examples, seen) = (&examples, &seen);
        let threads =
            FOLDS.map(|held| scope.spawn(move || train(examples, seen, |example| example.set != held)));
        threads.into_iter().map(|thread| thread.join().unwrap_or_default()).collect()
    });
    let scores = |fold: usize| -> Vec<f32> {
        let held = examples
            .iter()
            .zip(&seen)
            .filter(|(example, _)| example.set == FOLDS[fold] && example.is_guess());
        held.map(|(_, features)| score(&folds[fold], features)).collect()
    };
    let mut kept: Vec<f32> = (0..FOLDS.len() - 1).flat_map(scores).collect();
    kept.sort_by(f32::total_cmp);
    let least = kept.get(kept.len() * LOST / 100).copied().unwrap_or_default();
    for (fold, held) in FOLDS.iter().enumerate() {
        let scores = scores(fold);
        let over = scores.iter().filter(|score| **score >= least).count();
        let what = if fold + 1 < FOLDS.len() { "right guesses" } else { "wrong guesses" };
        let share = 100.0 * over as f64 / scores.len().max(1) as f64;
        report.row(
            format!("{held}_kept"),
            format!("{held}: of {} {what}, kept", scores.len()),
            share,
            "%",
            None,
        );
    }
    let mut weights = train(&examples, &seen, |_| true);
    // The first weight is the constant term: this moves the threshold to zero.
    weights[0] -= least;
    let bytes: Vec<u8> = weights.iter().flat_map(|weight| weight.to_le_bytes()).collect();
    host::atomic_write(Path::new(WEIGHTS), &bytes)?;
    Ok(report)
}

/// Returns the name of the list of values for a kind of telling.
fn values_of(told: TellingKind) -> &'static str {
    match told {
        TellingKind::Home
        | TellingKind::HomeLong
        | TellingKind::Moved
        | TellingKind::LivedThen
        | TellingKind::Friend
        | TellingKind::FriendMoved => "home",
        TellingKind::Employer | TellingKind::JobChanged | TellingKind::FriendWorks => "employer",
        TellingKind::Title | TellingKind::Promoted => "job",
        TellingKind::Pet | TellingKind::PetRenamed => "pet",
        TellingKind::Likes
        | TellingKind::Dislikes
        | TellingKind::TurnedAgainst
        | TellingKind::TurnedTowards => "taste",
        TellingKind::Favourite | TellingKind::FavouriteChanged => "favourite",
        TellingKind::Diet | TellingKind::DietChanged | TellingKind::MeatAgain => "diet",
        TellingKind::Car | TellingKind::CarChanged => "vehicle",
        TellingKind::Birthday => "birthday",
        TellingKind::Allergy => "allergy",
        TellingKind::Language => "language",
        TellingKind::Partner => "partner",
        TellingKind::DrinkSwitched => "drink",
        TellingKind::Name => "name",
    }
}

/// Returns the facts extracted from the wordings, each filled with values a few times.
fn said() -> anyhow::Result<Vec<Example>> {
    let mut filler = Filler { values: serde_json::from_str(VALUES)?, random: Random::new(7) };
    let mut examples = Vec::new();
    let mut sets: Vec<Wordings> = Wordings::all()?;
    for name in &FOLDS[..FOLDS.len() - 1] {
        let text = std::fs::read_to_string(format!("bench/wordings/outside/{name}.json"))?;
        sets.push(Wordings::read(name, &text)?);
    }
    for set in &sets {
        for told in TellingKind::ALL {
            if set.borrowed.contains(&format!("tellings.{told:?}")) {
                continue;
            }
            for sentence in set.tellings(told) {
                for _ in 0..FILLINGS {
                    filler.examples(sentence, values_of(told), &set.name, &mut examples);
                }
            }
        }
    }
    let plain: HashMap<String, Vec<String>> = serde_json::from_str(PLAIN)?;
    for (values, sentences) in &plain {
        for sentence in sentences {
            for _ in 0..FILLINGS {
                filler.examples(sentence, values, "plainly", &mut examples);
            }
        }
    }
    Ok(examples)
}

struct Filler {
    values: HashMap<String, Vec<String>>,
    random: Random,
}

impl Filler {
    /// Adds the facts extracted from a sentence filled with values.
    fn examples(&mut self, sentence: &str, values: &str, set: &str, examples: &mut Vec<Example>) {
        let new = self.value(values);
        let mut text = sentence.replace("{new}", &new).replace("{old}", &self.value(values));
        for (mark, list) in [("{who}", "friend"), ("{kind}", "kind"), ("{of}", "of"), ("{when}", "when")] {
            text = text.replace(mark, &self.value(list));
        }
        text = text.replace("{kin}", KIN[self.random.below(KIN.len())]);
        for finding in read(&text) {
            if finding.content.to_lowercase().contains(&new.to_lowercase()) {
                examples.push(Example { finding, is_right: true, set: set.to_owned() });
            }
        }
    }

    fn value(&mut self, list: &str) -> String {
        let values = self.values.get(list).map(Vec::as_slice).unwrap_or_default();
        values.get(self.random.below(values.len().max(1))).cloned().unwrap_or_default()
    }
}

fn read(text: &str) -> Vec<Finding> {
    facts::extract(text, jiff::civil::date(2026, 6, 15), &KnownNames::new("Luna"))
}

/// Returns the facts extracted from everyday messages; they are right if people noted them too.
fn everyday() -> anyhow::Result<Vec<Example>> {
    let mut examples = Vec::new();
    for file in LEARNED {
        for NotedMessage { text, facts } in everyday::read(Path::new(file))? {
            for finding in read(&text) {
                let is_right = everyday::any_agrees(&finding.content, &facts);
                if is_right || finding.confidence < SURE || facts.is_empty() {
                    examples.push(Example { finding, is_right, set: "messages".into() });
                }
            }
        }
    }
    Ok(examples)
}

/// Returns the guesses from comments as wrong examples, since comments seldom tell about their author. Explicit likes
/// and dislikes are left out.
fn unsaid(file: &Path) -> anyhow::Result<Vec<Example>> {
    let text = std::fs::read_to_string(file)?;
    let likes = |finding: &Finding| {
        let said = finding.quote.to_lowercase();
        let what =
            finding.content.trim_end_matches('.').split_once(' ').map_or("", |(_, what)| what).to_lowercase();
        ["love", "like", "hate", "enjoy", "prefer", "adore", "favorite"]
            .iter()
            .any(|verb| said.contains(&format!("{verb} {what}")))
    };
    let found = text
        .lines()
        .filter_map(|line| line.split('\t').next())
        .flat_map(|line| read(&line.replace("[NAME]", "Jordan").replace("[RELIGION]", "Buddhist")));
    let wrong = found.filter(|finding| finding.confidence < SURE && !likes(finding)).enumerate();
    let set = |place: usize| if place.is_multiple_of(4) { FOLDS[FOLDS.len() - 1] } else { "comments" };
    Ok(wrong.map(|(place, finding)| Example { finding, is_right: false, set: set(place).into() }).collect())
}

/// Returns the judge's features of each example.
async fn seen(embedder: &dyn EmbeddingModel, examples: &[Example]) -> anyhow::Result<Vec<Vec<f32>>> {
    let mut seen = Vec::with_capacity(examples.len());
    for Example { finding, .. } in examples {
        let mut texts = vec![finding.quote.clone()];
        texts.extend(facts::claims(finding));
        let vectors = embedder.embed(&texts).await?;
        let (said, claims) = vectors.split_first().context("the embedding model gave nothing")?;
        seen.push(features(finding, said, claims));
    }
    Ok(seen)
}

/// Trains by logistic regression, with equal total weight for right and wrong examples.
fn train(examples: &[Example], seen: &[Vec<f32>], is_used: impl Fn(&Example) -> bool) -> Vec<f32> {
    let used: Vec<(&[f32], bool)> = examples
        .iter()
        .zip(seen)
        .filter(|(example, _)| is_used(example))
        .map(|(example, features)| (features.as_slice(), example.is_right))
        .collect();
    let right = used.iter().filter(|(_, is_right)| *is_right).count().max(1) as f32;
    let wrong = (used.len() as f32 - right).max(1.0);
    let mut weights = vec![0.0; FEATURES];
    let mut speed = vec![0.0; FEATURES];
    for _ in 0..ROUNDS {
        let mut slope = vec![0.0; FEATURES];
        for (features, is_right) in &used {
            let (wanted, share) = if *is_right { (1.0, 0.5 / right) } else { (0.0, 0.5 / wrong) };
            let error = (1.0 / (1.0 + (-score(&weights, features)).exp()) - wanted) * share;
            for (slope, value) in slope.iter_mut().zip(*features) {
                *slope += error * value;
            }
        }
        for ((weight, speed), slope) in weights.iter_mut().zip(&mut speed).zip(&slope) {
            *speed = MOMENTUM * *speed - RATE * (slope + DECAY * *weight / used.len() as f32);
            *weight += *speed;
        }
    }
    weights
}

fn score(weights: &[f32], features: &[f32]) -> f32 {
    weights.iter().zip(features).map(|(weight, value)| weight * value).sum()
}
