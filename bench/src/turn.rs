use anyhow::Context as _;
use testkit::TempHome;

use crate::raw::{RawEngine, RawPrompt};
use crate::report::{BenchReport, Goal};
use crate::server::{RunningServer, Timed, starter};
use crate::statistics::{median, median_ratio};

const PAIRS: usize = 20;
const ANSWER: u32 = 48;
/// A question that takes a moment to evaluate, like a real one.
const QUESTION: &str = "I walked along the harbour this evening and counted the boats that came home. There were nine, \
    and the last one had no lights. The woman who steers it waved. Tell me a short story about her, and about what she \
    saw out there.";

/// Measures the bare engine and the whole server on the same prompt.
pub async fn first_token_and_speed() -> anyhow::Result<BenchReport> {
    let home = TempHome::new();
    home.write(
        "config.toml",
        format!("[llm]\ntemperature = 0.0\nrepeat_penalty = 1.0\nnum_predict = {ANSWER}\n"),
    );
    let server = RunningServer::with_starter(home.path()).await?;
    let raw = RawEngine::load(&starter()?)?;
    let (mut ours, mut alike, mut eager) = (Times::default(), Times::default(), Times::default());
    let cores = i32::try_from(host::machine().physical_cores).unwrap_or(1);
    let spared = (cores - 1).max(1);
    let mut sessions = [raw.session(spared, cores)?, raw.session(cores, cores)?];
    for pair in 0..=PAIRS {
        // The part that differs comes first, since a common beginning of two prompts would be evaluated only once.
        let question = format!("Evening number {pair}. {QUESTION}");
        let conversation = server.fresh().await?;
        let answer = server.say(&question, Some(&conversation)).await?;
        let prompt = prompt_of(&server, &answer).await?;
        for (session, times) in sessions.iter_mut().zip([&mut alike, &mut eager]) {
            let raw = tokio::task::block_in_place(|| session.answer(&prompt, ANSWER))?;
            // The first pair warms up both sides: files, pages, caches.
            if pair > 0 {
                times.add(&raw);
            }
        }
        if pair > 0 {
            ours.add(&answer);
        }
    }
    server.process.stop().await;
    let method = format!(
        "The starter model, {PAIRS} interleaved pairs: a question of about 90 tokens through the HTTP stream of the whole \
         server (stored, assembled, streamed), and the same prompt handed to llama.cpp in a bare loop, in another process, \
         with as many threads ({cores} for the prompt, {spared} for the answer). Both have the system prefix evaluated. The prompts are checked to be \
         of the same length, and the same part of each is known from before. \
         The same loop with a thread on every core for the answer too is there to see what the spared core would bring."
    );
    let mut report = BenchReport::new("turn", method);
    let ratio = median_ratio(&ours.first, &alike.first);
    report.row(
        "first_token_ratio",
        "time to first token, server ÷ raw engine",
        ratio,
        "×",
        Some(Goal::AtMost(1.10)),
    );
    let ratio = median_ratio(&ours.speed, &alike.speed);
    report.row(
        "speed_ratio",
        "tokens per second, server ÷ raw engine",
        ratio,
        "×",
        Some(Goal::AtLeast(0.95)),
    );
    for (name, times) in [("server", &ours), ("raw", &alike), ("raw_every_core", &eager)] {
        let words = name.replace('_', " ");
        let first = median(&times.first) * 1e3;
        report.row(
            format!("{name}_first_token_ms"),
            format!("time to first token, {words}"),
            first,
            "ms",
            None,
        );
        let speed = median(&times.speed);
        report.row(
            format!("{name}_tokens_per_second"),
            format!("tokens per second, {words}"),
            speed,
            "/s",
            None,
        );
    }
    Ok(report)
}

#[derive(Default)]
struct Times {
    first: Vec<f64>,
    speed: Vec<f64>,
}

impl Times {
    fn add(&mut self, timed: &Timed) {
        self.first.push(timed.first_token.as_secs_f64());
        self.speed.push(per_second(timed));
    }
}

/// Measures the second turn in a conversation of 3,000 tokens, and the third after a restart.
pub async fn second_turn() -> anyhow::Result<BenchReport> {
    let home = TempHome::new();
    home.write("config.toml", "[llm]\ntemperature = 0.0\nnum_predict = 4\n");
    let story = story();
    let mut server = RunningServer::with_starter(home.path()).await?;
    let (mut firsts, mut seconds, mut thirds, mut tokens) = (vec![], vec![], vec![], 0.0);
    for pair in 0..PAIRS {
        let conversation = server.fresh().await?;
        let first = server.say(&format!("Night {pair}. {story}"), Some(&conversation)).await?;
        let second = server.say("And what did she do then?", Some(&conversation)).await?;
        server.process.stop().await;
        server = RunningServer::with_starter(home.path()).await?;
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
    let mut report = BenchReport::new("second-turn", method);
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

/// Returns about 2,850 tokens without literal repetitions.
fn story() -> String {
    let lines = (0..135).map(|night| {
        format!(
            "In night {night} the keeper of the light counted {} ships and wrote their names down.",
            (night * 7) % 31
        )
    });
    lines.collect::<Vec<_>>().join(" ")
}

/// Rebuilds the exact prompt that the server sent, from its report about the turn.
async fn prompt_of(server: &RunningServer, turn: &Timed) -> anyhow::Result<RawPrompt> {
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
    let counted = |what: &str| {
        let tokens = why["usage"][what].as_u64().and_then(|tokens| usize::try_from(tokens).ok());
        tokens.with_context(|| format!("the turn has no {what}"))
    };
    Ok(RawPrompt {
        system: joined(&["soul", "date"]),
        user: joined(&["context", "user"]),
        tokens: counted("promptTokens")?,
        known: counted("cachedTokens")?,
    })
}

/// Returns the tokens per second after the first token.
fn per_second(timed: &Timed) -> f64 {
    #[allow(clippy::cast_precision_loss)]
    let tokens = timed.tokens.saturating_sub(1) as f64;
    tokens / timed.total.saturating_sub(timed.first_token).as_secs_f64()
}
