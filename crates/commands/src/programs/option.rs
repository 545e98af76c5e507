//! Checks if an argument is, or may be, a certain option.

/// The option syntax of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OptionStyle {
    /// `-abc` is three options, and `--output` can be shortened to `--out`.
    Gnu,
    /// `-abc` is three options, and long names are never shortened.
    Long,
    /// `-exec` is one option, and so is `--exec`.
    Whole,
}

/// Returns true if an argument may be one of the listed options. Ambiguous cases count as true: the letters after `-x`
/// in `-xI` may be a value, and an abbreviation may be ambiguous.
pub fn is_among(listed: &str, argument: &str, style: OptionStyle) -> bool {
    argument.len() > 1
        && argument.starts_with('-')
        && listed.split_ascii_whitespace().any(|option| is_option(option, argument, style))
}

fn is_option(option: &str, argument: &str, style: OptionStyle) -> bool {
    let name = argument.split_once('=').map_or(argument, |(name, _)| name);
    if style == OptionStyle::Whole {
        return name.trim_start_matches('-') == option.trim_start_matches('-');
    }
    let mut letters = option.chars().skip(1);
    match (letters.next(), letters.next()) {
        (Some('-'), _) if style == OptionStyle::Long => name == option,
        (Some('-'), _) => name.len() > 2 && option.starts_with(name),
        (Some(letter), None) => !argument.starts_with("--") && argument[1..].contains(letter),
        // For example `-fplugin` of a compiler.
        _ => argument.starts_with(option),
    }
}

/// Words in names of options that usually give a program something to run or load. Used for unknown programs.
const SUSPICIOUS: &[&str] = &[
    "exec",
    "command",
    "cmd",
    "eval",
    "shell",
    "script",
    "pager",
    "editor",
    "hook",
    "plugin",
    "program",
    "rsh",
    "config",
    "preload",
    "filter",
    "engine",
    "module",
    "require",
    "load",
    "init",
    "rcfile",
    "run",
    "browser",
    "viewer",
    "handler",
    "askpass",
    "proxy",
    "wrapper",
    "expression",
    "library",
    "extension",
    "callback",
    "trigger",
    "output",
    "define",
];

/// Returns true if an option of an unknown program looks as if it could run something.
pub fn is_suspicious(argument: &str) -> bool {
    match argument.strip_prefix("--") {
        Some(long) => {
            let name = long.split_once('=').map_or(long, |(name, _)| name).to_ascii_lowercase();
            !name.is_empty() && SUSPICIOUS.iter().any(|word| name.contains(word) || word.starts_with(&name))
        }
        None => {
            argument.len() > 1
                && argument.starts_with('-')
                && argument[1..].contains(['c', 'e', 'x', 'X', 'E', 'I', 'o', 'D'])
        }
    }
}
