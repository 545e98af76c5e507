//! What a program is given besides its streams, between fork and exec.

use std::os::fd::OwnedFd;

use rustix::io::{FdFlags, fcntl_setfd, write};
use tokio::process::Command;

use super::Program;

/// Open files that a program gets from us.
#[derive(Debug, Default)]
pub(super) struct Inheritance {
    files: Vec<OwnedFd>,
    groups: Vec<OwnedFd>,
}

impl Program {
    /// Lets it have an open file, under the number that it has here.
    #[must_use]
    pub fn inheriting(mut self, file: OwnedFd) -> Self {
        self.inheritance.files.push(file);
        self
    }

    /// Puts it into a control group before it runs: it writes its own number into this file. One that cannot be put
    /// there is not started.
    #[must_use]
    pub fn joining(mut self, group: OwnedFd) -> Self {
        self.inheritance.groups.push(group);
        self
    }
}

impl Inheritance {
    /// Our own copies close with the command.
    #[allow(unsafe_code)]
    pub(super) fn hand_to(self, command: &mut Command) {
        let Self { files, groups } = self;
        if files.is_empty() && groups.is_empty() {
            return;
        }
        // SAFETY: between fork and exec the closure makes system calls and neither allocates nor locks.
        unsafe {
            command.pre_exec(move || {
                for group in &groups {
                    // Zero is whoever writes it.
                    write(group, b"0")?;
                }
                for file in &files {
                    fcntl_setfd(file, FdFlags::empty())?;
                }
                Ok(())
            });
        }
    }
}
