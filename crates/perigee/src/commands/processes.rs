use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context as _;
use clap::{Args, Subcommand};
use jiff::Timestamp;
use protocol::{ProcessInfo, ProcessState};

use crate::client::Client;
use crate::commands::print_json;
use crate::terminal::{self, Cell, Colour, Screen, Style, Table, ago, say};

/// The polling interval for a running process.
const BETWEEN_LOOKS: Duration = Duration::from_millis(100);
/// The number of polls without a start after which waiting is given up.
const MOST_IDLE_LOOKS: u32 = 100;

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
#[command(after_help = "Examples:
  perigee processes                     the background work, when it ran and when it runs next
  perigee processes run housekeeping    do it at once
  perigee processes pause prewarming    until it is resumed, or the server starts again")]
pub struct Options {
    #[command(subcommand)]
    action: Option<Action>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Pause a process until it is resumed.
    Pause { id: String },
    /// Resume a paused process.
    Resume { id: String },
    /// Run a process now, and show its result.
    Run { id: String },
}

pub async fn run(client: &Client, options: Options) -> anyhow::Result<ExitCode> {
    match options.action {
        None if options.json => print_json(&list(client).await?),
        None => show(client).await.map(|()| ExitCode::SUCCESS),
        Some(Action::Pause { id }) => tell(client, &id, "pause").await,
        Some(Action::Resume { id }) => tell(client, &id, "resume").await,
        Some(Action::Run { id }) => run_once(client, &id).await,
    }
}

pub async fn show(client: &Client) -> anyhow::Result<()> {
    terminal::print(&table(&list(client).await?, Timestamp::now()).show(Screen::stdout()));
    Ok(())
}

async fn list(client: &Client) -> anyhow::Result<Vec<ProcessInfo>> {
    client.get("/api/processes").await
}

async fn tell(client: &Client, id: &str, act: &str) -> anyhow::Result<ExitCode> {
    anyhow::ensure!(!client.is_own().await, "no server runs, so there is nothing to {act}");
    let info = act_on(client, id, act).await?;
    say!("{}: {}", info.name, state(info.state));
    Ok(ExitCode::SUCCESS)
}

async fn run_once(client: &Client, id: &str) -> anyhow::Result<ExitCode> {
    let before = one(client, id).await?;
    act_on(client, id, "run").await?;
    let mut idle_looks = 0;
    let after = loop {
        let info = one(client, id).await?;
        if info.state == ProcessState::Running {
            idle_looks = 0;
        } else if info.runs > before.runs {
            break info;
        } else {
            // A server that was restarted does not know about the request.
            idle_looks += 1;
            anyhow::ensure!(
                info.runs == before.runs && idle_looks < MOST_IDLE_LOOKS,
                "{} was not seen to run: the server may have been ended meanwhile",
                info.name
            );
        }
        tokio::time::sleep(BETWEEN_LOOKS).await;
    };
    let outcome = after.last_outcome.context("it ran, and said nothing")?;
    say!("{}: {} ({} ms)", after.name, terminal::clean_line(&outcome.message), outcome.millis);
    Ok(if outcome.ok { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

async fn act_on(client: &Client, id: &str, act: &str) -> anyhow::Result<ProcessInfo> {
    let known = one(client, id).await?;
    client.post(&format!("/api/processes/{}/{act}", known.id), &()).await
}

async fn one(client: &Client, id: &str) -> anyhow::Result<ProcessInfo> {
    let mut all = list(client).await?;
    let place = all.iter().position(|process| process.id == id);
    let names = || all.iter().map(|process| process.id.as_str()).collect::<Vec<_>>().join(", ");
    let place = place.with_context(|| format!("there is no process {id}: choose one of {}", names()))?;
    Ok(all.swap_remove(place))
}

fn table(processes: &[ProcessInfo], now: Timestamp) -> Table {
    let mut table = Table::titled(&["id", "state", "schedule", "last run", "next run", "last outcome"]);
    for process in processes {
        let time =
            |time: &Option<String>| time.as_ref().map_or_else(|| "–".to_owned(), |time| ago(now, time));
        let outcome = match &process.last_outcome {
            Some(outcome) if outcome.ok => Cell::from(outcome.message.as_str()),
            Some(outcome) => Cell::styled(Style::coloured(Colour::Red), &outcome.message),
            None => Cell::from("–"),
        };
        table.row([
            process.id.as_str().into(),
            state(process.state).into(),
            process.schedule.as_str().into(),
            time(&process.last_run).into(),
            time(&process.next_run).into(),
            outcome,
        ]);
    }
    table
}

fn state(state: ProcessState) -> &'static str {
    match state {
        ProcessState::Waiting => "waiting",
        ProcessState::Running => "running",
        ProcessState::Paused => "paused",
        ProcessState::BackingOff => "waiting after a failure",
    }
}
