//! Tools that need no network: time, calculator, named values, granted files, and the desktop.
//!
//! Start with [`tools`].

pub mod calculate;
mod desktop;
mod files;
mod shell;

pub use shell::{RuleBook, RuleBookError};
mod state;
mod system_info;
mod time;
mod words;

use std::sync::Arc;

use config::Folders;
use host::Clock;
use sandbox::Sandbox;
use tools::{Tool, ValueOrigins, tool};

pub use desktop::{Call, Machine, Platform, Ran, Released, ThisMachine};

use crate::Settings;

/// The dependencies of these tools.
pub struct Parts {
    pub clock: Arc<dyn Clock>,
    pub settings: Settings,
    /// The data folder, which no grant includes, and the home folder for `~`.
    pub folders: Folders,
    /// The machine, which is [`ThisMachine`] except in tests.
    pub machine: Arc<dyn Machine>,
    /// The sandbox for shell commands.
    pub sandbox: Arc<Sandbox>,
    /// The origins of untrusted content in stored values.
    pub origins: Arc<dyn ValueOrigins>,
}

/// Returns every tool that needs no network. Fails if one of them is declared incorrectly.
pub fn tools(parts: Parts) -> Result<Vec<Arc<dyn Tool>>, String> {
    let Parts { clock, settings, folders, machine, sandbox, origins } = parts;
    let data_folder = folders.home.clone();
    let shell = shell::RunCommand::new(Arc::clone(&settings), folders.clone(), sandbox);
    let grants = Arc::new(files::Grants::new(settings, folders));
    let mut tools: Vec<Arc<dyn Tool>> = vec![
        Arc::new(tool(time::TimeOfDay(Arc::clone(&clock)))?),
        Arc::new(tool(calculate::Calculate)?),
        Arc::new(tool(system_info::SystemInfo { data_folder })?),
        Arc::new(tool(shell)?),
    ];
    tools.extend(state::tools(&clock, origins)?);
    tools.extend(files::tools(&grants)?);
    tools.extend(desktop::tools(&machine, &grants)?);
    Ok(tools)
}

#[cfg(test)]
#[path = "local_tests.rs"]
mod tests;
