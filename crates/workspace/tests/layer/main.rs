//! Commands over an overlay, by the real sandbox: this program is its own launcher. Whatever they do, the files of the
//! workspace stay as they are, and what can be taken is in the overlay.

#![allow(unsafe_code, clippy::disallowed_methods, clippy::unwrap_used, clippy::expect_used)]
#![cfg(target_os = "linux")]

mod bed;
mod commands;
mod git;
mod hostile;
mod meanwhile;
mod random;

/// Before `main`, which is the test harness's and knows nothing of that.
#[used]
#[unsafe(link_section = ".init_array")]
static LAUNCH: extern "C" fn() = {
    extern "C" fn launch() {
        sandbox::launch_if_asked();
    }
    launch
};
