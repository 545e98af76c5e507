use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use futures_util::StreamExt as _;
use futures_util::future::join_all;
use protocol::{ChatView, Event, MessageStatus, Role};
use serde_json::json;
use testkit::{ScriptedModel, ScriptedReply, SseParser, TempHome};

use crate::report::{BenchReport, Goal};
use crate::server::{RunningServer, resident};

const WORKERS: usize = 24;
const ROUND: Duration = Duration::from_secs(15);
const WORDS: usize = 60;
/// The time between two words, as with a fast model, so that a kill interrupts most answers.
const PACE: Duration = Duration::from_millis(15);
/// The age up to which a seen word may be lost by a kill. The server stores an answer every quarter of a second;
/// writing it, and sending a word to the client, take time as well.
const MAY_BE_LOST: Duration = Duration::from_millis(400);

/// The data that a client received and may rely on.
struct Told {
    conversation: String,
    message: String,
    /// The words of the answer, and when they arrived.
    came: Vec<(Instant, String)>,
    /// True if the client was told that the answer is complete.
    done: bool,
}

/// The end of the server in a round.
#[derive(Clone, Copy)]
enum End {
    Stopped,
    Killed(Instant),
}

/// The results of the checks after each start.
#[derive(Default)]
struct Found {
    broken: usize,
    /// The number of answers that were seen in part when the server was killed.
    in_flight: usize,
    /// The greatest age of a lost word at the time of the kill.
    oldest_loss: Duration,
}

/// Simulates many users for a long time: they talk, stop, disconnect and search, while the server is killed and
/// restarted. Everything that a client was told must exist afterwards.
pub async fn run(minutes: u64) -> anyhow::Result<BenchReport> {
    let model = ScriptedModel::start().await;
    let paced = (0..WORDS)
        .fold(ScriptedReply::empty(), |reply, number| reply.then(format!("word{number} ")).pause(PACE));
    model.otherwise(paced);
    let home = TempHome::new();
    home.write("config.toml", format!("[llm]\nbase_url = \"{}/v1\"\nmodel = \"scripted\"\n", model.url()));
    let until = Instant::now() + Duration::from_mins(minutes);
    let (mut rounds, mut turns) = (0_u32, 0_usize);
    let mut found = Found::default();
    let mut sizes = Vec::new();
    let mut last: Option<(Vec<Told>, End)> = None;
    while Instant::now() < until {
        let server = RunningServer::start(home.path(), &[]).await?;
        if let Some((told, end)) = &last {
            found.check(&server, told, *end).await;
        }
        let ends = Instant::now() + ROUND;
        let numbers = AtomicU64::new(0);
        let work = join_all((0..WORKERS).map(|_| worker(&server, &numbers, ends)));
        // In every other round the server is killed in the middle of its work.
        let (heard, end) = if rounds % 2 == 1 {
            let pid = server.process.pid();
            let power = async {
                tokio::time::sleep(ROUND * 7 / 8).await;
                testkit::kill(pid);
                Instant::now()
            };
            let (heard, killed) = tokio::join!(work, power);
            (heard, End::Killed(killed))
        } else {
            let heard = work.await;
            sizes.push(resident(server.process.pid())?);
            server.process.stop().await;
            (heard, End::Stopped)
        };
        let heard: Vec<Told> = heard.into_iter().flatten().collect();
        turns += heard.len();
        last = Some((heard, end));
        rounds += 1;
        eprintln!(
            "round {rounds}: {turns} turns, {} broken promises, {} answers in flight, oldest loss {:?}",
            found.broken, found.in_flight, found.oldest_loss
        );
    }
    let server = RunningServer::start(home.path(), &[]).await?;
    if let Some((told, end)) = &last {
        found.check(&server, told, *end).await;
    }
    server.process.stop().await;
    Ok(report(minutes, turns, rounds, &found, &sizes))
}

#[allow(clippy::cast_precision_loss, reason = "small counts")]
fn report(minutes: u64, turns: usize, rounds: u32, found: &Found, sizes: &[f64]) -> BenchReport {
    let method = format!(
        "{minutes} minutes, {WORKERS} people at once with the scripted model at {} words a second: each talks, and now and \
         then stops the answer, hangs up, or searches. Every {} seconds the server ends, every other time by `kill -9`; \
         after the next start, all that a client was told is looked for: every message, every finished answer to the \
         letter, and of an answer in flight every word that was seen more than {} ms before the power went.",
        1000 / PACE.as_millis(),
        ROUND.as_secs(),
        MAY_BE_LOST.as_millis(),
    );
    let mut report = BenchReport::new("soak", method);
    report.row("turns", "turns", turns as f64, "", None);
    report.row("restarts", "restarts", f64::from(rounds), "", None);
    report.row("in_flight", "answers in flight when the power went", found.in_flight as f64, "", None);
    report.row(
        "broken_promises",
        "things that a client was told and that were gone",
        found.broken as f64,
        "",
        Some(Goal::AtMost(0.0)),
    );
    report.row(
        "oldest_loss_ms",
        "how long before the power went the oldest lost word was seen",
        found.oldest_loss.as_secs_f64() * 1000.0,
        "ms",
        Some(Goal::AtMost(MAY_BE_LOST.as_secs_f64() * 1000.0)),
    );
    let largest = sizes.iter().copied().fold(0.0, f64::max);
    report.row(
        "memory_mb",
        "resident memory at the end of a round, at most",
        largest,
        "MB",
        Some(Goal::AtMost(200.0)),
    );
    report
}

/// Talks until the time is over or the server is gone.
async fn worker(server: &RunningServer, numbers: &AtomicU64, ends: Instant) -> Vec<Told> {
    let mut told = Vec::new();
    while Instant::now() < ends {
        let number = numbers.fetch_add(1, Ordering::Relaxed);
        match one_turn(server, number).await {
            Ok(turn) => told.extend(turn),
            // The server was killed; the data before that counts.
            Err(_) => break,
        }
    }
    told
}

async fn one_turn(server: &RunningServer, number: u64) -> anyhow::Result<Option<Told>> {
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
                        came: Vec::new(),
                        done: false,
                    });
                    if number % 7 == 3 {
                        server.post("/api/chat/stop", &json!({ "turnId": turn_id })).await?;
                    }
                }
                Event::Token { content } => {
                    tokens += 1;
                    if let Some(told) = &mut told {
                        told.came.push((Instant::now(), content));
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

impl Found {
    async fn check(&mut self, server: &RunningServer, told: &[Told], end: End) {
        for told in told {
            let view = server.get(&format!("/api/chats/{}", told.conversation)).await;
            let view: Option<ChatView> = view.ok().and_then(|view| serde_json::from_value(view).ok());
            let lost = match &view {
                Some(view) => told.lost_in(view, end),
                None => Err("the conversation".to_owned()),
            };
            match lost {
                Ok(None) => {}
                Ok(Some(lost)) => {
                    self.in_flight += 1;
                    self.oldest_loss = self.oldest_loss.max(lost);
                }
                Err(what) => {
                    self.broken += 1;
                    eprintln!("gone: {what} of “{}” in {}", told.message, told.conversation);
                }
            }
        }
    }
}

impl Told {
    /// Checks whether data is missing. `Ok(Some(age))` is an unfinished answer; `age` is the age of its oldest lost
    /// word at the time of the kill, or zero.
    fn lost_in(&self, view: &ChatView, end: End) -> Result<Option<Duration>, String> {
        let said = |role: Role| view.messages.iter().find(|message| message.role == role);
        if said(Role::User).is_none_or(|question| question.content != self.message) {
            return Err("the message".to_owned());
        }
        let came: String = self.came.iter().map(|(_, word)| word.as_str()).collect();
        let answer = said(Role::Assistant).ok_or("the answer")?;
        let stored = answer.content.trim_end();
        if answer.status == MessageStatus::Streaming {
            return Err("the mark that the answer was cut".to_owned());
        }
        if self.done {
            let same = stored == came.trim_end();
            return if same { Ok(None) } else { Err(format!("the end (seen {came:?}, stored {stored:?})")) };
        }
        let End::Killed(killed) = end else {
            let kept = stored.starts_with(came.trim_end());
            return if kept { Ok(None) } else { Err(format!("a part (seen {came:?}, stored {stored:?})")) };
        };
        let mut length = 0;
        let lost = self.came.iter().find(|(_, word)| {
            length += word.len();
            !stored.starts_with(came[..length].trim_end())
        });
        let age = lost.map_or(Duration::ZERO, |(seen, _)| killed.saturating_duration_since(*seen));
        if age > MAY_BE_LOST || !(came.starts_with(stored) || stored.starts_with(came.trim_end())) {
            return Err(format!("{age:?} (seen {came:?}, stored {stored:?})"));
        }
        Ok(Some(age))
    }
}

pub fn minutes(arguments: &[String]) -> anyhow::Result<u64> {
    let value = arguments.iter().skip_while(|argument| *argument != "--minutes").nth(1);
    value.map_or(Ok(5), |value| value.parse().context("--minutes needs a number"))
}
