use protocol::Risk;
use testkit::TempHome;

use super::*;

fn file(home: &TempHome) -> Permissions {
    Permissions::open(home.join("permissions.json"))
}

#[test]
fn what_is_said_is_kept_and_can_be_taken_back() {
    let home = TempHome::new();
    let permissions = file(&home);
    assert_eq!(permissions.of("web_fetch"), None);
    permissions.set("web_fetch", Some(Permission::Allow)).unwrap();
    permissions.set("run_command", Some(Permission::Block)).unwrap();
    let text = std::fs::read_to_string(home.join("permissions.json")).unwrap();
    assert_eq!(text, "{\n  \"run_command\": \"block\",\n  \"web_fetch\": \"allow\"\n}\n");
    assert_eq!(file(&home).of("run_command"), Some(Permission::Block));
    permissions.set("run_command", None).unwrap();
    assert_eq!(file(&home).all().len(), 1);
}

#[test]
fn the_file_can_be_edited_while_the_program_runs() {
    let home = TempHome::new();
    let permissions = file(&home);
    for (text, expected) in [
        (r#"{"web_fetch": "allow"}"#, Some(Permission::Allow)),
        (r#"{"web_fetch": "confirm"}"#, Some(Permission::Confirm)),
        ("", None),
        (r#"{"web_fetch":"block"}"#, Some(Permission::Block)),
    ] {
        home.write("permissions.json", text);
        assert_eq!(permissions.of("web_fetch"), expected, "{text}");
    }
    std::fs::remove_file(home.join("permissions.json")).unwrap();
    assert_eq!(permissions.of("web_fetch"), None);
}

#[test]
fn a_broken_file_changes_nothing_and_is_not_overwritten() {
    let home = TempHome::new();
    let permissions = file(&home);
    home.write("permissions.json", r#"{"web_fetch": "block"}"#);
    assert_eq!(permissions.of("web_fetch"), Some(Permission::Block));
    for broken in ["{\"web_fetch\": \"alow\"}", "{", "[]", "\u{0}"] {
        home.write("permissions.json", broken);
        assert_eq!(permissions.of("web_fetch"), Some(Permission::Block), "{broken}");
        assert!(permissions.trouble().unwrap().contains("permissions.json"));
        assert!(permissions.set("web_fetch", Some(Permission::Allow)).is_err());
        assert_eq!(std::fs::read_to_string(home.join("permissions.json")).unwrap(), broken);
    }
    home.write("permissions.json", "{}");
    assert_eq!((permissions.of("web_fetch"), permissions.trouble()), (None, None));
}

#[test]
fn a_file_that_was_broken_from_the_start_lets_nothing_run_unasked() {
    let home = TempHome::new();
    home.write("permissions.json", r#"{"run_command": "block",}"#);
    let permissions = file(&home);
    let spec = |risk| ToolDefinition {
        risk,
        ..ToolDefinition::new("run_command", "", serde_json::json!({})).unwrap()
    };
    for (risk, expected) in [
        (Risk::Safe, Permission::Confirm),
        (Risk::Risky, Permission::Confirm),
        (Risk::Dangerous, Permission::Block),
    ] {
        assert_eq!(permissions.holding(&spec(risk)), expected, "{risk:?}");
    }
    home.write("permissions.json", r#"{"run_command": "block"}"#);
    assert_eq!(permissions.holding(&spec(Risk::Safe)), Permission::Block);
    assert_eq!(permissions.of("calculate"), None);
}

#[test]
fn a_folder_that_is_not_there_yet_is_made() {
    let home = TempHome::new();
    let permissions = Permissions::open(home.join("users/Ada/permissions.json"));
    permissions.set("open", Some(Permission::Block)).unwrap();
    assert_eq!(
        Permissions::open(home.join("users/Ada/permissions.json")).of("open"),
        Some(Permission::Block)
    );
}

#[test]
fn a_file_that_cannot_be_looked_at_is_not_taken_for_none() {
    let home = TempHome::new();
    home.write("folder", "a file where a folder should be");
    let permissions = Permissions::open(home.join("folder/permissions.json"));
    let spec = ToolDefinition::new("calculate", "", serde_json::json!({})).unwrap();
    assert_eq!(permissions.holding(&spec), Permission::Confirm);
    assert!(permissions.trouble().is_some());
}
