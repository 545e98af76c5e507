//! Desktop tools: clipboard, notifications and opening things, all through small programs of the machine.

mod clipboard;
mod clipboard_read;
mod clipboard_write;
mod machine;
mod notify;
mod open;
#[cfg(test)]
mod pretend;

use std::sync::Arc;

use tools::{Tool, tool};

pub use machine::{Call, Machine, Platform, Ran, Released, ThisMachine};

use super::files::Grants;

pub fn tools(machine: &Arc<dyn Machine>, grants: &Arc<Grants>) -> Result<Vec<Arc<dyn Tool>>, String> {
    let machine = || Arc::clone(machine);
    Ok(vec![
        Arc::new(tool(clipboard_read::ClipboardRead(machine()))?),
        Arc::new(tool(clipboard_write::ClipboardWrite(machine()))?),
        Arc::new(tool(notify::Notify(machine()))?),
        Arc::new(tool(open::Open { machine: machine(), grants: Arc::clone(grants) })?),
    ])
}

#[cfg(test)]
#[path = "desktop_tests.rs"]
mod tests;
