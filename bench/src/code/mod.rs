//! The parts of the coding agent for which the user has to wait.

mod ladder;
mod map;
mod tree;

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context as _;
use host::RootDir;
use store::CodeIndex;
use workspace::index::WorkspaceIndex;
use workspace::{Checkpoints, GrepQuery, Overlay, Workspace, WorkspacePath};

use crate::report::{BenchReport, Goal};
use crate::statistics::{median, median_ratio};

const FILES: usize = 10_000;
const ROUNDS: usize = 9;

pub fn run() -> anyhow::Result<BenchReport> {
    let folder = tempfile::tempdir()?;
    let root = folder.path().join("tree");
    let bytes = tree::plant(&root, FILES)?;
    let mut report = BenchReport::new(
        "code",
        format!(
            "A folder of {FILES} files ({} MB of Rust, Python and TypeScript that we generate), and a map of as many with \
             300,000 definitions. Times are the least of some rounds but for the cold index. `grep` and ripgrep look for the \
             same, one after the other, and print every line that they find; the ratio is the median of the pairs. The ladder's \
             cases are files of 50,000 lines with 1 to 200 lines quoted, in which all lines are alike, nearly alike or not there.",
            bytes >> 20
        ),
    );
    index(&mut report, folder.path(), &root)?;
    grep(&mut report, &root)?;
    let drawn = map::draw();
    report.row("graph_ms", "graph of definitions and references", milliseconds(drawn.graph), "ms", None);
    report.row("map_ms", "repo map, 4,000 tokens", milliseconds(drawn.map), "ms", None);
    report.row(
        "focused_ms",
        "repo map with files and names in focus",
        milliseconds(drawn.focused),
        "ms",
        None,
    );
    let (count, name, time) = ladder::slowest();
    let what = format!("edit ladder, slowest of {count} cases ({name})");
    report.row("ladder_ms", what, milliseconds(time), "ms", Some(Goal::AtMost(50.0)));
    Ok(report)
}

fn index(report: &mut BenchReport, folder: &Path, root: &Path) -> anyhow::Result<()> {
    let workspace = Workspace::open(root, &[])?;
    let index = WorkspaceIndex::open(workspace.clone(), CodeIndex::open(&folder.join("index.db"))?)?;
    let start = Instant::now();
    index.refresh(&|_| (), &|| false)?;
    report.row("cold_s", "index, cold", start.elapsed().as_secs_f64(), "s", None);
    // Files that changed just before are read once more.
    index.refresh(&|_| (), &|| false)?;
    let again = least(|_| index.refresh(&|_| (), &|| false).map(drop).map_err(Into::into))?;
    report.row("again_ms", "index, nothing changed", again, "ms", None);
    let path = WorkspacePath::parse(&tree::name(FILES / 2))?;
    let one = least(|round| {
        host::atomic_write(root.join(path.as_str()), tree::source(FILES / 2, round + 1).as_bytes())?;
        Ok(index.update(std::slice::from_ref(&path)).map(drop)?)
    })?;
    report.row("one_ms", "index, one file changed", one, "ms", None);
    let checkpoints = Checkpoints::new(folder.join("kept.git"));
    let start = Instant::now();
    checkpoints.store(&workspace)?;
    report.row("checkpoint_s", "checkpoint, the first", start.elapsed().as_secs_f64(), "s", None);
    std::thread::sleep(std::time::Duration::from_secs(4));
    checkpoints.store(&workspace)?;
    let kept = least(|_| Ok(checkpoints.store(&workspace).map(drop)?))?;
    report.row("checkpoint_ms", "checkpoint, nothing changed", kept, "ms", None);
    Ok(())
}

/// Compares our search with ripgrep, if it is installed.
fn grep(report: &mut BenchReport, root: &Path) -> anyhow::Result<()> {
    let workspace = Workspace::open(root, &[])?;
    let overlay = Overlay::new(Arc::new(RootDir::open(root)?));
    for (key, what, pattern) in [
        ("rare", "a rare word", r"index_parse_15\("),
        ("expression", "an expression", r"fn \w+_token_\d+"),
        ("common", "a common word", "Nothing of"),
    ] {
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            let start = Instant::now();
            let grep = GrepQuery {
                pattern: pattern.to_owned(),
                literal: false,
                ignore_case: false,
                glob: None,
                context: 0,
                limit: usize::MAX,
            };
            std::hint::black_box(workspace.grep(&overlay, &grep)?.hits.len());
            ours.push(start.elapsed().as_secs_f64() * 1000.0);
            if let Some(time) = ripgrep(root, &grep.pattern)? {
                theirs.push(time);
            }
        }
        report.row(format!("grep_{key}_ms"), format!("grep, {what}"), median(&ours), "ms", None);
        if theirs.is_empty() {
            report.detail("ripgrep", "not on this machine".into());
            continue;
        }
        report.row(format!("rg_{key}_ms"), format!("ripgrep, {what}"), median(&theirs), "ms", None);
        let ratio = median_ratio(&ours, &theirs);
        report.row(
            format!("ratio_{key}"),
            format!("grep beside ripgrep, {what}"),
            ratio,
            "×",
            Some(Goal::AtMost(1.3)),
        );
    }
    Ok(())
}

fn ripgrep(root: &Path, pattern: &str) -> anyhow::Result<Option<f64>> {
    #[expect(clippy::disallowed_methods, reason = "a peer, as a person starts it")]
    let mut program = Command::new("rg");
    let start = Instant::now();
    match program.args(["-n", "--", pattern]).arg(root).stdin(Stdio::null()).output() {
        Ok(output) => {
            anyhow::ensure!(!output.stdout.is_empty(), "ripgrep found nothing");
            Ok(Some(start.elapsed().as_secs_f64() * 1000.0))
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).context("ripgrep"),
    }
}

fn milliseconds(time: std::time::Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// Returns the least time of several rounds, in milliseconds.
fn least(mut work: impl FnMut(usize) -> anyhow::Result<()>) -> anyhow::Result<f64> {
    let mut best = f64::INFINITY;
    for round in 0..ROUNDS {
        let start = Instant::now();
        work(round)?;
        best = best.min(milliseconds(start.elapsed()));
    }
    Ok(best)
}
