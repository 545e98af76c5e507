//! Processes that run in the background, and their supervisor.

mod housekeeping;
mod memory_maintenance;
mod prewarming;
mod supervisor;

pub use self::housekeeping::Housekeeping;
pub use self::memory_maintenance::MemoryMaintenance;
pub use self::prewarming::Prewarming;
pub use self::supervisor::{Process, Supervisor};
