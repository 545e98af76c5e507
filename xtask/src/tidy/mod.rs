//! `cargo xtask tidy`: format, types, lints, and the rules of this repository as checks. Each rule takes values and
//! returns a list of violations.

mod circles;
mod crates;
mod documents;
mod features;
mod findings;
mod index;
mod licences;
mod names;
mod packages;
mod tree;
mod wording;
mod words;

use std::process::ExitCode;

use crate::args::TidyPart;
use crate::failure::{Failure, TaskResult};
use crate::json::JsonValue;
use crate::process;
use crate::repo::Repo;
use crate::setup::{self, Requirements, web};
use crate::terminal::Terminal;
use crate::tiers::TestCounts;
use findings::Findings;
pub use index::write as write_index;
use tree::SourceTree;

/// The inputs of the rules.
struct Evidence {
    tree: SourceTree,
    /// The output of `cargo metadata` with all dependencies.
    metadata: JsonValue,
    /// The output of `cargo tree` for the program; `test_features` is that for the workspace with its tests.
    program_features: String,
    test_features: String,
}

impl Evidence {
    fn gather(repo: &Repo) -> TaskResult<Self> {
        let cargo = |arguments: &[&str]| process::output(process::cargo(&repo.root).args(arguments));
        let version = cargo(&["--version", "--verbose"])?;
        let host = version.lines().find_map(|line| line.strip_prefix("host: "));
        let host = host.ok_or_else(|| Failure::new("cargo does not name its host"))?;
        let metadata = cargo(&["metadata", "--locked", "--format-version=1", "--filter-platform", host])?;
        let features = |packages: &[&str], edges| {
            let format = ["--locked", "--prefix=none", "--format", features::FORMAT, "--edges", edges];
            cargo(&[&["tree"], packages, &format].concat())
        };
        Ok(Self {
            tree: SourceTree::read(&repo.root)?,
            metadata: JsonValue::parse(&metadata)?,
            program_features: features(&["--package", "perigee"], "normal,build")?,
            test_features: features(&["--workspace"], "normal,build,dev")?,
        })
    }
}

/// A rule: its name, and the function that finds violations.
type Rule = (&'static str, fn(&Evidence) -> Findings);

const RULES: [Rule; 23] = [
    ("file size", |evidence| words::too_long(&evidence.tree)),
    ("unfinished work", |evidence| words::unfinished(&evidence.tree)),
    ("machine paths", |evidence| words::machine_paths(&evidence.tree)),
    ("registry hosts", |evidence| words::registry_hosts(&evidence.tree)),
    ("tests left out", |evidence| words::tests_left_out(&evidence.tree)),
    ("crate opening", |evidence| crates::without_opening(&evidence.tree)),
    ("crate lints", |evidence| crates::without_lints(&evidence.tree)),
    ("direct access to memories", |evidence| crates::memories_past_the_memory(&evidence.tree)),
    ("layers", |evidence| crates::against_the_layers(&evidence.metadata)),
    ("one feature set", |evidence| features::differing(&evidence.program_features, &evidence.test_features)),
    ("licences", |evidence| licences::not_allowed(&evidence.metadata)),
    ("banned crates", |evidence| packages::banned_crates(&evidence.tree)),
    ("npm lock file", |evidence| packages::npm_lock(&evidence.tree)),
    ("invariants", |evidence| documents::unguarded_invariants(&evidence.tree)),
    ("commands in documents", |evidence| documents::unknown_commands(&evidence.tree)),
    ("links in documents", |evidence| documents::broken_links(&evidence.tree)),
    ("paths in documents", |evidence| documents::missing_paths(&evidence.tree)),
    ("circles of files", |evidence| circles::knots(&evidence.tree)),
    ("repeated names", |evidence| names::twice(&evidence.tree)),
    ("retired names", |evidence| names::retired(&evidence.tree)),
    ("first doc lines", |evidence| wording::clauses(&evidence.tree)),
    ("pronouns", |evidence| wording::pronouns(&evidence.tree)),
    ("list of crates", |evidence| index::outdated(&evidence.tree)),
];

/// A check by another program: its part, its name, and the function that runs it.
type Check = (TidyPart, &'static str, fn(&Repo, &Terminal) -> TaskResult);

/// The checks by other programs, the fast ones first.
const CHECKS: [Check; 3] = [
    (TidyPart::Format, "format", format),
    (TidyPart::Types, "types", types),
    (TidyPart::Lints, "lints", lints),
];

/// Implements `cargo xtask tidy`.
pub fn check(part: TidyPart, repo: &Repo, terminal: &Terminal) -> TaskResult<ExitCode> {
    match part {
        TidyPart::Circles => terminal.conclude(&circles::describe(&SourceTree::read(&repo.root)?)),
        TidyPart::Names => terminal.conclude(&names::describe(&SourceTree::read(&repo.root)?)),
        TidyPart::Words => terminal.conclude(&wording::describe(&SourceTree::read(&repo.root)?)),
        _ => return perform(part, repo, terminal),
    }
    Ok(ExitCode::SUCCESS)
}

fn perform(part: TidyPart, repo: &Repo, terminal: &Terminal) -> TaskResult<ExitCode> {
    let mut failed = Vec::new();
    let mut tally = TestCounts::default();
    if matches!(part, TidyPart::All | TidyPart::Rules) {
        for (name, findings) in broken_rules(repo, terminal)? {
            terminal.say(format!("{name}:\n  {}", findings.join("\n  ")));
            failed.push(name);
        }
        tally += TestCounts { passed: RULES.len() - failed.len(), failed: failed.len() };
    }
    for (_, name, check) in
        CHECKS.into_iter().filter(|(own, ..)| matches!(part, TidyPart::All) || part == *own)
    {
        match check(repo, terminal) {
            Ok(()) => tally += TestCounts::ONE_PASSED,
            Err(failure) => {
                terminal.say(format!("{name}: {failure}"));
                failed.push(name);
                tally += TestCounts::ONE_FAILED;
            }
        }
    }
    if !failed.is_empty() {
        terminal.say(format!("\nfailed: {}", failed.join(", ")));
    }
    terminal.conclude(&tally.to_string());
    Ok(tally.exit_code())
}

/// Returns the rules that are broken, each with its violations.
fn broken_rules(repo: &Repo, terminal: &Terminal) -> TaskResult<Vec<(&'static str, Findings)>> {
    let evidence = Evidence::gather(repo)?;
    for long in words::growing(&evidence.tree) {
        terminal.say(format!("getting long: {long}"));
    }
    let checked = RULES.into_iter().map(|(name, rule)| (name, rule(&evidence)));
    Ok(checked.filter(|(_, findings)| !findings.is_empty()).collect())
}

fn format(repo: &Repo, _terminal: &Terminal) -> TaskResult {
    process::run(process::cargo(&repo.root).args(["fmt", "--all", "--check"]))
}

fn types(repo: &Repo, terminal: &Terminal) -> TaskResult {
    web::install(repo, terminal)?;
    process::run(web::npm(repo).args(["run", "--silent", "check"]))
}

/// Runs clippy. The program contains the web app, which therefore has to exist first.
fn lints(repo: &Repo, terminal: &Terminal) -> TaskResult {
    setup::system_packages(Requirements::BUILD, repo, terminal)?;
    setup::web_app(repo, terminal)?;
    let mut clippy = process::cargo(&repo.root);
    clippy.args(["clippy", setup::WHOLE_WORKSPACE, "--all-targets", "--", "--deny", "warnings"]);
    setup::watched(&mut clippy, repo, terminal)
}
