use std::sync::Arc;

use async_trait::async_trait;
use protocol::Risk;
use schemars::JsonSchema;
use serde::Deserialize;
use tools::{Ability, Effect, Invocation, Origin, ToolError, ToolOutput};

use super::clipboard::Clipboard;
use super::environment::DesktopEnvironment;
use tools::blocking::failed;

#[derive(Debug, Deserialize, JsonSchema)]
pub struct Arguments {}

/// `clipboard_read`
pub struct ClipboardRead(pub Arc<dyn DesktopEnvironment>);

#[async_trait]
impl Ability for ClipboardRead {
    type Arguments = Arguments;
    const NAME: &'static str = "clipboard_read";
    const AREA: Option<&'static str> = Some("clipboard");
    const ABOUT: &'static str = "Reads the text in the clipboard.";
    const ASKED_BY: &'static [&'static str] = &["clipboard", "i copied"];
    const RISK: Risk = Risk::Risky;
    const EFFECTS: &'static [Effect] =
        &[Effect::ReadsPrivate, Effect::BringsUntrusted, Effect::OwnersMachine];

    async fn run(&self, _: Arguments, _: &Invocation) -> Result<ToolOutput, ToolError> {
        let ran = self.0.run(Clipboard::find(&*self.0)?.read).await.map_err(failed)?;
        // These programs fail where there is nothing, or a picture.
        if !ran.succeeded || ran.output.is_empty() || ran.output.contains(&0) {
            return Ok(ToolOutput::text("The clipboard is empty or holds no text."));
        }
        let mut text = String::from_utf8_lossy(&ran.output).into_owned();
        if ran.truncated {
            text.push_str("\n[The rest is left out.]");
        }
        // Whatever was copied may have come from anywhere.
        Ok(ToolOutput { origins: vec![Origin::File("clipboard".into())], ..ToolOutput::text(text) })
    }
}
