//! The accuracy of emotion detection: by words and vector, by words alone, and by a plain word list.

#![allow(clippy::cast_precision_loss, reason = "counts of a few thousand")]

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Context as _;
use model::EmbeddingModel;
use persona::{Emotion, Vector, feelings};

use crate::memory_setup;
use crate::report::{BenchReport, Goal};

const USUAL: &str = "../shared/data/goemotions-ekman-dev.tsv";
/// The emotions in the order in which the file numbers them.
const LABELS: [Emotion; 7] = [
    Emotion::Anger,
    Emotion::Disgust,
    Emotion::Fear,
    Emotion::Joy,
    Emotion::Neutral,
    Emotion::Sadness,
    Emotion::Surprise,
];
/// The peer: a word list that takes a quarter of an hour to write.
const LIST: [(Emotion, &str); 6] = [
    (
        Emotion::Joy,
        "happy glad love loved great awesome amazing wonderful thanks thank nice good best fun funny lol haha yay congrats beautiful cool hope excited proud enjoy",
    ),
    (
        Emotion::Sadness,
        "sad sorry miss lost lonely depressed cry crying tears unfortunately died death hurt heartbroken",
    ),
    (Emotion::Anger, "angry hate mad furious annoying annoyed stupid idiot damn shut wtf pissed"),
    (Emotion::Disgust, "disgusting gross nasty eww ew sick awful cringe vile"),
    (Emotion::Surprise, "wow surprised omg really unexpected shocked wonder curious what why"),
    (Emotion::Fear, "afraid scared scary fear terrifying worried nervous anxious horror creepy"),
];
const TOGETHER: usize = 32;

struct DatedMessage {
    text: String,
    gold: Vec<Emotion>,
}

/// The macro-F1 and accuracy on lines with one label, and the share of all lines whose labels include the guess.
struct Score {
    macro_f1: f64,
    accuracy: f64,
    among: f64,
}

pub async fn run(data: Option<&Path>) -> anyhow::Result<BenchReport> {
    let path = data.map_or_else(|| PathBuf::from(USUAL), Path::to_owned);
    let lines =
        read(&path).with_context(|| format!("{} is not here: give one by --data FILE", path.display()))?;
    let method = format!(
        "{} comments of GoEmotions (Demszky et al. 2020, Apache-2.0) in Ekman's grouping, the part that nothing was learned from, \
         though some choices were made with it in sight. Macro-F1 and accuracy are those of the comments with one label. The list is \
         what somebody writes down in a quarter of an hour; where none of its words stand, it says neutral.",
        lines.len()
    );
    let mut report = BenchReport::new("emotion", method);
    let embedder = memory_setup::embedder().context("it takes the embedding model")?;
    let began = Instant::now();
    let by_words: Vec<Emotion> = lines.iter().map(|line| feelings(&line.text, None).strongest().0).collect();
    let micros = began.elapsed().as_secs_f64() * 1e6 / lines.len() as f64;
    let by_both = with_vectors(embedder.as_ref(), &lines).await?;
    let by_list: Vec<Emotion> = lines.iter().map(|line| listed(&line.text)).collect();
    let list = score(&lines, &by_list);
    for (key, what, guesses) in [
        ("both", "words and vector", by_both),
        ("words", "words alone", by_words),
        ("list", "the list", by_list),
    ] {
        let Score { macro_f1, accuracy, among } = score(&lines, &guesses);
        let goal = (key == "both").then_some(Goal::AtLeast(list.macro_f1));
        report.row(format!("{key}_macro_f1"), format!("macro-F1, {what}"), macro_f1, "", goal);
        report.row(format!("{key}_accuracy"), format!("accuracy, {what}"), accuracy, "", None);
        report.row(
            format!("{key}_among"),
            format!("among the labels of all comments, {what}"),
            among,
            "",
            None,
        );
    }
    report.row("words_micros", "time of a sentence, words alone", micros, "µs", None);
    Ok(report)
}

fn read(path: &Path) -> anyhow::Result<Vec<DatedMessage>> {
    let text = std::fs::read_to_string(path)?;
    text.lines()
        .map(|line| {
            let mut fields = line.split('\t');
            let (text, labels) = (fields.next().context("no text")?, fields.next().context("no labels")?);
            let label = |id: &str| LABELS.get(id.parse::<usize>().ok()?).copied();
            let gold: Option<Vec<Emotion>> = labels.split(',').map(label).collect();
            Ok(DatedMessage {
                text: text.to_owned(),
                gold: gold.with_context(|| format!("labels {labels:?}"))?,
            })
        })
        .collect()
}

async fn with_vectors(model: &dyn EmbeddingModel, lines: &[DatedMessage]) -> anyhow::Result<Vec<Emotion>> {
    let mut guesses = Vec::with_capacity(lines.len());
    for lines in lines.chunks(TOGETHER) {
        let texts: Vec<String> = lines.iter().map(|line| line.text.clone()).collect();
        let vectors = model.embed(&texts).await?;
        for (line, vector) in lines.iter().zip(&vectors) {
            guesses.push(feelings(&line.text, Vector::named(&model.name(), vector)).strongest().0);
        }
    }
    Ok(guesses)
}

/// Returns the emotion with the most listed words in the line.
fn listed(text: &str) -> Emotion {
    let words: Vec<String> = text
        .split(|letter: char| !letter.is_alphabetic())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let count = |list: &str| {
        words.iter().filter(|word| list.split(' ').any(|listed| listed == word.as_str())).count()
    };
    let found = LIST.map(|(emotion, list)| (emotion, count(list)));
    // Of equal counts the first wins: the list begins with the most frequent emotion.
    let best = found.into_iter().rev().max_by_key(|(_, count)| *count);
    best.filter(|(_, count)| *count > 0).map_or(Emotion::Neutral, |(emotion, _)| emotion)
}

fn score(lines: &[DatedMessage], guesses: &[Emotion]) -> Score {
    let all: Vec<(&DatedMessage, Emotion)> = lines.iter().zip(guesses.iter().copied()).collect();
    let single: Vec<(Emotion, Emotion)> = all
        .iter()
        .filter(|(line, _)| line.gold.len() == 1)
        .map(|(line, guess)| (line.gold[0], *guess))
        .collect();
    let count = |is_so: &dyn Fn(Emotion, Emotion) -> bool| {
        single.iter().filter(|(gold, guess)| is_so(*gold, *guess)).count() as f64
    };
    let f1 = |emotion: Emotion| {
        let right = count(&|gold, guess| gold == emotion && guess == emotion);
        let named = count(&|gold, _| gold == emotion) + count(&|_, guess| guess == emotion);
        if named == 0.0 { 0.0 } else { 2.0 * right / named }
    };
    let among = all.iter().filter(|(line, guess)| line.gold.contains(guess)).count();
    Score {
        macro_f1: Emotion::ALL.into_iter().map(f1).sum::<f64>() / Emotion::ALL.len() as f64,
        accuracy: count(&|gold, guess| gold == guess) / single.len() as f64,
        among: among as f64 / all.len() as f64,
    }
}
