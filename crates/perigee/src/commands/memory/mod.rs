mod transfer;

use std::io::IsTerminal as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use client::{Client, in_url, with_query};
use protocol::{
    Fact, FactCategory, FactHistory, FactList, FactPatch, FactStatus, ForgetReport, ForgetRequest,
    MemoryItem, MemoryKind, NewFactRequest, ReadingProgress, RecallReply,
};
use terminal::{Screen, Table, TableCell, TextStyle, clean_line, print_line};

use crate::commands::print_json;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  perigee memory list                        what Luna knows
  perigee memory list --past                 what Luna knew
  perigee memory search \"my dog\"             what Luna would recall for these words
  perigee memory show 01KQ…                  a fact, its source and its history
  perigee memory add \"Allergic to peanuts\"   add a fact
  perigee memory edit 01KQ… \"Lives in Lyon\"  correct a fact
  perigee memory undo 01KQ…                  undo the last change of a fact
  perigee memory forget 01KQ…                forget a fact, everywhere
  perigee memory forget --words \"Elm Street\" forget these words, everywhere
  perigee memory export memory.json          write everything to a file
  perigee memory import conversations.json   read an export, notes, or chats with ChatGPT or SillyTavern")]
pub struct MemoryCommandOptions {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Show Luna's memories.
    List {
        /// Show only this category.
        #[arg(long, value_parser = parse_category)]
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
        #[arg(long, value_parser = parse_category)]
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
fn category_name(category: FactCategory) -> String {
    format!("{category:?}").to_lowercase()
}

fn parse_category(text: &str) -> Result<FactCategory, String> {
    let found = FactCategory::ALL.into_iter().find(|category| category_name(*category) == text);
    found.ok_or_else(|| format!("the categories are {}", FactCategory::ALL.map(category_name).join(", ")))
}

pub async fn run(client: &Client, options: MemoryCommandOptions) -> anyhow::Result<ExitCode> {
    match options.action {
        Action::List { category, past, waiting, json } => list(client, category, past, waiting, json).await,
        Action::Search { words, limit, json } => search(client, &words, limit, json).await,
        Action::Show { id, json } => show(client, &id, json).await,
        Action::Add { content, category, private, json } => {
            let request = NewFactRequest { content, category, private, ..NewFactRequest::default() };
            report_change(&client.post::<Fact>("/api/memory", &request).await?, "Added", json)
        }
        Action::Edit { id, content, json } => {
            let patch = FactPatch { content: Some(content), ..FactPatch::default() };
            report_change(&client.patch::<Fact>(&fact_path(&id), &patch).await?, "Corrected", json)
        }
        Action::Undo { id, json } => {
            let fact: Fact = client.post(&format!("{}/undo", fact_path(&id)), &()).await?;
            report_change(&fact, "Undone", json)
        }
        Action::Export { target, markdown } => transfer::export(client, &target, markdown).await,
        Action::Import { file, json } => transfer::import(client, &file, json).await,
        Action::Forget { id, words, also, dry_run, yes, json } => {
            let fact = id.as_deref().map(str::parse).transpose();
            let fact =
                fact.map_err(|_| anyhow::anyhow!("that is not a valid id: perigee memory list shows them"))?;
            let request = ForgetRequest { fact, words, also, ..ForgetRequest::default() };
            forget(client, request, dry_run, yes, json).await
        }
    }
}

fn fact_path(id: &str) -> String {
    format!("/api/memory/{}", in_url(id))
}

fn report_change(fact: &Fact, what: &str, json: bool) -> anyhow::Result<ExitCode> {
    if json {
        return print_json(fact);
    }
    print_line!("{what}: {} ({})", clean_line(&fact.content), fact.id);
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
    let kind = category.map(category_name);
    let mut pairs = vec![("status", status), ("limit", "500")];
    pairs.extend(kind.as_deref().map(|kind| ("category", kind)));
    let mut list: FactList = client.get(&with_query("/api/memory", &pairs)).await?;
    while let Some(cursor) = list.next.take() {
        let mut further = pairs.clone();
        further.push(("cursor", &cursor));
        let page: FactList = client.get(&with_query("/api/memory", &further)).await?;
        list.facts.extend(page.facts);
        list.next = page.next;
    }
    if json {
        return print_json(&list);
    }
    if list.facts.is_empty() {
        let nothing = match (past, waiting, category.is_some()) {
            (true, ..) => "There are no outdated facts.",
            (_, true, _) => "Nothing needs your approval.",
            (.., true) => "There are no facts of this category.",
            _ => "Nothing yet. Luna learns from your conversations, or: perigee memory add \"…\"",
        };
        print_line!("{nothing}");
        return Ok(ExitCode::SUCCESS);
    }
    let mut table = Table::with_columns(&["id", "fact", "certain", "category"]);
    for fact in &list.facts {
        let percent = format!("{:.0} %", fact.confidence * 100.0);
        let kind = category_name(fact.category);
        let style = if fact.status == FactStatus::Current { TextStyle::PLAIN } else { TextStyle::DIM };
        table.row([
            fact.id.to_string().as_str().into(),
            TableCell::styled(style, &describe(fact)),
            percent.as_str().into(),
            kind.as_str().into(),
        ]);
    }
    terminal::print(&table.render(Screen::stdout()));
    if list.unconfirmed > 0 && !waiting {
        print_line!("{} need your approval: perigee memory list --waiting", list.unconfirmed);
    }
    Ok(ExitCode::SUCCESS)
}

/// Formats a fact with its subject and marks for private and doubtful ones.
fn describe(fact: &Fact) -> String {
    let whom =
        Some(&fact.subject).filter(|subject| !subject.is_empty()).map(|subject| format!("{subject}: "));
    let private = if fact.private { " (private)" } else { "" };
    let doubt = if fact.doubt.is_some() { " (may have changed)" } else { "" };
    clean_line(&format!("{}{}{private}{doubt}", whom.unwrap_or_default(), fact.content))
}

async fn search(client: &Client, words: &str, limit: u16, json: bool) -> anyhow::Result<ExitCode> {
    let limit = limit.to_string();
    let path = with_query("/api/memory/recall", &[("q", words), ("limit", &limit)]);
    let reply: RecallReply = client.get(&path).await?;
    if json {
        return print_json(&reply);
    }
    if let Some(ReadingProgress { done, of }) = reply.reading {
        print_line!(
            "Conversations are still being indexed ({done} of {of}). Until then, they are found by their words alone."
        );
    }
    if reply.refused && reply.whole {
        print_line!("Nothing answers that for sure. This is everything that you have told Luna so far:");
    }
    if reply.items.is_empty() {
        print_line!("No memory matches these words.");
        return Ok(ExitCode::SUCCESS);
    }
    let mut table = Table::with_columns(&["score", "source", "when", "text"]);
    for item in &reply.items {
        let score = format!("{:.2}", item.score);
        let day = item.at.as_deref().and_then(|at| at.get(..10)).unwrap_or_default();
        table.row([
            score.as_str().into(),
            source_name(item).into(),
            day.into(),
            clean_line(&item.text).as_str().into(),
        ]);
    }
    terminal::print(&table.render(Screen::stdout()));
    Ok(ExitCode::SUCCESS)
}

fn source_name(item: &MemoryItem) -> &'static str {
    match item.kind {
        MemoryKind::Fact => "fact",
        MemoryKind::Message if item.who.is_empty() => "you said",
        MemoryKind::Message => "Luna said",
        MemoryKind::Summary => "summary",
        MemoryKind::File => "file",
        MemoryKind::Entry => "entry",
    }
}

async fn show(client: &Client, id: &str, json: bool) -> anyhow::Result<ExitCode> {
    let fact: Fact = client.get(&fact_path(id)).await?;
    if json {
        return print_json(&fact);
    }
    let history: FactHistory = client.get(&format!("{}/history", fact_path(id))).await?;
    print_line!("{}", describe(&fact));
    if let Some(quote) = &fact.quote {
        print_line!("  You said: “{}”", clean_line(quote));
    }
    if let Some(doubt) = &fact.doubt {
        print_line!("  It may have changed. You said later: “{}”", clean_line(&doubt.words));
    }
    let half_life = fact
        .half_life_days
        .map_or_else(|| "does not fade".to_owned(), |days| format!("halves in {days} days"));
    print_line!("  Category: {}", category_name(fact.category));
    print_line!("  Certain: {:.0} %, {half_life}. Used {} times.", fact.confidence * 100.0, fact.use_count);
    for change in &history.changes {
        let kind = format!("{:?}", change.kind).to_lowercase();
        let other =
            change.other_content.as_deref().map(|text| format!(": {}", clean_line(text))).unwrap_or_default();
        print_line!("  {} {kind}{other}", change.at.get(..10).unwrap_or_default());
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
            return if json { print_json(&report) } else { Ok(print_forgotten(&report)) };
        }
        print_forgotten(&report);
        if !terminal::confirm("Forget it? This cannot be undone.") {
            // A script without a terminal must not take an unanswered question for success.
            anyhow::ensure!(
                std::io::stdin().is_terminal(),
                "nothing was changed. To confirm from a script: --yes"
            );
            print_line!("Nothing was changed.");
            return Ok(ExitCode::SUCCESS);
        }
    }
    let request = ForgetRequest { confirm: true, ..request };
    let report: ForgetReport = client.post("/api/memory/forget", &request).await?;
    if json {
        return print_json(&report);
    }
    Ok(print_forgotten(&report))
}

/// The git repository with earlier versions of the memory files.
const HISTORY: &str = "memories/.git";

fn print_forgotten(report: &ForgetReport) -> ExitCode {
    print_line!("{}", if report.done { "Forgotten:" } else { "This would be forgotten:" });
    for place in &report.removed {
        let example =
            place.example.as_deref().map(|text| format!("  {}", clean_line(text))).unwrap_or_default();
        print_line!("  {} in {}{example}", place.count, place.place);
    }
    for offered in &report.offered {
        let words = clean_line(&offered.words);
        if report.done {
            print_line!(
                "“{words}” alone is still in {}. To forget it too: perigee memory forget --words \"{words}\"",
                if offered.conversations == 1 {
                    "1 conversation".to_owned()
                } else {
                    format!("{} conversations", offered.conversations)
                }
            );
            continue;
        }
        print_line!(
            "“{words}” alone is kept, since it may mean other things elsewhere. To forget it too: --also \"{words}\""
        );
    }
    if let Some(until) = &report.history_until {
        print_line!("The history of memory files keeps it until {}.", until.get(..10).unwrap_or(until));
    }
    for copy in &report.backups {
        print_line!(
            "The backup {} of {} is unchanged.",
            clean_line(&copy.file),
            copy.made_at.get(..10).unwrap_or_default()
        );
    }
    if !report.done {
        return ExitCode::SUCCESS;
    }
    if report.running > 0 {
        print_line!("Something is being written at the moment. It is searched as soon as it is finished.");
        return ExitCode::SUCCESS;
    }
    // Matches in the history, and their expiry, are reported above.
    let kept = |file: &&String| report.history_until.is_none() || !file.ends_with(HISTORY);
    let found: Vec<&String> = report.found.iter().filter(kept).collect();
    if found.is_empty() {
        let but = if report.found.is_empty() { "" } else { " except in that history" };
        print_line!("Every file of the data folder was searched: nothing of it is left{but}.");
        return ExitCode::SUCCESS;
    }
    for file in found {
        print_line!("Still found in {}", clean_line(file));
    }
    ExitCode::FAILURE
}
