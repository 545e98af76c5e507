//! A folder of ours over the workspace: a program sees the work under its own name, and what it writes goes into the
//! folder. The work itself stays as it is.

mod ground;
mod stage;
mod sweep;

pub use self::ground::{Found, Ground, Kind, Stamp};
pub use self::stage::{LAYER, Stage, enter};
