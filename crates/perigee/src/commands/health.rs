use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use config::Folders;
use protocol::Health;
use terminal::print_line;

use crate::commands::print_json;
use crate::connect::running;

/// The time limit; a working server responds much sooner.
const TIMEOUT: Duration = Duration::from_secs(5);

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  perigee health          exit code 0 if the server responds, 1 if not
  perigee health --json   {\"status\":\"ok\",…} or {\"status\":\"down\"}")]
pub struct HealthCommandOptions {
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub async fn run(folders: &Folders, options: HealthCommandOptions) -> anyhow::Result<ExitCode> {
    let why = match running(folders)? {
        None => format!("No server runs for {}. Start one with: perigee serve", folders.home.display()),
        Some(client) => match tokio::time::timeout(TIMEOUT, client.get::<Health>("/api/health")).await {
            Ok(Ok(health)) if options.json => return print_json(&health),
            Ok(Ok(Health { name, version, .. })) => {
                print_line!("{name} {version} is running at {}", client.address().await);
                return Ok(ExitCode::SUCCESS);
            }
            Ok(Err(error)) => format!("The server does not respond: {error:#}"),
            Err(_) => "The server does not respond. Stop it and start it again: perigee serve".to_owned(),
        },
    };
    if options.json {
        print_json(&serde_json::json!({ "status": "down" }))?;
    } else {
        eprintln!("{why}");
    }
    Ok(ExitCode::FAILURE)
}
