//! An overlay over the workspace: a program sees the workspace under its own path, and its writes go to a separate
//! folder. The workspace itself stays unchanged.

mod deletion;
mod overlay;
mod untrusted_folder;

pub use self::overlay::{LAYER, OverlayStep, run_overlay_step};
pub use self::untrusted_folder::{FileStamp, UntrustedEntry, UntrustedEntryKind, UntrustedFolder};
