//! `perigee dialect`: reply parsing with the template of a model.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};
use testkit::perigee_command;

use crate::support::BIN;

const TEMPLATE: &str = "{% for m in messages %}<|{{ m.role }}|>{% if m.reasoning_content %}[WHY]{{ m.reasoning_content }}[/WHY]{% endif %}{{ m.content or '' }}{% for c in m.tool_calls %}<|do|>{{ c.function.name }}<|with|>{{ c.function.arguments | tojson }}<|done|>{% endfor %}<|over|>{% endfor %}{% if add_generation_prompt %}<|assistant|>[WHY]{% endif %}";

fn dialect(folder: &Path, arguments: &[&str], reply: &str) -> (Option<i32>, Value) {
    let arguments = [&["dialect"][..], arguments].concat();
    let mut child = perigee_command(Path::new(BIN), &folder.join("home"), arguments)
        .into_std()
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(reply.as_bytes()).ok();
    let done = child.wait_with_output().unwrap();
    (done.status.code(), serde_json::from_slice(&done.stdout).unwrap_or(Value::Null))
}

#[test]
fn a_reply_is_read_as_its_models_template_has_it() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("chat.jinja"), TEMPLATE).unwrap();
    let parameters =
        json!({"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}}});
    let tools = json!([{"type": "function", "function": {"name": "weather", "parameters": parameters}}]);
    fs::write(folder.path().join("tools.json"), tools.to_string()).unwrap();
    let given = ["--template", "chat.jinja", "--tools", "tools.json", "--json"];
    let call = "<|do|>weather<|with|>{\"city\": \"Lyon <|done|>\", \"days\": \"3\"}<|done|>";
    let reply = format!("I could {call} now.[/WHY]Let me look.\n{call}<|over|>");
    let expected = json!({
        "text": "Let me look.",
        "reasoning": format!("I could {call} now."),
        "calls": [{"name": "weather", "arguments": {"city": "Lyon <|done|>", "days": 3}}],
        "shown": "Let me look.",
    });
    for cut in [None, Some("1"), Some("2"), Some("5")] {
        let cut: Vec<&str> = cut.into_iter().flat_map(|length| ["--cut", length]).collect();
        let (status, read) = dialect(folder.path(), &[&given[..], &cut].concat(), &reply);
        assert_eq!((status, &read), (Some(0), &expected), "{cut:?}");
    }
    let (_, half) = dialect(folder.path(), &given, "[/WHY]Wait.<|do|>weather<|with|>{\"city\": \"Ly");
    assert_eq!((&half["shown"], &half["calls"]), (&json!("Wait."), &json!([])), "half a call is not shown");

    let known = "<tool_call>\n{\"name\": \"weather\", \"arguments\": {\"city\": \"Kiel\"}}";
    let (_, read) = dialect(folder.path(), &["--tools", "tools.json", "--json"], known);
    assert_eq!(
        read["calls"],
        json!([{"name": "weather", "arguments": {"city": "Kiel"}}]),
        "without a template"
    );
    assert!(!folder.path().join("home").exists(), "no data folder is needed");
}

#[test]
fn what_a_template_does_not_tell_is_read_and_no_thought_calls_anything() {
    const SILENT: &str = "{% for m in messages %}<start_of_turn>{{ m.role }}\n{{ m.content }}<end_of_turn>\n{% endfor %}{% if add_generation_prompt %}<start_of_turn>model\n{% endif %}";
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("chat.jinja"), SILENT).unwrap();
    let tools = json!([{"name": "weather", "parameters": {"type": "object", "properties": {"city": {"type": "string"}}}}]);
    fs::write(folder.path().join("tools.json"), tools.to_string()).unwrap();
    let fence = "Let me look.\n```tool_code\nweather(city=\"Lyon\")\n```";
    let lyon = json!([{"name": "weather", "arguments": {"city": "Lyon"}}]);
    let call = "<tool_call>{\"name\": \"weather\", \"arguments\": {\"city\": \"Lyon\"}}</tool_call>";
    let thought = format!("Sure. <thinking>\n{call}\n</thinking>\nHello.");
    let mention = format!("The tag <thinking> opens it.\n{call}");
    let analysis = "<|channel|>analysis to=functions.weather<|message|>{\"city\": \"Lyon\"}<|call|>";
    let cut = "Sure: {{\"name\": \"weather\", \"arguments\": {\"city\": \"Ly";
    for (is_silent, reply, text, calls, flaws) in [
        (true, fence, "Let me look.", &lyon, 0),
        (false, fence, fence, &json!([]), 0),
        (false, thought.as_str(), "Sure. Hello.", &json!([]), 0),
        (false, mention.as_str(), "The tag <thinking> opens it.", &json!([]), 1),
        (false, analysis, "", &json!([]), 0),
        (false, cut, "Sure:", &json!([]), 1),
    ] {
        let template: &[&str] = if is_silent { &["--template", "chat.jinja"] } else { &[] };
        let given = [template, &["--tools", "tools.json", "--json"]].concat();
        let (status, read) = dialect(folder.path(), &given, reply);
        assert_eq!((status, &read["text"], &read["calls"]), (Some(0), &json!(text), calls), "{reply}");
        assert_eq!(read["flaws"].as_array().map_or(0, Vec::len), flaws, "{reply}");
    }
}

#[test]
fn a_template_that_is_none_is_told_as_one() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("bad.jinja"), "{% if %}").unwrap();
    fs::write(
        folder.path().join("endless.jinja"),
        "{% for a in range(9999) %}{% for b in range(9999) %}{{ a }}{% endfor %}{% endfor %}",
    )
    .unwrap();
    assert_eq!(dialect(folder.path(), &["--template", "bad.jinja", "--json"], "x").0, Some(1));
    assert_eq!(dialect(folder.path(), &["--template", "none.jinja", "--json"], "x").0, Some(1));
    let (status, read) = dialect(folder.path(), &["--template", "endless.jinja", "--json"], "Hello.");
    assert_eq!(
        (status, &read["text"]),
        (Some(0), &json!("Hello.")),
        "nothing is learned, and words are words"
    );
}
