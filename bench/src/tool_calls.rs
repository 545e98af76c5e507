use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use abilities::skills::{BundledSkills, Skills};
use protocol::{ConversationId, Origin, UserId};
use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;
use tools::{
    GateDecision, Invocation, KnownAddresses, PendingCall, Permissions, Taint, Tool, ToolRegistry, decide,
};

use crate::report::{BenchReport, Goal};
use crate::statistics::{median, median_ratio};

const CALLS: u32 = 20_000;
const ROUNDS: usize = 9;
const SKILLS: usize = 100;
/// The greatest length of names and descriptions of skills in the prompt, in characters.
const SKILL_CHARS: usize = 7_000;

/// Measures the cost of checking a call compared with the call itself, and the cost of a hundred skills in a prompt.
pub async fn run() -> anyhow::Result<BenchReport> {
    let folder = tempfile::tempdir()?;
    let method = format!(
        "The calculator is called {CALLS} times with `2 + 2`, median of {ROUNDS} interleaved pairs: alone, and after \
         finding it in the registry, checking the arguments against the schema, looking at permissions.json for \
         changes, and the gate's decision with taint. Then {SKILLS} skills with descriptions of 300 characters and \
         bodies of 6,000: the lines that go into the prompt, beside pasting all of them. A token is taken as four \
         characters."
    );
    let mut report = BenchReport::new("hands", method);
    let registry = registry(folder.path()).map_err(anyhow::Error::msg)?;
    let permissions = Permissions::open(folder.path().join("permissions.json"));
    permissions.set("web_fetch", Some(protocol::Permission::Allow))?;
    let arguments = object(&json!({"expression": "2 + 2"}));
    let (mut bare, mut gated) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        bare.push(time(async || call(&registry, &arguments, folder.path()).await).await);
        gated.push(
            time(async || {
                black_box(passes(&registry, &permissions, &arguments));
                call(&registry, &arguments, folder.path()).await;
            })
            .await,
        );
    }
    let overhead: Vec<f64> = gated.iter().zip(&bare).map(|(gated, bare)| (gated - bare) * 1e6).collect();
    let ratio = median_ratio(&gated, &bare);
    report.row(
        "gate_us",
        "finding, checking and deciding, a call",
        median(&overhead),
        "µs",
        Some(Goal::AtMost(50.0)),
    );
    report.row("call_us", "the call itself", median(&bare) * 1e6, "µs", None);
    report.row("gate_ratio", "both, beside the call itself", ratio, "×", None);

    let pasted = write_skills(folder.path())?;
    let skills = Skills::open(BundledSkills::none(), folder.path().join("skills"));
    let lines = skills.prompt(SKILL_CHARS);
    anyhow::ensure!(lines.lines().count() == SKILLS, "every skill is named");
    let tokens = |chars: usize| f64::from(u32::try_from(chars / 4).unwrap_or(u32::MAX));
    report.row(
        "skills_tokens",
        "100 skills in the prompt",
        tokens(lines.len()),
        "tokens",
        Some(Goal::AtMost(2_000.0)),
    );
    report.row("skills_ratio", "beside pasting them", tokens(lines.len()) / tokens(pasted), "×", None);
    let again: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let began = Instant::now();
            black_box(skills.prompt(SKILL_CHARS));
            began.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    report.row("skills_ms", "looking for changes and naming them", median(&again), "ms", None);
    Ok(report)
}

fn registry(folder: &Path) -> Result<ToolRegistry, String> {
    let settings: abilities::CurrentConfig = std::sync::Arc::new(Default::default);
    let parts = abilities::local::LocalToolParts {
        clock: std::sync::Arc::new(host::SystemClock),
        settings,
        folders: config::Folders::within(folder),
        desktop: std::sync::Arc::new(abilities::local::LocalDesktop),
        sandbox: std::sync::Arc::new(sandbox::Sandbox::none(Vec::new())),
        origins: std::sync::Arc::new(testkit::KeptOrigins::default()),
    };
    let mut registry = ToolRegistry::default();
    for tool in abilities::local::tools(parts)? {
        registry.add(tool).map_err(|error| error.to_string())?;
    }
    Ok(registry)
}

fn passes(registry: &ToolRegistry, permissions: &Permissions, arguments: &Map<String, Value>) -> bool {
    let Some(tool) = registry.find("calculate", |_| true) else { return false };
    let spec = tool.spec();
    let taint: Taint = [Origin::Web("https://a.example/".into())].into_iter().collect();
    let known =
        KnownAddresses { words: vec!["What is on https://a.example/ ?".to_owned()], found: Vec::new() };
    let (effects, permission) = (tool.effects(arguments), permissions.holding(spec));
    let effects = effects.as_slice();
    let (granted, ruling) = (false, &tool.ruling(arguments));
    let act =
        PendingCall { spec, effects, arguments, permission, granted, ruling, taint: &taint, known: &known };
    spec.check(arguments).is_ok() && decide(&act) == GateDecision::Allow
}

async fn call(registry: &ToolRegistry, arguments: &Map<String, Value>, folder: &Path) {
    let Some(tool) = registry.find("calculate", |_| true) else { return };
    let invocation = Invocation {
        arguments: arguments.clone(),
        user: UserId::new(1),
        folder: folder.into(),
        conversation: ConversationId::new(1),
        origins: Vec::new(),
        cancel: CancellationToken::new(),
        user_channel: std::sync::Arc::new(tools::NoUser),
    };
    black_box(tools::run(tool.as_ref() as &dyn Tool, invocation).await).ok();
}

/// Returns the average time of many runs, in seconds.
async fn time(work: impl AsyncFn()) -> f64 {
    let began = Instant::now();
    for _ in 0..CALLS {
        work().await;
    }
    began.elapsed().as_secs_f64() / f64::from(CALLS)
}

/// Writes the skills, and returns their total length.
fn write_skills(folder: &Path) -> anyhow::Result<usize> {
    let mut pasted = 0;
    for number in 0..SKILLS {
        let name = format!("skill-number-{number:03}");
        let about = "Does one thing well and says when to use it. ".repeat(7);
        let body = "Do this, then that, and look at what came of it.\n".repeat(120);
        let text = format!("---\nname: {name}\ndescription: {}\n---\n{body}", about.trim());
        pasted += text.len();
        host::private_dir(folder.join("skills").join(&name))?;
        host::atomic_write(folder.join("skills").join(&name).join("SKILL.md"), text.as_bytes())?;
    }
    Ok(pasted)
}

fn object(value: &Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap_or_default()
}
