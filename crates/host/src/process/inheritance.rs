//! File descriptors and control groups handed to a program between fork and exec.

use std::os::fd::OwnedFd;

use rustix::io::{FdFlags, fcntl_setfd, write};
use tokio::process::Command;

use super::Program;

/// Open files that a program inherits.
#[derive(Debug, Default)]
pub(super) struct Inheritance {
    files: Vec<OwnedFd>,
    groups: Vec<OwnedFd>,
}

impl Program {
    /// Lets the program inherit an open file under the same file descriptor number.
    #[must_use]
    pub fn inheriting(mut self, file: OwnedFd) -> Self {
        self.inheritance.files.push(file);
        self
    }

    /// Puts the program into a control group before it runs, by writing its process id to this file. If that fails, the
    /// program is not started.
    #[must_use]
    pub fn joining(mut self, group: OwnedFd) -> Self {
        self.inheritance.groups.push(group);
        self
    }
}

impl Inheritance {
    /// Moves the files into the command, which closes this process's copies when it is dropped.
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
                    // Zero stands for the writing process.
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
