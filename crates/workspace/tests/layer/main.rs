//! Runs commands on an overlay with the real sandbox; the test binary is its own launcher. The files of the workspace
//! must stay unchanged, and acceptable writes must be in the overlay.

#![allow(unsafe_code, clippy::disallowed_methods, clippy::unwrap_used, clippy::expect_used)]
#![cfg(target_os = "linux")]

mod commands;
mod fixture;
mod git;
mod hostile;
mod meanwhile;
mod random;

/// Runs before `main`, which belongs to the test harness and does not call the launcher.
#[used]
#[unsafe(link_section = ".init_array")]
static LAUNCH: extern "C" fn() = {
    extern "C" fn launch() {
        sandbox::launch_if_asked();
    }
    launch
};
