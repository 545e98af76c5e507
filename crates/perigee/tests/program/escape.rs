//! Hostile programs in the sandbox, and a judge outside it that checks for effects. The full set runs in `cargo xtask
//! soak escape`; this is the quick part.

use serde_json::Value;
use tokio::process::Command;

use crate::support::{BIN, has_whole_sandbox, levels};

/// Relative to the package folder, in which tests run.
const JUDGE: &str = "../testkit/escape/judge.py";

async fn judge(profile: &str, runner: &str, which: &[&str]) -> Value {
    let mut command = Command::new("python3");
    testkit::isolate(&mut command)
        .args(["-I", JUDGE, "--json", "--profile", profile, "--runner", runner])
        .args(which);
    let done = command.kill_on_drop(true).output().await.expect("there is Python");
    serde_json::from_slice(&done.stdout)
        .unwrap_or_else(|_| panic!("no judgement: {}", String::from_utf8_lossy(&done.stderr)))
}

/// Returns the promised attempts with this verdict, by name and observation.
fn named(judgement: &Value, verdict: &str) -> Vec<String> {
    let attempts = judgement["attempts"].as_array().expect("a list").iter();
    let those = attempts.filter(|attempt| attempt["verdict"] == verdict && attempt["promised"] == true);
    those.map(|attempt| format!("{}: {}", attempt["name"], attempt["seen"])).collect()
}

#[tokio::test]
async fn no_hostile_program_gets_out() {
    if !has_whole_sandbox().await {
        return;
    }
    for profile in ["tool", "shell"] {
        let runner = format!("{BIN} --home {{data}} sandbox run --profile {{profile}} --work {{work}} --");
        let judgement = judge(profile, &runner, &["--quick"]).await;
        assert_eq!(named(&judgement, "escaped"), Vec::<String>::new(), "{profile}");
        // On a busy machine, an attempt may not start in time, which proves nothing. It is run again.
        for unjudged in named(&judgement, "broken") {
            let name = unjudged.split('"').nth(1).expect("a name");
            let again = judge(profile, &runner, &["--only", name]).await;
            assert_eq!(again["summary"]["held"].as_u64(), Some(1), "{profile}: {name}: {again}");
        }
        assert!(judgement["summary"]["held"].as_u64() > Some(40), "{profile}: {}", judgement["summary"]);
    }
}

#[tokio::test]
async fn with_half_of_the_walls_a_tool_still_changes_nothing() {
    // Only namespaces can ensure these: the program ends with its runner, and it cannot reach the machine's own
    // namespaces.
    const NEEDS_NAMESPACES: [&str; 2] = ["outlive-killed-runner", "owner-of-namespace"];
    if levels().await.is_empty() {
        return;
    }
    let runner =
        format!("{BIN} --home {{data}} sandbox run --profile {{profile}} --level partial --work {{work}} --");
    let judgement = judge("tool", &runner, &["--quick"]).await;
    let mut escaped = named(&judgement, "escaped");
    escaped.retain(|name| !NEEDS_NAMESPACES.iter().any(|known| name.contains(known)));
    assert_eq!(escaped, Vec::<String>::new());
}
