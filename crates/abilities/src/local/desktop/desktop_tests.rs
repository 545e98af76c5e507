use std::sync::Arc;

use config::{Config, Folders};
use protocol::Risk;
use serde_json::json;
use tools::{Effect, Origin, ToolError};

use super::fake_desktop::FakeDesktop;
use super::*;
use testkit::ToolTester;

fn kit(desktop: &Arc<FakeDesktop>) -> ToolTester {
    ToolTester::new(|_, home| {
        let config = Arc::new(Config::default());
        let grants = FolderGrants::new(Arc::new(move || Arc::clone(&config)), Folders::within(home));
        let desktop: Arc<dyn DesktopEnvironment> = desktop.clone();
        tools(&desktop, &Arc::new(grants)).unwrap()
    })
}

const WAYLAND: [(&str, &str); 1] = [("WAYLAND_DISPLAY", "wayland-0")];
const X11: [(&str, &str); 1] = [("DISPLAY", ":0")];

fn linux(programs: &[&'static str], variables: &[(&'static str, &str)]) -> FakeDesktop {
    FakeDesktop::new(Platform::Unix, programs, variables)
}

#[tokio::test]
async fn the_clipboard_is_reached_by_what_there_is() {
    let everything = ["wl-paste", "wl-copy", "xclip", "xsel"];
    let both = [WAYLAND[0], X11[0]];
    let cases = [
        (linux(&everything, &both), "wl-paste", "wl-copy"),
        (linux(&["xclip", "xsel"], &both), "xclip", "xclip"),
        (linux(&everything, &X11), "xclip", "xclip"),
        (linux(&["xsel"], &X11), "xsel", "xsel"),
        (FakeDesktop::new(Platform::Mac, &[], &[]), "pbpaste", "pbcopy"),
        (FakeDesktop::new(Platform::Windows, &[], &[]), "powershell", "powershell"),
    ];
    for (mut desktop, read, write) in cases {
        desktop.answer.output = b"copied".to_vec();
        let desktop = Arc::new(desktop);
        let kit = kit(&desktop);
        let output = kit.run("clipboard_read", json!({})).await.unwrap();
        assert_eq!(output.text, "copied");
        assert_eq!(output.origins, [Origin::File("clipboard".into())], "it may have come from anywhere");
        assert_eq!(
            kit.say("clipboard_write", json!({"text": "$(rm) 月"})).await,
            "7 characters are in the clipboard."
        );
        let calls = desktop.called();
        assert_eq!((calls[0].program.as_str(), calls[1].program.as_str()), (read, write));
        assert_eq!(calls[1].input, "$(rm) 月".as_bytes());
        assert!(
            !calls[1].arguments.iter().any(|argument| argument.contains("rm")),
            "the text is no argument"
        );
    }
}

#[tokio::test]
async fn where_the_clipboard_cannot_be_reached_it_says_what_to_install() {
    let cases = [
        (linux(&["xclip"], &[]), "There is no desktop here, so there is no clipboard."),
        (linux(&[], &WAYLAND), "The clipboard cannot be reached. Install the package wl-clipboard."),
        (linux(&["wl-copy"], &X11), "The clipboard cannot be reached. Install the package xclip."),
    ];
    for (desktop, says) in cases {
        let kit = kit(&Arc::new(desktop));
        for (tool, arguments) in [("clipboard_read", json!({})), ("clipboard_write", json!({"text": "x"}))] {
            assert_eq!(kit.run(tool, arguments).await, Err(ToolError::Unavailable(says.into())));
        }
    }
}

#[tokio::test]
async fn a_clipboard_without_text_and_one_that_refuses() {
    for (succeeded, output) in [(false, b"".as_slice()), (true, b""), (true, b"\x89PNG\0\0")] {
        let mut desktop = linux(&["xclip"], &X11);
        desktop.answer = DesktopProgramOutput { succeeded, output: output.to_vec(), truncated: false };
        let kit = kit(&Arc::new(desktop));
        assert_eq!(kit.say("clipboard_read", json!({})).await, "The clipboard is empty or holds no text.");
        assert_eq!(kit.run("clipboard_write", json!({"text": "x"})).await.is_ok(), succeeded);
    }
    let kit = kit(&Arc::new(linux(&["xclip"], &X11)));
    for text in [String::new(), "x".repeat(2 << 20)] {
        assert!(kit.run("clipboard_write", json!({"text": text})).await.is_err());
    }
}

#[tokio::test]
async fn a_notification_reaches_the_desktop_and_the_page() {
    let desktop = Arc::new(linux(&["notify-send"], &X11));
    let kit = kit(&desktop);
    let arguments = json!({"title": "--help\nTea", "text": "is <b>ready</b> & hot"});
    let output = kit.run("notify", arguments).await.unwrap();
    assert_eq!(output.text, "The notification is shown.");
    let command = output.command.unwrap();
    assert_eq!(command.action, "notify");
    assert_eq!(command.payload, json!({"title": "--help Tea", "text": "is <b>ready</b> & hot"}));
    let expected = ["--app-name=Perigee", "--", "--help Tea", "is &lt;b&gt;ready&lt;/b&gt; &amp; hot"];
    assert_eq!(desktop.called()[0].arguments, expected, "neither an option nor markup");
}

#[tokio::test]
async fn a_notification_needs_no_program_and_is_cut_where_it_is_long() {
    for desktop in [linux(&[], &X11), linux(&["notify-send"], &[])] {
        let desktop = Arc::new(desktop);
        let kit = kit(&desktop);
        let output =
            kit.run("notify", json!({"title": "t".repeat(300), "text": "x".repeat(9_000)})).await.unwrap();
        assert_eq!(output.text, "The notification is shown on open pages.");
        let payload = output.command.unwrap().payload;
        let length = |key: &str| payload[key].as_str().map(|text| text.chars().count());
        assert_eq!((length("title"), length("text")), (Some(101), Some(501)));
        assert!(desktop.called().is_empty());
        assert!(kit.run("notify", json!({"title": "  "})).await.is_err());
    }
}

#[tokio::test]
async fn scripts_of_other_systems_are_fixed_and_take_the_words_as_values() {
    let hostile = "\"; rm -rf ~; $(x) `y` ' end tell";
    for platform in [Platform::Mac, Platform::Windows] {
        let desktop = Arc::new(FakeDesktop::new(platform, &[], &[]));
        let kit = kit(&desktop);
        kit.say("notify", json!({"title": hostile, "text": hostile})).await;
        let call = desktop.called().remove(0);
        let (script, values): (Vec<&String>, Vec<&String>) = match platform {
            Platform::Mac => {
                let end = call.arguments.iter().position(|argument| argument == "--").unwrap();
                let (script, values) = call.arguments.split_at(end);
                (script.iter().collect(), values.iter().skip(1).collect())
            }
            _ => (call.arguments.iter().collect(), call.variables.iter().map(|(_, value)| value).collect()),
        };
        assert!(!script.iter().any(|part| part.contains("rm -rf")), "{platform:?}");
        assert_eq!(values, [hostile, hostile]);
    }
}

#[test]
fn the_gate_knows_what_they_do() {
    let kit = kit(&Arc::new(linux(&[], &[])));
    let cases: [(&str, Risk, &[Effect]); 4] = [
        (
            "clipboard_read",
            Risk::Risky,
            &[Effect::ReadsPrivate, Effect::BringsUntrusted, Effect::OwnersMachine],
        ),
        ("clipboard_write", Risk::Risky, &[Effect::Changes, Effect::OwnersMachine]),
        ("notify", Risk::Safe, &[Effect::Shows]),
        ("open", Risk::Risky, &[Effect::SendsOut, Effect::OwnersMachine]),
    ];
    for (name, risk, effects) in cases {
        let spec = kit.tool(name).spec();
        assert_eq!((spec.risk, spec.effects.as_slice()), (risk, effects), "{name}");
    }
    assert_eq!(kit.tool("open").spec().address, Some("target"));
}

#[cfg(unix)]
#[tokio::test]
async fn real_programs_run_with_their_input_and_without_our_secrets() {
    let desktop = LocalDesktop;
    let ran = desktop.run(ProgramCall::new("cat", ["-"]).input("moon")).await.unwrap();
    assert_eq!((ran.succeeded, ran.output.as_slice()), (true, b"moon".as_slice()));
    let ran = desktop
        .run(ProgramCall::new("env", Vec::<String>::new()).variable("OPEN_TARGET", "x y"))
        .await
        .unwrap();
    let text = String::from_utf8(ran.output).unwrap();
    assert!(text.contains("OPEN_TARGET=x y") && !text.contains("CARGO_PKG_NAME="), "{text}");
    assert_eq!(
        desktop.launch(ProgramCall::new("false", Vec::<String>::new())).await.unwrap(),
        LaunchResult::Failed
    );
    assert!(desktop.launch(ProgramCall::new("no-such-program", Vec::<String>::new())).await.is_err());
    assert!(desktop.has("cat") && !desktop.has("no-such-program"));
}
