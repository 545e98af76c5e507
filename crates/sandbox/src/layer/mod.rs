//! An overlay over the workspace: a program sees the workspace under its own path, and its writes go to a separate
//! folder. The workspace itself stays unchanged.

mod ground;
mod stage;
mod sweep;

pub use self::ground::{Found, Ground, Kind, Stamp};
pub use self::stage::{LAYER, Stage, enter};
