//! Logging to standard error, and to a file if `debug` is set.

mod rotating_file;
mod secret_filter;

use std::io::IsTerminal as _;
use std::sync::Mutex;

use config::{Environment, Flags, Folders, LiveConfig, LogLevel, Paths};
use terminal::Painter;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::{Layer as _, SubscriberExt as _};
use tracing_subscriber::util::SubscriberInitExt as _;

use rotating_file::RotatingFile;
use secret_filter::SecretFilter;

/// The reader of standard error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    /// The operator of the server.
    Server,
    /// The user of a command, who did not ask for a log.
    Command,
}

/// Starts logging as configured. Further calls have no effect.
pub fn start(folders: &Folders, audience: Audience) {
    let config = LiveConfig::open(folders.clone(), Environment::of_process(), Flags::default());
    let (paths, config) = (config.paths(), config.current());
    let level = match (audience, config.log.level) {
        (_, LogLevel::Trace) => LevelFilter::TRACE,
        (_, LogLevel::Debug) => LevelFilter::DEBUG,
        // Commands print their own messages.
        (Audience::Command, _) => LevelFilter::OFF,
        (Audience::Server, LogLevel::Info) => LevelFilter::INFO,
        (Audience::Server, LogLevel::Warn) => LevelFilter::WARN,
        (Audience::Server, LogLevel::Error) => LevelFilter::ERROR,
    };
    let secrets = secret_filter::known_secrets(&paths, &config);
    let ansi = Painter::is_wanted() && std::io::stderr().is_terminal();
    let lines = tracing_subscriber::fmt::layer()
        .with_writer(Mutex::new(SecretFilter::new(std::io::stderr(), secrets.clone())))
        .with_ansi(ansi)
        .with_target(false)
        .with_filter(targets(level));
    let detailed = config.debug.then(|| open(&paths)).flatten().map(|file| {
        tracing_subscriber::fmt::layer()
            .with_writer(Mutex::new(SecretFilter::new(file, secrets)))
            .with_ansi(false)
            .with_filter(targets(LevelFilter::DEBUG))
    });
    tracing_subscriber::registry().with(lines).with(detailed).try_init().ok();
}

fn open(paths: &Paths) -> Option<RotatingFile> {
    match RotatingFile::open(&paths.debug_log) {
        Ok(file) => Some(file),
        Err(error) => {
            eprintln!("The detailed log {} cannot be written: {error}", paths.debug_log.display());
            None
        }
    }
}

/// Log levels by target: the requested level for this project's crates, at most warnings for others, some of which
/// would log whole requests, headers included.
fn targets(level: LevelFilter) -> Targets {
    const OURS: [&str; 27] = [
        "abilities",
        "acp",
        "backup",
        "chat",
        "client",
        "commands",
        "companion",
        "config",
        "dialect",
        "edits",
        "embedding",
        "engine",
        "facts",
        "host",
        "mcp",
        "memory",
        "model",
        "perigee",
        "persona",
        "protocol",
        "sandbox",
        "server",
        "store",
        "symbols",
        "terminal",
        "tools",
        "workspace",
    ];
    let others = level.min(LevelFilter::WARN);
    // llama.cpp logs every detail of a model while loading it.
    let llama = if level >= LevelFilter::DEBUG { level } else { level.min(LevelFilter::ERROR) };
    let ours = OURS.into_iter().map(|name| (name, level));
    Targets::new().with_default(others).with_targets(ours).with_targets([
        ("llama-cpp-2", llama),
        ("llama_cpp_2", llama),
        ("ggml", llama),
    ])
}

/// Reports panics in one sentence; a backtrace would not help the user.
pub fn catch_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let place =
            panic.location().map(|place| format!(" ({}:{})", place.file(), place.line())).unwrap_or_default();
        let reason = panic.payload_as_str().unwrap_or("for an unknown reason");
        tracing::error!("internal error: {reason}{place}");
        eprintln!("perigee: an internal error: {reason}{place}. Stored data is kept. Please report this.");
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strangers_only_warn_however_much_is_asked_for() {
        let level = tracing::Level::DEBUG;
        let detailed = targets(LevelFilter::DEBUG);
        assert!(detailed.would_enable("companion::turn", &level));
        assert!(detailed.would_enable("llama-cpp-2", &level));
        for stranger in ["hyper::proto", "reqwest::connect", "h2", "rustls"] {
            assert!(!detailed.would_enable(stranger, &level), "{stranger}");
        }
        let usual = targets(LevelFilter::INFO);
        assert!(!usual.would_enable("llama-cpp-2", &tracing::Level::INFO));
        assert!(usual.would_enable("model::roster", &tracing::Level::INFO));
    }
}
