use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context as _;
use config::Folders;
use host::{Program, Secret};
use protocol::{LanCode, OpenCode};

use crate::client::Client;
use crate::terminal::{Screen, count, qr, qr_width, say};

/// The redirect file is needed until the browser has read it.
const READ_BY_THEN: Duration = Duration::from_secs(20);

#[derive(Debug, clap::Args)]
pub struct Options {
    /// Show a code for a phone's camera instead, which opens her there.
    #[arg(long)]
    phone: bool,
}

pub async fn run(folders: &Folders, options: Options) -> anyhow::Result<ExitCode> {
    if options.phone {
        return on_phone(folders).await;
    }
    fresh_page(folders).await?.show().await;
    Ok(ExitCode::SUCCESS)
}

async fn on_phone(folders: &Folders) -> anyhow::Result<ExitCode> {
    let client = running(folders)?;
    let LanCode { url, seconds, rows } = client.post("/api/lan/code", &()).await?;
    let screen = Screen::stdout();
    if screen.width.is_some_and(|width| width >= qr_width(&rows)) {
        say!("{}", qr(&rows, screen.paint));
    }
    say!("{url}");
    let (place, minutes) = (url.split("/#").next().unwrap_or_default(), seconds / 60);
    say!("For one phone, for {}.", count(minutes as usize, "minute"));
    say!("Where it warns you of the certificate, {place}/lan says what to do.");
    Ok(ExitCode::SUCCESS)
}

fn running(folders: &Folders) -> anyhow::Result<Client> {
    Client::running(folders)?.context("no server runs here: start one with `perigee serve --open`")
}

/// Opens the browser while something else goes on.
pub async fn in_background(folders: &Folders) -> anyhow::Result<()> {
    tokio::spawn(fresh_page(folders).await?.show());
    Ok(())
}

async fn fresh_page(folders: &Folders) -> anyhow::Result<Page> {
    let client = running(folders)?;
    let address = client.address().await;
    let OpenCode { code, .. } = client.post("/api/open", &()).await?;
    say!("Opening {address}");
    page(&folders.home, &address, &Secret::new(code))
}

/// A file that sends the browser on, with the code in the fragment. Only its owner can read it, and no
/// command line and no server log ever shows the code.
pub struct Page {
    path: PathBuf,
    address: String,
}

pub fn page(home: &Path, address: &str, code: &Secret) -> anyhow::Result<Page> {
    let path = home.join("open.html");
    let html = format!(
        "<!doctype html><meta charset=\"utf-8\"><title>Perigee</title>\
         <meta http-equiv=\"refresh\" content=\"0;url={address}/#code={}\">",
        code.expose()
    );
    host::atomic_write_private(&path, html.as_bytes())?;
    Ok(Page { path, address: address.to_owned() })
}

impl Page {
    /// Opens the page, and removes it once the browser has had time to read it.
    pub async fn show(self) {
        let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
        let shown = match host::find_program(opener) {
            Some(program) => {
                let names = [
                    "DISPLAY",
                    "WAYLAND_DISPLAY",
                    "XDG_RUNTIME_DIR",
                    "DBUS_SESSION_BUS_ADDRESS",
                    "XAUTHORITY",
                ];
                let opening =
                    Program::new(program).arg(&self.path).inherit(&names).time_limit(READ_BY_THEN).run();
                opening.await.is_ok_and(|finished| finished.status.success())
            }
            None => false,
        };
        if !shown {
            say!(
                "No browser could be opened here. Open {} and sign in with the token of `{} token`.",
                self.address,
                this_program()
            );
        }
        tokio::time::sleep(READ_BY_THEN).await;
    }
}

/// How this program is called: by its name where the shell finds it, else by its path.
fn this_program() -> String {
    let same = |found: &PathBuf| std::fs::canonicalize(found).ok() == std::env::current_exe().ok();
    match std::env::current_exe() {
        Ok(path) if host::find_program("perigee").as_ref().is_none_or(|found| !same(found)) => {
            path.display().to_string()
        }
        _ => "perigee".to_owned(),
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        // Nobody else writes this file, and an old code is good for nothing.
        #[allow(clippy::disallowed_methods)]
        std::fs::remove_file(&self.path).ok();
    }
}
