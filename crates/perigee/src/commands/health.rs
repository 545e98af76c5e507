use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use config::Folders;
use protocol::Health;

use crate::client::Client;
use crate::commands::print_json;
use crate::terminal::say;

/// The time limit; a working server responds much sooner.
const PATIENCE: Duration = Duration::from_secs(5);

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  perigee health          exit code 0 when the server answers, else 1
  perigee health --json   {\"status\":\"ok\",…} or {\"status\":\"down\"}")]
pub struct Options {
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub async fn run(folders: &Folders, options: Options) -> anyhow::Result<ExitCode> {
    let why = match Client::running(folders)? {
        None => format!("No server runs for {}. Start one with: perigee serve", folders.home.display()),
        Some(client) => match tokio::time::timeout(PATIENCE, client.get::<Health>("/api/health")).await {
            Ok(Ok(health)) if options.json => return print_json(&health),
            Ok(Ok(Health { name, version, .. })) => {
                say!("{name} {version} answers at {}", client.address().await);
                return Ok(ExitCode::SUCCESS);
            }
            Ok(Err(error)) => format!("The server does not answer: {error:#}"),
            Err(_) => "The server does not answer. Stop it and start it again: perigee serve".to_owned(),
        },
    };
    if options.json {
        print_json(&serde_json::json!({ "status": "down" }))?;
    } else {
        eprintln!("{why}");
    }
    Ok(ExitCode::FAILURE)
}
