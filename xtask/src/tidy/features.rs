//! A rule for features: neither dev-dependencies nor the crates beside the program enable features of dependencies that
//! the program is built from. A shared crate with different features is compiled twice, which includes llama.cpp.

use std::collections::BTreeSet;

use super::findings::Findings;

/// The format in which `cargo tree` prints a crate: `name version|feature,feature`.
pub const FORMAT: &str = "{p}|{f}";

/// Compares the output of `cargo tree` for the program and for the workspace with its tests.
pub fn differing(program: &str, with_tests: &str) -> Findings {
    let program: BTreeSet<&str> = entries(program).collect();
    let in_program: BTreeSet<&str> = program.iter().map(|entry| name(entry)).collect();
    let differs = |entry: &&str| in_program.contains(name(entry)) && !program.contains(entry);
    let differing: BTreeSet<&str> = entries(with_tests).filter(differs).collect();
    differing
        .into_iter()
        .map(|entry| format!("tests change the features of {}", entry.replace('|', " to ")))
        .collect()
}

fn entries(list: &str) -> impl Iterator<Item = &str> {
    list.lines().map(|line| line.trim_end_matches(" (*)").trim()).filter(|line| !line.is_empty())
}

fn name(entry: &str) -> &str {
    entry.split_once('|').map_or(entry, |(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_feature_that_only_tests_switch_on_is_found() {
        let program = "tokio v1.54.1|fs,rt\nserde v1.0.0|std\nserde v1.0.0|std (*)\n\n";
        assert!(differing(program, program).is_empty());
        assert!(
            differing(program, "tempfile v3.0.0|std\ntokio v1.54.1|fs,rt\n").is_empty(),
            "a crate of tests alone"
        );
        assert_eq!(
            differing(program, "tokio v1.54.1|fs,rt,test-util\n"),
            ["tests change the features of tokio v1.54.1 to fs,rt,test-util"]
        );
    }
}
