//! Tests the runner of generated servers with this machine's Python. What the official package makes of the same files is
//! shown as well if `MCP_OFFICIAL_PYTHON` names a Python that has it.

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
    passes("runner.test_hostile");
}

#[test]
fn it_runs_servers_as_their_authors_expect() {
    passes("runner.test_running.Running");
}

#[test]
fn it_runs_plain_functions_without_an_event_loop() {
    passes("runner.test_running.WithoutLoop");
}

#[test]
fn it_ends_when_it_should_and_loads_no_more_than_it_needs() {
    passes("runner.test_running.Ending");
    passes("runner.test_running.Imports");
}

#[test]
fn it_describes_arguments_by_their_hints_and_converts_them() {
    passes("runner.test_hints");
}

#[test]
fn it_serves_files_for_the_official_package_or_tells_what_they_need() {
    passes("runner.test_servers");
}
