//! Tools that need no network.

mod blocking;
pub mod calculate;
#[cfg(test)]
mod kit;
mod memory;
mod page;
mod state;
mod words;
