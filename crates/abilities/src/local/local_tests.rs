use config::Config;
use serde_json::json;

use super::*;
use testkit::{KeptOrigins, ToolTester};

fn kit() -> ToolTester {
    ToolTester::new(|clock, home| {
        let config = Arc::new(Config::default());
        tools(LocalToolParts {
            clock: Arc::clone(clock),
            settings: Arc::new(move || Arc::clone(&config)),
            folders: Folders::within(home),
            desktop: Arc::new(LocalDesktop),
            sandbox: Arc::new(Sandbox::none(Vec::new())),
            origins: Arc::<KeptOrigins>::default(),
        })
        .unwrap()
    })
}

#[test]
fn all_are_there_under_the_names_that_users_know() {
    let kit = kit();
    let mut names: Vec<&str> = kit.tools.iter().map(|tool| tool.spec().name.as_str()).collect();
    names.sort_unstable();
    assert_eq!(
        names,
        [
            "calculate",
            "clipboard_read",
            "clipboard_write",
            "list_files",
            "notify",
            "open",
            "read_file",
            "run_command",
            "state_check_time",
            "state_get",
            "state_list",
            "state_set",
            "system_info",
            "time",
            "write_file",
        ]
    );
    let mut tags: Vec<&str> =
        kit.tools.iter().flat_map(|tool| tool.spec().tags.iter().map(String::as_str)).collect();
    tags.sort_unstable();
    assert_eq!(tags, ["BROWSE", "LAUNCH", "WORKSPACE_READ", "WORKSPACE_WRITE"]);
}

#[test]
fn commands_that_nothing_holds_say_so_and_why_they_are_blocked() {
    let kit = kit();
    let commands = kit.tools.iter().find(|tool| tool.spec().name == "run_command").unwrap().spec();
    assert!(commands.description.contains("with the user's rights"), "{}", commands.description);
    let caution = commands.caution.as_deref().unwrap();
    assert!(caution.contains("no sandbox") && caution.contains("until the user permits them"), "{caution}");
}

#[test]
fn every_one_says_in_a_sentence_what_it_is_for() {
    for tool in &kit().tools {
        let spec = tool.spec();
        assert!(spec.description.ends_with('.') && spec.description.len() < 140, "{}", spec.name);
        assert!(spec.parameters.to_string().len() < 900, "{}: {}", spec.name, spec.parameters);
    }
}

#[tokio::test]
async fn they_answer_on_this_machine() {
    let kit = kit();
    assert_eq!(kit.say("calculate", json!({"expression": "0.1 + 0.2"})).await, "0.1 + 0.2 = 0.3");
    assert_eq!(kit.say("calculate", json!({"expression": "1 / 3"})).await, "1 / 3 ≈ 0.333333333333");
    assert!(kit.say("calculate", json!({"expression": "1 / 0"})).await.contains("divides by zero"));
    let said = kit.say("time", json!({})).await;
    assert_eq!(said, "It is 12:00 on Sunday, 15 November 2026 (UTC).");
    let said = kit.say("time", json!({"time": "3 pm", "from": "EST", "to": "UTC"})).await;
    assert!(said.contains("is 20:00 on Sunday"), "{said}");
    assert!(
        kit.say("time", json!({"zone": null, "time": "now", "to": "PST"})).await.starts_with("It is 04:00")
    );
    assert!(kit.say("system_info", json!({})).await.contains("Processor: "));
}
