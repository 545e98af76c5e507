use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context as _;
use config::Folders;
use host::{Program, Secret};
use protocol::{LanCode, OpenCode};

use crate::client::Client;
use crate::terminal::{Screen, count, qr, qr_width, say};

/// The time for which the redirect file is kept, so that the browser can read it.
const READ_BY_THEN: Duration = Duration::from_secs(20);
/// Environment variables that indicate a graphical session.
const SCREENS: [&str; 2] = ["DISPLAY", "WAYLAND_DISPLAY"];

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  perigee open          another browser window, signed in
  perigee open --link   the link alone, which signs in once within two minutes
  perigee open --phone  a code for the camera of a phone")]
pub struct Options {
    /// Show a QR code that opens Luna on a phone.
    #[arg(long)]
    phone: bool,
    /// Print the link, for a browser on another machine or in another window. It signs in once.
    #[arg(long, conflicts_with = "phone")]
    link: bool,
}

pub async fn run(folders: &Folders, options: Options) -> anyhow::Result<ExitCode> {
    if options.phone {
        return on_phone(folders).await;
    }
    let (address, code) = fresh_code(folders).await?;
    if options.link {
        say!("{}", link(&address, &code));
    } else {
        page(&folders.home, &address, &code)?.show().await;
    }
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

/// Opens the browser without blocking the server.
pub async fn in_background(folders: &Folders) -> anyhow::Result<()> {
    let (address, code) = fresh_code(folders).await?;
    tokio::spawn(page(&folders.home, &address, &code)?.show());
    Ok(())
}

async fn fresh_code(folders: &Folders) -> anyhow::Result<(String, Secret)> {
    let client = running(folders)?;
    let address = client.address().await;
    let OpenCode { code, .. } = client.post("/api/open", &()).await?;
    Ok((address, Secret::new(code)))
}

/// Returns the address that signs in one browser, once. The fragment after `#` is never sent to a server, so no log
/// contains it.
fn link(address: &str, code: &Secret) -> String {
    format!("{address}/#code={}", code.expose())
}

/// Prints the sign-in link, for use without a browser.
pub fn tell_link(address: &str, code: &Secret) {
    say!("Open this link to sign in. It works once, within two minutes:\n\n  {}\n", link(address, code));
    say!("For another link: {} open", this_program());
}

pub fn has_browser() -> bool {
    browser_opener().is_some()
}

/// Returns the program that opens a browser, if it exists and there is a graphical session.
fn browser_opener() -> Option<PathBuf> {
    if cfg!(target_os = "macos") {
        return host::find_program("open");
    }
    let has_screen = SCREENS.iter().any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()));
    has_screen.then(|| host::find_program("xdg-open")).flatten()
}

/// A file that redirects the browser, with the code in the fragment. Only its owner can read it, and the code never
/// appears on a command line or in a server log.
pub struct Page {
    path: PathBuf,
    address: String,
    code: Secret,
}

pub fn page(home: &Path, address: &str, code: &Secret) -> anyhow::Result<Page> {
    let path = home.join("open.html");
    let html = format!(
        "<!doctype html><meta charset=\"utf-8\"><title>Perigee</title>\
         <meta http-equiv=\"refresh\" content=\"0;url={}\">",
        link(address, code)
    );
    host::atomic_write_private(&path, html.as_bytes())?;
    Ok(Page { path, address: address.to_owned(), code: code.clone() })
}

impl Page {
    /// Opens the page, and deletes it once the browser has had time to read it. Without a browser, prints the link.
    pub async fn show(self) {
        let shown = match browser_opener() {
            Some(program) => {
                say!("Opening {}", self.address);
                let names = ["XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS", "XAUTHORITY"];
                let opening = Program::new(program)
                    .arg(&self.path)
                    .inherit(&SCREENS)
                    .inherit(&names)
                    .time_limit(READ_BY_THEN)
                    .run();
                opening.await.is_ok_and(|finished| finished.status.success())
            }
            None => false,
        };
        if shown {
            tokio::time::sleep(READ_BY_THEN).await;
        } else {
            tell_link(&self.address, &self.code);
        }
    }
}

/// Returns the command for this program: its name if it is on the PATH, otherwise its path.
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
        // Only this code writes the file, and an old code is invalid.
        #[allow(clippy::disallowed_methods)]
        std::fs::remove_file(&self.path).ok();
    }
}
