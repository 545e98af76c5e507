use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context as _;
use clap::{Args, Subcommand};
use client::Client;
use jiff::Timestamp;
use protocol::{ProcessInfo, ProcessState};
use terminal::{AnsiColour, Screen, Table, TableCell, TextStyle, ago, print_line};

use crate::commands::print_json;

/// The polling interval for a running process.
const POLL_INTERVAL: Duration = Duration::from_millis(100);
/// The number of polls without a start after which waiting is given up.
const MAX_IDLE_POLLS: u32 = 100;

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
#[command(after_help = "Examples:
  perigee processes                     the background work, with its last and next runs
  perigee processes run housekeeping    run it now
  perigee processes pause prewarming    pause it until it is resumed, or the server is restarted")]
pub struct ProcessesCommandOptions {
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

pub async fn run(client: &Client, options: ProcessesCommandOptions) -> anyhow::Result<ExitCode> {
    match options.action {
        None if options.json => print_json(&list(client).await?),
        None => show(client).await.map(|()| ExitCode::SUCCESS),
        Some(Action::Pause { id }) => pause_or_resume(client, &id, "pause").await,
        Some(Action::Resume { id }) => pause_or_resume(client, &id, "resume").await,
        Some(Action::Run { id }) => run_once(client, &id).await,
    }
}

pub async fn show(client: &Client) -> anyhow::Result<()> {
    terminal::print(&table(&list(client).await?, Timestamp::now()).render(Screen::stdout()));
    Ok(())
}

async fn list(client: &Client) -> anyhow::Result<Vec<ProcessInfo>> {
    client.get("/api/processes").await
}

async fn pause_or_resume(client: &Client, id: &str, act: &str) -> anyhow::Result<ExitCode> {
    anyhow::ensure!(!client.is_own().await, "no server is running, so there is nothing to {act}");
    let info = send_action(client, id, act).await?;
    print_line!("{}: {}", info.name, state(info.state));
    Ok(ExitCode::SUCCESS)
}

async fn run_once(client: &Client, id: &str) -> anyhow::Result<ExitCode> {
    let before = find(client, id).await?;
    send_action(client, id, "run").await?;
    let mut idle_polls = 0;
    let after = loop {
        let info = find(client, id).await?;
        if info.state == ProcessState::Running {
            idle_polls = 0;
        } else if info.runs > before.runs {
            break info;
        } else {
            // A server that was restarted does not know about the request.
            idle_polls += 1;
            anyhow::ensure!(
                info.runs == before.runs && idle_polls < MAX_IDLE_POLLS,
                "{} did not run: the server may have stopped in the meantime",
                info.name
            );
        }
        tokio::time::sleep(POLL_INTERVAL).await;
    };
    let outcome = after.last_outcome.context("it ran without a result")?;
    print_line!("{}: {} ({} ms)", after.name, terminal::clean_line(&outcome.message), outcome.millis);
    Ok(if outcome.ok { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

async fn send_action(client: &Client, id: &str, act: &str) -> anyhow::Result<ProcessInfo> {
    let known = find(client, id).await?;
    client.post(&format!("/api/processes/{}/{act}", known.id), &()).await
}

async fn find(client: &Client, id: &str) -> anyhow::Result<ProcessInfo> {
    let mut all = list(client).await?;
    let place = all.iter().position(|process| process.id == id);
    let names = || all.iter().map(|process| process.id.as_str()).collect::<Vec<_>>().join(", ");
    let place = place.with_context(|| format!("there is no process {id}: choose one of {}", names()))?;
    Ok(all.swap_remove(place))
}

fn table(processes: &[ProcessInfo], now: Timestamp) -> Table {
    let mut table = Table::with_columns(&["id", "state", "schedule", "last run", "next run", "last outcome"]);
    for process in processes {
        let time =
            |time: &Option<String>| time.as_ref().map_or_else(|| "–".to_owned(), |time| ago(now, time));
        let outcome = match &process.last_outcome {
            Some(outcome) if outcome.ok => TableCell::from(outcome.message.as_str()),
            Some(outcome) => TableCell::styled(TextStyle::coloured(AnsiColour::Red), &outcome.message),
            None => TableCell::from("–"),
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
