//! Checks that `config.example.toml`, which is generated from the settings, is up to date. `cargo xtask codegen` (which
//! sets `PERIGEE_CODEGEN=write`) regenerates it.

// The test writes the example file itself.
#![allow(clippy::disallowed_methods)]

use std::path::Path;

use config::{Config, Environment, Flags, Folders, LiveConfig};

#[test]
fn the_example_file_is_current() {
    let path = Path::new("../../config.example.toml");
    if std::env::var_os("PERIGEE_CODEGEN").is_some_and(|mode| mode == "write") {
        std::fs::write(path, config::example()).unwrap();
    }
    let current = std::fs::read_to_string(path).unwrap_or_default();
    assert!(current == config::example(), "config.example.toml has drifted: run `cargo xtask codegen`");
}

#[test]
fn the_example_means_the_defaults() {
    let example = config::example();
    // A commented-out setting follows its `#` directly; prose has a space after it.
    let in_force: String = example
        .lines()
        .map(|line| {
            line.strip_prefix('#').filter(|rest| !rest.is_empty() && !rest.starts_with(' ')).unwrap_or(line)
        })
        .flat_map(|line| [line, "\n"])
        .collect();
    assert!(in_force.contains("\nport = 8899\n"));
    for text in [example, in_force] {
        let home = tempfile::tempdir().unwrap();
        std::fs::write(home.path().join("config.toml"), &text).unwrap();
        let live = LiveConfig::open(Folders::within(home.path()), Environment::default(), Flags::default());
        assert_eq!(live.problems(), []);
        let mut config = (*live.current()).clone();
        config.llm.seed = None;
        config.mcp_servers.clear();
        assert_eq!(config, Config::default(), "{text}");
    }
}
