//! Everything that touches the machine in a way that can go wrong for others: the clock, atomic writes, files
//! beneath a root, the lock on the data folder, child processes, random numbers, facts about the machine, and which
//! hosts are on the public internet and which are nearer.
//!
//! It knows nothing of conversations, models or settings, and it reads no configuration. Other crates do not
//! write files or start programs by themselves: `clippy.toml` refuses it.
//!
//! Start with [`Clock`], which everything with a sense of time takes.

// This is the crate that owns the calls which `clippy.toml` refuses elsewhere.
#![allow(clippy::disallowed_methods)]

mod address;
mod clock;
mod dirs;
mod error;
mod home;
mod hosts;
mod id;
mod machine;
mod process;
mod random;
mod root_dir;
mod secret;
mod write;

pub use address::{addresses_of, comes_from, is_beside, is_near, is_public, is_public_name, own_addresses};
pub use clock::{Clock, ManualClock, Sleep, SystemClock};
pub use dirs::{cache_dir, data_dir};
pub use error::FileError;
pub use home::{HomeLock, LockError, RunFile, RunInfo};
pub use hosts::{Host, HostError, HostPattern, Hosts, Reach, parse_authority};
pub use id::IdSource;
pub use machine::{MachineFacts, disk_free, machine};
pub use process::{Child, ChildStdin, Chunk, Finished, ProcessError, Program, find_program};
pub use random::{hex, random_bytes};
pub use root_dir::{EntryInfo, EntryKind, RootDir, RootError};
pub use secret::Secret;
pub use write::{
    append_line_private, atomic_write, atomic_write_private, is_temporary, lock_file, private_dir,
};
