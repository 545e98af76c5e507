use std::sync::Arc;
use std::time::{Duration, Instant};

use engine::{Engine, EngineOptions};
use futures_util::StreamExt as _;
use model::{CacheKey, ChatModel, ChatRequest, Delta, Message, Role, Sampling};
use testkit::TempHome;

use crate::report::{Goal, Report};
use crate::server::{Running, Timed, starter};
use crate::statistics::{median, median_ratio};

const PAIRS: usize = 20;
const ANSWER: u32 = 48;
/// Long enough that evaluating it takes a moment, as a real question does.
const QUESTION: &str = "I walked along the harbour this evening and counted the boats that came home. There were nine, \
    and the last one had no lights. The woman who steers it waved. Tell me a short story about her, and about what she \
    saw out there. Question number";

/// The raw engine and our whole server on the same prompt.
pub async fn first_token_and_speed() -> anyhow::Result<Report> {
    let home = TempHome::new();
    home.write("config.toml", format!("[llm]\ntemperature = 0.0\nnum_predict = {ANSWER}\n"));
    let server = Running::with_starter(home.path()).await?;
    let raw = raw_engine(home.join("raw-states"))?;
    let (mut first, mut raw_first, mut speed, mut raw_speed) = (vec![], vec![], vec![], vec![]);
    for pair in 0..=PAIRS {
        let question = format!("{QUESTION} {pair}.");
        let conversation = server.fresh().await?;
        let ours = server.say(&question, Some(&conversation)).await?;
        let messages = prompt_of(&server, &ours).await?;
        let theirs = ask(&raw, messages, &format!("raw {pair}")).await?;
        anyhow::ensure!(
            theirs.text.trim() == ours.text.trim(),
            "the two answers differ:\n{}\n{}",
            ours.text,
            theirs.text
        );
        // The first pair warms both up: files, pages, caches.
        if pair > 0 {
            first.push(ours.first_token.as_secs_f64());
            raw_first.push(theirs.first_token.as_secs_f64());
            speed.push(per_second(&ours));
            raw_speed.push(per_second(&theirs));
        }
    }
    server.process.stop().await;
    let method = format!(
        "The starter model, {PAIRS} interleaved pairs: a question of about 90 tokens through the HTTP stream of the whole \
         server (stored, assembled, streamed), and the same prompt handed to the raw engine in another process. Both have \
         the system prefix evaluated. The answers are checked to be the same words."
    );
    let mut report = Report::new("turn", method);
    let ratio = median_ratio(&first, &raw_first);
    report.row(
        "first_token_ratio",
        "time to first token, server ÷ raw engine",
        ratio,
        "×",
        Some(Goal::AtMost(1.10)),
    );
    let ratio = median_ratio(&speed, &raw_speed);
    report.row(
        "speed_ratio",
        "tokens per second, server ÷ raw engine",
        ratio,
        "×",
        Some(Goal::AtLeast(0.95)),
    );
    report.row("first_token_ms", "time to first token, server", median(&first) * 1e3, "ms", None);
    report.row("raw_first_token_ms", "time to first token, raw engine", median(&raw_first) * 1e3, "ms", None);
    report.row("tokens_per_second", "tokens per second, server", median(&speed), "/s", None);
    let overhead = (1.0 / median(&speed) - 1.0 / median(&raw_speed)) * 1e6;
    report.row("event_overhead_us", "what an event costs beyond its token", overhead, "µs", None);
    Ok(report)
}

/// A conversation of 3,000 tokens: what its second turn costs, and its third after a restart.
pub async fn second_turn() -> anyhow::Result<Report> {
    let home = TempHome::new();
    home.write("config.toml", "[llm]\ntemperature = 0.0\nnum_predict = 4\n");
    let story = story();
    let mut server = Running::with_starter(home.path()).await?;
    let (mut firsts, mut seconds, mut thirds, mut tokens) = (vec![], vec![], vec![], 0.0);
    for pair in 0..PAIRS {
        let conversation = server.fresh().await?;
        let first = server.say(&format!("Night {pair}. {story}"), Some(&conversation)).await?;
        let second = server.say("And what did she do then?", Some(&conversation)).await?;
        server.process.stop().await;
        server = Running::with_starter(home.path()).await?;
        let third = server.say("And after that?", Some(&conversation)).await?;
        let why = server.get(&format!("/api/chat/turns/{}/why", second.turn)).await?;
        tokens = why["usage"]["promptTokens"].as_f64().unwrap_or(0.0);
        firsts.push(first.first_token.as_secs_f64());
        seconds.push(second.first_token.as_secs_f64());
        thirds.push(third.first_token.as_secs_f64());
    }
    server.process.stop().await;
    let method = format!(
        "The starter model, {PAIRS} conversations. The first message fills the prompt to about 3,000 tokens; the second \
         and third are short, each with its own context block (the time). Before the third, the server is stopped and \
         started again."
    );
    let mut report = Report::new("second-turn", method);
    report.row("prompt_tokens", "tokens of the second turn's prompt", tokens, "", None);
    report.row("first_ms", "first turn, time to first token", median(&firsts) * 1e3, "ms", None);
    report.row("second_ms", "second turn", median(&seconds) * 1e3, "ms", None);
    report.row("restarted_ms", "third turn, after a restart", median(&thirds) * 1e3, "ms", None);
    let ratio = median_ratio(&seconds, &firsts);
    report.row("second_ratio", "second ÷ first", ratio, "×", Some(Goal::AtMost(0.05)));
    let ratio = median_ratio(&thirds, &firsts);
    report.row("restarted_ratio", "after a restart ÷ first", ratio, "×", Some(Goal::AtMost(0.10)));
    Ok(report)
}

/// About 2,800 tokens that do not repeat themselves word for word.
fn story() -> String {
    let lines = (0..165).map(|night| {
        format!(
            "In night {night} the keeper of the light counted {} ships and wrote their names down.",
            (night * 7) % 31
        )
    });
    lines.collect::<Vec<_>>().join(" ")
}

fn raw_engine(states: std::path::PathBuf) -> anyhow::Result<Arc<Engine>> {
    let options = EngineOptions {
        context: 8192,
        threads: 0,
        parallel: 2,
        cache_bytes: 256 << 20,
        disk_cache: states,
        disk_cache_bytes: 0,
    };
    Ok(Arc::new(Engine::load(&starter()?, "starter", &options)?))
}

/// The very prompt that the server sent, from what it says about the turn.
async fn prompt_of(server: &Running, turn: &Timed) -> anyhow::Result<Vec<Message>> {
    let why = server.get(&format!("/api/chat/turns/{}/why", turn.turn)).await?;
    let parts: Vec<(&str, &str)> = why["fragments"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|part| Some((part["kind"].as_str()?, part["text"].as_str()?)))
        .collect();
    let joined = |kinds: &[&str]| {
        let texts = parts.iter().filter(|(kind, _)| kinds.contains(kind)).map(|(_, text)| *text);
        texts.collect::<Vec<_>>().join("\n\n")
    };
    Ok(vec![
        Message::text(Role::System, joined(&["soul", "date"])),
        Message::text(Role::User, joined(&["context", "user"])),
    ])
}

async fn ask(engine: &Engine, messages: Vec<Message>, key: &str) -> anyhow::Result<Timed> {
    let request = ChatRequest {
        messages,
        sampling: Sampling { max_tokens: ANSWER, temperature: 0.0, ..Sampling::default() },
        cache_key: Some(CacheKey::new(key)),
        ..ChatRequest::default()
    };
    let started = Instant::now();
    let mut deltas = engine.chat(request).await?;
    let mut timed = Timed::default();
    while let Some(delta) = deltas.next().await {
        if let Delta::Text(text) = delta? {
            timed.arrivals.push(started.elapsed());
            timed.text.push_str(&text);
            timed.tokens += 1;
        }
    }
    timed.first_token = timed.arrivals.first().copied().unwrap_or(Duration::ZERO);
    timed.total = timed.arrivals.last().copied().unwrap_or_default();
    Ok(timed)
}

/// Tokens per second after the first.
fn per_second(timed: &Timed) -> f64 {
    #[allow(clippy::cast_precision_loss)]
    let tokens = timed.tokens.saturating_sub(1) as f64;
    tokens / timed.total.saturating_sub(timed.first_token).as_secs_f64()
}
