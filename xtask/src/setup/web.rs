//! Installs the npm packages and builds the web app, each only when its inputs have changed.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::failure::{ErrorContext, Failure, TaskResult};
use crate::process;
use crate::repo::Repo;
use crate::stamp::Inputs;
use crate::terminal::Terminal;

/// The minimum Node version, as in `engines` of `web/package.json`.
const OLDEST_NODE: (u32, u32) = (20, 19);

/// Folders of `web/` that are not inputs of the build.
const NOT_INPUTS: [&str; 4] = ["node_modules", "dist", "e2e", "interop"];

/// Runs `npm ci` if the lock file or the installed packages have changed.
pub fn install(repo: &Repo, terminal: &Terminal) -> TaskResult {
    let web = repo.web();
    let stamp = web.join("node_modules/.perigee-installed");
    // npm's own record of the installed packages is hashed as well, which detects a package that was added by hand.
    let inputs =
        ["package.json", "package-lock.json", "node_modules/.package-lock.json"].map(|name| web.join(name));
    if Inputs::of(&inputs)?.matches(&stamp) {
        return Ok(());
    }
    check_node(&process::output(process::command("node", &web).arg("--version")).named("Node is needed")?)?;
    terminal.say("Installing the web app's packages");
    process::run(npm(repo).args(["ci", "--no-audit", "--no-fund", "--loglevel=error"]))?;
    Inputs::of(&inputs)?.write(&stamp)
}

/// Runs `npm run build` if an input of the build has changed.
pub fn build(repo: &Repo, terminal: &Terminal) -> TaskResult {
    let stamp = repo.web().join("node_modules/.perigee-built");
    let inputs = Inputs::of(&page_sources(repo)?)?;
    if inputs.matches(&stamp) && repo.web().join("dist/index.html").is_file() {
        return Ok(());
    }
    terminal.say("Building the web app");
    process::run(npm(repo).args(["run", "--silent", "build", "--", "--logLevel=warn"]))?;
    inputs.write(&stamp)
}

/// Creates an npm command in the folder of the web app, without its notices.
pub fn npm(repo: &Repo) -> Command {
    let mut npm = process::command("npm", &repo.web());
    npm.env("npm_config_update_notifier", "false");
    npm
}

fn page_sources(repo: &Repo) -> TaskResult<Vec<PathBuf>> {
    let web = repo.web();
    let entries: Result<Vec<_>, _> = fs::read_dir(&web).named(web.display())?.collect();
    let kept = entries?.into_iter().filter(|entry| !NOT_INPUTS.iter().any(|name| entry.file_name() == *name));
    let mut sources: Vec<PathBuf> = kept.map(|entry| entry.path()).collect();
    sources.sort();
    Ok(sources)
}

fn check_node(version: &str) -> TaskResult {
    let version = version.trim();
    let mut numbers =
        version.trim_start_matches('v').split('.').map_while(|number| number.parse::<u32>().ok());
    if numbers.next().zip(numbers.next()).is_some_and(|found| found >= OLDEST_NODE) {
        return Ok(());
    }
    let (major, minor) = OLDEST_NODE;
    Err(Failure::new(format!(
        "Node {major}.{minor} or later is needed; this is {version}. Update it and run this again."
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_node_is_refused_in_words() {
        assert!(check_node("v20.20.2\n").is_ok());
        assert!(check_node("v24.0.0\n").is_ok());
        assert!(check_node("v20.18.3\n").is_err());
        assert!(check_node("v18.19.1\n").unwrap_err().to_string().contains("this is v18.19.1"));
        assert!(check_node("").is_err());
    }
}
