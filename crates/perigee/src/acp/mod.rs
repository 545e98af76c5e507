//! The Agent Client Protocol: editors such as Zed and Neovim use Luna as their agent.
//!
//! A client of the same HTTP API as the terminal: permissions are decided in the server, not here.

mod agent;
mod prompt;
mod told;
mod wire;

pub use agent::run;
