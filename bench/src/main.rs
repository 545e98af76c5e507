//! Measurements against named peers: each pair in one run, interleaved, and reported as a ratio, because machines are
//! noisy. `cargo xtask bench NAME` runs one of them and writes its part of `bench/RESULTS.md`. `cargo xtask soak` is a
//! long run under load.
//!
//! `life` takes `--seed N` for another year, and `--wordings FILE` for the wordings of a file in the form of those in
//! `bench/wordings`; missing kinds use the default sentences. `facts` takes `--data FILE` in the form of those in
//! `bench/everyday`, `emotion` one in the form of GoEmotions. `exercises` takes `--model FILE`, a model that writes
//! code; `first` takes any number of them, in addition to the starter model.
//!
//! Start with [`BenchReport`]; each benchmark is a module of its own.

#![allow(clippy::print_stdout, clippy::print_stderr)]

mod body;
mod browser;
mod clean;
mod code;
mod dialect;
mod edits;
mod emotion;
mod escape;
mod everyday;
mod exercises;
mod few_messages;
mod first;
mod generated_servers;
mod half_open;
mod idle;
mod judge;
mod life;
mod memory_setup;
mod peer;
mod raw;
mod recall;
mod relevance;
mod report;
mod resident;
mod scale;
mod server;
mod soak;
mod statistics;
mod storage;
mod streams;
mod talks;
mod tool_calls;
mod tune;
mod turn;
mod vectors;
mod year;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::report::BenchReport;

// The replies and their reader are shared with the tests.
#[path = "../../crates/template/tests/it/families.rs"]
mod families;
#[allow(clippy::unwrap_used)]
#[path = "../../crates/template/tests/it/reading.rs"]
mod reading;
#[path = "../../crates/template/tests/it/replies.rs"]
mod replies;

const ALL: [&str; 25] = [
    "turn",
    "second-turn",
    "streams",
    "half-open",
    "idle",
    "memory",
    "storage",
    "browser",
    "body",
    "dialect",
    "families",
    "edits",
    "emotion",
    "first",
    "hands",
    "recall",
    "young",
    "recall-tune",
    "recall-cost",
    "life",
    "facts",
    "vectors",
    "workshop",
    "code",
    "relevance",
];

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> anyhow::Result<()> {
    model::install_crypto();
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let json = arguments.iter().any(|argument| argument == "--json");
    let minutes = soak::minutes(&arguments)?;
    let after = |option: &str| {
        let place = arguments.iter().position(|argument| argument == option)?;
        arguments.get(place + 1).map(String::as_str)
    };
    let data = after("--data");
    let wordings = after("--wordings");
    let model = after("--model");
    let models: Vec<PathBuf> = arguments
        .windows(2)
        .filter(|pair| pair[0] == "--model")
        .map(|pair| PathBuf::from(&pair[1]))
        .collect();
    let seed = after("--seed").map_or(Ok(1), str::parse)?;
    let is_name = |argument: &&str| {
        !argument.starts_with("--")
            && argument.parse::<u64>().is_err()
            && Some(*argument) != data
            && Some(*argument) != wordings
            && !models.iter().any(|model| model == Path::new(argument))
    };
    let mut names: Vec<&str> = arguments.iter().map(String::as_str).filter(is_name).collect();
    if names.is_empty() {
        names = ALL.to_vec();
    }
    // In `soak escape`, `escape` is the benchmark to run.
    if names.len() > 1 && names[0] == "soak" {
        names.remove(0);
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    for name in names {
        eprintln!("bench {name} …");
        let report: BenchReport = runtime.block_on(async {
            match name {
                "turn" => turn::first_token_and_speed().await,
                "second-turn" => turn::second_turn().await,
                "streams" => streams::run().await,
                "half-open" => half_open::run().await,
                "idle" => idle::run().await,
                "memory" => resident::run().await,
                "storage" => storage::run().await,
                "browser" => browser::run().await,
                "body" => body::run().await,
                "dialect" => Ok(dialect::run()),
                "families" => Ok(clean::run()),
                "edits" => Ok(edits::run()),
                "emotion" => emotion::run(data.map(Path::new)).await,
                "hands" => tool_calls::run().await,
                "recall" => recall::run(data.map(Path::new)).await,
                "young" => few_messages::run(data.map(Path::new)).await,
                "recall-tune" => tune::run(data.map(Path::new)).await,
                "recall-cost" => scale::run().await,
                "life" => year::run(seed, wordings.map(Path::new)).await,
                // It overwrites the weights that are built into the program, so it runs only on request.
                "judge" => judge::run(data.map(Path::new)).await,
                "facts" => everyday::run(data.map(Path::new)).await,
                "vectors" => vectors::run("vectors", &[1000, 20_000, 100_000]).await,
                // The peer alone takes half an hour, so it runs only on request.
                "vectors-million" => vectors::run("vectors-million", &[1_000_000]).await,
                "soak" => soak::run(minutes).await,
                "escape" => escape::run().await,
                "workshop" => generated_servers::run().await,
                "code" => code::run(),
                "relevance" => relevance::run(Path::new(".")),
                // The exercises need a model that is not shipped, and an hour.
                "first" => first::run(&models, 3).await,
                "exercises" => exercises::run(model.map(Path::new)).await,
                other => anyhow::bail!("there is no benchmark {other}: {}", ALL.join(", ")),
            }
        })?;
        if json {
            println!("{}", report.json());
        } else {
            println!("{}", report.markdown());
        }
        // Only results with the repository's own data are kept.
        if wordings.is_none() && (!["facts", "emotion", "young"].contains(&name) || data.is_none()) {
            report.keep()?;
        }
    }
    Ok(())
}
