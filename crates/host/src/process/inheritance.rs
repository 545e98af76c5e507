//! File descriptors and control groups handed to a program between fork and exec.

use std::os::fd::OwnedFd;

use rustix::io::{FdFlags, fcntl_setfd, write};
use tokio::process::Command;

/// Open files that a program inherits.
#[derive(Debug, Default)]
pub(super) struct Inheritance {
    files: Vec<OwnedFd>,
    groups: Vec<OwnedFd>,
}

impl Inheritance {
    /// Adds an open file, which keeps its file descriptor number.
    pub(super) fn add_file(&mut self, file: OwnedFd) {
        self.files.push(file);
    }

    /// Adds a control group to join, by the file that lists its processes.
    pub(super) fn add_group(&mut self, group: OwnedFd) {
        self.groups.push(group);
    }

    /// Moves the files into the command, which closes this process's copies when it is dropped.
    #[allow(unsafe_code)]
    pub(super) fn apply_to(self, command: &mut Command) {
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
