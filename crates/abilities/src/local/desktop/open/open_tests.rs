use std::sync::Arc;

use config::{Config, Folders};
use serde_json::json;
use tools::{ToolError, tool};

use super::super::fake_desktop::FakeDesktop;
use super::*;
use testkit::ToolTester;

const FIREFOX: &str = "[Desktop Entry]\nType=Application\nName=Firefox\nExec=/usr/bin/firefox --new %u\n";

struct Fixture {
    kit: ToolTester,
    desktop: Arc<FakeDesktop>,
}

/// Sets up a home with an application and a granted folder, on a machine with or without a screen.
fn fixture(screen: bool) -> Fixture {
    fixture_with(|home| {
        let mut desktop = FakeDesktop::new(
            Platform::Unix,
            &["xdg-open", "/usr/bin/firefox"],
            &[("XDG_DATA_DIRS", "/nowhere"), ("HOME", &home.display().to_string())],
        );
        if screen {
            desktop.variables.insert("DISPLAY", ":0".into());
        }
        desktop
    })
}

fn fixture_with(desktop: impl FnOnce(&Path) -> FakeDesktop) -> Fixture {
    let mut made = None;
    let kit = ToolTester::new(|_, home| {
        let mut config = Config::default();
        config.files.folders = vec!["~/Documents".into()];
        let config = Arc::new(config);
        let folders = Folders { user: Some(home.to_path_buf()), ..Folders::within(home.join("data")) };
        let grants = FolderGrants::new(Arc::new(move || Arc::clone(&config)), folders);
        let desktop = Arc::new(desktop(home));
        made = Some(Arc::clone(&desktop));
        vec![Arc::new(tool(OpenTool { desktop, grants: Arc::new(grants) }).unwrap())]
    });
    kit.write(".local/share/applications/firefox.desktop", FIREFOX);
    kit.write("Documents/report.pdf", "pdf");
    kit.write("Documents/run.sh", "sh");
    kit.write("Documents/trap.desktop", FIREFOX);
    kit.write("secret.pdf", "pdf");
    let kit = ToolTester { own: Some("data".into()), ..kit };
    Fixture { kit, desktop: made.unwrap() }
}

#[tokio::test]
async fn an_address_is_handed_to_the_desktop() {
    let Fixture { kit, desktop } = fixture(true);
    let output = kit.run("open", json!({"target": "example.org/a b"})).await.unwrap();
    assert_eq!(output.text, "https://example.org/a%20b is opened.");
    let command = output.command.unwrap();
    assert_eq!(command.action, "open");
    assert_eq!(
        command.payload,
        json!({"target": "example.org/a b", "kind": "url", "opened": true, "url": "https://example.org/a%20b"})
    );
    assert_eq!(desktop.called(), [ProgramCall::new("xdg-open", ["https://example.org/a%20b"])]);
}

#[tokio::test]
async fn an_application_is_started_by_itself() {
    let Fixture { kit, desktop } = fixture(true);
    let output = kit.run("open", json!({"target": "firefox"})).await.unwrap();
    assert_eq!(output.text, "Firefox is opened.");
    assert_eq!(output.command.unwrap().payload, json!({"target": "firefox", "kind": "app", "opened": true}));
    assert_eq!(desktop.called(), [ProgramCall::new("/usr/bin/firefox", ["--new"])]);
    let said = kit.run("open", json!({"target": "fireforks"})).await;
    assert!(
        matches!(&said, Err(ToolError::Impossible(text)) if text.contains("Did you mean Firefox?")),
        "{said:?}"
    );
    assert!(
        kit.say("open", json!({"target": "firefox; rm -rf ~"})).await.starts_with("There is no application")
    );
    assert_eq!(desktop.called().len(), 1);
}

#[tokio::test]
async fn only_granted_files_that_are_not_run_are_opened() {
    let Fixture { kit, desktop } = fixture(true);
    for target in ["report.pdf", "~/Documents/report.pdf", "Documents/report.pdf", "~/Documents"] {
        let output = kit.run("open", json!({"target": target})).await.unwrap();
        assert_eq!(output.command.unwrap().payload["kind"], "file", "{target}");
    }
    let opened = desktop.called();
    assert!(opened[0].arguments[0].ends_with("/Documents/report.pdf"), "{opened:?}");
    for target in [
        "~/secret.pdf",
        "../secret.pdf",
        "/etc/passwd",
        "run.sh",
        "~/Documents/run.sh",
        "~/Documents/trap.desktop",
        "~/Documents/none.pdf",
    ] {
        assert!(kit.run("open", json!({"target": target})).await.is_err(), "{target}");
    }
    assert_eq!(desktop.called().len(), opened.len(), "nothing else was handed over");
}

#[tokio::test]
async fn a_file_that_is_refused_is_not_taken_for_an_application() {
    for platform in [Platform::Mac, Platform::Windows, Platform::Unix] {
        let Fixture { kit, desktop } =
            fixture_with(|_| FakeDesktop::new(platform, &["xdg-open"], &[("DISPLAY", ":0")]));
        for target in ["run.sh", "trap.desktop", "Documents/run.sh"] {
            let said = kit.say("open", json!({ "target": target })).await;
            assert!(said.starts_with("I open documents") && said.contains(target), "{platform:?}: {said}");
        }
        assert!(desktop.called().is_empty(), "{platform:?}");
    }
}

#[tokio::test]
async fn a_folder_that_is_an_application_is_not_opened_as_a_folder() {
    for (platform, opens) in [(Platform::Mac, false), (Platform::Windows, true), (Platform::Unix, true)] {
        let Fixture { kit, desktop } =
            fixture_with(|_| FakeDesktop::new(platform, &["xdg-open"], &[("DISPLAY", ":0")]));
        kit.write("Documents/Evil.app/Contents/MacOS/evil", "");
        kit.write("Documents/Evil.workflow/Contents/run", "");
        kit.write("Documents/plain/a.txt", "");
        for target in ["Evil.workflow", "~/Documents/Evil.app", "~/Documents/Evil.app/"] {
            assert_eq!(kit.run("open", json!({ "target": target })).await.is_ok(), opens, "{platform:?}");
        }
        assert_eq!(desktop.called().len(), if opens { 3 } else { 0 }, "{platform:?}");
        assert!(kit.run("open", json!({"target": "~/Documents/plain"})).await.is_ok(), "{platform:?}");
    }
}

#[tokio::test]
async fn without_a_desktop_the_page_offers_the_link() {
    let Fixture { kit, desktop } = fixture(false);
    let output = kit.run("open", json!({"target": "https://example.org/"})).await.unwrap();
    assert_eq!(output.text, "There is no desktop on this machine. The link is offered on the page instead.");
    let payload = output.command.unwrap().payload;
    assert_eq!((&payload["opened"], &payload["url"]), (&json!(false), &json!("https://example.org/")));
    let output = kit.run("open", json!({"target": "Firefox"})).await.unwrap();
    assert_eq!(output.text, "There is no desktop on this machine, so Firefox cannot be opened.");
    assert_eq!(output.command.unwrap().payload, json!({"target": "Firefox", "kind": "app", "opened": false}));
    assert!(matches!(kit.run("open", json!({"target": "report.pdf"})).await, Err(ToolError::Unavailable(_))));
    assert!(desktop.called().is_empty());
}

#[tokio::test]
async fn what_the_desktop_cannot_open_is_said() {
    let Fixture { kit, .. } = fixture_with(|_| {
        let mut desktop = FakeDesktop::new(Platform::Mac, &[], &[]);
        desktop.answer.succeeded = false;
        desktop
    });
    let said = kit.say("open", json!({"target": "https://example.org/"})).await;
    assert_eq!(said, "The desktop could not open it. The link is offered on the page instead.");
    assert_eq!(kit.say("open", json!({"target": "Notes"})).await, "Notes could not be opened.");
    let Fixture { kit, .. } = fixture_with(|_| FakeDesktop::new(Platform::Unix, &[], &[("DISPLAY", ":0")]));
    let said = kit.say("open", json!({"target": "https://example.org/"})).await;
    assert!(said.contains("Install the package xdg-utils"), "{said}");
}

#[tokio::test]
async fn other_systems_get_the_target_as_one_value() {
    let name = "Calc & del *";
    for (platform, program) in [(Platform::Mac, "open"), (Platform::Windows, "powershell")] {
        let Fixture { kit, desktop } = fixture_with(|_| FakeDesktop::new(platform, &[], &[]));
        kit.run("open", json!({"target": name})).await.unwrap();
        let call = desktop.called().remove(0);
        assert_eq!(call.program, program);
        let whole = call.arguments.iter().chain(call.variables.iter().map(|(_, value)| value));
        assert_eq!(whole.filter(|value| value.contains("del *")).collect::<Vec<_>>(), [name]);
    }
}
