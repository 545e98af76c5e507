use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context as _;
use client::Client;
use config::Folders;
use host::{Program, Secret};
use protocol::{LanCode, OpenCode};
use terminal::{Screen, count, print_line, qr, qr_width};

use crate::connect::running;

/// The time for which the redirect file is kept, so that the browser can read it.
const BROWSER_READ_TIME: Duration = Duration::from_secs(20);
/// Environment variables that indicate a graphical session.
const DISPLAY_VARIABLES: [&str; 2] = ["DISPLAY", "WAYLAND_DISPLAY"];

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  perigee open          open a browser window, signed in
  perigee open --link   print a link that signs in once within two minutes
  perigee open --phone  show a code for the camera of a phone")]
pub struct OpenCommandOptions {
    /// Show a QR code that opens Luna on a phone.
    #[arg(long)]
    phone: bool,
    /// Print the link, for a browser on another machine or in another window. It signs in once.
    #[arg(long, conflicts_with = "phone")]
    link: bool,
}

pub async fn run(folders: &Folders, options: OpenCommandOptions) -> anyhow::Result<ExitCode> {
    if options.phone {
        return show_phone_code(folders).await;
    }
    let (address, code) = new_code(folders).await?;
    if options.link {
        print_line!("{}", link(&address, &code));
    } else {
        sign_in_page(&folders.home, &address, &code)?.show().await;
    }
    Ok(ExitCode::SUCCESS)
}

async fn show_phone_code(folders: &Folders) -> anyhow::Result<ExitCode> {
    let client = running_server(folders)?;
    let LanCode { url, seconds, rows } = client.post("/api/lan/code", &()).await?;
    let screen = Screen::stdout();
    if screen.width.is_some_and(|width| width >= qr_width(&rows)) {
        print_line!("{}", qr(&rows, screen.painter));
    }
    print_line!("{url}");
    let (place, minutes) = (url.split("/#").next().unwrap_or_default(), seconds / 60);
    print_line!("The code works for one phone, for {}.", count(minutes as usize, "minute"));
    print_line!("If the phone warns about the certificate, see {place}/lan.");
    Ok(ExitCode::SUCCESS)
}

fn running_server(folders: &Folders) -> anyhow::Result<Client> {
    running(folders)?.context("no server is running: start one with `perigee serve --open`")
}

/// Opens the browser without blocking the server.
pub async fn in_background(folders: &Folders) -> anyhow::Result<()> {
    let (address, code) = new_code(folders).await?;
    tokio::spawn(sign_in_page(&folders.home, &address, &code)?.show());
    Ok(())
}

async fn new_code(folders: &Folders) -> anyhow::Result<(String, Secret)> {
    let client = running_server(folders)?;
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
pub fn print_link(address: &str, code: &Secret) {
    print_line!(
        "Open this link to sign in. It works once, within two minutes:\n\n  {}\n",
        link(address, code)
    );
    print_line!("For another link: {} open", this_program());
}

pub fn has_browser() -> bool {
    browser_opener().is_some()
}

/// Returns the program that opens a browser, if it exists and there is a graphical session.
fn browser_opener() -> Option<PathBuf> {
    if cfg!(target_os = "macos") {
        return host::find_program("open");
    }
    let has_screen =
        DISPLAY_VARIABLES.iter().any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()));
    has_screen.then(|| host::find_program("xdg-open")).flatten()
}

/// A file that redirects the browser, with the code in the fragment. Only its owner can read it, and the code never
/// appears on a command line or in a server log.
pub struct SignInPage {
    path: PathBuf,
    address: String,
    code: Secret,
}

pub fn sign_in_page(home: &Path, address: &str, code: &Secret) -> anyhow::Result<SignInPage> {
    let path = home.join("open.html");
    let html = format!(
        "<!doctype html><meta charset=\"utf-8\"><title>Perigee</title>\
         <meta http-equiv=\"refresh\" content=\"0;url={}\">",
        link(address, code)
    );
    host::atomic_write_private(&path, html.as_bytes())?;
    Ok(SignInPage { path, address: address.to_owned(), code: code.clone() })
}

impl SignInPage {
    /// Opens the page, and deletes it once the browser has had time to read it. Without a browser, prints the link.
    pub async fn show(self) {
        let shown = match browser_opener() {
            Some(program) => {
                print_line!("Opening {}", self.address);
                let names = ["XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS", "XAUTHORITY"];
                let opening = Program::new(program)
                    .arg(&self.path)
                    .inherit(&DISPLAY_VARIABLES)
                    .inherit(&names)
                    .time_limit(BROWSER_READ_TIME)
                    .run();
                opening.await.is_ok_and(|finished| finished.status.success())
            }
            None => false,
        };
        if shown {
            tokio::time::sleep(BROWSER_READ_TIME).await;
        } else {
            print_link(&self.address, &self.code);
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

impl Drop for SignInPage {
    fn drop(&mut self) {
        // Only this code writes the file, and an old code is invalid.
        #[allow(clippy::disallowed_methods)]
        std::fs::remove_file(&self.path).ok();
    }
}
