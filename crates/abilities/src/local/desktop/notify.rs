use std::sync::Arc;

use async_trait::async_trait;
use protocol::Command;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use tools::{Ability, Effect, Invocation, ToolError, ToolOutput};

use super::environment::{DesktopEnvironment, LaunchResult, Platform, ProgramCall};

#[derive(Debug, Deserialize, JsonSchema)]
pub struct Arguments {
    title: String,
    #[serde(default)]
    text: String,
}

/// The `notify` tool.
pub struct Notify(pub Arc<dyn DesktopEnvironment>);

const LONGEST_TITLE: usize = 100;
const LONGEST_TEXT: usize = 500;

#[async_trait]
impl Ability for Notify {
    type Arguments = Arguments;
    const NAME: &'static str = "notify";
    const ABOUT: &'static str = "Shows a notification on the desktop and on open pages.";
    const ASKED_BY: &'static [&'static str] = &[
        "notify",
        "notification",
        "alert me",
        "benachrichtige",
        "benachrichtigung",
        "notifie",
        "préviens moi",
        "notifica",
        "notificación",
        "avísame",
        "avvisami",
        "notificação",
        "avise me",
        "melding",
    ];
    const EFFECTS: &'static [Effect] = &[Effect::Shows];

    async fn run(&self, arguments: Arguments, _: &Invocation) -> Result<ToolOutput, ToolError> {
        let title = arguments.title.split_whitespace().collect::<Vec<_>>().join(" ");
        let title = shortened(&title, LONGEST_TITLE);
        let text = shortened(&arguments.text, LONGEST_TEXT);
        if title.is_empty() {
            return Err(ToolError::Impossible("A notification needs a title.".into()));
        }
        let on_desktop = match call(&*self.0, &title, &text) {
            Some(call) => matches!(self.0.launch(call).await, Ok(LaunchResult::Started)),
            None => false,
        };
        let said = if on_desktop {
            "The notification is shown."
        } else {
            "The notification is shown on open pages."
        };
        let command = Command { action: Self::NAME.into(), payload: json!({"title": title, "text": text}) };
        Ok(ToolOutput { command: Some(command), ..ToolOutput::text(said) })
    }
}

/// Cuts the text to the limit with an ellipsis and removes control characters.
fn shortened(text: &str, limit: usize) -> String {
    let text: String = text.trim().chars().filter(|c| !c.is_control() || *c == '\n').collect();
    match text.char_indices().nth(limit) {
        Some((end, _)) => format!("{}\u{2026}", &text[..end]),
        None => text,
    }
}

const MAC: [&str; 3] =
    ["on run argv", "display notification (item 2 of argv) with title (item 1 of argv)", "end run"];
const WINDOWS: &str = "Add-Type -AssemblyName System.Windows.Forms, System.Drawing; \
    $icon = New-Object System.Windows.Forms.NotifyIcon; \
    $icon.Icon = [System.Drawing.SystemIcons]::Information; $icon.Visible = $true; \
    $icon.ShowBalloonTip(8000, $env:NOTICE_TITLE, $env:NOTICE_TEXT, 'Info'); Start-Sleep 8; $icon.Dispose()";

fn call(desktop: &dyn DesktopEnvironment, title: &str, text: &str) -> Option<ProgramCall> {
    match desktop.platform() {
        Platform::Mac => {
            let script = MAC.iter().flat_map(|line| ["-e", line]);
            Some(ProgramCall::new("osascript", script.chain(["--", title, text])))
        }
        // The Windows balloon fails on an empty text.
        Platform::Windows => Some(
            ProgramCall::powershell(WINDOWS)
                .variable("NOTICE_TITLE", title)
                .variable("NOTICE_TEXT", if text.is_empty() { " " } else { text }),
        ),
        Platform::Unix if desktop.has_display() && desktop.has("notify-send") => {
            Some(ProgramCall::new("notify-send", ["--app-name=Perigee", "--", title, &without_markup(text)]))
        }
        Platform::Unix => None,
    }
}

/// Escapes the text: desktops interpret a subset of HTML, including links.
fn without_markup(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
