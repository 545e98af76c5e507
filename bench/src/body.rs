use std::path::Path;
use std::time::Duration;

use anyhow::Context as _;
use host::Program;
use serde_json::Value;

use crate::report::{BenchReport, Goal};
use crate::server::program;

/// The key, description, unit and goal of each row.
const ROWS: [(&str, &str, &str, Option<Goal>); 18] = [
    ("first_paint_js_kb", "scripts that the first paint waits for, gzip", "kB", Some(Goal::AtMost(250.0))),
    (
        "before_writing_js_kb",
        "all that are asked for before there is a place to write in",
        "kB",
        Some(Goal::AtMost(250.0)),
    ),
    ("first_paint_has_three", "of which the 3D library (1 is yes)", "", Some(Goal::AtMost(0.0))),
    ("interactive_ms", "from the address to a page at rest", "ms", None),
    ("idle_script_percent", "her body at rest: its scripts, of one core", "%", None),
    ("idle_page_percent", "her body at rest: the page's thread, of one core", "%", None),
    (
        "idle_browser_percent",
        "her body at rest: all processes of the browser, of one core",
        "%",
        Some(Goal::AtMost(40.0)),
    ),
    ("idle_without_percent", "the page without her at rest", "%", None),
    ("idle_without_browser_percent", "all processes of the browser without her", "%", None),
    ("draw_calls", "draw calls of a frame, with outlines", "", Some(Goal::AtMost(12.0))),
    ("expressions_heap_mb", "memory after 1,000 expressions more than before", "MB", Some(Goal::AtMost(2.0))),
    ("expressions_textures", "textures after them", "", Some(Goal::AtMost(0.0))),
    ("swaps_heap_mb", "memory after 100 bodies more than before", "MB", Some(Goal::AtMost(5.0))),
    ("swaps_geometries", "geometries after them", "", Some(Goal::AtMost(0.0))),
    ("swaps_textures", "textures after them", "", Some(Goal::AtMost(0.0))),
    ("frame_with_ms", "between two frames while an answer comes, with her, median", "ms", None),
    ("frame_with_p95_ms", "the same, p95", "ms", None),
    ("frame_without_ms", "between two frames while an answer comes, without her, median", "ms", None),
];

/// Measures the size of the page and the cost of the avatar, in a browser with software rendering.
pub async fn run() -> anyhow::Result<BenchReport> {
    let measuring = Program::new("node")
        .arg(Path::new("web/e2e/body-cost.mjs"))
        .env("PERIGEE_BIN", program()?)
        .inherit(&["CHROMIUM", "HOME"])
        .time_limit(Duration::from_mins(15));
    let finished = measuring.run().await?;
    anyhow::ensure!(finished.status.success(), "the browser failed: {}", finished.stderr);
    let text = String::from_utf8_lossy(&finished.stdout);
    let found: Value = serde_json::from_str(text.trim()).context("the script printed no JSON")?;
    let method = "Headless Chromium, 1280 × 800, without a graphics card: the processor draws, so times between frames are \
                  those of the worst machine there is. Memory is that of the page's scripts after collecting garbage.";
    let mut report = BenchReport::new("body", method);
    for (key, what, unit, goal) in ROWS {
        let value =
            found.get(key).and_then(Value::as_f64).with_context(|| format!("{key} was not measured"))?;
        report.row(key, what, value, unit, goal);
    }
    Ok(report)
}
