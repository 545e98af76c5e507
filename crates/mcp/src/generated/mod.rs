//! Servers that the companion writes.
//!
//! Each is one Python file of functions, run in the sandbox by the runner (`python/` in this crate). A draft is tried before
//! the user is asked: it is started without a network in an empty folder, and its tests are called. What fails goes back to
//! the model; what works, the user sees, with the tools that it turned out to offer. What they approve is kept in the
//! database, by a digest of the source, its description and its wish for the network. From then on the source on disk is
//! compared with that digest before every use, so a file that somebody changes needs a new approval.
//!
//! The model is told to write plain functions. A file that imports `FastMCP`, as the model was told to write earlier, runs
//! in the runner too while it uses nothing but tools with plain arguments: it starts about 18 times as fast as with the
//! official package (75 ms against 1.4 s), and stays approved, since its tools are described alike. For the rest the runner
//! hands the file over to that package, or tells how to get it.
//!
//! Read [`GeneratedServers`] first; [`tools`] are what the model calls.

mod approval;
mod authoring_tools;
mod draft;
mod error;
mod generated_servers;
mod info;
mod server_files;
mod start;

pub use authoring_tools::tools;
pub use error::GeneratedServerError;
pub use generated_servers::{GeneratedServers, GeneratedServersParts};
pub use server_files::{ServerFilesProblem, first_problem};
