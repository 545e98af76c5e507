//! Access to the machine: the clock, atomic writes, files beneath a root, the lock on the data folder, child processes,
//! random numbers, facts about memory and processors, and the distinction between public and local hosts.
//!
//! It knows no conversations, models or settings and reads no configuration. Other crates do not write files or start
//! programs by themselves, which `clippy.toml` enforces: they use [`atomic_write`], [`RootDir`] and [`Program`].
//!
//! Read [`Clock`] first, which everything that depends on time takes, and then [`Program`].

// This crate contains the calls that `clippy.toml` forbids elsewhere.
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

pub use address::{
    is_local_host, is_public, is_public_name, is_same_network, lan_addresses, local_address_for, resolve_name,
};
pub use clock::{Clock, ManualClock, Sleep, SystemClock};
pub use dirs::{cache_dir, data_dir};
pub use error::FileError;
pub use home::{HomeLock, LockError, RunFile, RunInfo};
pub use hosts::{AllowedAddresses, AllowedHosts, Host, HostError, HostPattern, parse_authority};
pub use id::IdSource;
pub use machine::{MachineFacts, disk_free, machine};
pub use process::{
    ChildProcess, ChildStdin, OutputChunk, ProcessError, Program, ProgramOutput, find_program,
};
pub use random::{hex, random_bytes};
pub use root_dir::{EntryInfo, EntryKind, RootDir, RootError};
pub use secret::Secret;
pub use write::{
    append_line_private, atomic_write, atomic_write_private, is_temporary, lock_file, private_dir,
};
