use std::io::IsTerminal as _;
use std::net::IpAddr;
use std::process::ExitCode;

use clap::Args;
use config::{Flags, Folders};
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

use crate::commands::open;
use crate::house::House;
use crate::log;
use crate::on_demand::Loading;
use crate::terminal::say;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  perigee serve                  at http://127.0.0.1:8899, or as the settings say
  perigee serve --open           and open the browser, signed in
  perigee serve --port 0 --json  print {\"address\":\"http://127.0.0.1:PORT\"}")]
pub struct Options {
    /// The address to listen on.
    #[arg(long)]
    host: Option<IpAddr>,
    /// The port to listen on; 0 picks a free one.
    #[arg(long)]
    port: Option<u16>,
    /// Open the browser, signed in; without one, print a sign-in link.
    #[arg(long)]
    open: bool,
    /// Print the address as JSON once the server responds.
    #[arg(long)]
    json: bool,
}

pub async fn run(folders: Folders, options: Options) -> anyhow::Result<ExitCode> {
    let mut flags = Flags::default();
    if let Some(host) = options.host {
        flags = flags.with("server.host", host.to_string());
    }
    if let Some(port) = options.port {
        flags = flags.with("server.port", port);
    }
    let home = folders.home.clone();
    host::private_dir(&home)?;
    log::start(&folders, log::Audience::Server);
    let house = House::open(folders, flags, Loading::AtOnce).await?;
    for problem in house.config.problems() {
        tracing::warn!("{}", problem.message);
    }
    let stop = CancellationToken::new();
    stop_on_signal(stop.clone())?;
    let address = format!("http://{}", house.server.address());
    let code = house.server.open_code();
    let opening =
        (options.open && open::has_browser()).then(|| open::page(&home, &address, &code)).transpose()?;
    // Output that is not a terminal may be a log, which must not contain secrets.
    let tells_link = opening.is_none() && (options.open || std::io::stdout().is_terminal());
    let serving = tokio::spawn(house.run(stop));
    if options.json {
        say!("{}", serde_json::json!({ "address": address }));
    } else {
        say!("Perigee is at {address}");
        if tells_link {
            open::tell_link(&address, &code);
        } else if opening.is_none() {
            say!("Open it, signed in, with: perigee open");
        }
        say!("Stop it with Ctrl-C.");
    }
    let showing = opening.map(|page| tokio::spawn(page.show()));
    serving.await??;
    if let Some(showing) = showing {
        showing.abort();
        // Waits until the redirect page is removed.
        showing.await.ok();
    }
    Ok(ExitCode::SUCCESS)
}

/// Stops cleanly on the first SIGINT or SIGTERM, and at once on the second.
fn stop_on_signal(stop: CancellationToken) -> anyhow::Result<()> {
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    tokio::spawn(async move {
        for impatient in [false, true] {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
            if impatient {
                std::process::exit(130);
            }
            stop.cancel();
        }
    });
    Ok(())
}
