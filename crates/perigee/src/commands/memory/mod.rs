mod carry;

use std::io::IsTerminal as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use protocol::{
    Fact, FactCategory, FactHistory, FactList, FactPatch, FactStatus, ForgetReport, ForgetRequest,
    MemoryItem, MemoryKind, NewFactRequest, ReadingProgress, RecallReply,
};
use reqwest::Url;

use crate::client::Client;
use crate::commands::print_json;
use crate::terminal::{self, Cell, Screen, Style, Table, clean_line, say};

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  perigee memory list                        what she knows
  perigee memory list --past                 what she knew
  perigee memory search \"my dog\"             what she would remember for these words
  perigee memory show 01KQ…                  one fact, where it came from, what happened to it
  perigee memory add \"Allergic to peanuts\"   write something down
  perigee memory edit 01KQ… \"Lives in Lyon\"  correct it
  perigee memory undo 01KQ…                  take the last change back
  perigee memory forget 01KQ…                forget it, everywhere
  perigee memory forget --words \"Elm Street\" forget these words, everywhere
  perigee memory export memory.json          all of it in a file
  perigee memory import conversations.json   a memory, notes, or chats with ChatGPT or SillyTavern")]
pub struct Options {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Show Luna's memories.
    List {
        /// Show only this category.
        #[arg(long, value_parser = category)]
        category: Option<FactCategory>,
        /// Show outdated facts.
        #[arg(long, conflicts_with = "waiting")]
        past: bool,
        /// Show facts that need approval.
        #[arg(long)]
        waiting: bool,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Show the memories recalled for a text.
    Search {
        /// The text, as you would write it to Luna.
        words: String,
        /// The maximum number of results.
        #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..))]
        limit: u16,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Show a fact, its source and its history.
    Show {
        /// The id, as shown by `perigee memory list`.
        id: String,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Add a fact.
    Add {
        /// A sentence, such as "I am allergic to nuts".
        content: String,
        #[arg(long, value_parser = category)]
        category: Option<FactCategory>,
        /// Never send the fact to a model on another machine.
        #[arg(long)]
        private: bool,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Correct a fact.
    Edit {
        /// The id, as shown by `perigee memory list`.
        id: String,
        /// The new text.
        content: String,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Undo the last change of a fact.
    Undo {
        /// The id, as shown by `perigee memory list`.
        id: String,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Export Luna's memories to a file.
    Export {
        /// The file to write; `-` is standard output.
        target: PathBuf,
        /// Write Markdown with current facts only. Implied by a file name that ends in `.md`.
        #[arg(long)]
        markdown: bool,
    },
    /// Import a memory export, a list of notes, or an export of ChatGPT or SillyTavern.
    Import {
        file: PathBuf,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Forget a fact, or words, everywhere.
    Forget {
        /// The id of a fact, as shown by `perigee memory list`; or use `--words`.
        #[arg(required_unless_present = "words")]
        id: Option<String>,
        /// Forget these words wherever they occur.
        #[arg(long, conflicts_with = "id")]
        words: Option<String>,
        /// Also forget these words wherever they occur.
        #[arg(long, requires = "id")]
        also: Vec<String>,
        /// Show what would be removed, and change nothing.
        #[arg(long)]
        dry_run: bool,
        /// Do not ask for confirmation.
        #[arg(long)]
        yes: bool,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
}

/// Returns the API name of a category.
fn word(category: FactCategory) -> String {
    format!("{category:?}").to_lowercase()
}

fn category(text: &str) -> Result<FactCategory, String> {
    let found = FactCategory::ALL.into_iter().find(|category| word(*category) == text);
    found.ok_or_else(|| format!("the kinds are {}", FactCategory::ALL.map(word).join(", ")))
}

pub async fn run(client: &Client, options: Options) -> anyhow::Result<ExitCode> {
    match options.action {
        Action::List { category, past, waiting, json } => list(client, category, past, waiting, json).await,
        Action::Search { words, limit, json } => search(client, &words, limit, json).await,
        Action::Show { id, json } => show(client, &id, json).await,
        Action::Add { content, category, private, json } => {
            let request = NewFactRequest { content, category, private, ..NewFactRequest::default() };
            told(&client.post::<Fact>("/api/memory", &request).await?, "Noted", json)
        }
        Action::Edit { id, content, json } => {
            let patch = FactPatch { content: Some(content), ..FactPatch::default() };
            told(&client.patch::<Fact>(&of(&id), &patch).await?, "Corrected", json)
        }
        Action::Undo { id, json } => {
            let fact: Fact = client.post(&format!("{}/undo", of(&id)), &()).await?;
            told(&fact, "Taken back", json)
        }
        Action::Export { target, markdown } => carry::export(client, &target, markdown).await,
        Action::Import { file, json } => carry::import(client, &file, json).await,
        Action::Forget { id, words, also, dry_run, yes, json } => {
            let fact = id.as_deref().map(str::parse).transpose();
            let fact =
                fact.map_err(|_| anyhow::anyhow!("that is not a valid id: perigee memory list shows them"))?;
            let request = ForgetRequest { fact, words, also, ..ForgetRequest::default() };
            forget(client, request, dry_run, yes, json).await
        }
    }
}

/// Returns the path of a fact. Ids contain only these characters; any other id matches no fact.
fn of(id: &str) -> String {
    let id: String = id.chars().filter(char::is_ascii_alphanumeric).collect();
    format!("/api/memory/{id}")
}

fn with_query(path: &str, pairs: &[(&str, &str)]) -> anyhow::Result<String> {
    let url = Url::parse_with_params(&format!("http://localhost{path}"), pairs)?;
    Ok(format!("{}?{}", url.path(), url.query().unwrap_or_default()))
}

fn told(fact: &Fact, what: &str, json: bool) -> anyhow::Result<ExitCode> {
    if json {
        return print_json(fact);
    }
    say!("{what}: {} ({})", clean_line(&fact.content), fact.id);
    Ok(ExitCode::SUCCESS)
}

async fn list(
    client: &Client,
    category: Option<FactCategory>,
    past: bool,
    waiting: bool,
    json: bool,
) -> anyhow::Result<ExitCode> {
    let status = match (past, waiting) {
        (true, _) => "past",
        (_, true) => "unconfirmed",
        _ => "current",
    };
    let kind = category.map(word);
    let mut pairs = vec![("status", status), ("limit", "500")];
    pairs.extend(kind.as_deref().map(|kind| ("category", kind)));
    let mut list: FactList = client.get(&with_query("/api/memory", &pairs)?).await?;
    while let Some(cursor) = list.next.take() {
        let mut further = pairs.clone();
        further.push(("cursor", &cursor));
        let page: FactList = client.get(&with_query("/api/memory", &further)?).await?;
        list.facts.extend(page.facts);
        list.next = page.next;
    }
    if json {
        return print_json(&list);
    }
    if list.facts.is_empty() {
        let nothing = match (past, waiting, category.is_some()) {
            (true, ..) => "Nothing that she knew is past.",
            (_, true, _) => "Nothing needs your approval.",
            (.., true) => "Nothing of that kind.",
            _ => "Nothing yet. She learns from what you tell her, or: perigee memory add \"…\"",
        };
        say!("{nothing}");
        return Ok(ExitCode::SUCCESS);
    }
    let mut table = Table::titled(&["id", "fact", "sure", "kind"]);
    for fact in &list.facts {
        let percent = format!("{:.0} %", fact.confidence * 100.0);
        let kind = word(fact.category);
        let style = if fact.status == FactStatus::Current { Style::PLAIN } else { Style::DIM };
        table.row([
            fact.id.to_string().as_str().into(),
            Cell::styled(style, &in_words(fact)),
            percent.as_str().into(),
            kind.as_str().into(),
        ]);
    }
    terminal::print(&table.show(Screen::stdout()));
    if list.unconfirmed > 0 && !waiting {
        say!("{} need your approval: perigee memory list --waiting", list.unconfirmed);
    }
    Ok(ExitCode::SUCCESS)
}

/// Formats a fact with its subject and marks for private and doubtful ones.
fn in_words(fact: &Fact) -> String {
    let whom =
        Some(&fact.subject).filter(|subject| !subject.is_empty()).map(|subject| format!("{subject}: "));
    let private = if fact.private { " (private)" } else { "" };
    let doubt = if fact.doubt.is_some() { " (may have changed)" } else { "" };
    clean_line(&format!("{}{}{private}{doubt}", whom.unwrap_or_default(), fact.content))
}

async fn search(client: &Client, words: &str, limit: u16, json: bool) -> anyhow::Result<ExitCode> {
    let limit = limit.to_string();
    let path = with_query("/api/memory/recall", &[("q", words), ("limit", &limit)])?;
    let reply: RecallReply = client.get(&path).await?;
    if json {
        return print_json(&reply);
    }
    if let Some(ReadingProgress { done, of }) = reply.reading {
        say!(
            "Conversations are being read in ({done} of {of}). Until then, they are found by their words alone."
        );
    }
    if reply.refused && reply.whole {
        say!("Nothing surely answers that. This is all that you told her so far:");
    }
    if reply.items.is_empty() {
        say!("Nothing that she remembers comes near that.");
        return Ok(ExitCode::SUCCESS);
    }
    let mut table = Table::titled(&["score", "what", "when", ""]);
    for item in &reply.items {
        let score = format!("{:.2}", item.score);
        let day = item.at.as_deref().and_then(|at| at.get(..10)).unwrap_or_default();
        table.row([
            score.as_str().into(),
            source(item).into(),
            day.into(),
            clean_line(&item.text).as_str().into(),
        ]);
    }
    terminal::print(&table.show(Screen::stdout()));
    Ok(ExitCode::SUCCESS)
}

fn source(item: &MemoryItem) -> &'static str {
    match item.kind {
        MemoryKind::Fact => "fact",
        MemoryKind::Message if item.who.is_empty() => "you said",
        MemoryKind::Message => "she said",
        MemoryKind::Summary => "summary",
        MemoryKind::File => "file",
        MemoryKind::Entry => "entry",
    }
}

async fn show(client: &Client, id: &str, json: bool) -> anyhow::Result<ExitCode> {
    let fact: Fact = client.get(&of(id)).await?;
    if json {
        return print_json(&fact);
    }
    let history: FactHistory = client.get(&format!("{}/history", of(id))).await?;
    say!("{}", in_words(&fact));
    if let Some(quote) = &fact.quote {
        say!("  You said: “{}”", clean_line(quote));
    }
    if let Some(doubt) = &fact.doubt {
        say!("  It may have changed. You said later: “{}”", clean_line(&doubt.words));
    }
    let half_life = fact
        .half_life_days
        .map_or_else(|| "does not fade".to_owned(), |days| format!("halves in {days} days"));
    say!("  Kind: {}", word(fact.category));
    say!("  Sure: {:.0} %, {half_life}. Used {} times.", fact.confidence * 100.0, fact.use_count);
    for change in &history.changes {
        let kind = format!("{:?}", change.kind).to_lowercase();
        let other =
            change.other_content.as_deref().map(|text| format!(": {}", clean_line(text))).unwrap_or_default();
        say!("  {} {kind}{other}", change.at.get(..10).unwrap_or_default());
    }
    Ok(ExitCode::SUCCESS)
}

async fn forget(
    client: &Client,
    request: ForgetRequest,
    dry_run: bool,
    yes: bool,
    json: bool,
) -> anyhow::Result<ExitCode> {
    if !yes || dry_run {
        let report: ForgetReport = client.post("/api/memory/forget", &request).await?;
        if dry_run {
            return if json { print_json(&report) } else { Ok(tell(&report)) };
        }
        tell(&report);
        if !terminal::confirm("Forget it? This cannot be undone.") {
            // A script without a terminal must not take an unanswered question for success.
            anyhow::ensure!(
                std::io::stdin().is_terminal(),
                "nothing was changed. To say yes from a script: --yes"
            );
            say!("Nothing was changed.");
            return Ok(ExitCode::SUCCESS);
        }
    }
    let request = ForgetRequest { confirm: true, ..request };
    let report: ForgetReport = client.post("/api/memory/forget", &request).await?;
    if json {
        return print_json(&report);
    }
    Ok(tell(&report))
}

/// The git repository with earlier versions of the memory files.
const HISTORY: &str = "memories/.git";

fn tell(report: &ForgetReport) -> ExitCode {
    say!("{}", if report.done { "Gone:" } else { "What would go:" });
    for place in &report.removed {
        let example =
            place.example.as_deref().map(|text| format!("  {}", clean_line(text))).unwrap_or_default();
        say!("  {} in {}{example}", place.count, place.place);
    }
    for offered in &report.offered {
        let words = clean_line(&offered.words);
        if report.done {
            say!(
                "“{words}” alone still stands in {}. To forget it, too: perigee memory forget --words \"{words}\"",
                if offered.conversations == 1 {
                    "1 conversation".to_owned()
                } else {
                    format!("{} conversations", offered.conversations)
                }
            );
            continue;
        }
        say!(
            "“{words}” alone stays, since it may mean other things elsewhere. To forget it, too: --also \"{words}\""
        );
    }
    if let Some(until) = &report.history_until {
        say!("The history of memory files keeps it until {}.", until.get(..10).unwrap_or(until));
    }
    for copy in &report.backups {
        say!(
            "The backup {} of {} is as it was made.",
            clean_line(&copy.file),
            copy.made_at.get(..10).unwrap_or_default()
        );
    }
    if !report.done {
        return ExitCode::SUCCESS;
    }
    if report.running > 0 {
        say!("Something is being written just now. It is looked through as soon as it ends.");
        return ExitCode::SUCCESS;
    }
    // Matches in the history, and their expiry, are reported above.
    let kept = |file: &&String| report.history_until.is_none() || !file.ends_with(HISTORY);
    let found: Vec<&String> = report.found.iter().filter(kept).collect();
    if found.is_empty() {
        let but = if report.found.is_empty() { "" } else { " but for that history" };
        say!("Every file of the data folder was looked through: nothing of it is left{but}.");
        return ExitCode::SUCCESS;
    }
    for file in found {
        say!("Still found in {}", clean_line(file));
    }
    ExitCode::FAILURE
}
