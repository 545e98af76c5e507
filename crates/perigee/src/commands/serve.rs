use std::io::IsTerminal as _;
use std::net::IpAddr;
use std::process::ExitCode;

use clap::Args;
use config::{Flags, Folders};
use terminal::print_line;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::commands::open;
use crate::lazy_model::ModelLoading;
use crate::log;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  perigee serve                  at http://127.0.0.1:8899, unless the settings say otherwise
  perigee serve --open           also open the browser, signed in
  perigee serve --port 0 --json  print {\"address\":\"http://127.0.0.1:PORT\"}")]
pub struct ServeCommandOptions {
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

pub async fn run(folders: Folders, options: ServeCommandOptions) -> anyhow::Result<ExitCode> {
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
    let app = App::open(folders, flags, ModelLoading::AtOnce).await?;
    for problem in app.config.problems() {
        tracing::warn!("{}", problem.message);
    }
    let stop = CancellationToken::new();
    stop_on_signal(stop.clone())?;
    let address = format!("http://{}", app.server.address());
    let code = app.server.open_code();
    let opening = (options.open && open::has_browser())
        .then(|| open::sign_in_page(&home, &address, &code))
        .transpose()?;
    // Output that is not a terminal may be a log, which must not contain secrets.
    let tells_link = opening.is_none() && (options.open || std::io::stdout().is_terminal());
    let serving = tokio::spawn(app.run(stop));
    if options.json {
        print_line!("{}", serde_json::json!({ "address": address }));
    } else {
        print_line!("Perigee is at {address}");
        if tells_link {
            open::print_link(&address, &code);
        } else if opening.is_none() {
            print_line!("Open it in the browser, signed in, with: perigee open");
        }
        print_line!("Stop it with Ctrl-C.");
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
