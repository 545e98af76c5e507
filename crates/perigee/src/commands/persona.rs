//! `perigee persona`: emotion detection on its own, for inspection.

use std::io::{self, BufRead as _};
use std::process::ExitCode;

use ::config::{Environment, Flags, Folders, LiveConfig};
use ::model::EmbeddingModel;
use clap::{Args, Subcommand};

/// The batch size in lines; batches make the embedding model faster.
const BATCH: usize = 32;

#[derive(Debug, Args)]
#[command(after_help = "Example:
  echo \"That is wonderful news!\" | perigee persona emotion")]
pub struct PersonaCommandOptions {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Print the probability of each emotion for each line of standard input, as JSON.
    Emotion {
        /// Use the words alone, without the embedding model.
        #[arg(long)]
        words: bool,
    },
}

pub async fn run(folders: &Folders, options: PersonaCommandOptions) -> anyhow::Result<ExitCode> {
    let Action::Emotion { words } = options.action;
    let model = if words { None } else { model(folders) };
    if !words && model.is_none() {
        eprintln!(
            "There is no embedding model, so only the words are used. `perigee models pull all-minilm-l6-v2` downloads one."
        );
    }
    let mut batch = Vec::with_capacity(BATCH);
    // Invalid UTF-8 is replaced, so that every line has a result.
    for line in io::stdin().lock().split(b'\n') {
        let line = line?;
        batch.push(String::from_utf8_lossy(&line).trim_end_matches('\r').to_owned());
        if batch.len() == BATCH {
            answer(model.as_ref(), &mut batch).await?;
        }
    }
    answer(model.as_ref(), &mut batch).await?;
    Ok(ExitCode::SUCCESS)
}

/// Opens the embedding model in this process. Reading needs no lock, so a server may run too.
fn model(folders: &Folders) -> Option<embedding::Embedder> {
    let config = LiveConfig::open(folders.clone(), Environment::of_process(), Flags::default());
    embedding::open(&config.paths().models).ok()
}

async fn answer(model: Option<&embedding::Embedder>, batch: &mut Vec<String>) -> anyhow::Result<()> {
    let vectors = match model {
        Some(model) if !batch.is_empty() => model.embed(batch).await.unwrap_or_default(),
        _ => Vec::new(),
    };
    let name = model.map(EmbeddingModel::name).unwrap_or_default();
    let mut printed = String::new();
    for (place, line) in batch.drain(..).enumerate() {
        let vector = vectors.get(place).and_then(|numbers| ::persona::Vector::named(&name, numbers));
        printed.push_str(&serde_json::to_string(&::persona::feelings(&line, vector))?);
        printed.push('\n');
    }
    terminal::print(&printed);
    Ok(())
}
