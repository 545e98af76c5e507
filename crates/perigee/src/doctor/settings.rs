//! Checks of the settings: readable, known and in effect.

use config::LiveConfig;
use protocol::ConfigProblem;

use super::check::DoctorCheck;
use super::installation::Installation;

/// The maximum number of findings.
const MAX_FINDINGS: usize = 12;

pub fn checks(installation: &Installation) -> Vec<DoctorCheck> {
    let config = &installation.config;
    let path = config.report().path;
    let problems = config.problems();
    let mut checks: Vec<DoctorCheck> =
        problems.iter().take(MAX_FINDINGS).map(|problem| problem_check(problem, &path)).collect();
    if problems.len() > MAX_FINDINGS {
        let message = format!("{path} has {} more problems.", problems.len() - MAX_FINDINGS);
        checks.push(DoctorCheck::warn("config", message, "Fix the first ones, then check again."));
    }
    if problems.is_empty() {
        let exists = std::path::Path::new(&path).exists();
        let message = if exists {
            format!("The settings in {path} are fine.")
        } else {
            format!("There is no {path}: the defaults apply.")
        };
        checks.push(DoctorCheck::ok("config", message));
    }
    checks.extend(idle(config, &path));
    if config.current().debug {
        let message = format!("Conversations are written to {}.", config.paths().debug_log.display());
        checks.push(DoctorCheck::warn(
            "debug",
            message,
            "When you no longer need it: perigee config unset debug",
        ));
    }
    checks
}

fn problem_check(problem: &ConfigProblem, path: &str) -> DoctorCheck {
    let place = match (problem.line, problem.column) {
        (Some(line), Some(column)) => format!(" at line {line}, column {column}"),
        (Some(line), None) => format!(" at line {line}"),
        (None, _) => String::new(),
    };
    if problem.fatal {
        return DoctorCheck::fail("config", problem.message.clone(), format!("Fix {path}{place}."));
    }
    if problem.message.starts_with("Both ") {
        let mend = "When config.toml has everything that you need, move config.json away.";
        return DoctorCheck::warn("config-both", problem.message.clone(), mend);
    }
    let id = if problem.message.contains("auth.enabled") { "auth" } else { "config" };
    DoctorCheck::warn(id, problem.message.clone(), format!("See {path}{place}."))
}

fn idle(config: &LiveConfig, path: &str) -> Option<DoctorCheck> {
    let idle = config.idle_keys();
    if idle.is_empty() {
        return None;
    }
    let names: Vec<String> = idle.iter().map(|key| format!("{} (line {})", key.key, key.line)).collect();
    let message = format!("These settings have no effect yet: {}.", names.join(", "));
    Some(DoctorCheck::warn(
        "config-idle",
        message,
        format!("They may stay in {path}: later versions use them."),
    ))
}
