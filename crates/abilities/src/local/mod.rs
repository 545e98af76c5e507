//! Tools that need no network: time, calculator, named values, granted files, and the desktop.
//!
//! Start with [`tools`].

pub mod calculate;
mod desktop;
mod files;
mod shell;

pub use shell::{CommandRuleError, CommandRuleFile};
mod state;
mod system_info;
mod time;
mod words;

use std::sync::Arc;

use config::Folders;
use host::Clock;
use sandbox::Sandbox;
use tools::{Tool, ValueOrigins, tool};

pub use desktop::{
    DesktopEnvironment, DesktopProgramOutput, LaunchResult, LocalDesktop, Platform, ProgramCall,
};

use crate::CurrentConfig;

/// The dependencies of these tools.
pub struct LocalToolParts {
    pub clock: Arc<dyn Clock>,
    pub settings: CurrentConfig,
    /// The data folder, which no grant includes, and the home folder for `~`.
    pub folders: Folders,
    /// The desktop, which is [`LocalDesktop`] except in tests.
    pub desktop: Arc<dyn DesktopEnvironment>,
    /// The sandbox for shell commands.
    pub sandbox: Arc<Sandbox>,
    /// The origins of untrusted content in stored values.
    pub origins: Arc<dyn ValueOrigins>,
}

/// Returns every tool that needs no network. Fails if one of them is declared incorrectly.
pub fn tools(parts: LocalToolParts) -> Result<Vec<Arc<dyn Tool>>, String> {
    let LocalToolParts { clock, settings, folders, desktop, sandbox, origins } = parts;
    let data_folder = folders.home.clone();
    let shell = shell::RunCommand::new(Arc::clone(&settings), folders.clone(), sandbox);
    let grants = Arc::new(files::FolderGrants::new(settings, folders));
    let mut tools: Vec<Arc<dyn Tool>> = vec![
        Arc::new(tool(time::TimeOfDay(Arc::clone(&clock)))?),
        Arc::new(tool(calculate::Calculate)?),
        Arc::new(tool(system_info::SystemInfo { data_folder })?),
        Arc::new(tool(shell)?),
    ];
    tools.extend(state::tools(&clock, origins)?);
    tools.extend(files::tools(&grants)?);
    tools.extend(desktop::tools(&desktop, &grants)?);
    Ok(tools)
}

#[cfg(test)]
#[path = "local_tests.rs"]
mod tests;
