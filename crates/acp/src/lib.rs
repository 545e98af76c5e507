//! The Agent Client Protocol: editors such as Zed and Neovim use the companion as their agent.
//!
//! A bridge between the editor, in lines of JSON-RPC, and Perigee's HTTP API ([`client`]): an editor's prompt becomes a
//! code request, and the events of the turn become updates for the editor. Permissions are decided in the server, not
//! here, and no file is written here.
//!
//! Start with [`serve`].

mod agent;
mod json_rpc;
mod prompt;
mod updates;

pub use agent::serve;
