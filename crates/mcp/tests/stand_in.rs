//! Tests the stand-in for the official package with this machine's Python. The comparison with the official package
//! needs `MCP_OFFICIAL_PYTHON` and is skipped without it.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![allow(clippy::disallowed_methods, reason = "a test starts Python as a person would")]

use std::process::Command;

/// Runs a part of the Python tests.
fn passes(part: &str) {
    let done = Command::new("python3")
        .args(["-m", "unittest", part])
        // Cargo runs tests in the package folder.
        .current_dir("tests")
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let told = String::from_utf8_lossy(&done.stderr);
    assert!(told.contains("OK") && !told.contains("Ran 0 tests"), "{told}");
}

#[test]
fn it_stands_up_to_hostile_input() {
    passes("stand_in.test_hostile");
}

#[test]
fn it_runs_servers_as_their_authors_expect() {
    passes("stand_in.test_running.Running");
}

#[test]
fn it_ends_when_it_should_and_loads_no_more_than_it_needs() {
    passes("stand_in.test_running.Ending");
    passes("stand_in.test_running.Imports");
}
