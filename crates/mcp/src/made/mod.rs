//! MCP servers written by Luna.
//!
//! Each is one Python file that runs in the sandbox. A draft is tested without network in an empty folder before the
//! user is asked, and the user approves the tools that it turns out to offer. After that its source is compared with
//! the approved one before every use.

mod approved;
mod draft;
mod running;
mod shelf;
mod shown;
mod tools;
mod workshop;

pub use shelf::{Trouble, trouble_in};
pub use tools::tools;
pub use workshop::{Workshop, WorkshopError, WorkshopParts};
