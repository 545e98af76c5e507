use std::time::{Duration, Instant};

use futures_util::future::try_join_all;
use testkit::{Gate, Reply, ScriptedModel, TempHome};

use crate::report::{Goal, Report};
use crate::server::Running;
use crate::statistics::{median, percentile};

const STREAMS: usize = 100;
const TOKENS: usize = 200;

/// A hundred conversations at once with a scripted model: is anything lost, and how late is each token?
pub async fn run() -> anyhow::Result<Report> {
    let model = ScriptedModel::start().await;
    let go = Gate::closed();
    let pieces: Vec<String> = (0..TOKENS).map(|number| format!("word{number} ")).collect();
    let whole = pieces.concat();
    // Each stream waits until all of them are open, so that they really run at the same time.
    let reply =
        pieces.iter().fold(Reply::chunks(["go "]).wait(&go), |reply, piece| reply.then(piece.clone()));
    model.otherwise(reply);
    let home = TempHome::new();
    home.write(
        "config.toml",
        format!(
            "[llm]\nbase_url = \"{}/v1\"\nmodel = \"scripted\"\n[chat]\ntitle = \"words\"\n",
            model.url()
        ),
    );
    let server = Running::start(home.path(), &[]).await?;
    let mut conversations = Vec::new();
    for _ in 0..STREAMS {
        conversations.push(server.fresh().await?);
    }
    let started = Instant::now();
    let opened = async {
        model.asked(STREAMS).await;
        go.open();
        anyhow::Ok(started.elapsed())
    };
    let talks = try_join_all(
        conversations.iter().map(|conversation| server.say("Say all your words", Some(conversation))),
    );
    let (talks, open_after) = tokio::try_join!(talks, opened)?;
    let lost = talks.iter().filter(|talk| talk.text != format!("go {whole}")).count();
    // A token's latency is measured against the pace of the fastest stream: the script sends to all alike.
    let mut late = Vec::new();
    for place in 1..=TOKENS {
        let arrivals: Vec<Duration> =
            talks.iter().filter_map(|talk| talk.arrivals.get(place).copied()).collect();
        let earliest = arrivals.iter().min().copied().unwrap_or_default();
        late.extend(arrivals.iter().map(|&at| at.saturating_sub(earliest).as_secs_f64() * 1e3));
    }
    let slowest = talks.iter().map(|talk| talk.total).max().unwrap_or_default().saturating_sub(open_after);
    server.process.stop().await;
    let method = format!(
        "{STREAMS} conversations at once, {TOKENS} tokens each, from the scripted model on a real socket, as fast as it can \
         send. Lateness of a token is against the same token of the fastest stream. Model, server and client share two cores."
    );
    let mut report = Report::new("streams", method);
    #[allow(clippy::cast_precision_loss)]
    {
        report.row(
            "lost_streams",
            "streams that lost or changed a token",
            lost as f64,
            "",
            Some(Goal::AtMost(0.0)),
        );
        let rate = (STREAMS * TOKENS) as f64 / slowest.as_secs_f64();
        report.row("tokens_per_second", "tokens per second in all", rate, "/s", None);
    }
    report.row("median_late_ms", "lateness of a token, median", median(&late), "ms", None);
    report.row("p99_late_ms", "lateness of a token, p99", percentile(&late, 99.0), "ms", None);
    Ok(report)
}
