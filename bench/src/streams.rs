use std::time::{Duration, Instant};

use futures_util::future::try_join_all;
use testkit::{Gate, ScriptedModel, ScriptedReply, TempHome};

use crate::report::{BenchReport, Goal};
use crate::server::{RunningServer, Timed, processor_time};
use crate::statistics::{median, percentile};

const STREAMS: usize = 100;
const TOKENS: usize = 100;
/// The time between two tokens of every stream, as with a model of moderate speed.
const PACE: Duration = Duration::from_millis(50);

/// Runs a hundred conversations at once with a scripted model, and measures lost tokens and the delay of each token.
pub async fn run() -> anyhow::Result<BenchReport> {
    let model = ScriptedModel::start().await;
    let home = TempHome::new();
    home.write(
        "config.toml",
        format!(
            "[llm]\nbase_url = \"{}/v1\"\nmodel = \"scripted\"\n[chat]\ntitle = \"words\"\n",
            model.url()
        ),
    );
    let server = RunningServer::start(home.path(), &[]).await?;

    // One gate per token, so that all streams send it at the same moment.
    let gates: Vec<Gate> = (0..TOKENS).map(|_| Gate::closed()).collect();
    let paced = gates
        .iter()
        .zip(words())
        .fold(ScriptedReply::chunks(["go "]), |reply, (gate, word)| reply.wait(gate).then(word));
    model.otherwise(paced);
    let sent = async {
        model.asked(STREAMS).await;
        let mut sent = Vec::new();
        for gate in &gates {
            tokio::time::sleep(PACE).await;
            sent.push(Instant::now());
            gate.open();
        }
        anyhow::Ok(sent)
    };
    let begun = Instant::now();
    let pid = server.process.pid();
    let before = processor_time(pid)?;
    let (talks, sent) = tokio::try_join!(talk(&server), sent)?;
    let used = processor_time(pid)?.saturating_sub(before);
    let mut lost = changed(&talks);
    let mut late = Vec::new();
    for talk in &talks {
        let arrivals = talk.arrivals.iter().skip(1).map(|&at| talk.started + at);
        late.extend(arrivals.zip(&sent).map(|(at, &sent)| (at - sent).as_secs_f64() * 1e3));
    }
    anyhow::ensure!(begun.elapsed() > PACE * 100, "the pace was not kept");

    let go = Gate::closed();
    let burst = words().fold(ScriptedReply::chunks(["go "]).wait(&go), ScriptedReply::then);
    model.otherwise(burst);
    let opened = async {
        model.asked(STREAMS * 2).await;
        go.open();
        anyhow::Ok(Instant::now())
    };
    let (talks, opened) = tokio::try_join!(talk(&server), opened)?;
    lost += changed(&talks);
    let ended = talks.iter().map(|talk| talk.started + talk.total).max().unwrap_or(opened);
    server.process.stop().await;

    let method = format!(
        "{STREAMS} conversations at once, {TOKENS} tokens each, from the scripted model on a real socket. First at a pace: \
         every {} ms all streams get their next token in the same moment, and its latency is from that moment to its arrival \
         at the client, so it includes the model's own sending. Then all tokens as fast as they go. Model, server and client \
         share the cores.",
        PACE.as_millis()
    );
    let mut report = BenchReport::new("streams", method);
    #[allow(clippy::cast_precision_loss)]
    let (lost, all) = (lost as f64, (STREAMS * TOKENS) as f64);
    report.row("lost_streams", "streams that lost or changed a token", lost, "", Some(Goal::AtMost(0.0)));
    report.row("median_latency_ms", "latency of a token, median", median(&late), "ms", None);
    report.row("p99_latency_ms", "latency of a token, p99", percentile(&late, 99.0), "ms", None);
    let each = used.as_secs_f64() / all * 1e6;
    report.row(
        "event_cost_us",
        "processor time of the server for each token, everything included",
        each,
        "µs",
        None,
    );
    let rate = all / (ended - opened).as_secs_f64();
    report.row("tokens_per_second", "tokens per second in all, as fast as they go", rate, "/s", None);
    Ok(report)
}

async fn talk(server: &RunningServer) -> anyhow::Result<Vec<Timed>> {
    let mut conversations = Vec::new();
    for _ in 0..STREAMS {
        conversations.push(server.fresh().await?);
    }
    try_join_all(
        conversations.iter().map(|conversation| server.say("Say all your words", Some(conversation))),
    )
    .await
}

fn words() -> impl Iterator<Item = String> {
    (0..TOKENS).map(|number| format!("word{number} "))
}

fn changed(talks: &[Timed]) -> usize {
    let whole = format!("go {}", words().collect::<String>());
    talks.iter().filter(|talk| talk.text != whole || talk.tokens != TOKENS + 1).count()
}
