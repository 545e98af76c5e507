//! Desktop tools: clipboard, notifications and opening things, all through small programs of the machine.

mod clipboard;
mod clipboard_read;
mod clipboard_write;
mod environment;
#[cfg(test)]
mod fake_desktop;
mod notify;
mod open;

use std::sync::Arc;

use tools::{Tool, tool};

pub use environment::{
    DesktopEnvironment, DesktopProgramOutput, LaunchResult, LocalDesktop, Platform, ProgramCall,
};

use super::files::FolderGrants;

pub fn tools(
    desktop: &Arc<dyn DesktopEnvironment>,
    grants: &Arc<FolderGrants>,
) -> Result<Vec<Arc<dyn Tool>>, String> {
    let desktop = || Arc::clone(desktop);
    Ok(vec![
        Arc::new(tool(clipboard_read::ClipboardRead(desktop()))?),
        Arc::new(tool(clipboard_write::ClipboardWrite(desktop()))?),
        Arc::new(tool(notify::Notify(desktop()))?),
        Arc::new(tool(open::OpenTool { desktop: desktop(), grants: Arc::clone(grants) })?),
    ])
}

#[cfg(test)]
#[path = "desktop_tests.rs"]
mod tests;
