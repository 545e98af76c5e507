//! Evidence recall over long conversations: the share of the turns with the answer to a question that is among the
//! first recalled ones.

#![allow(clippy::cast_precision_loss, reason = "counts of a few thousand")]

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use jiff::Timestamp;
use memory::{RecallRequest, Recipient, SpeakerNames};
use model::EmbeddingModel;
use protocol::{ConversationId, MemoryKind, MessageId, Role};
use serde_json::{Map, Value, json};

use crate::memory_setup::{self, DatedMessage, MemorySetup};
use crate::report::{BenchReport, Goal};
use crate::statistics::percentile;
use crate::talks::{self, RecordedDialogue};

const TURNS_AT: [usize; 3] = [5, 10, 20];
const SESSIONS_AT: [usize; 2] = [5, 10];

/// The shares of gold turns and sessions that were found.
#[derive(Debug, Clone, Copy, Default)]
struct Hits {
    questions: f64,
    turns: [f64; 3],
    sessions: [f64; 2],
}

impl Hits {
    fn add(
        &mut self,
        turns: &[usize],
        gold: &BTreeSet<usize>,
        sessions: &[usize],
        in_sessions: &BTreeSet<usize>,
    ) {
        self.questions += 1.0;
        for (sum, at) in self.turns.iter_mut().zip(TURNS_AT) {
            *sum += share(turns, gold, at);
        }
        for (sum, at) in self.sessions.iter_mut().zip(SESSIONS_AT) {
            *sum += share(sessions, in_sessions, at);
        }
    }

    fn percent(sum: f64, of: f64) -> f64 {
        if of == 0.0 { 0.0 } else { (1000.0 * sum / of).round() / 10.0 }
    }

    fn json(&self) -> Map<String, Value> {
        let mut map = Map::new();
        map.insert("questions".into(), json!(self.questions));
        for (sum, at) in self.turns.iter().zip(TURNS_AT) {
            map.insert(format!("turn_recall_at_{at}"), json!(Self::percent(*sum, self.questions)));
        }
        for (sum, at) in self.sessions.iter().zip(SESSIONS_AT) {
            map.insert(format!("session_recall_at_{at}"), json!(Self::percent(*sum, self.questions)));
        }
        map
    }
}

pub fn share(found: &[usize], gold: &BTreeSet<usize>, at: usize) -> f64 {
    let hits = found.iter().take(at).filter(|place| gold.contains(place)).count();
    hits as f64 / gold.len().max(1) as f64
}

/// The result of one run over the data.
#[derive(Default)]
struct Tally {
    all: Hits,
    by_category: BTreeMap<i64, Hits>,
    by_talk: Vec<Hits>,
    bm25: Hits,
    vectors: Hits,
    millis: Vec<f64>,
    answerable: Vec<f64>,
    unanswerable: Vec<f64>,
    /// The answerability scores of questions about other people's lives; the next fields count how many were refused
    /// and what they brought.
    strange: Vec<f64>,
    strange_refused: f64,
    strange_items: f64,
    refused: [f64; 2],
    asked: [f64; 2],
    /// Questions with a gold turn that is not among the first ten, for inspection.
    missed: Vec<Value>,
}

pub async fn run(data: Option<&Path>) -> anyhow::Result<BenchReport> {
    let file = data.unwrap_or(Path::new(talks::USUAL));
    let talks = talks::read(file)?;
    let embedder = memory_setup::embedder();
    let mut tally = Tally::default();
    for (place, talk) in talks.iter().enumerate() {
        let other = &talks[(place + 1) % talks.len()];
        one(talk, other, embedder.clone(), &mut tally).await?;
    }
    Ok(report(&tally, file, talks.len(), embedder.is_some()))
}

async fn one(
    talk: &RecordedDialogue,
    other: &RecordedDialogue,
    embedder: Option<Arc<dyn EmbeddingModel>>,
    tally: &mut Tally,
) -> anyhow::Result<()> {
    let [user, companion] = talk.speakers.clone();
    let last = talk.sessions.iter().flatten().map(|said| said.at).max().unwrap_or(Timestamp::UNIX_EPOCH);
    let names = SpeakerNames { user: user.clone(), companion };
    let setup = MemorySetup::new(names, &last.to_string(), embedder.clone()).await?;
    let mut places: HashMap<MessageId, usize> = HashMap::new();
    let mut by_id: HashMap<&str, usize> = HashMap::new();
    let mut session_of: Vec<usize> = Vec::new();
    let mut conversations: HashMap<ConversationId, usize> = HashMap::new();
    let (mut texts, mut with_speaker): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    for (number, session) in talk.sessions.iter().enumerate() {
        let lines: Vec<DatedMessage> = session
            .iter()
            .map(|said| DatedMessage {
                role: if said.speaker == user { Role::User } else { Role::Assistant },
                text: said.text.clone(),
                at: said.at,
            })
            .collect();
        let (conversation, messages) = setup.tell(&format!("Session {}", number + 1), &lines).await?;
        conversations.insert(conversation, number);
        for (said, message) in session.iter().zip(messages) {
            places.insert(message, texts.len());
            by_id.insert(&said.id, texts.len());
            session_of.push(number);
            texts.push(said.text.clone());
            with_speaker.push(format!("{}: {}", said.speaker, said.text));
        }
    }
    setup.embed_all().await?;
    let index = Bm25::new(&texts);
    // Without the speaker's name, vectors alone would find much less.
    let vectors = match &embedder {
        Some(model) => Some(model.embed(&with_speaker).await?),
        None => None,
    };
    let mut own = Hits::default();
    for question in &talk.questions {
        let gold: BTreeSet<usize> =
            question.gold.iter().filter_map(|id| by_id.get(id.as_str()).copied()).collect();
        if gold.is_empty() && question.category != 5 {
            continue;
        }
        let began = Instant::now();
        let recall = RecallRequest::new(question.text.clone(), Recipient::Other);
        let recalled = setup.memory.recall(setup.user, recall).await?;
        tally.millis.push(began.elapsed().as_secs_f64() * 1000.0);
        let unanswerable = usize::from(question.category == 5);
        tally.asked[unanswerable] += 1.0;
        tally.refused[unanswerable] += f64::from(u8::from(recalled.refused));
        let side = if question.category == 5 { &mut tally.unanswerable } else { &mut tally.answerable };
        side.push(f64::from(recalled.answerable));
        if question.category == 5 {
            continue;
        }
        let turns: Vec<usize> = recalled
            .items
            .iter()
            .filter(|item| item.kind == MemoryKind::Message)
            .filter_map(|item| places.get(&item.message_id?).copied())
            .collect();
        // A refused recall shows nothing, so it counts no sessions either.
        let sessions: Vec<usize> = if recalled.refused {
            Vec::new()
        } else {
            let found = setup.memory.conversations_about(setup.user, &question.text).await?;
            found.into_iter().filter_map(|id| conversations.get(&id).copied()).collect()
        };
        if share(&turns, &gold, 10) < 1.0 {
            let said = |places: &mut dyn Iterator<Item = &usize>| {
                places.map(|&at| with_speaker[at].clone()).collect::<Vec<_>>()
            };
            tally.missed.push(json!({
                "category": question.category,
                "question": question.text,
                "refused": recalled.refused,
                "gold": said(&mut gold.iter().filter(|at| !turns.iter().take(10).any(|turn| turn == *at))),
                "found": said(&mut turns.iter().take(10)),
            }));
        }
        let in_sessions: BTreeSet<usize> = gold.iter().map(|&place| session_of[place]).collect();
        for hits in [&mut tally.all, tally.by_category.entry(question.category).or_default(), &mut own] {
            hits.add(&turns, &gold, &sessions, &in_sessions);
        }
        let ranked = index.rank(&question.text);
        tally.bm25.add(&ranked, &gold, &best_sessions(&ranked, &session_of), &in_sessions);
        if let (Some(vectors), Some(model)) = (&vectors, &embedder) {
            let asked = model.embed(std::slice::from_ref(&question.text)).await?;
            let scores = vectors.iter().map(|vector| dot(vector, &asked[0])).collect::<Vec<_>>();
            let ranked = order(&scores);
            tally.vectors.add(&ranked, &gold, &best_sessions(&ranked, &session_of), &in_sessions);
        }
    }
    tally.by_talk.push(own);
    for text in strange(talk, other) {
        let recalled = setup.memory.recall(setup.user, RecallRequest::new(text, Recipient::Other)).await?;
        tally.strange.push(f64::from(recalled.answerable));
        tally.strange_refused += f64::from(u8::from(recalled.refused));
        tally.strange_items += recalled.items.len() as f64;
    }
    Ok(())
}

/// Returns questions about the lives of two other people with the names of these two, to which no turn has the answer.
fn strange(talk: &RecordedDialogue, other: &RecordedDialogue) -> Vec<String> {
    let named = |text: &str| {
        let names = other.speakers.iter().zip(&talk.speakers);
        names.fold(text.to_owned(), |text, (theirs, ours)| text.replace(theirs, ours))
    };
    let answerable = other.questions.iter().filter(|question| question.category != 5);
    answerable.map(|question| named(&question.text)).collect()
}

/// Returns the sessions in the order of their best turn.
fn best_sessions(ranked: &[usize], session_of: &[usize]) -> Vec<usize> {
    let mut sessions = Vec::new();
    for session in ranked.iter().map(|&place| session_of[place]) {
        if !sessions.contains(&session) {
            sessions.push(session);
        }
    }
    sessions
}

fn order(scores: &[f32]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..scores.len()).collect();
    places.sort_by(|&one, &other| scores[other].total_cmp(&scores[one]));
    places
}

fn dot(one: &[f32], other: &[f32]) -> f32 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

/// The baseline: BM25 over stems.
struct Bm25 {
    documents: Vec<Vec<String>>,
    counts: HashMap<String, f32>,
    mean: f32,
}

impl Bm25 {
    const K1: f32 = 1.2;
    const B: f32 = 0.75;

    fn new(texts: &[String]) -> Self {
        let documents: Vec<Vec<String>> = texts.iter().map(|text| text::terms(text)).collect();
        let mut counts: HashMap<String, f32> = HashMap::new();
        for document in &documents {
            for term in document.iter().collect::<BTreeSet<_>>() {
                *counts.entry(term.clone()).or_default() += 1.0;
            }
        }
        let total: usize = documents.iter().map(Vec::len).sum();
        let mean = total as f32 / documents.len().max(1) as f32;
        Self { documents, counts, mean }
    }

    fn rank(&self, question: &str) -> Vec<usize> {
        let asked: BTreeSet<String> = text::terms(question).into_iter().collect();
        let all = self.documents.len() as f32;
        let scores: Vec<f32> = self
            .documents
            .iter()
            .map(|document| {
                asked
                    .iter()
                    .map(|term| {
                        let with = self.counts.get(term).copied().unwrap_or(0.0);
                        let rarity = (1.0 + (all - with + 0.5) / (with + 0.5)).ln();
                        let count = document.iter().filter(|own| *own == term).count() as f32;
                        let length = 1.0 - Self::B + Self::B * document.len() as f32 / self.mean;
                        rarity * count * (Self::K1 + 1.0) / (count + Self::K1 * length)
                    })
                    .sum()
            })
            .collect();
        order(&scores)
    }
}

/// Returns the probability that an answerable question scores above an unanswerable one.
fn auroc(answerable: &[f64], unanswerable: &[f64]) -> f64 {
    let mut wins = 0.0;
    for yes in answerable {
        for no in unanswerable {
            wins += if yes > no {
                1.0
            } else if yes < no {
                0.0
            } else {
                0.5
            };
        }
    }
    wins / (answerable.len() * unanswerable.len()).max(1) as f64
}

fn report(tally: &Tally, file: &Path, talks: usize, with_vectors: bool) -> BenchReport {
    let vectors =
        if with_vectors { "with the embedding model that ships" } else { "without an embedding model" };
    let mut report = BenchReport::new(
        "recall",
        format!(
            "Of {}: {talks} long conversations, {} questions of categories 1 to 4 with their gold turns, {} of category 5. \
             Each question goes through the recall of a turn with its default settings, {vectors}, and what is refused \
             counts as not found. The structure and the word lists were chosen with all five conversations of the \
             development file in view, so that none of them is unseen; what weights found on three of them do on the \
             other two, `recall-tune` tells. Strange questions are those about the people of another conversation, asked \
             about these.",
            file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
            tally.all.questions,
            tally.asked[1],
        ),
    );
    let all = tally.all.json();
    let number = |map: &Map<String, Value>, key: &str| map.get(key).and_then(Value::as_f64).unwrap_or(0.0);
    for at in TURNS_AT {
        let key = format!("turn_recall_at_{at}");
        let goal = (at == 10).then_some(Goal::AtLeast(80.0));
        report.row(key.clone(), format!("gold turns among the first {at}"), number(&all, &key), "%", goal);
    }
    for at in SESSIONS_AT {
        let key = format!("session_recall_at_{at}");
        let goal = (at == 10).then_some(Goal::AtLeast(95.0));
        report.row(key.clone(), format!("gold sessions among the first {at}"), number(&all, &key), "%", goal);
    }
    let held = tally.by_talk.iter().skip(3).fold(Hits::default(), |sum, own| Hits {
        questions: sum.questions + own.questions,
        turns: std::array::from_fn(|place| sum.turns[place] + own.turns[place]),
        sessions: std::array::from_fn(|place| sum.sessions[place] + own.sessions[place]),
    });
    if held.questions > 0.0 {
        let map = held.json();
        report.row(
            "last_two_turn_recall_at_10",
            "conversations 4 and 5: turns, first 10",
            number(&map, "turn_recall_at_10"),
            "%",
            Some(Goal::AtLeast(80.0)),
        );
        report.row(
            "last_two_session_recall_at_10",
            "conversations 4 and 5: sessions, first 10",
            number(&map, "session_recall_at_10"),
            "%",
            Some(Goal::AtLeast(95.0)),
        );
    }
    for (category, hits) in &tally.by_category {
        let map = hits.json();
        report.row(
            format!("category_{category}_turn_recall_at_10"),
            format!("category {category}: turns, first 10"),
            number(&map, "turn_recall_at_10"),
            "%",
            None,
        );
    }
    for (name, hits) in [("bm25", &tally.bm25), ("vectors", &tally.vectors)] {
        let map = hits.json();
        report.row(
            format!("{name}_turn_recall_at_10"),
            format!("{name} alone: turns, first 10"),
            number(&map, "turn_recall_at_10"),
            "%",
            None,
        );
        report.row(
            format!("{name}_session_recall_at_10"),
            format!("{name} alone: sessions, first 10"),
            number(&map, "session_recall_at_10"),
            "%",
            None,
        );
    }
    let auroc = auroc(&tally.answerable, &tally.unanswerable);
    report.row(
        "abstention_auroc",
        "answerable above unanswerable (AUROC)",
        (auroc * 1000.0).round() / 1000.0,
        "",
        None,
    );
    let refused = |which: usize| Hits::percent(tally.refused[which], tally.asked[which]);
    report.row("wrongly_refused", "answerable questions refused", refused(0), "%", None);
    report.row("rightly_refused", "unanswerable questions refused", refused(1), "%", None);
    report.row(
        "recall_p95_ms",
        "one recall, 95th percentile",
        percentile(&tally.millis, 95.0),
        "ms",
        Some(Goal::AtMost(15.0)),
    );
    let categories: Map<String, Value> = tally
        .by_category
        .iter()
        .map(|(category, hits)| (category.to_string(), Value::Object(hits.json())))
        .collect();
    report.detail("per_category", Value::Object(categories));
    report.detail(
        "per_conversation",
        Value::Array(tally.by_talk.iter().map(|hits| Value::Object(hits.json())).collect()),
    );
    if !tally.strange.is_empty() {
        let count = tally.strange.len() as f64;
        let apart = self::auroc(&tally.answerable, &tally.strange);
        report.row("strange_auroc", "answerable above strange questions (AUROC)", apart, "", None);
        let refused = 100.0 * tally.strange_refused / count;
        report.row("strange_refused", "strange questions refused", refused, "%", None);
        report.row(
            "strange_items",
            "what a strange question brings",
            tally.strange_items / count,
            "items",
            None,
        );
    }
    report.detail("missed", Value::Array(tally.missed.clone()));
    report.detail("last_two", Value::Object(held.json()));
    report.detail("baselines", json!({"bm25": tally.bm25.json(), "vectors": tally.vectors.json()}));
    report.detail(
        "abstention",
        json!({"auroc": auroc, "answerable_refused": refused(0), "unanswerable_refused": refused(1)}),
    );
    report
}
