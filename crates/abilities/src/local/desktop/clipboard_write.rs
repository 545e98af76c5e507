use std::sync::Arc;

use async_trait::async_trait;
use protocol::Risk;
use schemars::JsonSchema;
use serde::Deserialize;
use tools::{Ability, Effect, Invocation, ToolError, ToolOutput};

use super::clipboard::Clipboard;
use super::environment::{DesktopEnvironment, LaunchResult};
use tools::blocking::failed;

#[derive(Debug, Deserialize, JsonSchema)]
pub struct Arguments {
    text: String,
}

/// The `clipboard_write` tool.
pub struct ClipboardWrite(pub Arc<dyn DesktopEnvironment>);

const LARGEST: usize = 1 << 20;

#[async_trait]
impl Ability for ClipboardWrite {
    type Arguments = Arguments;
    const NAME: &'static str = "clipboard_write";
    const AREA: Option<&'static str> = Some("clipboard");
    const ABOUT: &'static str = "Puts text into the clipboard, in place of what is there.";
    const ASKED_BY: &'static [&'static str] = &["clipboard", "copy"];
    const RISK: Risk = Risk::Risky;
    const EFFECTS: &'static [Effect] = &[Effect::Changes, Effect::OwnersMachine];

    async fn run(&self, arguments: Arguments, _: &Invocation) -> Result<ToolOutput, ToolError> {
        let text = arguments.text;
        if text.is_empty() {
            return Err(ToolError::Impossible("There is no text to put into the clipboard.".into()));
        }
        if text.len() > LARGEST {
            return Err(ToolError::Impossible(
                "That is too much text for the clipboard. Write it to a file.".into(),
            ));
        }
        let count = text.chars().count();
        // The program serves the text to other applications, so it must outlive this call.
        let call = Clipboard::find(&*self.0)?.write.input(text);
        match self.0.launch(call).await.map_err(failed)? {
            LaunchResult::Started => {
                Ok(ToolOutput::text(format!("{count} characters are in the clipboard.")))
            }
            LaunchResult::Failed => Err(ToolError::Failed("The clipboard did not take the text.".into())),
        }
    }
}
