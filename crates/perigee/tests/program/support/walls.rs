//! Detection of this machine's sandbox. Without user namespaces, as in some containers, it is incomplete, and tests
//! that need all of it are skipped with a message.

use std::path::Path;

use serde_json::Value;
use testkit::{TempHome, perigee_command};
use tokio::sync::OnceCell;

use super::BIN;

static LEVELS: OnceCell<Vec<&'static str>> = OnceCell::const_new();

/// Returns the available levels, best first.
pub async fn levels() -> &'static [&'static str] {
    LEVELS.get_or_init(probe).await
}

#[allow(clippy::print_stderr, reason = "whoever reads the log should know what was not tried")]
async fn probe() -> Vec<&'static str> {
    let home = TempHome::new();
    let mut command = perigee_command(Path::new(BIN), home.path(), ["sandbox", "probe", "--json"]);
    let probe = command.output().await.expect("the program runs");
    let probe: Value = serde_json::from_slice(&probe.stdout).expect("JSON");
    match probe["level"].as_str().expect("a level") {
        "full" => vec!["full", "partial"],
        level => {
            eprintln!("the sandbox of this machine is {level}: {}", probe["missing"]);
            if level == "partial" { vec!["partial"] } else { Vec::new() }
        }
    }
}

pub async fn has_whole_sandbox() -> bool {
    levels().await.contains(&"full")
}
