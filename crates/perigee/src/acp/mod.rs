//! The Agent Client Protocol: editors such as Zed and Neovim use her as their agent.
//!
//! It is a client of the same doors as the terminal: what may be done is decided there, and not here.

mod agent;
mod prompt;
mod told;
mod wire;

pub use agent::run;
