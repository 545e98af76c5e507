use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use futures_util::StreamExt as _;
use futures_util::future::join_all;
use protocol::{ChatView, Event, Role};
use serde_json::json;
use testkit::{Reply, ScriptedModel, SseParser, TempHome};

use crate::report::{Goal, Report};
use crate::server::{Running, resident};

const WORKERS: usize = 12;
const ROUND: Duration = Duration::from_secs(15);
const WORDS: usize = 60;

/// What a client was told, and may therefore rely on.
struct Told {
    conversation: String,
    message: String,
    /// What came of the answer.
    came: String,
    /// Whether the client was told that this is all of it. Until then, the last moment of an answer may be lost.
    done: bool,
}

/// Many people for a long time: they talk, stop, hang up and search, while the server is killed and started
/// again. Whatever a client was told has to be there afterwards.
pub async fn run(minutes: u64) -> anyhow::Result<Report> {
    let model = ScriptedModel::start().await;
    model.otherwise(Reply::chunks((0..WORDS).map(|number| format!("word{number} "))));
    let home = TempHome::new();
    home.write("config.toml", format!("[llm]\nbase_url = \"{}/v1\"\nmodel = \"scripted\"\n", model.url()));
    let until = Instant::now() + Duration::from_mins(minutes);
    let (mut rounds, mut turns, mut broken) = (0_u32, 0_usize, 0_usize);
    let mut sizes = Vec::new();
    let mut told: Vec<Told> = Vec::new();
    while Instant::now() < until {
        let server = Running::start(home.path(), &[]).await?;
        broken += check(&server, &told).await?;
        let ends = Instant::now() + ROUND;
        let numbers = AtomicU64::new(0);
        let work = join_all((0..WORKERS).map(|_| worker(&server, &numbers, ends)));
        // Every other time the power goes, in the middle of everything.
        let killed = rounds % 2 == 1;
        let heard: Vec<Told> = if killed {
            let pid = server.process.pid();
            let power = async {
                tokio::time::sleep(ROUND * 7 / 8).await;
                testkit::kill(pid);
            };
            tokio::join!(work, power).0.into_iter().flatten().collect()
        } else {
            work.await.into_iter().flatten().collect()
        };
        if !killed {
            sizes.push(resident(server.process.pid())?);
            server.process.stop().await;
        }
        turns += heard.len();
        told = heard;
        rounds += 1;
        eprintln!("round {rounds}: {turns} turns, {broken} broken promises");
    }
    let server = Running::start(home.path(), &[]).await?;
    broken += check(&server, &told).await?;
    server.process.stop().await;

    let method = format!(
        "{minutes} minutes, {WORKERS} people at once with the scripted model: each talks, and now and then stops the answer, \
         hangs up, or searches. Every {} seconds the server ends, every other time by `kill -9`; after the next start, \
         all that a client was told is looked for.",
        ROUND.as_secs()
    );
    let mut report = Report::new("soak", method);
    #[allow(clippy::cast_precision_loss)]
    let (turns, broken) = (turns as f64, broken as f64);
    report.row("turns", "turns", turns, "", None);
    report.row("restarts", "restarts", f64::from(rounds), "", None);
    report.row(
        "broken_promises",
        "things that a client was told and that were gone",
        broken,
        "",
        Some(Goal::AtMost(0.0)),
    );
    let largest = sizes.iter().copied().fold(0.0, f64::max);
    report.row(
        "memory_mb",
        "resident memory at the end of a round, at most",
        largest,
        "MB",
        Some(Goal::AtMost(200.0)),
    );
    Ok(report)
}

/// Talks until the time is over or the server is gone.
async fn worker(server: &Running, numbers: &AtomicU64, ends: Instant) -> Vec<Told> {
    let mut told = Vec::new();
    while Instant::now() < ends {
        let number = numbers.fetch_add(1, Ordering::Relaxed);
        match one_turn(server, number).await {
            Ok(turn) => told.extend(turn),
            // The server was killed: what came before that counts.
            Err(_) => break,
        }
    }
    told
}

async fn one_turn(server: &Running, number: u64) -> anyhow::Result<Option<Told>> {
    let conversation = server.fresh().await?;
    let message = format!("message {number}");
    let body = json!({"message": message, "conversationId": conversation});
    let response = server.post("/api/chat/stream", &body).await?;
    let (mut bytes, mut parser) = (response.bytes_stream(), SseParser::default());
    let mut told: Option<Told> = None;
    let mut tokens = 0;
    'reading: while let Some(chunk) = bytes.next().await {
        let Ok(chunk) = chunk else { break };
        for event in parser.push(&chunk) {
            match serde_json::from_str(&event.data)? {
                Event::Metadata { turn_id, .. } => {
                    told = Some(Told {
                        conversation: conversation.clone(),
                        message: message.clone(),
                        came: String::new(),
                        done: false,
                    });
                    if number % 7 == 3 {
                        server.post("/api/chat/stop", &json!({ "turnId": turn_id })).await?;
                    }
                }
                Event::Token { content } => {
                    tokens += 1;
                    if let Some(told) = &mut told {
                        told.came.push_str(&content);
                    }
                }
                Event::Done { .. } => {
                    if let Some(told) = &mut told {
                        told.done = true;
                    }
                }
                _ => {}
            }
            if number % 5 == 2 && tokens > 20 {
                break 'reading;
            }
        }
    }
    if number % 11 == 4 {
        server.get("/api/chats/search?q=word1").await.ok();
    }
    Ok(told)
}

/// How many promises do not hold.
async fn check(server: &Running, told: &[Told]) -> anyhow::Result<usize> {
    let mut broken = 0;
    for told in told {
        let view = server.get(&format!("/api/chats/{}", told.conversation)).await;
        let view: Option<ChatView> = view.ok().and_then(|view| serde_json::from_value(view).ok());
        let kept = view.is_some_and(|view| {
            let said = |role: Role| {
                view.messages.iter().find(|message| message.role == role).map(|found| &found.content)
            };
            said(Role::User).is_some_and(|text| *text == told.message)
                && said(Role::Assistant).map_or(!told.done, |text| told.agrees_with(text))
        });
        if !kept {
            broken += 1;
            eprintln!("gone: {} in {}", told.message, told.conversation);
        }
    }
    Ok(broken)
}

impl Told {
    fn agrees_with(&self, stored: &str) -> bool {
        let (came, stored) = (self.came.trim_end(), stored.trim_end());
        if self.done { stored == came } else { stored.starts_with(came) || came.starts_with(stored) }
    }
}

pub fn minutes(arguments: &[String]) -> anyhow::Result<u64> {
    let value = arguments.iter().skip_while(|argument| *argument != "--minutes").nth(1);
    value.map_or(Ok(5), |value| value.parse().context("--minutes needs a number"))
}
