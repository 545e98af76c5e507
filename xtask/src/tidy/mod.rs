//! The rules of this repository as checks. Each rule takes values and returns a list of violations.

mod crates;
mod documents;
mod features;
mod licences;
mod packages;
mod tree;
mod words;

use std::process::ExitCode;

use crate::failure::{Failure, Outcome};
use crate::json::Json;
use crate::process;
use crate::repo::Repo;
use crate::terminal::Terminal;
use crate::tiers::Results;
use tree::Tree;

/// A list of violations: `path:line: what`.
type Findings = Vec<String>;

/// The inputs of the rules.
struct Evidence {
    tree: Tree,
    /// The output of `cargo metadata` with all dependencies.
    metadata: Json,
    /// The output of `cargo tree` without dev-dependencies; `test_features` is that with them.
    program_features: String,
    test_features: String,
}

impl Evidence {
    fn gather(repo: &Repo) -> Outcome<Self> {
        let cargo = |arguments: &[&str]| process::output(process::cargo(&repo.root).args(arguments));
        let version = cargo(&["--version", "--verbose"])?;
        let host = version.lines().find_map(|line| line.strip_prefix("host: "));
        let host = host.ok_or_else(|| Failure::new("cargo does not name its host"))?;
        let metadata = cargo(&["metadata", "--locked", "--format-version=1", "--filter-platform", host])?;
        let features = |edges| {
            cargo(&[
                "tree",
                "--locked",
                "--workspace",
                "--prefix=none",
                "--format",
                features::FORMAT,
                "--edges",
                edges,
            ])
        };
        Ok(Self {
            tree: Tree::read(&repo.root)?,
            metadata: Json::parse(&metadata)?,
            program_features: features("normal,build")?,
            test_features: features("normal,build,dev")?,
        })
    }
}

type Rule = (&'static str, fn(&Evidence) -> Findings);

const RULES: [Rule; 16] = [
    ("file size", |evidence| words::too_long(&evidence.tree)),
    ("unfinished work", |evidence| words::unfinished(&evidence.tree)),
    ("machine paths", |evidence| words::machine_paths(&evidence.tree)),
    ("registry hosts", |evidence| words::registry_hosts(&evidence.tree)),
    ("tests left out", |evidence| words::tests_left_out(&evidence.tree)),
    ("crate opening", |evidence| crates::without_opening(&evidence.tree)),
    ("crate lints", |evidence| crates::without_lints(&evidence.tree)),
    ("memories past the memory", |evidence| crates::memories_past_the_memory(&evidence.tree)),
    ("layers", |evidence| crates::against_the_layers(&evidence.metadata)),
    ("one feature set", |evidence| features::differing(&evidence.program_features, &evidence.test_features)),
    ("licences", |evidence| licences::not_allowed(&evidence.metadata)),
    ("banned crates", |evidence| packages::banned_crates(&evidence.tree)),
    ("npm lock file", |evidence| packages::npm_lock(&evidence.tree)),
    ("invariants", |evidence| documents::unguarded_invariants(&evidence.tree)),
    ("commands in documents", |evidence| documents::unknown_commands(&evidence.tree)),
    ("links in documents", |evidence| documents::broken_links(&evidence.tree)),
];

/// Implements `cargo xtask tidy`.
pub fn check(repo: &Repo, terminal: &Terminal) -> Outcome<ExitCode> {
    let tally = run(&|_| true, repo, terminal)?.tally;
    terminal.conclude(&tally.to_string());
    Ok(tally.exit_code())
}

/// Checks the selected rules and prints the violations under the name of each rule.
pub fn run(wanted: &dyn Fn(&str) -> bool, repo: &Repo, terminal: &Terminal) -> Outcome<Results> {
    let rules: Vec<Rule> = RULES.into_iter().filter(|(name, _)| wanted(name)).collect();
    if rules.is_empty() {
        return Ok(Results::default());
    }
    let evidence = Evidence::gather(repo)?;
    for long in words::growing(&evidence.tree) {
        terminal.say(format!("getting long: {long}"));
    }
    let mut results = Results::default();
    for (name, rule) in rules {
        let findings = rule(&evidence);
        if findings.is_empty() {
            results.note_passed();
        } else {
            terminal.say(format!("{name}:\n  {}", findings.join("\n  ")));
            results.note_failed(name);
        }
    }
    Ok(results)
}
