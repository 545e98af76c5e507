//! Checks of the settings: readable, known and in effect.

use config::LiveConfig;
use protocol::ConfigProblem;

use super::{Check, Patient};

/// The maximum number of findings.
const MOST: usize = 12;

pub fn checks(patient: &Patient) -> Vec<Check> {
    let config = &patient.config;
    let path = config.report().path;
    let problems = config.problems();
    let mut checks: Vec<Check> =
        problems.iter().take(MOST).map(|problem| problem_check(problem, &path)).collect();
    if problems.len() > MOST {
        let message = format!("{path} has {} further problems.", problems.len() - MOST);
        checks.push(Check::warn("config", message, "Fix the first ones, then look again."));
    }
    if problems.is_empty() {
        let exists = std::path::Path::new(&path).exists();
        let message = if exists {
            format!("The settings in {path} are fine.")
        } else {
            format!("There is no {path}: the defaults are in force.")
        };
        checks.push(Check::ok("config", message));
    }
    checks.extend(idle(config, &path));
    if config.current().debug {
        let message = format!("Conversations are written to {}.", config.paths().debug_log.display());
        checks.push(Check::warn(
            "debug",
            message,
            "When you have found the fault: perigee config unset debug",
        ));
    }
    checks
}

fn problem_check(problem: &ConfigProblem, path: &str) -> Check {
    let place = match (problem.line, problem.column) {
        (Some(line), Some(column)) => format!(" at line {line}, column {column}"),
        (Some(line), None) => format!(" at line {line}"),
        (None, _) => String::new(),
    };
    if problem.fatal {
        return Check::fail("config", problem.message.clone(), format!("Fix {path}{place}."));
    }
    if problem.message.starts_with("Both ") {
        let mend = "When config.toml has all that you need, move config.json away.";
        return Check::warn("config-both", problem.message.clone(), mend);
    }
    let id = if problem.message.contains("auth.enabled") { "auth" } else { "config" };
    Check::warn(id, problem.message.clone(), format!("Look at {path}{place}."))
}

fn idle(config: &LiveConfig, path: &str) -> Option<Check> {
    let idle = config.idle_keys();
    if idle.is_empty() {
        return None;
    }
    let names: Vec<String> = idle.iter().map(|key| format!("{} (line {})", key.key, key.line)).collect();
    let message = format!("These settings have no effect yet: {}.", names.join(", "));
    Some(Check::warn("config-idle", message, format!("They may stay in {path}: later versions read them.")))
}
